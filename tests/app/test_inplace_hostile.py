"""Notes in place as vaults really are: large, broken, unreadable, in two spellings, and half saved."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.app.test_inplace import ALL, ask, note, paths, theirs
from tests.vaults import Box
from vaultmem.store import walk

MARK = "test/1"


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path, config=ALL)


def embed(box: Box) -> int:
    """Give every passage that lacks one a vector; how many did."""
    with box.open() as memory:
        lacking = memory._index.passages_without_vector(MARK, 10_000)
        memory._index.put_vectors(MARK, {key: [1.0, 0.0] for key, _ in lacking})
        return len(lacking)


def test_only_what_changed_is_embedded_again(box: Box) -> None:
    paragraphs = [f"Paragraph {n} says that the zeppelin number {n} is late." for n in range(50)]
    note(box, "Ships/fleet.md", "---\ntags: [a]\n---\n# Fleet\n\n" + "\n\n".join(paragraphs) + "\n")
    box.sync()
    assert embed(box) == 50
    paragraphs[20] = "The twentieth zeppelin was sold to Lisbon."
    note(box, "Ships/fleet.md", "---\ntags: [a]\n---\n# Fleet\n\n" + "\n\n".join(paragraphs) + "\n", at=1_760_000_001)
    box.sync()
    assert embed(box) == 1, "one paragraph of fifty"
    note(
        box, "Ships/fleet.md", "---\ntags: [a, b]\n---\n# Fleet\n\n" + "\n\n".join(paragraphs) + "\n", at=1_760_000_002
    )
    box.sync()
    assert embed(box) == 0, "a tag"
    (box.root / "Ships/fleet.md").rename(box.root / "armada.md")
    box.sync()
    assert embed(box) == 0, "a name"
    assert paths(box, "twentieth zeppelin Lisbon") == ["armada.md"]


def test_a_folder_that_cannot_be_listed_loses_nothing(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    note(box, "A/a.md", "the zeppelin\n")
    note(box, "B/b.md", "the airship\n")
    box.sync()
    real = os.scandir

    def shut(where: object) -> object:
        if str(where).endswith("/A"):
            raise PermissionError(13, "Permission denied")
        return real(where)  # type: ignore[call-overload]

    monkeypatch.setattr(walk.os, "scandir", shut)
    with box.open() as memory:
        done = memory.sync().reconciled
    assert done.forgotten == 0
    assert "A" in done.held_back
    monkeypatch.undo()
    assert paths(box, "zeppelin") == ["A/a.md"]


def test_all_notes_gone_at_once_are_not_believed(box: Box) -> None:
    for number in range(30):
        note(box, f"n/{number}.md", f"zeppelin{number}\n")
    box.sync()
    for path in (box.root / "n").iterdir():
        path.unlink()
    with box.open() as memory:
        assert memory.sync().reconciled.forgotten == 0
        assert memory.sync(accept_deletions=True).reconciled.forgotten == 30


def test_a_long_note(box: Box) -> None:
    line = "The zeppelin of the year went up and came down, and nobody saw where it went that day.\n\n"
    note(box, "big.md", line * 2000 + "The needle is here.\n\n" + line * 2000)
    before = theirs(box)
    started = time.process_time()
    box.sync()
    assert time.process_time() - started < 60
    (hit, *_) = ask(box, "needle").hits
    assert hit.lines == (4001, 4001)
    assert theirs(box) == before


def test_one_name_in_two_spellings_is_one_note_where_the_disk_has_one(box: Box) -> None:
    note(box, "Ju\u0308rgen.md", "the zeppelin\n")
    box.sync()
    assert paths(box, "zeppelin") == ["J\u00fcrgen.md"]
    (box.root / "Ju\u0308rgen.md").rename(box.root / "J\u00fcrgen.md")
    box.sync()
    assert paths(box, "zeppelin") == ["J\u00fcrgen.md"]
    box.digest()


def test_a_name_of_another_case_is_followed(box: Box) -> None:
    note(box, "Ship.md", "the zeppelin\n")
    box.sync()
    (box.root / "Ship.md").rename(box.root / "ship.md")
    box.sync()
    assert paths(box, "zeppelin") == ["ship.md"]
    box.digest()


def test_saved_in_every_way_it_is_one_note(box: Box) -> None:
    """In place; temporary file and rename; away, written, the old one deleted; deleted and made again."""
    path = note(box, "a.md", "the zeppelin zero\n")
    box.sync()

    def renamed() -> None:
        (box.root / ".a.tmp").write_text("the zeppelin one\n")
        (box.root / ".a.tmp").replace(path)

    def vim() -> None:
        path.rename(box.root / "a.md~")
        path.write_text("the zeppelin two\n")
        (box.root / "a.md~").unlink()

    def again() -> None:
        path.unlink()
        path.write_text("the zeppelin three\n")

    for save, word in ((renamed, "one"), (vim, "two"), (again, "three")):
        save()
        box.sync()
        (hit,) = ask(box, "zeppelin").hits
        assert hit.content == f"the zeppelin {word}"
        box.digest()


def test_an_emptied_note_is_forgotten_and_comes_back(box: Box) -> None:
    note(box, "a.md", "the zeppelin\n")
    box.sync()
    note(box, "a.md", "", at=1_760_000_001)
    box.sync()
    assert not paths(box, "zeppelin")
    note(box, "a.md", "the zeppelin\n", at=1_760_000_002)
    box.sync()
    assert paths(box, "zeppelin") == ["a.md"]


def test_equal_paragraph_blocks_of_a_long_note_are_told_apart(box: Box) -> None:
    note(box, "a.md", ("# Same\n\n" + "the zeppelin goes round and round.\n\n" * 200) * 4)
    box.sync()
    first = box.digest()
    with box.open() as memory:
        assert memory.rebuild().digest == first


def test_a_vault_at_rest_is_looked_at_once(box: Box) -> None:
    for number in range(5):
        note(box, f"{number}.md", f"zeppelin{number}\n")
    box.sync()
    with box.open() as memory:
        assert memory._index.get_meta("rest")
        assert memory.sync().reconciled.added == 0
    note(box, "5.md", "zeppelin5\n")
    box.sync()
    assert paths(box, "zeppelin5") == ["5.md"]
    (box.root / "5.md").write_text("airship5\n")
    box.sync()
    assert paths(box, "airship5") == ["5.md"]


def test_a_pass_over_a_vault_at_rest_imports_none_of_what_a_pass_does(box: Box) -> None:
    note(box, "a.md", "zeppelin\n")
    box.sync()
    code = (
        "import sys\n"
        "from vaultmem.surfaces.cli import cli\n"
        "cli.main(['sync'], standalone_mode=False)\n"
        "print([name for name in ('vaultmem.app.sync', 'vaultmem.app.reconcile') if name in sys.modules])"
    )
    said = []
    for text in ("", "airship\n"):
        if text:
            note(box, "b.md", text)
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=box.root, env={**os.environ, **box.environ}, capture_output=True, text=True, check=True,
        )  # fmt: skip
        said.append(done.stdout.splitlines()[-1])
    assert said == ["[]", "['vaultmem.app.sync', 'vaultmem.app.reconcile']"]
    assert paths(box, "airship") == ["b.md"]
