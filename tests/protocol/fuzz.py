# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fuzzers have in common: a conversation that may end at any moment, and one after the other of them."""
import argparse
import random
import time

from session import Engine, Failure, REPORTS, SCALE


class Conversation:
    """Those who inherit know what may be said (`say_something`) and what must have come back (`settle`)."""
    rounds = lines_a_round = 40
    farewell = 'quit'

    def __init__(self, command, rng):
        self.engine, self.rng, self.sent = Engine(command), rng, 0

    def say(self, text):
        self.engine.send(text.encode('latin1') + b'\n')
        self.sent += 1 + text.count('\n')

    def say_something(self):
        raise NotImplementedError

    def settle(self):
        raise NotImplementedError

    def check(self, condition, text):
        if not condition:
            raise Failure(text)

    def finish(self):
        """Leaves in whatever state the engine is."""
        for _ in range(self.rng.randrange(6)):
            self.say_something()
        if self.rng.random() < 0.5:
            self.engine.process.stdin.close()
        else:
            self.say(self.farewell)
        code = self.engine.wait(5000 * SCALE)
        self.engine.error_reader.join(1)
        for report in REPORTS:
            self.check(report not in self.engine.errors, self.engine.errors.decode('latin1')[:3000])
        self.check(code == 0, 'exit code %s' % code)
        null = [line for line in self.engine.lines if '0000' in line.split()]
        self.check(not null, 'a null move: %s' % null[:1])

    def run(self):
        for _ in range(self.rng.randint(1, self.rounds)):
            for _ in range(self.rng.randint(1, self.lines_a_round)):
                self.say_something()
            self.settle()
        self.finish()
        return self.sent


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument('engine')
    parser.add_argument('--lines', type=int, default=5000)
    parser.add_argument('--seed', type=int, default=1)
    return parser


def converse(options, rng, begin):
    """Holds conversations, begin(command, rng), until enough was said. The exit code."""
    lines = conversations = 0
    start = time.monotonic()
    while lines < options.lines:
        seed = rng.randrange(1 << 60)
        talk = begin(options.engine.split(), random.Random(seed))
        try:
            lines += talk.run()
        except Failure as why:
            print('FAIL seed %d, conversation %d (%d): %s\nlast said: %s\n%s' % (
                options.seed, conversations, seed, why, talk.engine.lines[-5:],
                talk.engine.errors.decode('latin1')[:3000]))
            return 1
        finally:
            talk.engine.kill()
        conversations += 1
    print('%d lines in %d conversations, 0 failed, %.0f s' % (lines, conversations, time.monotonic() - start))
    return 0
