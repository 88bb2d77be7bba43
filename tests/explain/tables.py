#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the endgame tables say, in words: a result that falls is a blunder, one that stays is none.

usage: tables.py SAMARA FOLDER"""
import json
import os
import subprocess
import sys

CASES = [  # FEN, move, judgement, words
    ('4k3/8/8/4K3/4P3/8/8/8 b - - 0 1', 'e8d8', 'blunder', 'Kd8 loses'),  # only the opposition draws
    ('4k3/8/8/4K3/4P3/8/8/8 b - - 0 1', 'e8e7', None, ''),
    ('4k3/8/8/4K3/4P3/8/8/8 w - - 0 1', 'e5d5', 'blunder', 'throws the win away'),
    ('4k3/8/8/4K3/4P3/8/8/8 w - - 0 1', 'e5f6', None, ''),
]


def main():
    samara, folder = sys.argv[1:3]
    if not os.path.exists(os.path.join(folder, 'KPvK.rtbw')):
        print('no tables here')
        return 77
    failed = 0
    for fen, move, judgement, words in CASES:
        out = subprocess.run([samara, 'explain', '--json', '--nodes', '5000', '--syzygy', folder, fen, move],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
        answer = json.loads(out)
        kinds = [c['kind'] for c in answer.get('claims', [])]
        ok = answer.get('judgement') == judgement and words in answer.get('text', '') and ('table' in kinds) == bool(judgement)
        print('ok' if ok else 'WRONG', fen, move, answer.get('judgement'), kinds, answer.get('text'))
        failed += not ok
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
