#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_match.py SAMARA SAMARA-MATCH SAMARA-TRAIN: games of a match that workers play are the games that this machine would play: the
same moves, scores and results in the same files, also when a worker is killed and when the match is broken off here and continued
there. A worker of another network is not given any, and says so by name. Options that are texts do not travel."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from broker import Redis, other_network

samara, match, train = sys.argv[1:4]
GAMES = 24
signal.alarm(200)  # nothing here may wait for ever


def plain(path):
    """Without what is different each time: the date and the seconds of each move."""
    with open(path) as file:
        text = file.read()
    text = re.sub(r'\[Date "[^"]*"\]', '', text)
    words = [word for word in text.split() if not re.fullmatch(r'\d+\.\d{3}s\}', word)]
    return words


def worker(*more, engines=('new', 'old'), first=()):
    words = []
    for name in engines:
        words += ['--engine', ' '.join([f'name={name} cmd={samara}', *(first if name == engines[0] else ())])]
    return subprocess.Popen([samara, 'work', '--broker', redis.url, '--threads', '1', '--lease', '2000', '--kinds', 'match', *words,
                             *more], stderr=subprocess.PIPE, text=True)


def until(process, wanted):
    lines = []
    while True:
        line = process.stderr.readline()
        lines.append(line)
        if wanted in line:
            return line
        assert line, f'{wanted!r} was not said: {lines}'


def command(pgn, *more):
    return [match, '-engine', f'cmd={samara}', 'name=new', 'nodes=700', 'option.Hash=2', '-engine', f'cmd={samara}', 'name=old',
            'nodes=300', '-rounds', str(GAMES // 2), '-concurrency', '4', '-draw', '-resign', '-maxmoves', '90', '-openings',
            f'file={book}', 'order=random', '-seed', '7', '-pgnout', pgn, *more]


with Redis() as redis, tempfile.TemporaryDirectory() as folder:
    here, there, moved, book = (f'{folder}/{name}' for name in ('here.pgn', 'there.pgn', 'moved.pgn', 'book.epd'))
    with open(book, 'w') as file:
        file.write('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n'
                   'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n'
                   'rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2\n'
                   'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2\n')
    subprocess.run(command(here, '-quiet'), check=True, capture_output=True)
    assert len(plain(here)) > 40 * GAMES, 'too little was played'

    net = other_network(train, folder)  # the same engine with it is another one
    far = subprocess.Popen(command(there, '-broker', redis.url), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(far, 'workers play with new = Samara')
    time.sleep(0.5)
    stranger = worker(first=[f'option.EvalFile={net}'])
    said = until(stranger, "need 'new (Samara")
    assert "this is 'new (Samara" in said, said
    first = worker()
    until(first, 'engine new is Samara')
    time.sleep(1.5)
    first.kill()
    first.wait()
    second, third = worker(), worker(engines=('old', 'new', 'third'))
    out, err = far.communicate(timeout=120)
    assert far.returncode == 0, err
    stranger.terminate()
    assert stranger.wait(20) == 0
    assert 'samara work: 0 done' in stranger.stderr.read(), 'another engine played'
    assert plain(here) == plain(there), 'the games differ'

    # Begun here, continued by the workers; results and files are the same.
    journal = f'{folder}/journal'
    begun = subprocess.Popen(command(moved, '-resume', journal, '-quiet'), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not os.path.exists(journal) or open(journal).read().count('\n') < 4:
        assert begun.poll() is None
        time.sleep(0.02)
    begun.terminate()
    assert begun.wait(20) == 3
    subprocess.run(command(moved, '-resume', journal, '-broker', redis.url, '-quiet'), check=True, capture_output=True, timeout=100)
    assert plain(moved) == plain(here), 'the continued match differs'

    # What names a file stays: it is said, and no worker hears it.
    note = subprocess.run(command(f'{folder}/text.pgn', '-broker', redis.url, '-each', 'option.SyzygyPath=/nowhere', '-rounds', '1'),
                          capture_output=True, text=True, timeout=60)
    assert note.returncode == 0 and 'option SyzygyPath stays here' in note.stderr, note.stderr
    assert '/nowhere' not in redis.cli('--scan'), 'a path travelled'
    refused = subprocess.run(command(f'{folder}/tb.pgn', '-broker', redis.url, '-tb', '/nowhere'), capture_output=True, text=True)
    assert refused.returncode == 1 and '-tb cannot go with -broker' in refused.stderr, refused.stderr
    for process in (second, third):
        process.terminate()
        assert process.wait(20) == 0, process.stderr.read()
    print(f'{GAMES} games alike')
