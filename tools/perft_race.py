#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""perft_race.py [--rounds N] [SAMARA [OTHER]]: counts leaf positions against another engine, in turns.

Both speak UCI and get the same `go perft`, one thread, no hash; the clock runs from the command to the total, so that
start-up does not count. The two alternate, and the best of N rounds stands, which is what a busy machine disturbs
least. Fails if a count is wrong."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

RACES = [  # name, position, depth, count
    ('start position', 'startpos', 6, 119060324),
    ('Kiwipete', 'fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', 5, 193690690),
]


class Engine:
    def __init__(self, path):
        self.name = Path(path).name
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask('uci', r'uciok')

    def ask(self, command, answer):
        self.process.stdin.write(command + '\n')
        while line := self.process.stdout.readline():
            if match := re.match(answer, line.strip()):
                return match
        sys.exit(f'{self.name} ended before it answered "{command}"')

    def perft(self, position, depth):
        """Returns the count and the seconds it took."""
        self.process.stdin.write(f'position {position}\n')
        self.ask('isready', 'readyok')
        start = time.perf_counter()
        count = int(self.ask(f'go perft {depth}', r'Nodes searched: (\d+)')[1])
        return count, time.perf_counter() - start

    def quit(self):
        self.process.communicate('quit\n', timeout=10)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('samara', nargs='?', default=str(Path(__file__).parents[1] / 'build/release/samara'))
    parser.add_argument('other', nargs='?', default=shutil.which('stockfish', path=os.environ['PATH'] + ':/usr/games'))
    args = parser.parse_args()
    for path in (args.samara, args.other):
        if not path or not os.access(path, os.X_OK):
            sys.exit(f'no engine at {path}')

    engines = [Engine(args.samara), Engine(args.other)]
    for name, position, depth, expected in RACES:
        best = [float('inf')] * 2
        for _ in range(args.rounds):
            for i, engine in enumerate(engines):
                count, seconds = engine.perft(position, depth)
                if count != expected:
                    sys.exit(f'{engine.name} counts {count} for {name}, depth {depth}; right is {expected}')
                best[i] = min(best[i], seconds)
        speeds = [f'{e.name} {t:.3f} s ({expected / t / 1e6:.0f} M/s)' for e, t in zip(engines, best)]
        print(f'{name}, perft {depth}: {", ".join(speeds)}: ratio {best[1] / best[0]:.2f}', flush=True)
    for engine in engines:
        engine.quit()


if __name__ == '__main__':
    main()
