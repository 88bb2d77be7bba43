#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_bench_history.py: tools/bench_history.py reads bench numbers out of commit messages, and draws them."""
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / 'tools'))
import bench_history  # noqa: E402

LOG = ('bbb\x1f2026-02-02\x1fsearch: second\n\nBench: 90\n\x1e\n'
       'ccc\x1f2026-02-01\x1fdocs: says Bench: 7 inside a line\n\x1e\n'
       'aaa\x1f2026-01-01\x1fsearch: first\n\nBench: 100\n\x1e\n')


class History(unittest.TestCase):
    def test_numbers_come_from_lines_of_their_own_oldest_first(self):
        rows = bench_history.nodes_of_log(LOG)
        self.assertEqual([(row['commit'], row['nodes']) for row in rows], [('aaa', '100'), ('bbb', '90')])

    def test_a_drawing_has_a_line_per_figure_that_is_known(self):
        rows = bench_history.nodes_of_log(LOG)
        self.assertEqual(bench_history.draw(rows).count('<polyline'), 1)
        rows[0]['nps'], rows[1]['nps'] = '1000', '1100'
        picture = bench_history.draw(rows)
        self.assertEqual(picture.count('<polyline'), 2)
        ElementTree.fromstring(picture)


if __name__ == '__main__':
    unittest.main()
