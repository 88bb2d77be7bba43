# SPDX-License-Identifier: GPL-3.0-or-later
"""Many requests over keep-alive connections: every one answered. usage: test_load.py SAMARA [--requests N] [--connections N]
With --requests 10000 --connections 64 it is the measurement that docs/HTTP.md quotes."""
import argparse
import asyncio
import json
import time

from serving import START, Client, Server

FENS = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
]


async def client(port, count, times):
    """Sends and reads by hand: a library would measure itself."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for i in range(count):
        body = json.dumps({"fen": FENS[i % len(FENS)], "depth": 3}).encode()
        start = time.perf_counter()
        writer.write(b"POST /move HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                     % (len(body), body))
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        answer = json.loads(await reader.readexactly(length))
        assert head.startswith(b"HTTP/1.1 200") and answer["status"] == "ok", (head, answer)
        times.append(time.perf_counter() - start)
    writer.close()


async def run(port, requests, connections):
    times = []
    start = time.perf_counter()
    await asyncio.gather(*(client(port, requests // connections, times) for _ in range(connections)))
    return times, time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--connections", type=int, default=16)
    options = parser.parse_args()
    with Server() as server:
        times, took = asyncio.run(run(server.port, options.requests, options.connections))
        with Client(server.port) as c:
            metrics = dict(line.rsplit(" ", 1) for line in c.get("/api/v1/metrics").body.decode().splitlines() if line[0] != "#")
    times.sort()
    searching = float(metrics["samara_search_microseconds_total"]) / 1e6
    print(f"{len(times)} requests over {options.connections} connections in {took:.2f} s: {len(times) / took:.0f}/s, "
          f"p50 {times[len(times) // 2] * 1000:.1f} ms, p99 {times[len(times) * 99 // 100] * 1000:.1f} ms; "
          f"{searching:.2f} s of searching in all engines")
    assert len(times) == options.requests // options.connections * options.connections
    assert metrics['samara_requests_total{status="5xx"}'] == "0"


if __name__ == "__main__":
    main()
