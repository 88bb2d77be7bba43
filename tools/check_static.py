#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_static.py [--build DIR] [FILE...]: cppcheck and clang-tidy over the source, or over these files.

cppcheck leaves out what tools/cppcheck.txt lists, clang-tidy what .clang-tidy lists, each with the reason. clang-tidy
compiles as the build in DIR does (default build/release). Exit code 77 if neither tool is installed."""
import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run_cppcheck(tool, files):
    command = [tool, '--std=c17', '--enable=warning,performance,portability', '--inline-suppr', '--quiet',
               '--library=posix', '--suppress=missingIncludeSystem', '--suppressions-list=tools/cppcheck.txt',
               '--error-exitcode=1', '-Isrc', '-Iinclude', '-DNDEBUG', '-D__linux__', '--max-configs=1', *files]
    return subprocess.run(command, cwd=ROOT).returncode


def flags_of(build):
    """{file: [flag, ...]} of the files that this build compiles."""
    flags = {}
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        words = entry.get('arguments') or shlex.split(entry['command'])
        keep = [word for word in words if word.startswith(('-I', '-D', '-std', '-m'))]
        flags[os.path.relpath(os.path.join(entry['directory'], entry['file']), ROOT)] = keep
    return flags


def tidy(tool, file, flags):
    done = subprocess.run([tool, '--quiet', file, '--', *flags], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout


def run_tidy(tool, files, build):
    if not (build / 'compile_commands.json').exists():
        print(f'check_static: {build} is not configured', file=sys.stderr)
        return 1
    flags, code = flags_of(build), 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, (failed, text) in zip(files, pool.map(lambda f: tidy(tool, f, flags.get(f, [])), files)):
            if failed:
                print(text.strip() or f'{file}: clang-tidy failed')
                code = 1
    return code


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release')
    parser.add_argument('files', nargs='*')
    options = parser.parse_args()
    files = options.files or sorted(str(f.relative_to(ROOT)) for f in (ROOT / 'src').rglob('*.c'))
    cppcheck, clang_tidy = shutil.which('cppcheck'), shutil.which('clang-tidy-14') or shutil.which('clang-tidy')
    if not cppcheck and not clang_tidy:
        print('no cppcheck and no clang-tidy')
        return 77
    code = run_cppcheck(cppcheck, files) if cppcheck else 0
    if clang_tidy:
        compiled = flags_of(options.build.resolve()) if (options.build / 'compile_commands.json').exists() else {}
        wanted = [f for f in files if f in compiled]
        code = run_tidy(clang_tidy, wanted, options.build.resolve()) or code
    print(f'{len(files)} files', 'checked' if code == 0 else 'checked, see above')
    return code


if __name__ == '__main__':
    sys.exit(main())
