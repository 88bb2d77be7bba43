#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two whole games through the adapter PolyGlot: it speaks XBoard with the match tool and UCI with Samara.

usage: long_polyglot.py SAMARA SAMARA_MATCH     exit code 77: there is no polyglot here"""
import json
import os
import shutil
import subprocess
import sys
import tempfile


def main():
    samara, match = map(os.path.abspath, sys.argv[1:3])
    polyglot = shutil.which('polyglot', path=os.environ.get('PATH', '') + ':/usr/games')
    if not polyglot:
        print('skipped: polyglot is not installed')
        return 77
    with tempfile.TemporaryDirectory() as folder:
        settings, result = os.path.join(folder, 'polyglot.ini'), os.path.join(folder, 'result.json')
        with open(settings, 'w', encoding='utf-8') as file:
            file.write(f'[PolyGlot]\nEngineDir = {folder}\nEngineCommand = {samara}\nBook = false\nLog = false\n'
                       '[Engine]\nHash = 8\n')
        # Clocks are generous: who loses on time on a busy machine is not the question.
        done = subprocess.run([match, '-engine', f'cmd={polyglot}', f'arg={settings}', 'name=adapter', 'proto=xboard',
                               '-engine', f'cmd={samara}', 'name=direct', '-each', 'tc=5+0.05', 'timemargin=5000',
                               '-rounds', '1', '-games', '2', '-json', result, '-quiet'], timeout=900, check=False)
        with open(result, encoding='utf-8') as file:
            report = json.load(file)
    faults = [f"{engine['name']}: {count} x {name}" for engine in report['engines']
              for name, count in engine['faults'].items() if count]
    print('%d games, %d plies, faults: %s' % (report['games'], report['plies'], ', '.join(faults) or 'none'))
    good = done.returncode == 0 and report['games'] == 2 and report['plies'] > 20 and not faults
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
