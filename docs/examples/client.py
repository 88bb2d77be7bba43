#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client of `samara serve` in thirty lines: python3 client.py [http://127.0.0.1:8000]"""
import json
import sys
import urllib.parse
import urllib.request

SERVER = (sys.argv[1:] or ["http://127.0.0.1:8000"])[0].rstrip("/")


def ask(path, body=None, **query):
    url = f"{SERVER}{path}?{urllib.parse.urlencode(query)}" if query else SERVER + path
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"} if data else {})
    return urllib.request.urlopen(request)


best = json.load(ask("/api/v1/analyse", moves="e4,e5,Nf3", depth=10))
print("best:", best["san"], "score:", best["lines"][0]["score"])

for result in json.load(ask("/api/v1/batch", {"positions": [{"moves": ["e4"]}, {"moves": ["d4"]}], "depth": 8}))["results"]:
    print("after", result["fen"].split()[0], "comes", result["san"])

for line in ask("/api/v1/stream", depth=8, multipv=2):  # server-sent events: "event: ...", "data: ..."
    if line.startswith(b"data: "):
        print("depth", json.loads(line[6:])["depth"])

with open("board.svg", "wb") as picture:
    picture.write(ask("/api/v1/board.svg", moves="e4,e5,Nf3").read())
