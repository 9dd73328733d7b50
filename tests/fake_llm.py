"""A language model for tests: a real HTTP server in a process of its own, speaking both protocols, well or badly.

python tests/fake_llm.py LOG  prints its port, then serves until it is killed. The model named in a request is what it
does: `ok`, `slow`, `stall`, `drip`, `500`, `429`, `429-long`, `401`, `lies`, `prose`, `truncated`, `huge`, `closes`,
`garbage`, `half`, `no-json-mode`, `new-limit`, `redirect`, `nonsense`, `low`, `twice-500`; several joined by `+` are
taken in turn, the last one from then on. `ask-recall`, `ask-answer`, `ask-invents`, `ask-refuse`, `ask-bad-mode` are a
memory agent's replies. Every request is a line in LOG: {"path", "model", "authorization", "body"}.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SOURCE = re.compile(r"^\[(\d+)\] (?:(.+?): )?(.*)$", re.MULTILINE)
LIE = "Zebulon"


class FakeLlm:
    """The running server, as a test sees it."""

    def __init__(self, port: int, log: Path) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._log = log

    def environ(self, mode: str, *, api: str = "openai", key: str = "", timeout: float = 5) -> dict[str, str]:
        """What names this server as the user's model."""
        found = {"API": api, "URL": self.url, "MODEL": mode, "KEY": key, "TIMEOUT": str(timeout)}
        return {f"VAULTMEM_LLM_{name}": value for name, value in found.items() if value}

    def requests(self) -> list[dict[str, Any]]:
        """What it was asked so far."""
        return [json.loads(line) for line in self._log.read_text().splitlines()]


@contextmanager
def serving(folder: Path) -> Iterator[FakeLlm]:
    """The server, from its start to its end."""
    log = folder / "llm.log"
    log.touch()
    process = subprocess.Popen([sys.executable, __file__, str(log)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield FakeLlm(int(process.stdout.readline()), log)
    finally:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


_LOCK = threading.Lock()
_SEEN: Counter[str] = Counter()
_LOG = ""


class _Serve(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        """Silent."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with _LOCK, Path(_LOG).open("a") as log:
            line = {
                "path": self.path,
                "model": body["model"],
                "authorization": self.headers["Authorization"],
                "body": body,
            }
            log.write(json.dumps(line) + "\n")
            modes = body["model"].split("+")
            mode = modes[min(_SEEN[body["model"]], len(modes) - 1)]
            _SEEN[body["model"]] += 1
        self.close_connection = True
        # a proxy is asked for the whole address
        self.path = self.path.removeprefix("http://llm.invalid")
        if self.path not in ("/v1/chat/completions", "/api/chat"):
            self.send(404, {"error": {"message": "no such route"}})
        else:
            self.act(mode, body)

    def act(self, mode: str, body: Mapping[str, Any]) -> None:
        if mode in ("slow", "stall"):
            time.sleep(0.4 if mode == "slow" else 30)
        if mode in ("500", "401"):
            self.send(int(mode), {"error": {"message": f"trouble with {self.headers['Authorization']}"}})
        elif mode in ("429", "429-long"):
            self.send(429, {"error": "busy"}, {"Retry-After": "1" if mode == "429" else "3600"})
        elif mode == "closes":
            self.connection.close()
        elif mode == "garbage":
            self.wfile.write(b"\x00\xff garbage \r\n\r\n" * 50)
        elif mode == "half":
            self.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{"choices":')
        elif mode == "drip":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for number in range(300):
                self.wfile.write(f"X-{number}: y\r\n".encode())
                self.wfile.flush()
                time.sleep(0.1)
        elif mode == "redirect":
            self.send(302, {}, {"Location": "http://127.0.0.1:1/elsewhere"})
        elif mode == "nonsense":
            self.send(200, {"choices": [{"message": None}], "message": 7})
        elif mode == "no-json-mode" and ("response_format" in body or "temperature" in body):
            named = "response_format" if "response_format" in body else "temperature"
            self.send(400, {"error": {"message": f"'{named}' is not supported"}})
        elif mode == "new-limit" and "max_tokens" in body:
            self.send(400, {"error": {"message": "use 'max_completion_tokens' instead of 'max_tokens'"}})
        else:
            self.answer(mode, body)

    def answer(self, mode: str, body: Mapping[str, Any]) -> None:
        text = _reply(mode, body["messages"][-1]["content"], judging="importance" in body["messages"][0]["content"])
        cut = mode == "truncated"
        text = text[: len(text) // 2] if cut else text
        if self.path == "/api/chat":
            reason = "length" if cut else "stop"
            self.send(200, {
                "message": {"role": "assistant", "content": text}, "done": True, "done_reason": reason,
                "prompt_eval_count": 100, "eval_count": 20,
            })  # fmt: skip
        else:
            choice = {"message": {"content": text}, "finish_reason": "length" if cut else "stop"}
            self.send(200, {"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 20}})

    def send(self, status: int, value: object, headers: Mapping[str, str] | None = None) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        for name, said in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, said)
        self.end_headers()
        self.wfile.write(content)


def _reply(mode: str, prompt: str, *, judging: bool) -> str:
    if mode == "prose":
        return "Sure! Here is what I think: this is quite important, I would say 0.9."
    if mode == "huge":
        return "x" * 3_000_000
    if mode.startswith("ask-"):
        return _agent(mode, prompt)
    if not judging:
        return _summary(mode, prompt)
    importance = 0.0 if mode == "low" else 0.9
    names = [{"name": name, "kind": "person"} for name in re.findall(r"\b(?:alice|bob)\b", prompt.lower())[:2]]
    if mode == "lies":
        names.append({"name": LIE, "kind": "person"})
    return json.dumps({"importance": importance, "entities": names})


def _agent(mode: str, prompt: str) -> str:
    """One action of a memory agent: looks up the question's own words, or cites the first hit it was shown."""
    question = prompt.split("\n")[0].removeprefix("Question: ")
    shown = re.search(r"^\[1\] .*?\): (.*)$", prompt, re.MULTILINE)
    said = shown[1].rstrip(".") if shown else "nothing"
    replies = {
        "ask-recall": {"action": "recall", "arguments": {"query": question}},
        "ask-answer": {"action": "answer", "text": f"{said} [1]. {LIE} agreed. {LIE} was there [99]."},
        "ask-invents": {"action": "answer", "text": f"{LIE} did it. It is known [0]."},
        "ask-refuse": {"action": "refuse"},
        "ask-bad-mode": {"action": "ingest_document", "arguments": {"content": "x"}},
        "ask-bad-id": {"action": "drill_down", "arguments": {"node_id": "ffffffffffff"}},
    }
    return f"Sure: ```json\n{json.dumps(replies[mode])}\n```"


def _summary(mode: str, prompt: str) -> str:
    """Every second source, shortened to its first words."""
    said = [f"{text.rstrip('.')} [{number}]." for number, _, text in SOURCE.findall(prompt)][::2]
    return "\n".join([*said, f"{LIE} agreed to it all [1]."] if mode == "lies" else said)


if __name__ == "__main__":
    _LOG = sys.argv[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Serve)
    print(server.server_port, flush=True)
    server.serve_forever()
