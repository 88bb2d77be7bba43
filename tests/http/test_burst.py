# SPDX-License-Identifier: GPL-3.0-or-later
"""More connections at once than allowed, and an end that nothing delays. usage: test_burst.py SAMARA"""
import os
import select
import signal
import socket
import sqlite3
import tempfile
import time
import unittest

from serving import SCALE, START, Client, Server


def burst(port, count, source="127.0.0.1"):
    """Opens sockets without waiting for any of them."""
    sockets = []
    for _ in range(count):
        s = socket.socket()
        s.bind((source, 0))
        s.setblocking(False)
        try:
            s.connect(("127.0.0.1", port))
        except BlockingIOError:
            pass
        sockets.append(s)
    return sockets


def close_all(sockets):
    for s in sockets:
        s.close()


class Bursts(unittest.TestCase):
    def assert_serves(self, port, source="127.0.0.1"):
        """Right after a burst its connections may not be counted off yet: one second is allowed."""
        end = time.time() + 1 * SCALE
        while True:
            try:
                with Client(port, source=source) as client:
                    answer = client.post("/move", {"fen": START, "depth": 2})
                    if answer.status == 200:
                        return
            except OSError:
                pass
            self.assertLess(time.time(), end, "the server is silent")
            time.sleep(0.05)

    def test_a_burst_does_not_silence_the_server(self):
        for limit, count in ((8, 60), (64, 200), (64, 2000)):
            with self.subTest(limit=limit, count=count), \
                    Server("--connections", str(limit), "--hash", "1", "--engines", "1") as server:
                for _ in range(3):
                    sockets = burst(server.port, count)
                    time.sleep(0.5)
                    close_all(sockets)
                    self.assert_serves(server.port)
                start = time.time()
                self.assertEqual((server.stop(), server.complaints), (0, ""))
                self.assertLess(time.time() - start, 3 * SCALE)

    def test_one_too_many_is_told(self):
        """The sockets of another address fill its half; the rest of them read 503, and this client is served meanwhile."""
        with Server("--connections", "64", "--hash", "1", "--engines", "1") as server:
            sockets = burst(server.port, 100, "127.0.0.2")
            end = time.time() + 4  # before the server gives up on the silent ones, whatever the build
            readable = []
            while len(readable) < 100 - 32 and time.time() < end:
                time.sleep(0.1)
                readable, _, _ = select.select(sockets, [], [], 0)
            self.assertEqual(len(readable), 100 - 32)
            for s in readable:
                text = s.recv(65536)
                self.assertTrue(text.startswith(b"HTTP/1.1 503 "), text)
                self.assertIn(b"\r\nRetry-After: 1\r\n", text)
                head, body = text.split(b"\r\n\r\n")
                self.assertIn(b"Content-Length: %d" % len(body), head)
            self.assert_serves(server.port)
            close_all(sockets)
            self.assert_serves(server.port, "127.0.0.2")

    def test_descriptors_come_back(self):
        with Server("--connections", "64", "--hash", "1", "--engines", "1") as server:
            self.assert_serves(server.port)
            folder = f"/proc/{server.process.pid}/fd"
            before = len(os.listdir(folder))
            for _ in range(10):
                close_all(burst(server.port, 300))
            end = time.time() + 5 * SCALE
            while len(os.listdir(folder)) > before and time.time() < end:
                time.sleep(0.05)
            self.assertLessEqual(len(os.listdir(folder)), before)
            self.assert_serves(server.port)


class Ending(unittest.TestCase):
    """Requests wait for a database that another program has locked: the orderly end would take minutes."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        path = os.path.join(self.folder.name, "games.db")
        self.server = Server("--db", path, "--hash", "1", store=True)
        self.lock = sqlite3.connect(path, isolation_level=None)
        self.addCleanup(self.lock.close)
        self.lock.execute("BEGIN IMMEDIATE")
        self.clients = [Client(self.server.port) for _ in range(20)]
        for client in self.clients:
            self.addCleanup(client.connection.close)
            client.connection.request("POST", "/api/v1/games", '{"pgn": "1. e4 *"}', {"Content-Type": "application/json"})
        time.sleep(0.3 * SCALE)

    def test_the_end_comes_within_three_seconds(self):
        start = time.time()
        self.server.stop(signal.SIGTERM)
        self.assertLess(time.time() - start, 3 * max(1, SCALE / 3))

    def test_a_second_signal_ends_at_once(self):
        self.server.process.send_signal(signal.SIGINT)
        time.sleep(0.2 * SCALE)
        start = time.time()
        self.assertEqual(self.server.stop(signal.SIGINT), -signal.SIGINT)
        self.assertLess(time.time() - start, 0.5 * SCALE)


if __name__ == "__main__":
    unittest.main()
