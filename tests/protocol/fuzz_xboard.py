#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Talks nonsense and sense to an XBoard engine.      usage: fuzz_xboard.py ENGINE [--lines N] [--seed S]

The oracle: each `ping N` is answered by one `pong N`, in order; after `force` and a pong no move comes; a conversation may
end at any moment, and the engine leaves with code 0 and without a report of a sanitizer."""
import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fuzz  # noqa: E402
from session import SCALE  # noqa: E402

MOVES = ['e2e4', 'e7e5', 'g1f3', 'g8f6', 'd2d4', 'd7d5', 'b1c3', 'b8c6', 'e1g1', 'O-O', 'a7a8q', 'e9e9', 'Nf3', '@@@@', '', 'x' * 99]
LINES = ['new', 'force', 'go', 'playother', 'white', 'black', 'level 40 5 0', 'level 0 0:01 0.01', 'level x', 'st 0.01', 'st -1',
         'sd 2', 'sd x', 'nps 1000', 'nps 0', 'time 5', 'time -9', 'otim 100', 'otim', '?', '?', 'draw', 'result 1-0 {x}', 'hint', 'bk',
         'undo', 'remove', 'hard', 'easy', 'post', 'nopost', 'analyze', 'exit', 'exit', '.', 'name X', 'rating 1 2', 'computer',
         'pause', 'resume', 'memory 4', 'memory 0', 'cores 2', 'cores 1', 'cores x', 'egtpath syzygy /x', 'egtpath', 'option MultiPV=2',
         'option MultiPV=x', 'option Clear_Hash', 'option =', 'option Resign=0', 'exclude e2e4', 'exclude all', 'include all',
         'include d2d4', 'exclude', 'setscore 10 5', 'setscore', 'variant fischerandom', 'variant normal', 'variant x', 'random',
         'setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', 'setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', 'setboard rubbish', 'setboard',
         'edit\n#\nKe1\nc\nKe8\n.', 'edit\nxe1\n.', 'accepted x', 'rejected y', 'xyzzy', '', '   ', '\x00\xff', 'protover 2', 'xboard']


class Conversation(fuzz.Conversation):
    rounds, lines_a_round = 20, 40
    farewell = '.\nquit'  # the dot ends an edit, where quit would be a piece

    def __init__(self, command, rng):
        super().__init__(command, rng)
        self.pings = 0
        self.say('xboard\nprotover 2')

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
        self.check(self.engine.find(lambda line: line == wanted, 20000 * SCALE), 'no ' + wanted)
        pongs = [int(line.split()[1]) for line in self.engine.lines if line.startswith('pong ')]
        self.check(pongs == list(range(1, self.pings + 1)), 'pongs are %s' % pongs[-20:])
        self.check(not self.engine.find(lambda line: line.startswith('move '), 3), 'a move in force mode')


def main():
    options = fuzz.arguments().parse_args()
    return fuzz.converse(options, random.Random(options.seed), Conversation)


if __name__ == '__main__':
    sys.exit(main())
