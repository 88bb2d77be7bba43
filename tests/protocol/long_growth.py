#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A thousand searches and what goes with them leave the engine as large as it was.

usage: long_growth.py SAMARA"""
import random
import subprocess
import sys

SEARCHES, WARM_UP, ALLOWED_KB = 1000, 100, 512
MOVES = 'e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8'.split()
LIMITS = ('nodes 3000', 'depth 6', 'movetime 5', 'wtime 200 btime 200', 'infinite', 'ponder wtime 500 btime 500',
          'mate 2 nodes 5000', 'nodes 2000 searchmoves e2e4 d2d4')


class Engine:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, line):
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()

    def until(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return
        raise SystemExit('the engine left')

    def kilobytes(self):
        with open(f'/proc/{self.process.pid}/status', encoding='ascii') as file:
            return next(int(line.split()[1]) for line in file if line.startswith('VmRSS'))


def search(engine, number, rng):
    if number % 20 == 0:
        engine.send('ucinewgame')
    if number % 50 == 0:  # tables, threads and lines come and go
        for name, value in ('Threads', 2), ('Threads', 1), ('Hash', 2), ('Hash', 1), ('MultiPV', 3), ('MultiPV', 1):
            engine.send(f'setoption name {name} value {value}')
    moves = MOVES[:rng.randrange(len(MOVES) + 1)]
    engine.send('position startpos' + (' moves ' + ' '.join(moves) if moves else ''))
    if number % 7 == 0:
        engine.send('position fen nonsense')
        engine.send('position startpos')
        engine.send('eval')
    limit = rng.choice(LIMITS)
    engine.send('go ' + limit)
    if limit.startswith(('infinite', 'ponder')):
        engine.send('isready')
        engine.until('readyok')
        engine.send('stop')
    engine.until('bestmove')


def main():
    engine, rng = Engine(sys.argv[1]), random.Random(1)
    engine.send('setoption name Hash value 1')  # small, so that all of it is soon in use
    before = 0
    for number in range(SEARCHES + WARM_UP):
        if number == WARM_UP:
            before = engine.kilobytes()
        search(engine, number, rng)
    after = engine.kilobytes()
    engine.send('quit')
    code = engine.process.wait(10)
    print(f'{before} kB after {WARM_UP} searches, {after} kB after {SEARCHES} more')
    return 0 if code == 0 and after - before <= ALLOWED_KB else 1


if __name__ == '__main__':
    sys.exit(main())
