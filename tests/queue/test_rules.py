#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_rules.py PROGRAM: the rules of queue.h on Redis: over a port, over a socket, and with a password."""
import os
import subprocess
import sys

from broker import Redis

program = sys.argv[1]
with Redis() as redis:
    subprocess.run([program, redis.url], check=True, timeout=60)
    redis.cli('FLUSHALL')
    subprocess.run([program, redis.socket_url + '?db=3'], check=True, timeout=60)
with Redis('--requirepass', 'a-secret') as redis:
    refused = subprocess.run([program, redis.url], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and 'NOAUTH' in refused.stderr, refused.stderr
    env = {**os.environ, 'SAMARA_BROKER_PASSWORD': 'a-secret'}
    subprocess.run([program, redis.url], check=True, timeout=60, env=env)
