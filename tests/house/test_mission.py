#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/MISSION.md names each of the 225 requirements once, and only files that exist."""
import re
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
COUNTS = {'S0': 68, 'S1': 39, 'S2': 52, 'S3': 28, 'S4': 38}
ROWS = [line for line in (ROOT / 'docs/MISSION.md').read_text().splitlines() if re.match(r'\| S\d-', line)]


def numbers(row):
    for report, first, last in re.findall(r'(S\d)-(\d+)(?:\.\.(\d+))?', row.split('|')[1]):
        for number in range(int(first), int(last or first) + 1):
            yield f'{report}-{number}'


class Mission(unittest.TestCase):
    def test_every_requirement_stands_in_one_row(self):
        found = Counter(number for row in ROWS for number in numbers(row))
        wanted = {f'{report}-{i}' for report, count in COUNTS.items() for i in range(1, count + 1)}
        self.assertEqual(sorted(wanted - found.keys()), [], 'missing')
        self.assertEqual(sorted(found.keys() - wanted), [], 'unknown')
        self.assertEqual([number for number, times in found.items() if times > 1], [], 'twice')

    def test_every_place_named_exists(self):
        places = [place for row in ROWS for cell in row.split('|')[3:] for place in re.findall(r'`([^`]+)`', cell)]
        self.assertGreater(len(places), 0)
        self.assertEqual([place for place in places if not (ROOT / place).exists()], [])


if __name__ == '__main__':
    unittest.main()
