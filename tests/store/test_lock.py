"""One writer per vault: between threads, between processes, and after kill -9."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from vaultmem.errors import VaultBusy
from vaultmem.store.data import DataFolder, data_folder
from vaultmem.store.lock import holder, writer_lock

ROOT = Path(__file__).parents[2]
HOLD = """
import sys, time
from pathlib import Path
from vaultmem.store.data import data_folder
from vaultmem.store.lock import writer_lock
data = data_folder(Path(sys.argv[1]), environ={"VAULTMEM_DATA": sys.argv[2]})
with writer_lock(data, holder="vaultmem watch", timeout=10):
    print("held", flush=True)
    sys.stdin.readline()
print("free", flush=True)
"""


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    (tmp_path / "v").mkdir()
    return data_folder(tmp_path / "v", environ={"VAULTMEM_DATA": str(tmp_path / "data")})


@contextmanager
def other_process(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "v"), str(tmp_path / "data")],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_the_holder_is_named_while_it_holds(data: DataFolder) -> None:
    assert holder(data) == ""
    with writer_lock(data, holder="vaultmem sync", timeout=0):
        assert holder(data).startswith(f"vaultmem sync (process {os.getpid()}, since 2")
    assert holder(data) == ""
    assert not data.holder_path.exists()


def test_it_is_given_back_after_an_error(data: DataFolder) -> None:
    with pytest.raises(ZeroDivisionError), writer_lock(data, holder="a", timeout=0):
        raise ZeroDivisionError
    with writer_lock(data, holder="b", timeout=0):
        pass


def test_threads_take_turns(data: DataFolder) -> None:
    inside: list[int] = []
    most: list[int] = []

    def work(number: int) -> None:
        with writer_lock(data, holder=str(number), timeout=20):
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.01)
            inside.remove(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 6


def test_another_process_is_waited_for_and_named(data: DataFolder, tmp_path: Path) -> None:
    with other_process(tmp_path) as process:
        started = time.monotonic()
        with (
            pytest.raises(VaultBusy, match=rf"vaultmem watch \(process {process.pid}, since .*waited 1 s"),
            writer_lock(data, holder="vaultmem sync", timeout=1),
        ):
            pass
        assert 0.9 < time.monotonic() - started < 5
        assert "vaultmem watch" in holder(data)
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        with writer_lock(data, holder="vaultmem sync", timeout=10):
            assert "vaultmem sync" in holder(data)


def test_a_killed_holder_lets_go(data: DataFolder, tmp_path: Path) -> None:
    with other_process(tmp_path) as process:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert data.holder_path.exists()
        assert holder(data) == ""
        with writer_lock(data, holder="vaultmem sync", timeout=0):
            assert "vaultmem sync" in holder(data)


def test_a_holder_that_left_no_readable_note_is_still_a_holder(data: DataFolder) -> None:
    with writer_lock(data, holder="a", timeout=0):
        for note in ("", "[]", "{}", "\xff"):
            data.holder_path.write_text(note, encoding="latin-1")
            assert holder(data) == "another vaultmem process"


def test_asking_who_holds_it_refuses_nobody(data: DataFolder) -> None:
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            holder(data)
            time.sleep(0.002)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        for _ in range(20):
            with writer_lock(data, holder="a", timeout=0):
                pass
    finally:
        done.set()
        asking.join()
