# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept: files of earlier versions, a ceiling, shares, a full disk. usage: test_store.py SAMARA FULL_DISK.so OLD.db"""
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

from serving import BINARY, SCALE, START, Client, Server

FULL_DISK, OLD = sys.argv.pop(1), sys.argv.pop(1)
GAME = "1. e4 e5 2. Nf3 Nc6 *"


def big_game(kilobytes, name="?"):
    return {"pgn": f'[White "{name}"]\n\n1. e4 {{{"x" * 1024 * kilobytes}}} e5 *'}


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path = os.path.join(self.folder, "games.db")

    def server(self, *options, **more):
        server = Server("--db", self.path, "--hash", "1", "--engines", "1", "--streams", "1", *options, store=True, **more)
        self.addCleanup(server.stop)
        return server

    def wait_for(self, client, game, state, seconds=20):
        end = time.time() + seconds * SCALE
        while True:
            found = client.get(f"/api/v1/games/{game}").json
            if found["state"] == state:
                return found
            self.assertLess(time.time(), end, found)
            time.sleep(0.05)


class Versions(WithFolder):
    def test_a_file_of_the_first_release_opens(self):
        """Written by commit 875d2fb: a saved game, one with its report, two that waited for theirs, and a position."""
        shutil.copy(OLD, self.path)
        with Client(self.server().port) as client:
            listed = client.get("/api/v1/games").json
            self.assertEqual([g["white"] for g in listed["games"]], ["Queued too", "Queued", "Done", "Saved"])
            self.assertEqual(client.get("/api/v1/games/1").json["pgn"], '[White "Saved"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 *')
            done = client.get("/api/v1/games/2").json
            self.assertEqual((done["state"], done["black"]), ("done", "Müller"))
            self.assertEqual(len(done["report"]["moves"]), 4)
            self.assertIn("%eval", done["annotated_pgn"])
            self.assertEqual(client.send("DELETE", "/api/v1/games/3").status, 200)  # would take a minute
            self.wait_for(client, 4, "done")
            self.assertEqual(client.post("/api/v1/games", {"pgn": GAME}).status, 201)
        base = sqlite3.connect(self.path)
        self.assertEqual(base.execute("SELECT key, depth FROM positions").fetchall(), [(START, 14)])
        base.close()

    def test_it_opens_again_and_its_sums_are_right(self):
        shutil.copy(OLD, self.path)
        for _ in range(2):
            self.assertEqual(self.server().stop(), 0)
        base = sqlite3.connect(self.path)
        self.assertEqual(base.execute("PRAGMA user_version").fetchone(), (5,))
        rows = base.execute("SELECT length(CAST(pgn AS BLOB)) + coalesce(length(CAST(report AS BLOB)), 0)"
                            " + coalesce(length(CAST(annotated AS BLOB)), 0) FROM games").fetchall()
        self.assertEqual(base.execute("SELECT sum(bytes) FROM usage WHERE kind = 0").fetchone(), (sum(r[0] + 256 for r in rows),))
        base.close()

    def test_a_newer_file_is_refused_and_not_touched(self):
        base = sqlite3.connect(self.path)
        base.execute("PRAGMA user_version = 1000")
        base.close()
        done = subprocess.run([BINARY, "serve", "--port", "0", "--db", self.path], capture_output=True, text=True, timeout=30 * SCALE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("newer version (1000", done.stderr)

    def test_another_program_s_file_is_refused(self):
        with open(self.path, "w") as file:
            file.write("This is a diary, not a database.\n" * 100)
        done = subprocess.run([BINARY, "serve", "--port", "0", "--db", self.path], capture_output=True, text=True, timeout=30 * SCALE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not a database", done.stderr)
        with open(self.path) as file:
            self.assertEqual(file.read(15), "This is a diary")


class Ceiling(WithFolder):
    def fill(self, client, kilobytes, name="?"):
        """Stores games until one is refused; how many were taken, and the refusal."""
        for count in range(100):
            answer = client.post("/api/v1/games", big_game(kilobytes, name))
            if answer.status != 201:
                return count, answer
        self.fail("nothing is ever refused")

    def test_one_client_has_half_and_no_more(self):
        with Client(self.server("--store-size", "4").port) as client:
            count, refusal = self.fill(client, 500)
            self.assertEqual((count, refusal.status, refusal.json["error"]["code"]), (4, 507, "store_share"))
            self.assertIn("delete some", refusal.json["error"]["message"])
            self.assertEqual(client.send("DELETE", "/api/v1/games/1").status, 200)
            self.assertEqual(client.post("/api/v1/games", big_game(500)).status, 201)
        self.assertLess(os.path.getsize(self.path), 5 << 20)

    def test_who_has_most_makes_room(self):
        """The ceiling for games is 3 MB. A second address finds room for its half of it, at the cost of the first one's oldest."""
        port = self.server("--store-size", "4").port
        with Client(port, source="127.0.0.2") as bad, Client(port) as good:
            self.assertEqual(self.fill(bad, 250, "bad")[0], 8)
            for _ in range(6):
                self.assertEqual(good.post("/api/v1/games", big_game(250, "good")).status, 201)
            left = [g["white"] for g in good.get("/api/v1/games", limit=100).json["games"]]
            self.assertEqual((left.count("good"), left.count("bad")), (6, 6))  # 12 of 250 kB are 3 MB
            self.assertEqual(bad.get("/api/v1/games/1").status, 404)  # the oldest went
            self.assertEqual(bad.get("/api/v1/games/8").status, 200)
            self.assertEqual(bad.post("/api/v1/games", big_game(250)).json["error"]["code"], "store_full")

    def test_a_report_to_come_is_counted(self):
        """Its room is kept from the beginning, so that the report finds some."""
        long = "1. Nf3 Nf6 2. Ng1 Ng8 " * 40 + "*"
        with Client(self.server("--store-size", "1").port) as client:
            taken = 0
            while client.post("/api/v1/games", {"pgn": long, "analyse": {"movetime": 10000}}).status == 202:
                taken += 1
                self.assertLess(taken, 100)
            self.assertEqual(taken, 1)

    def test_memory_has_a_ceiling_too(self):
        with Server("--hash", "1", "--engines", "1", "--store-size", "1") as server, Client(server.port) as client:
            self.assertEqual(self.fill(client, 100)[0], 5)

    def test_positions_that_nobody_asks_for_are_forgotten(self):
        """Where a quarter of the ceiling is full of old ones, the next analysis takes their place."""
        self.assertEqual(self.server().stop(), 0)
        base = sqlite3.connect(self.path)
        base.executemany("INSERT INTO positions (key, lines, depth, json, used) VALUES (?, 1, 20, ?, ?)",
                         [(f"old {i:02}", "{" + " " * 4018 + "}", i) for i in range(63)])  # 4154 bytes each, 262,144 are allowed
        base.commit()
        with Client(self.server("--store-size", "1").port) as client:
            client.get("/api/v1/stream?depth=14")
        left = [key for key, in base.execute("SELECT key FROM positions ORDER BY used")]
        base.close()
        self.assertEqual(left[-1], START)
        self.assertGreater(len(left), 30)
        self.assertNotIn("old 00", left)
        self.assertIn("old 62", left)

    def test_old_games_go_where_that_is_wanted(self):
        with Client(self.server().port) as client:
            for _ in range(3):
                client.post("/api/v1/games", {"pgn": GAME})
        base = sqlite3.connect(self.path)
        base.execute("UPDATE games SET created = '2020-01-01T00:00:00Z' WHERE id < 3")
        base.commit()
        base.close()
        with Client(self.server().port) as client:
            self.assertEqual(client.get("/api/v1/games").json["total"], 3)
        with Client(self.server("--keep-days", "30").port) as client:
            self.assertEqual([g["id"] for g in client.get("/api/v1/games").json["games"]], ["3"])

    def test_metrics_tell_how_full_it_is(self):
        with Client(self.server().port) as client:
            def stored():
                lines = client.get("/api/v1/metrics").body.decode().splitlines()
                return next(float(line.split()[1]) for line in lines if line.startswith("samara_store_bytes"))
            self.assertEqual(stored(), 0)
            client.post("/api/v1/games", big_game(100))
            self.assertGreater(stored(), 100 * 1024)
            client.send("DELETE", "/api/v1/games/1")
            self.assertEqual(stored(), 0)


class FullDisk(WithFolder):
    """The same on a disk that says so itself (a small tmpfs, for root) and with writes that fail (for everybody)."""

    def setUp(self):
        super().setUp()
        self.mark = os.path.join(self.folder, "full")

    def environment(self):
        asan = "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")
        return {"LD_PRELOAD": FULL_DISK, "FULL_DISK": self.mark, "ASAN_OPTIONS": asan}

    def fill(self):
        open(self.mark, "w").close()

    def empty(self):
        os.remove(self.mark)

    def test_a_report_fails_once_and_is_stored_when_there_is_space(self):
        server = self.server(environment=self.environment())
        with Client(server.port) as client:
            game = client.post("/api/v1/games", {"pgn": GAME, "analyse": {"movetime": 300}}).json["id"]
            self.fill()
            failed = self.wait_for(client, game, "failed")
            self.assertIn("full", failed["message"])
            before = server.cpu_seconds()
            time.sleep(2.5)  # two attempts to write
            self.assertLess(server.cpu_seconds() - before, 0.3 * SCALE)  # one search more would be 1.5 s
            self.assertEqual(client.get(f"/api/v1/games/{game}").json["state"], "failed")
            self.empty()
            done = self.wait_for(client, game, "done")
            self.assertEqual(len(done["report"]["moves"]), 4)
            self.assertNotIn("message", done)
        self.assertEqual((server.stop(), server.complaints), (0, ""))

    def test_who_posts_and_deletes_is_told(self):
        server = self.server(environment=self.environment())
        with Client(server.port) as client:
            game = client.post("/api/v1/games", {"pgn": GAME}).json["id"]
            self.fill()
            for answer in (client.post("/api/v1/games", {"pgn": GAME}), client.send("DELETE", f"/api/v1/games/{game}")):
                self.assertEqual((answer.status, answer.json["error"]["code"]), (507, "store_full"), answer.body)
                self.assertIn("full", answer.json["error"]["message"])
            self.assertEqual(client.get(f"/api/v1/games/{game}").status, 200)
            self.assertEqual(client.send("DELETE", "/api/v1/games/99").status, 404)
            self.assertEqual(client.post("/move", {"fen": START, "depth": 2}).status, 200)
            self.empty()
            self.assertEqual(client.send("DELETE", f"/api/v1/games/{game}").status, 200)

    def test_the_server_ends_while_a_report_waits(self):
        server = self.server(environment=self.environment())
        with Client(server.port) as client:
            game = client.post("/api/v1/games", {"pgn": GAME, "analyse": {"movetime": 200}}).json["id"]
            self.fill()
            if self.wait_for(client, game, "failed"):
                start = time.time()
                self.assertEqual(server.stop(), 0)
                self.assertLess(time.time() - start, 3 * max(1, SCALE / 3))
        self.empty()
        with Client(self.server().port) as client:
            self.wait_for(client, game, "done")  # it stayed queued


class SmallDisk(FullDisk):
    def setUp(self):
        super().setUp()
        self.folder = os.path.join(self.folder, "disk")
        os.mkdir(self.folder)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", self.folder], capture_output=True)
        if done.returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", self.folder], check=True)
        self.path = os.path.join(self.folder, "games.db")
        self.mark = os.path.join(self.folder, "filler")

    def environment(self):
        return {}

    def fill(self):
        with open(self.mark, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def test_who_posts_and_deletes_is_told(self):
        """Here the log may give back enough for a deletion: it is done, or told."""
        server = self.server()
        with Client(server.port) as client:
            game = client.post("/api/v1/games", big_game(100)).json["id"]
            self.fill()
            answer = client.post("/api/v1/games", big_game(300))
            self.assertEqual((answer.status, answer.json["error"]["code"]), (507, "store_full"))
            self.assertIn(client.send("DELETE", f"/api/v1/games/{game}").status, (200, 507))
            self.empty()
            self.assertIn(client.send("DELETE", f"/api/v1/games/{game}").status, (200, 404))
            self.assertEqual(client.get(f"/api/v1/games/{game}").status, 404)


if __name__ == "__main__":
    unittest.main()
