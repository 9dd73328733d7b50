"""AT-8: an index that is overwritten, cut, emptied, robbed of its log or left by a kill is set aside and built anew
from the vault: the same ids, the same five first answers, and the user's settings untouched.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, hits, run, told
from tests.app.test_inplace import note
from tests.vaults import Box
from vaultmem.surfaces.mcp_vault import VaultDoor

QUESTIONS = ("zeppelin", "ferry pier", "what did Ann say of the Heron", "coat 7", "number 3")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Box:
    box = Box(tmp_path_factory.mktemp("index"), config='chat_gap_hours: 1\nnotes: ["Own/**"]\nme: [Ann]\n')
    said = (
        f"{1 + n % 28:02d}/0{1 + n // 28}/2026, 09:{n % 60:02d} - {('Bo Stone', 'Ann')[n % 2]}: The boat [[Heron]] got"
        f" coat {n} on pier {n % 5}."
        for n in range(60)
    )
    box.write("WhatsApp Chat with Yard.txt", "\n".join(said))
    for number in range(10):
        note(box, f"Own/{number}.md", f"# N{number}\n\nThe zeppelin number {number} of [[Heron]].\n")
        box.write(f"doc{number}.md", f"# Doc {number}\n\nThe ferry leaves from pier {number} at nine.\n")
    box.sync()
    return box


def answers(box: Box) -> list[list[object]]:
    with box.open() as memory:
        found = [memory.recall(question, k=5).hits for question in QUESTIONS]
    return [[(hit.node_id, hit.content, hit.lines) for hit in five] for five in found]


def index_of(box: Box) -> Path:
    [path] = box.data.glob("vault-*/index/vaultmem.sqlite")
    return path


def middle_overwritten(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        for at in (size // 4, size // 2, 3 * size // 4):
            file.seek(at // 4096 * 4096)
            file.write(b"\xff" * 4096)


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 + 100)


def zeroed(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def deleted(path: Path) -> None:
    path.unlink()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "x").write_text("y")


@pytest.mark.parametrize("damage", [middle_overwritten, truncated, zeroed, emptied, deleted])
def test_damage(made: Box, tmp_path: Path, damage: Callable[[Path], None]) -> None:
    box = made.copy(tmp_path)
    wanted, before = answers(box), digest(box)
    config, notes = (box.root / ".vaultmem/config.yaml").read_bytes(), box.notes()
    damage(index_of(box))
    said = ""
    for question in QUESTIONS:  # damage in the middle is met by whoever reads it, and named; the next one mends it
        said += run(box, "recall", question).stderr
    said += run(box, "verify").stderr
    said += run(box, "sync").stderr
    assert answers(box) == wanted
    assert digest(box) == before
    assert (box.root / ".vaultmem/config.yaml").read_bytes() == config
    assert box.notes() == notes
    aside = [path.name for path in index_of(box).parent.glob("*.broken-*") if "-wal" not in path.name]
    assert len(aside) == (damage not in (emptied, deleted)), aside
    assert told(box, "status")["index_state"] == "ready"
    assert said.count("vaultmem: the index was set aside as vaultmem.sqlite.broken-1 (") == len(aside), "said once"


def test_a_tool_server_says_it_to_its_client(
    made: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    box = made.copy(tmp_path)
    zeroed(index_of(box))
    for name, value in box.environ.items():
        monkeypatch.setenv(name, value)
    door = VaultDoor(str(box.root))
    try:
        assert door.ask(lambda memory: memory.recall("zeppelin")).hits
        assert capsys.readouterr().err.count("vaultmem: the index was set aside as vaultmem.sqlite.broken-1 (") == 1
    finally:
        door.finish(5)
        door.ask(lambda memory: memory.close())


def test_a_log_that_is_deleted_after_a_kill(made: Box, tmp_path: Path) -> None:
    box = made.copy(tmp_path)
    wanted, before = answers(box), digest(box)
    box.write("late.md", "# Late\n\nThe balloon came late.\n")
    killed_while(box, lambda: Path(f"{index_of(box)}-wal").stat().st_size > 0)
    for side in ("-wal", "-shm"):
        Path(f"{index_of(box)}{side}").unlink(missing_ok=True)
    told(box, "sync")
    assert answers(box) == wanted
    assert hits(box, "balloon")
    (box.root / hits(box, "balloon")[0]["note_path"]).unlink()
    told(box, "sync")
    told(box, "rebuild")
    assert len(digest(box)) == len(before)


def killed_while(box: Box, holds: Callable[[], bool]) -> None:
    """Kill a sync as soon as that holds."""
    child = os.fork()
    if child == 0:
        try:
            box.sync()
        finally:
            os._exit(0)
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            if holds():
                break
        except FileNotFoundError:
            pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def test_killed_in_mid_write_of_a_cold_build(made: Box, tmp_path: Path) -> None:
    wanted, before = answers(made), digest(made)
    for number, share in enumerate((0.2, 0.6)):
        box = made.copy(tmp_path / str(number))
        shutil.rmtree(index_of(box).parent)
        start = time.monotonic()
        killed_while(box, lambda s=share, t=start: time.monotonic() - t > s * 0.5)  # type: ignore[misc]
        told(box, "sync")
        assert answers(box) == wanted
        assert digest(box) == before


def test_a_folder_in_its_place_is_a_named_problem(made: Box, tmp_path: Path) -> None:
    box = made.copy(tmp_path)
    a_folder(index_of(box))
    done = run(box, "recall", "zeppelin")
    assert done.exit_code == 1
    assert "delete that file" in str(done.exception)
