# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad clients of every kind; meanwhile good ones are served. usage: test_hostile.py SAMARA [HOSTILE.tsv]"""
import concurrent.futures
import json
import os
import re
import socket
import sys
import threading
import time
import unittest

from serving import SCALE, START, Client, Server

TABLE = sys.argv.pop(1) if len(sys.argv) > 1 and sys.argv[1].endswith(".tsv") else ""

def unescape(text):
    return text.encode("latin1").decode("unicode_escape").encode("latin1")


def expand(raw, host):
    raw = re.sub(r"<<(\d+)\*(.*?)>>", lambda m: m.group(2) * int(m.group(1)), raw).replace("{H}", host)
    if "{LEN}" in raw:
        head, body = raw.split("\\r\\n\\r\\n", 1)
        raw = head.replace("{LEN}", str(len(unescape(body)))) + "\\r\\n\\r\\n" + body
    return unescape(raw)


def exchange(port, data, patience):
    """The status of the answer, or how the connection ended; and whether it was closed afterwards."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), 10) as s:
        s.settimeout(patience)
        try:
            s.sendall(data)
        except OSError:
            pass
        try:
            while True:
                piece = s.recv(65536)
                if not piece:
                    break
                received += piece
                if received.count(b"HTTP/1.1 ") and b"\r\n\r\n" in received and b"Connection: close" not in received:
                    s.settimeout(0.3)
        except (TimeoutError, ConnectionError) as error:
            closed = isinstance(error, ConnectionError)
        else:
            closed = True
    match = re.match(rb"HTTP/1\.[01] (\d+)", received)
    return (match.group(1).decode() if match else "close" if closed else "timeout"), closed, received


def head(method, path, port, *lines):
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *lines, "", ""]).encode()


class Hostile(unittest.TestCase):
    def setUp(self):
        self.server = Server("--engines", "2", "--hash", "1", "--max-time", "3000")
        self.port = self.server.port

    def tearDown(self):
        self.assertEqual(self.server.stop(), 0)
        self.assertEqual(self.server.complaints, "")

    def assert_well(self, limit=0.5):
        """A good client is answered soon, and no engine is left busy."""
        with Client(self.port) as client:
            start = time.time()
            self.assertEqual(client.get("/api/v1/health").status, 200)
            self.assertLess(time.time() - start, limit * SCALE)
            for _ in range(int(50 * SCALE)):
                health = client.get("/api/v1/health").json
                if health["busy"] == 0 and health["waiting"] == 0:
                    return
                time.sleep(0.1)
        self.fail("an engine stays busy")

    @unittest.skipUnless(os.path.exists(TABLE), "the table of hostile requests is not there")
    def test_the_table(self):
        with open(TABLE, encoding="latin1") as table:
            rows = [line.rstrip("\n").split("\t") for line in table if not line.startswith("#")]

        def play(row):
            name, raw, wanted, note = row
            got, closed, received = exchange(self.port, expand(raw, f"127.0.0.1:{self.port}"), 15 * SCALE)
            outcomes = {re.sub(r"!.*", "", w): w for w in wanted.split("|")}
            if got not in outcomes:
                return f"{name}: got {got}, wanted {wanted} ({note})"
            if "!close" in outcomes[got] and not closed:
                return f"{name}: the connection was not closed"
            if "!close" in outcomes[got] and received.count(b"HTTP/1.") > 1:
                return f"{name}: something was answered behind the error"
            if b"root:" in received:
                return f"{name}: a file of the system came out"
            return None

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            faults = [fault for fault in pool.map(play, rows) if fault]
        self.assertEqual(faults, [])
        self.assertGreater(len(rows), 50)
        self.assert_well()

    def test_a_byte_at_a_time(self):
        body = json.dumps({"fen": START, "depth": 1}).encode()
        data = head("POST", "/move", self.port, "Content-Type: application/json", f"Content-Length: {len(body)}") + body
        with socket.create_connection(("127.0.0.1", self.port)) as s:
            for i in range(len(data)):
                s.sendall(data[i:i + 1])
            s.settimeout(10 * SCALE)
            self.assertIn(b"200 OK", s.recv(65536))

    def test_pipelined_requests_are_answered_in_order(self):
        one = head("GET", "/api/v1/legal?moves=e2e4", self.port)
        two = head("GET", "/api/v1/perft?depth=1", self.port)
        with socket.create_connection(("127.0.0.1", self.port)) as s:
            s.sendall((one + two) * 10)
            s.settimeout(10 * SCALE)
            text = b""
            while text.count(b"HTTP/1.1 200") < 20 or not text.endswith(b"}"):
                text += s.recv(65536)
        kinds = re.findall(rb'"(check|divide)":', text)
        self.assertEqual(kinds, [b"check", b"divide"] * 10)

    def test_a_half_closed_socket_still_gets_its_answer(self):
        body = json.dumps({"fen": START, "depth": 3}).encode()
        data = head("POST", "/move", self.port, "Content-Type: application/json", f"Content-Length: {len(body)}") + body
        with socket.create_connection(("127.0.0.1", self.port)) as s:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            s.settimeout(10 * SCALE)
            text = b""
            try:
                while piece := s.recv(65536):
                    text += piece
            except TimeoutError:
                pass
        self.assertIn(b'"status":"ok"', text)
        self.assert_well()

    def test_slow_clients_do_not_hurt_others(self):
        slow = []
        for i in range(200):
            s = socket.create_connection(("127.0.0.1", self.port))
            s.sendall(b"GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "[: 10 + i % 40])
            slow.append(s)
        dripping = threading.Event()

        def drip():
            while not dripping.wait(0.5):
                for s in slow:
                    try:
                        s.sendall(b"a")
                    except OSError:
                        pass

        thread = threading.Thread(target=drip)
        thread.start()
        try:
            with Client(self.port) as client:
                times = []
                for _ in range(40):
                    start = time.time()
                    self.assertEqual(client.post("/move", {"fen": START, "depth": 1}).status, 200)
                    times.append(time.time() - start)
                self.assertLess(sorted(times)[38], 0.5 * SCALE)
            end = time.time() + 12 * SCALE  # the header's whole time is 5 s, dripping or not
            left = len(slow)
            while left and time.time() < end:
                time.sleep(0.5)
                with Client(self.port) as client:
                    text = client.get("/api/v1/metrics").body.decode()
                    left = int(float(re.search(r"^samara_connections (\S+)", text, re.M).group(1))) - 1
            self.assertEqual(left, 0, "slow connections are closed")
        finally:
            dripping.set()
            thread.join()
            for s in slow:
                s.close()
        self.assert_well()

    def test_five_hundred_connections_at_once(self):
        def ask(_):
            with Client(self.port) as client:
                return client.post("/move", {"fen": START, "depth": 1}).status

        with concurrent.futures.ThreadPoolExecutor(500) as pool:
            statuses = list(pool.map(ask, range(500)))
        self.assertEqual(set(statuses) - {200, 503}, set())
        self.assertGreater(statuses.count(200), 400)
        self.assert_well()

    def test_a_full_queue_is_said_with_a_time_to_come_back(self):
        with Server("--engines", "1", "--queue", "2", "--hash", "1", "--max-time", "3000") as server:
            def ask(i):
                with Client(server.port) as client:
                    answer = client.post("/api/v1/analyse", {"movetime": 700})
                    return answer.status, answer.headers["Retry-After"]

            with concurrent.futures.ThreadPoolExecutor(12) as pool:
                answers = list(pool.map(ask, range(12)))
            self.assertEqual({a for a in answers if a[0] != 200}, {(503, "1")})
            self.assertGreaterEqual([a[0] for a in answers].count(200), 3)

    def test_clients_take_turns(self):
        """One client with many requests does not keep another waiting behind all of them."""
        with Server("--engines", "1", "--hash", "1", "--max-time", "3000") as server:
            def ask(session):
                with Client(server.port) as client:
                    client.post("/api/v1/analyse", {"movetime": 300, "session": session})
                    return time.time()

            start = time.time()
            with concurrent.futures.ThreadPoolExecutor(10) as pool:
                greedy = [pool.submit(ask, "greedy") for _ in range(8)]
                time.sleep(0.1)
                modest = pool.submit(ask, "modest")
                waited = modest.result() - start
                ends = sorted(f.result() - start for f in greedy)
            self.assertLess(waited, ends[4])


if __name__ == "__main__":
    unittest.main()
