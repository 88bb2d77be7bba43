#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
from regress import run

for bad in ('BOARD:garbage', 'BOARD:', 'BOARD:' + 'x' * 1000, 'BOARD:8/8/8/8/8/8/8/8 w - - 0 1', 'MOVE:e9e9'):
    _, out, _ = run(['samara'], 'RESET:\n%s\nPLAY:\nquit\n' % bad)
    assert out.count('refused') == 2 and 'MOVE:' not in out.replace('BOARD:', ''), (bad[:20], out)
    _, out, _ = run(['samara'], 'RESET:\n%s\nRESET:\nPLAY:\nquit\n' % bad)
    assert out.count('refused') == 1 and 'MOVE:' in out, (bad[:20], out)
print('no move on a board that was not meant')
