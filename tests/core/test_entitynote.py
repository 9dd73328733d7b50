"""Entity notes: ours come back, a person's are understood."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from vaultmem.core.notes.entitynote import parse_entity_note, render_entity_note
from vaultmem.core.notes.properties import split_note
from vaultmem.core.notes.region import replace_region
from vaultmem.errors import BadNote, BadProperties
from vaultmem.model import Entity

CASES = Path(__file__).parent.parent / "cases" / "notes"
PATH = "entities/person/alice-smith.md"
ALICE = Entity(
    id="person:alice-smith",
    kind="person",
    display_name="Alice Smith",
    aliases=("Al", "艾丽斯"),
    emails=("alice@example.com",),
    handles=("alice#1234",),
    note_path=PATH,
    same_as=("[[entities/person/ali|Ali]]",),
    created_at="2026-04-21T10:12:00",
    updated_at="2026-04-21T10:12:00",
)


def test_the_note_is_the_documented_one(update: bool) -> None:
    path = CASES / "entity.md"
    made = render_entity_note(ALICE)
    if update:
        path.write_text(made, encoding="utf-8", newline="")
    assert path.read_bytes().decode() == made


def test_an_entity_comes_back_also_after_the_region_was_filled() -> None:
    note = render_entity_note(ALICE).encode()
    assert parse_entity_note(PATH, note) == ALICE
    assert parse_entity_note(PATH, replace_region(note, "- 3 messages")) == ALICE
    assert parse_entity_note(PATH, b"\xef\xbb\xbf" + note.replace(b"\n", b"\r\n")) == ALICE
    front = split_note(note.decode()).frontmatter or ""
    assert yaml.load(front, Loader=yaml.SafeLoader) == YAML(typ="safe", pure=True).load(front)


texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12).filter(lambda t: t == t.strip() and t != "")
entities = st.builds(
    Entity,
    id=texts,
    kind=st.sampled_from(["person", "topic", "event"]),
    display_name=texts,
    aliases=st.lists(texts, max_size=3).map(tuple),
    note_path=st.just(PATH),
    created_at=texts,
)


@given(entities)
def test_any_entity_comes_back(entity: Entity) -> None:
    assert parse_entity_note(PATH, render_entity_note(entity).encode()) == entity


@pytest.mark.parametrize(
    ("front", "found"),
    [
        ("aliases: Al, Ally", {"aliases": ("Al", "Ally")}),
        ("aliases: Al", {"aliases": ("Al",)}),
        ("aliases: [Al, 7, true, ~, '']", {"aliases": ("Al", "7", "true")}),
        ("aliases:", {"aliases": ()}),
        ("same_as: [[entities/person/ali]]", {"same_as": ("[[entities/person/ali]]",)}),
        ('same_as: "[[entities/person/ali|Smith, Ali]]"', {"same_as": ("[[entities/person/ali|Smith, Ali]]",)}),
        ("same_as:\n  - [[a]]\n  - '[[b]]'", {"same_as": ("[[a]]", "[[b]]")}),
        ("same_as: person:ali", {"same_as": ("person:ali",)}),
        ("not_same_as: [person:x]", {"not_same_as": ("person:x",)}),
        ("id: person:bob", {"id": "person:bob"}),
        ("kind: Project", {"kind": "project", "id": "project:alice-smith"}),
        ("display_name: Alice", {"display_name": "Alice", "id": "person:alice"}),
        ("display_name: 2024", {"display_name": "2024"}),
        ("", {"id": "person:alice-smith", "kind": "person", "display_name": "alice-smith"}),
        ("mine: {deep: [1]}\ntags: [x]", {"aliases": ()}),
    ],
)
def test_a_persons_own_note_is_understood(front: str, found: dict[str, object]) -> None:
    entity = parse_entity_note(PATH, f"---\n{front}\n---\nFree text\n".encode())
    assert {key: getattr(entity, key) for key in found} == found


def test_a_note_without_properties_is_named_by_its_path() -> None:
    assert parse_entity_note("entities/topic/Segeln.md", "Über Boote".encode()).id == "topic:segeln"


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("entities/Review.md", b"text"),
        ("entities/person/a.md", b"---\nkind: planet\n---\n"),
        ("entities/person/a.md", b"---\nid: [a]\n---\n"),
        ("entities/person/a.md", b"\xff\xfe\x00"),
    ],
)
def test_what_stands_for_nothing_is_refused(path: str, data: bytes) -> None:
    with pytest.raises(BadNote):
        parse_entity_note(path, data)


def test_broken_yaml_is_named() -> None:
    with pytest.raises(BadProperties):
        parse_entity_note(PATH, b"---\na: b: c\n---\n")
