# SPDX-License-Identifier: GPL-3.0-or-later
"""Many requests over keep-alive connections, every one answered, beside the same searches without a server.
usage: test_load.py SAMARA HTTP_LOAD [--requests N] [--connections N] [--depth N]
With --requests 10000 --connections 64 it is the measurement that docs/HTTP.md quotes; --wanted 80 makes it fail below."""
import argparse
import json
import os
import subprocess

from serving import Client, Server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("load")
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--wanted", type=float, default=0, help="percent of the engine's own rate")
    options = parser.parse_args()
    engines = len(os.sched_getaffinity(0))
    with Server("--engines", str(engines)) as server:
        words = [server.port, options.requests, options.connections, options.depth, engines, server.process.pid]
        run = subprocess.run([options.load, *map(str, words)], stdout=subprocess.PIPE, text=True)
        assert run.returncode == 0, run.stdout
        with Client(server.port) as c:
            metrics = dict(line.rsplit(" ", 1) for line in c.get("/api/v1/metrics").body.decode().splitlines() if line[0] != "#")
    m = json.loads(run.stdout)
    print(f"{m['requests']} requests over {options.connections} connections: {m['rate']:.0f} a second, "
          f"p50 {m['p50_ms']} ms, p99 {m['p99_ms']} ms, {m['errors']} errors; {m['server_cpu_us']:.0f} us of processor time "
          f"each, {m['client_cpu_us']:.0f} more in the client\n"
          f"the same searches without a server: {m['own_rate']:.0f} a second by {engines} engines, "
          f"{m['one_engine_rate']:.0f} by one, {m['own_cpu_us']:.0f} us each\n"
          f"share: {100 * m['rate'] / m['own_rate']:.0f} % of {engines} engines, {100 * m['rate'] / m['one_engine_rate']:.0f} % "
          f"of one, {100 * m['own_cpu_us'] / m['server_cpu_us']:.0f} % of the server's time is search")
    assert m["requests"] == options.requests and m["errors"] == 0
    assert metrics['samara_requests_total{status="5xx"}'] == "0"
    assert int(metrics["samara_searches_total"]) == options.requests
    assert 100 * m["rate"] >= options.wanted * m["own_rate"]


if __name__ == "__main__":
    main()
