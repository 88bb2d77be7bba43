#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import subprocess
from regress import SCALE, Folder, program, run, skip, uci

if not os.path.exists('/dev/full'):
    skip('there is no /dev/full here')

GAME = '[Result "*"]\n\n1. e4 e5 2. Nf3 *\n'
CASES = ((['samara', 'bench', '2'], ''), (['samara', 'perft', '3'], ''), (['samara', 'eval'], ''), (['samara', '--version'], ''),
         (['samara', 'help'], ''), (['samara', 'analyse', '--depth', '2', '-'], GAME), (['samara'], 'uci\nquit\n'),
         (['samara'], 'position startpos\ngo depth 3\nwait\n'), (['samara', 'ladder', '--depth', '1', '--passes', '1', '--movetime', '1'], ''),
         (['samara-train', '--help'], ''), (['samara-match', '--help'], ''))
for words, text in CASES:
    with open('/dev/full', 'w') as full:
        code, _, err = run(words, text, seconds=60, stdout=full, stderr=subprocess.PIPE)
    assert code != 0 and 'cannot write to standard output' in err, (words, code, err)
    print(' '.join(words), code, err.strip())

# A log that cannot be written is refused, and one that fills up later is mentioned.
out = uci('setoption name Debug Log File value /dev/full')
assert "info string refused: FILE cannot write '/dev/full'" in out, out
with Folder() as folder:
    path = os.path.join(folder, 'log')
    limit = 'ulimit -f 1; trap "" XFSZ; exec "$0"'
    commands = ['setoption name Debug Log File value ' + path] + ['d'] * 100 + ['quit']
    done = subprocess.run(['sh', '-c', limit, program('samara')], input='\n'.join(commands) + '\n', capture_output=True, text=True,
                          timeout=10 * SCALE)
    assert done.returncode == 0 and 'info string the log cannot be written' in done.stdout, (done.returncode, done.stdout[-300:])
print('a log that is lost is mentioned')
