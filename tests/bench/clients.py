"""Ten agents at once on one vault, while `watch` runs and files come in: `python -m tests.bench.clients [notes]`.

Each is a process of `vaultmem mcp`, asked one question after the other. Prints the milliseconds from a question to its
answer (wall), how many answers failed, and how long `initialize` takes. Ends 1 when an answer failed or a dropped file
was lost.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from tests.bench.inplace import WORDS, notes
from tests.vaults import REPO, Box

CLIENTS, QUESTIONS = 10, 30
#: Seconds between two questions of a client, as an agent at work has them.
_PAUSE = 0.5


class Agent:
    """One client and its server process."""

    def __init__(self, box: Box) -> None:
        command = [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "mcp"]
        environ = {**os.environ, **box.environ}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ, cwd=REPO
        )

    def ask(self, method: str, **params: object) -> tuple[float, Any]:
        """Milliseconds and the answer."""
        assert self._process.stdin
        assert self._process.stdout
        started = time.perf_counter()
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return (time.perf_counter() - started) * 1000, answer

    def search(self, text: str) -> tuple[float, bool]:
        """Milliseconds, and whether it was answered with hits."""
        spent, answer = self.ask("tools/call", name="memory_search", arguments={"query": text, "k": 10})
        result = answer.get("result", {})
        return spent, not result.get("isError", True) and bool(result["structuredContent"]["hits"])

    def close(self) -> None:
        """End it as clients do."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(timeout=20)


def measure(box: Box) -> int:
    """The table; 1 when something failed."""
    watch = subprocess.Popen(
        [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "watch"],
        env={**os.environ, **box.environ}, cwd=REPO, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    agents = [Agent(box) for _ in range(CLIENTS)]
    hello = max(agent.ask("initialize", protocolVersion="2025-11-25")[0] for agent in agents)
    for agent in agents:
        agent.search("first")  # opens the vault
    taken: list[float] = []
    failed: list[int] = []
    workers = [threading.Thread(target=_work, args=(agent, n, taken, failed)) for n, agent in enumerate(agents)]
    for worker in workers:
        worker.start()
    dropped = 0
    while any(worker.is_alive() for worker in workers):
        box.write(f"Dropped {dropped}.md", f"# Dropped {dropped}\n\nThe wizzle number {dropped} was mended by Ann.\n")
        dropped += 1
        time.sleep(1)
    time.sleep(8)
    with box.open() as memory:
        lost = sum(not memory.recall(f"wizzle number {n}", k=3).hits for n in range(dropped))
    for agent in agents:
        agent.close()
    watch.terminate()
    watch.wait(timeout=30)
    cuts = statistics.quantiles(taken, n=100)
    print(f"{CLIENTS} clients, {len(taken)} questions, {dropped} files dropped meanwhile")
    print(f"  answer   p50 {cuts[49]:7.0f} ms   p95 {cuts[94]:7.0f} ms   p99 {cuts[98]:7.0f} ms")
    print(f"  initialize, the slowest {hello:7.0f} ms, the process's own start included")
    print(f"  {len(failed)} answers failed, {lost} dropped files lost")
    return int(bool(failed or lost))


def _work(agent: Agent, number: int, taken: list[float], failed: list[int]) -> None:
    chance = random.Random(number)
    for _ in range(QUESTIONS):
        time.sleep(chance.random() * 2 * _PAUSE)  # before the first one too: no ten agents begin at one moment
        spent, is_answered = agent.search(" ".join(chance.sample(WORDS, 3)))  # as good as never asked before
        taken.append(spent)
        if not is_answered:
            failed.append(number)


def main() -> None:
    """Make the vault, let them ask."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    with tempfile.TemporaryDirectory(prefix="vaultmem-clients-") as folder:
        box = Box(Path(folder), config='notes: ["**/*.md"]\n', embedder="auto")
        for path, text in notes(count):
            (box.root / path).parent.mkdir(parents=True, exist_ok=True)
            (box.root / path).write_text(text, encoding="utf-8")
        box.sync()
        with box.open() as memory:
            print(f"{memory.status().counts['passages']:,} passages", flush=True)
        sys.exit(measure(box))


if __name__ == "__main__":
    main()
