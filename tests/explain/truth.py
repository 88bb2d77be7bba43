#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets the checker doubt every proved claim of mate and material that is made about a set of moves.

usage: truth.py SAMARA CHECKER MOVES [--nodes N] [--limit N]

MOVES: a FEN, a tab, a move on each line. Fails if a claim is false."""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('samara')
    parser.add_argument('checker')
    parser.add_argument('moves')
    parser.add_argument('--nodes', default='50000')
    parser.add_argument('--limit', type=int, default=10**9)
    args = parser.parse_args()
    if not os.path.exists(args.moves):
        print('no moves here')
        return 77
    with open(args.moves, encoding='utf-8') as file:
        lines = [line for line in file if '\t' in line and not line.startswith('#')][:args.limit]
    with tempfile.NamedTemporaryFile('w', suffix='.tsv') as file:
        file.writelines(lines)
        file.flush()
        out = subprocess.run([args.samara, 'explain', '--json', '--nodes', args.nodes, '--file', file.name],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
    claims = []
    for answer in map(json.loads, out.splitlines()):
        for c in answer.get('claims', []):
            if c['kind'] in ('mate', 'material') and c['role'] in ('effect', 'better') and c['certainty'] == 'proved':
                number = c['mate'] if c['kind'] == 'mate' else abs(c['gain']) // 100
                claims.append('\t'.join((answer['fen'], answer['move'], c['kind'], c['role'], str(number),
                                         ' '.join(c['line']))))
    done = subprocess.run([args.checker], input='\n'.join(claims) + '\n', stdout=subprocess.PIPE, text=True, check=True)
    verdicts = collections.Counter()
    for line in done.stdout.splitlines():
        verdict, *rest = line.split('\t')
        verdicts[rest[2] + ' ' + verdict] += 1
        if verdict not in ('proved', 'upheld'):
            print(line)
    print('%d claims:' % len(claims), ', '.join('%s %d' % item for item in sorted(verdicts.items())))
    bad = sum(n for name, n in verdicts.items() if not name.endswith(('proved', 'upheld')))
    return 1 if bad or len(claims) == 0 or sum(verdicts.values()) != len(claims) else 0


if __name__ == '__main__':
    sys.exit(main())
