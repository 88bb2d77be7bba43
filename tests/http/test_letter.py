# SPDX-License-Identifier: GPL-3.0-or-later
"""HTTP by the letter: what is answered, what is refused, and what happens to the connection. usage: test_letter.py SAMARA"""
import re
import socket
import time
import unittest

from serving import SCALE, START, Server, raw_post

GET = b"GET /api HTTP/1.1\r\nHost: localhost\r\n"
# bytes, status, whether the connection stays open; each also byte by byte
CASES = {
    "plain": (GET + b"\r\n", 200, True),
    "an empty line before": (b"\r\n" + GET + b"\r\n", 200, True),
    "two empty lines before": (b"\r\n\r\n" + GET + b"\r\n", 400, False),
    "bare CR in a value": (GET + b"X: a\rb\r\n\r\n", 400, False),
    "bare CR hides a field": (GET + b"X: a\rContent-Length: 5\r\n\r\nhello", 400, False),
    "bare LF": (GET.replace(b"\r\n", b"\n") + b"\n", 400, False),
    "NUL in the target": (b"GET /\0index.html HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, False),
    "NUL in a value": (GET + b"X: a\0b\r\n\r\n", 400, False),
    "NUL in a name": (GET + b"X\0: a\r\n\r\n", 400, False),
    "escaped NUL": (b"GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, True),
    "half an escape": (b"GET /%4 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, True),
    "blank in the target": (b"GET / index.html HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, False),
    "folded line": (GET + b"X: a\r\n b\r\n\r\n", 400, False),
    "blank before the colon": (GET + b"X : a\r\n\r\n", 400, False),
    "two Hosts": (GET + b"Host: localhost\r\n\r\n", 400, False),
    "no Host": (b"GET /api HTTP/1.1\r\n\r\n", 400, False),
    "Authorization twice": (GET + b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n", 400, False),
    "Content-Type twice": (GET + b"Content-Type: a/b\r\nContent-Type: a/b\r\n\r\n", 400, False),
    "two lengths": (GET + b"Content-Length: 0\r\nContent-Length: 0\r\n\r\n", 400, False),
    "both framings": (GET + b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, False),
    "chunked": (GET + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411, False),
    "chunked twice": (GET + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 501, False),
    "signed length": (GET + b"Content-Length: +0\r\n\r\n", 400, False),
    "empty length": (GET + b"Content-Length:\r\n\r\n", 400, False),
    "length beyond 64 bits": (GET + b"Content-Length: 18446744073709551616\r\n\r\n", 413, False),
    "a body that nobody wants": (GET + b"Content-Length: 5\r\n\r\nhello", 200, True),
    "unknown expectation": (GET + b"Expect: more\r\n\r\n", 417, True),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, False),
    "HTTP/1.0": (b"GET /api HTTP/1.0\r\nHost: localhost\r\n\r\n", 200, False),
    "HTTP/1.0 that stays": (b"GET /api HTTP/1.0\r\nHost: localhost\r\nConnection: Keep-Alive\r\n\r\n", 200, True),
    "close": (GET + b"Connection: x, close\r\n\r\n", 200, False),
    "absolute target": (b"GET http://localhost/api HTTP/1.1\r\nHost: x\r\n\r\n", 200, True),
    "absolute target elsewhere": (b"GET http://evil.example/api HTTP/1.1\r\nHost: localhost\r\n\r\n", 421, True),
    "no slash": (b"GET api HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, True),
    "not found": (b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n", 404, True),
    "unknown method": (b"BREW /move HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, True),
    "options": (b"OPTIONS /move HTTP/1.1\r\nHost: localhost\r\n\r\n", 204, True),
    "long target": (b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, False),
    "endless target": (b"GET /" + b"a" * 40000, 414, False),
    "endless header": (GET + b"X: " + b"a" * 40000, 431, False),
    "many fields": (GET + b"X: a\r\n" * 200 + b"\r\n", 431, False),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400, False),
}


class Line:
    """A connection with a buffer."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(20 * SCALE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data, step=None):
        try:
            for i in range(0, len(data), step or len(data)):
                self.socket.sendall(data[i:i + (step or len(data))])
        except OSError:
            pass  # refused in the middle

    def until(self, mark):
        while mark not in self.rest:
            piece = self.socket.recv(65536)
            if not piece:
                raise EOFError(self.rest)
            self.rest += piece
        text, self.rest = self.rest.split(mark, 1)
        return text

    def answer(self, bodyless=False):
        head = self.until(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = re.search(rb"\r\nContent-Length: (\d+)", head)
        body = b""
        if length and not bodyless:
            wanted = int(length.group(1))
            while len(self.rest) < wanted:
                self.rest += self.socket.recv(65536)
            body, self.rest = self.rest[:wanted], self.rest[wanted:]
        return status, head, body

    def is_open(self):
        """Whether a second request is answered."""
        self.send(b"GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try:
            return self.answer()[0] == 200
        except (EOFError, OSError):
            return False


class Letter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--engines", "1", "--hash", "1")

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0 and cls.server.complaints == "", cls.server.complaints

    def test_the_cases(self):
        for name, (data, status, stays) in CASES.items():
            for step in (None, 1, 7):
                if step and len(data) > 10000:
                    continue
                with self.subTest(name=name, step=step), Line(self.server.port) as line:
                    line.send(data, step)
                    got, head, _ = line.answer(status == 204)
                    self.assertEqual(got, status)
                    self.assertEqual(b"Connection: close" not in head, stays)
                    self.assertEqual(line.is_open(), stays)

    def test_nothing_is_answered_behind_a_refusal(self):
        with Line(self.server.port) as line:
            line.send(GET + b"X: a\rb\r\n\r\n" + GET + b"\r\n")
            self.assertEqual(line.answer()[0], 400)
            self.assertEqual(line.rest + line.socket.recv(100), b"")

    def test_a_refusal_is_readable_while_the_body_still_comes(self):
        with Line(self.server.port) as line:
            line.send(b"POST /move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n")
            line.send(b"x" * 300000)
            self.assertEqual(line.answer()[0], 413)

    def test_continue_is_said_when_somebody_waits_for_it(self):
        head, body = raw_post("/move", {"fen": START, "depth": 1}).split(b"\r\n\r\n")
        with Line(self.server.port) as line:
            line.send(head + b"\r\nExpect: 100-continue\r\n\r\n")
            self.assertEqual(line.until(b"\r\n\r\n"), b"HTTP/1.1 100 Continue")
            line.send(body)
            self.assertEqual(line.answer()[0], 200)
            self.assertTrue(line.is_open())
        with Line(self.server.port) as line:  # but not for a body that is refused
            line.send(head.replace(b"json", b"text") + b"\r\nExpect: 100-continue\r\n\r\n")
            self.assertEqual(line.answer()[0], 415)

    def test_head_says_what_get_would(self):
        for path in (b"/api", b"/api/v1/openapi.json", b"/api/v1/legal", b"/api/v1/nothing", b"/api/v1/stream"):
            with self.subTest(path=path), Line(self.server.port) as line:
                line.send(b"HEAD %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path)
                status, head, _ = line.answer(bodyless=True)
                self.assertEqual(line.rest, b"")
                if b"stream" not in path:
                    line.send(b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path)
                    same = line.answer()
                    self.assertEqual((status, re.sub(rb"Date: [^\r]*", b"", head)), (same[0], re.sub(rb"Date: [^\r]*", b"", same[1])))
                self.assertTrue(line.is_open())

    def test_every_answer_has_a_date_and_a_length(self):
        with Line(self.server.port) as line:
            line.send(GET + b"\r\n")
            head = line.answer()[1]
            date = re.search(rb"\r\nDate: ([^\r]*)", head).group(1).decode()
            stamp = time.mktime(time.strptime(date, "%a, %d %b %Y %H:%M:%S GMT")) - time.timezone
            self.assertLess(abs(stamp - time.time()), 60)
            self.assertIn(b"\r\nContent-Length: ", head)
            self.assertIn(b"\r\nX-Content-Type-Options: nosniff", head)

    def test_an_old_client_gets_its_stream_until_the_end(self):
        with Line(self.server.port) as line:
            line.send(b"GET /api/v1/stream?depth=3 HTTP/1.0\r\nHost: localhost\r\n\r\n")
            status, head, _ = line.answer()
            self.assertEqual(status, 200)
            self.assertNotIn(b"chunked", head)
            text = line.rest
            while piece := line.socket.recv(65536):
                text += piece
            self.assertIn(b"event: done", text)

    def test_requests_sent_ahead_are_all_answered_after_the_last_byte(self):
        with Line(self.server.port) as line:
            line.send((GET + b"\r\n") * 100 + raw_post("/move", {"fen": START, "depth": 2}))
            line.socket.shutdown(socket.SHUT_WR)
            for _ in range(101):
                self.assertEqual(line.answer()[0], 200)
            self.assertEqual(line.socket.recv(10), b"")

    def test_patience_ends_when_it_should(self):
        """A head has 5 s, whatever drips in, and says so; a body has 10."""
        with Line(self.server.port) as head, Line(self.server.port) as body:
            start = time.monotonic()
            head.send(b"GET /api HT")
            body.send(raw_post("/move", {"fen": START})[:-5])
            self.assertEqual(head.answer()[0], 408)
            self.assertTrue(4.9 < time.monotonic() - start < 5.5 + 0.5 * SCALE, time.monotonic() - start)
            self.assertEqual(body.answer()[0], 408)
            self.assertTrue(9.9 < time.monotonic() - start < 10.5 + 0.5 * SCALE, time.monotonic() - start)


if __name__ == "__main__":
    unittest.main()
