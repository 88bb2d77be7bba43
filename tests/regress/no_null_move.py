#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
from regress import run

POSITIONS = ('fen 8/8/8/8/8/8/8/8 w - - 0 1', 'fen rubbish', 'startpos moves e2e5', 'fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1',
             'fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1')
for position in POSITIONS:
    for go in ('go depth 3', 'go movetime 20', 'go infinite\nstop', 'go ponder wtime 100 btime 100\nponderhit'):
        _, out, _ = run(['samara'], 'position %s\n%s\nwait\nquit\n' % (position, go))
        lines = out.split('\n')
        assert 'bestmove (none)' in lines and '0000' not in out, (position, go, out)
        assert any(line.startswith('info string') for line in lines[:lines.index('bestmove (none)')]), (position, go, out)
print(len(POSITIONS), 'positions')
