#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line as a person and a program meet it.   usage: test_cli.py SAMARA EXAMPLE"""
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from xml.etree import ElementTree

SAMARA, EXAMPLE = None, None
KIWIPETE = 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1'
GAMES = '''[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1
'''


def run(*words, text=None):
    done = subprocess.run([SAMARA, *words], input=text, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


class Cli(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, 'w') as out:
            out.write(text)
        return path

    def test_version_and_help(self):
        code, out, _ = run('--version')
        self.assertEqual(code, 0)
        self.assertRegex(out, r'^Samara \d+\.\d+\.\d+\n\S')
        code, out, _ = run('help')
        self.assertEqual(code, 0)
        for command in ('bench', 'perft', 'divide', 'eval', 'analyse', 'explain', 'mcp', 'book', 'genfens', 'play', 'platform', 'serve', 'bits', 'ladder'):
            self.assertIn('  ' + command, out)
            self.assertIn('usage: samara ' + command, run('help', command)[1])
            self.assertEqual(run('help', command), run(command, '--help'))
        self.assertEqual(run('help', 'nonsense')[0], 2)

    def test_wrong_words_are_usage_errors(self):
        for words in (('nonsense',), ('bench', 'x'), ('bench', '0'), ('bench', '2', '3'), ('perft',), ('perft', '0'),
                      ('perft', '2', '--threads', 'x'), ('perft', '2', '--nonsense'), ('perft', '2', '--hash'),
                      ('analyse', '--depth', '0'), ('analyse', '--nonsense'), ('book',), ('book', '--build', 'x'),
                      ('ladder', '--depth', '99'), ('ladder', 'x'), ('ladder', '--from', 'nowhere'),
                      ('ladder', '--from', '9', '--to', '8'), ('ladder', '--eval', 'mine')):
            code, out, err = run(*words)
            self.assertEqual(code, 2, words)
            self.assertEqual(out, '', words)
            self.assertTrue(err.startswith('samara'), words)

    def test_wrong_positions_are_failures(self):
        for words in (('perft', '2', 'rubbish'), ('eval', '8/8/8/8/8/8/8/8 w - - 0 1'), ('analyse', 'no such file'),
                      ('book', '/nonexistent'), ('book', '--build', '/nonexistent/b', '/nonexistent/g')):
            code, _, err = run(*words)
            self.assertEqual(code, 1, words)
            self.assertTrue(err, words)

    def test_perft(self):
        code, out, _ = run('perft', '3')
        self.assertEqual(code, 0)
        self.assertIn('e2e4: 600\n', out)
        self.assertTrue(out.endswith('Nodes searched: 8902\n'))
        code, out, _ = run('perft', '3', *KIWIPETE.split(), '--threads=2', '--hash', '4', '--no-divide')
        self.assertEqual(code, 0)
        self.assertNotIn('e5', out)
        self.assertTrue(out.endswith('Nodes searched: 97862\n'))
        code, out, _ = run('perft', '2', '--chess960', 'nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1')
        self.assertEqual((code, 'Nodes searched: ' in out), (0, True))

    def test_divide_counts_each_first_move(self):
        code, out, _ = run('divide', '2', KIWIPETE)
        self.assertEqual(code, 0)
        lines = dict(line.split(': ') for line in out.splitlines() if line[:1].islower())
        self.assertEqual((len(lines), sum(map(int, lines.values()))), (48, 2039))

    def test_play_a_game_through_a_pipe(self):
        mate = ('f3', 'nonsense', 'moves', 'fen', 'g4', 'save ' + os.path.join(self.folder.name, 'a.pgn'), 'e4', 'quit')
        pgn = os.path.join(self.folder.name, 'b.pgn')
        code, out, err = run('play', '--depth', '9', '--pgn', pgn, 'rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
                             text='\n'.join(mate) + '\n')
        self.assertEqual((code, err), (0, ''))
        self.assertIn("'nonsense' is no legal move", out)
        self.assertRegex(out, r'\d+ moves: .*\be4\b')
        self.assertRegex(out, r'(?m)^rnb\S+ w \S+ - \d 2$')
        self.assertNotIn('\033', out)
        with open(pgn) as file:
            self.assertRegex(file.read(), r'\[White "You"\]\n\[Black "Samara"\]\n\[Result "[^"]+"\]\n\[SetUp "1"\]\n\[FEN "rnbq')
        self.assertIn('1. f3', run('analyse', pgn, '--depth', '1')[1])

    def test_play_takes_back_hints_evaluates_and_changes_sides(self):
        mate = '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1'
        script = 'hint\neval\nRa7\nback\nRa8\nback\nflip\nback\nquit\n'
        code, out, _ = run('play', '--depth', '4', mate, text=script)
        self.assertEqual(code, 0)
        self.assertIn('Hint: Ra8#', out)
        self.assertIn('#1 for White', out)
        self.assertIn('The game is over: checkmate, 1-0', out)
        self.assertIn('Samara plays 1. Ra8#', out)
        self.assertEqual(run('play', '--white', '--black')[0], 2)
        # as Black, the board is seen from Black's side, and White moves first
        code, out, _ = run('play', '--black', '--depth', '1', '--level', '1', text='resign\n')
        self.assertRegex(out, r'h   g   f   e   d   c   b   a\nSamara plays 1\. \S+')
        self.assertIn('you resign, 1-0', out)

    def test_bits(self):
        code, out, _ = run('bits', 'knight')
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith('white knight: 2 squares, 0x0000000000000042\n8 ........\n'), out)
        self.assertIn('1 .#....#.\n  abcdefgh\n', out)
        code, out, _ = run('bits', *'8/8/8/3k4/8/8/8/R3K3 w Q - 0 1'.split(), 'attacks', 'a1')
        self.assertIn('white rook on a1: 11 squares', out)
        self.assertIn('black attacks: 8 squares', out)
        self.assertEqual(run('bits')[1].count('abcdefgh'), 21)
        self.assertEqual(run('bits', 'rubbish', 'king')[0], 1)
        code, out, _ = run('bits', '--speed')
        self.assertRegex(out, r'by table [\d.]+ ns, along the rays [\d.]+ ns: [\d.]+ times')
        self.assertGreater(float(out.split()[-2]), 2)  # 45 and more, measured

    def test_platform_keeps_to_its_limits(self):
        script = 'RESET:\nPLAY:\nBOARD:6n1/6n1/k7/8/2R5/1Q6/6r1/K7 w - - 0 1\nPLAY:\n'
        code, out, _ = run('platform', '--depth', '3', text=script)
        self.assertEqual(code, 0)
        self.assertRegex(out, r'^MOVE:\w+\nMOVE:c4a4\n$')
        start = time.monotonic()
        self.assertRegex(run('platform', '--movetime', '30', text='RESET:\n' + 'PLAY:\n' * 4)[1], r'^(MOVE:\w+\n){4}$')
        self.assertLess(time.monotonic() - start, 3.5)  # four seconds and more if each move had its usual one

    def test_bench(self):
        code, out, _ = run('bench', '3')
        self.assertEqual(code, 0)
        self.assertRegex(out, r'Nodes searched: \d+\nNodes/second: \d+\n$')
        nodes = [run('bench', '3')[1].split('Nodes searched: ')[1].split()[0] for _ in range(2)]
        self.assertEqual(nodes[0], nodes[1])

    def test_eval(self):
        code, out, _ = run('eval')
        self.assertEqual(code, 0)
        for word in ('Material', 'King safety', 'Final evaluation'):
            self.assertIn(word, out)
        self.assertNotIn('\033', out)

    def test_analyse_a_position(self):
        code, out, _ = run('analyse', '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1', '--depth', '4')
        self.assertEqual(code, 0)
        self.assertIn('#1', out)
        self.assertIn('1. Ra8#', out)
        code, out, _ = run('analyse', '--depth', '4', '--multipv', '2', '--json')
        self.assertEqual(code, 0)
        answer = json.loads(out)
        self.assertEqual([line['multipv'] for line in answer['lines']], [1, 2])
        self.assertEqual(answer['lines'][0]['score']['view'], 'side to move')

    def test_analyse_a_suite(self):
        suite = self.file('s.epd', '# a comment\n6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8; id "one";\n'
                          '6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8; id "two";\n\n4k3/8/8/8/8/8/8/4K2R w K - dm 9;\n')
        code, out, _ = run('analyse', suite, '--nodes', '3000')
        self.assertEqual(code, 0)
        self.assertRegex(out, r'(?m)^ +1 \+ a1a8 .*one')
        self.assertRegex(out, r'(?m)^ +2 - a1a8 .*two')
        self.assertRegex(out, r'\d of 3 solved\n$')
        code, out, _ = run('analyse', suite, '--nodes', '3000', '--json')
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual(len(lines), 4)
        self.assertIs(lines[0]['solved'], True)
        self.assertEqual(lines[-1]['positions'], 3)

    def test_analyse_games(self):
        games = self.file('g.pgn', GAMES)
        code, out, _ = run('analyse', games, '--depth', '5')
        self.assertEqual(code, 0)
        self.assertIn('Game 1: A - B 1-0', out)
        self.assertRegex(out, r'3\.\.\. Nf6\?\? ')
        self.assertRegex(out, r'2\. g4\?\? ')
        code, out, _ = run('analyse', games, '--depth', '3', '--json')
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([line['plies'] for line in lines if 'game' in line], [7, 4])
        self.assertEqual([len(line['report']['moves']) for line in lines], [7, 4])

    def test_an_annotated_file_is_resumed(self):
        games, out = self.file('g.pgn', GAMES), os.path.join(self.folder.name, 'out.pgn')
        words = ('analyse', games, '--nodes', '2000', '--pgn', out)
        self.assertEqual(run(*words)[0], 0)
        with open(out) as file:
            whole = file.read()
        self.assertEqual(whole.count('[Annotator "Samara"]'), 2)
        code, _, err = run(*words)
        self.assertEqual(code, 1)
        self.assertIn('--resume', err)
        self.assertEqual(run(*words, '--resume', '--jobs', '2')[0], 0)
        first = whole.index('\n\n[', whole.index(']\n\n') + 3) + 2
        for kept in (0, 40, first - 1, first, first + 30, len(whole) - 1, len(whole)):
            with open(out, 'w') as file:  # as a killed process leaves it
                file.write(whole[:kept])
            self.assertEqual(run(*words, '--resume')[0], 0)
            with open(out) as file:
                self.assertEqual(file.read(), whole, 'cut at %d' % kept)
        with open(out, 'w') as file:
            file.write(whole[first:])
        code, _, err = run(*words, '--resume')
        self.assertEqual(code, 1)
        self.assertIn('is not game 1', err)

    def test_explain(self):
        scholar = 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3'
        code, out, _ = run('explain', scholar, 'Nf6', '--nodes', '5000')
        self.assertEqual(code, 0)
        self.assertIn('4. Qxf7#', out)
        code, out, _ = run('explain', *scholar.split(), 'g8f6', '--nodes', '5000', '--json')
        claim = json.loads(out)['claims'][0]
        self.assertEqual((claim['kind'], claim['certainty'], claim['line']), ('mate', 'proved', ['h5f7']))
        code, out, _ = run('explain', scholar, '--nodes', '5000')
        self.assertIn('White threatens mate in 1', out)
        self.assertEqual(run('explain', scholar, 'Ke9')[0], 1)
        lines = self.file('x.tsv', '# a comment\n%s\tg8f6\n%s\td8e7 more\n' % (scholar, scholar))
        code, out, _ = run('explain', '--file', lines, '--nodes', '5000')
        self.assertEqual((code, len(out.splitlines())), (0, 2))
        self.assertEqual(run('explain', '--file', self.file('y.tsv', 'nonsense\n'))[0], 1)

    def test_book(self):
        games, book = self.file('g.pgn', GAMES), os.path.join(self.folder.name, 'b.bin')
        code, out, _ = run('book', '--build', book, games)
        self.assertEqual(code, 0)
        self.assertEqual(os.path.getsize(book) % 16, 0)
        code, out, _ = run('book', book)
        self.assertRegex(out, r'^1\. e4 +e2e4 +2 100\.0%\n$')
        self.assertIn('does not know', run('book', book, KIWIPETE)[1])
        self.assertEqual(run('book', games)[0], 1)
        # the engine plays from it
        script = 'setoption name BookFile value %s\nsetoption name OwnBook value true\ngo depth 9\nwait\nquit\n' % book
        self.assertIn('bestmove e2e4', run(text=script)[1])

    def test_genfens(self):
        code, out, err = run('genfens', '20', 'seed', '7', 'book', 'None')
        self.assertEqual((code, err), (0, ''))
        lines = out.splitlines()
        self.assertEqual(len(lines), 20)
        self.assertGreater(len(set(lines)), 15)
        for line in lines:
            self.assertEqual(line[:20], 'info string genfens ')
            self.assertEqual(run('perft', '1', line[20:])[0], 0)
        self.assertEqual(run('genfens 20 seed 7 book None', 'quit')[1], out)  # as OpenBench sends it
        self.assertNotEqual(run('genfens', '20', 'seed', '8')[1], out)
        book = self.file('book.epd', '4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - bm e4;\n\n4k3/pppp4/8/8/8/8/PPPP4/4K3 b - -\n')
        code, out, _ = run('genfens', '3', 'seed', '1', 'book', book)
        self.assertEqual((code, out.count('info string genfens '), out.count('R')), (0, 3, 0))
        decided = self.file('decided.epd', 'QQQQ4/8/8/8/k7/8/8/K7 w - -\n')
        self.assertEqual(run('genfens', '1', 'book', decided)[0], 1)
        self.assertEqual(run('genfens', '0')[0], 2)
        self.assertEqual(run('genfens', '1', 'book', 'no such file')[0], 1)

    def test_ladder(self):
        words = ('--depth', '2', '--movetime', '1', '--passes', '1')
        code, out, _ = run('ladder', *words)
        self.assertEqual(code, 0)
        for name in ('minimax', 'alpha-beta', 'killer moves', 'late move reductions', 'multi-cut', 'engine, 2 threads',
                     'first report, phase 4', 'fifth report, after'):
            self.assertIn(name, out)
        base = os.path.join(self.folder.name, 'l')
        code, out, _ = run('ladder', *words, '--play', '2', '--from', 'null move', '--to', '10', '--threads', '1',
                           '--eval', 'classical', '--json', '--save', base)
        self.assertEqual(code, 0)
        rows = json.loads(out)['rows']
        self.assertEqual([row['name'] for row in rows[:4]],
                         ['null move', 'null move verified', 'engine, no network', 'engine'])
        self.assertEqual(sum(rows[1]['games'][k] for k in ('wins', 'draws', 'losses')), 2)
        with open(base + '.json') as saved:
            self.assertEqual(saved.read(), out)
        ElementTree.parse(base + '.svg')
        with open(base + '.md') as saved:
            self.assertIn('| null move verified |', saved.read())

    def test_ladder_document_names_every_rung_and_its_page(self):
        rows = json.loads(run('ladder', '--depth', '1', '--movetime', '1', '--passes', '1', '--json')[1])['rows']
        with open('docs/LADDER.md') as file:
            text = file.read()
        for row in rows:
            if 'rung' in row:
                self.assertIn(row['name'], text)
            if 'page' in row:
                self.assertIn(row['page'], text)
                self.assertTrue(os.path.exists(row['page']), row['page'])

    def test_example(self):
        done = subprocess.run([EXAMPLE, '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1'], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertIn('mate in 1', done.stdout)
        self.assertIn('Ra8# leads to R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1 (checkmate)', done.stdout)
        self.assertEqual(subprocess.run([EXAMPLE, 'x'], capture_output=True, timeout=60).returncode, 1)


if __name__ == '__main__':
    SAMARA, EXAMPLE = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
