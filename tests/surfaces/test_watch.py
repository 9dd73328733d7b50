"""`watch` as a person runs it: another process drops files, asks, and hands files over."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program import run
from tests.vaults import REPO, Box


def call(box: Box, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "vaultmem", "--vault", str(box.root), *arguments]
    environ = {**box.environ, "PYTHONPATH": str(REPO)}
    return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Box]:
    box = Box(tmp_path)
    command = [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "watch"]
    environ = {**box.environ, "PYTHONPATH": str(REPO)}
    process = subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "watching" in process.stderr.readline()
    yield box
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) in (0, 130)


def until_found(box: Box, text: str) -> dict[str, object]:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = json.loads(run(box, "recall", text, "--json").stdout)
        if found["hits"]:
            return found["hits"][0]
        time.sleep(0.3)
    raise AssertionError(f"{text}: not found within 30 s")


def test_a_dropped_file_is_found_and_files_of_others_are_handed_over(watched: Box, tmp_path: Path) -> None:
    watched.write("ferry.md", "# Ferry\n\nThe ferry leaves at 9 from pier 4.\n", at=time.time())
    assert "pier 4" in str(until_found(watched, "ferry pier")["content"])

    named = tmp_path / "gate.txt"
    named.write_text("Gate code is 9911 for the yard.\n", encoding="utf-8")
    start = time.monotonic()
    handed = run(watched, "ingest", str(named), "--json")
    assert time.monotonic() - start < 30
    assert "handed to the running" in json.loads(handed.stdout)["files"][0]["reason"]
    assert "9911" in str(until_found(watched, "gate code")["content"])

    second = call(watched, "watch")
    assert second.returncode == 1
    assert "in use by watch" in second.stderr


def looked_at(*folders: Path) -> dict[Path, tuple[int, ...]]:
    """Every file and folder below: size, times and number."""
    found: dict[Path, tuple[int, ...]] = {}
    for folder in folders:
        for path in [folder, *folder.rglob("*")]:
            with contextlib.suppress(FileNotFoundError):  # filed away since it was listed: the next look tells
                stat = path.lstat()
                found[path] = (stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino)
    return found


def check_idle(box: Box, seconds: float) -> None:
    """Nothing below the vault and the data folder changes, from when the first pass has come to rest."""
    for number in range(20):
        box.write(f"n{number}.md", f"# Pier {number}\n\nThe ferry of pier {number} leaves at nine.\n", at=time.time())
    until_found(box, "pier 19")
    before, end = looked_at(box.root, box.data), time.monotonic() + 60
    quiet = 0
    while quiet < 4:  # longer than it rests between two passes
        time.sleep(2)
        now = looked_at(box.root, box.data)
        quiet = quiet + 1 if now == before else 0
        assert time.monotonic() < end, "it does not come to rest"
        before = now
    time.sleep(seconds)
    now = looked_at(box.root, box.data)
    assert now == before, sorted(str(path) for path in now.keys() | before if now.get(path) != before.get(path))


def test_an_idle_watch_writes_nothing(watched: Box) -> None:
    check_idle(watched, 3)


@pytest.mark.nightly
def test_an_idle_minute_writes_nothing(watched: Box) -> None:
    check_idle(watched, 65)
