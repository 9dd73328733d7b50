"""The doors a user has: the command line (in this process, or in one of its own) and a running `watch`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from click.testing import CliRunner, Result

from tests.vaults import REPO, Box
from vaultmem.surfaces.cli import cli


def run(box: Box, *arguments: str) -> Result:
    """A command, in this process."""
    return CliRunner().invoke(cli, ["--vault", str(box.root), *arguments], env=dict(box.environ))


def told(box: Box, *arguments: str) -> dict[str, Any]:
    """What a command that succeeds prints with --json."""
    done = run(box, *arguments, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def hits(box: Box, text: str, *more: str) -> list[dict[str, Any]]:
    """The hits of `recall`."""
    found: list[dict[str, Any]] = told(box, "recall", text, *more)["hits"]
    return found


def paths(box: Box, text: str) -> list[str]:
    """The notes that answer, best first, each once."""
    return list(dict.fromkeys(hit["note_path"] for hit in hits(box, text, "-k", "50")))


def digest(box: Box) -> str:
    """The index's digest; `verify` ends well."""
    found = told(box, "verify")
    assert found["drift"] == []
    return str(found["digest"])


def held(box: Box) -> str:
    """The digest of what the index holds, whatever the disk says."""
    with box.open() as memory:
        return memory._index.digest()


def process(box: Box, *arguments: str, program: Sequence[str] = ("-m", "vaultmem")) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    command = [sys.executable, *program, *(("--vault", str(box.root)) if program[0] == "-m" else ()), *arguments]
    environ = {**box.environ, "PYTHONPATH": str(REPO)}
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def watching(box: Box) -> Iterator[subprocess.Popen[str]]:
    """`vaultmem watch`, past its first pass; ended by Ctrl-C."""
    child = process(box, "watch")
    assert child.stderr is not None
    assert "watching" in child.stderr.readline()
    try:
        until(lambda: at_rest(box), seconds=30)
        yield child
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=20) in (0, 130)
    finally:
        child.kill()
        child.communicate()


def at_rest(box: Box) -> bool:
    """Whether a pass has seen everything as it is, and left nothing to do."""
    from vaultmem.app.rest import look, rest_of

    with box.open() as memory:
        return rest_of(memory._engine, look(memory._engine)) is not None


def until(holds: Callable[[], bool], *, seconds: float) -> float:
    """Wait until that holds; how long it took."""
    start = time.monotonic()
    while not holds():
        assert time.monotonic() - start < seconds, f"not within {seconds} s"
        time.sleep(0.02)
    return time.monotonic() - start
