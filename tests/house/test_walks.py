#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_walks.py: the walks of docs/ARCHITECTURE.md lead through functions that exist.

A step of a walk is a numbered line: `file`: `name`, `name` ... The file must exist, and each name must stand in it as a
whole word. The document must have the four walks that CONTRIBUTING.md promises."""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WALKS = ('Where null move is decided', 'Where POST /move is answered', 'Where a weight is learned',
         'Where an arrow is drawn')
STEP = re.compile(r'\d+\. `([^`]+)`: (.*)')


def faults(text):
    """Yields a sentence for each thing that is wrong with the walks in this text."""
    for walk in WALKS:
        _, found, rest = text.partition(f'### {walk}\n')
        if not found:
            yield f'there is no walk "{walk}"'
            continue
        steps = [STEP.match(line) for line in re.split(r'\n##', rest)[0].split('\n') if re.match(r'\d+\. ', line)]
        if len(steps) < 4:
            yield f'"{walk}" has only {len(steps)} steps'
        for step in steps:
            if not step:
                yield f'a step of "{walk}" does not begin with a file'
                continue
            file = ROOT / step.group(1)
            if not file.is_file():
                yield f'"{walk}": there is no file {step.group(1)}'
                continue
            source = file.read_text(errors='replace')
            for name in re.findall(r'`([^`]+)`', step.group(2)):
                if not re.search(rf'\b{re.escape(name)}\b', source):
                    yield f'"{walk}": {step.group(1)} has no {name}'


def main():
    document = (ROOT / 'docs' / 'ARCHITECTURE.md').read_text()
    found = list(faults(document))
    for fault in found:
        print('walks:', fault, file=sys.stderr)
    # The check itself must notice what it is for.
    broken = document.replace('`null_move_cuts`', '`null_move_cats`', 1)
    if not any('null_move_cats' in fault for fault in faults(broken)):
        print('walks: a name that does not exist passes', file=sys.stderr)
        return 1
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
