#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets the checker doubt every claim that is made about a set of moves.

usage: truth.py SAMARA CHECKER MOVES|GAMES.pgn [--nodes N] [--limit N] [--every N] [--reports FILE]

MOVES: a FEN, a tab, a move on each line. GAMES.pgn: games, which are reviewed whole; every Nth, or all of them. --reports
keeps what `samara analyse --json` said, and reads it if it is there. Fails if a claim of material or mate is false, if 1 %
of the other tactical ones are, or 5 % of the positional ones. Of games it tells besides how many faults of 15 points and
more have a claim."""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

HARD = {'mate', 'material', 'material_difference'}
SOFT = {'king_safety', 'passed_pawn', 'pawn_structure', 'activity', 'centre', 'development'}


def explained(args):
    """Answers about single moves: position, move, best move, claims."""
    with open(args.moves, encoding='utf-8') as file:
        lines = [line for line in file if '\t' in line and not line.startswith('#')][:args.limit]
    with tempfile.NamedTemporaryFile('w', suffix='.tsv') as file:
        file.writelines(lines)
        file.flush()
        out = subprocess.run([args.samara, 'explain', '--json', '--nodes', str(args.nodes), '--file', file.name],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    for a in map(json.loads, out.splitlines()):
        yield a['fen'], a['move'], a['best'], a['loss'], a.get('claims', [])


def reviewed(args):
    """The same of whole games. Positions come from the rules as the program itself knows them (`samara board`)."""
    if not (args.reports and os.path.exists(args.reports)):
        with open(args.moves, encoding='utf-8') as file:
            games = file.read().split('\n[Event ')
        games = [games[0]] + ['[Event ' + g for g in games[1:]]
        path = args.reports or tempfile.mkstemp(suffix='.json')[1]
        with tempfile.NamedTemporaryFile('w', suffix='.pgn') as file, open(path, 'w', encoding='utf-8') as out:
            file.write('\n'.join(games[::args.every][:args.limit]))
            file.flush()
            subprocess.run([args.samara, 'analyse', file.name, '--json', '--nodes', str(args.nodes)], stdout=out, check=True)
        args.reports = path
    with open(args.reports, encoding='utf-8') as file:
        for line in file:
            for m in json.loads(line)['report']['moves']:
                if 'claims' in m:
                    yield m['fen'], m['uci'], m['best'], m['loss'], m['claims']
                elif m.get('loss', 0) >= 15:
                    yield None, None, None, m['loss'], []


def row(fen, move, best, claim, claims):
    effect = next((c for c in claims if c['kind'] == 'material' and c['role'] == 'effect'), claim)
    number = abs((effect if claim['kind'] == 'threat' else claim)['gain']) // 100
    return '\t'.join((fen, move, best, claim['kind'], claim['role'], claim['certainty'], str(number),
                      str(claim.get('mate', 0)), claim['line_from'], str(claim['line_ply']), ' '.join(claim['squares']),
                      ' '.join(claim['line'])))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('samara')
    parser.add_argument('checker')
    parser.add_argument('moves')
    parser.add_argument('--nodes', type=int, default=50000)
    parser.add_argument('--limit', type=int, default=10**9)
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--reports')
    parser.add_argument('--coverage', type=float, default=0, help='percent of large faults that must have a claim')
    args = parser.parse_args()
    if not os.path.exists(args.moves):
        print('no moves here')
        return 77
    rows, coverage = [], collections.Counter()
    for fen, move, best, loss, claims in (reviewed if args.moves.endswith('.pgn') else explained)(args):
        if loss >= 15:
            sure = {c['certainty'] for c in claims}
            coverage['faults'] += 1
            coverage['proved'] += 'proved' in sure
            coverage['proved or confirmed'] += bool(sure & {'proved', 'confirmed'})
        rows += [row(fen, move, best, c, claims) for c in claims]
    done = subprocess.run([args.checker, str(args.nodes)], input='\n'.join(rows) + '\n', stdout=subprocess.PIPE, text=True,
                          check=True)
    verdicts = collections.defaultdict(collections.Counter)
    for line in done.stdout.splitlines():
        verdict, fields = line.split('\t', 1)
        kind = fields.split('\t')[3]
        group = 'material and mate' if kind in HARD else 'positional' if kind in SOFT else 'tactical'
        bad = verdict not in ('proved', 'upheld')
        verdicts[group][verdict] += 1
        verdicts[kind][verdict] += 1
        if bad:
            print(line)
    failed = len(rows) == 0
    for group, least in (('material and mate', 100), ('tactical', 99), ('positional', 95)):
        total = sum(verdicts[group].values())
        good = 100 * (verdicts[group]['proved'] + verdicts[group]['upheld']) / total if total else 100
        wrong = total - verdicts[group]['proved'] - verdicts[group]['upheld']
        failed |= good < least and (group != 'positional' or total >= 100 or wrong > 1)  # one of a few says little
        print('%-18s %5d claims, %6.2f %% hold (asked: %d)' % (group, total, good, least))
    for kind in sorted(set(verdicts) - {'material and mate', 'tactical', 'positional'}):
        print('  %-20s' % kind, ', '.join('%s %d' % item for item in sorted(verdicts[kind].items())))
    print('large faults:', dict(coverage))
    failed |= sum(sum(verdicts[g].values()) for g in ('material and mate', 'tactical', 'positional')) != len(rows)
    if coverage['faults']:
        failed |= 100 * coverage['proved or confirmed'] / coverage['faults'] < args.coverage
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
