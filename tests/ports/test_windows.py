#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs for Windows, under wine: they search as the native ones do, and live with Windows' files and processes.

usage: test_windows.py FOLDER NATIVE-SAMARA        FOLDER holds samara.exe, samara-match.exe, samara-train.exe
Exit code 77: there is no wine here."""
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WINE = shutil.which('wine64') or shutil.which('wine') or '/usr/lib/wine/wine64'
PROTOCOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../protocol')
CONVERSATIONS = ('clients', 'platform', 'hostile')
PGN = '[Event "t"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n'


def check(name, holds, *details):
    print('ok  ' if holds else 'FAIL', name, *details, flush=True)
    if not holds:
        sys.exit(1)


def run(words, text=None, timeout=300, **more):
    done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=timeout, encoding='utf-8', **more)
    return done.returncode, done.stdout + done.stderr


def converse(samara, kind, folder):
    """The scripted conversations of one kind; they want one file to start."""
    wrapper = os.path.join(folder, 'samara')
    with open(wrapper, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\nexec ' + ' '.join(f"'{word}'" for word in samara) + ' "$@"\n')
    os.chmod(wrapper, 0o755)
    scripts = sorted(glob.glob(os.path.join(PROTOCOL, kind, '*.txt')))
    return run([sys.executable, os.path.join(PROTOCOL, 'session.py'), wrapper] + scripts, timeout=3600,
               env=dict(os.environ, SAMARA_TIME_SCALE='20'))


def nodes(words):
    return re.search(r'Nodes searched: *(\d+)', run(words)[1]).group(1)


def main():
    folder, native = os.path.abspath(sys.argv[1]), sys.argv[2]
    if not os.path.exists(WINE):
        print('there is no wine here')
        return 77
    os.environ.setdefault('WINEDEBUG', '-all')
    samara, match, train = ([WINE, os.path.join(folder, name + '.exe')] for name in ('samara', 'samara-match', 'samara-train'))
    # As long as one program runs wine's server does, too: starting it takes seconds, for which no conversation has time.
    with subprocess.Popen(samara, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as waiting:
        try:
            run_checks(native, samara, match, train)
        finally:
            waiting.stdin.close()
    return 0


def run_checks(native, samara, match, train):
    theirs, ours = nodes([native, 'bench', '6']), nodes(samara + ['bench', '6'])
    check('the same signature', ours == theirs, ours, theirs)

    with tempfile.TemporaryDirectory() as top:
        place = os.path.join(top, 'Schäch und Brettspiele — 棋')
        os.mkdir(place)
        log = 'Z:' + os.path.join(place, 'das Gespräch.txt').replace('/', '\\')
        code, out = run(samara, f'uci\nsetoption name Debug Log File value {log}\nsetoption name Threads value 2\n'
                        'setoption name Hash value 256\nisready\ngo depth 9\nwait\nquit\n')
        check('two threads and a table of 256 MB', code == 0 and out.count('bestmove') == 1 and 'refused' not in out)
        code, out = run(samara, 'uci\nsetoption name Hash value 2048\nisready\ngo depth 9\nwait\nquit\n')
        check('a table of 2 GB', code == 0 and out.count('bestmove') == 1 and 'info string' not in out.split('readyok')[0], out[-200:])
        with open(os.path.join(place, 'das Gespräch.txt'), encoding='utf-8') as text:
            check('a log in a folder beyond ASCII', 'bestmove' in text.read())
        code, out = run(samara, 'go infinite\nisready\nstop\nquit\n')
        check('stop and quit', code == 0 and 'readyok' in out and 'bestmove' in out)
        code, out = run(samara, 'xboard\nprotover 2\nst 1\nusermove e2e4\n?\nquit\n')
        check('xboard', code == 0 and 'feature' in out)
        for kind in CONVERSATIONS:
            code, out = converse(samara, kind, top)
            check(f'the conversations of tests/protocol/{kind}', code == 0, out.strip()[-300:])
        code, out = run(samara + ['serve'])
        check('serve says what is missing', code == 1 and 'no server' in out, out.strip())

        with open(os.path.join(place, 'Partien.pgn'), 'w', encoding='utf-8') as pgn:
            pgn.write(PGN)
        for _ in range(2):
            code, out = run(samara + ['book', '--build', 'Büchlein.bin', 'Partien.pgn'], cwd=place)
            check('a book is made, and replaced', code == 0, out.strip())
        check('nothing is left beside it', sorted(os.listdir(place)) == ['Büchlein.bin', 'Partien.pgn', 'das Gespräch.txt'])

        exe = os.path.join(place, 'sa mara.exe')
        shutil.copy(samara[1], exe)
        games = ['-engine', f'cmd={exe}', 'name=A', '-engine', f'cmd={exe}', 'name=B', '-each', 'proto=uci', 'nodes=300', 'tc=inf',
                 '-games', '2', '-rounds', '1', '-pgnout', 'die Partien.pgn']
        code, out = run(match + games, cwd=place)
        check('a match between engines in such a folder', code == 0, out.strip()[-300:])
        with open(os.path.join(place, 'die Partien.pgn'), encoding='utf-8') as pgn:
            check('and its games', pgn.read().count('[Result ') == 2)
        code, out = run(match + ['compliance', exe], cwd=place, timeout=900)
        check('compliance', code == 0, out.strip().splitlines()[-1])
        code, out = run(match + ['-engine', 'cmd=no such engine', '-engine', f'cmd={exe}', '-each', 'proto=uci', 'nodes=1', 'tc=inf'])
        check('an engine that is not there is named', code != 0 and 'no such engine' in out, out.strip()[-200:])

        games[games.index('-rounds') + 1] = '1000'
        long_match = subprocess.Popen(match + games, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        time.sleep(5)
        long_match.send_signal(signal.SIGINT) # wine makes a Ctrl-C of it
        out = long_match.communicate(timeout=60)[0]
        check('Ctrl-C ends a match in good order', long_match.returncode == 3 and 'interrupted' in out, long_match.returncode,
              out.strip()[-100:])
        end = time.monotonic() + 10 # wine's own work at the end of a process
        while run(['pgrep', '-f', 'sa mara.exe'])[1] and time.monotonic() < end:
            time.sleep(0.2)
        check('and its engines', time.monotonic() < end)

        for _ in range(2):
            code, out = run(train + ['datagen', '--out', 'Spiele.games', '--games', '2', '--nodes', '50', '--threads', '1'],
                            cwd=place)
        check('the trainer plays', code == 0, out.strip()[-200:])


if __name__ == '__main__':
    sys.exit(main())
