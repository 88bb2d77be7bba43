#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_layers.py [SRC]: does the source keep to its own map?

SRC/LAYERS has one line per folder: 'folder: folders it may include', where the word 'api' stands for the
public header samara.h. Fails, naming file and line, if
  - a file includes a folder that its line does not name,
  - a file includes samara.h without 'api', or another project header without its folder,
  - a module.c does not include its own module.h before everything else,
  - modules include each other in a circle, within a folder too (module_impl.h is the private half of module.h),
  - a platform or an instruction set is asked for outside the places that may (PLATFORM_FILES)."""
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'\s*#\s*include\s+(["<])([^">]+)[">]')
PLATFORM = re.compile(r'\s*#\s*(?:el)?if.*\b(_WIN32|__linux__|__APPLE__|__unix__|__x86_64__|__aarch64__|__ARM_\w+'
                      r'|__SSE\w*__|__AVX\w*__|__BMI2?__|__POPCNT__)\b')
PLATFORM_FILES = re.compile(r'base/|nnue/simd|chess/attacks\.')


def read_layers(path):
    """{'chess': {'chess', 'base'}, ...}"""
    layers = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split('#')[0].strip()
        if not line:
            continue
        folder, colon, uses = line.partition(':')
        if not colon:
            sys.exit(f'{path}:{number}: expected "folder: folders it may include"')
        layers[folder.strip()] = {folder.strip(), *uses.split()}
    for folder, uses in layers.items():
        if unknown := uses - layers.keys() - {'api'}:
            sys.exit(f'{path}: {folder} names the unknown layer {", ".join(sorted(unknown))}')
    return layers


def module_of(name):
    return name.rsplit('.', 1)[0].removesuffix('_impl')


def check_file(src, file, layers, graph):
    """Yields what is wrong with one file; adds its includes to graph, {module: {modules}}."""
    name = file.relative_to(src).as_posix()
    layer, module = name.split('/')[0], module_of(name)
    if layer not in layers:
        yield f'{name}: the folder {layer} is not in LAYERS'
        return
    needs_own_header = file.suffix == '.c' and file.with_suffix('.h').exists()

    for number, line in enumerate(file.read_text(errors='replace').splitlines(), 1):
        where = f'{name}:{number}'
        if PLATFORM.match(line) and not PLATFORM_FILES.match(name):
            yield f'{where}: only base, nnue/simd* and chess/attacks may ask for a platform'
        if not (match := INCLUDE.match(line)):
            continue
        quote, target = match.groups()
        if needs_own_header and module_of(target) != module:
            yield f'{where}: includes {target} before its own header'
        needs_own_header = False
        if quote == '<':
            continue
        if target == 'samara.h':
            if 'api' not in layers[layer]:
                yield f'{where}: layer {layer} may not use the public header samara.h'
        elif '/' not in target:
            yield f'{where}: write "{target}" with its folder'
        elif target.split('/')[0] not in layers[layer]:
            yield f'{where}: layer {layer} may not include {target}'
        elif not (src / target).exists():
            yield f'{where}: there is no {target}'
        elif (to := module_of(target)) != module:
            graph.setdefault(module, set()).add(to)


def find_circles(graph):
    """Yields each circle of modules once, as 'a -> b -> a'."""
    done = set()

    def visit(module, path):
        if module in path:
            yield ' -> '.join(path[path.index(module):] + [module])
        elif module not in done:
            for used in sorted(graph.get(module, ())):
                yield from visit(used, path + [module])
            done.add(module)

    for module in sorted(graph):
        yield from visit(module, [])


def check(src):
    """Returns the list of what is wrong, and the number of files that were looked at."""
    layers, graph = read_layers(src / 'LAYERS'), {}
    files = sorted([*src.rglob('*.c'), *src.rglob('*.h')])
    problems = [problem for file in files for problem in check_file(src, file, layers, graph)]
    problems += [f'a circle of includes: {circle}' for circle in find_circles(graph)]
    return problems, len(files)


if __name__ == '__main__':
    problems, count = check(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / 'src'))
    if count == 0:
        problems.append('no source files found')
    print('\n'.join(problems) or f'{count} files keep to src/LAYERS')
    sys.exit(bool(problems))
