#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules in play, as UCI, XBoard and HTTP tell them: zugzwang, stalemate, fifty moves, repetition, under-promotion,
and en passant with a discovered check.   usage: test_rules.py SAMARA"""
import http.client
import json
import re
import subprocess
import sys
import unittest

SAMARA = None
# What must be played, whatever the protocol.
MOVES = (
    ('zugzwang: waiting with the rook wins', '8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1', ('e1f1',)),
    ('a queen would be stalemate: promote to a rook', '8/6P1/7k/8/6K1/8/8/8 w - - 0 1', ('g7g8r',)),
    ('the next quiet move is a draw: move the pawn', '6k1/8/8/8/8/8/P7/K6R w - - 99 90', ('a2a3', 'a2a4')),
)
STALEMATE = '7k/5Q2/8/8/8/8/8/K7 b - - 0 1'
FIFTY = '6k1/8/8/8/8/8/P7/K6R b - - 100 90'
PINNED = '8/8/8/K2pP2r/8/8/8/7k w - d6 0 1'  # taking en passant would open the rank to the own king
OPENED = '8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1'  # taking en passant opens the rank to the other one
SHUFFLE = ['g1f3', 'g8f6', 'f3g1', 'f6g8'] * 2


def uci(*lines):
    text = ''.join(line + '\n' for line in lines) + 'quit\n'
    return subprocess.run([SAMARA], input=text, capture_output=True, text=True, timeout=120).stdout


class Uci(unittest.TestCase):
    def best(self, fen):
        return re.search(r'bestmove (\S+)', uci(f'position fen {fen}', 'go nodes 600000', 'wait'))[1]

    def legal(self, fen):
        return re.search(r'Legal moves \(\d+\):(.*)', uci(f'position fen {fen}', 'd'))[1].split()

    def test_what_must_be_played(self):
        for name, fen, moves in MOVES:
            self.assertIn(self.best(fen), moves, name)

    def test_a_finished_game(self):
        self.assertEqual(self.best(STALEMATE), '(none)')
        self.assertIn('Game over: stalemate', uci(f'position fen {STALEMATE}', 'd'))
        self.assertIn('Game over: fifty moves', uci(f'position fen {FIFTY}', 'd'))
        self.assertIn('Game over: threefold repetition', uci('position startpos moves ' + ' '.join(SHUFFLE), 'd'))
        self.assertNotIn('Game over', uci('position startpos moves ' + ' '.join(SHUFFLE[:-1]), 'd'))

    def test_en_passant(self):
        self.assertNotIn('e5d6', self.legal(PINNED))
        self.assertIn('e5d6', self.legal(OPENED))


class XBoard(unittest.TestCase):
    def say(self, *lines):
        text = ''.join(line + '\n' for line in ('xboard', 'protover 2', 'force', *lines))
        process = subprocess.Popen([SAMARA], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process.stdin.write(text)
        process.stdin.flush()
        return process

    def until(self, process, pattern):
        """The first line that fits; the engine thinks until it is told to go."""
        for line in process.stdout:
            found = re.search(pattern, line)
            if found:
                process.stdin.write('quit\n')
                process.stdin.close()
                process.stdout.close()
                process.wait(30)
                return found
        self.fail(f'no line fits {pattern}')

    def test_what_must_be_played(self):
        for name, fen, moves in MOVES:
            process = self.say(f'setboard {fen}', 'sd 20', 'st 5', 'go')
            self.assertIn(self.until(process, r'^move (\S+)')[1], moves, name)

    def test_a_finished_game(self):
        self.until(self.say(f'setboard {STALEMATE}', 'go'), r'^1/2-1/2 \{.*stalemate')
        self.until(self.say(f'setboard {FIFTY}', 'go'), r'^1/2-1/2 \{.*fifty')
        self.until(self.say(*(f'usermove {move}' for move in SHUFFLE), 'go'), r'^1/2-1/2 \{.*repetition')

    def test_en_passant(self):
        self.until(self.say(f'setboard {PINNED}', 'usermove e5d6'), r'^Illegal move.*: e5d6')
        process = self.say(f'setboard {OPENED}', 'usermove e5d6', 'sd 3', 'go')
        self.assertRegex(self.until(process, r'^(move|Illegal move.*:) (\S+)')[2], r'^h5[gh][46]$|^h5g5$')


class Http(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen([SAMARA, 'serve', '--port', '0', '--no-store'], stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True)
        found = re.search(r':(\d+)/', cls.server.stdout.readline())
        if not found:
            raise unittest.SkipTest('this build has no server')
        cls.port = int(found[1])

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait(30)
        cls.server.stdout.close()

    def post(self, path, body):
        connection = http.client.HTTPConnection('127.0.0.1', self.port, timeout=120)
        connection.request('POST', path, json.dumps(body), {'Content-Type': 'application/json'})
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    def test_what_must_be_played(self):
        for name, fen, moves in MOVES:
            self.assertIn(self.post('/move', {'fen': fen, 'depth': 20})['move'], moves, name)

    def test_a_finished_game(self):
        self.assertEqual(self.post('/api/v1/legal', {'fen': STALEMATE})['state'], 'stalemate')
        self.assertEqual(self.post('/api/v1/legal', {'fen': FIFTY})['state'], 'fifty moves')
        self.assertEqual(self.post('/api/v1/legal', {'moves': SHUFFLE})['state'], 'threefold repetition')
        self.assertEqual(self.post('/api/v1/legal', {'moves': SHUFFLE[:-1]})['state'], 'playing')

    def test_en_passant(self):
        def moves(fen):
            return {move['uci']: move['san'] for move in self.post('/api/v1/legal', {'fen': fen})['moves']}
        self.assertNotIn('e5d6', moves(PINNED))
        self.assertEqual(moves(OPENED)['e5d6'], 'exd6+')


if __name__ == '__main__':
    SAMARA = sys.argv.pop(1)
    unittest.main()
