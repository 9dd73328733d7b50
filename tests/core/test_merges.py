"""Who is who: `same_as` over several steps, and a no that always wins."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.ingest.merges import lost_merges, read_merges
from vaultmem.model import Entity

NAMES = "abcdef"


def entity(name: str, same: str = "", apart: str = "") -> Entity:
    return Entity(
        id=f"person:{name}",
        kind="person",
        display_name=name,
        aliases=(f"the {name}",),
        note_path=f"entities/person/{name}.md",
        same_as=tuple(f"[[entities/person/{other}|x]]" for other in same),
        not_same_as=tuple(f"[[{other}]]" for other in apart),
    )


links = st.text(alphabet=NAMES, max_size=3)
registries = st.builds(
    lambda same, apart: [entity(name, same[n], apart[n]) for n, name in enumerate(NAMES)],
    st.lists(links, min_size=len(NAMES), max_size=len(NAMES)),
    st.lists(st.text(alphabet=NAMES, max_size=2), min_size=len(NAMES), max_size=len(NAMES)),
)


@given(registries, st.randoms(use_true_random=False))
def test_a_no_always_wins_and_the_order_of_notes_does_not_count(entities: list[Entity], shuffled: object) -> None:
    merges = read_merges(entities)
    for pair in merges.apart:
        one, other = sorted(pair)
        assert merges.targets[one] != merges.targets[other]
    mixed = list(entities)
    shuffled.shuffle(mixed)  # type: ignore[attr-defined]
    assert read_merges(mixed) == merges
    for identity, target in merges.targets.items():
        assert merges.targets[target] == target, identity
    registry = build_registry(mixed)
    assert {registry.resolve(f"the {name}") for name in NAMES} == {
        frozenset({merges.targets[f"person:{name}"]}) for name in NAMES
    }


def test_a_merge_over_two_steps_stops_at_a_no() -> None:
    entities = [entity("a", same="c", apart="b"), entity("b", same="c"), entity("c")]
    merges = read_merges(entities)
    assert merges.targets == {"person:a": "person:c", "person:b": "person:b", "person:c": "person:c"}
    assert list(lost_merges(entities)) == ["entities/person/b.md"]


def test_a_note_that_says_both_is_not_merged_and_no_trouble() -> None:
    entities = [entity("a", same="b", apart="b"), entity("b")]
    assert read_merges(entities).targets["person:a"] == "person:a"
    assert lost_merges(entities) == {}
