#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""speed.py SAMARA [ROUNDS]: positions a second of two workers behind a front door, beside two plain engines that search
the same positions with the same limits, by turns. Wants a machine with two free cores."""
import http.client
import json
import re
import subprocess
import sys
import threading
import time

from broker import Redis

samara, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
NODES, COUNT = 60000, 80
out = subprocess.run([samara, 'genfens', str(COUNT), 'seed', '7'], capture_output=True, text=True).stdout
FENS = re.findall(r'[1-8pnbrqkPNBRQK/]+ [wb] \S+ \S+ \d+ \d+', out)[:COUNT]


def plain(salt):
    """Two engines over UCI, each with half of the positions."""
    def one(half):
        text = 'setoption name Hash value 32\n' + ''.join(
            f'ucinewgame\nposition fen {fen}\ngo nodes {NODES + salt}\nwait\n' for fen in half) + 'quit\n'
        done = subprocess.run([samara], input=text, capture_output=True, text=True)
        assert done.stdout.count('bestmove') == len(half)
    return measure(one, (FENS[0::2], FENS[1::2]))


def queued(salt):
    """Eight clients of one front door; the first positions warm everything up and are not counted."""
    def one(mine):
        connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
        for fen in mine:
            connection.request('POST', '/api/v1/analyse', json.dumps({'fen': fen, 'nodes': NODES + salt}),
                               {'Content-Type': 'application/json'})
            answer = connection.getresponse()
            assert answer.status == 200 and answer.read()
    return measure(one, [FENS[i::8] for i in range(8)])


def measure(one, parts):
    threads = [threading.Thread(target=one, args=(part,)) for part in parts]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return COUNT / (time.monotonic() - start)


with Redis() as redis:
    serve = subprocess.Popen([samara, 'serve', '--port', '0', '--no-store', '--broker', redis.url], stdout=subprocess.PIPE, text=True)
    port = int(serve.stdout.readline().rsplit(':', 1)[1].strip('/\n'))
    workers = [subprocess.Popen([samara, 'work', '--broker', redis.url, '--threads', '1'], stderr=subprocess.DEVNULL) for _ in '12']
    try:
        queued(0)
        rates = [(plain(i), queued(i)) for i in range(1, rounds + 1)]
    finally:
        for process in [serve, *workers]:
            process.kill()
            process.wait()
a, b = (sum(r[i] for r in rates) / rounds for i in (0, 1))
print(' '.join(f'{x:.1f}/{y:.1f}' for x, y in rates))
print(f'two plain engines {a:.1f} positions a second, two workers {b:.1f}: {100 * b / a:.0f} %')
sys.exit(b < 0.9 * a)
