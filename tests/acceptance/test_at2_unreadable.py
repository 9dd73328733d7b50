"""AT-2: the root missing, the root unreadable, a folder below unreadable: the index stays, the cause is named, it
recovers alone.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.acceptance.doors import at_rest, closed, digest, held, outcome, paths, told, until, watching
from tests.app.test_inplace import ALL, note
from tests.vaults import Box

needs_modes = pytest.mark.skipif(sys.platform != "linux", reason="closes folders as Linux does")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("closed"), config=ALL)
    for number in range(12):
        folder = "sub" if number < 4 else "top"
        note(made, f"Journal/{folder}/{number}.md", f"# N{number}\n\nzeppelin{number} landed.\n")
    for number in range(8):
        made.write(f"doc{number}.md", f"# Doc {number}\n\nThe ferry{number} leaves from pier {number} at nine.\n")
    made.sync()
    return made


def everything_is_found(box: Box) -> None:
    for number in range(12):
        [path] = paths(box, f"zeppelin{number}")
        assert path.endswith(f"/{number}.md")
    assert paths(box, "ferry7")


def test_a_missing_root(made: Box) -> None:
    before, away = digest(made), made.root.with_name("unmounted")
    made.root.rename(away)
    try:
        for command in (["sync"], ["status"], ["recall", "zeppelin1"]):
            code, said = outcome(made, *command)
            assert code == 1
            assert str(made.root) in said
        assert not made.root.exists()
        made.root.mkdir()  # an empty folder where the vault is mounted
        assert outcome(made, "sync")[0] == 1
        assert list(made.root.iterdir()) == []
        made.root.rmdir()
    finally:
        away.rename(made.root)
    assert digest(made) == before
    everything_is_found(made)


@needs_modes
@pytest.mark.parametrize("folder", ["", "Journal/sub", "wiki/raw/document", "Journal", "wiki", "entities"])
def test_an_unreadable_folder(made: Box, folder: str) -> None:
    before = digest(made)
    with closed(made.root / folder):
        code, said = outcome(made, "sync", "--json")
        seen = outcome(made, "status", "--json")[1]
    assert held(made) == before
    if folder:
        # where it cannot write, it ends
        assert code == (1 if folder == "wiki" else 0), said
        assert folder in json.dumps(json.loads(seen)["problems"]), seen
        assert folder in said
    else:
        assert code == 1
        assert str(made.root) in said
    told(made, "sync")
    assert digest(made) == before
    everything_is_found(made)


@pytest.fixture
def box(tmp_path: Path, made: Box) -> Box:
    """A copy: for tests that change it."""
    return made.copy(tmp_path)


@needs_modes
def test_deletions_wait_while_a_folder_cannot_be_read_and_the_rest_is_followed(box: Box) -> None:
    (box.root / "Journal/top/9.md").unlink()
    note(box, "Journal/top/new.md", "a dirigible\n")
    note(box, "Journal/top/8.md", "zeppelin8 and a balloon\n", at=1_760_000_100)
    with closed(box.root / "Journal/sub"):
        assert outcome(box, "sync")[0] == 0
        with box.open() as memory:
            there = memory._index.in_place_stats()
        assert "Journal/top/9.md" in there
        assert "Journal/top/new.md" in there
    told(box, "sync")
    assert paths(box, "zeppelin9") == []
    assert paths(box, "balloon") == ["Journal/top/8.md"]
    assert paths(box, "zeppelin1") == ["Journal/sub/1.md"]
    digest(box)


def test_the_root_goes_and_comes_back_while_watch_runs(box: Box) -> None:
    before, away = held(box), box.root.with_name("unmounted")
    with watching(box) as child:
        box.root.rename(away)
        note(Moved(box, away), "Journal/top/11.md", "zeppelin11 came back as a balloon\n")
        assert child.poll() is None
        away.rename(box.root)
        until(lambda: paths(box, "balloon") == ["Journal/top/11.md"], seconds=30)
        until(lambda: at_rest(box), seconds=30)
        assert child.poll() is None
    assert held(box) != before
    everything_is_found(box)
    digest(box)


@needs_modes
def test_a_chunk_note_that_a_person_keeps_elsewhere(box: Box) -> None:
    [path] = [path for path in (box.root / "wiki/raw").rglob("*.md") if "ferry7" in path.read_text()]
    shelf = box.root / "Shelf"
    shelf.mkdir()
    path.rename(shelf / "ferry.md")
    told(box, "sync")
    before = digest(box)
    with closed(shelf):
        assert outcome(box, "sync")[0] == 0
        assert held(box) == before
    told(box, "sync")
    assert paths(box, "ferry7")[0] == "Shelf/ferry.md"
    assert not (box.root / ".vaultmem/tombstones.jsonl").exists()
    assert digest(box) == before


class Moved(Box):
    """The same vault at another place, for a moment."""

    def __init__(self, box: Box, root: Path) -> None:
        self.root, self.data, self.environ = root, box.data, box.environ
