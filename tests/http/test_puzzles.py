#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training: puzzles of mistakes over HTTP, and from games on the command line. usage: test_puzzles.py SAMARA"""
import json
import os
import subprocess
import tempfile
import unittest

from serving import BINARY, Client, Schema, Server

MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
FORK = "r3k3/pp6/8/3N4/8/8/PP4PP/4K3 w - - 0 1"
GAME = """[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"""


class Puzzles(unittest.TestCase):
    def begin(self, *options, store=False):
        server = Server("--hash", "1", *options, store=store)
        self.addCleanup(server.stop)
        self.client = Client(server.port)
        self.addCleanup(self.client.connection.close)
        self.schema = Schema(self.client.get("/api/v1/openapi.json").json)
        return server

    def send(self, method, path, body=None, status=200):
        answer = self.client.post(path, body) if method == "POST" else self.client.send(method, path)
        self.assertEqual(answer.status, status, answer.body[:300])
        self.assertEqual(self.schema.answer_faults(method, path, answer), [])
        return answer

    def make(self, fen, move, status=201, **more):
        return self.send("POST", "/api/v1/puzzles", {"fen": fen, "move": move, "nodes": 20000, **more}, status).json

    def test_a_mistake_becomes_a_puzzle_once(self):
        self.begin()
        puzzle = self.make(MATE, "g1g2", title="Ann - Bob, 1", kind="punish")
        self.assertEqual((puzzle["solution_san"], puzzle["exact"], puzzle["kind"]), (["Ra8#"], True, "punish"))
        self.assertIn("mate", puzzle["themes"])
        self.assertTrue(400 <= puzzle["rating"] <= 2800)
        again = self.make(MATE, "g1g2", status=200)
        self.assertEqual(again["id"], puzzle["id"])
        self.assertEqual(self.send("GET", "/api/v1/puzzles").json["total"], 1)

    def test_what_is_no_mistake_is_refused(self):
        self.begin()
        self.assertEqual(self.make(MATE, "a1a8", status=422)["error"]["code"], "no_mistake")
        self.assertEqual(self.make(MATE, "a1b3", status=422)["error"]["code"], "illegal_move")
        answer = self.send("POST", "/api/v1/puzzles", {"fen": MATE}, 400)
        self.assertEqual(answer.json["error"]["code"], "missing_field")
        self.assertEqual(self.make(MATE, "g1g2", status=400, nodes=2000000)["error"]["field"], "nodes")

    def test_what_the_trainer_remembers_comes_back(self):
        self.begin()
        number = self.make(MATE, "g1g2")["id"]
        card = {"due": "2026-12-01T08:00:00.000Z", "stability": 2.5, "reps": 1}
        self.assertEqual(self.send("POST", f"/api/v1/puzzles/{number}", {"card": card}).json["card"], card)
        self.assertEqual(self.send("GET", f"/api/v1/puzzles/{number}").json["card"], card)
        self.send("POST", f"/api/v1/puzzles/{number}", {"card": {"x": "y" * 3000}}, 400)
        self.send("POST", f"/api/v1/puzzles/{number}", {"card": 7}, 400)
        self.send("POST", "/api/v1/puzzles/999", {"card": card}, 404)
        self.send("DELETE", f"/api/v1/puzzles/{number}")
        self.send("DELETE", f"/api/v1/puzzles/{number}", status=404)
        self.assertEqual(self.send("GET", "/api/v1/puzzles").json["puzzles"], [])

    def test_files_for_other_programs(self):
        self.begin()
        self.make(MATE, "g1g2", title='Ann "A" - Bob')
        self.make(FORK, "d5e3")
        pgn = self.send("GET", "/api/v1/puzzles.pgn").body.decode()
        epd = self.send("GET", "/api/v1/puzzles.epd").body.decode()
        self.assertEqual(pgn.count("[SetUp \"1\"]"), 2)
        self.assertIn('[Event "Ann \\"A\\" - Bob"]', pgn)
        self.assertEqual(len(epd.splitlines()), 2)
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("p.pgn", pgn), ("p.epd", epd)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run([BINARY, "analyse", os.path.join(folder, "p.epd"), "--nodes", "20000"],
                                  stdout=subprocess.PIPE, text=True, check=True)
            self.assertRegex(done.stdout, r"2 of 2|2/2")

    def test_a_restart_loses_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "games.db")
            server = self.begin("--db", path, store=True)
            number = self.make(MATE, "g1g2")["id"]
            self.send("POST", f"/api/v1/puzzles/{number}", {"card": {"reps": 3}})
            self.client.connection.close()
            self.assertEqual(server.stop(), 0)
            self.begin("--db", path, store=True)
            self.assertEqual(self.send("GET", f"/api/v1/puzzles/{number}").json["card"], {"reps": 3})

    def test_games_on_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "g.pgn")
            with open(path, "w", encoding="utf-8") as file:
                file.write(GAME)

            def puzzles(*words):
                return subprocess.run([BINARY, "puzzles", path, "--nodes", "20000", *words], stdout=subprocess.PIPE, text=True,
                                      check=True).stdout

            found = [json.loads(line) for line in puzzles("--format", "json").splitlines()]
            self.assertIn("Nf6", [p["played_san"] for p in found])
            self.assertTrue(all(p["title"].startswith("Ann - Bob, move") for p in found))
            self.assertNotIn("Nf6", puzzles("--player", "Ann", "--format", "json"))
            self.assertIn(" bm ", puzzles("--format", "epd"))
            self.assertIn("[PuzzleRating ", puzzles("--format", "pgn"))
            none = subprocess.run([BINARY, "puzzles", "/no/such/file"], stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(none.returncode, 1)


if __name__ == "__main__":
    unittest.main()
