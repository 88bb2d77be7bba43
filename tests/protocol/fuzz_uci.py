#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Talks nonsense and sense to a UCI engine and checks that it keeps its promises.

usage: fuzz_uci.py ENGINE [--lines N] [--seed S] [--judge ENGINE]

The oracle knows what must come back: for each `go` exactly one bestmove, in order, legal in the position that was set
when it came ((none) if that position was refused or has no move); for each `isready` a readyok; for each `uci`
a uciok. A conversation ends by quit or by closing the pipe in any state: the engine must leave with code 0 and without
a report of a sanitizer. The judge, a second engine, lists legal moves and never gets nonsense."""
import os
import random
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fuzz  # noqa: E402
from session import Engine, Failure, SCALE  # noqa: E402

ROOTS = ['startpos',
         'fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
         'fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
         'fen n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1',
         'fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1',
         'fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1',
         'fen 8/8/8/8/8/2k5/8/KR6 w - - 99 90',
         'fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1',
         'fen 4k3/8/8/8/8/8/8/4K3 w - -']
REFUSED = ['fen 8/8/8/8/8/8/8/8 w - - 0 1', 'fen', '', 'banana', 'startpos e2e4', 'startpos moves e2e5',
           'startpos moves e2e4 e2e4', 'startpos moves \xff\x00', 'fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w - -',
           'fen 4k3/8/8/8/8/8/4R3/4K3 w - - 0 1', 'fen 4k3/8/8/8/8/8/8/4K3 x - - 0 1', 'fen %s%n%x w - - 0 1',
           'fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e1', 'fen ' + 'k' * 3000]
OPTIONS = ['Hash value 1', 'Hash value 4', 'Hash value 0', 'Hash value abc', 'Threads value 1', 'Threads value 3',
           'Threads value -1', 'MultiPV value 1', 'MultiPV value 4', 'MultiPV value 999999', 'Clear Hash',
           'UCI_ShowWDL value true', 'UCI_ShowWDL value maybe', 'Ponder value true', 'UCI_LimitStrength value true',
           'UCI_LimitStrength value false', 'UCI_Elo value 800', 'UCI_Elo value 2900', 'Move Overhead value 0',
           'Nonsense value 1', 'Evaluation value classical', 'Evaluation value network', 'SyzygyPath value /nonexistent',
           'BookFile value /dev/null', 'UCI_AnalyseMode value false', '', 'value', 'Level Seed value 7']
ENDINGS = ['depth 1', 'depth 3', 'depth 0', 'nodes 1', 'nodes 50', 'nodes 300', 'nodes -7', 'movetime 1', 'movetime 4',
           'wtime 5 btime 5', 'wtime -3 btime 1 winc 0 binc 0', 'btime 3', 'wtime 20 btime 20 movestogo 1', 'mate 1 nodes 99',
           'depth 2 nodes 40 movetime 9', 'depth 1 searchmoves', 'nodes 60 searchmoves a1a1 rubbish', 'depth 1 xyzzy 7']
ENDLESS = ['infinite', 'infinite depth 1', 'ponder wtime 9 btime 9', 'ponder depth 1', 'ponder infinite', '',
           'depth x', 'nodes', 'movetime movetime']


def ask(judge, position):
    """The legal moves of a position."""
    judge.send(('position %s\nd\nisready\n' % position).encode())
    if not judge.find(lambda line: line.startswith('Legal moves'), 5000 * SCALE):
        raise Failure('the judge is silent about ' + position)
    return judge.lines[judge.seen - 1].split(':')[1].split()


def random_positions(judge, rng, count):
    """[(text behind `position`, legal moves)], found by random play from the roots."""
    found = []
    while len(found) < count:
        text, moves = rng.choice(ROOTS), []
        for _ in range(rng.randrange(12)):
            legal = ask(judge, text + ' moves ' + ' '.join(moves))
            if not legal:
                break
            moves.append(rng.choice(legal))
        if moves or rng.random() < 0.5:
            text += ' moves ' + ' '.join(moves)
        found.append((text, set(ask(judge, text))))
    return found


class Conversation(fuzz.Conversation):
    rounds = lines_a_round = 60

    def __init__(self, command, rng, positions):
        super().__init__(command, rng)
        self.positions = positions
        self.legal = self.start = next(legal for text, legal in positions if text.startswith('startpos') and ' m' not in text)
        self.wanted = []  # for each go, the answers that are right
        self.ready = self.uciok = 0

    def say_position(self):
        if self.rng.random() < 0.15:
            self.say('position ' + self.rng.choice(REFUSED))
            self.legal = None
        else:
            text, self.legal = self.rng.choice(self.positions)
            self.say('position ' + text)

    def say_go(self):
        kind = self.rng.random()
        if kind < 0.04:
            self.say('go perft %d' % self.rng.randint(1, 2))
            return
        self.say('go ' + self.rng.choice(ENDINGS if kind < 0.8 else ENDLESS))
        self.wanted.append(self.legal or {'(none)'})

    def say_rubbish(self):
        r = self.rng
        kind = r.randrange(4)
        if kind == 0:
            self.say(bytes(r.choice(b'\x00\x01\x7f\x80\xff zZ\t\r') for _ in range(r.randrange(60))).decode('latin1'))
        elif kind == 1:
            self.say('zz' * r.choice((1, 50, 5000)))
        elif kind == 2:
            self.say(r.choice(('', '   ', '\t', '\r', 'UCI', 'Go', 'bestmove e2e4', 'readyok', 'info depth 1')))
        else:
            self.say('zz ' * r.randrange(200))

    def say_something(self):
        r = self.rng.random()
        if r < 0.25:
            self.say_position()
        elif r < 0.55:
            self.say_go()
        elif r < 0.68:
            self.say('stop')
        elif r < 0.72:
            self.say('ponderhit')
        elif r < 0.80:
            self.say('isready')
            self.ready += 1
        elif r < 0.87:
            self.say('setoption name ' + self.rng.choice(OPTIONS))
        elif r < 0.89:
            self.say('ucinewgame')
            self.legal = self.start
        elif r < 0.90:
            self.say('uci')
            self.uciok += 1
        elif r < 0.93:
            self.say(self.rng.choice(('d', 'eval', 'compiler', 'help', 'debug on', 'debug off', 'register later', 'wait')))
        else:
            self.say_rubbish()

    def settle(self):
        """Everything that was asked must have been answered, once and rightly."""
        self.say('stop')
        self.say('isready')
        self.ready += 1
        end = time.monotonic() + 20 * SCALE
        engine = self.engine
        while time.monotonic() < end and engine.process.poll() is None:
            if (engine.count('bestmove') >= len(self.wanted) and engine.count('readyok') >= self.ready
                    and engine.count('uciok') >= self.uciok):
                break
            time.sleep(0.002)
            self.engine.send(b'stop\n')
        time.sleep(0.002)
        answers = [line.split()[1] for line in engine.lines if line.startswith('bestmove')]
        self.check(len(answers) == len(self.wanted), '%d go, %d bestmove' % (len(self.wanted), len(answers)))
        for number, (answer, wanted) in enumerate(zip(answers, self.wanted)):
            self.check(answer in wanted, 'bestmove %d is %s, right were %s' % (number, answer, sorted(wanted)[:40]))
        self.check(engine.count('readyok') == self.ready, '%d isready, %d readyok' % (self.ready, engine.count('readyok')))
        self.check(engine.count('uciok') == self.uciok, 'uciok')
        self.wanted, self.ready, self.uciok = [], 0, 0
        with engine.changed:
            engine.lines.clear()
            engine.seen = 0


def main():
    parser = fuzz.arguments()
    parser.add_argument('--judge')
    options = parser.parse_args()
    rng = random.Random(options.seed)
    judge = Engine((options.judge or options.engine).split())
    positions = [('startpos', set(ask(judge, 'startpos')))] + random_positions(judge, rng, 150)
    judge.kill()
    return fuzz.converse(options, rng, lambda command, dice: Conversation(command, dice, positions))


if __name__ == '__main__':
    sys.exit(main())
