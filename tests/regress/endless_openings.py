#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
import os
from regress import Folder, program, run

with Folder() as folder:
    pipe = os.path.join(folder, 'pipe')
    os.mkfifo(pipe)
    engines = ['-engine', 'cmd=' + program('samara'), 'name=a', '-engine', 'cmd=' + program('samara'), 'name=b']
    for path in ('/dev/zero', pipe, folder):
        for kind in ('epd', 'pgn'):
            code, _, err = run(['samara-match', *engines, '-each', 'tc=1+0.1', '-openings', 'file=' + path, 'format=' + kind])
            assert code != 0 and path in err, (path, kind, code, err)
            print(path, kind, err.strip())
