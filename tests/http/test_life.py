# SPDX-License-Identifier: GPL-3.0-or-later
"""Start, end, cancelling, tokens, the store. usage: test_life.py SAMARA"""
import os
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest

from serving import BINARY, SCALE, START, Client, Server


def run(*options):
    return subprocess.run([BINARY, "serve", *options], capture_output=True, text=True, timeout=30 * SCALE)


def wait_until(condition, seconds):
    end = time.time() + seconds * SCALE
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


class Starting(unittest.TestCase):
    def test_wrong_options_are_explained(self):
        for options, words in ((["--port", "70000"], "port"), (["--nonsense"], "nonsense"), (["--listen", "nowhere"], "address"),
                               (["--token", "short"], "16"), (["--db", "/nonexistent/x.db"], "")):
            done = run(*options)
            self.assertIn(done.returncode, (1, 2), options)
            self.assertIn(words, done.stderr)
            self.assertTrue(done.stderr.strip(), options)

    def test_the_world_is_not_let_in_by_accident(self):
        done = run("--listen", "0.0.0.0", "--port", "0", "--no-store")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--token-file", done.stderr)

    def test_a_taken_port_is_explained(self):
        with Server() as server:
            done = run("--port", str(server.port), "--no-store")
            self.assertEqual(done.returncode, 1)
            self.assertIn("cannot listen", done.stderr)


class Files(unittest.TestCase):
    def test_a_page_opened_as_a_file_is_welcome_if_the_user_says_so(self):
        file = {"Origin": "null", "Sec-Fetch-Site": "cross-site"}  # what a browser sends for file://
        with Server() as server, Client(server.port) as client:
            self.assertEqual(client.post("/move", {"fen": START, "depth": 1}, file).status, 403)
        with Server("--origin", "null") as server, Client(server.port) as client:
            answer = client.post("/move", {"fen": START, "depth": 1}, file)
            self.assertEqual((answer.status, answer.headers["Access-Control-Allow-Origin"]), (200, "null"))
            asked = client.send("OPTIONS", "/move", headers={**file, "Access-Control-Request-Method": "POST"})
            self.assertEqual(asked.status, 204)


class Tokens(unittest.TestCase):
    def test_only_who_knows_it_may_use_the_engine(self):
        token = "correct horse battery staple"
        with Server(environment={"SAMARA_TOKEN": token}) as server:
            for wrong in (None, "", token[:-1], token + "x", token.upper()):
                with Client(server.port, wrong) as client:
                    answer = client.post("/move", {"fen": START})
                    self.assertEqual(answer.status, 401, wrong)
                    self.assertTrue(answer.headers["WWW-Authenticate"].startswith("Bearer"))
            with Client(server.port) as client:
                for path in ("/api/v1/health", "/api/v1/metrics", "/api/v1/games", "/api/v1/stream", "/api/v1/nothing"):
                    self.assertEqual(client.get(path).status, 401, path)
                for path in ("/", "/api", "/api/v1/openapi.json"):
                    self.assertEqual(client.get(path).status, 200, path)
            with Client(server.port, token) as client:
                self.assertEqual(client.post("/move", {"fen": START, "depth": 1}).status, 200)


class Cancelling(unittest.TestCase):
    def busy(self, client):
        text = client.get("/api/v1/metrics").body.decode()
        return sum(float(line.split()[1]) for line in text.splitlines()
                   if line.startswith(("samara_search_running", "samara_search_waiting", "samara_streams_running", "samara_streams_waiting")))

    def test_a_search_ends_when_its_client_leaves(self):
        with Server("--engines", "2", "--streams", "2", "--hash", "1", "--max-time", "60000") as server, Client(server.port) as watch:
            requests = [b"GET /api/v1/stream HTTP/1.1\r\nHost: localhost\r\n\r\n",
                        b"POST /api/v1/analyse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{\"depth\":60}"]
            for request in requests:
                for _ in range(5):
                    with socket.create_connection(("127.0.0.1", server.port)) as s:
                        s.sendall(request)
                        self.assertTrue(wait_until(lambda: self.busy(watch) == 1, 5))
                    start = time.time()
                    self.assertTrue(wait_until(lambda: self.busy(watch) == 0, 5))
                    self.assertLess(time.time() - start, 0.5 * SCALE)

    def test_waiting_requests_of_the_gone_cost_nothing(self):
        with Server("--engines", "1", "--hash", "1", "--max-time", "60000") as server, Client(server.port) as watch:
            body = b'{"movetime":20000}'
            request = b"POST /api/v1/analyse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            sockets = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
            for s in sockets:
                s.sendall(request)
            self.assertTrue(wait_until(lambda: self.busy(watch) == 20, 10))
            for s in sockets:
                s.close()
            self.assertTrue(wait_until(lambda: self.busy(watch) == 0, 3))

    def test_an_idle_server_uses_no_cpu(self):
        with Server("--hash", "1") as server:
            with Client(server.port) as client:
                client.post("/move", {"fen": START, "depth": 4})
                time.sleep(0.3)
                before = server.cpu_seconds()
                time.sleep(2)
                self.assertLessEqual(server.cpu_seconds() - before, 0.02 * SCALE)


class Ending(unittest.TestCase):
    def test_a_running_search_is_answered_before_the_end(self):
        server = Server("--engines", "1", "--hash", "1", "--max-time", "60000")
        with Client(server.port) as client, Client(server.port) as streaming:
            for c, request in ((client, ("POST", "/api/v1/analyse", b'{"movetime":50000}', {"Content-Type": "application/json"})),
                               (streaming, ("GET", "/api/v1/stream", None, {}))):
                c.connection.request(*request)
            time.sleep(0.5 * SCALE)
            start = time.time()
            code = server.stop(signal.SIGINT)
            self.assertEqual((code, server.complaints), (0, ""))
            self.assertLess(time.time() - start, 3 * SCALE)
            answer = client.connection.getresponse()
            self.assertEqual(answer.status, 200)
            self.assertIn(b'"bestmove"', answer.read())
            self.assertIn(b"event: done", streaming.connection.getresponse().read())


class Storing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.db = os.path.join(self.folder.name, "games.db")

    def test_games_survive_a_kill(self):
        server = Server("--db", self.db, "--hash", "1", store=True)
        with Client(server.port) as client:
            for n in range(20):
                self.assertEqual(client.post("/api/v1/games", {"pgn": f'[White "{n}"]\n\n1. e4 e5 *'}).status, 201)
        server.stop(signal.SIGKILL)
        with Server("--db", self.db, "--hash", "1", store=True) as again, Client(again.port) as client:
            listed = client.get("/api/v1/games").json
            self.assertEqual([g["white"] for g in listed["games"]], [str(n) for n in reversed(range(20))])
            self.assertTrue(client.get("/api/v1/health").json["stored"])

    def test_an_unfinished_report_is_taken_up_again(self):
        server = Server("--db", self.db, "--hash", "1", store=True)
        with Client(server.port) as client:
            game = client.post("/api/v1/games", {"pgn": "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *", "analyse": {"movetime": 500}}).json["id"]
            self.assertTrue(wait_until(lambda: client.get(f"/api/v1/games/{game}").json["state"] == "running", 5))
        server.stop(signal.SIGKILL)
        with Server("--db", self.db, "--hash", "1", store=True) as again, Client(again.port) as client:
            self.assertTrue(wait_until(lambda: client.get(f"/api/v1/games/{game}").json["state"] == "done", 20))
            self.assertEqual(len(client.get(f"/api/v1/games/{game}").json["report"]["moves"]), 6)

    def test_the_usual_place_is_made(self):
        with Server("--hash", "1", store=True, environment={"XDG_STATE_HOME": os.path.join(self.folder.name, "a", "b")}):
            self.assertTrue(os.path.exists(os.path.join(self.folder.name, "a", "b", "samara", "samara.db")))

    def test_strange_databases_are_refused(self):
        with open(self.db, "wb") as file:
            file.write(b"this is no database at all" * 100)
        self.assertEqual(run("--db", self.db, "--port", "0").returncode, 1)
        newer = os.path.join(self.folder.name, "newer.db")
        with sqlite3.connect(newer) as connection:
            connection.execute("PRAGMA user_version = 999")
        connection.close()
        done = run("--db", newer, "--port", "0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("newer version", done.stderr)

    def test_an_old_database_is_brought_up_to_date(self):
        """One of version 1, as it was before positions were remembered. test_store.py has a whole file of version 2."""
        with sqlite3.connect(self.db) as connection:
            connection.executescript(
                "CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, created TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),"
                " white TEXT NOT NULL, black TEXT NOT NULL, result TEXT NOT NULL, plies INTEGER NOT NULL, state INTEGER NOT NULL,"
                " pgn TEXT NOT NULL, limits TEXT, report TEXT, annotated TEXT, message TEXT) STRICT;"
                "CREATE INDEX games_by_state ON games (state, id); PRAGMA user_version = 1;"
                "INSERT INTO games (white, black, result, plies, state, pgn) VALUES ('w', 'b', '*', 1, 0, '1. d4 *');")
        connection.close()
        with Server("--db", self.db, "--hash", "1", store=True) as server, Client(server.port) as client:
            self.assertEqual(client.post("/api/v1/games", {"pgn": "1. e4 *"}).status, 201)
            self.assertEqual(client.get("/api/v1/games/1").json["pgn"], "1. d4 *")
        with sqlite3.connect(self.db) as connection:
            self.assertEqual(connection.execute("PRAGMA user_version").fetchone()[0], 5)
        connection.close()


if __name__ == "__main__":
    unittest.main()
