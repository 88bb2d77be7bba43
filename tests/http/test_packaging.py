# SPDX-License-Identifier: GPL-3.0-or-later
"""The example files of packaging/, tried for real: the server behind nginx with TLS, and the systemd unit as systemd reads it.
usage: test_packaging.py SAMARA. Whatever is not installed is skipped."""
import os
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from serving import BINARY, SCALE, Client, Server

PACKAGING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../packaging")
NAME, TOKEN = "chess.example.org", "a-token-for-the-test"
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")


def read(name):
    with open(os.path.join(PACKAGING, name), encoding="utf-8") as file:
        return file.read()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@unittest.skipUnless(NGINX and shutil.which("openssl"), "nginx or openssl is not installed")
class Nginx(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        f = cls.folder.name
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=" + NAME,
                        "-keyout", f + "/key.pem", "-out", f + "/cert.pem"], check=True, stderr=subprocess.DEVNULL)
        with open(f + "/token", "w", encoding="utf-8") as file:
            file.write(TOKEN)
        cls.server = Server("--host", NAME, "--token-file", f + "/token", "--hash", "1")
        cls.tls, cls.plain = free_port(), free_port()
        site = read("nginx.conf")
        for old, new in (("/etc/ssl/certs/chess.example.org.pem", f + "/cert.pem"), ("listen 443", f"listen 127.0.0.1:{cls.tls}"),
                         ("/etc/ssl/private/chess.example.org.key", f + "/key.pem"), ("listen 80", f"listen 127.0.0.1:{cls.plain}"),
                         ("127.0.0.1:8000", f"127.0.0.1:{cls.server.port}")):
            assert old in site, old
            site = site.replace(old, new)
        site = re.sub(r"\n *listen \[::\].*", "", site)
        temporary = "".join(f"{kind}_temp_path {f}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(f + "/nginx.conf", "w", encoding="utf-8") as file:
            file.write(f"daemon off; pid {f}/pid; error_log {f}/error.log;\nevents {{}}\n"
                       f"http {{ access_log off; {temporary}\n{site}\n}}\n")
        words = [NGINX, "-p", f, "-e", f + "/error.log", "-c", f + "/nginx.conf"]
        cls.check = subprocess.run(words + ["-t"], stderr=subprocess.PIPE, text=True)
        cls.nginx = subprocess.Popen(words)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", cls.tls), 1).close()
                break
            except OSError:
                time.sleep(0.05)

    @classmethod
    def tearDownClass(cls):
        cls.nginx.terminate()
        cls.nginx.wait()
        assert cls.server.stop() == 0 and cls.server.complaints == "", cls.server.complaints
        cls.folder.cleanup()

    def ask(self, path, *lines, body=None):
        """An open TLS connection with one request sent."""
        context = ssl.create_default_context(cafile=self.folder.name + "/cert.pem")
        context.check_hostname = False
        s = context.wrap_socket(socket.create_connection(("127.0.0.1", self.tls), 10 * SCALE), server_hostname=NAME)
        head = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", f"Host: {NAME}:{self.tls}", f"Authorization: Bearer {TOKEN}", *lines]
        if body:
            head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        s.sendall(("\r\n".join(head) + "\r\n\r\n" + (body or "")).encode())
        return s

    def status(self, *arguments, **named):
        with self.ask(*arguments, **named) as s:
            return int(s.recv(65536).split()[1])

    def gauge(self, name):
        with Client(self.server.port, token=TOKEN) as client:
            return float(re.search(rf"^samara_{name} (\S+)", client.get("/api/v1/metrics").body.decode(), re.M).group(1))

    def test_nginx_finds_no_fault(self):
        self.assertEqual(self.check.returncode, 0, self.check.stderr)
        self.assertNotIn("warn", self.check.stderr)

    def test_pages_and_moves_pass(self):
        own = f"Origin: https://{NAME}:{self.tls}"
        self.assertEqual(self.status("/api"), 200)
        self.assertEqual(self.status("/move", own, body='{"fen": "startpos"}'), 200)
        self.assertEqual(self.status("/move", "Origin: https://elsewhere.example", body='{"fen": "startpos"}'), 403)
        with socket.create_connection(("127.0.0.1", self.plain)) as s:
            s.sendall(f"GET /ui/ HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode())
            self.assertIn(f"Location: https://{NAME}/ui/".encode(), s.recv(65536))

    def test_events_pass_one_by_one(self):
        seen = {}
        start = time.time()
        with self.ask("/api/v1/stream?movetime=1500") as s:
            text = b""
            while b"event: done" not in text:
                text += s.recv(65536)
                for event in (b"event: info", b"event: done"):
                    if event in text:
                        seen.setdefault(event, time.time() - start)
        self.assertGreater(seen[b"event: done"] - seen[b"event: info"], 0.5)

    def test_a_visitor_who_leaves_is_noticed(self):
        with self.ask("/api/v1/stream?multipv=2") as s:
            s.recv(65536)
            self.assertEqual(self.gauge("streams_running"), 1)
        end = time.time() + 5 * SCALE
        while self.gauge("streams_running") and time.time() < end:
            time.sleep(0.05)
        self.assertEqual(self.gauge("streams_running"), 0)

    def test_the_greedy_are_told_to_wait(self):
        statuses = [self.status("/api") for _ in range(120)]
        self.assertLessEqual(set(statuses), {200, 429})
        self.assertGreaterEqual(statuses.count(200), 40)


@unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
class Unit(unittest.TestCase):
    def test_systemd_finds_no_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + "/samara.service"
            with open(path, "w", encoding="utf-8") as file:
                unit = read("samara.service").replace("/usr/bin/samara", os.path.abspath(BINARY))
                file.write(re.sub(r"Documentation=.*\n", "", unit))  # the manual is not installed here
            run = subprocess.run(["systemd-analyze", "verify", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertEqual([line for line in run.stdout.splitlines() if "samara" in line], [])

    def test_it_may_do_little(self):
        """systemd's own scale: 0 may do nothing, 10 everything."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(PACKAGING, "samara.service"), folder)
            run = subprocess.run(["systemd-analyze", "security", "--offline=true", folder + "/samara.service"],
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        found = re.search(r"Overall exposure level for samara.service: ([0-9.]+)", run.stdout)
        if not found:
            self.skipTest("this systemd cannot judge a file: " + run.stdout[-200:])
        print("systemd exposure", found.group(1))
        self.assertLessEqual(float(found.group(1)), 1.0)


if __name__ == "__main__":
    unittest.main()
