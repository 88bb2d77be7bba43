#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import random
from regress import Folder, skip, uci

TABLES = os.path.abspath(os.path.join(os.environ.get('SAMARA_SHARED', '../shared'), 'data', 'syzygy'))
if not os.path.exists(os.path.join(TABLES, 'KQvK.rtbw')):
    skip('there are no tables here')

# Each asks for its own table at the root, and for smaller ones in the search.
POSITIONS = {'KRvKP': '8/8/8/8/3k4/3p4/8/K6R w - - 0 1', 'KBNvK': '8/8/8/3k4/8/8/8/KBN5 w - - 0 1'}


def damaged_folder(folder, name, change):
    """All tables, one of them changed."""
    for file in os.listdir(TABLES):
        path = os.path.join(folder, file)
        if os.path.lexists(path):
            os.remove(path)
        if file == name:
            with open(os.path.join(TABLES, file), 'rb') as whole:
                data = change(bytearray(whole.read()))
            with open(path, 'wb') as out:
                out.write(data)
        else:
            os.symlink(os.path.join(TABLES, file), path)


def change_byte(at, value):
    def change(data):
        data[at % len(data)] ^= value
        return data
    return change


rng = random.Random(1)
changes = []
for at in (4, 5, 6, 8, 10, 12, 14, 16, 20, 30, 60):
    changes.append(('byte %d' % at, change_byte(at, 0xFF)))
for _ in range(4):
    at, bit = rng.randrange(100, 100000), 1 << rng.randrange(8)
    changes.append(('bit in byte %d' % at, change_byte(at, bit)))
for blocks in (0, 1, 3):
    changes.append(('cut to %d' % (16 + 64 * blocks), lambda data, blocks=blocks: data[:16 + 64 * blocks]))
changes += [('empty', lambda data: b''), ('foreign', lambda data: bytearray(b'x') * len(data)), ('cut', lambda data: data[:-1]),
            ('longer', lambda data: data + bytes(64))]

runs = 0
with Folder() as folder:
    for table, fen in POSITIONS.items():
        for ending in ('.rtbw', '.rtbz'):
            for what, change in changes:
                damaged_folder(folder, table + ending, change)
                out = uci('setoption name SyzygyPath value ' + folder, 'position fen ' + fen, 'go depth 4', 'wait', 'position startpos',
                          'go depth 2', 'wait')
                assert 'info string note: damaged and not used: %s%s' % (table, ending) in out, (table, ending, what, out[:500])
                assert out.count('bestmove') == 2, (table, ending, what, out[-500:])
                runs += 1
    # A folder of nothing but rubbish is refused.
    for file in os.listdir(folder):
        os.remove(os.path.join(folder, file))
        with open(os.path.join(folder, file), 'wb') as out:
            out.write(rng.randbytes(16 + 64 * 5))
    out = uci('setoption name SyzygyPath value ' + folder)
    assert 'refused: TABLEBASE damaged and not used' in out and 'more' in out, out
print(runs, 'damaged files')
