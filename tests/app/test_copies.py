"""Copies that sync programs and people leave beside notes of memory: one counts, whatever the index was made from."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, paths, run, told
from tests.vaults import Box
from vaultmem.errors import UnreadableVault
from vaultmem.store.vault import DiskVault

CHAT = "\n".join(
    f"{1 + n:02d}/03/2026, 09:{n:02d} - {('Ann', 'Bo Stone')[n % 2]}: The ferry word{n}q of Heron costs {n} euros."
    for n in range(6)
)
#: How the names end that Dropbox, Syncthing, Obsidian Sync, Nextcloud, iCloud, Drive and a file manager make.
ENDS = (
    " (Ann's conflicted copy 2026-04-01)", ".sync-conflict-20260401-101010-ABCDEFG",
    " (Conflicted copy MyMac 202604011010)", " (conflicted copy 2026-04-01 101010)", " 2", " (1)", " - Copy",
)  # fmt: skip


@pytest.fixture
def box(tmp_path: Path) -> Box:
    box = Box(tmp_path, config="chat_gap_hours: 1\n")
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    told(box, "sync")
    return box


def first(box: Box, folder: str) -> Path:
    return min(path for path in (box.root / folder).rglob("*.md") if "Review" not in path.name)


def copied(note: Path, end: str, before: str = "", after: str = "") -> None:
    note.with_name(f"{note.stem}{end}.md").write_text(note.read_text().replace(before, after, 1))


@pytest.mark.parametrize("folder", ["wiki/raw", "wiki/summaries", "entities"])
def test_the_note_counts_and_its_copies_do_not(box: Box, folder: str) -> None:
    note = first(box, folder)
    whole = told(box, "verify")["digest"]
    for number, end in enumerate(ENDS):
        copied(note, end, "ferry", f"barge{number}q")
    done = told(box, "sync")
    assert digest(box) == whole, "the copies are left alone"
    named = [path for path in done["problems"] if path.startswith(folder)]
    assert len(named) == len(ENDS)
    told(box, "rebuild")
    assert digest(box) == whole, "an index made anew takes the same one"
    assert not [path for number in range(len(ENDS)) for path in paths(box, f"barge{number}q")]


@pytest.mark.parametrize("end", [*ENDS[:4], " 2", " (1)"])
def test_what_another_device_deleted_stays_deleted(box: Box, end: str) -> None:
    """Two devices delete something at a time: a sync program keeps one list of it, and lays the other beside it."""
    here = box.root / ".vaultmem/tombstones.jsonl"
    first(box, "wiki/raw").unlink()
    told(box, "sync")
    copy = here.with_name(f"tombstones{end}.jsonl")
    here.rename(copy)
    here.write_text('{"at":"2026-04-01T10:00:00","entity":"person:carl"}\n')
    shutil.rmtree(box.data)  # nothing but the vault itself remembers
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    done = told(box, "sync")
    assert f".vaultmem/{copy.name}" in done["problems"]
    assert not paths(box, "word0q"), "what was deleted there does not come back"
    assert here.read_text().count('"entity":"person:carl"') == 1
    assert not copy.exists()
    again = told(box, "sync")
    assert not again["problems"], "it is told once"
    assert len(here.read_text().splitlines()) == len(set(here.read_text().splitlines()))


def test_tombstones_that_an_editor_saved_still_hold(box: Box) -> None:
    """Windows' editors write a mark before the first line, and other line ends."""
    here = box.root / ".vaultmem/tombstones.jsonl"
    first(box, "wiki/raw").unlink()
    told(box, "sync")
    here.write_bytes(b"\xef\xbb\xbf" + here.read_bytes().replace(b"\n", b"\r\n"))
    shutil.rmtree(box.data)
    box.write("WhatsApp Chat with Crew.txt", CHAT)
    told(box, "sync")
    assert not paths(box, "word0q")


def test_half_a_copy_is_read_and_stays(box: Box) -> None:
    here = box.root / ".vaultmem/tombstones.jsonl"
    copy = here.with_name(f"tombstones{ENDS[1]}.jsonl")
    copy.write_text('{"at":"2026-04-01T10:00:00","entity":"person:carl"}\n{"at":"2026-04-01T10:00:00","ent')
    assert "delete it" in told(box, "sync")["problems"][f".vaultmem/{copy.name}"]
    assert here.read_text().splitlines() == ['{"at":"2026-04-01T10:00:00","entity":"person:carl"}']
    assert copy.exists()


def test_a_copy_that_cannot_be_read_stops_no_pass(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = (box.root / ".vaultmem/tombstones.jsonl").with_name(f"tombstones{ENDS[1]}.jsonl")
    copy.write_text('{"at":"2026-04-01T10:00:00","entity":"person:carl"}\n')
    real = DiskVault.read

    def read(vault: DiskVault, path: str) -> bytes:
        if path.endswith(copy.name):
            raise UnreadableVault(path, "Permission denied")
        return real(vault, path)

    monkeypatch.setattr(DiskVault, "read", read)
    assert "Permission denied" in told(box, "sync")["problems"][f".vaultmem/{copy.name}"]
    assert copy.exists()


@pytest.mark.parametrize("folder", ["wiki/raw", "wiki/summaries"])
def test_a_copy_whose_note_goes_takes_its_place(box: Box, folder: str) -> None:
    note = first(box, folder)
    copied(note, ENDS[0])
    told(box, "sync")
    note.unlink()
    told(box, "sync")
    with box.open() as memory:
        held = {*memory._index.note_stats(), *memory._index.node_stats()}
    assert f"{note.relative_to(box.root).as_posix().removesuffix('.md')}{ENDS[0]}.md" in held
    before = digest(box)
    told(box, "rebuild")
    assert digest(box) == before


def test_a_backup_elsewhere_is_none_of_memory(box: Box) -> None:
    note = first(box, "wiki/raw")
    before = digest(box)
    (box.root / "Attic").mkdir()
    (box.root / "Attic" / note.name).write_text(re.sub("ferry", "barge", note.read_text()))
    told(box, "sync")
    assert digest(box) == before
    told(box, "rebuild")
    assert digest(box) == before


def test_a_copy_of_a_page_or_of_facts_is_named_and_not_read(box: Box) -> None:
    told(box, "facts", "set", "user", "boat", "Heron")
    page = first(box, "wiki/facts")
    copied(page, ENDS[0], "Heron", "Egret")
    assert [row["value"] for row in told(box, "facts", "list")["facts"]] == ["Heron"]
    assert [path for path in told(box, "sync")["problems"] if ENDS[0] in path]
    assert [path for path in told(box, "status")["problems"] if ENDS[0] in path]


@pytest.mark.parametrize("end", [*ENDS[:4], " 2", " (1)"])
@pytest.mark.parametrize("name", ["config.yaml", "usage.jsonl"])
def test_a_copy_of_settings_or_of_what_was_asked_is_told_until_it_goes(box: Box, name: str, end: str) -> None:
    own = box.root / ".vaultmem" / name
    told(box, "recall", "who is Bo Stone")
    assert own.exists()
    stem, _, ending = name.rpartition(".")
    copy = own.with_name(f"{stem}{end}.{ending}")
    copy.write_bytes(own.read_bytes() + b"chat_gap_hours: 99\n")
    kept, key = own.read_bytes(), f".vaultmem/{copy.name}"
    for command in ("sync", "sync", "status"):
        assert f"copy of .vaultmem/{name}" in told(box, command)["problems"][key], command
    findings = json.loads(run(box, "doctor", "--json").stdout)["findings"]
    [finding] = [each for each in findings if key in each["text"]]
    assert finding["level"] == "problem"
    assert "Obsidian does not show" in finding["fix"]
    assert own.read_bytes() == kept
    copy.unlink()
    for command in ("sync", "status"):
        assert not told(box, command)["problems"], command
