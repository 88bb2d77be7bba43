#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Recall of claims against the tags of puzzles.

usage: motifs.py SAMARA PUZZLES [--nodes N] [--half 0|1] [--limit N] [--least PERCENT]

PUZZLES: id, FEN before the fault, moves (the first is the fault), rating, themes, by tabs. The fault is explained; what
the tags name should be among the claims about it. Halves are by id; tune on 0, judge on 1. --least fails below so much
recall over all listed themes together."""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import zlib

KINDS = {
    'fork': {'fork'}, 'pin': {'pin'}, 'skewer': {'skewer'}, 'discoveredAttack': {'discovered_attack'},
    'hangingPiece': {'hanging'}, 'trappedPiece': {'trapped'}, 'backRankMate': {'back_rank'},
    'promotion': {'promotion'}, 'deflection': {'deflection', 'overload'},
    'capturingDefender': {'removed_defender'},
}


def says(theme, claims):
    """Whether the claims about the fault name what the tag names."""
    bad = [c for c in claims if c['role'] in ('effect', 'cause')]
    if theme.startswith('mateIn'):
        return any(c['kind'] == 'mate' and c['mate'] == int(theme[-1]) for c in bad)
    return any(c['kind'] in KINDS[theme] for c in bad)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('samara')
    parser.add_argument('puzzles')
    parser.add_argument('--nodes', default='50000')
    parser.add_argument('--half', type=int)
    parser.add_argument('--limit', type=int, default=10**9)
    parser.add_argument('--least', type=float, default=0)
    parser.add_argument('--show', help='print the misses of this theme; bare: faults without a proved claim; all: both')
    args = parser.parse_args()
    if not os.path.exists(args.puzzles):
        print('no puzzles here')
        return 77
    rows = []
    with open(args.puzzles, encoding='utf-8') as file:
        for line in file:
            if line.startswith('#'):
                continue
            ident, fen, moves, _, themes = line.rstrip('\n').split('\t')
            if args.half is None or zlib.crc32(ident.encode()) % 2 == args.half:
                rows.append((ident, fen, moves.split(), set(themes.split())))
    step = max(1, len(rows) // args.limit)
    rows = rows[::step][:args.limit]
    with tempfile.NamedTemporaryFile('w', suffix='.tsv') as file:
        file.writelines('%s\t%s\n' % (fen, moves[0]) for _, fen, moves, _ in rows)
        file.flush()
        out = subprocess.run([args.samara, 'explain', '--json', '--nodes', args.nodes, '--file', file.name],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    answers = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == len(rows)
    themes = list(KINDS) + ['mateIn1', 'mateIn2', 'mateIn3']
    tagged, found, named, right = (collections.Counter() for _ in range(4))
    concrete = faults = 0
    for (ident, fen, moves, tags), answer in zip(rows, answers):
        claims = answer.get('claims', [])
        if answer['loss'] >= 15:
            faults += 1
            proved = any(c['certainty'] == 'proved' for c in claims)
            concrete += proved
            if args.show in ('bare', 'all') and not proved:
                print('bare', ident, fen, ' '.join(moves), [(c['kind'], c['role']) for c in claims], answer.get('text'))
        for theme in themes:
            hit = says(theme, claims)
            tagged[theme] += theme in tags
            named[theme] += hit
            found[theme] += hit and theme in tags
            right[theme] += hit and theme in tags
            if args.show in (theme, 'all') and theme in tags and not hit:
                print('missed', theme, ident, fen, ' '.join(moves), [(c['kind'], c['role']) for c in claims], answer.get('text'))
    print('%-18s %7s %7s %8s %8s' % ('theme', 'tagged', 'named', 'recall', 'agree'))
    for theme in themes:
        print('%-18s %7d %7d %7.1f%% %7.1f%%' % (theme, tagged[theme], named[theme], 100 * found[theme] / max(1, tagged[theme]),
                                                100 * right[theme] / max(1, named[theme])))
    total = 100 * sum(found.values()) / max(1, sum(tagged.values()))
    print('all: recall %.1f%% of %d tags; %d of %d faults of 15 points or more have a proved claim' %
          (total, sum(tagged.values()), concrete, faults))
    return 0 if total >= args.least else 1


if __name__ == '__main__':
    sys.exit(main())
