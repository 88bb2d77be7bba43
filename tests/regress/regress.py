# SPDX-License-Identifier: GPL-3.0-or-later
"""What the cases share: running a program with words and files that it does not like."""
import os
import subprocess
import sys
import tempfile

BUILD = sys.argv.pop(1) if len(sys.argv) > 1 else 'build/release'
SCALE = int(os.environ.get('SAMARA_TIME_SCALE', '1'))


def program(name):
    return os.path.join(BUILD, name)


def run(words, text='', seconds=10, **more):
    """Exit code, output and errors of a program that must end by itself."""
    done = subprocess.run([program(words[0]), *words[1:]], input=text, capture_output='stdout' not in more, text=True,
                          timeout=seconds * SCALE, **more)
    return done.returncode, done.stdout or '', done.stderr or ''


def uci(*lines, seconds=10):
    code, out, err = run(['samara'], '\n'.join(lines + ('isready', 'quit')) + '\n', seconds)
    assert code == 0 and err == '', (code, err)
    assert 'readyok' in out, out
    return out


class Folder(tempfile.TemporaryDirectory):
    """with Folder() as path: a folder that vanishes."""


def skip(why):
    print(why)
    sys.exit(77)
