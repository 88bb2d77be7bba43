#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_front.py SAMARA: what clients of front doors see: the same job through two of them, parts of a stream, a client
that leaves, a report, what is known again after Redis was wiped, 503 and --broker-local while Redis is away, metrics."""
import http.client
import json
import subprocess
import sys
import time

from broker import Redis

samara = sys.argv[1]


def start(*more):
    process = subprocess.Popen([samara, 'serve', '--port', '0', '--no-store', '--broker', redis.url, *more],
                               stdout=subprocess.PIPE, text=True)
    processes.append(process)
    return int(process.stdout.readline().rsplit(':', 1)[1].strip('/\n'))


def ask(port, method, path, body=None):
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    connection.request(method, path, json.dumps(body) if body is not None else None, {'Content-Type': 'application/json'})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, json.loads(text) if text.startswith('{') else text


def totals(port):
    time.sleep(2.5)  # the server looks every two seconds
    return ask(port, 'GET', '/api/v1/queue')[1]


processes = []
refused = subprocess.run([samara, 'work', '--broker', 'redis://192.0.2.1:6379'], capture_output=True, text=True, timeout=20)
assert refused.returncode == 2 and '--broker-exposed' in refused.stderr, refused.stderr
with Redis() as redis:
    try:
        a, b, local = start(), start(), start('--broker-local')
        worker = subprocess.Popen([samara, 'work', '--broker', redis.url, '--threads', '1'], stderr=subprocess.DEVNULL)
        processes.append(worker)
        first = ask(a, 'POST', '/api/v1/analyse', {'nodes': 30000})
        again = ask(b, 'POST', '/api/v1/analyse', {'nodes': 30000})
        assert first[0] == 200 and first == again, (first, again)  # one search, two front doors
        assert ask(a, 'POST', '/api/v1/analyse', {'fen': 'x'})[0] == 400
        assert ask(a, 'POST', '/api/v1/analyse', {'searchmoves': ['e2e5']})[0] == 422
        text = ask(a, 'GET', '/api/v1/stream?movetime=2000')[1]
        assert text.count('event: info') >= 2 and text.count('event: done') == 1, text[-300:]

        # A client that leaves ends its search within a second or two; the worker is free for the next.
        connection = http.client.HTTPConnection('127.0.0.1', a, timeout=60)
        connection.request('GET', '/api/v1/stream?movetime=60000')
        answer = connection.getresponse()
        assert b'event: info' in answer.read(300)
        answer.close()
        connection.close()
        begin = time.monotonic()
        assert ask(b, 'POST', '/api/v1/analyse', {'nodes': 1000})[0] == 200
        assert time.monotonic() - begin < 10, 'the search of the client that left went on'

        game = ask(a, 'POST', '/api/v1/games', {'pgn': '1. f3 e5 2. g4 Qh4# 0-1', 'report': {'nodes': 3000}})[1]
        for _ in range(100):
            report = ask(a, 'GET', '/api/v1/games/' + game['id'])[1]
            if report['state'] == 'done':
                break
            time.sleep(0.2)
        assert report['state'] == 'done' and '??' in report['annotated_pgn'], report['state']

        deep = {'fen': '8/8/8/8/4k3/8/4P3/4K3 w - - 0 1', 'depth': 16}
        assert 'cached' not in ask(a, 'POST', '/api/v1/analyse', deep)[1]
        time.sleep(1)
        assert ask(b, 'POST', '/api/v1/analyse', {**deep, 'depth': 15})[1]['cached'] is True
        redis.cli('FLUSHALL')
        for _ in range(40):  # front door a gives back what its store knows
            time.sleep(0.25)
            known = ask(b, 'POST', '/api/v1/analyse', {**deep, 'depth': 14})[1]
            if known.get('cached'):
                break
        assert known.get('cached') is True, known
        for _ in range(100):  # and the worker says again that it is there
            numbers = totals(a)
            if numbers['workers']:
                break
            time.sleep(0.2)
        assert numbers['status'] == 'ok' and len(numbers['workers']) == 1, numbers
        assert 'samara_queue_up 1' in ask(a, 'GET', '/api/v1/metrics')[1]

        redis.kill()
        time.sleep(1)
        begin = time.monotonic()
        status, body = ask(a, 'POST', '/api/v1/analyse', {'nodes': 1001})
        assert status == 503 and body['error']['code'] == 'queue_away' and time.monotonic() - begin < 2, body
        assert ask(local, 'POST', '/api/v1/analyse', {'nodes': 1001})[0] == 200
        redis.start()
        for _ in range(40):
            if ask(a, 'POST', '/api/v1/analyse', {'nodes': 1002})[0] == 200:
                break
            time.sleep(0.25)
        assert ask(a, 'POST', '/api/v1/analyse', {'nodes': 1003})[0] == 200
        worker.terminate()
        assert worker.wait(20) == 0
    finally:
        for process in processes:
            process.kill()
            process.wait()
