#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mutate.py: do the fast tests notice a fault?

Puts the faults of tests/mutations.toml into a copy of the source, one at a time, builds the tests of
the layer (and of the search) and runs them. Prints for each fault the first test that fails, and
fails itself if one survives or cannot be put in. The signature is not asked: it notices everything
and explains nothing.

    tools/mutate.py [--folder build/mutate] [word...]    only faults whose file or reason has the word
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time

try:
    import tomllib
except ImportError:
    sys.exit(77)  # Python 3.11 has it

HOUSE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What to build and which tests to run, for a fault in a layer: quick tests first.
SEARCH = ['ideas_node', 'ideas_move', 'tt', 'timeman', 'history', 'picker', 'evaluate', 'search', 'mates']
CHESS = ['see', 'movegen', 'game']
STEPS = {
    'search': [(f'test_search_{name}', f'unit/search/{name}') for name in SEARCH[:7]] +
              [('test_switches', 'search/switches')] +
              [(f'test_search_{name}', f'unit/search/{name}') for name in SEARCH[7:]],
    'classical': [(f'test_classical_{name}', f'unit/classical/{name}') for name in ('endgame', 'classical')] +
                 [('test_search_evaluate', 'unit/search/evaluate')],
    'chess': [(f'test_chess_{name}', f'unit/chess/{name}') for name in CHESS] + [('perft_suite', 'perft/own')],
}


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)


class Scratch:
    """A copy of the source with a build of its own."""

    def __init__(self, folder):
        self.tree, self.build = os.path.join(folder, 'tree'), os.path.join(folder, 'build')
        shutil.rmtree(self.tree, ignore_errors=True)
        for name in run(['git', '-C', HOUSE, 'ls-files', '-co', '--exclude-standard']).stdout.split('\n'):
            source, copy = os.path.join(HOUSE, name), os.path.join(self.tree, name)
            if os.path.isfile(source):
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy(source, copy)  # with a new date: what is left of an earlier run is built again
        shared = os.path.join(HOUSE, '..', 'shared')
        done = run(['cmake', '-S', self.tree, '-B', self.build, '-DCMAKE_BUILD_TYPE=Release', '-DSAMARA_LTO=OFF',
                    '-DCMAKE_C_FLAGS_RELEASE=-O1', f'-DSAMARA_SHARED={shared}'])
        if done.returncode:
            sys.exit(done.stdout)

    def test(self, layer):
        """The first test that fails, None if all pass; what the compiler said, if it does not build."""
        for target, name in STEPS[layer]:
            done = run(['cmake', '--build', self.build, '--parallel', '2', '--target', target])
            if done.returncode:
                return None, done.stdout
            done = run(['ctest', '--test-dir', self.build, '-R', f'^{name}$', '--timeout', '120',
                        '--output-on-failure', '--no-tests=error'])
            if done.returncode:
                failed = re.search(r'\[  FAILED  \] (\w+)$', done.stdout, re.M)
                return f'{name}{": " + failed[1] if failed else ""}', None
        return None, None

    def path(self, file):
        return os.path.join(self.tree, file)


def check(scratch, fault):
    """True if the fault is noticed."""
    label = f'{fault["file"]}: {fault["why"]}'
    path = scratch.path(fault['file'])
    with open(path, encoding='utf-8') as file:
        text = file.read()
    if text.count(fault['text']) != 1:
        print(f'STALE     {label}: its text stands {text.count(fault["text"])} times in the file', flush=True)
        return False
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text.replace(fault['text'], fault['with']))
    noticed, trouble = scratch.test(fault['file'].split('/')[1])
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    if trouble:
        print(f'NO BUILD  {label}\n{trouble}', flush=True)
    elif noticed:
        print(f'caught    {label}  [{noticed}]', flush=True)
    else:
        print(f'SURVIVED  {label}', flush=True)
    return bool(noticed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('--folder', default=os.path.join(HOUSE, 'build', 'mutate'))
    parser.add_argument('word', nargs='*')
    args = parser.parse_args()
    with open(os.path.join(HOUSE, 'tests', 'mutations.toml'), 'rb') as file:
        faults = [fault for fault in tomllib.load(file)['fault']
                  if not args.word or any(word in fault['file'] + fault['why'] for word in args.word)]

    scratch = Scratch(args.folder)
    for layer in sorted({fault['file'].split('/')[1] for fault in faults}):
        begin = time.monotonic()
        failed, trouble = scratch.test(layer)
        if failed or trouble:
            sys.exit(f'without any fault: {failed or trouble}')
        print(f'{layer}: all tests pass without a fault ({time.monotonic() - begin:.0f} s with the build)', flush=True)
    caught = sum(check(scratch, fault) for fault in faults)
    print(f'{caught} of {len(faults)} faults caught')
    return caught != len(faults)


if __name__ == '__main__':
    sys.exit(main())
