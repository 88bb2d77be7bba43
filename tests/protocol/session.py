#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays scripted conversations against an engine.

usage: session.py ENGINE FILE...        exit code 0: all of them passed

A line of a script is sent as it is. '# ' begins a comment. Directives:
  #!expect PREFIX MS   a line with this prefix must come within MS, after the line that matched last
  #!match REGEX MS     the same, for a regular expression anywhere in the line
  #!reject PREFIX MS   no such line may come within MS
  #!never REGEX        no line so far, first to last, may match
  #!count PREFIX N MS  exactly N such lines so far, after waiting up to MS for them
  #!idle MS            during MS the engine may use hardly any processor time
  #!sleep MS           #!raw ESCAPED (bytes, no newline)       #!rep N ESCAPED (the same N times)
  #!tryraw ESCAPED     as raw, but the engine may be gone      #!shuffle N (a game of N knight moves)
  #!loop N ... #!end   #!stall MS (do not read)                #!signal NAME
  #!closein #!closeout close a pipe
  #!exit MS [any]      the engine must leave within MS, with code 0 unless 'any'
At the end the engine must leave at `quit` within 3 s with code 0. A sanitizer's report fails the conversation.
SAMARA_TIME_SCALE multiplies all times within which something must come (for sanitizer builds)."""
import os
import re
import signal
import subprocess
import sys
import threading
import time

SCALE = float(os.environ.get('SAMARA_TIME_SCALE', '1'))
REPORTS = (b'AddressSanitizer', b'ThreadSanitizer', b'runtime error:', b'LeakSanitizer', b'Assertion')
KNIGHTS = ('g1f3', 'g8f6', 'f3g1', 'f6g8')


class Failure(Exception):
    pass


class Engine:
    """The process, and everything it has said so far."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, bufsize=0)
        self.lines, self.seen, self.errors = [], 0, b''
        self.changed = threading.Condition()
        self.reading = threading.Event()
        self.reading.set()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.error_reader = threading.Thread(target=self._read_errors, daemon=True)
        self.error_reader.start()

    def _read(self):
        rest = b''
        while True:
            self.reading.wait()
            try:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
            except (OSError, ValueError):
                break
            if not data:
                break
            *lines, rest = (rest + data).split(b'\n')
            with self.changed:
                self.lines += [line.decode('latin1').rstrip('\r') for line in lines]
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def _read_errors(self):
        while True:
            try:
                data = os.read(self.process.stderr.fileno(), 1 << 16)
            except (OSError, ValueError):
                return
            if not data:
                return
            self.errors += data

    def send(self, data):
        try:
            self.process.stdin.write(data)
        except (OSError, ValueError):
            raise Failure('the engine takes no input any more (code %s)' % self.process.poll())

    def find(self, wanted, ms):
        """Is there a line, after the one found last, for which wanted(line)? Waits for it."""
        end = time.monotonic() + ms / 1000
        with self.changed:
            while True:
                while self.seen < len(self.lines):
                    line = self.lines[self.seen]
                    self.seen += 1
                    if wanted(line):
                        return True
                left = end - time.monotonic()
                if left <= 0 or not self.reader.is_alive():
                    return False
                self.changed.wait(min(left, 0.05))

    def count(self, prefix):
        return sum(line.strip().startswith(prefix) for line in self.lines)

    def cpu_seconds(self):
        fields = open('/proc/%d/stat' % self.process.pid).read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def wait(self, ms):
        try:
            return self.process.wait(ms / 1000)
        except subprocess.TimeoutExpired:
            raise Failure('still alive after %d ms' % ms)

    def kill(self):
        self.reading.set()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def unescape(text):
    return text.encode('latin1').decode('unicode_escape').encode('latin1')


def check(condition, text):
    if not condition:
        raise Failure(text)


class Session:
    def __init__(self, engine, path):
        self.engine, self.gone, self.loops, self.at = engine, False, [], 0
        self.script = open(path, encoding='latin1').read().split('\n')
        if self.script[-1] == '':
            self.script.pop()

    def do_expect(self, rest):
        prefix, ms = rest.rsplit(' ', 1)
        check(self.engine.find(lambda line: line.strip().startswith(prefix), int(ms) * SCALE), 'did not come')

    def do_match(self, rest):
        pattern, ms = rest.rsplit(' ', 1)
        check(self.engine.find(lambda line: re.search(pattern, line), int(ms) * SCALE), 'did not come')

    def do_reject(self, rest):
        prefix, ms = rest.rsplit(' ', 1)
        check(not self.engine.find(lambda line: line.strip().startswith(prefix), int(ms)), 'came')

    def do_never(self, rest):
        for line in list(self.engine.lines):
            check(not re.search(rest, line), 'came: ' + line[:100])

    def do_count(self, rest):
        prefix, wanted, ms = rest.rsplit(' ', 2)
        end = time.monotonic() + int(ms) / 1000 * SCALE
        while self.engine.count(prefix) < int(wanted) and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.05)
        check(self.engine.count(prefix) == int(wanted), 'there are %d' % self.engine.count(prefix))

    def do_idle(self, rest):
        before = self.engine.cpu_seconds()
        time.sleep(int(rest) / 1000)
        used = self.engine.cpu_seconds() - before
        check(used <= 0.05 * SCALE, 'used %.2f s of processor time' % used)

    def do_sleep(self, rest):
        time.sleep(int(rest) / 1000)

    def do_raw(self, rest):
        self.engine.send(unescape(rest))

    def do_tryraw(self, rest):
        try:
            self.engine.send(unescape(rest))
        except Failure:
            pass

    def do_rep(self, rest):
        times, text = rest.split(' ', 1)
        self.engine.send(unescape(text) * int(times))

    def do_shuffle(self, rest):
        moves = ' '.join(KNIGHTS[i % 4] for i in range(int(rest)))
        self.engine.send(('position startpos moves %s\n' % moves).encode())

    def do_loop(self, rest):
        self.loops.append([self.at, int(rest)])

    def do_end(self, _):
        self.loops[-1][1] -= 1
        if self.loops[-1][1] > 0:
            self.at = self.loops[-1][0]
        else:
            self.loops.pop()

    def do_stall(self, rest):
        self.engine.reading.clear()
        time.sleep(int(rest) / 1000)
        self.engine.reading.set()

    def do_signal(self, rest):
        os.kill(self.engine.process.pid, getattr(signal, rest))

    def do_closein(self, _):
        try:
            self.engine.process.stdin.close()
        except OSError:
            pass

    def do_closeout(self, _):
        self.engine.reading.clear()
        self.engine.process.stdout.close()

    def do_exit(self, rest):
        words = rest.split()
        code = self.engine.wait(int(words[0]) * SCALE)
        check(code == 0 or 'any' in words, 'exit code %s' % code)
        self.gone = True

    def step(self, line):
        if line.startswith('#!'):
            name, _, rest = line[2:].partition(' ')
            getattr(self, 'do_' + name)(rest)
        elif not line.startswith('# ') and line != '#':
            self.engine.send(line.encode('latin1') + b'\n')

    def run(self):
        while self.at < len(self.script):
            line = self.script[self.at]
            self.at += 1
            try:
                self.step(line)
            except Failure as why:
                raise Failure('line %d, %s: %s' % (self.at, line[:80], why))
        if not self.gone:
            self.engine.send(b'quit\n')
            check(self.engine.wait(3000 * SCALE) == 0, 'exit code after quit')
        self.engine.error_reader.join(1)
        for report in REPORTS:
            check(report not in self.engine.errors, self.engine.errors.decode('latin1')[:2000])


def play(command, path):
    """None, or what went wrong."""
    engine = Engine(command)
    try:
        Session(engine, path).run()
        return None
    except Failure as why:
        return '%s; last said: %s' % (why, engine.lines[-1:])
    finally:
        engine.kill()


def main():
    command, paths = sys.argv[1].split(), sys.argv[2:]
    failed, start = 0, time.monotonic()
    for path in paths:
        why = play(command, path)
        failed += why is not None
        if why:
            print('FAIL %s: %s' % (os.path.basename(path), why), flush=True)
    print('%d conversations, %d failed, %.0f s' % (len(paths), failed, time.monotonic() - start))
    return 1 if failed or not paths else 0


if __name__ == '__main__':
    sys.exit(main())
