#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
import subprocess
from regress import SCALE, program

for closed in ('<&-', '<&- 2>&-', '<&- >&-'):
    code = subprocess.run(['sh', '-c', '"$0" %s' % closed, program('samara')], timeout=10 * SCALE).returncode
    assert code == 0, (closed, code)
code = subprocess.run(['sh', '-c', '"$0" --version >&- 2>&-', program('samara')], timeout=10 * SCALE).returncode
assert code == 1, code
print('ends at once')
