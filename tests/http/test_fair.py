# SPDX-License-Identifier: GPL-3.0-or-later
"""One client cannot take what others need: turns, places in the queue, live analyses, large bodies. Room on the disk: test_store.
usage: test_fair.py SAMARA"""
import concurrent.futures
import json
import random
import select
import socket
import threading
import time
import unittest

from serving import SCALE, START, Client, Server

BAD, GOOD = "127.0.0.2", "127.0.0.1"


def percentile(times, share):
    return sorted(times)[int(share * (len(times) - 1))]


FIRST = [f + "2" + f + r for f in "abcdefgh" for r in "34"]
SECOND = [f + "7" + f + r for f in "abcdefgh" for r in "65"]


def some_position(dice):
    """One of 256, so that the hash table does not know the answer."""
    return {"fen": START, "moves": [dice.choice(FIRST), dice.choice(SECOND)]}


def ask_moves(port, source, count, depth=8):
    times = []
    dice = random.Random(7)
    with Client(port, source=source) as client:
        for _ in range(count):
            start = time.monotonic()
            answer = client.post("/move", {**some_position(dice), "depth": depth})
            assert answer.status == 200, answer.body
            times.append(time.monotonic() - start)
    return times


class Crowd:
    """Clients of one address that ask the same again and again, each time as somebody else."""

    def __init__(self, port, size, path, body):
        self.end = threading.Event()
        self.answers = {}
        self.threads = [threading.Thread(target=self.run, args=(port, path, body, i)) for i in range(size)]

    def run(self, port, path, body, seed):
        dice = random.Random(seed)
        while not self.end.is_set():
            try:
                with Client(port, source=BAD) as client:
                    while not self.end.is_set():
                        status = client.post(path, {**some_position(dice), **body, "session": str(dice.random())}).status
                        self.answers[status] = self.answers.get(status, 0) + 1
            except OSError:
                time.sleep(0.05)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        time.sleep(0.3)
        return self

    def __exit__(self, *_):
        self.end.set()
        for thread in self.threads:
            thread.join()


def post(sockets, port, source, body, headers=""):
    """Sends a request for an analysis without waiting for the answer."""
    text = json.dumps(body)
    s = socket.create_connection(("127.0.0.1", port), source_address=(source, 0))
    s.settimeout(30 * SCALE)
    s.sendall(f"POST /api/v1/analyse HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Type: application/json\r\n"
              f"Content-Length: {len(text)}\r\n\r\n{text}".encode())
    sockets.append(s)
    return s


def status_of(s):
    return int(s.recv(65536).split(b" ", 2)[1])


class Fair(unittest.TestCase):
    def test_random_sessions_take_no_turns_from_others(self):
        """The time of another address's move grows by the search that runs before it, not by the crowd's."""
        with Server("--engines", "2", "--hash", "4") as server:
            alone = ask_moves(server.port, GOOD, 20)
            with Crowd(server.port, 50, "/move", {"depth": 8}) as crowd:
                beside = ask_moves(server.port, GOOD, 20)
            print(f"depth 8 alone {percentile(alone, .5) * 1000:.0f} ms, beside 50 of one address {percentile(beside, .5) * 1000:.0f} ms; "
                  f"they had {crowd.answers}")
            self.assertLess(percentile(beside, 0.5), 8 * percentile(alone, 0.5) + 0.05)
            self.assertGreater(crowd.answers.get(200, 0), 20)

    def test_small_questions_of_many_do_not_delay_one(self):
        with Server("--engines", "2", "--hash", "4") as server:
            alone = ask_moves(server.port, GOOD, 20, 2)
            with Crowd(server.port, 50, "/move", {"depth": 4}):
                beside = ask_moves(server.port, GOOD, 20, 2)
            print(f"depth 2 alone {percentile(alone, .5) * 1000:.1f} ms, beside 50 of one address {percentile(beside, .5) * 1000:.1f} ms")
            self.assertLess(percentile(beside, 0.5), 8 * percentile(alone, 0.5) + 0.05)

    def test_one_address_cannot_fill_the_queue(self):
        with Server("--engines", "1", "--queue", "64", "--hash", "1", "--max-time", "60000") as server:
            sockets = []
            for _ in range(100):
                post(sockets, server.port, BAD, {"movetime": 300, "session": str(random.random())})
            time.sleep(0.3 * SCALE)
            good = [post([], server.port, GOOD, {"depth": 4}) for _ in range(29)]
            self.assertEqual([status_of(s) for s in good], [200] * 29)
            for s in sockets + good:
                s.close()

    def test_a_long_search_of_one_does_not_stop_another(self):
        """All engines work for one address for seconds; the spare one serves the other at once."""
        with Server("--engines", "1", "--hash", "1", "--max-time", "60000") as server:
            sockets = []
            for _ in range(5):
                post(sockets, server.port, BAD, {"movetime": 20000})
            time.sleep(0.3)
            self.assertLess(percentile(ask_moves(server.port, GOOD, 10), 0.5), 1 * SCALE)
            for s in sockets:
                s.close()

    def test_streams_that_nobody_reads_leave_room(self):
        with Server("--streams", "4", "--hash", "1") as server:
            request = b"GET /api/v1/stream?multipv=4 HTTP/1.1\r\nHost: localhost\r\n\r\n"
            bad = []
            for _ in range(12):
                s = socket.socket()
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                s.bind((BAD, 0))
                s.connect(("127.0.0.1", server.port))
                s.sendall(request)
                bad.append(s)
            time.sleep(1)
            for _ in range(2):  # as many as are fair
                start = time.monotonic()
                s = socket.create_connection(("127.0.0.1", server.port), source_address=(GOOD, 0))
                s.settimeout(10 * SCALE)
                s.sendall(request)
                text = b""
                while b"event: info" not in text:
                    text += s.recv(65536)
                self.assertLess(time.monotonic() - start, 2 * SCALE)
                bad.append(s)
            for s in bad:
                s.close()

    def test_large_bodies_are_counted(self):
        """Of one address four are read at a time, and none is read into nothing."""
        with Server("--hash", "1") as server:
            head = (f"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {4 << 20}\r\n\r\n").encode()

            def begin(source):
                s = socket.create_connection(("127.0.0.1", server.port), source_address=(source, 0))
                s.settimeout(1)
                s.sendall(head)
                return s

            slow = [begin(BAD) for _ in range(20)]
            for s in slow:
                self.addCleanup(s.close)
            time.sleep(1 * SCALE)
            readable, _, _ = select.select(slow, [], [], 0)
            refused = sum(s.recv(1000).startswith(b"HTTP/1.1 503 ") for s in readable)
            self.assertEqual(refused, 16)
            with Client(server.port, source=GOOD) as client:
                game = {"pgn": "1. e4 e5 {" + "x" * 200000 + "} *"}
                self.assertEqual(client.post("/api/v1/games", game).status, 201)


class Flood:
    """One address that sends the same bytes on as many connections as it gets, keeps them open, and reads nothing."""

    def __init__(self, port, size, data):
        self.port, self.size, self.data = port, size, data
        self.sockets = []

    def __enter__(self):
        for _ in range(self.size):
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            s.bind((BAD, 0))
            s.settimeout(1)
            try:
                s.connect(("127.0.0.1", self.port))
                s.sendall(self.data)
            except OSError:
                pass  # one too many
            self.sockets.append(s)
        time.sleep(0.3)

    def __exit__(self, *_):
        for s in self.sockets:
            s.close()


GAMES = (f"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {4 << 20}\r\n\r\n").encode()
LONG = b'{"movetime":60000}'
FLOODS = {
    "silent connections": b"",
    "half a header": b"GET /api HTTP/1.1\r\nHost: local",
    "streams that nobody reads": b"GET /api/v1/stream?multipv=4 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "large bodies that never end": GAMES + b'{"pgn": "' + b"x" * 100000,
    "long searches": b"POST /api/v1/analyse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
                     % (len(LONG), LONG),
}


class Beside(unittest.TestCase):
    def test_every_flood_leaves_another_address_its_moves(self):
        """p50 of a depth-8 move, alone and beside 200 connections of one address. Streams and long searches use the cores, so there it may double
        or more; a shared queue would make it wait for seconds."""
        with Server("--engines", "2", "--hash", "4", "--connections", "256", "--max-time", "60000") as server:
            alone = percentile(ask_moves(server.port, GOOD, 15), 0.5)
            for name, data in FLOODS.items():
                with self.subTest(name), Flood(server.port, 200, data):
                    beside = percentile(ask_moves(server.port, GOOD, 15), 0.5)
                    print(f"depth 8 alone {alone * 1000:.0f} ms, beside 200 {name} {beside * 1000:.0f} ms")
                    self.assertLess(beside, 8 * alone + 0.1)


class Identity(unittest.TestCase):
    """Who counts as one client: with one engine and two places in the queue, who has less pushes out who has more."""

    def busy(self, server, headers, source=GOOD):
        """Fills engine and queue in the name of one client."""
        sockets = []
        for _ in range(4):
            post(sockets, server.port, source, {"movetime": 30000}, headers)
            time.sleep(0.1)
        self.addCleanup(lambda: [s.close() for s in sockets])
        return sockets

    def is_another(self, server, headers, source=GOOD):
        """Whether it is served although the client of busy() fills everything."""
        sockets = []
        s = post(sockets, server.port, source, {"depth": 1}, headers)
        self.addCleanup(s.close)
        s.settimeout(2 * SCALE)
        try:
            return status_of(s) == 200
        except TimeoutError:
            return False

    def server(self, *options, **more):
        server = Server("--engines", "1", "--queue", "2", "--hash", "1", "--max-time", "60000", *options, **more)
        self.addCleanup(server.stop)
        return server

    def test_the_address_counts_and_the_header_does_not(self):
        server = self.server()
        self.busy(server, "Forwarded: for=192.0.2.1\r\n")
        self.assertFalse(self.is_another(server, "Forwarded: for=192.0.2.2\r\n"))
        self.assertFalse(self.is_another(server, "X-Forwarded-For: 192.0.2.2\r\n"))
        self.assertTrue(self.is_another(server, "", source=BAD))

    def test_a_trusted_proxy_names_the_client(self):
        server = self.server("--trusted-proxy", "127.0.0.9,127.0.0.1")
        self.busy(server, "Forwarded: for=192.0.2.1\r\n")
        self.assertTrue(self.is_another(server, "Forwarded: for=192.0.2.2\r\n"))
        self.assertTrue(self.is_another(server, 'Forwarded: for="[2001:db8::2]"\r\n'))
        self.assertFalse(self.is_another(server, "Forwarded: for=192.0.2.9, for=192.0.2.1\r\n"))
        self.assertTrue(self.is_another(server, "X-Forwarded-For: 192.0.2.1\r\n"))  # the proxy itself

    def test_only_a_trusted_proxy_names_it(self):
        server = self.server("--trusted-proxy", "127.0.0.1", "--proxy-header", "X-Forwarded-For")
        self.busy(server, "X-Forwarded-For: 192.0.2.1\r\n", source=BAD)
        self.assertFalse(self.is_another(server, "X-Forwarded-For: 192.0.2.2\r\n", source=BAD))
        self.assertTrue(self.is_another(server, "X-Forwarded-For: 192.0.2.2\r\n"))

    def test_networks_of_six_are_one_client(self):
        server = self.server("--trusted-proxy", "127.0.0.1")
        self.busy(server, 'Forwarded: for="[2001:db8:0:1::1]"\r\n')
        self.assertFalse(self.is_another(server, 'Forwarded: for="[2001:db8:0:1::ffff]"\r\n'))
        self.assertTrue(self.is_another(server, 'Forwarded: for="[2001:db8:0:2::1]"\r\n'))

    def test_of_several_tokens_each_is_a_client(self):
        tokens = ["first secret of all", "second secret of all"]
        server = self.server(environment={"SAMARA_TOKEN": "\n".join(tokens)})
        bearer = [f"Authorization: Bearer {token}\r\n" for token in tokens]
        self.busy(server, bearer[0])
        self.assertFalse(self.is_another(server, bearer[0], source=BAD))
        self.assertTrue(self.is_another(server, bearer[1]))

    def test_a_single_token_says_nothing(self):
        server = self.server(environment={"SAMARA_TOKEN": "first secret of all"})
        self.busy(server, "Authorization: Bearer first secret of all\r\n")
        self.assertTrue(self.is_another(server, "Authorization: Bearer first secret of all\r\n", source=BAD))


if __name__ == "__main__":
    unittest.main()
