#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""new_network.py: everything that follows a new network, in one command.

    tools/new_network.py --books FOLDER [--suites FOLDER] [--old SAMARA] [step...]

Steps, in this order (default: all of them):
    wdl         plays 960 games at 7,000 and 8,000 nodes, fits win, draw and loss, writes src/engine/wdl.c, builds
    calibrate   ten levels 250 apart, --level-games between neighbours; moves the ratings in src/engine/level.c to what was
                measured, builds (about a quarter of an hour of two cores)
    levels      checks the same levels again, 200 games between neighbours
    suites      WAC at one second a position
    nodes       at 10,000 nodes a move against stockfish
    matches     at 2+0.02 against --old, stockfish and ethereal-chess; against --old at 10+0.1 and with two threads

Games are played by samara-match and kept in build/new_network: a run that was stopped goes on, and a step that is done is
not repeated (--again repeats it). The timed steps want an idle machine. The figures go into the table between the marks
'network figures' of docs/RESULTS.md, with the processor and the date."""
import argparse
import datetime
import json
import math
import re
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).resolve().parent.parent
BUILD = HOUSE / 'build/release'
WORK = HOUSE / 'build/new_network'
RESULTS = HOUSE / 'docs/RESULTS.md'
BEGIN, END = '<!-- network figures: begin -->', '<!-- network figures: end -->'
LEVELS = range(500, 2751, 250)


def run(command, **options):
    print('+', ' '.join(str(word) for word in command), flush=True)
    return subprocess.run([str(word) for word in command], check=True, **options)


def play(args, name, engines, book, games, each, extra=()):
    """The pairing first against second, from the folder if it has been played already."""
    path = WORK / f'{name}.json'
    if args.again:
        for old in WORK.glob(f'{name}.*'):
            old.unlink()
    if not path.exists():
        fresh = path.with_suffix('.new')
        command = [BUILD / 'samara-match']
        for settings in engines:
            command += ['-engine', *settings]
        command += ['-each', *each, *(['-openings', f'file={args.books / book}', 'order=random'] if book else []), '-seed', '1',
                    '-rounds', str(games // 2), '-concurrency', str(args.concurrency), '-quiet',
                    '-json', fresh, '-resume', path.with_suffix('.journal'), *extra]
        run(command, stdout=subprocess.DEVNULL)
        fresh.rename(path)
    return json.loads(path.read_text())['pairings'][0]


def samara(*settings, name='samara', binary=None):
    return [f'cmd={binary or BUILD / "samara"}', f'name={name}', *settings]


def figure(pairing):
    """'57.0 %, +49 ± 20 Elo (400 games, 150-94-156)': wins, losses, draws of the first engine."""
    elo = pairing['elo']
    wins, losses, draws = (pairing[key] for key in ('wins', 'losses', 'draws'))
    games = wins + losses + draws
    score = 100 * (wins + draws / 2) / games
    error = (elo['high'] - elo['low']) / 2
    return f'{score:.1f} %, {elo["value"]:+.0f} ± {error:.0f} Elo ({games} games, {wins}-{losses}-{draws})'


def step_wdl(args):
    """Unequal nodes, so that the two games of a pair are not mirror images."""
    games = []
    for book, count in (('unbalanced.epd', 640), ('balanced.epd', 320)):
        pgn = WORK / f'wdl-{book}.pgn'
        play(args, f'wdl-{book}', [samara('nodes=7000', name='a'), samara('nodes=8000', name='b')], book, count,
             ['option.Hash=16'], ['-pgnout', pgn])
        games.append(pgn)
    fit = run([BUILD / 'samara-train', 'wdl', *games], capture_output=True, text=True).stdout
    positions = int(re.search(r'(\d+) positions', fit).group(1))
    path = HOUSE / 'src/engine/wdl.c'
    text = path.read_text()
    for name in ('model_a', 'model_b'):
        row = re.search(rf'^static const double {name}.*$', fit, re.M).group(0)
        text = re.sub(rf'^static const double {name}.*$', lambda _: row, text, flags=re.M)
    network = sorted((HOUSE / 'nets').glob('*.nnue'))[-1].stem
    text = re.sub(r'[\d,]+ positions of 960 games', f'{positions:,} positions of 960 games', text)
    text = re.sub(r'samara-\d+', network, text)
    path.write_text(text)
    run(['cmake', '--build', BUILD, '--target', 'samara', 'samara-match', 'samara-train'])
    return {}


def play_levels(args, prefix, games):
    """Neighbouring levels, from the start position: their own book and their lots make the games differ."""
    for low in LEVELS[:-1]:
        limited = 'option.UCI_LimitStrength=true'
        yield low, play(args, f'{prefix}-{low}', [samara(limited, f'option.UCI_Elo={low + 250}', name='stronger'),
                                                  samara(limited, f'option.UCI_Elo={low}', name='weaker')],
                        None, games, ['tc=120+1'])


def relabelled(ratings, gaps):
    """The rows' ratings on the scale that the matches measured: each stretch of 250 between two levels is as long as the
    gap that was found there. The first stays, and so does the last, which is full strength."""
    scale = [LEVELS[0]]
    for gap in gaps:
        scale.append(scale[-1] + max(gap, 50))

    def measured(elo):
        k = min(max((elo - LEVELS[0]) // 250, 0), len(gaps) - 1)
        if elo >= LEVELS[-1]:  # beyond the matches: the rest of the way to full strength
            return scale[-1] + (elo - LEVELS[-1]) * (ratings[-1] - scale[-1]) / (ratings[-1] - LEVELS[-1])
        return scale[k] + (elo - LEVELS[k]) * (scale[k + 1] - scale[k]) / 250

    return [ratings[0], *(5 * round(measured(elo) / 5) for elo in ratings[1:-1]), ratings[-1]]


def gap_of(pairing):
    """Elo of the stronger, with half a game won by each, so that it is finite."""
    wins, losses, draws = (pairing[key] for key in ('wins', 'losses', 'draws'))
    score = (wins + draws / 2 + 0.5) / (wins + losses + draws + 1)
    return 400 * math.log10(score / (1 - score))


def step_calibrate(args):
    gaps = [gap_of(pairing) for _, pairing in play_levels(args, 'calibrate', args.level_games)]
    path = HOUSE / 'src/engine/level.c'
    head, table = path.read_text().split('steps[STEPS] = {', 1)
    table, tail = table.split('\n};', 1)
    row = r'\{(\d+), \{'
    new = iter(relabelled([int(elo) for elo in re.findall(row, table)], gaps))
    table = re.sub(row, lambda _: f'{{{next(new)}, {{', table)
    path.write_text(head + 'steps[STEPS] = {' + table + '\n};' + tail)
    run(['clang-format-14', '-i', path])
    run(['cmake', '--build', BUILD, '--target', 'samara', 'samara-match'])
    return {}


def step_levels(args):
    return {f'level {low + 250} against {low}': figure(pairing) for low, pairing in play_levels(args, 'level', 200)}


def step_suites(args):
    if not args.suites:
        return {}
    done = run([BUILD / 'samara', 'analyse', args.suites / 'wac.epd', '--movetime', '1000'], capture_output=True, text=True)
    solved = re.search(r'(\d+) of (\d+)', done.stdout.strip().splitlines()[-1])
    return {'WAC, one second each': f'{solved.group(1)} of {solved.group(2)}'}


def step_nodes(args):
    pairing = play(args, 'nodes-stockfish', [samara(), ['cmd=stockfish', 'name=stockfish']], 'balanced.epd', 200,
                   ['nodes=10000', 'option.Hash=16'])
    return {'10,000 nodes a move against stockfish': figure(pairing)}


def step_matches(args):
    rows = {}
    rivals = [('stockfish', ['cmd=stockfish'], 400),
              ('ethereal-chess', ['cmd=ethereal-chess', 'option.MoveOverhead=10'], 100)]
    fast = ['tc=2+0.02', 'option.Hash=16']
    if args.old:
        old = samara(binary=args.old.resolve(), name='old')
        for label, games, each in (('2+0.02', 400, fast), ('10+0.1', 200, ['tc=10+0.1', 'option.Hash=64']),
                                   ('2+0.02, two threads', 200, [*fast, 'option.Threads=2'])):
            two = ['-concurrency', '1'] if 'threads' in label else []
            pairing = play(args, f'old-{label}'.replace(' ', '-'), [samara(), old], 'balanced.epd', games, each, two)
            rows[f'{label} against the old build'] = figure(pairing)
    for name, settings, games in rivals:
        pairing = play(args, name, [samara(), [*settings, f'name={name}']], 'balanced.epd', games, fast)
        rows[f'2+0.02 against {name}'] = figure(pairing)
    return rows


STEPS = {'wdl': step_wdl, 'calibrate': step_calibrate, 'levels': step_levels, 'suites': step_suites, 'nodes': step_nodes, 'matches': step_matches}


def processor():
    for line in Path('/proc/cpuinfo').read_text().splitlines():
        if line.startswith('model name'):
            return line.split(':', 1)[1].strip()
    return 'unknown processor'


def write_results(rows):
    """Replaces the rows of the same name in the table between the marks, and adds the others behind them."""
    text = RESULTS.read_text()
    before, rest = text.split(BEGIN)
    table, after = rest.split(END)
    network = sorted((HOUSE / 'nets').glob('*.nnue'))[-1].stem
    today = f'{datetime.date.today()}, {network}, {processor()}'
    kept = {}
    for line in table.strip().splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip('|').split('|')]
        kept[cells[0]] = cells[1:]
    for name, value in rows.items():
        kept[name] = [value, today]
    lines = ['| what | figure | when, network, processor |', '|---|---|---|']
    lines += [f'| {name} | {" | ".join(cells)} |' for name, cells in kept.items()]
    RESULTS.write_text(before + BEGIN + '\n' + '\n'.join(lines) + '\n' + END + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--books', type=Path, required=True, help='folder of balanced.epd and unbalanced.epd')
    parser.add_argument('--suites', type=Path, help='folder of wac.epd')
    parser.add_argument('--old', type=Path, help='an older samara to play against')
    parser.add_argument('--concurrency', type=int, default=2)
    parser.add_argument('--level-games', type=int, default=100, help='games between neighbouring levels to calibrate by')
    parser.add_argument('--again', action='store_true', help='repeat steps that are done')
    parser.add_argument('steps', nargs='*', choices=[*STEPS, []], help='default: all')
    args = parser.parse_args()
    args.books = args.books.resolve()
    WORK.mkdir(parents=True, exist_ok=True)
    for name in args.steps or STEPS:
        rows = STEPS[name](args)
        if rows:
            write_results(rows)
        for label, value in rows.items():
            print(f'{label}: {value}', flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
