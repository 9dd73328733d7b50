"""A note that cannot be read holds what stands in it: not even an index made anew brings its content a second time."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, paths, told
from tests.app.test_edits import NEW, OLD, slack
from tests.vaults import Box
from vaultmem.core.notes.broken import broken_notes


def chat(messages: int) -> str:
    return "\n".join(
        f"{1 + n:02d}/03/2026, 09:{n:02d} - {('Ann', 'Bo')[n % 2]}: The ferry word{n}q of Heron costs {n} euros."
        for n in range(messages)
    )


CHAT = chat(3)
MAIL = "".join(
    f"From ann@a.org Sun Mar 01 10:00:00 2026\nFrom: Ann <ann@a.org>\nTo: Bo <bo@b.org>\nSubject: Lease {n}\n"
    f"Message-ID: <{n}@a.org>\nDate: Sun, 01 Mar 2026 10:0{n}:00 +0000\n\n"
    f"The ferry word{n}q of Heron costs {n} euros a year, and Bo pays it.\n\n"
    for n in range(3)
)
LEASE = "# Lease\n\n" + "\n\n".join(
    f"## Part {n}\n\nThe ferry word{n}q of Heron. " + " ".join(f"It costs {n}{k} euros." for k in range(25))
    for n in range(3)
)
DROPPED = {"WhatsApp Chat with Crew.txt": CHAT, "inbox.mbox": MAIL, "Lease.md": LEASE, "Short.md": LEASE[:200]}

SAYS = re.compile(r"word\dq")
WORDS = [f"word{n}q" for n in range(3)]

#: How a person, an editor or a merge leaves a note that nobody can read.
BREAKS: dict[str, Callable[[str], str]] = {
    "yaml": lambda text: text.replace("---\n", "---\na: [broken\n", 1),
    "identity": lambda text: text.replace("chunk_id: ", "chunk_id: [", 1),
    "source": lambda text: text.replace("source_id: ", "source_id: [", 1),
    "no properties": lambda text: text.partition("---\n")[2].partition("---\n")[2],
    "open": lambda text: text.replace("---\n", "\n---\n", 1),
    "crlf": lambda text: text.replace("---\n", "---\na: [broken\n", 1).replace("\n", "\r\n"),
    "edited too": lambda text: text.replace("---\n", "---\na: [broken\n", 1).replace("costs", "always costs"),
}


def notes(box: Box) -> list[Path]:
    return sorted((box.root / "wiki/raw").rglob("*.md"))


LONG = list(DROPPED)[:3]
CASES = [
    *((name, how, 1) for name in LONG for how in BREAKS),
    *((name, how, 99) for name in DROPPED for how in ("yaml", "source")),
]


@pytest.mark.parametrize(("name", "how", "many"), CASES)
def test_nothing_of_a_broken_note_comes_twice(tmp_path: Path, name: str, how: str, many: int) -> None:
    box = Box(tmp_path, config="chat_gap_hours: 1\nchunk_tokens: 200\n")
    box.write(name, DROPPED[name])
    told(box, "sync")
    before = notes(box)
    texts = {note: note.read_bytes() for note in before[:many]}
    for note, data in texts.items():
        note.write_bytes(BREAKS[how](data.decode()).encode())
    broken = {note: note.read_bytes() for note in texts}
    shutil.rmtree(box.data)
    box.write(name, DROPPED[name])
    [row] = told(box, "sync")["files"]
    assert notes(box) == before
    assert row["chunks"] == 0
    assert {box.root / path for path in row["notes"]} == set(before), "the row names the notes in which it stands"
    assert {note: note.read_bytes() for note in texts} == broken, "and they are left alone"
    for note, data in texts.items():
        note.write_bytes(data)
    told(box, "sync")
    assert digest(box), "mended, it is read again"
    found = [path for word in WORDS for path in paths(box, word) if path.startswith("wiki/raw/")]
    assert sorted(found) == sorted(
        note.relative_to(box.root).as_posix() for note in before if SAYS.search(note.read_text())
    )


def test_what_a_broken_note_lacks_is_new(tmp_path: Path) -> None:
    box = Box(tmp_path, config="chat_gap_hours: 1\n")
    box.write("WhatsApp Chat with Crew.txt", CHAT.partition("\n")[0])
    told(box, "sync")
    [note] = notes(box)
    note.write_text(BREAKS["yaml"](note.read_text()))
    shutil.rmtree(box.data)
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    [row] = told(box, "sync")["files"]
    assert row["chunks"] == 2
    assert any("cannot be read" in warning for warning in row["warnings"])
    assert len(paths(box, "word1q")) == len(paths(box, "word2q")) == 1


def test_a_message_that_its_author_changed_stays_in_the_broken_note(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("export.zip", slack(OLD, 0))
    told(box, "sync")
    before = notes(box)
    for note in before:
        note.write_text(BREAKS["yaml"](note.read_text()))
    broken = [note.read_text() for note in before]
    shutil.rmtree(box.data)
    box.write("export.zip", slack(NEW, 1))
    told(box, "sync")
    assert notes(box) == before
    assert [note.read_text() for note in before] == broken


def test_a_piece_is_that_of_its_own_source() -> None:
    note = 'source_id: "doc:a \\"b\\".md"\nbody_sha256: "' + "ab" * 32 + '"\n'
    found = broken_notes([("wiki/raw/a.md", note)])
    assert found.known('doc:a "b".md', ["abababababab", "0" * 12]) == {"abababababab": "wiki/raw/a.md"}
    assert not found.known("doc:other.md", ["abababababab"])


def as_folder(path: Path) -> None:
    path.mkdir()
    (path / "image.png").write_bytes(b"x")


def as_link(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere.md")


@pytest.mark.parametrize("folder", ["wiki/raw", "wiki/summaries", "entities/person"])
@pytest.mark.parametrize("put", [as_folder, as_link])
def test_a_note_in_whose_place_no_file_stands_was_not_deleted(
    tmp_path: Path, folder: str, put: Callable[[Path], None]
) -> None:
    box = Box(tmp_path, config="chat_gap_hours: 1\n")
    box.write("WhatsApp Chat with Crew.txt", chat(6))
    told(box, "sync")
    whole, tombstones = digest(box), box.root / ".vaultmem/tombstones.jsonl"
    note = min((box.root / folder).rglob("*.md"))
    path, data, seen = note.relative_to(box.root).as_posix(), note.read_bytes(), note.stat()
    note.unlink()
    put(note)
    for command in ("sync", "sync", "status"):
        assert "no note stands in its place" in told(box, command)["problems"][path], command
    assert not tombstones.exists()
    assert paths(box, "word2q")
    box.write("WhatsApp Chat with Crew.txt", chat(6))
    [row] = told(box, "sync")["files"]
    assert row["chunks"] == 0
    shutil.rmtree(note) if note.is_dir() else note.unlink()
    note.write_bytes(data)
    os.utime(note, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert not told(box, "sync")["problems"]
    assert digest(box) == whole
    note.unlink()
    told(box, "sync")
    assert tombstones.exists(), "now it was"


def test_a_new_note_stands_beside_what_has_its_place(tmp_path: Path) -> None:
    box = Box(tmp_path, config="chat_gap_hours: 1\n")
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    told(box, "sync")
    for note in notes(box):
        note.unlink()
        as_folder(note)
    shutil.rmtree(box.data)
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    [row] = told(box, "sync")["files"]
    assert row["chunks"] == 3
    assert all(len(paths(box, word)) for word in WORDS)
    assert digest(box)
