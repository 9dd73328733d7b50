"""The doors a user has: the command line (in this process, or in one of its own) and a running `watch`."""

from __future__ import annotations

import ctypes
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from tests.vaults import REPO, Box
from vaultmem.errors import VaultmemError
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


def process(box: Box, *arguments: str) -> subprocess.Popen[str]:
    """A command in a process of its own."""
    command = [sys.executable, "-m", "vaultmem", "--vault", str(box.root), *arguments]
    environ = {**box.environ, "PYTHONPATH": str(REPO)}
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@contextmanager
def closed(folder: Path) -> Iterator[None]:
    """A folder that this thread, and those it starts, cannot read: root gives up its right to (Linux)."""
    libc, header = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(0x20080522, 0)
    before, without = (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    libc.capget(header, before)
    libc.capget(header, without)
    without[0] &= ~0b110  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
    folder.chmod(0o000)
    try:
        assert libc.capset(header, without) == 0
        yield
    finally:
        libc.capset(header, before)
        folder.chmod(0o755)


def outcome(box: Box, *arguments: str) -> tuple[int, str]:
    """Exit code of a command, and all that it says."""
    done = run(box, *arguments)
    known = isinstance(done.exception, (VaultmemError, OSError, SystemExit, type(None)))
    assert known, repr(done.exception)
    return done.exit_code, f"{done.output}{done.exception or ''}"


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
        time.sleep(0.1)  # a look opens the vault: more of them only take time from what is waited for
    return time.monotonic() - start
