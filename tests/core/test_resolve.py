"""Suggestions: who may be one. The table is tests/cases/resolve/pairs.txt."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.ingest.resolve import Appearance, Suggestion, ambiguous_names, candidate_pairs, suggest_merges
from vaultmem.core.notes.ids import entity_id
from vaultmem.model import Entity

CASES = Path(__file__).parents[1] / "cases/resolve/pairs.txt"


def person(text: str, number: int) -> Entity:
    """`Bob Stone, Bobby <bob@x.org>`: names between `;`, addresses in brackets."""
    names, _, rest = text.partition("<")
    emails = tuple(part.strip(" <>") for part in rest.split("<") if part.strip(" <>"))
    first, *aliases = [name.strip() for name in names.split(";")]
    return Entity(
        id=f"person:{number}-{entity_id('person', first).partition(':')[2]}",
        kind="person",
        display_name=first or emails[0],
        aliases=tuple(aliases),
        emails=emails,
        note_path=f"entities/person/{number}.md",
    )


def suggestions(
    entities: list[Entity], appearances: dict[str, Appearance] | None = None, *, verified: tuple[str, ...] = ()
) -> tuple[Suggestion, ...]:
    registry = build_registry(entities)
    return suggest_merges(registry, candidate_pairs(registry), appearances=appearances or {}, verified=verified)


def shown(entities: list[Entity]) -> list[str]:
    verified = tuple(email for entity in entities for email in entity.emails)
    names = {entity.id: entity.display_name for entity in entities}
    return [
        f"{names[s.keep.id]} <- {names[s.merge.id]} ({', '.join(s.reasons)}) {s.score:g}"
        for s in suggestions(entities, verified=verified)
    ]


def test_cases(update: bool) -> None:
    blocks = [block.strip().splitlines() for block in CASES.read_text(encoding="utf-8").split("\n\n")]
    result, wanted = [], []
    for lines in blocks:
        given_lines = [line for line in lines if not line.startswith("=>")]
        people = [person(line, n) for n, line in enumerate(line for line in given_lines if not line.startswith("#"))]
        result.append("\n".join([*given_lines, *(f"=> {line}" for line in shown(people) or ["nothing"])]))
        wanted.append("\n".join(lines))
    if update:
        CASES.write_text("\n\n".join(result) + "\n", encoding="utf-8")
    assert result == wanted


def test_two_in_one_conversation_are_two() -> None:
    bob, robert = person("Bob Stone <bob@x.org>", 1), person("Robert Stone <r@y.org>", 2)
    assert suggestions([bob, robert])
    together = {e.id: Appearance(takes_part=frozenset({"slack:eng"})) for e in (bob, robert)}
    assert not suggestions([bob, robert], together)
    named = {e.id: Appearance(named=frozenset({"a", "b", "c"})) for e in (bob, robert)}
    assert suggestions([bob, robert], named)[0].score == 4.0


def test_a_no_and_a_yes_are_no_questions_any_more() -> None:
    bob, robert = person("Bob Stone", 1), person("Robert Stone", 2)
    for key in ("same_as", "not_same_as"):
        answered = Entity(**{**{f: getattr(bob, f) for f in Entity.__dataclass_fields__}, key: (robert.id,)})
        assert not suggestions([answered, robert])


def test_names_that_fit_several_are_named_with_all_of_them() -> None:
    people = [person("Alex Kim; Alex", 1), person("Alex Moreau; alex", 2), person("Ann", 3)]
    ((name, entities),) = ambiguous_names(build_registry(people))
    assert name in ("Alex", "alex")
    assert [entity.display_name for entity in entities] == ["Alex Kim", "Alex Moreau"]


WORDS = st.sampled_from(
    ["bob", "robert", "ann", "anna", "stone", "berg", "j.", "Jr", "王", "é", "-", "@", "O'Neil", ","]
)
PEOPLE = st.lists(
    st.tuples(
        st.lists(WORDS, min_size=1, max_size=3).map(" ".join),
        st.sampled_from(["", "a@x.org", "b@x.org", "c@gmail.com", "bob.stone@y.org"]),
        st.lists(st.integers(0, 5), max_size=2),
    ),
    max_size=6,
)


@given(PEOPLE, st.randoms(use_true_random=False))
def test_order_does_not_count_and_a_no_always_wins(people: list[tuple[str, str, list[int]]], shuffled: object) -> None:
    ids = [f"person:{n}" for n in range(len(people))]
    entities = [
        Entity(
            id=ids[n], kind="person", display_name=name, emails=(email,) if email else (),
            not_same_as=tuple(ids[other] for other in apart if other < len(ids)),
        )
        for n, (name, email, apart) in enumerate(people)
    ]  # fmt: skip
    found = suggestions(entities)
    mixed = list(entities)
    shuffled.shuffle(mixed)  # type: ignore[attr-defined]
    assert suggestions(mixed) == found
    apart = build_registry(entities).apart
    for suggestion in found:
        assert suggestion.score >= 3
        assert suggestion.keep.id != suggestion.merge.id
        assert frozenset((suggestion.keep.id, suggestion.merge.id)) not in apart


@pytest.mark.parametrize("count", [500])
def test_many_people_are_compared_in_time(count: int) -> None:
    people = [person(f"P{n % 97} Q{n % 89} <p{n}@house{n % 50}.org>", n) for n in range(count)]
    assert len(suggestions(people)) < 5_000
