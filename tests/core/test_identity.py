"""Versions of one document, and order keys with room between them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.identity import initial_positions, paragraph_hashes, position_between, same_document


def likeness(old: str, new: str) -> bool:
    return same_document(paragraph_hashes(old), paragraph_hashes(new))


def test_grown_and_shortened_documents_are_the_same() -> None:
    old = "# Log\n\n" + "\n\n".join(f"Entry {n}." for n in range(10))
    grown = old + "\n\n" + "\n\n".join(f"Later entry {n}." for n in range(90))
    assert likeness(old, grown)
    assert likeness(grown, "# Log\n\nEntry 3.\n\nEntry 4.")


def test_a_shared_title_is_no_likeness() -> None:
    assert not likeness("# Todo\n\n- buy rope\n", "# Todo\n\n- call Mara\n")
    assert likeness("# Todo\n", "# Todo\n")
    assert not likeness("# Todo\n", "")
    assert likeness("", "")


def test_thirty_percent_is_enough_and_less_is_not() -> None:
    old = "\n\n".join(f"Paragraph {n}." for n in range(10))
    for shared, same in ((3, True), (2, False)):
        new = "\n\n".join(f"Paragraph {n}." if n < shared else f"Other {n}." for n in range(10))
        assert likeness(old, new) is same


def test_lines_and_sentences_count_where_paragraphs_are_long() -> None:
    rows = ["| a | b |", "|---|---|", *(f"| {n} | {n * n} |" for n in range(20))]
    assert likeness("\n".join(rows), "\n".join([*rows, "| new | row |"]))
    page = " ".join(f"This is sentence {n} of a page without breaks." for n in range(60))
    assert likeness(page, page.replace("sentence 30", "phrase thirty"))
    assert likeness("Ａ  Paragraph\nHERE", "a paragraph here")


@given(st.integers(0, 3000))
def test_initial_positions_are_in_order_with_room(count: int) -> None:
    keys = initial_positions(count)
    assert len(keys) == count
    assert list(keys) == sorted(set(keys))
    if count:
        assert position_between("", keys[0]) < keys[0]
        assert position_between(keys[-1], "") > keys[-1]


@given(st.lists(st.integers(0, 10_000), max_size=80))
def test_a_key_fits_between_any_two(places: list[int]) -> None:
    keys = list(initial_positions(2))
    for place in places:
        at = place % (len(keys) + 1)
        left, right = keys[at - 1] if at else "", keys[at] if at < len(keys) else ""
        keys.insert(at, position_between(left, right))
        assert keys == sorted(set(keys))
    assert not any(key.endswith("0") for key in keys)


@given(st.text(max_size=6), st.text(max_size=6))
def test_positions_a_person_wrote_never_raise(left: str, right: str) -> None:
    assert position_between(left, right) > left
    assert position_between(left + "7" * 9000, right) > left


def test_many_inserts_at_one_place_keep_keys_short() -> None:
    right = "i"
    for _ in range(200):
        right = position_between("", right)
    assert len(right) < 10
