"""Entity notes as their reader leaves them: broken, twice, merged, and beside notes of his own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vaults import Box

ME = "me: [Inês Carvalho, ines@example.com]\n"
MAIL = """From: {sender}
To: {to}
Subject: Boiler {number}
Date: 1{number} Mar 2026 09:00:00 +0000
Message-ID: <{name}{number}-{day}@example.com>

The boiler of house {number} was repaired by Kwikfix for 12{number} euros on day {day} and works again, says {name}.
"""
OWNER = "Inês Carvalho <ines@example.com>"


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path, config=ME)


def exchange(box: Box, party: str, day: int = 1) -> None:
    """A mail by that party to the owner, and the owner's answer."""
    for number, (sender, to) in enumerate([(party, OWNER), (OWNER, party)], start=1):
        name = party.split()[0]
        text = MAIL.format(sender=sender, to=to, number=number, day=day, name=name)
        box.write(f"{name}-{day}-{number}.eml", text)


def entity_notes(box: Box) -> list[str]:
    return [path for path in box.notes() if path.startswith("entities/") and path != "entities/Review.md"]


def found(box: Box, entity: str) -> int:
    with box.open() as memory:
        return len(memory.recall("boiler", k=50, entity=entity).hits)


def problems(box: Box) -> dict[str, str]:
    """What `status` and `sync` both say of the notes."""
    with box.open() as memory:
        from_sync = memory.sync().to_dict()["problems"]
        assert memory.status().to_dict()["problems"] == from_sync
    assert isinstance(from_sync, dict)
    return from_sync


def put(box: Box, path: str, text: str | bytes) -> Path:
    target = box.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text if isinstance(text, bytes) else text.encode())
    return target


RUI = "entities/person/rui-tavares.md"
BROKEN = (
    b"---\nid: [\n---\n",
    b"---\nid: [a, b]\n---\n",
    b"---\nkind: goblin\n---\n",
    b"\xff\xfe\x00",
    b'---\nid: "x\n---\n',
)


@pytest.mark.parametrize("data", BROKEN)
@pytest.mark.parametrize("cold", [False, True])
def test_a_broken_entity_note_gets_no_twin_and_keeps_its_bytes(box: Box, data: bytes, *, cold: bool) -> None:
    exchange(box, "Rui Tavares <rui@example.com>")
    box.sync()
    assert entity_notes(box) == [RUI]
    put(box, RUI, data)
    if cold:
        with box.open() as memory:
            memory.rebuild()
    exchange(box, "Rui Tavares <rui@example.com>", day=2)
    for _ in range(2):
        assert list(problems(box)) == [RUI]
        assert entity_notes(box) == [RUI]
    assert (box.root / RUI).read_bytes() == data
    assert found(box, "person:rui-tavares") == 4
    assert found(box, "rui@example.com") == 4
    box.digest()


def test_a_mended_entity_note_counts_again(box: Box) -> None:
    exchange(box, "Rui Tavares <rui@example.com>")
    box.sync()
    good = (box.root / RUI).read_text()
    put(box, RUI, BROKEN[0])
    problems(box)
    put(box, RUI, good.replace("aliases: []", "aliases: [Ruizinho]"))
    assert problems(box) == {}
    assert found(box, "Ruizinho") == 2


def test_of_two_notes_with_one_id_the_first_keeps_it(box: Box) -> None:
    exchange(box, "Rui Tavares <rui@example.com>")
    box.sync()
    copy = (box.root / RUI).read_text().replace("Rui Tavares", "Rui T. Copy")
    second = put(box, "entities/person/rui-tavares (2).md", copy)
    said = problems(box)
    assert list(said) == ["entities/person/rui-tavares (2).md"]
    assert RUI in said["entities/person/rui-tavares (2).md"]
    assert second.read_text() == copy
    assert found(box, "person:rui-tavares") == found(box, "Rui Tavares") == 2
    box.digest()
    (box.root / RUI).unlink()
    assert problems(box) == {}
    assert entity_notes(box) == ["entities/person/rui-tavares (2).md"]
    assert found(box, "Rui T. Copy") == 2


@pytest.mark.parametrize("path", ["People/Jonas Petrov.md", "Jonas.md", "jonas.md"])
def test_a_note_of_the_users_own_takes_the_place_of_an_entity_note(box: Box, path: str) -> None:
    text = (
        "---\naliases: [Jonas Petrov, jonas@p.org]\n---\nmet in Sofia\n" if "People" not in path else "met in Sofia\n"
    )
    own = put(box, path, text)
    exchange(box, "Jonas Petrov <jonas@p.org>")
    exchange(box, "J. Petrov <jonas@p.org>")
    for _ in range(2):
        assert problems(box) == {}
        assert entity_notes(box) == []
    assert own.read_text() == text
    for name in ("Jonas Petrov", "jonas@p.org", "JONAS+x@p.org", f"person:{own.stem.lower().replace(' ', '-')}"):
        assert found(box, name) == 4, name
    box.digest()


def test_an_address_alone_in_a_note_of_the_users_own_is_enough(box: Box) -> None:
    put(box, "x.md", "---\naliases: jonas+mail@p.org\n---\n")
    exchange(box, "Jonas Petrov <jonas@p.org>")
    box.sync()
    assert entity_notes(box) == []


def merged(box: Box, same_as: str) -> None:
    exchange(box, "Bob Stone <bob@example.com>")
    exchange(box, "Robert Stone <robert@example.org>")
    box.sync()
    assert entity_notes(box) == ["entities/person/bob-stone.md", "entities/person/robert-stone.md"]
    note = box.root / "entities/person/bob-stone.md"
    note.write_text(note.read_text().replace("same_as: []", f"same_as: {same_as}", 1))


@pytest.mark.parametrize(
    "link", ['"[[entities/person/robert-stone|Robert]]"', "[[Robert Stone]]", "person:robert-stone"]
)
def test_a_merged_entity_is_found_by_all_its_names(box: Box, link: str) -> None:
    merged(box, link)
    assert problems(box) == {}
    for name in ("person:bob-stone", "Person:Bob-Stone", "person:robert-stone", "BOB  stone", "bob@example.com"):
        assert found(box, name) == found(box, "robert stone") == 4, name
    box.digest()


@pytest.mark.parametrize("link", ["[[Nobody]]", "5", "person:bob-stone", "[[bob-stone]]", '["[[Robert Stone]]", 7.5]'])
def test_a_merge_with_nobody_is_named(box: Box, link: str) -> None:
    merged(box, link)
    assert list(problems(box)) == ["entities/person/bob-stone.md"]
    assert found(box, "person:bob-stone") == (4 if "Robert" in link else 2)
    box.digest()


def test_labels_marks_and_links_to_our_own_notes_make_no_entity(box: Box) -> None:
    exchange(box, 'Ann "Q" O\'Neil: [x] #1 ‹ann@x.org>')
    box.write("a.md", "The key [[AKIAIOSFODNN7EXAMPLE]] opens [[wiki/raw/x|y]] and [[entities/person/ann|Ann]].\n")
    box.sync()
    (path,) = entity_notes(box)
    assert "# Ann 'Q' O'Neil: [x] #1\n" in (box.root / path).read_text()
    assert '"ann@x.org"' in (box.root / path).read_text()


def test_an_entity_note_keeps_its_id_wherever_it_goes(box: Box) -> None:
    exchange(box, "Rui Tavares <rui@example.com>")
    box.sync()
    digest = box.digest()
    here = box.root / RUI
    for path in ("entities/person/Ruizinho.md", "entities/Friends/Rui.md", "People/Rui T.md", RUI):
        there = box.root / path
        there.parent.mkdir(parents=True, exist_ok=True)
        here = here.rename(there)
        assert problems(box) == {}
        assert [p for p in (*entity_notes(box), "People/Rui T.md") if (box.root / p).exists()] == [path]
        for name in ("person:rui-tavares", "Rui Tavares", "rui@example.com", here.stem):
            assert found(box, name) == 2, (path, name)
        box.digest()
    assert box.digest() == digest
    assert not (box.root / ".vaultmem/tombstones.jsonl").exists()


def test_a_new_name_of_a_known_address_joins_and_a_removed_one_does_not_come_back(box: Box) -> None:
    exchange(box, "Rui Tavares <rui@example.com>")
    box.sync()
    exchange(box, "Ruizinho Tavares <rui@example.com>")
    exchange(box, "Rui Tavares <rui@home.example>", day=2)
    box.sync()
    assert entity_notes(box) == [RUI]
    note = (box.root / RUI).read_text()
    assert "aliases:\n  - Ruizinho Tavares\n" in note
    assert 'emails:\n  - "rui@example.com"\n  - "rui@home.example"\n' in note
    assert found(box, "rui tavares") == found(box, "ruizinho tavares") == 6
    before = box.notes()
    box.sync()
    assert box.notes() == before

    put(box, RUI, note.replace("aliases:\n  - Ruizinho Tavares\n", "aliases: []\n"))
    for _ in range(2):
        box.sync()
        assert "Ruizinho" not in (box.root / RUI).read_text()
        with box.open() as memory:
            memory.rebuild()


@pytest.mark.parametrize("at_once", [False, True])
def test_two_people_of_one_first_name_stay_two(box: Box, *, at_once: bool) -> None:
    exchange(box, "Alex <alex@north.example>", day=1)
    if not at_once:
        box.sync()
    exchange(box, "Alex <a@south.example>", day=2)
    box.sync()
    box.sync()
    notes = [(box.root / path).read_text() for path in entity_notes(box)]
    assert len(notes) == 2
    assert sorted(note.count("@") for note in notes) == [1, 1]
    assert all("display_name: Alex\n" in note for note in notes)
    assert found(box, "alex@north.example") == found(box, "a@south.example") == 2
    review = (box.root / "entities/Review.md").read_text()
    assert "## Names that fit several" in review
    assert "merge" not in review
    box.digest()


def test_a_first_name_of_one_address_is_one_person(box: Box) -> None:
    exchange(box, "Alex <alex@north.example>")
    exchange(box, "Alex Kim <alex@north.example>", day=2)
    box.sync()
    assert len(entity_notes(box)) == 1
    assert found(box, "alex kim") == 4
