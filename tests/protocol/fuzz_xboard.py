#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Talks nonsense and sense to an XBoard engine.      usage: fuzz_xboard.py ENGINE [--lines N] [--seed S]

The oracle: each `ping N` is answered by one `pong N`, in order; after `force` and a pong no move comes; a conversation may
end at any moment, and the engine leaves with code 0 and without a report of a sanitizer."""
import argparse
import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from session import Engine, Failure, REPORTS, SCALE  # noqa: E402

MOVES = ['e2e4', 'e7e5', 'g1f3', 'g8f6', 'd2d4', 'd7d5', 'b1c3', 'b8c6', 'e1g1', 'O-O', 'a7a8q', 'e9e9', 'Nf3', '@@@@', '', 'x' * 99]
LINES = ['new', 'force', 'go', 'playother', 'white', 'black', 'level 40 5 0', 'level 0 0:01 0.01', 'level x', 'st 0.01', 'st -1',
         'sd 2', 'sd x', 'nps 1000', 'nps 0', 'time 5', 'time -9', 'otim 100', 'otim', '?', '?', 'draw', 'result 1-0 {x}', 'hint', 'bk',
         'undo', 'remove', 'hard', 'easy', 'post', 'nopost', 'analyze', 'exit', 'exit', '.', 'name X', 'rating 1 2', 'computer',
         'pause', 'resume', 'memory 4', 'memory 0', 'cores 2', 'cores 1', 'cores x', 'egtpath syzygy /x', 'egtpath', 'option MultiPV=2',
         'option MultiPV=x', 'option Clear_Hash', 'option =', 'option Resign=0', 'exclude e2e4', 'exclude all', 'include all',
         'include d2d4', 'exclude', 'setscore 10 5', 'setscore', 'variant fischerandom', 'variant normal', 'variant x', 'random',
         'setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 'setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', 'setboard rubbish', 'setboard',
         'edit\n#\nKe1\nc\nKe8\n.', 'edit\nxe1\n.', 'accepted x', 'rejected y', 'xyzzy', '', '   ', '\x00\xff', 'protover 2', 'xboard']


class Conversation:
    def __init__(self, command, rng):
        self.engine, self.rng, self.pings, self.sent = Engine(command), rng, 0, 0
        self.say('xboard\nprotover 2')

    def say(self, text):
        self.engine.send(text.encode('latin1') + b'\n')
        self.sent += 1 + text.count('\n')

    def say_something(self):
        r = self.rng.random()
        if r < 0.3:
            self.say(self.rng.choice(('', 'usermove ')) + self.rng.choice(MOVES))
        elif r < 0.4:
            self.pings += 1
            self.say('ping %d' % self.pings)
        else:
            self.say(self.rng.choice(LINES))
            if self.rng.random() < 0.3:
                self.say('st 0.01')

    def settle(self):
        self.say('.\nresume\n?\nexit\nforce')
        self.pings += 1
        self.say('ping %d' % self.pings)
        wanted = 'pong %d' % self.pings
        if not self.engine.find(lambda line: line == wanted, 20000 * SCALE):
            raise Failure('no ' + wanted)
        pongs = [int(line.split()[1]) for line in self.engine.lines if line.startswith('pong ')]
        if pongs != list(range(1, self.pings + 1)):
            raise Failure('pongs are %s' % pongs[-20:])
        if self.engine.find(lambda line: line.startswith('move '), 3):
            raise Failure('a move in force mode')

    def finish(self):
        for _ in range(self.rng.randrange(6)):
            self.say_something()
        if self.rng.random() < 0.5:
            self.engine.process.stdin.close()
        else:
            self.say('.\nquit')
        code = self.engine.wait(5000 * SCALE)
        self.engine.error_reader.join(1)
        for report in REPORTS:
            if report in self.engine.errors:
                raise Failure(self.engine.errors.decode('latin1')[:3000])
        if code != 0:
            raise Failure('exit code %s' % code)

    def run(self):
        for _ in range(self.rng.randint(1, 20)):
            for _ in range(self.rng.randint(1, 40)):
                self.say_something()
            self.settle()
        self.finish()
        return self.sent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('engine')
    parser.add_argument('--lines', type=int, default=2000)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    lines = conversations = 0
    start = time.monotonic()
    while lines < options.lines:
        seed = rng.randrange(1 << 60)
        talk = Conversation(options.engine.split(), random.Random(seed))
        try:
            lines += talk.run()
        except Failure as why:
            print('FAIL conversation %d (%d): %s\nlast said: %s\n%s' % (
                conversations, seed, why, talk.engine.lines[-5:], talk.engine.errors.decode('latin1')[:3000]))
            return 1
        finally:
            talk.engine.kill()
        conversations += 1
    print('%d lines in %d conversations, 0 failed, %.0f s' % (lines, conversations, time.monotonic() - start))
    return 0


if __name__ == '__main__':
    sys.exit(main())
