"""A person's note is edited by the line: AT-5 (broken YAML is never written) and AT-6 (only the asked lines differ)."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.properties import load_properties, split_note
from vaultmem.core.notes.region import BEGIN, END, replace_region
from vaultmem.errors import BadProperties

WILD = b"""---
# comment lines stay
date: 2026-06-29
yes: yes
nothing: ~
agent: 007   # bond
quoted: 'single'
double: "double"
unlinked: [[Link]]
linked: "[[Link|with alias]]"
aliases: [Al, "B, C"]
nested:
  map: {deep: [1, 2]}

  # a comment inside
  more: |
    # no comment
    text

tags:
  - one # first
  - "two"
# the last comment
zebra: 1
apple: 2
---
Body --- with dashes
---
[[Link]]
"""

BROKEN = {
    "unclosed quote": b"---\ntitle: 'open\n---\nBody\n",
    "tab indent": b"---\nlist:\n\t- a\n---\nBody\n",
    "duplicate keys": b"---\ntitle: a\ntitle: b\n---\nBody\n",
    "duplicate keys below": b"---\na: {b: 1, b: 2}\n---\nBody\n",
    "two colons": b"---\ndescription: a: b\n---\nBody\n",
    "no closing fence": b"---\ntitle: a\nBody\n",
    "closing with a blank": b"---\ntitle: a\n--- \nBody\n",
    "opening with a blank": b"--- \ntitle: a\n---\nBody\n",
    "four dashes": b"----\ntitle: a\n----\nBody\n",
    "text": b"---\njust words\n---\nBody\n",
    "list": b"---\n- a\n---\nBody\n",
    "bom and crlf": b"\xef\xbb\xbf---\r\na: b: c\r\n---\r\nBody\r\n",
    "not utf-8": b"---\ntitle: caf\xe9\n---\nBody\n",
    "utf-16": "---\ntitle: a\n---\n".encode("utf-16"),
    "alias bomb": b"---\na: &a [1]\nb: &b [*a, *b]\n---\n",
}


@pytest.mark.parametrize("note", BROKEN.values(), ids=BROKEN)
def test_a_note_that_does_not_parse_is_never_written(note: bytes) -> None:
    with pytest.raises(BadProperties):
        edit_properties(note, {"tags": ["new"]})
    with pytest.raises(BadProperties):
        replace_region(note, "generated")


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_one_more_tag_touches_only_the_tag_lines(newline: bytes, bom: bytes) -> None:
    note = bom + WILD.replace(b"\n", newline)
    after = edit_properties(note, {"tags": ["one", "two", "three"]})
    assert after == note.replace(b'  - "two"' + newline, b'  - "two"' + newline + b"  - three" + newline)
    assert edit_properties(after, {"tags": ["one", "two", "three"]}) == after


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"tags": ["two"]}, '  - one # first\n  - "two"\n', "  - two\n"),
        ({"tags": []}, 'tags:\n  - one # first\n  - "two"\n', "tags: []\n"),
        ({"tags": None}, 'tags:\n  - one # first\n  - "two"\n', ""),
        ({"tags": "one"}, 'tags:\n  - one # first\n  - "two"\n', "tags: one\n"),
        ({"agent": 8}, "agent: 007   # bond\n", "agent: 8   # bond\n"),
        ({"agent": "007"}, "agent: 007   # bond\n", 'agent: "007"   # bond\n'),
        ({"nothing": "x"}, "nothing: ~\n", "nothing: x\n"),
        ({"nothing": None}, "nothing: ~\n", ""),
        ({"yes": True}, "yes: yes\n", '"yes": true\n'),
        ({"unlinked": "[[Link]]"}, "unlinked: [[Link]]\n", 'unlinked: "[[Link]]"\n'),
        ({"aliases": ["Al"]}, 'aliases: [Al, "B, C"]\n', "aliases:\n  - Al\n"),
        ({"quoted": "single", "double": "double"}, "", ""),
        ({"date": "2026-06-29", "agent": 7, "yes": "yes"}, "", ""),
        ({"absent": None}, "", ""),
        ({"zebra": None, "apple": 3}, "zebra: 1\napple: 2\n", "apple: 3\n"),
        ({"new": "a: b"}, "apple: 2\n", 'apple: 2\nnew: "a: b"\n'),
        ({"at": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)}, "apple: 2\n", 'apple: 2\nat: "2026-01-02T03:04:05"\n'),
        (
            {"nested": "flat"},
            "nested:\n  map: {deep: [1, 2]}\n\n  # a comment inside\n  more: |\n    # no comment\n    text\n",
            "nested: flat\n",
        ),
    ],
)
def test_an_edit_changes_the_lines_of_its_key(changes: dict[str, Any], old: str, new: str) -> None:
    assert edit_properties(WILD, changes) == WILD.replace(old.encode(), new.encode(), 1 if old else 0)


@pytest.mark.parametrize(
    ("note", "after"),
    [
        (b"", b"---\nk: 1\n---\n"),
        (b"Body", b"---\nk: 1\n---\nBody"),
        (b"\xef\xbb\xbfBody\r\nx\r\n", b"\xef\xbb\xbf---\r\nk: 1\r\n---\r\nBody\r\nx\r\n"),
        (b"---\n---\nBody", b"---\nk: 1\n---\nBody"),
        (b"---\n# only\n---", b"---\n# only\nk: 1\n---"),
        (b"---\n  a: 1\n---\n", b"---\n  a: 1\n  k: 1\n---\n"),
        (b"---\nk: # why\n---\n", b"---\nk: 1 # why\n---\n"),
        (b"---\nk:\n# below\nb: 2\n---\n", b"---\nk: 1\n# below\nb: 2\n---\n"),
        (b"---\nk: >\n  a\n  b\n\n\nb: 2\n---\n", b"---\nk: 1\n\n\nb: 2\n---\n"),
        (b'---\n"k": "a\n  # b"\nb: 2\n---\n', b"---\nk: 1\nb: 2\n---\n"),
        (b"---\nk: [a,\n  # b\n  c]\n# d\n---\n", b"---\nk: 1\n# d\n---\n"),
        ("---\nk: 🎉\ntags: [ü]\n---\n".encode(), "---\nk: 1\ntags: [ü]\n---\n".encode()),
    ],
)
def test_a_key_is_set_wherever_it_stands(note: bytes, after: bytes) -> None:
    assert edit_properties(note, {"k": 1}) == after


@pytest.mark.parametrize(
    "note",
    [
        b"---\n{k: 2, b: 3}\n---\n",
        b"---\n? k\n: 2\n---\n",
        b"---\nk: &a [1]\nb: *a\n---\n",
        "---\nk: a\u2028b: c\n---\n".encode(),
        b"---\na: 1\n...\n---\n",
        b"---\na: 1\rk: 2\n---\n",
    ],
)
def test_a_layout_that_leaves_no_safe_edit_is_refused(note: bytes) -> None:
    with pytest.raises(BadProperties):
        edit_properties(note, {"k": 1})


VALUES = [
    "1",
    "yes",
    "~",
    "",
    "'x'",
    '"a # b"',
    "[a, b]",
    "{a: 1}",
    "[[L]]",
    '"[[L]]"',
    "2026-06-29",
    "12:30",
    "007",
    "x y",
]
BLOCKS = [
    "\n  - a\n  - b",
    "\n- a\n- 'b'",
    "\n  a: 1\n  b:\n    - c",
    " |\n  t\n  # t",
    " >-\n  t\n\n  t",
    " [a,\n  b]",
    ' "a\n  b"',
]
GAPS = ["", "", "", "# comment\n", "\n", "#\n\n# two\n", "  # indented\n", "    # more\n"]
CHANGES: list[Any] = ["new", 5, 0.5, True, [], ["a"], ["a", "b"], ["a", "b", "[[c]]"], None, "a: b", "yes"]


def wild_note(draw: random.Random) -> tuple[list[tuple[str, str]], str, str, str]:
    """Segments of a block as (key, text) with key "" for what is nobody's; then line break, BOM and body."""
    segments = []
    for number in range(draw.randint(0, 7)):
        value = draw.choice(VALUES) if draw.random() < 0.6 else draw.choice(BLOCKS)
        comment = " # note" if draw.random() < 0.2 and "\n" not in value else ""
        key = draw.choice([f"k{number}", f"schlüssel{number}", f"'q{number}'", f"two words {number}"])
        # An indented comment below a block scalar would be its text.
        gap = draw.choice(GAPS[:-2] if segments and segments[-1][1].split(": ")[-1][:1] in "|>" else GAPS)
        segments += [("", gap), (key.strip("'"), f"{key}: {value}{comment}".replace(":  ", ": ") + "\n")]
    segments.append(("", draw.choice(GAPS[:-2])))
    body = draw.choice(["", "Text", "Text\n---\nmore\n", "\n\n# T\n", f"{BEGIN}\nold\n{END}\n"])
    return segments, draw.choice(["\n", "\r\n"]), draw.choice(["", "\ufeff"]), body


def check_wild_edit(draw: random.Random) -> bool:
    """One edit of one wild note; True when it was done and not refused."""
    segments, newline, bom, body = wild_note(draw)
    texts = ["---\n", *(text for _, text in segments), "---\n", body]
    note = bom + "".join(texts).replace("\n", newline)
    keys = [key for key, _ in segments if key]
    key = draw.choice([*keys, "fresh"])
    value = draw.choice(CHANGES)
    try:
        after = edit_properties(note.encode(), {key: value}).decode()
    except BadProperties:
        # Without that key an indented comment would become text of the block scalar above it.
        assert value is None
        assert "|" in note or ">-" in note
        return False
    place = next((n for n, (name, _) in enumerate(segments) if name == key), len(segments)) + 1
    above = bom + "".join(texts[:place]).replace("\n", newline)
    below = "".join(texts[place + 1 if key in keys else place :]).replace("\n", newline)
    assert after.startswith(above)
    assert after.endswith(below)
    assert len(after) >= len(above) + len(below)
    own = after[len(above) : len(after) - len(below)]
    assert newline == "\n" or own.count("\n") == own.count("\r\n")
    found = load_properties(split_note(after).frontmatter or "")
    assert (key not in found) if value is None else found[key] == value
    region = replace_region(after.encode(), "a\nb").decode()
    assert split_note(region).frontmatter == split_note(after).frontmatter
    assert region.startswith(after) or region == after.replace(
        "old\r\n" if newline == "\r\n" else "old\n", f"a{newline}b{newline}"
    )
    assert replace_region(region.encode(), "a\nb").decode() == region
    return after != note


def test_wild_notes_change_in_the_asked_lines_only() -> None:
    done = sum(check_wild_edit(random.Random(seed)) for seed in range(500))
    assert done > 350


@pytest.mark.nightly
def test_ten_thousand_wild_notes_change_in_the_asked_lines_only() -> None:
    for seed in range(500, 10_500):
        check_wild_edit(random.Random(seed))


@pytest.mark.parametrize(
    ("note", "after"),
    [
        ("", "{b}\nnew\n{e}\n"),
        ("\ufeff", "\ufeff{b}\nnew\n{e}\n"),
        ("Mine", "Mine\n\n{b}\nnew\n{e}\n"),
        ("Mine\n", "Mine\n\n{b}\nnew\n{e}\n"),
        ("Mine\r\n", "Mine\r\n\r\n{b}\r\nnew\r\n{e}\r\n"),
        ("---\na: 1\n---", "---\na: 1\n---\n{b}\nnew\n{e}\n"),
        ("{b}\n{e}", "{b}\nnew\n{e}"),
        ("\ufeff{b}\n{e}\nMine", "\ufeff{b}\nnew\n{e}\nMine"),
        ("above\n{b} \nold\n\nold\n{e}\t\nbelow\n", "above\n{b} \nnew\n{e}\t\nbelow\n"),
        ("{b}\nmine\n", "{b}\nmine\n\n{b}\nnew\n{e}\n"),
        ("{b}\nmine\n{b}\nold\n{e}\n", "{b}\nmine\n{b}\nnew\n{e}\n"),
        ("{e}\nmine\n", "{e}\nmine\n\n{b}\nnew\n{e}\n"),
        ("{e}\n{b}\nold\n{e}\n{b}\nx\n{e}\n", "{e}\n{b}\nnew\n{e}\n{b}\nx\n{e}\n"),
        ("x {b}\nmine\n{e}\n", "x {b}\nmine\n{e}\n\n{b}\nnew\n{e}\n"),
    ],
)
def test_the_region_is_found_or_appended(note: str, after: str) -> None:
    made = replace_region(note.replace("{b}", BEGIN).replace("{e}", END).encode(), "new\n").decode()
    assert made == after.replace("{b}", BEGIN).replace("{e}", END)
    assert replace_region(made.encode(), "new").decode() == made


def test_generated_text_cannot_hold_a_mark() -> None:
    made = replace_region(b"Mine\n", f"a\n{END}\nb\n{BEGIN}")
    assert replace_region(made, "c") == f"Mine\n\n{BEGIN}\nc\n{END}\n".encode()
