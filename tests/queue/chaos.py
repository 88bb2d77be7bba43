#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""chaos.py SAMARA [options]: R26. A Redis, front doors, workers; everything dies, pauses and is cut off, at random.

Clients post positions to the front doors and repeat what was refused with 503. Oracle: every position is answered with
200 exactly once to its client, with what the same search gives alone; the queue delivered no more than the jobs and one
for each kill; no dead letters, no lease and no owner is left over; no refusal took longer than two seconds.

  --jobs N --workers N --worker-kills N --redis-kills N --pauses N --seed N
  --cuts N      the workers live in a network namespace whose link is cut so often (root)
  --clients N   connections that ask at a time"""
import argparse
import http.client
import json
import os
import random
import re
import subprocess
import sys
import threading
import time

from broker import Redis

parser = argparse.ArgumentParser()
parser.add_argument('samara')
for name, value in (('jobs', 400), ('workers', 4), ('worker-kills', 12), ('redis-kills', 2), ('pauses', 1), ('cuts', 0),
                    ('clients', 24), ('fronts', 2), ('nodes', 4000), ('seed', 1)):
    parser.add_argument('--' + name, type=int, default=value)
parser.add_argument('--fsync', default='always')
parser.add_argument('--limit', type=float, default=2.0, help='seconds that a refusal may take; sanitizers need more')
opt = parser.parse_args()
rng = random.Random(opt.seed)
namespace = f'samara{os.getpid()}'


def start_positions(count):
    """Positions that differ: random games of the engine's own generator."""
    out = subprocess.run([opt.samara, 'genfens', str(count), 'seed', str(opt.seed)], capture_output=True, text=True)
    fens = re.findall(r'[1-8pnbrqkPNBRQK/]+ [wb] \S+ \S+ \d+ \d+', out.stdout)
    assert len(fens) >= count, out.stderr
    return fens[:count]


class Network:
    """The workers' own namespace, and a pair of links to it. Cutting takes the link down, or loses and delays packets."""

    def __init__(self, wanted):
        self.wanted, self.host, self.prefix = wanted, '127.0.0.1', []
        if not wanted:
            return
        self.host, self.prefix = '10.213.77.1', ['ip', 'netns', 'exec', namespace]
        for line in (f'ip netns add {namespace}', 'ip link add smr0 type veth peer name smr1',
                     f'ip link set smr1 netns {namespace}', 'ip addr add 10.213.77.1/24 dev smr0', 'ip link set smr0 up',
                     f'ip -n {namespace} addr add 10.213.77.2/24 dev smr1', f'ip -n {namespace} link set smr1 up'):
            subprocess.run(line.split(), check=True)

    def cut(self, seconds):
        subprocess.run('ip link set smr0 down'.split(), check=True)
        time.sleep(seconds)
        subprocess.run('ip link set smr0 up'.split(), check=True)

    def lose(self, seconds):
        netem = subprocess.run('tc qdisc add dev smr0 root netem loss 20% delay 50ms'.split(), capture_output=True)
        if netem.returncode != 0:  # a kernel without netem
            return False
        time.sleep(seconds)
        subprocess.run('tc qdisc del dev smr0 root'.split(), check=True)
        return True

    def close(self):
        if self.wanted:
            subprocess.run(['ip', 'link', 'del', 'smr0'], capture_output=True)
            subprocess.run(['ip', 'netns', 'del', namespace], capture_output=True)


class Farm:
    """All processes."""

    def __init__(self, redis, network):
        self.redis, self.network = redis, network
        self.workers = [self.worker() for _ in range(opt.workers)]
        self.fronts, self.ports = [], []
        for _ in range(opt.fronts):
            front = subprocess.Popen([opt.samara, 'serve', '--port', '0', '--no-store', '--broker', redis.url,
                                      '--broker-exposed', '--engines', '1', '--streams', '1'], stdout=subprocess.PIPE, text=True)
            self.fronts.append(front)
            self.ports.append(int(front.stdout.readline().rsplit(':', 1)[1].strip('/\n')))

    def worker(self):
        return subprocess.Popen([*self.network.prefix, opt.samara, 'work', '--broker', self.redis.url, '--broker-exposed',
                                 '--threads', '1', '--kinds', 'analyse'], stderr=subprocess.DEVNULL)

    def kill_worker(self):
        i = rng.randrange(len(self.workers))
        self.workers[i].kill()
        self.workers[i].wait()
        self.workers[i] = self.worker()

    def close(self):
        for process in self.workers + self.fronts:
            process.kill()
            process.wait()


class Clients:
    """Each takes the next position and asks until it has its answer."""

    def __init__(self, fens, ports):
        self.fens, self.ports, self.next, self.lock = fens, ports, 0, threading.Lock()
        self.answers = [[] for _ in fens]
        self.refused, self.slowest_refusal, self.faults = 0, 0.0, []
        self.away_at = 0.0  # when Redis was taken away last: who waited before that may wait
        self.threads = [threading.Thread(target=self.run, args=(i,), daemon=True) for i in range(opt.clients)]
        for thread in self.threads:
            thread.start()

    def run(self, number):
        port = self.ports[number % len(self.ports)]
        connection = http.client.HTTPConnection('127.0.0.1', port, timeout=120)
        while True:
            with self.lock:
                if self.next >= len(self.fens):
                    return
                i, self.next = self.next, self.next + 1
            while not self.ask(connection, i):
                time.sleep(0.2)

    def ask(self, connection, i):
        start = time.monotonic()
        try:
            connection.request('POST', '/api/v1/analyse', json.dumps({'fen': self.fens[i], 'nodes': opt.nodes}),
                               {'Content-Type': 'application/json'})
            answer = connection.getresponse()
            body = json.loads(answer.read())
        except OSError as e:
            self.faults.append(f'{i}: {e!r}')
            connection.close()
            return False
        took = time.monotonic() - max(start, self.away_at)
        if answer.status == 200:
            self.answers[i].append((body['bestmove'], body['nodes'], body['lines'][0]['score']))
            return True
        if answer.status != 503 or body['error']['code'] not in ('queue_away', 'busy') or not body['error']['message']:
            self.faults.append(f'{i}: {answer.status} {body}')
            return True
        with self.lock:
            self.refused += 1
            self.slowest_refusal = max(self.slowest_refusal, took)
        return False

    def done(self):
        return sum(1 for a in self.answers if a)


def schedule():
    """What happens, in random order, spread over the run by the number of answers."""
    events = ['worker'] * opt.worker_kills + ['redis'] * opt.redis_kills + ['pause'] * opt.pauses + ['cut'] * opt.cuts
    rng.shuffle(events)
    step = opt.jobs * 0.9 / max(1, len(events))
    return [(int(step * (i + 0.5)), event) for i, event in enumerate(events)]


def play(farm, clients):
    happened = {'worker': 0, 'redis': 0, 'pause': 0, 'cut': 0, 'loss': 0}
    events = schedule()
    last = time.monotonic()
    count = 0
    while any(t.is_alive() for t in clients.threads):
        done = clients.done()
        if done > count:
            count, last = done, time.monotonic()
        if time.monotonic() - last > 90:
            raise SystemExit(f'no answer for 90 s at {done} of {opt.jobs}: {farm.redis.cli("INFO", "errorstats")}')
        while events and events[0][0] <= done:
            event = events.pop(0)[1]
            happened[event] += 1
            if event == 'worker':
                farm.kill_worker()
            elif event == 'redis':
                clients.away_at = time.monotonic()
                farm.redis.kill()
                time.sleep(rng.choice((0.2, 0.5, 2.5)))
                farm.redis.start()
            elif event == 'pause':
                clients.away_at = time.monotonic()
                farm.redis.pause(5)
            elif happened['cut'] % 2:
                farm.network.cut(3)
            elif farm.network.lose(3):
                happened['loss'] += 1
            else:
                farm.network.cut(3)
        time.sleep(0.02)
    return happened


def status(redis):
    out = subprocess.run([opt.samara, 'queue', 'status', '--json', '--broker', redis.url, '--broker-exposed'],
                         capture_output=True, text=True, check=True).stdout
    return {name: value for name, value in json.loads(out) if name != 'worker'}


def verify(farm, clients, happened):
    """Every claim of the oracle, by name."""
    for _ in range(40):  # the last worker that was killed still has a lease on a job that was answered
        numbers = status(farm.redis)
        if numbers['leased'] == 0 and numbers['waiting 0'] == 0:
            break
        time.sleep(0.5)
    kills = happened['worker'] + happened['redis']
    extra = numbers['total deliveries'] - opt.jobs
    once = sum(1 for a in clients.answers if len(a) == 1)
    alone = subprocess.run([opt.samara], input='uci\nsetoption name Hash value 32\n' + ''.join(
        f'ucinewgame\nposition fen {fen}\ngo nodes {opt.nodes}\nwait\n' for fen in clients.fens[:40]) + 'quit\n',
        capture_output=True, text=True, timeout=300)
    moves = re.findall(r'bestmove (\S+)', alone.stdout)
    print(f'{once} of {opt.jobs} answered exactly once; {happened}; deliveries beyond the jobs {extra}; refusals '
          f'{clients.refused}, slowest {clients.slowest_refusal:.2f} s; totals '
          f'{ {k[6:]: v for k, v in numbers.items() if k.startswith("total")} }')
    assert not clients.faults, clients.faults[:5]
    assert once == opt.jobs
    assert numbers['total done'] >= opt.jobs and numbers['dead_letters'] == 0, numbers
    assert extra <= kills, f'{extra} deliveries too many for {kills} kills'
    assert numbers['leased'] == 0 and numbers['waiting 0'] == 0 and numbers['owners'] == 0, numbers
    assert clients.slowest_refusal < opt.limit, clients.slowest_refusal
    assert len(moves) == len(clients.answers[:40])
    same = sum(1 for move, a in zip(moves, clients.answers) if a[0][0] == move)
    assert same == len(moves), f'only {same} of {len(moves)} answers are those of an engine alone'


network = Network(opt.cuts > 0)
try:
    with Redis(fsync=opt.fsync, host='0.0.0.0' if opt.cuts else '127.0.0.1') as redis:
        redis.url = f'redis://{network.host}:{redis.port}/0'
        fens = start_positions(opt.jobs)
        begin = time.monotonic()
        farm = Farm(redis, network)
        try:
            clients = Clients(fens, farm.ports)
            happened = play(farm, clients)
            print(f'{time.monotonic() - begin:.1f} s')
            verify(farm, clients, happened)
        finally:
            farm.close()
finally:
    network.close()
