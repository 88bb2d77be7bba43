#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/MISSION.md names each of the 225 requirements once, and only files and tests that exist; its commands run.

usage: test_mission.py [SAMARA]"""
import re
import shlex
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
COUNTS = {'S0': 68, 'S1': 39, 'S2': 52, 'S3': 28, 'S4': 38}
STATES = ('works', 'modern', 'in part', 'context')
ROWS = [line for line in (ROOT / 'docs/MISSION.md').read_text().splitlines() if re.match(r'\| S\d-', line)]
SAMARA = sys.argv.pop() if len(sys.argv) > 1 else None


def cells(row):
    return [cell.strip() for cell in row.strip('|').split('|')]


def quoted(cell):
    return re.findall(r'`([^`]+)`', cell)


def numbers(row):
    for report, first, last in re.findall(r'(S\d)-(\d+)(?:\.\.(\d+))?', cells(row)[0]):
        for number in range(int(first), int(last or first) + 1):
            yield f'{report}-{number}'


def is_missing(proof):
    """A proof is a file, a folder, or file:test."""
    path, _, test = proof.partition(':')
    place = ROOT / path
    return not place.exists() or (test and test not in place.read_text())


class Mission(unittest.TestCase):
    def test_every_requirement_stands_in_one_row(self):
        found = Counter(number for row in ROWS for number in numbers(row))
        wanted = {f'{report}-{i}' for report, count in COUNTS.items() for i in range(1, count + 1)}
        self.assertEqual(sorted(wanted - found.keys()), [], 'missing')
        self.assertEqual(sorted(found.keys() - wanted), [], 'unknown')
        self.assertEqual([number for number, times in found.items() if times > 1], [], 'twice')

    def test_every_row_has_a_state_and_a_proof(self):
        for row in ROWS:
            self.assertEqual(len(cells(row)), 5, row)
            self.assertTrue(cells(row)[2].startswith(STATES), row)
            self.assertEqual(bool(quoted(cells(row)[4])), cells(row)[2] != 'context', row)

    def test_every_place_and_test_named_exists(self):
        self.assertEqual([place for row in ROWS for place in quoted(cells(row)[3]) if not (ROOT / place).exists()], [])
        self.assertEqual([proof for row in ROWS for proof in quoted(cells(row)[4]) if is_missing(proof)], [])

    @unittest.skipUnless(SAMARA, 'needs the program')
    def test_every_command_runs(self):
        commands = [c for row in ROWS for c in quoted(cells(row)[1]) if c.startswith('samara ')]
        self.assertGreater(len(commands), 5)
        for command in commands:
            done = subprocess.run([SAMARA, *shlex.split(command)[1:]], input='', capture_output=True, text=True, timeout=250)
            self.assertEqual((done.returncode, done.stderr), (0, ''), command)


if __name__ == '__main__':
    unittest.main()
