"""Long work says on a terminal what it is at, keeps pipes clean, and answers Ctrl-C with one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bench.chatter import slack_export
from tests.program import run
from tests.vaults import REPO, Box

pty = pytest.importorskip("pty", reason="no pseudo terminals here")


class Terminal:
    """A command whose stderr is a terminal."""

    def __init__(self, box: Box, *arguments: str) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "vaultmem", "--vault", str(box.root), *arguments],
            cwd=REPO, env={**os.environ, **box.environ, "TERM": "xterm", "COLUMNS": "100"},
            stdout=subprocess.PIPE, stderr=slave, start_new_session=True,
        )  # fmt: skip
        os.close(slave)
        self.shown = b""

    def read_until(self, wanted: bytes, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while wanted not in self.shown and time.monotonic() < end and self._more():
            pass
        assert wanted in self.shown, self.shown[-2000:]

    def _more(self) -> bool:
        try:
            read = os.read(self._master, 65536)
        except OSError:  # Linux says so when the last writer has gone
            return False
        self.shown += read
        return bool(read)

    def end(self) -> tuple[int, str, str]:
        """Exit code, stdout, and all that the terminal was sent."""
        while self._more():
            pass
        out = self.process.communicate(timeout=60)[0]
        os.close(self._master)
        return self.process.returncode, out.decode(), self.shown.decode()


def test_a_terminal_is_told_what_is_being_done(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("team [bold].zip", slack_export(30))

    code, out, shown = Terminal(box, "sync", "--json").end()

    assert code == 0
    assert "reading 1 of 1: team [bold].zip" in shown or "team [bold].zip: 30 messages" in shown
    assert json.loads(out)["files"][0]["outcome"] == "imported"
    code, out, shown = Terminal(box, "rebuild").end()
    assert code == 0
    assert "indexing notes: 0 of " in shown
    assert "index rebuilt" in out


def test_a_pipe_stays_clean(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("team.zip", slack_export(30))
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "ingest", str(REPO / "LICENSE")],
        cwd=REPO, env={**os.environ, **box.environ}, capture_output=True, check=True, text=True,
    )  # fmt: skip
    for told in (done, run(box, "rebuild"), run(box, "sync", "--json")):
        assert told.returncode == 0
        assert told.stderr == ""
        assert "\x1b" not in told.stdout


def test_ctrl_c_is_answered_with_one_line_and_the_next_sync_goes_on(tmp_path: Path) -> None:
    undisturbed, box = Box(tmp_path / "a"), Box(tmp_path / "b")
    for one in (undisturbed, box):
        one.write("team.zip", slack_export(150))
    undisturbed.sync()

    terminal = Terminal(box, "sync")
    terminal.read_until(b"messages")
    terminal.process.send_signal(signal.SIGINT)
    code, out, shown = terminal.end()

    assert code == 130
    assert out == ""
    assert shown.count("the next 'vaultmem sync' goes on") == 1
    assert "Traceback" not in shown
    box.sync()
    assert box.digest() == undisturbed.digest()
    with box.open() as memory:
        assert dict(memory.status().jobs) == {"ready": 0, "running": 0, "dead": 0}
