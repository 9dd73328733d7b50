"""Which files of the inbox are taken, and when one has come to rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.inbox import conflict_original, skip_reason

TAKEN = [
    "WhatsApp Chat with Anna.txt", "_chat.txt", "Chat (1).txt", "Chat 2.md", "slack export/eng/2026-04-21.json",
    "a_failed/x.md", "sub/_failed.md", "_failedtoo/x.md", "note.tmpl.md", "partial.md", "download.md", "C#.md",
    "what~ever.md", "conflict.md", "Conflict in the team.md", "On conflicted copy machines.md", "🐘", "日本語.md",
    "notes (conflict of interest).md", "Icon.md", "thumbs.md", "swap.swpx", "desktop-ABCDEFG.md", "r-DESKTOP-1.md",
    "plan (Anna's copy 2026-04-21).md", "x.icloud.md", "report-Final.md", "a.b.c.eml", "#tag.md",
]  # fmt: skip

SKIPPED = {
    ".hidden.md": "hidden file", ".git/config": "hidden folder", "a/.obsidian/app.json": "hidden folder",
    ".DS_Store": "system file", "a/.ds_store": "system file", "desktop.ini": "system file", "Icon\r": "system file",
    "Thumbs.db": "system file", "chat.txt.part": "unfinished", "mail.mbox.crdownload": "unfinished",
    "x.download": "unfinished", "x.TMP": "unfinished", "~$report.docx": "editor", "note.md.swp": "editor",
    ".note.md.swp": "editor", "note.md~": "editor", ".~lock.a.odt#": "editor", "#note.md#": "editor",
    ".#note.md": "editor", ".note.md.icloud": "iCloud placeholder of note.md", "note.md.icloud": "iCloud",
    ".syncthing.note.md.tmp": "Syncthing", "~syncthing~note.md.tmp": "Syncthing", "_failed/x.md": "set aside",
    "_failed/deep/x.md.reason.md": "set aside", ".note.md.0123abcd.tmp": "temporary",
}  # fmt: skip

CONFLICTS = {
    "note (Conflicted copy MacBook Pro 202604211012).md": "note.md",
    "note (Conflicted copy).md": "note.md",
    "note.sync-conflict-20260421-101200-ABCDEFG.md": "note.md",
    "a.b.sync-conflict-20260421-101200-AB2DE7G.txt": "a.b.txt",
    "note.sync-conflict-20260421-101200.md": "note.md",
    "note (Alice's conflicted copy 2026-04-21).md": "note.md",
    "note (Alice’s conflicted copy 2026-04-21 (1)).md": "note.md",
    "note (DESKTOP-X's conflicted copy).md": "note.md",
    "note (conflicted copy 2026-04-21 101200).md": "note.md",
    "note (Case Conflict).md": "note.md",
    "Notiz (In Konflikt stehende Kopie von Alice 2026-04-21).md": "Notiz.md",
    "note (Copie en conflit de Alice 2026-04-21).md": "note.md",
    "note_conflict-20260421-101200.md": "note.md",
    "note (SFConflict alice@example.com 2026-04-21-10-12-00).md": "note.md",
    "note [Conflict].md": "note.md",
    "note [conflicted 2].md": "note.md",
    "note.Conflict.md": "note.md",
    "note-DESKTOP-4AB12CD.md": "note.md",
    "note-LAPTOP-4AB12CD9-2.md": "note.md",
    "README.sync-conflict-20260421-101200-ABCDEFG": "README",
}


def reason(name: str, **facts: object) -> str:
    return skip_reason(name, **{"is_link": False, "size": 10, "blocks": 8, **facts})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", TAKEN)
def test_ordinary_files_are_taken(name: str) -> None:
    assert reason(name) == ""
    assert reason(name, blocks=None) == ""


@pytest.mark.parametrize(("name", "why"), SKIPPED.items())
def test_what_is_no_document_says_why(name: str, why: str) -> None:
    assert why in reason(name)


@pytest.mark.parametrize(("name", "original"), CONFLICTS.items())
def test_a_conflict_copy_names_its_original(name: str, original: str) -> None:
    assert conflict_original(name) == original
    assert reason(f"sub/{name}").startswith(f"sync conflict copy of {original}:")


def test_content_that_is_not_here_is_not_opened() -> None:
    assert "not downloaded" in reason("a.md", size=5000, blocks=0)
    assert reason("a.md", size=0, blocks=0) == "empty file"
    assert "link" in reason("a.md", is_link=True)
    assert "link" in reason(".hidden.md", is_link=True)


@given(st.text(), st.booleans(), st.integers(0, 10), st.none() | st.integers(0, 3))
def test_any_name_gets_an_answer(name: str, is_link: bool, size: int, blocks: int | None) -> None:
    assert "\n" not in skip_reason(name, is_link=is_link, size=size, blocks=blocks).replace(name, "") or "\n" in name


def test_hostile_names_take_no_time() -> None:
    for name in ("(conflicted copy " * 2000, "( " * 5000, "-" * 20000, "2026-04-21" * 2000 + ".md", "." * 20000):
        reason(name)
