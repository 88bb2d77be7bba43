#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layering check finds what it is there to find."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / 'tools'))
sys.dont_write_bytecode = True
import check_layers  # noqa: E402

LAYERS = 'base:   # nothing\nchess: base\nfront: base api\n'


def problems(**files):
    """Checks a tree of {'chess__move_h': text}: '__' is '/', the last '_' is '.'."""
    with tempfile.TemporaryDirectory() as folder:
        src = Path(folder)
        (src / 'LAYERS').write_text(LAYERS)
        for name, text in files.items():
            path = src / '.'.join(name.replace('__', '/').rsplit('_', 1))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check_layers.check(src)[0]


class CheckLayers(unittest.TestCase):
    def test_includes_downward_and_sideways_are_fine(self):
        self.assertEqual(problems(base__text_h='', chess__move_h='#include "base/text.h"\n#include <stdio.h>\n',
                                  chess__fen_h='#include "chess/move.h"\n',
                                  front__uci_c='#include "samara.h"\n'), [])

    def test_an_upward_include_is_named_with_its_line(self):
        self.assertEqual(problems(base__text_h='\n#include "chess/move.h"\n', chess__move_h=''),
                         ['base/text.h:2: layer base may not include chess/move.h'])

    def test_the_public_header_is_for_clients(self):
        self.assertEqual(problems(chess__move_c='#include "samara.h"\n'),
                         ['chess/move.c:1: layer chess may not use the public header samara.h'])

    def test_headers_are_named_with_their_folder(self):
        self.assertEqual(problems(chess__move_h='', chess__fen_c='#include "move.h"\n'),
                         ['chess/fen.c:1: write "move.h" with its folder'])

    def test_a_module_includes_its_own_header_first(self):
        self.assertEqual(problems(chess__fen_h='', chess__fen_c='#include <stdio.h>\n#include "chess/fen.h"\n'),
                         ['chess/fen.c:1: includes stdio.h before its own header'])

    def test_circles_are_found_across_sources_and_headers(self):
        self.assertEqual(problems(chess__a_h='', chess__a_c='#include "chess/a.h"\n#include "chess/b.h"\n',
                                  chess__b_h='#include "chess/c.h"\n', chess__c_h='#include "chess/a.h"\n'),
                         ['a circle of includes: chess/a -> chess/b -> chess/c -> chess/a'])

    def test_a_private_half_is_no_circle(self):
        self.assertEqual(problems(chess__a_h='', chess__a_impl_h='#include "chess/a.h"\n',
                                  chess__a_c='#include "chess/a_impl.h"\n'), [])

    def test_platforms_stay_below(self):
        self.assertEqual(problems(base__thread_c='#ifdef __linux__\n', chess__fen_c='#if defined(__AVX2__)\n'),
                         ['chess/fen.c:1: only base, nnue/simd* and chess/attacks may ask for a platform'])

    def test_unknown_folders_and_missing_headers_are_named(self):
        self.assertEqual(problems(extra__x_c='', chess__fen_c='#include "base/gone.h"\n'),
                         ['chess/fen.c:1: there is no base/gone.h', 'extra/x.c: the folder extra is not in LAYERS'])


if __name__ == '__main__':
    unittest.main()
