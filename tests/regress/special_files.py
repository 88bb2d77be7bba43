#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
import os
from regress import Folder, uci

with Folder() as folder:
    pipe = os.path.join(folder, 'pipe')
    os.mkfifo(pipe)
    for option in ('EvalFile', 'BookFile', 'Debug Log File'):
        for path in (pipe, folder):
            out = uci('setoption name %s value %s' % (option, path))
            assert 'info string refused' in out and path in out, out
        print(option, 'refuses a pipe and a folder')
