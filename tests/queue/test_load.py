#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_load.py PROGRAM: cost, growth and fairness of the queue, as docs/SCALE.md states them. Needs a quiet machine."""
import subprocess
import sys

from broker import Redis

failed = 0
with Redis() as redis:
    for what in ('overhead', 'growth', 'fair'):
        redis.cli('FLUSHALL')
        failed += subprocess.run([sys.argv[1], redis.url, what], timeout=300).returncode
sys.exit(failed > 0)
