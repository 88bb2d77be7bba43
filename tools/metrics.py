#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""metrics.py [SRC]: how the source is built, folder by folder.

For each folder: files, lines, functions, their length in lines (median, 90th percentile, longest), the share of functions
above eight lines that begin with a comment, and the largest file. Then the longest functions, and module cycles (modules
that include each other in a circle). With --check it fails if a file is above 700 lines, a cycle exists, or fewer than
85 % of the functions above eight lines have a lead comment."""
import argparse
import re
import sys
from pathlib import Path
from statistics import median

SHORT, MOST_LINES, LEAST_COMMENTED = 8, 700, 0.85
NAME = re.compile(r'(\w+)\(')
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


class Function:
    def __init__(self, file, name, line, length, commented):
        self.file, self.name, self.line, self.length, self.commented = file, name, line, length, commented


def functions(file):
    """Function definitions as clang-format leaves them: the body between '{' and '}' in the first column."""
    lines = file.read_text(errors='replace').splitlines()
    for at, line in enumerate(lines):
        if line != '{':
            continue
        end = next((i for i in range(at + 1, len(lines)) if lines[i] == '}'), None)
        begin = at - 1
        while begin > 0 and lines[begin].startswith((' ', '\t')):
            begin -= 1
        match = NAME.search(lines[begin])
        if end is None or not match or lines[begin].startswith(('struct', 'typedef', 'enum', '#', '/*')):
            continue
        before = lines[begin - 1].rstrip() if begin else ''
        yield Function(file, match.group(1), begin + 1, end - at - 1, before.endswith('*/') or before.startswith('//'))


def module_of(name):
    return re.sub(r'(_impl)?\.\w+$', '', name)


def include_graph(src):
    graph = {}
    for file in sorted(src.rglob('*.[ch]')):
        module = module_of(file.relative_to(src).as_posix())
        uses = graph.setdefault(module, set())
        for line in file.read_text(errors='replace').splitlines():
            if match := INCLUDE.match(line):
                uses.add(module_of(match.group(1)))
        uses.discard(module)
    return graph


def cycles(graph):
    """Strongly connected components of more than one module (Tarjan)."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for other in graph.get(node, ()):
            if other not in graph:
                continue
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while not component or component[-1] != node:
                component.append(stack.pop())
                on_stack.discard(component[-1])
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for node in graph:
        if node not in index:
            visit(node)
    return found


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else 0


def commented_share(found):
    long = [f for f in found if f.length > SHORT]
    return sum(f.commented for f in long) / len(long) if long else 1.0


def print_row(label, files, found):
    lines = {file: len(file.read_text(errors='replace').splitlines()) for file in files}
    lengths = [f.length for f in found] or [0]
    largest = max(lines, key=lines.get)
    print(f'{label:12} {len(files):5} {sum(lines.values()):6} {len(found):9} {median(lengths):6.0f} '
          f'{percentile(lengths, 0.9):4} {max(lengths):7} {100 * commented_share(found):8.0f} %  '
          f'{largest.name} {lines[largest]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('src', nargs='?', default=Path(__file__).resolve().parent.parent / 'src', type=Path)
    parser.add_argument('--check', action='store_true', help='fail where a limit is broken')
    parser.add_argument('--uncommented', action='store_true', help='list the long functions without a lead comment')
    options = parser.parse_args()
    src = options.src
    files = sorted(f for f in src.rglob('*') if f.suffix in ('.c', '.h'))
    found = {file: list(functions(file)) for file in files}
    everything = [f for part in found.values() for f in part]
    if options.uncommented:
        for f in everything:
            if f.length > SHORT and not f.commented:
                print(f'{f.file.relative_to(src)}:{f.line}: {f.name} ({f.length} lines)')
        return 0

    print(f'{"folder":12} {"files":>5} {"lines":>6} {"functions":>9} {"median":>6} {"p90":>4} {"longest":>7} '
          f'{"commented":>10}  largest file')
    folders = sorted({file.relative_to(src).parts[0] for file in files})
    for folder in folders:
        part = [file for file in files if file.relative_to(src).parts[0] == folder]
        print_row(folder, part, [f for file in part for f in found[file]])
    print_row('all', files, everything)
    print('\nlongest functions')
    for f in sorted(everything, key=lambda f: -f.length)[:5]:
        print(f'  {f.length:4}  {f.name}  {f.file.relative_to(src)}:{f.line}')
    circles = cycles(include_graph(src))
    print('\nmodule cycles:', '; '.join(' <-> '.join(c) for c in circles) or 'none')

    faults = [f'{file.relative_to(src)} has more than {MOST_LINES} lines' for file in files
              if len(file.read_text(errors='replace').splitlines()) > MOST_LINES]
    if circles:
        faults.append(f'{len(circles)} module cycles')
    if commented_share(everything) < LEAST_COMMENTED:
        faults.append(f'only {100 * commented_share(everything):.0f} % of the functions above {SHORT} lines begin with '
                      'a comment')
    if options.check:
        for fault in faults:
            print(f'metrics: {fault}', file=sys.stderr)
    return 1 if options.check and faults else 0


if __name__ == '__main__':
    sys.exit(main())
