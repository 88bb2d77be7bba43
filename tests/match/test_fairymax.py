#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Samara beats Fairy-Max with both colours, at a twentieth of a second a move; exit code 77 where it is not installed.

usage: test_fairymax.py SAMARA SAMARA_MATCH"""
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

samara, match = sys.argv[1:]
rival = shutil.which('fairymax') or shutil.which('/usr/games/fairymax')
if not rival:
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    result = Path(folder) / 'result.json'
    subprocess.run([match, '-engine', f'cmd={samara}', '-engine', f'cmd={rival}', 'proto=xboard', '-each', 'st=0.05',
                    'timemargin=60000', 'hang=120', '-rounds', '1', '-games', '2', '-maxmoves', '200', '-quiet', '-json', result],
                   check=True, stdout=subprocess.DEVNULL)
    pairing = json.loads(result.read_text())['pairings'][0]
found = [pairing[key] for key in ('wins', 'draws', 'losses')]
print('wins, draws, losses:', *found)
sys.exit(found != [2, 0, 0])
