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
Message-ID: <m{number}-{day}@example.com>

The boiler of house {number} was repaired by Kwikfix for 12{number} euros on day {day} and works again.
"""
OWNER = "Inês Carvalho <ines@example.com>"


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path, config=ME)


def exchange(box: Box, party: str, day: int = 1) -> None:
    """A mail by that party to the owner, and the owner's answer."""
    for number, (sender, to) in enumerate([(party, OWNER), (OWNER, party)], start=1):
        text = MAIL.format(sender=sender, to=to, number=number, day=day)
        box.write(f"{party.split()[0]}-{day}-{number}.eml", text)


def entity_notes(box: Box) -> list[str]:
    return [path for path in box.notes() if path.startswith("entities/")]


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
