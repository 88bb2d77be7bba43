#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills `samara analyse --pgn --resume` with SIGKILL again and again: no game may be lost, repeated or cut.

usage: resume.py SAMARA GAMES.pgn [--games N] [--kills N] [--seed N]

GAMES are repeated, each with a Round of its own, until there are N. Every run but the last is killed after a random time."""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile


def rounds(text):
    return [int(n) for n in re.findall(r'^\[Round "(\d+)"\]$', text, re.M)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('samara')
    parser.add_argument('pgn')
    parser.add_argument('--games', type=int, default=5)
    parser.add_argument('--kills', type=int, default=4)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    with open(args.pgn, encoding='utf-8') as file:
        games = file.read().split('\n[Event ')
    games = [games[0]] + ['[Event ' + game for game in games[1:]]
    many = [re.sub(r'\[Round "\d+"\]', '[Round "%d"]' % (n + 1), games[n % len(games)]) for n in range(args.games)]
    chance = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, 'in.pgn'), os.path.join(folder, 'out.pgn')
        with open(source, 'w', encoding='utf-8') as file:
            file.write('\n'.join(many))
        words = [args.samara, 'analyse', source, '--depth', '1', '--pgn', target, '--resume']
        killed, patience = 0, 0.3
        while killed < args.kills:
            child = subprocess.Popen(words)
            try:
                child.wait(chance.uniform(0.2, 1) * patience)
                break  # it came to its end before we struck
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
            killed += 1
            size = os.path.getsize(target) if os.path.exists(target) else 0
            patience = patience * 1.5 if size == 0 else patience  # a slow machine gets nowhere in so short a time
        subprocess.run(words, check=True)
        with open(target, encoding='utf-8') as file:
            out = file.read()
        once = os.path.join(folder, 'once.pgn')
        subprocess.run(words[:-2] + [once], check=True)
        with open(once, encoding='utf-8') as file:
            same = file.read() == out
    found = rounds(out)
    print('%d games, killed %d times: %d in the file, in order: %s, as in one run: %s' %
          (args.games, killed, len(found), found == list(range(1, args.games + 1)), same))
    return 0 if found == list(range(1, args.games + 1)) and same and killed > 0 else 1


if __name__ == '__main__':
    sys.exit(main())
