# SPDX-License-Identifier: GPL-3.0-or-later
"""A Redis of one's own, on a free port of 127.0.0.1 or on a socket, in a folder that is thrown away."""
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


class Redis:
    """with Redis() as r: r.url ..."""

    def __init__(self, *settings, fsync='everysec', host='127.0.0.1', prefix=()):
        if not shutil.which('redis-server'):
            print('skipped: there is no redis-server')
            sys.exit(77)
        self.folder = tempfile.mkdtemp(prefix='samara-redis-')
        self.host, self.port, self.prefix = host, free_port(), list(prefix)
        self.settings = ['--bind', host, '--port', str(self.port), '--dir', self.folder, '--save', '',
                         '--appendonly', 'yes', '--appendfsync', fsync, '--unixsocket', self.folder + '/socket',
                         '--protected-mode', 'no', *settings]
        self.url = f'redis://{host}:{self.port}/0'
        self.socket_url = f'unix:{self.folder}/socket'
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen([*self.prefix, 'redis-server', *self.settings], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        for _ in range(200):
            if self.cli('PING') == 'PONG' or 'NOAUTH' in self.cli('PING'):
                return
            time.sleep(0.05)
        raise RuntimeError('redis-server does not answer')

    def cli(self, *words, auth=()):
        done = subprocess.run(['redis-cli', '-s', self.folder + '/socket', *auth, '--raw', *words],
                              capture_output=True, text=True, timeout=30)
        return done.stdout.strip()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def pause(self, seconds):
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.process.send_signal(signal.SIGCONT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def other_network(train, folder):
    """A real network that is not ours: one pass over some games."""
    games, prefix = folder + '/some.games', folder + '/other'
    subprocess.run([train, 'datagen', '--out', games, '--games', '40', '--nodes', '20', '--threads', '1', '--hash', '1'], check=True,
                   capture_output=True)
    subprocess.run([train, 'train', '--out', prefix, games, '--hidden', '128', '--buckets', '1', '--epochs', '1', '--batch', '64',
                    '--threads', '1'], check=True, capture_output=True)
    return prefix + '.nnue'
