#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_datagen.py SAMARA SAMARA-TRAIN: games that workers play make the file that this machine would make, byte for
byte; also when a worker is killed and the run is broken off and continued; a worker of another network is told so by name."""
import filecmp
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from broker import Redis, other_network

samara, train = sys.argv[1:3]
signal.alarm(200)  # nothing here may wait for ever
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
    # Jobs for another network, a real one: they wait, and every worker of ours says by name that it is not meant.
    stranger = subprocess.Popen([train, 'datagen', '--out', folder + '/strange.games', '--net', other_network(train, folder), '--broker',
                                 redis.url, *common], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    time.sleep(1)
    first = worker('--kinds', 'selfplay')
    said = ''
    while not re.search(r"need '(Samara \S+ samara-\w+)'; this is '(?!\1)Samara \S+ samara-", said):
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
    stranger.kill()
    stranger.wait()
    assert os.path.getsize(here) > 5000
    assert filecmp.cmp(here, there, shallow=False), 'the files differ'
    print(f'{os.path.getsize(here)} bytes alike')
