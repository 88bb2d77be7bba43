#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""bench_history.py: bench nodes and speed, commit by commit.

  bench_history.py nodes                    CSV of commit, date, nodes: from the lines 'Bench: N' of the commit messages
  bench_history.py measure SAMARA FILE      runs SAMARA bench --runs times; adds commit, date, nodes and the median of nodes
                                            per second of CPU time to FILE
  bench_history.py draw FILE OUT.svg        draws nodes, and speed where FILE has it

Speeds of one file should come from one machine; CPU time is not spoiled by other programs, but their use of caches is."""
import argparse
import csv
import re
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
FIELDS = ('commit', 'date', 'nodes', 'nps')
WIDTH, HEIGHT, LEFT, GAP = 900, 220, 90, 50


def git(*words):
    return subprocess.run(['git', *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def nodes_of_log(log):
    """Rows, oldest first, of commits whose message ends in a bench number."""
    rows = []
    for entry in log.split('\x1e'):
        if match := re.search(r'^Bench: (\d+)$', entry, re.M):
            commit, date = entry.split('\x1f')[:2]
            rows.append({'commit': commit.strip(), 'date': date, 'nodes': match.group(1), 'nps': ''})
    return rows[::-1]


def bench_once(samara):
    """Nodes, and nodes per second of CPU time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = subprocess.run([samara, 'bench'], check=True, capture_output=True, text=True).stdout
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    nodes = int(re.search(r'Nodes searched: (\d+)', text).group(1))
    return nodes, nodes / seconds


def measure(samara, file, runs):
    found = [bench_once(samara) for _ in range(runs)]
    if len({nodes for nodes, _ in found}) != 1:
        sys.exit('bench_history: the node count differs from run to run')
    commit, date = git('log', '-1', '--format=%h %cs').split()
    fresh = not file.exists()
    with file.open('a', newline='') as out:
        writer = csv.DictWriter(out, FIELDS)
        if fresh:
            writer.writeheader()
        writer.writerow({'commit': commit, 'date': date, 'nodes': found[0][0], 'nps': round(median(n for _, n in found))})


def panel(title, values, top):
    """One line chart: values with None where there is no figure."""
    known = [(i, v) for i, v in enumerate(values) if v is not None]
    if not known:
        return ''
    low, high = 0, max(v for _, v in known) * 1.05
    width = WIDTH - LEFT - 20
    points = ' '.join(f'{LEFT + width * i / max(1, len(values) - 1):.1f},{top + HEIGHT * (1 - (v - low) / (high - low)):.1f}'
                      for i, v in known)
    grid = ''.join(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{top + HEIGHT * k / 4:.0f}" y2="{top + HEIGHT * k / 4:.0f}" '
                   f'stroke="#ddd"/><text x="{LEFT - 6}" y="{top + HEIGHT * k / 4 + 4:.0f}" text-anchor="end">'
                   f'{(high * (4 - k) / 4):,.0f}</text>' for k in range(5))
    return (f'<text x="{LEFT}" y="{top - 10}" font-size="14">{title}</text>{grid}'
            f'<polyline fill="none" stroke="#1f77b4" stroke-width="2" points="{points}"/>\n')


def draw(rows):
    nodes = [int(row['nodes']) for row in rows]
    speed = [int(row['nps']) if row.get('nps') else None for row in rows]
    body = panel('bench nodes', nodes, 40) + panel('nodes per second of CPU time', speed, 40 + HEIGHT + GAP)
    height = 40 + HEIGHT + (GAP + HEIGHT if any(speed) else 0) + 30
    ends = ''.join(f'<text x="{x}" y="{height - 8}" text-anchor="{anchor}">{row["commit"]} {row["date"]}</text>'
                   for x, anchor, row in ((LEFT, 'start', rows[0]), (WIDTH - 20, 'end', rows[-1])))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
            f'font-size="11"><rect width="100%" height="100%" fill="white"/>\n{body}{ends}</svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest='command', required=True)
    commands.add_parser('nodes')
    step = commands.add_parser('measure')
    step.add_argument('samara')
    step.add_argument('file', type=Path)
    step.add_argument('--runs', type=int, default=5)
    step = commands.add_parser('draw')
    step.add_argument('file', type=Path)
    step.add_argument('out', type=Path)
    options = parser.parse_args()
    if options.command == 'nodes':
        writer = csv.DictWriter(sys.stdout, FIELDS)
        writer.writeheader()
        writer.writerows(nodes_of_log(git('log', '--format=%h%x1f%cs%x1f%B%x1e')))
    elif options.command == 'measure':
        measure(options.samara, options.file, options.runs)
    else:
        rows = list(csv.DictReader(options.file.open()))
        if not rows:
            sys.exit(f'bench_history: {options.file} has no rows')
        options.out.write_text(draw(rows))
    return 0


if __name__ == '__main__':
    sys.exit(main())
