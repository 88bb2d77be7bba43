#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The conversations of tests/protocol with the package in node: conversations.py NODE SCRIPT single|threads

Left out is what has no meaning there: other protocols, files, processor time and memory of the process, the command line.
Each of the others must pass."""
import os
import pathlib
import subprocess
import sys

PROTOCOL = pathlib.Path(__file__).parent.parent / 'protocol'
NOT_HERE = {
    '*': {'xboard': 'another protocol', 'platform': 'another protocol'},
}


def applies(path, kind):
    """Why a conversation is left out; '' if it is held."""
    return LEFT_OUT.get(path.parent.name + '/' + path.stem, '') or (ONE_THREAD.get(path.parent.name + '/' + path.stem, '')
                                                                    if kind == 'single' else '')


LEFT_OUT = {}
ONE_THREAD = {}


def main():
    node, script, kind = sys.argv[1:4]
    if not os.path.exists(script):
        print('skipped: there is no package (cmake --preset wasm)')
        return 77
    held, left = [], 0
    for folder in ('uci', 'hostile', 'clients'):
        for path in sorted((PROTOCOL / folder).glob('*.txt')):
            why = applies(path, kind)
            left += bool(why)
            if not why:
                held.append(str(path))
    command = '%s %s %s' % (node, script, kind)
    print('%d conversations, %d left out' % (len(held), left))
    return subprocess.call([sys.executable, str(PROTOCOL / 'session.py'), command] + held)


if __name__ == '__main__':
    sys.exit(main())
