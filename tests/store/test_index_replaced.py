"""The index file is locked, closed, or another one by now: the vault's answers go on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from tests.store.test_index import entry
from tests.vaults import Box
from vaultmem.errors import CannotWrite, DamagedIndex
from vaultmem.store.index import connection, open_index

LOCK = """
import sys, apsw
db = apsw.Connection(sys.argv[1])
db.pragma("locking_mode", "exclusive")
db.execute("BEGIN EXCLUSIVE")
db.execute("INSERT OR REPLACE INTO meta VALUES ('theirs', '1')")
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_lock_that_never_ends_is_waited_for_and_then_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.3)
    monkeypatch.setattr(connection, "_SHORT_SECONDS", 0.3)
    path = tmp_path / "index.db"
    open_index(path).close()
    command = [sys.executable, "-c", LOCK, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"locked\n"
        index = open_index(path)
        assert index.state == "set aside: locked by another program for 0.3 seconds"
        index.commit([entry(1, ["the zeppelin"])])
        other.communicate(b"")
    index.close()
    with_ours = open_index(path)
    assert (with_ours.state, with_ours.counts()["notes"]) == ("ready", 1)
    with_ours.close()


def test_a_file_that_may_not_be_written_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "index.db"
    open_index(path).close()
    real = os.access
    with monkeypatch.context() as closed:  # root may write everything
        closed.setattr(os, "access", lambda which, mode: Path(which) != path and real(which, mode))
        index = open_index(path)
    assert index.state == "set aside: no rights to read and write it"
    index.close()
    assert len(list(tmp_path.glob("index.db.broken-1"))) == 1


def test_a_closed_folder_is_a_matter_of_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(connection, "_connected_if_ready", refused)
    with pytest.raises(CannotWrite, match="Permission denied; make room or give rights"):
        open_index(tmp_path / "index.db")


def test_what_a_full_or_closed_disk_holds_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "index.db"
    index = open_index(path)
    index.commit([entry(1, ["the zeppelin"])])
    index.close()

    def full(*_: object) -> object:
        raise apsw.CantOpenError("unable to open database file")

    with monkeypatch.context() as closed:
        closed.setattr(connection, "_opened", full)
        reading = open_index(path)
        assert (reading.state, reading.counts()["notes"]) == ("ready", 1)
        with pytest.raises(CannotWrite):
            reading.commit([entry(2, ["the airship"])])
        assert sorted(found.name for found in tmp_path.iterdir() if "lock" not in found.name) == ["index.db"]
    reading.commit([entry(2, ["the airship"])])  # there is room again
    assert reading.counts()["notes"] == 2
    reading.close()


def test_a_file_that_was_replaced_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    running = open_index(path)
    running.commit([entry(1, ["the zeppelin"])])
    connection.mark_damaged(path, "seen by another process")
    other = open_index(path)
    other.commit([entry(2, ["the airship"]), entry(3, ["the balloon"])])
    assert running.counts()["notes"] == 2
    running.commit([entry(4, ["the kite"])])
    assert other.counts()["notes"] == 3
    path.unlink()  # a hand that deletes it under us: nobody is there to follow
    assert running.counts()["notes"] == 3
    running.close()
    other.close()


def overwritten(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))


def cut_off(path: Path) -> None:
    os.truncate(path, 3 * 4096)


@pytest.mark.parametrize("damage", [overwritten, cut_off])
def test_who_finds_damage_goes_on_with_a_new_file(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "index.db"
    running = open_index(path)
    running.commit([entry(number, ["the zeppelin " * 50]) for number in range(40)])
    running.close()
    said: list[str] = []
    running = open_index(path, said.append)
    damage(path)
    with pytest.raises(DamagedIndex, match="ask again"):
        [running.chunk(f"{number:032x}") for number in range(40)]
    assert running.counts()["notes"] == 0
    assert running.state.startswith("set aside: damaged")
    assert [line.partition(" (")[0] for line in said] == ["the index was set aside as index.db.broken-1"]
    running.close()


def test_a_running_vault_fills_the_file_that_another_process_began(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("paper.md", "# Paper\n\nThe zeppelin is late.\n")
    with box.open() as watching:
        watching.sync()
        connection.mark_damaged(next(box.data.glob("*/index/*.sqlite")), "seen by another process")
        with box.open() as other:
            assert other._index.counts()["notes"] == 0
            watching.sync()
            assert other.recall("zeppelin").hits
        assert watching.recall("zeppelin").hits
