#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""coverage.py BUILD [--check]: lines and branches that the tests of a coverage build have run, folder by folder.

BUILD is a build folder made with --coverage, in which tests have run (script/coverage does both). A line or a branch
counts as run if any program has run it. With --check it fails where chess or search are below 95 % of the lines or
85 % of the branches."""
import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEAST = {'chess': (0.95, 0.85), 'search': (0.95, 0.85)}


def reports(build):
    """The JSON report of gcov for each object file that has run."""
    for data in sorted(build.resolve().rglob('*.gcda')):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(['gcov', '--json-format', '--branch-probabilities', str(data)], cwd=folder,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if done.returncode:
                print(f'coverage: {data.name} is of an older build', file=sys.stderr)
                continue
            for report in Path(folder).glob('*.gcov.json.gz'):
                yield json.loads(gzip.decompress(report.read_bytes()))


def collect(build):
    """{file: ({line: run}, {(line, branch): run})} of the files below src."""
    lines, branches = defaultdict(lambda: defaultdict(bool)), defaultdict(lambda: defaultdict(bool))
    for report in reports(build):
        base = Path(report['current_working_directory'])
        for entry in report['files']:
            path = (base / entry['file']).resolve()
            if ROOT / 'src' not in path.parents:
                continue
            name = path.relative_to(ROOT / 'src').as_posix()
            for line in entry['lines']:
                lines[name][line['line_number']] |= line['count'] > 0
                for number, branch in enumerate(line['branches']):
                    branches[name][line['line_number'], number] |= branch['count'] > 0
    return lines, branches


def share(found):
    return sum(found) / len(found) if found else 1.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('build', type=Path)
    parser.add_argument('--check', action='store_true', help='fail where the rules or the search are below their limits')
    parser.add_argument('--files', metavar='FOLDER', help='list the files of this folder, and the lines not run')
    options = parser.parse_args()
    lines, branches = collect(options.build)
    if not lines:
        sys.exit(f'coverage: nothing has run in {options.build}')
    if options.files:
        for name in sorted(n for n in lines if n.startswith(options.files + '/')):
            missing = sorted(n for n, run in lines[name].items() if not run)
            print(f'{name:32} {100 * share(lines[name].values()):6.1f} % {100 * share(branches[name].values()):6.1f} %  '
                  f'{" ".join(map(str, missing))}')
        return 0
    print('| folder | lines | run | branches | run |\n|---|--:|--:|--:|--:|')
    faults = []
    for folder in sorted({name.split('/')[0] for name in lines}):
        own = [run for name, found in lines.items() if name.startswith(folder + '/') for run in found.values()]
        arms = [run for name, found in branches.items() if name.startswith(folder + '/') for run in found.values()]
        print(f'| `{folder}` | {len(own)} | {100 * share(own):.1f} % | {len(arms)} | {100 * share(arms):.1f} % |')
        least = LEAST.get(folder, (0, 0))
        if share(own) < least[0] or share(arms) < least[1]:
            faults.append(f'{folder}: {100 * share(own):.1f} % of lines, {100 * share(arms):.1f} % of branches')
    for fault in faults if options.check else []:
        print(f'coverage: {fault}', file=sys.stderr)
    return 1 if options.check and faults else 0


if __name__ == '__main__':
    sys.exit(main())
