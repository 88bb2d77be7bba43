#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""opening_games.py: games of Samara against itself from the start position, of which books/samara.bin is made.

    tools/opening_games.py SAMARA OUT.pgn [--games 1200] [--seed 1] [--jobs 2]
    SAMARA book --build books/samara.bin OUT.pgn --plies 10 --player Samara

The first plies are drawn by lot among the moves that a search of many lines finds nearly as good as the best, so that
the games differ. In each game one side, the guest, chooses more freely: the book has to know what people play, but
learns only from the host. After the opening each move is the best of a short search, which decides what the opening was worth. A game
ends when the score has settled. The same seed and number of jobs give the same games."""
import argparse
import math
import random
import re
import subprocess
import threading

PLIES = 10  # of the opening
LINES, GUEST_LINES = 6, 12
FIRST_NODES, NODES, GAME_NODES = 100_000, 20_000, 1_500  # of plies 0 to 2, of the other opening plies, of the game
HOST, GUEST = (24, 10), (60, 18)  # centipawns below the best, and the temperature of the lot
FIRST = ('e2e4', 'd2d4', 'g1f3', 'c2c4')  # what people begin with: White draws from these, a guest only in most games
WON, WON_PLIES, LEVEL_PLIES, LONGEST = 450, 3, 10, 160


class Engine:
    """One Samara over UCI."""

    def __init__(self, path):
        self.child = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say('setoption name Hash value 32')

    def say(self, *lines):
        for line in lines:
            self.child.stdin.write(line + '\n')
        self.child.stdin.flush()

    def search(self, moves, nodes, lines=1):
        """[(cp, move)] best first, for the side to move; a mate counts 10,000. Empty: the game is over."""
        self.say(f'setoption name MultiPV value {lines}', 'position startpos moves ' + ' '.join(moves), f'go nodes {nodes}')
        found = {}
        for line in self.child.stdout:
            if line.startswith('bestmove'):
                return [found[i] for i in sorted(found)]
            info = re.search(r' multipv (\d+).* score (cp|mate) (-?\d+) (?!upperbound|lowerbound).* pv (\S+)', line)
            if info:
                cp = int(info[3]) if info[2] == 'cp' else 10_000 if int(info[3]) > 0 else -10_000
                found[int(info[1])] = (cp, info[4])
        raise SystemExit('the engine has ended')


def draw_opening(engine, known, lot, guest):
    """Moves by lot: those near the best, the better the likelier. `guest` is 0 for White, 1 for Black."""
    moves = [lot.choice(FIRST)] if guest == 1 or lot.random() < 0.85 else []
    for ply in range(len(moves), PLIES):
        key = ' '.join(moves)
        free = ply % 2 == guest
        if (key, free) not in known:
            known[key, free] = engine.search(moves, FIRST_NODES if ply < 3 else NODES, GUEST_LINES if free else LINES)
        best = known[key, free][0][0]
        within, temperature = GUEST if free else HOST
        near = [(cp, move) for cp, move in known[key, free] if best - cp <= within]
        weights = [math.exp((cp - best) / temperature) for cp, _ in near]
        moves.append(lot.choices([move for _, move in near], weights)[0])
    return moves


def play_out(engine, moves):
    """The result of the game after these moves."""
    won = level = 0
    while len(moves) < LONGEST:
        lines = engine.search(moves, GAME_NODES)
        if not lines:
            return '1/2-1/2'
        cp, move = lines[0]
        white = cp if len(moves) % 2 == 0 else -cp
        won = (max(won, 0) + 1 if white > WON else min(won, 0) - 1 if white < -WON else 0)
        level = level + 1 if abs(cp) < 15 and len(moves) > 50 else 0
        if abs(won) >= WON_PLIES:
            return '1-0' if won > 0 else '0-1'
        if level >= LEVEL_PLIES:
            return '1/2-1/2'
        moves.append(move)
    return '1/2-1/2'


def play(path, seed, games, out, lock):
    engine, known, lot = Engine(path), {}, random.Random(seed)
    for number in range(games):
        engine.say('ucinewgame')
        names = ('Guest', 'Samara') if number % 2 == 0 else ('Samara', 'Guest')
        moves = draw_opening(engine, known, lot, number % 2)
        result = play_out(engine, moves)
        text = ' '.join(f'{i // 2 + 1}. {m}' if i % 2 == 0 else m for i, m in enumerate(moves))
        with lock:
            out.write(f'[White "{names[0]}"]\n[Black "{names[1]}"]\n[Result "{result}"]\n\n{text} {result}\n\n')
            out.flush()
    engine.say('quit')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('samara')
    parser.add_argument('out')
    parser.add_argument('--games', type=int, default=1200)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    args = parser.parse_args()
    lock = threading.Lock()
    with open(args.out, 'w') as out:
        jobs = [threading.Thread(target=play, args=(args.samara, args.seed * 1000 + i, args.games // args.jobs, out, lock))
                for i in range(args.jobs)]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()


if __name__ == '__main__':
    main()
