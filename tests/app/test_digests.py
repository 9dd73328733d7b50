"""The tree of days through the doors: whose day a message is, what arrives late, what a person wrote, what went."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.core.grow import digest
from vaultmem.core.notes.summarynote import parse_summary_note
from vaultmem.grown import SummaryNode

DAILY = "wiki/summaries/global/daily"


def chat(*lines: tuple[str, str]) -> str:
    """(local time, what was said): a word apart for each, so that every sentence is worth keeping."""
    return "\n".join(
        f"{datetime.fromisoformat(at):%d/%m/%Y, %H:%M} - {'Ann' if n % 2 else 'Bo'}: {text}"
        for n, (at, text) in enumerate(lines)
    )


def day(box: Box, name: str) -> SummaryNode:
    return parse_summary_note((box.root / f"{DAILY}/{name}.md").read_text(encoding="utf-8"))


def said(node: SummaryNode) -> str:
    return "\n".join(sentence.text for sentence in node.sentences)


def evening(first: str, count: int = 8) -> list[tuple[str, str]]:
    """Messages from this moment on, one every ten minutes."""
    start = datetime.fromisoformat(first)
    what = ("keel", "mast", "rudder", "anchor", "winch", "galley", "compass", "lantern")
    return [
        (
            (start + timedelta(minutes=10 * n)).isoformat(),
            f"At {start + timedelta(minutes=10 * n):%H.%M} the {what[n % 8]} of boat {n + 40} was oiled and put away.",
        )
        for n in range(count)
    ]


def test_a_chat_over_midnight_is_of_both_days_each_with_its_own_messages(tmp_path: Path) -> None:
    box = Box(tmp_path, config="timezone: Europe/Berlin\n")
    # the night in which the clocks go forward: 29 March 2026 has 23 hours
    box.write("WhatsApp Chat with Yard.txt", chat(*evening("2026-03-28T22:00", 12), *evening("2026-03-29T00:05", 12)))
    box.sync()
    before, after = day(box, "2026-03-28"), day(box, "2026-03-29")
    assert set(before.child_ids) & set(after.child_ids)
    assert "22." in said(before)
    assert "00." not in said(before)
    assert "22." not in said(after)
    # times are UTC: the day before is named, the digest's own is not
    assert all(s.link.alias.startswith(("2026-03-28 23:", "00:", "01:")) for s in after.sentences)
    assert after.previous
    assert after.previous.path == f"{DAILY}/2026-03-28.md"


def test_what_arrives_late_revises_its_day_and_what_stands_above(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("WhatsApp Chat with Yard.txt", chat(*evening("2026-03-10T10:00"), *evening("2026-04-20T10:00")))
    box.sync()
    untouched = (box.root / f"{DAILY}/2026-04-20.md").read_bytes()
    box.write("WhatsApp Chat with Quay.txt", chat(*evening("2026-03-10T15:00"), *evening("2026-03-10T17:00")))
    box.sync()
    node = day(box, "2026-03-10")
    assert node.rev == 2
    assert len(node.child_ids) == 2
    assert (box.root / f"{DAILY}/2026-04-20.md").read_bytes() == untouched
    week = parse_summary_note((box.root / "wiki/summaries/global/weekly/2026-W11.md").read_text())
    assert week.child_ids == (node.node_id,)


def test_a_digest_that_a_person_edited_keeps_their_words(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("WhatsApp Chat with Yard.txt", chat(*evening("2026-03-10T10:00")))
    box.sync()
    path = box.root / f"{DAILY}/2026-03-10.md"
    path.write_text(path.read_text() + "\nThe day we met.\n")
    box.sync()
    box.write("WhatsApp Chat with Quay.txt", chat(*evening("2026-03-10T15:00")))
    box.sync()
    assert "The day we met." in path.read_text()
    assert len(day(box, "2026-03-10").child_ids) == 2
    assert box.digest()


def test_a_day_whose_last_note_was_deleted_has_no_digest(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("WhatsApp Chat with Yard.txt", chat(*evening("2026-03-10T10:00"), *evening("2026-04-20T10:00")))
    box.sync()
    for note in (box.root / "wiki/raw").rglob("*.md"):
        if "2026-03" in note.as_posix():
            note.unlink()
    box.sync()
    assert not (box.root / f"{DAILY}/2026-03-10.md").exists()
    assert not (box.root / "wiki/summaries/global/monthly/2026-03.md").exists()
    assert (box.root / "wiki/summaries/global/yearly/2026.md").exists()
    assert box.digest()


def test_a_day_of_too_many_notes_is_the_same_by_an_edit_as_made_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digest, "HEARD", 5)
    edited, at_once = (Box(tmp_path / name, config='notes: ["**/*.md"]\n') for name in ("edited", "at_once"))
    for box in (edited, at_once):
        for n, (_, text) in enumerate(evening("2025-06-15T10:00")):
            note = box.root / f"{'AB'[n % 2]}/Note {n}.md"
            note.parent.mkdir(exist_ok=True)
            note.write_text(f"{text}\n\nThe {text.split()[3]} needs varnish, and the crew of boat {n + 40} has none.\n")
            os.utime(note, (1_750_000_000, 1_750_000_000))
    edited.sync()
    before = day(edited, "2025-06-15")
    for box in (edited, at_once):
        with (box.root / "A/Note 2.md").open("a") as file:
            file.write("\nWe decided to sell boat 42 on Friday.\n")
        os.utime(box.root / "A/Note 2.md", (1_750_000_060, 1_750_000_060))
        box.sync()
    by_edit, whole = day(edited, "2025-06-15"), day(at_once, "2025-06-15")
    assert by_edit.rev == before.rev + 1
    assert (by_edit.sentences, by_edit.child_ids) == (whole.sentences, whole.child_ids)
    assert len(whole.child_ids) == 8
    assert "sell boat 42" in said(whole)
    assert 1 < len({sentence.link.path for sentence in whole.sentences}) <= 5
