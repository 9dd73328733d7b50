"""A server that speaks the two reranking protocols, well or badly, in a process of its own.

with Serving() as server:
    server.behave(likes="garage", delay=0.5)
    server.environ("cohere")            # VAULTMEM_RERANK_* for a vault that uses it

A text that holds the word it `likes` is better than all others; of equals the shorter one.
"""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # the process of its own begins in this folder
    sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.fake_embedder import Serving as ServingEmbedder
from tests.fake_embedder import serve

MODEL = "fake-rerank"


class Behaviour:
    """What the server does now; `POST /behave` changes it."""

    likes = ""
    #: seconds before each answer
    delay = 0.0
    #: answer everything with this status
    status = 0
    #: instead of an answer: nan | few | twice | far | words | true | none | text | list
    gives = ""
    #: "data" where others say "results"
    results = "results"
    #: raw numbers of a model, below zero too, instead of shares of one
    raw = False
    #: refuse a request that holds this part
    unknown = ""
    #: refuse texts of more characters
    longest = 0
    #: all texts alike
    level = False

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []


NOW = Behaviour()
LOCK = threading.Lock()


def score(text: str) -> float:
    held = NOW.likes.casefold() in text.casefold() if NOW.likes else True
    found = 0.0 if NOW.level else (0.9 if held else 0.1) - len(text) / 1e6
    return found * 20 - 15 if NOW.raw else found


def answered(path: str, texts: list[str]) -> object:
    name = "relevance_score" if path != "/rerank" else "score"
    rows: list[Any] = [{"index": place, name: score(text)} for place, text in enumerate(texts)]
    rows.sort(key=lambda row: -row[name])  # as real ones do
    if NOW.gives in ("nan", "words", "true", "none"):
        rows[0][name] = {"nan": math.nan, "words": "high", "true": True, "none": None}[NOW.gives]
    elif NOW.gives:
        rows = {
            "few": rows[:-1], "twice": [*rows, rows[0]], "far": [*rows, {"index": len(rows), name: 1.0}],
            "text": "no list", "list": [1, 2],
        }[NOW.gives]  # fmt: skip
    return rows if path == "/rerank" else {"id": "x", NOW.results: rows, "model": MODEL}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.answer({"texts": [], "bodies": NOW.bodies})

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
            return self.answer({"error": {"message": "not now"}}, NOW.status)
        if NOW.unknown and NOW.unknown in body:
            return self.answer({"detail": f"Argument '{NOW.unknown}' is not supported by our API"}, 400)
        if self.path not in ("/rerank", "/v1/rerank", "/v2/rerank"):
            return self.send_error(404)
        texts = body.get("texts" if self.path == "/rerank" else "documents")
        if not isinstance(texts, list):
            return self.answer({"error": "wrong protocol"}, 422)
        if NOW.longest and any(len(text) > NOW.longest for text in texts):
            return self.answer({"error": {"message": "input is too large to process"}}, 500)
        return self.answer(answered(self.path, texts))

    def answer(self, value: object, status: int = 200) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(OSError):  # nobody waits for it any more
            self.wfile.write(content)


class Serving(ServingEmbedder):
    """The process, from the test's side."""

    program = __file__
    variables = "VAULTMEM_RERANK"
    model = MODEL


if __name__ == "__main__":
    serve(Handler)
