#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_tls.py SAMARA: the example of docs/SCALE.md on loopback: a worker reaches Redis through two stunnels, TLS between them. A
tunnel that trusts another authority carries nothing."""
import http.client
import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from broker import Redis, free_port

samara = sys.argv[1]
signal.alarm(120)
if not shutil.which('stunnel') or not shutil.which('openssl'):
    print('skipped: there is no stunnel')
    sys.exit(77)


def make_keys(folder, name):
    """An authority of this name, and a certificate of it: NAME-ca.pem, NAME.pem."""
    def openssl(*words):
        subprocess.run(['openssl', *words], check=True, capture_output=True, cwd=folder)
    openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', f'{name}-ca.key', '-out', f'{name}-ca.pem', '-days', '2',
            '-subj', f'/CN={name} authority')
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', f'{name}.key', '-out', f'{name}.csr', '-subj', '/CN=localhost')
    openssl('x509', '-req', '-in', f'{name}.csr', '-CA', f'{name}-ca.pem', '-CAkey', f'{name}-ca.key', '-CAcreateserial', '-days', '2',
            '-out', f'{name}.crt')
    with open(f'{folder}/{name}.pem', 'w') as out:
        for part in ('key', 'crt'):
            with open(f'{folder}/{name}.{part}') as file:
                out.write(file.read())


def tunnel(name, *lines):
    path = f'{folder}/{name}.conf'
    with open(path, 'w') as file:
        file.write('foreground = yes\npid =\n[redis]\n' + '\n'.join(lines) + '\n')
    return subprocess.Popen(['stunnel', path], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def worker(port):
    return subprocess.Popen([samara, 'work', '--broker', f'redis://:secret@127.0.0.1:{port}/0', '--threads', '1'],
                            stderr=subprocess.DEVNULL)


def workers_seen():
    done = subprocess.run([samara, 'queue', 'status', '--broker', f'redis://:secret@127.0.0.1:{redis.port}/0'], capture_output=True,
                          text=True)
    return done.stdout.count('\nworker ')


with tempfile.TemporaryDirectory() as folder, Redis('--requirepass', 'secret') as redis:
    make_keys(folder, 'ours')
    make_keys(folder, 'other')
    outside, near, far = free_port(), free_port(), free_port()
    both = ['client = yes', f'connect = 127.0.0.1:{outside}', 'verifyChain = yes']
    running = [tunnel('front', f'accept = 127.0.0.1:{outside}', f'connect = 127.0.0.1:{redis.port}', f'cert = {folder}/ours.pem'),
               tunnel('worker', *both, f'accept = 127.0.0.1:{near}', f'CAfile = {folder}/ours-ca.pem'),
               tunnel('stranger', *both, f'accept = 127.0.0.1:{far}', f'CAfile = {folder}/other-ca.pem')]
    try:
        time.sleep(1)
        with socket.create_connection(('127.0.0.1', outside), 5) as plain:  # no TLS, no Redis
            plain.settimeout(5)
            plain.sendall(b'PING\r\n')
            try:
                answer = plain.recv(100)
            except ConnectionResetError:
                answer = b''
            assert b'PONG' not in answer and b'NOAUTH' not in answer, answer
        running.append(worker(far))
        time.sleep(4)
        assert workers_seen() == 0, 'a tunnel without trust carried something'
        running.append(worker(near))
        front = subprocess.Popen([samara, 'serve', '--port', '0', '--no-store', '--broker',
                                  f'redis://:secret@127.0.0.1:{redis.port}/0'], stdout=subprocess.PIPE, text=True)
        running.append(front)
        port = int(front.stdout.readline().rsplit(':', 1)[1].strip('/\n'))
        client = http.client.HTTPConnection('127.0.0.1', port, timeout=30)
        client.request('POST', '/api/v1/analyse', json.dumps({'nodes': 2000}), {'Content-Type': 'application/json'})
        answer = client.getresponse()
        text = answer.read()
        assert answer.status == 200 and b'"best' in text, (answer.status, text)
        time.sleep(3.5)
        assert workers_seen() == 1
    finally:
        for process in running:
            process.kill()
            process.wait()
    print('one worker through TLS, none without trust')
