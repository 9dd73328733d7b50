"""Exports of notes dropped again: what is the same stays byte for byte, what changed replaces its own pieces only."""
# ruff: noqa: E501 (the files of other programs have long lines)

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from tests.sources.test_exports_cases import FOLDER, raw_of, zipped
from tests.vaults import Box
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.model import Chunk

ID, OTHER = "0f0e0d0c0b0a09080706050403020100", "1f1e1d1c1b1a19181716151413121110"


def chunks(box: Box) -> dict[str, Chunk]:
    return {path: parse_chunk_note(data.decode()) for path, data in box.notes().items() if path.startswith("wiki/raw/")}


def by_title(box: Box) -> Mapping[str, str]:
    return {chunk.title: chunk.body for chunk in chunks(box).values()}


def enex(*notes: tuple[str, str, str]) -> str:
    return '<?xml version="1.0"?><en-export>{}</en-export>'.format("".join(
        f"<note><title>{title}</title><created>{at}</created><content><![CDATA[<en-note><div>{text}</div></en-note>]]>"
        "</content></note>" for title, at, text in notes
    ))  # fmt: skip


def test_every_case_dropped_twice_changes_nothing(tmp_path: Path) -> None:
    box = Box(tmp_path)
    cases = [raw_of(path) for path in sorted(FOLDER.iterdir()) if path.suffix != ".expected"]
    for raw in cases:
        box.write(f"{raw.name}.zip" if "." not in raw.name else raw.name, raw.data[:])
    rows = box.sync()
    assert {row["outcome"] for row in rows} == {"imported"}, rows
    before = box.notes()
    for raw in cases:
        box.write(f"{raw.name}.zip" if "." not in raw.name else raw.name, raw.data[:], at=1_710_000_000)
    assert {row["outcome"] for row in box.sync()} == {"duplicate"}
    after = box.notes()
    assert {path: after.get(path) for path in before} == before
    assert set(after) == set(before)
    box.digest()


def test_a_changed_note_replaces_its_own_pieces_only(tmp_path: Path) -> None:
    box = Box(tmp_path)
    first = ("Tea", "20240301T080000Z", "steep 2 min, as grandmother did it"), ("tea", "20240302T080000Z", "steep 3")
    box.write("old.enex", enex(*first))
    assert box.sync()[0]["notes_count"] == 2
    kept = {path: data for path, data in box.notes().items() if "steep 3" in data.decode()}
    assert len(kept) == 1
    # The next export has another name: the notes are the same ones.
    box.write(
        "new.enex", enex(("Tea", "20240301T080000Z", "steep 5 min"), first[1], ("TEA", "20240303T080000Z", "new"))
    )
    row = box.sync()[0]
    assert (row["chunks"], row["notes_count"]) == (2, 3)
    bodies = [chunk.body for chunk in chunks(box).values()]
    assert sorted(body.split("\n")[2] for body in bodies) == ["new", "steep 3", "steep 5 min"]
    assert all(box.notes()[path] == data for path, data in kept.items())
    box.digest()


def test_titles_that_differ_only_in_case_are_notes_of_their_own(tmp_path: Path) -> None:
    box = Box(tmp_path)
    names = ("Tea", "tea", "TEA", "Tea", "???", "???", "")
    box.write("t.enex", enex(*((name, "", f"cup {number}") for number, name in enumerate(names))))
    row = box.sync()[0]
    assert row["notes_count"] == len(names)
    assert len(set(row["source_ids"])) == len(names)  # type: ignore[call-overload]
    found = chunks(box)
    assert len({path.casefold() for path in found}) == len(names)
    assert {chunk.body.split("\n")[2] for chunk in found.values()} == {f"cup {n}" for n in range(len(names))}


def test_a_notion_page_is_known_by_its_id(tmp_path: Path) -> None:
    box = Box(tmp_path)
    page, other = f"Trip {ID}.md", f"Trip {ID}/Stay {OTHER}.md"
    box.write("Export-1.zip", zipped({page: b"# Trip\n\npack light\n", other: b"# Stay\n\nby the sea\n"}))
    assert box.sync()[0]["notes_count"] == 2
    before = box.notes()
    # Renamed in Notion, exported under another name, in parts: the other page is untouched.
    part = zipped(
        {f"Journey {ID}.md": b"# Journey\n\npack nothing\n", f"Journey {ID}/Stay {OTHER}.md": b"# Stay\n\nby the sea\n"}
    )
    box.write("x.zip", zipped({"ExportBlock-11111111-2222-3333-4444-555555555555-Part-1.zip": part}))
    row = box.sync()[0]
    assert (row["format"], row["chunks"]) == ("notion", 1)
    assert by_title(box) == {"Journey": "# Journey\n\npack nothing\n", "Stay": "# Stay\n\nby the sea\n"}
    stay = next(path for path in before if "Stay" in path and path.startswith("wiki/raw"))
    assert box.notes()[stay] == before[stay]


def test_clippings_that_grew_leave_old_pieces_alone(tmp_path: Path) -> None:
    box = Box(tmp_path, config="chunk_tokens: 60\n")
    block = "Dune (Frank Herbert)\n- Your Highlight on page {0} | location {0}0-{0}5 | Added on Tuesday, 5 March 2024 {0}:00:00\n\n{1}\n==========\n"
    words = [
        "Fear is the mind-killer, it is said.",
        "The mystery of life is no problem to solve.",
        "Walk without rhythm.",
    ]
    old = "".join(block.format(11 + at, text) for at, text in enumerate(words))
    box.write("My Clippings.txt", old)
    box.sync()
    before = {path: chunk.chunk_id for path, chunk in chunks(box).items()}
    assert len(before) > 1
    box.write("My Clippings 2.txt", old + block.format(15, "He who controls the spice."))
    row = box.sync()[0]
    assert row["chunks"] in (1, 2)
    after = {path: chunk.chunk_id for path, chunk in chunks(box).items()}
    assert len(set(before.items()) - set(after.items())) <= 1
    assert len({chunk.source_id for chunk in chunks(box).values()}) == 1
    assert row["first"] == "2024-03-05T11:00:00"
    assert row["last"] == "2024-03-05T15:00:00"


def test_quotes_and_colons_in_a_title_come_back_from_yaml(tmp_path: Path) -> None:
    box = Box(tmp_path)
    title = 'It\'s "Fine": Notes\\Essays #1 - [x]: {y} %z'
    box.write(
        "c.txt",
        f'{title} (O\'Neil: "Cat")\n- Your Note at location 7 | Added on Tuesday, 5 March 2024 10:00:00\n\nhm\n==========\n',
    )
    assert box.sync()[0]["title"] == title
    (path,) = [path for path in box.notes() if path.startswith("wiki/raw")]
    head = box.notes()[path].decode().split("---\n")[1]
    assert yaml.safe_load(head)["aliases"][0].startswith(title)


def test_a_note_of_the_same_name_elsewhere_is_not_touched(tmp_path: Path) -> None:
    box = Box(tmp_path)
    own = box.root / "Ideas.md"
    own.write_text("---\nkeep: me\n---\nmy own words\n", encoding="utf-8")
    box.write(
        "Ideas.json", '{"title": "Ideas", "textContent": "imported words", "isTrashed": false, "isArchived": false}'
    )
    assert box.sync()[0]["outcome"] == "imported"
    assert own.read_text(encoding="utf-8") == "---\nkeep: me\n---\nmy own words\n"


def test_notes_imported_together_share_a_time_and_stay_apart(tmp_path: Path) -> None:
    box = Box(tmp_path)
    for name in ("A", "B"):
        box.write(
            f"{name}.json",
            f'{{"title": "{name}", "textContent": "text of {name}", "isTrashed": false, "createdTimestampUsec": 1700000000000000}}',
        )
    box.sync()
    assert set(by_title(box)) == {"A", "B"}


def test_mail_in_a_takeout_and_dropped_alone_is_one_mail(tmp_path: Path) -> None:
    box = Box(tmp_path)
    takeout = raw_of(FOLDER / "takeout")
    box.write(takeout.name, takeout.data[:])
    row = box.sync()[0]
    assert (row["notes_count"], row["messages"]) == (1, 1)
    box.write("box.mbox", (FOLDER / "takeout/Takeout/Mail/All mail Including Spam and Trash.mbox").read_bytes())
    assert box.sync()[0]["outcome"] == "duplicate"


def test_a_text_bundle_is_one_note(tmp_path: Path) -> None:
    box = Box(tmp_path)
    files = {"info.json": b'{"version": 2}', "text.md": b"some **text**\n", "assets/a.png": b"\x89PNG"}
    for name, data in files.items():
        box.write(f"Walk.textbundle/{name}", data)
    box.write("Climb.textpack", zipped({f"Climb.textbundle/{name}": data for name, data in files.items()}))
    rows = {str(row["file"]): row for row in box.sync()}
    assert rows["Walk.textbundle/text.md"]["title"] == "Walk"
    assert rows["Climb.textpack"]["title"] == "Climb"
    assert rows["Climb.textpack"]["attachments"] == ["a.png"]
    assert rows["Walk.textbundle/info.json"]["outcome"] == "imported"
