# SPDX-License-Identifier: GPL-3.0-or-later
"""Every route and every error. usage: test_api.py SAMARA"""
import gzip
import json
import re
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from serving import SCALE, START, Client, Schema, Server

MATE = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
GAME = '[White "A"]\n[Black "B \\"q\\" \u00e9"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


class ApiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--engines", "2", "--hash", "1", "--max-time", "2000", "--origin", "https://friend.example")
        with Client(cls.server.port) as client:
            cls.schema = Schema(client.get("/api/v1/openapi.json").json)

    @classmethod
    def tearDownClass(cls):
        assert cls.server.stop() == 0, "the server must end cleanly"
        assert cls.server.complaints == "", cls.server.complaints

    def setUp(self):
        self.client = Client(self.server.port)
        self.addCleanup(self.client.connection.close)

    def call(self, method, path, body=None, status=200, headers=None):
        """Sends, checks the status and the answer against the OpenAPI document."""
        answer = self.client.send(method, path, body, headers)
        self.assertEqual(answer.status, status, answer.body[:300])
        self.assertEqual(self.schema.answer_faults(method, path, answer), [])
        self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
        return answer.json if "json" in answer.headers["Content-Type"] else answer.body.decode()

    def error(self, method, path, body, status, code, field=None, headers=None):
        answer = self.client.send(method, path, body, headers)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (status, code), answer.body[:300])
        self.assertEqual(answer.json["status"], "error")
        self.assertEqual(answer.json["error"].get("field"), field)
        self.assertTrue(answer.json["error"]["message"].endswith("."))
        return answer


class Documents(ApiTest):
    def test_the_openapi_document_is_whole(self):
        document = self.schema.document
        self.assertEqual(document["openapi"], "3.0.3")
        text = json.dumps(document)
        for reference in set(re.findall(r'"\$ref": "([^"]+)"', text)):
            self.schema.resolve({"$ref": reference})
        for path, item in document["paths"].items():
            parameters = {p["name"] for p in item.get("parameters", []) if p["in"] == "path"}
            self.assertEqual(set(re.findall(r"\{(\w+)\}", path)), parameters, path)
            for method in set(item) - {"parameters"}:
                self.assertIn("summary", item[method], path)
                self.assertTrue(any(code.startswith("2") for code in item[method]["responses"]), path)

    def test_every_described_path_exists(self):
        for path, item in self.schema.document["paths"].items():
            for method in set(item) - {"parameters"}:
                asked = path.replace("{id}", "12345") + ("?depth=1" if path.endswith("/stream") else "")
                answer = self.client.send(method.upper(), asked, {} if method == "post" else None)
                self.assertNotIn(answer.status, (405, 501), path)
                if "{id}" not in path and answer.status == 404:  # known, but this server has no such thing
                    self.assertNotEqual(answer.json["error"]["code"], "not_found", path)

    def test_the_root_greets_programs_and_browsers(self):
        message = self.call("GET", "/")
        self.assertEqual(message["message"], "Samara API v1.0 is running")
        page = self.client.get("/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
        self.assertIn(page.status, (200, 404))
        if page.status == 200:
            self.assertIn("text/html", page.headers["Content-Type"])
            self.assertIn("Accept", page.headers["Vary"])
            policy = page.headers["Content-Security-Policy"]
            self.assertIn("frame-ancestors 'none'", policy)
            self.assertNotIn("unsafe", policy.replace("'wasm-unsafe-eval'", ""))  # which compiles the engine, and no script
        self.assertEqual(self.call("GET", "/api")["message"], "Samara API v1.0 is running")

    def test_assets_are_compressed_and_cached_for_ever(self):
        page = self.client.get("/ui/")
        if page.status == 404:
            self.skipTest("this build has no page")
        total = 0
        for path in re.findall(rb'(?:href|src)="(ui/[^"]+)"', page.body):
            path = b"/" + path  # relative to the page
            plain = self.client.get(path.decode())
            packed = self.client.get(path.decode(), headers={"Accept-Encoding": "gzip"})
            self.assertEqual((plain.status, packed.status), (200, 200))
            self.assertEqual(packed.headers["Content-Encoding"], "gzip")
            self.assertIn("immutable", plain.headers["Cache-Control"])
            self.assertEqual(gzip.decompress(packed.body), plain.body)
            total += len(packed.body)
            same = self.client.get(path.decode(), headers={"If-None-Match": plain.headers["ETag"]})
            self.assertEqual((same.status, same.body), (304, b""))
        self.assertLess(total, 300000)
        self.assertEqual(self.client.get("/ui/nothing.js").status, 404)

    def test_health_options_and_metrics(self):
        health = self.call("GET", "/api/v1/health")
        self.assertEqual(health["status"], "ok")
        self.assertGreater(health["elo_max"], health["elo_min"])
        options = self.call("GET", "/api/v1/options")
        names = {o["name"]: o for o in options["options"]}
        self.assertTrue(names["Hash"]["local"])
        self.assertEqual(options["limits"]["movetime"], 2000)
        text = self.call("GET", "/api/v1/metrics")
        for name in ("samara_requests_total", "samara_request_seconds_bucket", "samara_nodes_total"):
            self.assertIn(name, text)
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) .*|samara_\w+(\{\w+="[^"]+"\})? [0-9.e+-]+)$')


class Moves(ApiTest):
    def test_the_best_move(self):
        answer = self.call("POST", "/move", {"fen": START, "depth": 3, "method": "best"})
        self.assertEqual((answer["status"], answer["method"], answer["depth"]), ("ok", "best", 3))
        self.assertRegex(answer["move"], "^[a-h][1-8][a-h][1-8]$")
        self.assertIsInstance(answer["eval"], float)
        self.assertIsInstance(answer["static_eval"], float)

    def test_a_double_step_shows_its_square_even_if_nobody_can_take(self):
        answer = self.call("POST", "/move", {"fen": "4k3/8/8/8/8/8/4P3/4K2R w - - 0 1", "depth": 1})
        fen = "8/8/8/8/k7/8/4P3/K7 w - - 0 1"
        legal = self.call("POST", "/api/v1/legal", {"fen": fen, "moves": ["e2e4"]})
        self.assertEqual(legal["count"], 5)
        for _ in range(60):
            answer = self.call("POST", "/move", {"fen": START, "method": "random"})
            if answer["move"] == "e2e4":
                self.assertEqual(answer["fen_after"], "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
            if answer["move"][1] == "2" and answer["move"][3] == "4":
                self.assertEqual(answer["fen_after"].split()[3], answer["move"][0] + "3")
                return
        self.fail("sixty random moves without a double step")

    def test_random_moves_are_legal_and_differ(self):
        legal = {m["uci"] for m in self.call("GET", "/api/v1/legal")["moves"]}
        moves = {self.call("POST", "/move", {"fen": START, "method": "random"})["move"] for _ in range(40)}
        self.assertLessEqual(moves, legal)
        self.assertGreater(len(moves), 3)

    def test_a_small_depth_may_be_a_big_search(self):
        """What is too long to be answered at once (10,000 nodes) goes to a searching engine, and others are served meanwhile."""
        boards = ["Qbqqkbqb/4qqR1/1Q3QqQ/5qQq/4B2B/2bBQQB1/QQqbQ1r1/q2Nn1NK w - - 0 1",
                  "3Q1Q2/Q3Q3/BKQ1q1qr/1n1bkq1Q/4bqQb/2b1R1Q1/qB1RQrQ1/1R2NQ1r w - - 0 1",
                  "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                  "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1"]

        def ask(port, fen):
            with Client(port) as client:
                return client.post("/move", {"fen": fen, "depth": 4}).json

        with Server("--engines", "2", "--hash", "1", "--max-time", str(int(1500 * SCALE))) as server, ThreadPoolExecutor(4) as pool, \
                Client(server.port) as client:
            sizes = [client.post("/api/v1/analyse", {"fen": fen, "depth": 4}).json["nodes"] for fen in boards]
            self.assertGreater(max(sizes), 10000, "no board is big enough for this network; find another")
            asked = [pool.submit(ask, server.port, fen) for fen in boards]
            for _ in range(20):
                start = time.time()
                self.assertEqual(client.post("/move", {"fen": START, "depth": 2}).status, 200)
                self.assertLess(time.time() - start, 0.5 * SCALE)
            for answer in (f.result() for f in asked):
                self.assertEqual(answer["status"], "ok")
                self.assertGreaterEqual(answer["depth"], 1)

    def test_a_small_search_waits_for_no_engine(self):
        with Server("--engines", "1", "--queue", "1", "--hash", "1", "--max-time", "60000") as server, ThreadPoolExecutor(2) as pool:
            def analyse(_):
                with Client(server.port) as client:
                    return client.post("/api/v1/analyse", {"movetime": int(1500 * SCALE)}).status

            long = [pool.submit(analyse, i) for i in range(2)]
            time.sleep(0.3 * SCALE)
            with Client(server.port) as client:
                start = time.time()
                self.assertEqual([client.post("/move", {"fen": START, "depth": 3}).status for _ in range(20)], [200] * 20)
                self.assertLess(time.time() - start, 1 * SCALE)
                self.assertEqual(client.post("/move", {"fen": START, "depth": 12}).status, 503)
            self.assertEqual([f.result() for f in long], [200, 200])

    def test_scores_are_in_whites_view(self):
        up = "4k3/8/8/8/8/8/8/Q3K3 {} - - 0 1"
        for side in "wb":
            answer = self.call("POST", "/move", {"fen": up.format(side), "depth": 4})
            self.assertGreater(answer["eval"], 3, side)
            analysis = self.call("POST", "/api/v1/analyse", {"fen": up.format(side), "depth": 4})
            score = analysis["lines"][0]["score"]
            self.assertGreater(score.get("cp", score.get("mate", 0) * 1000), 0, side)
            self.assertGreater(analysis["lines"][0]["wdl"][0], 500)

    def test_a_mate_is_named(self):
        answer = self.call("POST", "/move", {"fen": "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "depth": 4})
        self.assertEqual((answer["move"], answer["mate"], answer["eval"]), ("a1a8", 1, 999))
        after = self.call("POST", "/move", {"fen": answer["fen_after"]})
        self.assertEqual((after["status"], after["reason"], after["result"]), ("game_over", "checkmate", "1-0"))

    def test_finished_games(self):
        self.assertEqual(self.call("POST", "/move", {"fen": MATE})["reason"], "checkmate")
        self.assertEqual(self.call("POST", "/move", {"fen": STALEMATE})["reason"], "stalemate")
        self.assertEqual(self.call("POST", "/api/v1/analyse", {"fen": MATE})["status"], "game_over")

    def test_errors(self):
        self.error("POST", "/move", {}, 400, "missing_field", "fen")
        self.error("POST", "/move", {"fen": "nonsense"}, 400, "bad_fen", "fen")
        self.error("POST", "/move", {"fen": "8/8/8/8/8/8/8/K7 w - - 0 1"}, 422, "impossible_position", "fen")
        self.error("POST", "/move", {"fen": START, "method": "worst"}, 400, "out_of_range", "method")
        self.error("POST", "/move", {"fen": START, "depth": 0}, 400, "out_of_range", "depth")
        self.error("POST", "/move", {"fen": START, "depth": "3"}, 400, "wrong_type", "depth")
        self.error("POST", "/move", {"fen": START, "movetime": 5}, 400, "unknown_field", "movetime")


class Analyses(ApiTest):
    def test_limits(self):
        for limit in ({"depth": 5}, {"nodes": 3000}, {"movetime": 60}, {"mate": 2, "movetime": 200},
                      {"clock": {"wtime": 2000, "btime": 2000, "winc": 10, "binc": 10}}):
            answer = self.call("POST", "/api/v1/analyse", {"fen": START, **limit})
            self.assertEqual(answer["pov"], "white")
            self.assertTrue(answer["lines"][0]["uci"])
        self.assertLessEqual(self.call("POST", "/api/v1/analyse", {"nodes": 3000})["nodes"], 3000)

    def test_several_lines_are_sorted_and_distinct(self):
        answer = self.call("POST", "/api/v1/analyse", {"depth": 6, "multipv": 4})
        first = [line["uci"][0] for line in answer["lines"]]
        self.assertEqual(len(set(first)), 4)
        scores = [line["score"]["cp"] for line in answer["lines"]]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual(answer["bestmove"], first[0])
        self.assertEqual(len(answer["lines"][0]["uci"]), len(answer["lines"][0]["san"]))

    def test_a_search_cut_short_names_no_move_twice(self):
        for nodes in range(2000, 12000, 700):
            answer = self.call("POST", "/api/v1/analyse", {"nodes": nodes, "multipv": 5})
            first = [line["uci"][0] for line in answer["lines"]]
            self.assertEqual(len(set(first)), 5, first)

    def test_searchmoves(self):
        answer = self.call("POST", "/api/v1/analyse", {"depth": 4, "searchmoves": ["a2a3", "h2h3"], "multipv": 5})
        self.assertEqual({line["uci"][0] for line in answer["lines"]}, {"a2a3", "h2h3"})

    def test_searchmoves_must_be_legal(self):
        for moves in (["e2e5"], ["a2a3", "e7e5"], ["0000"], ["--"], [""], ["garbage"]):
            with self.subTest(moves=moves):
                self.error("POST", "/api/v1/analyse", {"depth": 4, "searchmoves": moves}, 422, "illegal_move", "searchmoves")
        self.error("GET", "/api/v1/stream?depth=4&searchmoves=e2e4,e2e5", None, 422, "illegal_move", "searchmoves")

    def test_a_searchmove_twice_is_one(self):
        answer = self.call("POST", "/api/v1/analyse", {"depth": 4, "searchmoves": ["a2a3", "a2a3", "a3"], "multipv": 3})
        self.assertEqual([line["uci"][0] for line in answer["lines"]], ["a2a3"])

    def test_a_null_move_is_no_move(self):
        for word in ("0000", "--", "Z0", "@@@@"):
            self.error("POST", "/api/v1/analyse", {"moves": [word]}, 422, "illegal_move", "moves")
            self.error("POST", "/move", {"fen": START, "moves": [word]}, 422, "illegal_move", "moves")

    def test_moves_since_the_start(self):
        answer = self.call("POST", "/api/v1/analyse", {"moves": ["e2e4", "e7e5", "g1f3"], "depth": 3, "session": "mine"})
        self.assertEqual(answer["turn"], "black")
        self.error("POST", "/api/v1/analyse", {"moves": ["e2e4", "e2e4"]}, 422, "illegal_move", "moves")

    def test_chess960_castling_is_king_takes_rook(self):
        fen = "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1"
        legal = self.call("POST", "/api/v1/legal", {"fen": fen, "chess960": True})
        self.assertIn("e1g1", {m["uci"] for m in legal["moves"] if m["san"] == "O-O"})

    def test_elo(self):
        answer = self.call("POST", "/api/v1/analyse", {"depth": 4, "elo": 1500})
        self.assertTrue(answer["bestmove"])
        self.error("POST", "/api/v1/analyse", {"depth": 4, "elo": 9999}, 400, "out_of_range", "elo")

    def test_the_budget_ends_a_search(self):
        start = time.time()
        answer = self.call("POST", "/api/v1/analyse", {"depth": 60})
        self.assertLess(time.time() - start, 2 + 1 * SCALE)
        self.assertTrue(answer.get("capped"))

    def test_errors_name_their_field(self):
        cases = [({"fen": 5}, "wrong_type", "fen"), ({"depth": 1.5}, "wrong_type", "depth"),
                 ({"depth": True}, "wrong_type", "depth"), ({"depth": 99}, "out_of_range", "depth"),
                 ({"movetime": 999999999}, "out_of_range", "movetime"), ({"multipv": 100000}, "out_of_range", "multipv"),
                 ({"moves": "e2e4"}, "wrong_type", "moves"), ({"moves": [1]}, "wrong_type", "moves"),
                 ({"moves": ["x" * 50]}, "wrong_type", "moves"), ({"chess960": 1}, "wrong_type", "chess960"),
                 ({"clock": []}, "wrong_type", "clock"), ({"clock": {"wtime": -1}}, "out_of_range", "wtime"),
                 ({"clock": {"x": 1}}, "unknown_field", "x"), ({"options": {"EvalFile": "/x"}}, "unknown_field", "options"),
                 ({"Hash": 1}, "unknown_field", "Hash"), ({"Threads": 64}, "unknown_field", "Threads"),
                 ({"searchmoves": []}, "out_of_range", "searchmoves"), ({"session": ""}, "out_of_range", "session")]
        for body, code, field in cases:
            with self.subTest(body=body):
                self.error("POST", "/api/v1/analyse", body, 400, code, field)

    def test_bad_json(self):
        for body in (b"", b"{", b"[]", b"null", b'"x"', b"{}x", b'{"depth":1,"depth":2}', b'{"fen":"\xff"}', b"[" * 60000,
                     b'{"fen":"a\\u0000b"}', b'{"depth":1e999}', b'{"nodes":18446744073709551616}', b"\xef\xbb\xbf{}",
                     b'{"a":' * 5000):
            with self.subTest(body=body[:30]):
                self.error("POST", "/api/v1/analyse", body, 400, "bad_json")


class Looking(ApiTest):
    def test_legal_moves_by_get_and_post(self):
        get = self.call("GET", "/api/v1/legal?fen=" + START.replace(" ", "%20") + "&moves=e2e4,e7e5")
        post = self.call("POST", "/api/v1/legal", {"fen": START, "moves": ["e2e4", "e7e5"]})
        self.assertEqual(get, post)
        self.assertEqual(get["count"], 29)
        self.assertIn({"uci": "g1f3", "san": "Nf3"}, get["moves"])
        self.assertEqual(self.call("GET", "/api/v1/legal?fen=" + MATE.replace(" ", "%20"))["state"], "checkmate")

    def test_perft(self):
        self.assertEqual(self.call("GET", "/api/v1/perft?depth=4")["nodes"], 197281)
        answer = self.call("POST", "/api/v1/perft", {"fen": START, "depth": 2})
        self.assertEqual((answer["nodes"], answer["divide"]["e2e4"]), (400, 20))
        self.error("GET", "/api/v1/perft?depth=13", None, 400, "out_of_range", "depth")

    def test_a_huge_count_is_refused_at_once(self):
        start = time.time()
        fen = "rqqqkqqr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RQQQKQQR w - - 0 1"
        for depth in (6, 12):
            self.error("POST", "/api/v1/perft", {"fen": fen, "depth": depth}, 422, "too_large", "depth")
        self.assertLess(time.time() - start, 3 * SCALE)

    def test_evaluation_terms(self):
        answer = self.call("GET", "/api/v1/eval")
        self.assertIn("Material", {t["name"] for t in answer["terms"]})
        self.error("POST", "/api/v1/eval", {"fen": MATE}, 422, "in_check", "fen")

    def test_queries_are_checked_like_bodies(self):
        for query, code, field in (("depth=x", "wrong_type", "depth"), ("nonsense=1", "unknown_field", "nonsense"),
                                   ("chess960=maybe", "wrong_type", "chess960"), ("fen=x", "bad_fen", "fen")):
            path = "/api/v1/perft?" + query
            with self.subTest(query=query):
                self.error("GET", path, None, 400, code, field)
        self.error("GET", "/api/v1/legal?fen=a&fen=b", None, 400, "bad_query")


class Streams(ApiTest):
    def events(self, query):
        answer = self.client.get("/api/v1/stream?" + query)
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
        blocks = [b for b in answer.body.decode().split("\n\n") if b and not b.startswith(":")]
        return [(b.split("\n")[0].removeprefix("event: "), json.loads(b.split("\n")[1].removeprefix("data: "))) for b in blocks]

    def test_iterations_then_done(self):
        events = self.events("depth=8&multipv=3")
        names = [name for name, _ in events]
        self.assertEqual(names[-1], "done")
        self.assertEqual(set(names[:-1]) | {"info"}, {"info"})
        depths = [data["depth"] for name, data in events if name == "info"]
        self.assertEqual(depths, sorted(depths))
        final = events[-1][1]
        self.assertEqual((final["depth"], len(final["lines"])), (8, 3))
        self.assertEqual(self.schema.faults(final, {"$ref": "#/components/schemas/Analysis"}), [])

    def test_a_finished_game_ends_at_once(self):
        events = self.events("fen=" + MATE.replace(" ", "%20"))
        self.assertEqual([(n, d["reason"]) for n, d in events], [("done", "checkmate")])

    def test_errors_come_before_the_stream(self):
        self.error("GET", "/api/v1/stream?fen=nonsense", None, 400, "bad_fen", "fen")
        self.error("GET", "/api/v1/stream?depth=0", None, 400, "out_of_range", "depth")

    def test_a_known_position_comes_from_the_store_first(self):
        self.events("depth=14&fen=8/8/4k3/8/8/4K3/4P3/8%20w%20-%20-%200%201")
        first = self.events("depth=14&fen=8/8/4k3/8/8/4K3/4P3/8%20w%20-%20-%200%201")[0][1]
        self.assertGreaterEqual(first["depth"], 1)


class Explain(ApiTest):
    SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"

    def test_a_move(self):
        answer = self.call("POST", "/api/v1/explain", {"fen": self.SCHOLAR, "move": "Nf6", "nodes": 5000})
        self.assertEqual(answer["judgement"], "blunder")
        self.assertEqual((answer["claims"][0]["kind"], answer["claims"][0]["mate"]), ("mate", 1))
        self.assertIn("4. Qxf7#", answer["text"])
        again = self.call("POST", "/api/v1/explain", {"fen": self.SCHOLAR, "move": "g8f6", "nodes": 5000})
        self.assertEqual(answer, again)
        self.assertEqual(self.schema.faults(answer, {"$ref": "#/components/schemas/Explanation"}), [])

    def test_a_position(self):
        answer = self.call("POST", "/api/v1/explain", {"fen": self.SCHOLAR, "nodes": 5000})
        self.assertEqual(answer["threats"][0]["kind"], "mate")
        self.assertIn("threatens mate", answer["text"])
        self.assertEqual(self.call("POST", "/api/v1/explain", {"fen": MATE})["status"], "game_over")

    def test_what_is_wrong_is_named(self):
        self.error("POST", "/api/v1/explain", {"move": "e5"}, 422, "illegal_move", "move")
        self.error("POST", "/api/v1/explain", {"language": "xx"}, 400, "out_of_range", "language")
        self.error("POST", "/api/v1/explain", {"level": "king"}, 400, "out_of_range", "level")
        self.error("POST", "/api/v1/explain", {"nodes": 3000000}, 400, "out_of_range", "nodes")


class Games(ApiTest):
    def wait(self, game):
        for _ in range(int(300 * SCALE)):
            state = self.call("GET", f"/api/v1/games/{game}")
            if state["state"] not in ("queued", "running"):
                return state
            time.sleep(0.1)
        self.fail("the report never came")

    def test_a_report(self):
        made = self.call("POST", "/api/v1/games", {"pgn": GAME, "analyse": {"nodes": 5000}}, status=202)
        done = self.wait(made["id"])
        self.assertEqual(done["state"], "done", done)
        report = done["report"]
        self.assertEqual([m["san"] for m in report["moves"]], ["f3", "e5", "g4", "Qh4#"])
        self.assertEqual(report["moves"][2]["judgement"], "blunder")
        self.assertIn(report["turning_points"], ([3], [1, 3]))  # evaluations differ about f3, and about nothing else
        costly = [ply for ply, m in enumerate(report["moves"], 1) if m.get("judgement") in ("mistake", "blunder")]
        self.assertEqual(report["turning_points"], costly)
        self.assertEqual(report["white"]["blunders"], 1)
        self.assertGreater(report["black"]["accuracy"], report["white"]["accuracy"])
        self.assertNotIn("score", report["moves"][3])
        pgn = done["annotated_pgn"]
        self.assertIn("g4 $4 {", pgn)
        self.assertRegex(pgn, r"2\.\sg4\s\$4\s\{\s\[%eval\s#-1\]\s\w+")
        self.assertIn('[Black "B \\"q\\" \u00e9"]', pgn)
        self.assertTrue(all(len(line) < 80 for line in pgn.splitlines()))
        self.assertEqual(self.call("GET", f"/api/v1/games/{made['id']}/pgn"), pgn)
        again = self.call("POST", "/api/v1/games", {"pgn": pgn}, status=201)
        self.assertEqual(again["plies"], 4)

    def test_the_turning_point_is_where_the_rook_went(self):
        pgn = '[SetUp "1"]\n[FEN "8/8/8/2k5/8/8/4R3/4K3 w - - 0 1"]\n\n1. Kd2 Kd4 2. Re4+ Kxe4 1/2-1/2\n'
        made = self.call("POST", "/api/v1/games", {"pgn": pgn, "analyse": {"nodes": 5000}}, status=202)
        report = self.wait(made["id"])["report"]
        self.assertEqual(report["turning_points"], [3])
        self.assertEqual(report["moves"][2]["judgement"], "blunder")

    def test_games_are_kept_listed_and_deleted(self):
        answer = self.client.post("/api/v1/games", {"pgn": "1. e4 *"})
        self.assertEqual(answer.status, 201)
        self.assertEqual(answer.headers["Location"], "/api/v1/games/" + answer.json["id"])
        game = answer.json["id"]
        listed = self.call("GET", "/api/v1/games?limit=1")
        self.assertEqual([g["id"] for g in listed["games"]], [game])
        self.assertEqual(self.call("GET", f"/api/v1/games/{game}")["pgn"].strip(), "1. e4 *")
        self.assertTrue(self.call("DELETE", f"/api/v1/games/{game}")["deleted"])
        self.error("GET", f"/api/v1/games/{game}", None, 404, "not_found", "id")
        self.error("DELETE", f"/api/v1/games/{game}", None, 404, "not_found", "id")

    def test_a_running_report_can_be_stopped(self):
        moves = " ".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(1, 60, 2))
        game = self.call("POST", "/api/v1/games", {"pgn": moves + " *", "analyse": {"movetime": 1000}}, status=202)["id"]
        for _ in range(int(100 * SCALE)):
            state = self.call("GET", f"/api/v1/games/{game}")
            if state["state"] == "running" and state["progress"]["done"] > 0:
                break
            time.sleep(0.1)
        self.assertTrue(any("score" in m for m in state["report"]["moves"]), "progress shows what is known")
        self.call("DELETE", f"/api/v1/games/{game}")
        next_game = self.call("POST", "/api/v1/games", {"pgn": "1. e4 e5 *", "analyse": {"nodes": 1000}}, status=202)["id"]
        self.assertEqual(self.wait(next_game)["state"], "done")

    def test_errors(self):
        self.error("POST", "/api/v1/games", {}, 400, "missing_field", "pgn")
        self.error("POST", "/api/v1/games", {"pgn": "1. e4 e5 2. Ke3 *"}, 422, "illegal_move", "pgn")
        self.error("POST", "/api/v1/games", {"pgn": "1. e4 -- 2. d4 *"}, 422, "illegal_move", "pgn")
        self.error("POST", "/api/v1/games", {"pgn": "1. e4 *", "analyse": 1}, 400, "wrong_type", "analyse")
        self.error("POST", "/api/v1/games", {"pgn": "1. e4 *", "analyse": {"mate": 1}}, 400, "unknown_field", "mate")
        self.error("GET", "/api/v1/games/abc", None, 404, "not_found", "id")
        self.error("GET", "/api/v1/games/999999", None, 404, "not_found", "id")


class Refusals(ApiTest):
    def test_paths_and_methods(self):
        self.error("GET", "/nothing", None, 404, "not_found")
        self.error("POST", "/api/v1/nothing", {}, 404, "not_found")
        answer = self.error("GET", "/move", None, 405, "method")
        self.assertEqual(answer.headers["Allow"], "POST")
        answer = self.error("PUT", "/api/v1/games", {}, 405, "method")
        self.assertEqual(answer.headers["Allow"], "GET, POST")
        self.error("DELETE", "/", None, 405, "method")

    def test_bodies(self):
        self.error("POST", "/move", b"x" * 70000, 413, "too_large")
        huge = {"Content-Length": str((4 << 20) + 1), "Content-Type": "application/json"}
        self.client.connection.putrequest("POST", "/api/v1/games")
        for name, value in huge.items():
            self.client.connection.putheader(name, value)
        self.client.connection.endheaders()  # refused on sight, before the body is sent
        self.assertEqual(self.client.connection.getresponse().status, 413)
        self.client.connection.close()
        self.error("POST", "/move", b"fen=x", 415, "content_type", headers={"Content-Type": "application/x-www-form-urlencoded"})
        self.error("POST", "/move", b"{}", 415, "content_type", headers={"Content-Type": "application/jsonp"})
        self.error("POST", "/move", b"\x1f\x8b", 415, "content_encoding", headers={"Content-Encoding": "gzip"})
        ok = self.client.post("/move", {"fen": START}, {"Content-Type": "application/json; charset=utf-8"})
        self.assertEqual(ok.status, 200)

    def test_foreign_hosts_and_origins(self):
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:x", ""):
            self.error("GET", "/api/v1/health", None, 421, "unknown_host", headers={"Host": host})
        for host in ("localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]:8000"):
            self.assertEqual(self.client.get("/api/v1/health", {"Host": host}).status, 200)
        for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "file://"):
            self.error("POST", "/move", {"fen": START}, 403, "foreign_origin", headers={"Origin": origin})
        self.error("GET", "/api/v1/stream", None, 403, "foreign_origin", headers={"Sec-Fetch-Site": "cross-site"})

    def test_a_friendly_origin_is_welcome(self):
        friend = {"Origin": "https://friend.example"}
        answer = self.client.post("/move", {"fen": START, "depth": 1}, friend)
        self.assertEqual((answer.status, answer.headers["Access-Control-Allow-Origin"]), (200, friend["Origin"]))
        preflight = self.client.send("OPTIONS", "/move", headers={**friend, "Access-Control-Request-Method": "POST"})
        self.assertEqual(preflight.status, 204)
        self.assertIn("POST", preflight.headers["Access-Control-Allow-Methods"])
        asked = self.client.send("OPTIONS", "/api/v1/analyse?fen=x&nonsense=1", headers=friend)
        self.assertEqual((asked.status, asked.headers["Allow"]), (204, "POST, GET"))
        nowhere = self.client.send("OPTIONS", "/nowhere", headers=friend)
        self.assertEqual((nowhere.status, nowhere.headers["Allow"]), (204, None))
        own = {"Origin": f"http://127.0.0.1:{self.server.port}"}
        self.assertEqual(self.client.post("/move", {"fen": START, "depth": 1}, own).status, 200)
        self.assertIsNone(self.client.get("/api/v1/health").headers["Access-Control-Allow-Origin"])

    def test_methods_and_paths_that_do_not_exist(self):
        answer = self.client.send("PUT", "/api/v1/games/1")
        self.assertEqual((answer.status, answer.headers["Allow"]), (405, "GET, DELETE"))
        self.assertEqual(self.client.send("PUT", "/nowhere").status, 404)
        self.error("GET", "/api/v1/health?nonsense=1", None, 400, "unknown_field", "nonsense")

    def test_pages_do_not_mind_a_query(self):
        for path in ("/?from=elsewhere", "/docs?x", "/ui/?a=1&a=2&%zz"):
            self.assertIn(self.client.get(path, {"Accept": "text/html"}).status, (200, 404), path)

    def test_head(self):
        answer = self.client.send("HEAD", "/api/v1/health")
        self.assertEqual((answer.status, answer.body), (200, b""))


if __name__ == "__main__":
    unittest.main()
