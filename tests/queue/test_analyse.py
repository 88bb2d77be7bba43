#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_analyse.py SAMARA GAMES.pgn: what workers say about the games of a file is to the letter what `samara analyse` says without
them: as text, as JSON and as an annotated file, with a killed worker, and with a file that is continued."""
import re
import signal
import subprocess
import sys
import tempfile
import time

from broker import Redis

samara, source = sys.argv[1:3]
signal.alarm(250)  # nothing here may wait for ever


def worker():
    return subprocess.Popen([samara, 'work', '--broker', redis.url, '--threads', '1', '--lease', '2000', '--kinds', 'review'],
                            stderr=subprocess.DEVNULL)


def analyse(*words, code=0):
    done = subprocess.run([samara, 'analyse', '--nodes', '60', *words], capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stderr)
    return done.stdout, done.stderr


with Redis() as redis, tempfile.TemporaryDirectory() as folder:
    games = f'{folder}/games.pgn'
    with open(source) as file:
        first = re.split(r'\n\n(?=\[Event)', file.read())[:3]
    broken = '[White "W"]\n[Black "B"]\n\n1. e4 e5 2. Ke4 *'
    with open(games, 'w') as file:
        file.write('\n\n'.join([first[0], broken, *first[1:]]) + '\n')
    far = ['--broker', redis.url]
    begun = subprocess.Popen([samara, 'analyse', '--nodes', '60', games, *far], stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.PIPE)
    victim = worker()
    time.sleep(0.7)
    victim.kill()
    victim.wait()
    workers = [worker(), worker()]
    there, said = begun.communicate(timeout=120)
    here, heard = analyse(games, code=1)
    assert begun.returncode == 1 and said == heard, (said, heard)
    assert there == here and len(here) > 2000, 'the texts differ'
    assert analyse('--json', games, *far, code=1)[0] == analyse('--json', games, code=1)[0]
    one, two = f'{folder}/one.pgn', f'{folder}/two.pgn'
    analyse('--pgn', one, games, code=1)
    analyse('--pgn', two, games, *far, code=1)
    with open(one) as file:
        text = file.read()
    assert text == open(two).read(), 'the annotated files differ'
    with open(two, 'w') as file:  # cut in the middle of the third game
        file.write(text[:text.index('\n\n', text.index('[Event', len(text) // 2)) + 40])
    analyse('--pgn', two, '--resume', games, *far)
    assert text == open(two).read(), 'the continued file differs'
    for words, reason in ((['8/8/8/8/8/8/8/K1k5 w - - 0 1'], 'files of games'), ([games, '--syzygy', folder], 'files of this machine')):
        assert reason in analyse(*words, *far, code=2)[1]
    for process in workers:
        process.terminate()
        assert process.wait(20) == 0
    print(f'{len(here)} letters alike')
