# SPDX-License-Identifier: GPL-3.0-or-later
"""A server under test, a client for it, and a check of every answer against the server's own OpenAPI document."""
import asyncio
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.parse

SCALE = float(os.environ.get("SAMARA_TIME_SCALE", "1"))
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# binary of the program; the tests are called with it as their first argument
BINARY = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "samara"


class Server:
    """Runs `samara serve` on a free port for as long as the with-block lasts."""

    def __init__(self, *options, store=False, environment=None):
        words = [BINARY, "serve", "--port", "0", *options] + ([] if store else ["--no-store"])
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **(environment or {})})
        line = self.process.stdout.readline()
        match = re.search(r":(\d+)/", line)
        if not match:
            raise RuntimeError("no address: " + line + self.process.stderr.read())
        self.port = int(match.group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self, how=signal.SIGTERM, patience=20):
        """Ends it and says with which code; also that nothing was said on standard error (sanitizers would)."""
        if self.process.stderr.closed:
            return self.process.returncode
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(timeout=patience * SCALE)
        self.complaints = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


class Client:
    """One keep-alive connection."""

    def __init__(self, port, token=None, timeout=60, source="127.0.0.1"):
        """source: the address it comes from; every one in 127.0.0.0/8 is of this machine."""
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout * SCALE, source_address=(source, 0))
        self.token = token

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def send(self, method, path, body=None, headers=None):
        all_headers = {"Content-Type": "application/json"} if body is not None else {}
        if self.token:
            all_headers["Authorization"] = "Bearer " + self.token
        all_headers.update(headers or {})
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        self.connection.request(method, path, body, all_headers)
        return Answer(self.connection.getresponse())

    def get(self, path, headers=None, **query):
        if query:
            path += "?" + urllib.parse.urlencode(query)
        return self.send("GET", path, headers=headers)

    def post(self, path, body, headers=None):
        return self.send("POST", path, body, headers)


def raw_post(path, body):
    """The bytes of a request, for those who write them themselves."""
    body = json.dumps(body).encode()
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


async def good_client(port, depth, pause, goes_on):
    """Asks for a move again and again while goes_on(), and must always be served. Returns the seconds that each answer took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    times = []
    while goes_on():
        start = time.monotonic()
        writer.write(raw_post("/move", {"fen": START, "depth": depth}))
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: *(\d+)", head.lower()).group(1))
        answer = json.loads(await reader.readexactly(length))
        assert head.startswith(b"HTTP/1.1 200 ") and answer["status"] == "ok", (head, answer)
        times.append(time.monotonic() - start)
        await asyncio.sleep(pause)
    writer.close()
    return times


class Schema:
    """As much of OpenAPI 3.0 as the document uses."""

    KNOWN = {"type", "properties", "required", "additionalProperties", "items", "oneOf", "enum", "nullable", "minimum",
             "maximum", "minLength", "maxLength", "minItems", "maxItems", "default", "description", "example", "format",
             "$ref"}

    def __init__(self, document):
        self.document = document

    def resolve(self, schema):
        while "$ref" in schema:
            node = self.document
            for part in schema["$ref"].removeprefix("#/").split("/"):
                node = node[part]
            schema = node
        return schema

    def faults(self, value, schema, where="body"):
        schema = self.resolve(schema)
        unknown = set(schema) - self.KNOWN
        if unknown:
            return [f"{where}: the document uses {unknown}"]
        if "oneOf" in schema:
            fitting = [s for s in schema["oneOf"] if not self.faults(value, s, where)]
            return [] if len(fitting) == 1 else [f"{where}: {len(fitting)} of oneOf fit {value!r:.80}"]
        if value is None:
            return [] if schema.get("nullable") else [f"{where}: null"]
        kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool}
        kind = schema.get("type")
        if kind and (not isinstance(value, kinds[kind]) or (kind in ("integer", "number") and isinstance(value, bool))):
            return [f"{where}: {value!r:.60} is no {kind}"]
        found = []
        if "enum" in schema and value not in schema["enum"]:
            found.append(f"{where}: {value!r:.60} is none of {schema['enum']}")
        if isinstance(value, dict):
            found += [f"{where}.{name} is missing" for name in schema.get("required", []) if name not in value]
            rest = schema.get("additionalProperties", True)
            for name, item in value.items():
                known = schema.get("properties", {}).get(name)
                if known is not None:
                    found += self.faults(item, known, f"{where}.{name}")
                elif rest is False:
                    found.append(f"{where}.{name} is unknown")
                elif isinstance(rest, dict):
                    found += self.faults(item, rest, f"{where}.{name}")
        if isinstance(value, list):
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 1 << 30):
                found.append(f"{where}: {len(value)} items")
            for i, item in enumerate(value):
                found += self.faults(item, schema.get("items", {}), f"{where}[{i}]")
        return found

    def operation(self, method, path):
        for pattern, item in self.document["paths"].items():
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", pattern), path.split("?")[0]):
                return item.get(method.lower())
        return None

    def answer_faults(self, method, path, answer):
        operation = self.operation(method, path)
        if operation is None:
            return []
        described = operation["responses"].get(str(answer.status))
        if described is None:
            return [f"{method} {path}: status {answer.status} is not described"]
        content = described["content"]
        kind = answer.headers.get("Content-Type", "").split(";")[0]
        if kind not in content:
            return [f"{method} {path}: {kind} is not described for {answer.status}"]
        if kind != "application/json":
            return []
        return self.faults(answer.json, content[kind]["schema"])
