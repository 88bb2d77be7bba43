#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_words.py SAMARA: what `samara queue` and `samara work` say to wrong words, and to right ones on an empty queue."""
import subprocess
import sys
import tempfile

samara = sys.argv[1]
with tempfile.TemporaryDirectory() as folder:
    queue = ['--broker', f'sqlite:{folder}/queue.db']
    cases = [
        (['queue', 'status'], 2, '--broker URL is missing'),
        (['queue', 'status', '--broker', 'nonsense'], 1, 'redis://host:port/db'),
        (['queue', 'status', '--broker', 'redis://127.0.0.1:1/0'], 1, 'Connection refused'),
        (['queue', 'status', '--broker', 'redis://127.0.0.1:1/0', '--broker-password-file', folder + '/none'], 1, 'cannot be read'),
        (['queue', 'frobnicate', *queue], 1, "no 'frobnicate'"),
        (['queue', 'status', 'more', *queue], 1, 'no further word'),
        (['queue', 'retry', *queue], 1, 'needs the id of a job'),
        (['queue', 'retry', 'zzz', *queue], 1, "no dead letter 'zzz'"),
        (['queue', 'drop', 'zzz', *queue], 1, "no job to drop 'zzz'"),
        (['queue', 'list', '--state', 'lost', *queue], 2, 'ready'),
        (['queue', 'list', '--limit', '0', *queue], 2, 'from 1 to 10000'),
        (['queue', 'list', *queue], 0, 'no job is dead'),
        (['queue', 'drop', 'all', *queue], 0, '0 dropped'),
        (['queue', 'status', *queue], 0, 'waiting now'),
        (['queue', 'status', '--json', *queue], 0, '["waiting 0",0]'),
        (['work', *queue, '--kinds', 'cook'], 2, "no kind 'cook'"),
        (['work', *queue, '--engine', 'name=a'], 2, 'no command'),
        (['work', *queue, '--engine', 'name=a cmd=/nowhere'], 2, 'two engines'),
        (['work', *queue, '--engine', 'name=a cmd=/nowhere', '--engine', 'name=a cmd=/nowhere'], 2, "the name 'a'"),
        (['work', *queue, '--engine', 'name=a cmd=/nowhere', '--engine', 'name=b cmd=/nowhere'], 2, '/nowhere'),
        (['work', *queue, '--engine', 'colour=blue'], 2, 'colour'),
    ]
    wrong = 0
    for words, code, text in cases:
        done = subprocess.run([samara, *words], capture_output=True, text=True, timeout=30)
        if done.returncode != code or text not in done.stdout + done.stderr:
            print(words, done.returncode, done.stdout + done.stderr)
            wrong += 1
    print(f'{len(cases)} conversations, {wrong} wrong')
    sys.exit(wrong > 0)
