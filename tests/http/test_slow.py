# SPDX-License-Identifier: GPL-3.0-or-later
"""A hundred who read too slowly and a hundred who write too slowly, while a good client is served. usage: test_slow.py SAMARA"""
import asyncio
import socket
import time

from serving import SCALE, START, Client, Server, good_client, raw_post

COUNT = 100
LASTING = 6.0  # seconds; longer than a header may take
MOVE = raw_post("/move", {"fen": START, "depth": 2})


async def connect(port, buffer=None):
    """A small receive buffer makes the other side wait."""
    s = socket.socket()
    if buffer:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    s.setblocking(False)
    await asyncio.get_running_loop().sock_connect(s, ("127.0.0.1", port))
    return s


async def slow_reader(port, number, end):
    """Asks for much and takes it byte by byte: documents, pages, live analyses. Gets what it takes, in order."""
    loop = asyncio.get_running_loop()
    path = (b"/api/v1/openapi.json", b"/api/v1/stream?multipv=5", b"/ui/")[number % 3]
    s = await connect(port, 2048)
    taken = b""
    try:
        await loop.sock_sendall(s, b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path * (1 if b"stream" in path else 30))
        while time.monotonic() < end:
            taken += await asyncio.wait_for(loop.sock_recv(s, 1), 5 * SCALE)
            await asyncio.sleep(0.1)
    except (OSError, asyncio.TimeoutError):
        pass  # the server may have enough of it
    finally:
        s.close()
    return taken


async def slow_writer(port, number, end):
    """Drips a header or a body. Whether the server ended it in time."""
    loop = asyncio.get_running_loop()
    s = await connect(port)
    begin = number % len(MOVE) if number % 2 else MOVE.index(b"\r\n\r\n") + 4
    try:
        await loop.sock_sendall(s, MOVE[:begin])
        for i in range(begin, len(MOVE)):
            if time.monotonic() > end:
                break
            await loop.sock_sendall(s, MOVE[i:i + 1])
            await asyncio.sleep(0.5)
    except OSError:
        return True
    finally:
        s.close()
    return False


async def run(port):
    end = time.monotonic() + LASTING * max(1, SCALE / 4)
    readers = [slow_reader(port, i, end) for i in range(COUNT)]
    writers = [slow_writer(port, i, end + 60) for i in range(COUNT)]
    good = asyncio.gather(*(good_client(port, 2, 0.02, lambda: time.monotonic() < end) for _ in range(2)))
    writing = asyncio.gather(*writers)
    taken = await asyncio.gather(*readers)
    return taken, await good, await writing


def main():
    with Server("--engines", "2", "--hash", "1") as server:
        taken, good, writing = asyncio.run(run(server.port))
        with Client(server.port) as client:
            assert client.get("/api/v1/health").status == 200
        assert server.stop() == 0 and server.complaints == "", server.complaints
    times = sorted(t for client in good for t in client)
    print(f"{len(times)} answers for good clients, median {times[len(times) // 2] * 1000:.1f} ms, slowest {times[-1] * 1000:.0f} ms; "
          f"{sum(writing)} of {COUNT} slow writers were ended, slow readers took {sum(map(len, taken))} bytes")
    assert len(times) > 50 and times[len(times) * 95 // 100] < 0.5 * SCALE, times[-5:]
    begun = [text for text in taken if text]  # a few wait for their turn to analyse
    assert len(begun) >= 90, f"only {len(begun)} had an answer"
    fine = b"HTTP/1.1 200 ", b"HTTP/1.1 503 "  # of which a late one may have taken the first letters only
    wrong = [text[:40] for text in begun if not any(line.startswith(text[:len(line)]) for line in fine)]
    assert not wrong, wrong
    assert all(writing), "a request that takes longer than allowed"


if __name__ == "__main__":
    main()
