"""Which entities a part of a name may mean, and in what order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.recall.lookup import Named, look_up, spelt


def entity(name: str, mentions: int = 1, *also: str, kind: str = "person") -> Named:
    found = Named(
        id=f"{kind}:{name.lower()}",
        kind=kind,
        display_name=name,
        aliases=(),
        mentions=mentions,
        note_path="",
        also=also,
    )
    return spelt(found)


PEOPLE = [
    entity("Hannah Berg", 500),
    entity("Ann Lee", 3, "ann.lee@example.com"),
    entity("Anna", 7),
    entity("Πέτρος", 1),
    entity("王小明", 2),
    entity("Inês", 2),
    entity("O'Brien", 1),
    entity("Annex", 9, kind="project"),
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ann", ["Ann Lee", "Annex", "Anna", "Hannah Berg"]),
        ("anna", ["Anna", "Hannah Berg"]),
        ("lee ann", ["Ann Lee"]),
        ("lee@exa", ["Ann Lee"]),
        ("ines", ["Inês"]),
        ("πετρος", ["Πέτρος"]),
        ("小明", ["王小明"]),
        ("o'br", ["O'Brien"]),
        ("person:ann lee", ["Ann Lee"]),
    ],
)
def test_words_first_then_beginnings_of_words_then_the_most_mentioned(query: str, found: list[str]) -> None:
    hits, guessed = look_up(query, PEOPLE, ())
    assert [hit.display_name for hit in hits] == found
    assert not guessed


def test_close_spellings_only_when_nothing_fits() -> None:
    hits, guessed = look_up("hanna burg", PEOPLE, ())
    assert ([hit.display_name for hit in hits], guessed) == (["Hannah Berg"], True)
    assert look_up("xyzzy", PEOPLE, ()) == ((), False)


def test_the_nearest_spelling_comes_first_however_often_others_are_named() -> None:
    people = [entity("Marta Klein", 900), entity("Martha Kleine", 1), entity("Maria Kleist", 50)]
    assert look_up("Marhta Kleine", people, ())[0][0].display_name == "Martha Kleine"


def test_kinds_are_filtered_before_anything_else() -> None:
    assert [hit.display_name for hit in look_up("ann", PEOPLE, ("project",))[0]] == ["Annex"]
    assert look_up("", PEOPLE, ("topic",)) == ((), False)


@given(st.text(max_size=40))
def test_any_query_is_answered(query: str) -> None:
    hits, _ = look_up(query, PEOPLE, ())
    assert len(set(hits)) == len(hits)
