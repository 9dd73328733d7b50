"""The registry and the rule for new entity notes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from vaultmem.core.ingest.entities import Registry, build_registry, plan_entity_notes
from vaultmem.model import AuthorFact, Entity

NOW = datetime(2026, 4, 21, 10, 12, tzinfo=UTC)


def person(name: str, **more: object) -> Entity:
    return Entity(id=f"person:{name.lower()}", kind="person", display_name=name, **more)  # type: ignore[arg-type]


def fact(text: str, **more: object) -> AuthorFact:
    base = {"surface": text.casefold(), "text": text, "kind": "person", "messages": 3, "days": 2, "two_way": False}
    return AuthorFact(**{**base, "linked": False, **more})  # type: ignore[arg-type]


def plan(*facts: AuthorFact, registry: Registry | None = None, own: tuple[str, ...] = (), taken: tuple[str, ...] = ()):  # noqa: ANN201
    return plan_entity_notes(facts, registry or build_registry([]), own=own, taken=taken, now=NOW)


def names(registry: Registry, text: str) -> list[str]:
    return [match.text for match in registry.find(text)]


def test_names_addresses_and_handles_resolve_and_an_ambiguous_one_to_several() -> None:
    registry = build_registry([
        person("Ann", aliases=("Annie",), emails=("Ann+x@Example.org",), handles=("@ann",)),
        person("Anna", aliases=("annie",)),
    ])  # fmt: skip
    assert registry.resolve("ANN") == {"person:ann"}
    assert registry.resolve("ann@example.org") == {"person:ann"}
    assert registry.resolve("@ann") == {"person:ann"}
    assert registry.resolve("Annie") == {"person:ann", "person:anna"}
    assert registry.resolve("nobody") == frozenset()
    assert {row.origin for row in registry.aliases()} == {"title", "alias", "email", "handle"}


@pytest.mark.parametrize(
    "link",
    ["[[entities/person/Bob]]", "[[entities/person/Bob|Bobby]]", "[[Bob]]", "person:bob", "[[entities/person/Bob.md]]"],
)
def test_a_merged_entity_gives_its_names_to_its_target(link: str) -> None:
    target = person("Bob", note_path="entities/person/Bob.md")
    registry = build_registry([person("Robert", same_as=(link,)), target])
    assert registry.resolve("Robert") == {"person:bob"}


def test_merges_in_a_chain_and_in_a_ring_end_and_a_denied_one_does_not_happen() -> None:
    chain = build_registry([person("A1", same_as=("person:b1",)), person("B1", same_as=("person:c1",)), person("C1")])
    assert chain.resolve("a1") == {"person:c1"}
    ring = build_registry([person("A1", same_as=("person:b1",)), person("B1", same_as=("person:a1",))])
    assert ring.resolve("b1") == ring.resolve("a1") == {"person:a1"}
    denied = build_registry([person("A1", same_as=("person:b1",)), person("B1", not_same_as=("[[A1]]",))])
    assert denied.resolve("a1") == {"person:a1"}
    assert build_registry([person("A1", same_as=("[[nobody]]", "person:a1"))]).resolve("a1") == {"person:a1"}


def test_find_takes_the_longest_name_at_word_borders() -> None:
    registry = build_registry([person("Ann"), person("Ann Smith"), person("Al"), person("王小明"), person("O'Brien")])
    assert names(registry, "Ann Smith saw ann, Annabel and Al") == ["Ann Smith", "ann"]
    assert names(registry, "昨天王小明来了") == ["王小明"]
    assert names(registry, "Mr O’Brien's boat") == ["O’Brien"]
    assert names(registry, "Ann.\n\nSmith") == ["Ann"]
    assert names(registry, "ann   smith") == ["ann   smith"]


def test_a_name_that_is_a_word_counts_only_as_written() -> None:
    registry = build_registry(
        [person("Will"), person("The"), person("May"), person("Kim", aliases=("Kit",)), person("Kit")]
    )
    assert names(registry, "will the kit come in may? Will and May and Kit do, kim too") == [
        "Will",
        "May",
        "Kit",
        "kim",
    ]


def test_the_rule() -> None:
    assert [e.id for e in plan(fact("Ann Smith"))] == ["person:ann-smith"]
    assert not plan(fact("Ann", messages=2), fact("Bo", days=1))
    assert plan(fact("Ann", messages=1, days=1, two_way=True))
    assert (
        plan(fact("Falcon", kind="topic", messages=0, days=0, linked=True))[0].note_path == "entities/topic/Falcon.md"
    )
    ann = plan(fact("Ann Smith"))[0]
    assert (ann.note_path, ann.created_at, ann.updated_at) == (
        "entities/person/ann-smith.md",
        "2026-04-21T10:12:00",
        "2026-04-21T10:12:00",
    )


@pytest.mark.parametrize(
    "address",
    ["no-reply@shop.com", "noreply@x.org", "donotreply@x.org", "MAILER-DAEMON@x.org", "notifications@github.com",
     "dev-request@lists.example.org", "dev@lists.example.org",
     "club@googlegroups.com", "bounce+17@x.org", "newsletter@x.org"],
)  # fmt: skip
def test_machines_and_lists_get_no_note(address: str) -> None:
    assert not plan(fact(address, kind="email", two_way=True))
    assert not plan(fact("Shop", emails=(address.lower(),)))


@pytest.mark.parametrize("name", ["Deploy Bot", "github[bot]", "Slackbot", "Ann via Docs", "System"])
def test_bots_get_no_note(name: str) -> None:
    assert not plan(fact(name))


def test_the_owner_and_what_the_user_has_a_note_of_get_none() -> None:
    assert not plan(fact("Cleo"), own=("Cleo",))
    assert not plan(fact("Cleo P", emails=("cleo@x.org",)), own=("Cleo+a@X.org",))
    assert not plan(fact("Ann Smith"), taken=("ann smith",))
    assert not plan(fact("Ann Smith"), registry=build_registry([person("Bob", aliases=("Ann Smith",))]))
    assert not plan(
        fact("Annie", emails=("ann@x.org",)), registry=build_registry([person("Ann", emails=("ann@x.org",))])
    )


def test_a_name_and_its_address_are_one_entity() -> None:
    email = fact("ann@x.org", kind="email", messages=4)
    made = plan(
        fact("Ann Smith", messages=2, emails=("ann@x.org",)), fact("A. Smith", messages=1, emails=("ann@x.org",)), email
    )
    assert [(e.id, e.display_name, e.aliases, e.emails) for e in made] == [
        ("person:ann-smith", "Ann Smith", ("A. Smith",), ("ann@x.org",))
    ]
    assert [e.id for e in plan(email)] == ["person:ann-x-org"]
    assert [e.kind for e in plan(fact("support@x.org", kind="email", two_way=True))] == ["organization"]


def test_spellings_with_one_slug_are_one_entity_and_a_desks_address_joins_nobody() -> None:
    made = plan(fact("Ann Smith", messages=5), fact("ann_smith", surface="ann_smith"))
    assert [(e.id, e.aliases) for e in made] == [("person:ann-smith", ("ann_smith",))]
    desk = [fact(name, emails=("crew@x.org",)) for name in ("Ann", "Bob", "Cy", "Di")]
    assert len(plan(*desk)) == 4


def test_phone_numbers_are_people_and_other_scripts_keep_their_letters() -> None:
    made = plan(fact("+49 170 1234567"), fact("李明"))
    assert {e.display_name for e in made} == {"+49 170 1234567", "李明"}
    assert len({e.note_path for e in made}) == 2
