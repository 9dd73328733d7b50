"""AT-6: where memory adds to a note's properties, the lines of those keys change and no other byte."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.acceptance.doors import told
from tests.app.test_review import BOB, ME, OWNER, Desk
from vaultmem.core.notes.region import BEGIN

#: As a person may have left it in an editor: comments, odd order, values that a dumper would change.
WILD = """---
# comment lines stay
zebra: 1
kind: person
date: 2026-06-29
yes: yes
nothing: ~
agent: 007   # bond
quoted: 'single'
unlinked: [[Link]]
linked: "[[Link|with alias]]"
display_name: 'Bob Stone'
nested:
  map: {deep: [1, 2]}
  more: |
    # no comment
    text
aliases: [Al, "B, C"]   # mine
emails:
  - bob@example.com # first
tags:
  - one # first
  - "two"

id: "person:bob-stone"
apple: 2
# the last comment
---
My own words --- with dashes
---
[[Link]] and a tail without an end"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path, config=ME)
    made.meet("Bob Stone <bob@example.com>", "Robert Stone <robert@example.org>")
    made.sync()
    return made


def changed(before: str, after: str) -> list[str]:
    """The lines that differ, above what vaultmem writes between its marks."""
    own = after.partition(f"\n{BEGIN}")[0]
    rows = difflib.ndiff(before.splitlines(), own.splitlines())
    return [row for row in rows if row[:2] in ("- ", "+ ")]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_merge_adds_its_key_and_nothing_else(desk: Desk, newline: str, bom: str) -> None:
    wild = bom + WILD.replace("\n", newline)
    desk.hand(BOB, lambda _: wild)
    told(desk, "sync")
    assert changed(wild, desk.text(BOB)) == []
    desk.tick()
    told(desk, "sync")
    after = desk.text(BOB)
    assert changed(wild, after) == ["+ same_as:", '+   - "[[entities/person/robert-stone|Robert Stone]]"']
    assert after.startswith(wild.partition("# the last")[0])
    desk.digest()


def test_a_name_and_an_address_from_a_mail_touch_their_lists_alone(desk: Desk) -> None:
    desk.hand(BOB, lambda _: WILD)
    told(desk, "sync")
    for number, sender in enumerate(["Bobby Stone <bob@example.com>", "Bob Stone <bob@second.example>"] * 2):
        text = f"The boat of day {number} was painted for {number + 20} euros by Kwikfix."
        desk.write(f"new{number}.eml", f"From: {sender}\nTo: {OWNER}\nSubject: Boat {number}\n"
                   f"Message-ID: <new{number}@x>\nDate: 2{number} Mar 2026 09:00:00 +0000\n\n{text}\n")  # fmt: skip
    told(desk, "sync")
    rows = changed(WILD, desk.text(BOB))
    assert rows, "the note learned something"
    touched = ("aliases", "emails", "updated_at", "  - ")
    assert all(row[2:].startswith(touched) for row in rows), rows
    for kept in ("# comment lines stay", "date: 2026-06-29", "yes: yes", "nothing: ~", "agent: 007   # bond"):
        assert kept in desk.text(BOB)
