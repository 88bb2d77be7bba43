#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Words, numbers, names and blanks longer than what the PGN reader sees at once: the fuzz target reads each input whole and
in small pieces, and demands the same games."""
import os
import subprocess

from regress import Folder, program, skip

REPLAY = program('tests/replay_pgn')
GAMES = ['1. %s e5 *', '1. e4 %s 2. Nf3 *', '1. e4 {c} %s e5 1/2', '[%s "x"]\n1. e4 *', '[Event "x%s"]\n1. e4 *', '[Event "x"%s] 1. e4 *',
         '[ %s Event "x"]\n1. e4 *', '[FEN "no"]\n1. %s e4 *', '1. e4%s e5 *', '1. e4 (%s e5 *', '1. e4 [%s] e5 *', '1. e4 * %s {c}']
PARTS = ['x', '1', '0', ' ', '\t', '.', '\u2026', '$1', '$', '!', '?', '-', 'e4', '1-0', '0-0', '\ufeff', '(', 'a8(Q)', '"', '\\', '1/2', '\r']
ENDS = ['', 'e4', '0000', '1-0', '-', '"', ']', '.']

if not os.path.exists(REPLAY):
    skip('the fuzz targets are not built')
with Folder() as folder:
    files = []
    for game in GAMES:
        for part in PARTS:
            for end in ENDS:
                for size in (240, 300, 1000):
                    files.append(os.path.join(folder, str(len(files))))
                    with open(files[-1], 'wb') as file:
                        file.write((game % ((part * size)[:size] + end)).encode())
    done = subprocess.run([REPLAY, folder], capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr[-500:]
print(len(files), 'texts are read as one, however they arrive')
