"""A server that speaks Ollama's and OpenAI's embedding protocols, well or badly, in a process of its own.

with Serving() as server:
    server.behave(dims=1024, delay=0.5)
    server.environ("ollama")            # VAULTMEM_EMBED_* for a vault that uses it
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import struct
import subprocess
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zlib import crc32

#: Words that mean the same to this model.
MEANS = {"car": "vehicle", "park": "stands", "parked": "stands", "meal": "soup"}
MODEL = "fake-embed"


class Behaviour:
    """What the server does now; `POST /behave` changes it."""

    dims = 384
    #: seconds before each answer
    delay = 0.0
    #: answer everything with this status
    status = 0
    #: hang after so many texts; -1 never
    hangs_after = -1
    #: dims of texts after the n-th: [n, dims]
    switch: list[int] | None = None
    #: a text with this word gets: nan | zero | status | short | none
    poison = ""
    poison_gives = "nan"
    #: no /api/embed, as before Ollama 0.3
    old = False
    #: no /api/tags
    tags = True
    digest = "sha256:" + "ab" * 32
    base64 = False
    shuffled = False
    #: what the OpenAI reply calls the model; "" as asked
    served = ""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.bodies: list[dict[str, Any]] = []


NOW = Behaviour()
LOCK = threading.Lock()


def vector(text: str, dims: int) -> list[float]:
    found = [0.0] * dims
    words = (word.strip(".,:;?!") for word in text.casefold().split())
    for word in (MEANS.get(word, word) for word in words):
        for salt in "abc":
            number = crc32((salt + word).encode())
            found[number % dims] += 1 if number & 1 << 30 else -1
    found[0] += 0.01
    return found


def embedded(text: str) -> Any:
    with LOCK:
        NOW.texts.append(text)
        count = len(NOW.texts)
    if 0 <= NOW.hangs_after < count:
        time.sleep(3600)
    dims = NOW.switch[1] if NOW.switch and count > NOW.switch[0] else NOW.dims
    found = vector(text, dims)
    if NOW.poison and NOW.poison in text:
        if NOW.poison_gives == "status":
            raise ValueError("input is too long or strange")
        found = {"nan": [math.nan] * dims, "zero": [0.0] * dims, "short": found[:7], "none": None}[NOW.poison_gives]
    return found


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/seen":
            self.answer({"texts": NOW.texts, "bodies": NOW.bodies})
        elif self.path == "/api/tags" and NOW.tags:
            self.answer({"models": [{"name": f"{MODEL}:latest", "digest": NOW.digest}]})
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/behave":
            for name, value in body.items():
                setattr(NOW, name, value)
            return self.answer({})
        with LOCK:
            NOW.bodies.append({"path": self.path, "key": self.headers.get("Authorization", ""), **body})
        time.sleep(NOW.delay)
        if NOW.status:
            return self.answer({"error": "not now"}, NOW.status)
        if body["model"] != MODEL and self.path.startswith("/api/"):
            return self.answer({"error": f'model "{body["model"]}" not found, try pulling it first'}, 404)
        try:
            return self.answer(self.made(body))
        except ValueError as error:
            return self.answer({"error": str(error)}, 400)
        except LookupError:
            return self.send_error(404)

    def made(self, body: dict[str, Any]) -> object:
        if self.path == "/api/embeddings":
            return {"embedding": embedded(body["prompt"])}
        if self.path not in ("/api/embed", "/v1/embeddings") or (self.path == "/api/embed" and NOW.old):
            raise LookupError
        rows = [embedded(text) for text in body["input"]]
        if body.get("dimensions"):
            rows = [row[: body["dimensions"]] for row in rows]
        if self.path == "/api/embed":
            return {"model": body["model"], "embeddings": rows}
        if NOW.base64:
            rows = [base64.b64encode(struct.pack(f"<{len(row)}f", *row)).decode() for row in rows]
        data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
        return {"object": "list", "data": data[::-1] if NOW.shuffled else data, "model": NOW.served or body["model"]}

    def answer(self, value: object, status: int = 200) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Serving:
    """The process, from the test's side."""

    #: what runs in it, how the variables begin that name it, and its model
    program = __file__
    variables = "VAULTMEM_EMBED"
    model = MODEL

    def __init__(self) -> None:
        self.port = 0

    def __enter__(self) -> Serving:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """On the port it had before, if it had one."""
        self._process = subprocess.Popen(
            [sys.executable, self.program, "--port", str(self.port)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        self.port = int(self._process.stdout.readline())

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def behave(self, **changes: object) -> None:
        request = urllib.request.Request(f"{self.url}/behave", json.dumps(changes).encode())
        urllib.request.urlopen(request, timeout=10).read()

    def _seen(self) -> dict[str, Any]:
        return dict(json.loads(urllib.request.urlopen(f"{self.url}/seen", timeout=10).read()))

    @property
    def texts(self) -> list[str]:
        """Every text it was given."""
        return list(self._seen()["texts"])

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """Every request, with its path and the key it came with."""
        return list(self._seen()["bodies"])

    def environ(self, api: str, **more: str) -> dict[str, str]:
        found = {
            "API": api,
            "URL": self.url,
            "MODEL": self.model,
            **{name.upper(): value for name, value in more.items()},
        }
        return {f"{self.variables}_{name}": value for name, value in found.items()}


def serve(handler: type[BaseHTTPRequestHandler]) -> None:
    """The whole program: say the port, then answer for ever."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    server = ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    serve(Handler)
