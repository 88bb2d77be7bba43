#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_datagen.py SAMARA SAMARA-TRAIN: games that workers play make the file that this machine would make, byte for
byte; also when a worker is killed and the run is broken off and continued; a worker of another network is told so by name."""
import filecmp
import os
import subprocess
import sys
import tempfile
import time

from broker import Redis

samara, train = sys.argv[1:3]
common = ['--games', '90', '--nodes', '40', '--seed', '5', '--hash', '1']


def worker(*more):
    return subprocess.Popen([samara, 'work', '--broker', redis.url, '--threads', '1', '--lease', '2000', *more],
                            stderr=subprocess.PIPE, text=True)


with Redis() as redis, tempfile.TemporaryDirectory() as folder:
    here, there = folder + '/here.games', folder + '/there.games'
    subprocess.run([train, 'datagen', '--out', here, '--threads', '2', *common], check=True, capture_output=True)
    far = [train, 'datagen', '--out', there, '--threads', '3', '--broker', redis.url, *common]
    run = subprocess.Popen(far, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    time.sleep(1)
    # Another network: made by turning a bit of ours would be refused by its checksum, so a trained one is needed; the
    # name alone decides, and jobs of a name that nobody has stay where they are.
    subprocess.run(['redis-cli', '-p', str(redis.port), 'SADD', '{samara}:lanes', 'selfplay|Samara 1.0.0, samara-07'],
                   check=True, capture_output=True)
    subprocess.run(['redis-cli', '-p', str(redis.port), 'ZADD', '{samara}:ready:selfplay|Samara 1.0.0, samara-07', '1', 'x'],
                   check=True, capture_output=True)
    first = worker('--kinds', 'selfplay')
    said = ''
    while "need 'Samara 1.0.0, samara-07'; this is 'Samara" not in said:
        said = first.stderr.readline()
        assert said, 'the worker did not name the engine that jobs wait for'
    time.sleep(1)
    first.kill()
    first.wait()
    run.terminate()
    run.wait(30)
    second, third = worker(), worker('--kinds', 'selfplay,analyse')
    subprocess.run(far, check=True, capture_output=True, timeout=100)
    for process in (second, third):
        process.terminate()
        assert process.wait(20) == 0, process.stderr.read()
    assert os.path.getsize(here) > 5000
    assert filecmp.cmp(here, there, shallow=False), 'the files differ'
    print(f'{os.path.getsize(here)} bytes alike')
