"""AT-4: any name that a disk allows is a note of its own, readable by the path that an answer gives."""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, hits, paths, told
from tests.app.test_inplace import ALL, note
from tests.vaults import Box

NAMES = (
    "Jürgen.md", "🐘.md", "°.md", "----=-.md", "my file.md", "my-file.md", "a_b.md", "a-b.md", "README.md", "readme.md",
    "n" * 200 + ".md", "é" * 120 + ".md", "con.md", "a#b^c.md", "[x] |y.md", "trailing .md", "日本語/メモ.md", "U.MD",
    "sub folder/my file.md", "Sub folder/my file.md", "dot.in.name.md", "100%.md", "it's \"quoted\".md", "\u202ertl.md",
)  # fmt: skip


@pytest.mark.parametrize("way", ["in place", "dropped"])
def test_every_name(tmp_path: Path, way: str) -> None:
    box = Box(tmp_path, config=ALL if way == "in place" else "")
    for number, name in enumerate(NAMES):
        text = f"# N\n\nthe zeppelin of number{number}q\n"
        note(box, name, text) if way == "in place" else box.write(name, text)
    told(box, "sync")
    found = {}
    for number, name in enumerate(NAMES):
        [path] = paths(box, f"number{number}q")
        assert f"number{number}q" in (box.root / path).read_text(), "read by the path returned"
        assert way == "dropped" or path == name
        found[path] = name
    assert len(found) == len(NAMES), "each a note of its own"
    digest(box)


def test_one_name_in_two_spellings(tmp_path: Path) -> None:
    """Where the disk has one file for both, it is one note; where it has two, each answers under a path of its own."""
    box = Box(tmp_path, config=ALL)
    composed = "Jürgen.md"
    decomposed = unicodedata.normalize("NFD", composed)
    for name, word in ((composed, "zeppelinone"), (decomposed, "zeppelintwo")):
        (box.root / name).write_text(f"# J\n\nthe {word} here\n", encoding="utf-8")
    files = sum(unicodedata.normalize("NFC", path.name) == composed for path in box.root.iterdir())
    told(box, "sync")
    answers = {word: paths(box, word) for word in ("zeppelinone", "zeppelintwo")}
    assert len({path for found in answers.values() for path in found}) == files
    for word, found in answers.items():
        for path in found:
            assert word in (box.root / path).read_text()
    digest(box)


def test_a_name_that_changes_its_spelling_or_case_is_the_same_note(tmp_path: Path) -> None:
    box = Box(tmp_path, config=ALL)
    for word, names in {
        "zeppelin": ("Jürgen.md", unicodedata.normalize("NFD", "Jürgen.md"), "Jürgen.md"),
        "dirigible": ("Readme.md", "README.md", "readme.md"),
    }.items():
        note(box, names[0], f"the {word}\n")
        told(box, "sync")
        for before, after in pairwise(names):
            (box.root / before).rename(box.root / after)
            told(box, "sync")
            [hit] = hits(box, word)
            assert hit["note_path"] == unicodedata.normalize("NFC", after)
            digest(box)


def test_a_bad_name_stops_no_pass(tmp_path: Path) -> None:
    box = Box(tmp_path, config=ALL)
    (box.root / "bytes").mkdir()
    try:
        Path(bytes(box.root).decode() + "/bytes/caf\udce9.md").write_text("the zeppelin\n")
    except OSError:
        pytest.skip("this disk takes names in UTF-8 alone")
    note(box, "b.md", "the dirigible\n")
    told(box, "sync")
    assert paths(box, "dirigible") == ["b.md"]
    [path] = paths(box, "zeppelin")
    assert path.isprintable()
    digest(box)
