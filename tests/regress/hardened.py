#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
import os
import shutil
import subprocess
from regress import program, skip

if os.environ.get('SAMARA_HARDENED') != '1' or not shutil.which('readelf'):
    skip('this build is not hardened, or there is no readelf')


def readelf(option):
    return subprocess.run(['readelf', '-W', option, program('samara')], capture_output=True, text=True, check=True).stdout


assert 'NOW' in readelf('-d'), 'functions are looked up late, through tables that can be written'
headers = readelf('-l')
assert 'GNU_RELRO' in headers, 'no RELRO'
stack = next(line for line in headers.splitlines() if 'GNU_STACK' in line)
assert 'RWE' not in stack, stack
if 'DYNAMIC' in headers:
    names = readelf('--dyn-syms')
    assert '__stack_chk_fail' in names, 'no stack protector'
    assert '_chk@' in names.replace('__stack_chk_fail', ''), 'no _FORTIFY_SOURCE'
print('hardened')
