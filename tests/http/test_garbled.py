# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients behind a bad line: a proxy that flips, cuts, doubles, drops and delays bytes both ways, by a seed.
usage: test_garbled.py SAMARA [--seed N] [--rounds N]"""
import argparse
import asyncio
import random
import re
import time

from serving import SCALE, START, Client, Server, good_client, raw_post

KNOWN = {200, 201, 202, 204, 400, 401, 403, 404, 405, 408, 411, 413, 414, 415, 421, 422, 431, 501, 503, 505}
WAYS = ("flip", "cut", "double", "drop", "delay", "swap", "insert", "nothing")


def get(path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".encode()


REQUESTS = [
    raw_post("/move", {"fen": START, "depth": 2}),
    raw_post("/move", {"fen": START, "method": "random"}),
    raw_post("/api/v1/analyse", {"moves": ["e2e4", "c7c5"], "nodes": 2000, "multipv": 3}),
    raw_post("/api/v1/games", {"pgn": "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *"}),
    get("/api/v1/stream?depth=6&multipv=2"),
    get("/api/v1/legal?moves=e2e4,e7e5"),
    get("/api/v1/health"),
    get("/ui/"),
    get("/api/v1/health") * 5,
]


def garble(rng, data):
    """What comes out at the other end of the line, and whether the line breaks behind it."""
    data, breaks = bytearray(data), False
    way = rng.choice(WAYS)
    at = rng.randrange(len(data))
    if way == "flip":
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif way == "cut":
        data, breaks = data[:at], True
    elif way == "double":
        end = min(len(data), at + rng.randrange(1, 200))
        data[at:at] = data[at:end]
    elif way == "drop":
        del data[at:at + rng.randrange(1, 20)]
    elif way == "swap":
        data = data[at:] + data[:at]
    elif way == "insert":
        data[at:at] = rng.randbytes(rng.randrange(1, 60))
    return bytes(data), breaks, way == "delay"


class Line:
    """The proxy. Remembers what the server said before it was garbled."""

    def __init__(self, port, rng):
        self.port, self.rng, self.said = port, rng, []

    async def pump(self, reader, writer, heard):
        try:
            while data := await reader.read(65536):
                heard.extend(data)
                data, breaks, late = garble(self.rng, data)
                middle = self.rng.randrange(len(data) + 1) if late else len(data)
                writer.write(data[:middle])
                await writer.drain()
                if late:
                    await asyncio.sleep(self.rng.random() * 0.2)
                    writer.write(data[middle:])
                    await writer.drain()
                if breaks:
                    break
        except OSError:
            pass
        finally:
            writer.close()

    async def connected(self, reader, writer):
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.port)
        answer = bytearray()
        await asyncio.gather(self.pump(reader, far_writer, bytearray()), self.pump(far_reader, writer, answer))
        self.said.append(bytes(answer))


async def bad_client(port, rng, patience):
    """Sends something, takes what comes for a while, and goes, sometimes without waiting."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(rng.choice(REQUESTS))
        await writer.drain()
        end = time.monotonic() + rng.choice((0.02, patience))
        while (left := end - time.monotonic()) > 0:
            if not await asyncio.wait_for(reader.read(65536), left):
                break
    except (OSError, asyncio.TimeoutError):
        pass
    finally:
        writer.close()


async def run(port, seed, rounds):
    rng = random.Random(seed)
    line = Line(port, rng)
    proxy = await asyncio.start_server(line.connected, "127.0.0.1", 0)
    place = proxy.sockets[0].getsockname()[1]
    ending = asyncio.Event()  # the good one comes through no proxy
    good = asyncio.create_task(good_client(port, 1, 0.01, lambda: not ending.is_set()))
    for _ in range(rounds):
        await asyncio.gather(*(bad_client(place, rng, 0.3 * SCALE) for _ in range(20)))
    ending.set()
    times = await good
    proxy.close()
    return line.said, times


def wait_until_idle(port):
    """No engine works for somebody who is gone, and no connection stays but ours: half a body is given up after 10 s."""
    end = time.monotonic() + 20 * SCALE
    with Client(port) as client:
        while time.monotonic() < end:
            metrics = dict(line.rsplit(" ", 1) for line in client.get("/api/v1/metrics").body.decode().splitlines() if line[0] != "#")
            busy = {name: float(metrics["samara_" + name]) for name in
                    ("search_running", "search_waiting", "streams_running", "streams_waiting")}
            if not any(busy.values()) and float(metrics["samara_connections"]) == 1:
                return
            time.sleep(0.1)
    raise AssertionError(f"still busy: {busy}, {metrics['samara_connections']} connections")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--rounds", type=int, default=12)
    options = parser.parse_args()
    server = Server("--engines", "2", "--hash", "1", "--max-time", "300", "--max-stream", "2000")
    said, times = asyncio.run(run(server.port, options.seed, options.rounds))
    wait_until_idle(server.port)
    assert server.stop() == 0, "it must end as ever"
    assert server.complaints == "", server.complaints
    statuses = [int(s) for text in said for s in re.findall(rb"HTTP/1\.1 (\d{3}) ", text)]
    times.sort()
    print(f"seed {options.seed}: {len(said)} connections, {len(statuses)} answers {sorted(set(statuses))}; a good client meanwhile: "
          f"{len(times)} answers, the slowest but one in a hundred {times[len(times) * 99 // 100] * 1000:.0f} ms")
    assert set(statuses) <= KNOWN, set(statuses) - KNOWN
    assert 200 in statuses and 400 in statuses, "the line is either perfect or dead"
    assert len(times) > 20 and times[len(times) * 95 // 100] < 0.5 * SCALE, times[-5:]


if __name__ == "__main__":
    main()
