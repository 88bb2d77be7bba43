#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""signature.py SAMARA: `samara bench` searches as many nodes as tests/signature says.

The number names the behaviour of search, evaluation and rules together. Whoever changes it on
purpose writes the new one into the file, in the commit whose message ends in `Bench: N`.
"""
import re
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).parents[1] / 'signature'


def main():
    run = subprocess.run([sys.argv[1], 'bench'], capture_output=True, text=True, check=False)
    found = re.search(r'^Nodes searched *: *(\d+)', run.stdout + run.stderr, re.M)
    if run.returncode or not found:
        sys.exit(f'samara bench does not end well:\n{run.stdout}{run.stderr}')
    kept = FILE.read_text(encoding='utf-8').strip()
    if not kept.isdigit():
        sys.exit(f'tests/signature holds {kept!r}, not one number')
    if found[1] != kept:
        sys.exit(f'''bench: {found[1]} nodes, tests/signature: {kept}

The search, the evaluation, the network or the rules behave differently. If nothing should have
changed, this is a fault. If the change is meant, put it on record in one commit:
    echo {found[1]} > tests/signature
    git commit ...                      (the message ends in "Bench: {found[1]}")''')
    print(f'bench: {kept} nodes, as on record')


if __name__ == '__main__':
    main()
