# SPDX-License-Identifier: GPL-3.0-or-later
"""A good client beside 200 bad ones. usage: test_crowd.py SAMARA [--seconds N] [--bad N] [--requests N]

The bad ones, of four addresses, send headers byte by byte, open streams that they never read, open and close connections in
bursts, ask with a new session each time, and send bodies that never end. The good one asks for moves at depth 8. It is always
served; the server needs no more memory and descriptors at the end than after the first seconds; and when all are gone, it
answers as fast as before."""
import argparse
import asyncio
import multiprocessing
import os
import random
import socket
import sys
import threading
import time

from serving import SCALE, START, Client, Server, raw_post

BAD = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"]
FIRST = [f + "2" + f + r for f in "abcdefgh" for r in "34"]
SECOND = [f + "7" + f + r for f in "abcdefgh" for r in "65"]


class Crowd:
    def __init__(self, port, end):
        self.port, self.end = port, end
        self.begun = {}

    def goes_on(self):
        return time.monotonic() < self.end

    async def connect(self, source, buffer=None):
        s = socket.socket()
        if buffer:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        s.setblocking(False)
        s.bind((source, 0))
        try:
            await asyncio.get_running_loop().sock_connect(s, ("127.0.0.1", self.port))
        except OSError:
            s.close()
            raise
        return s

    async def again_and_again(self, act, number):
        """Whatever the server does to it, it comes back."""
        dice = random.Random(number)
        while self.goes_on():
            try:
                await act(BAD[number % len(BAD)], dice)
                self.begun[act.__name__] = self.begun.get(act.__name__, 0) + 1
            except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
                pass
            await asyncio.sleep(0.05)

    async def drip(self, s, data, pause):
        loop = asyncio.get_running_loop()
        for i in range(len(data)):
            if not self.goes_on():
                return
            await loop.sock_sendall(s, data[i:i + 1])
            await asyncio.sleep(pause)

    async def slow_header(self, source, dice):
        with await self.connect(source) as s:
            await self.drip(s, raw_post("/move", {"fen": START, "depth": 2}), 0.3 + dice.random())

    async def deaf_stream(self, source, dice):
        """Asks for a live analysis, reads nothing, and leaves after a while."""
        with await self.connect(source, 2048) as s:
            await asyncio.get_running_loop().sock_sendall(s, b"GET /api/v1/stream?multipv=8 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await self.rest(5 + 10 * dice.random())

    async def burst(self, source, dice):
        sockets = []
        try:
            for _ in range(50):
                sockets.append(await self.connect(source))
            await self.rest(0.5)
        finally:
            for s in sockets:
                s.close()
        await self.rest(1 + dice.random())

    async def rest(self, seconds):
        end = time.monotonic() + seconds
        while self.goes_on() and time.monotonic() < end:
            await asyncio.sleep(0.1)

    async def random_session(self, source, dice):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        try:
            for _ in range(20):
                moves = [dice.choice(FIRST), dice.choice(SECOND)]
                writer.write(raw_post("/move", {"fen": START, "moves": moves, "depth": 8, "session": str(dice.random())}))
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30 * SCALE)
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                await reader.readexactly(length)
                if not self.goes_on():
                    break
        finally:
            writer.close()

    async def endless_body(self, source, dice):
        with await self.connect(source) as s:
            loop = asyncio.get_running_loop()
            await loop.sock_sendall(s, b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                       b"Content-Length: %d\r\n\r\n{\"pgn\": \"" % (4 << 20))
            for _ in range(200):
                if not self.goes_on():
                    return
                await loop.sock_sendall(s, b"x" * 1000)
                await asyncio.sleep(0.1)

    async def run(self, count):
        acts = [self.slow_header, self.deaf_stream, self.burst, self.random_session, self.endless_body]
        await asyncio.gather(*(self.again_and_again(acts[i % len(acts)], i) for i in range(count)))


def ask_moves(port, goes_on, pause=0.1):
    """Asks for moves that the hash table does not know by heart. The seconds that each took, sorted."""
    dice = random.Random(1)
    times = []
    with Client(port) as client:
        while goes_on():
            start = time.monotonic()
            answer = client.post("/move", {"fen": START, "moves": [dice.choice(FIRST), dice.choice(SECOND)], "depth": 8})
            assert answer.status == 200, answer.body
            times.append(time.monotonic() - start)
            time.sleep(pause)
    return sorted(times)


def resources(server):
    with open(f"/proc/{server.process.pid}/status") as status:
        rss = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return rss / 1024, len(os.listdir(f"/proc/{server.process.pid}/fd"))


def rate(port, count):
    """Requests per second of one client."""
    with Client(port) as client:
        start = time.monotonic()
        for _ in range(count):
            answer = client.post("/move", {"fen": START, "depth": 2})
            assert answer.status == 200, answer.body
        return count / (time.monotonic() - start)


def watch(server, seconds, samples):
    """Memory and descriptors, in ten equal steps."""
    for _ in range(10):
        time.sleep(seconds / 10)
        samples.append(resources(server))


def be_bad(port, seconds, count, begun):
    crowd = Crowd(port, time.monotonic() + seconds)
    asyncio.run(crowd.run(count))
    begun.put(crowd.begun)


def together(server, seconds, bad):
    """The crowd has a process of its own, so that its work does not delay the good client."""
    begun = multiprocessing.Queue()
    crowd = multiprocessing.Process(target=be_bad, args=(server.port, seconds, bad, begun))
    samples = []
    watcher = threading.Thread(target=watch, args=(server, seconds, samples))
    end = time.monotonic() + seconds
    crowd.start()
    watcher.start()
    times = ask_moves(server.port, lambda: time.monotonic() < end)
    watcher.join()
    result = begun.get(timeout=60 * SCALE)
    crowd.join()
    return result, times, samples


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--bad", type=int, default=200)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--p99", type=float, help="milliseconds; by default what a busy machine allows")
    options = parser.parse_args()
    with Server("--engines", "2", "--hash", "8", "--connections", "2000") as server:
        before = rate(server.port, options.requests)
        idle = resources(server)
        end = time.monotonic() + 2
        alone = ask_moves(server.port, lambda: time.monotonic() < end, 0.02)
        begun, times, samples = together(server, options.seconds, options.bad)
        time.sleep(1)
        after = rate(server.port, options.requests)
        last = resources(server)
        assert server.stop() == 0 and server.complaints == "", server.complaints
    p50, p99 = times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000
    print(f"{options.seconds:.0f} s, {options.bad} bad clients {begun}")
    print(f"good client: alone p50 {alone[len(alone) // 2] * 1000:.0f} ms; {len(times)} moves at depth 8, no error, p50 {p50:.0f} ms, p99 {p99:.0f} ms, slowest {times[-1] * 1000:.0f} ms")
    print("memory (MB), descriptors: idle", idle, "meanwhile", samples, "afterwards", last)
    print(f"requests per second of one client: {before:.0f} before, {after:.0f} after")
    assert set(begun) == {"slow_header", "deaf_stream", "burst", "random_session", "endless_body"} or options.seconds < 15, begun
    bound = options.p99 or 500 * SCALE + 30 * 1000 * alone[len(alone) * 9 // 10]  # the machine may be busy with other things
    assert p99 <= bound, f"the good client waits: more than {bound:.0f} ms"
    assert last[1] <= idle[1] + 2, "descriptors are lost"
    tenth, end = samples[2][0], samples[-1][0]
    assert end <= tenth * 1.1 + 8, "memory grows"
    assert after > 0.5 * before, "slower than before"
    return 0


if __name__ == "__main__":
    sys.exit(main())
