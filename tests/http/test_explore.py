#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known without a search (explorer, book, endgame tables), what a live analysis may ask for, and what is there for
programmers: batches, pictures, documentation, example clients.
test_explore.py SAMARA [--tables FOLDER]"""
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from serving import BINARY, START, Client, Schema, Server

TABLES = ""
if "--tables" in sys.argv:
    at = sys.argv.index("--tables")
    TABLES = sys.argv[at + 1]
    del sys.argv[at:at + 2]
HAVE_TABLES = os.path.exists(os.path.join(TABLES, "KPvK.rtbw"))


def pgn(moves, result):
    return f'[White "A"]\n[Black "B"]\n[Result "{result}"]\n\n{moves} {result}\n'


GAMES = [pgn("1. e4 e5 2. Nf3 Nc6", "1-0"), pgn("1. e4 c5", "0-1"), pgn("1. Nf3 d5 2. d4 Nf6", "1/2-1/2"), pgn("1. d4 d5 2. Nf3 Nc6", "*")]


class Case(unittest.TestCase):
    def begin(self, *options, store=False):
        server = Server("--hash", "1", *options, store=store)
        self.addCleanup(lambda: self.assertEqual(server.stop(), 0))
        self.client = Client(server.port)
        self.addCleanup(self.client.connection.close)
        self.schema = Schema(self.client.get("/api/v1/openapi.json").json)
        return server

    def get(self, path, status=200):
        answer = self.client.send("GET", path)
        self.assertEqual(answer.status, status, answer.body[:300])
        self.assertEqual(self.schema.answer_faults("GET", path, answer), [])
        return answer.json

    def add(self, text):
        answer = self.client.post("/api/v1/games", {"pgn": text})
        self.assertEqual(answer.status, 201, answer.body)
        return answer.json["id"]

    def moves(self, path="/api/v1/explorer"):
        return [(m["san"], m["games"], m["white"], m["draws"], m["black"]) for m in self.get(path)["moves"]]


class Explorer(Case):
    def test_moves_are_counted_with_results_and_transpositions(self):
        self.begin()
        empty = self.get("/api/v1/explorer")
        self.assertEqual((empty["games"], empty["moves"], empty["book"], empty["recent"], empty["complete"]), (0, [], [], [], True))
        ids = [self.add(game) for game in GAMES]
        self.assertEqual(self.moves(), [("e4", 2, 1, 0, 1), ("d4", 1, 0, 0, 0), ("Nf3", 1, 0, 1, 0)])
        self.assertEqual(self.moves("/api/v1/explorer?moves=d4,d5,Nf3"), [("Nc6", 1, 0, 0, 0), ("Nf6", 1, 0, 1, 0)], "two ways, one position")
        self.assertEqual([g["id"] for g in self.get("/api/v1/explorer?moves=e4")["recent"]], [ids[1], ids[0]])
        self.assertEqual(self.client.send("DELETE", f"/api/v1/games/{ids[0]}").status, 200)
        self.assertEqual(self.moves("/api/v1/explorer?moves=e4"), [("c5", 1, 0, 0, 1)], "deleted games no longer count")

    def test_a_game_that_repeats_a_position_counts_once(self):
        self.begin()
        self.add(pgn("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8", "1/2-1/2"))
        self.assertEqual(self.moves(), [("Nf3", 1, 0, 1, 0)])

    def test_errors(self):
        self.begin()
        self.assertEqual(self.get("/api/v1/explorer?fen=x", 400)["error"]["field"], "fen")
        self.assertEqual(self.get("/api/v1/explorer?moves=e5", 422)["error"]["code"], "illegal_move")
        self.assertEqual(self.get("/api/v1/tables", 422)["error"]["code"], "no_tables")

    def test_many_games_are_taken_in_bit_by_bit(self):
        self.begin()
        for i in range(40):
            self.add(GAMES[i % 3])
        for _ in range(100):
            answer = self.get("/api/v1/explorer")
            if answer["complete"]:
                break
        self.assertEqual(answer["games"], 40)

    def test_the_book(self):
        with tempfile.TemporaryDirectory() as folder:
            games, book = os.path.join(folder, "g.pgn"), os.path.join(folder, "b.bin")
            with open(games, "w") as out:
                out.write("\n".join(GAMES[:3]))
            subprocess.run([BINARY, "book", "--build", book, games, "--min-games", "1"], check=True, stdout=subprocess.DEVNULL)
            self.begin("--book", book)
            self.assertTrue(self.get("/api/v1/health")["book"])
            moves = self.get("/api/v1/explorer")["book"]
            self.assertEqual(moves[0]["san"], "e4")
            self.assertAlmostEqual(sum(m["share"] for m in moves), 1, places=5)

    def test_levels_play_from_the_book(self):
        with tempfile.TemporaryDirectory() as folder:
            games, book = os.path.join(folder, "g.pgn"), os.path.join(folder, "b.bin")
            with open(games, "w") as out:
                out.write(pgn("1. h4 a5 2. g4", "1-0"))
            subprocess.run([BINARY, "book", "--build", book, games, "--min-games", "1"], check=True, stdout=subprocess.DEVNULL)
            self.begin("--book", book)
            level = self.client.post("/api/v1/analyse", {"elo": 1500, "nodes": 2000})
            self.assertEqual(level.json["bestmove"], "h2h4", level.body)
            self.assertEqual(self.schema.answer_faults("POST", "/api/v1/analyse", level), [])
            self.assertNotEqual(self.client.post("/api/v1/analyse", {"depth": 6}).json["bestmove"], "h2h4", "an analysis searches")

    def test_bad_files_end_the_start(self):
        for option, value in (("--book", "/nowhere.bin"), ("--syzygy", "/nowhere")):
            ended = subprocess.run([BINARY, "serve", "--port", "0", "--no-store", option, value], capture_output=True, text=True, timeout=60)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn("/nowhere", ended.stderr)


@unittest.skipUnless(HAVE_TABLES, "no endgame tables here")
class Tables(Case):
    def verdicts(self, fen):
        answer = self.get("/api/v1/tables?fen=" + fen.replace(" ", "%20"))
        return answer["verdict"], [(m["san"], m["verdict"], m["dtz"]) for m in answer["moves"]]

    def test_each_move_has_a_verdict(self):
        self.begin("--syzygy", TABLES)
        self.assertGreaterEqual(self.get("/api/v1/health")["table_men"], 3)
        self.assertEqual(self.verdicts("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"),
                         ("win", [("Kd6", "win", 3), ("Kf6", "win", 3), ("Kd5", "draw", 0), ("Kf5", "draw", 0)]))
        best, moves = self.verdicts("8/8/8/8/8/2k5/7q/K7 w - - 0 1")
        self.assertEqual(best, "loss")
        self.assertTrue(all(v == "loss" and d < 0 for _, v, d in moves))
        best, moves = self.verdicts("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
        self.assertEqual(moves[0], ("Qg7#", "win", 1))
        self.assertEqual(moves[-1][1], "draw")

    def test_the_fifty_move_rule_counts(self):
        self.begin("--syzygy", TABLES)
        best, moves = self.verdicts("8/8/8/3k4/8/8/8/KQ6 w - - 95 100")
        self.assertEqual(best, "cursed-win")

    def test_what_they_do_not_know(self):
        self.begin("--syzygy", TABLES)
        self.assertEqual(self.get("/api/v1/tables?fen=" + START.replace(" ", "%20"), 422)["error"]["code"], "not_in_tables")
        self.assertEqual(self.get("/api/v1/tables?fen=7k/5Q2/6K1/8/8/8/8/8%20b%20-%20-%200%201")["status"], "game_over")


class LiveAnalysis(Case):
    def events(self, path):
        answer = self.client.send("GET", path)
        return answer.status, answer.body.decode()

    def test_threads_and_hash_within_limits(self):
        self.begin("--stream-threads", "3", "--stream-hash", "16")
        health = self.get("/api/v1/health")
        self.assertEqual((health["threads_max"], health["hash"], health["hash_max"]), (3, 1, 16))
        for query in ("threads=3", "hash=16", "threads=2&hash=4", "threads=1"):
            status, text = self.events(f"/api/v1/stream?depth=7&{query}")
            self.assertEqual(status, 200, query)
            self.assertIn("event: done", text)
        for query, field in (("threads=4", "threads"), ("hash=17", "hash")):
            error = self.get(f"/api/v1/stream?depth=1&{query}", 400)["error"]
            self.assertEqual((error["code"], error["field"]), ("out_of_range", field))

    def test_a_chosen_depth_is_not_answered_with_a_deeper_one(self):
        self.begin()
        self.events("/api/v1/stream?depth=15")
        for _ in range(20):  # an event that nobody has read yet gives way to the next, so some may be missed
            _, text = self.events("/api/v1/stream?depth=3")
            self.assertNotIn('"cached":true', text)

    def test_analysis_by_get(self):
        self.begin()
        answer = self.get("/api/v1/analyse?moves=e4&depth=3&multipv=2")
        self.assertEqual((answer["turn"], len(answer["lines"]), answer["depth"]), ("black", 2, 3))
        self.assertEqual(self.get("/api/v1/analyse?depth=0", 400)["error"]["field"], "depth")


class Programmers(Case):
    def test_a_batch(self):
        self.begin()
        body = {"positions": [{"moves": ["e4"]}, {"fen": "x"}, {"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, 5, {"depth": 1}], "depth": 3}
        answer = self.client.post("/api/v1/batch", body)
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(self.schema.answer_faults("POST", "/api/v1/batch", answer), [])
        results = answer.json["results"]
        self.assertEqual([r["status"] for r in results], ["ok", "error", "game_over", "error", "error"])
        self.assertEqual(results[0]["turn"], "black")
        self.assertEqual([results[i]["error"]["field"] for i in (1, 3, 4)], ["fen", "positions", "depth"])
        for bad, field in (({}, "positions"), ({"positions": []}, "positions"), ({"positions": 3}, "positions"), ({"positions": [{}] * 257}, "positions"), ({"positions": [{}], "pgn": ""}, "pgn")):
            refused = self.client.post("/api/v1/batch", bad)
            self.assertEqual((refused.status, refused.json["error"]["field"]), (400, field))

    def test_a_picture(self):
        self.begin()
        answer = self.client.get("/api/v1/board.svg?moves=e4,e5,Nf3")
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "image/svg+xml; charset=utf-8"))
        root = xml.etree.ElementTree.fromstring(answer.body)
        uses = [u for u in root if u.tag.endswith("use")]
        self.assertEqual(len(uses), 32)
        self.assertEqual(len([r for r in root if r.tag.endswith("rect")]), 3, "the board and two marks")
        turned = xml.etree.ElementTree.fromstring(self.client.get("/api/v1/board.svg?orientation=black&size=90").body)
        self.assertEqual(turned.get("width"), "90")
        where = {(u.get("x"), u.get("y")): u.get("href") for u in turned if u.tag.endswith("use")}
        self.assertEqual((where["135", "0"], where["180", "315"]), ("#wk", "#bq"), "kings and queens seen from Black's side")
        for query, field in (("orientation=green", "orientation"), ("orientation=up", "orientation"), ("size=3", "size"), ("fen=x", "fen")):
            self.assertEqual(self.get("/api/v1/board.svg?" + query, 400)["error"]["field"], field)

    def test_every_operation_has_a_name_a_tag_and_an_example(self):
        self.begin()
        document = self.schema.document
        tags = {tag["name"] for tag in document["tags"]}
        self.assertTrue(document["servers"])
        seen = set()
        for path, item in document["paths"].items():
            for method in set(item) - {"parameters"}:
                operation = item[method]
                self.assertNotIn(operation["operationId"], seen)
                seen.add(operation["operationId"])
                self.assertTrue(set(operation["tags"]) <= tags and operation["tags"], path)
                if "requestBody" in operation:
                    content = operation["requestBody"]["content"]["application/json"]
                    self.assertEqual(self.schema.faults(content["example"], content["schema"]), [], path)
                    answer = self.client.send(method.upper(), path, content["example"])
                    if "{id}" in path: # nothing has this number: that is all that may be wrong
                        self.assertEqual((answer.status, answer.json["error"]["field"]), (404, "id"), path)
                        continue
                    if answer.status == 404: # a server with no broker has no queue
                        self.assertEqual((path, answer.json["error"]["code"]), ("/api/v1/queue", "no_queue"))
                        continue
                    self.assertIn(answer.status, (200, 201, 202), (path, answer.body[:200]))

    def test_several_games_are_all_stored_or_none(self):
        self.begin()
        answer = self.client.post("/api/v1/games", {"pgn": "\n".join(GAMES)})
        self.assertEqual(answer.status, 201, answer.body)
        self.assertEqual(self.schema.answer_faults("POST", "/api/v1/games", answer), [])
        self.assertEqual([(g["plies"], g["result"]) for g in answer.json["games"]], [(4, "1-0"), (2, "0-1"), (4, "1/2-1/2"), (4, "*")])
        for game, text in zip(answer.json["games"], GAMES):
            self.assertEqual(self.get(f"/api/v1/games/{game['id']}")["pgn"].strip(), text.strip())
        refused = self.client.post("/api/v1/games", {"pgn": GAMES[0] + "\n1. e4 e5 2. Ke3 *\n"})
        self.assertEqual((refused.status, refused.json["error"]["code"]), (422, "illegal_move"))
        self.assertTrue(refused.json["error"]["message"].startswith("Game 2: "), refused.body)
        self.assertEqual(self.get("/api/v1/games")["total"], 4, "nothing of it was stored")
        one = self.client.post("/api/v1/games", {"pgn": GAMES[0] + "\n\n  "})
        self.assertEqual((one.status, one.json["plies"]), (201, 4))

    def test_a_report_is_followed(self):
        self.begin()
        made = self.client.post("/api/v1/games", {"pgn": GAMES[0], "report": {"nodes": 3000}}).json
        answer = self.client.send("GET", f"/api/v1/games/{made['id']}/stream")
        events = re.findall(r"event: (\w+)\ndata: (.*)\n\n", answer.body.decode())
        self.assertEqual(events[-1][0], "done", events)
        self.assertEqual(json.loads(events[-1][1]), {"id": made["id"], "state": "done", "progress": {"done": 4, "total": 4}})
        self.assertTrue(all(name == "progress" for name, _ in events[:-1]))
        self.assertEqual(self.get(f"/api/v1/games/{made['id']}")["state"], "done")
        saved = self.client.post("/api/v1/games", {"pgn": GAMES[1]}).json
        self.assertIn('"state":"saved"', self.client.send("GET", f"/api/v1/games/{saved['id']}/stream").body.decode())
        self.assertEqual(self.get("/api/v1/games/999/stream", 404)["error"]["field"], "id")

    def test_those_who_follow_are_let_go_when_the_server_ends_or_the_game_is_deleted(self):
        server = self.begin()
        slow = self.client.post("/api/v1/games", {"pgn": GAMES[0], "analyse": {"movetime": 9000}}).json
        queued = self.client.post("/api/v1/games", {"pgn": GAMES[1], "analyse": {}}).json
        following = [http.client.HTTPConnection("127.0.0.1", server.port, timeout=30) for _ in range(3)]
        for connection, game in zip(following, (slow, queued, queued)):
            connection.request("GET", f"/api/v1/games/{game['id']}/stream")
        answers = [connection.getresponse() for connection in following]
        following[2].close()
        self.assertEqual(self.client.send("DELETE", f"/api/v1/games/{queued['id']}").status, 200)
        self.assertIn(b'"state":"deleted"', answers[1].read())
        self.assertEqual(server.stop(), 0)
        answers[0].read()
        for connection in following:
            connection.close()

    def test_the_documentation_page(self):
        self.begin()
        answer = self.client.get("/docs")
        self.assertEqual(answer.status, 200)
        self.assertIn("text/html", answer.headers["Content-Type"])
        self.assertIn(b"ui/docs-", answer.body)

    def test_origins(self):
        self.begin("--origin", "*")
        for origin in ("http://localhost:3000", "https://example.org", "null"):
            answer = self.client.send("GET", "/api/v1/legal", None, {"Origin": origin})
            self.assertEqual((answer.status, answer.headers["Access-Control-Allow-Origin"]), (200, origin))
        for bad in ("example.org", "https://example.org/path"):
            ended = subprocess.run([BINARY, "serve", "--port", "0", "--no-store", "--origin", bad], capture_output=True, text=True, timeout=60)
            self.assertEqual(ended.returncode, 2, bad)
            self.assertIn("--origin", ended.stderr)

    def test_the_example_clients(self):
        server = self.begin()
        examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/examples")
        programs = [[sys.executable, "client.py"]] + ([["node", "client.mjs"]] if shutil.which("node") else [])
        for runner, name in programs:
            with tempfile.TemporaryDirectory() as folder:
                ended = subprocess.run([runner, os.path.join(examples, name), f"http://127.0.0.1:{server.port}/"], cwd=folder, capture_output=True, text=True, timeout=120)
                self.assertEqual((ended.returncode, ended.stderr), (0, ""), name)
                self.assertRegex(ended.stdout, r"best: \S+ score: ")
                self.assertEqual(ended.stdout.count(" comes "), 2)
                self.assertRegex(ended.stdout, r"depth 8\n$")
                self.assertTrue(os.path.getsize(os.path.join(folder, "board.svg")) > 1000)


if __name__ == "__main__":
    unittest.main()
