#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""ablation.py: what each idea of the search is worth, by playing without it.

For every switch `use_...` of src/search/params.def a match is played between a build of the preset
`tune` with the switch off and the same build as it is, at a fixed number of nodes (so that other
work on the machine does not matter). Results are kept in a folder: a run that was stopped goes on.

    cmake --preset tune && cmake --build build/tune --target samara samara-match
    tools/ablation.py --book BOOK.epd [--write docs/SEARCH.md] [switch...]

With --write the last cell of each row that names the switch is filled in.
"""
import argparse
import json
import os
import re
import subprocess
import sys

HOUSE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def switches():
    with open(os.path.join(HOUSE, 'src/search/params.def'), encoding='utf-8') as file:
        return re.findall(r'^PARAM\((use_\w+)', file.read(), re.M)


def play(args, switch):
    """The pairing "without against with", from the folder if it has been played already."""
    path = os.path.join(args.folder, switch + '.json')
    if not os.path.exists(path):
        command = [args.match, '-engine', f'cmd={args.engine}', f'name=without {switch}',
                   f'option.{switch}=0', '-engine', f'cmd={args.engine}', 'name=with',
                   '-each', f'nodes={args.nodes}', 'option.Hash=8',
                   '-openings', f'file={args.book}', 'order=random', '-seed', '1',
                   '-rounds', str(args.games // 2), '-concurrency', str(args.concurrency),
                   '-draw', '-resign', '-quiet', '-json', path + '.new',
                   '-resume', path + '.journal']
        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            sys.exit(f'ablation: the match of {switch} did not end well')
        os.rename(path + '.new', path)
    with open(path, encoding='utf-8') as file:
        return json.load(file)['pairings'][0]


def cost(pairing):
    """What switching off costs, with the half width of the 95 % interval."""
    elo = pairing['elo']
    return -elo['value'], (elo['high'] - elo['low']) / 2


def write_cells(path, results):
    with open(path, encoding='utf-8') as file:
        lines = file.read().split('\n')
    for i, line in enumerate(lines):
        for switch, (elo, error) in results.items():
            if line.startswith('|') and f'`{switch}`' in line:
                lines[i] = re.sub(r'\|[^|]*\|$', f'| {elo:+.0f} ± {error:.0f} |', line)
    with open(path, 'w', encoding='utf-8') as file:
        file.write('\n'.join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('switch', nargs='*', help='default: all')
    parser.add_argument('--engine', default=os.path.join(HOUSE, 'build/tune/samara'))
    parser.add_argument('--match', default=os.path.join(HOUSE, 'build/tune/samara-match'))
    parser.add_argument('--book', required=True)
    parser.add_argument('--nodes', type=int, default=4000)
    parser.add_argument('--games', type=int, default=400)
    parser.add_argument('--concurrency', type=int, default=2)
    parser.add_argument('--folder', default=os.path.join(HOUSE, 'build/ablation'))
    parser.add_argument('--write', metavar='FILE')
    args = parser.parse_args()

    os.makedirs(args.folder, exist_ok=True)
    results = {}
    for switch in args.switch or switches():
        pairing = play(args, switch)
        results[switch] = cost(pairing)
        games = pairing['wins'] + pairing['draws'] + pairing['losses']
        print('%-26s %+5.0f ± %-3.0f  (%d games)' % (switch, *results[switch], games), flush=True)
        if args.write:
            write_cells(args.write, results)


if __name__ == '__main__':
    main()
