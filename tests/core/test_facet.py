"""Units and FACET: verbatim, within the budget, in time order, the same on every machine."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.grow import concepts
from vaultmem.core.grow.concepts import concepts_of
from vaultmem.core.grow.cues import cue_factor, language_of
from vaultmem.core.grow.facet import Budget, budget_of, frequencies, select
from vaultmem.core.grow.sections import sections_of
from vaultmem.core.grow.units import MAX_UNIT, Unit, refind, units_of
from vaultmem.core.notes.codec import render_body
from vaultmem.core.notes.entry import passages_of
from vaultmem.core.notes.summarynote import one_line, read_sentences, sentence_line
from vaultmem.grown import Link, Sentence
from vaultmem.model import Chunk, Message, SourceKind

AT = datetime(2026, 4, 21, 10, 0, tzinfo=UTC)
WIDE = Budget(prose=10**6, body=10**6)


def words(text: str) -> int:
    return len(text.split())


def chunk_of(kind: SourceKind, body: str, number: int = 1) -> Chunk:
    return Chunk(
        chunk_id=f"{number:032x}", source_kind=kind, source_id=f"{kind}:x", tree_scope="x", owner="", time_start=AT,
        time_end=AT, seq=number, position=f"{number:04d}", token_count=words(body), body=body, source_ref="",
        original="", title="x",
    )  # fmt: skip


def chat(texts: list[str], number: int = 1, kind: SourceKind = "chat") -> Chunk:
    messages = [
        Message(key=f"{number:06x}{n:06x}", sent_at=AT + timedelta(minutes=n + 100 * number), author="Ann", text=text)
        for n, text in enumerate(texts)
    ]
    return chunk_of(kind, render_body(kind, messages), number)


def units(chunk: Chunk) -> tuple[Unit, ...]:
    return units_of(chunk, passages_of(chunk), words)


def sentences(kind: SourceKind, text: str) -> list[str]:
    chunk = chunk_of(kind, text) if kind == "document" else chat([text], kind=kind)
    return [unit.text for unit in units(chunk)]


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("chat", "We met at 5. It was good fun!", ["We met at 5.", "It was good fun!"]),
        ("chat", "我们明天去北京。好的！几点出发？", ["我们明天去北京。好的！几点出发？"]),
        ("chat", "First line of it\nsecond line of it", ["First line of it", "second line of it"]),
        ("chat", "See you there tonight. Thanks!", ["See you there tonight. Thanks!"]),
        ("chat", "> what you said\nI do agree with it", ["I do agree with it"]),
        ("chat", "Look here now:\n```py\nx = 1\n```\nIt does work well", ["Look here now:", "It does work well"]),
        ("email", "I write to you about the four old boats of the club, which\nwe sold.\n\n-- \nAnn Smith\nCEO", None),
        ("document", "# Plan\n\n- [ ] Buy new oars 📅 2026-05-01\n- [x] Sell old oars", None),
        ("document", "> A quote stays in a document.\n\n---\n\n| a | b |\n|---|---|\n| one two | three |", None),
    ],
)
def test_sentences(kind: SourceKind, text: str, expected: list[str] | None) -> None:
    known = {
        "email": ["I write to you about the four old boats of the club, which\nwe sold."],
        "# Plan": ["Buy new oars 📅 2026-05-01", "Sell old oars"],
        "> A qu": ["A quote stays in a document.", "| a | b |\n|---|---|\n| one two | three |"],
    }
    if expected is None:
        expected = known["email"] if kind == "email" else known[text[:6]]
    found = sentences(kind, text)
    if "| a |" in text:
        assert found[0] == expected[0]
        assert not any("---" in unit for unit in found)
        return
    if kind == "chat" and "北京" in text:
        assert "".join(found) == text
        return
    assert found == expected


ANY = st.text(max_size=300) | st.text("ab .!?\n\r-#>`|*[]5。\u2028😀", max_size=120)


@given(st.lists(ANY, max_size=5), st.sampled_from(["chat", "email"]))
def test_every_unit_is_a_span_of_its_message(texts: list[str], kind: SourceKind) -> None:
    chunk = chat(texts, kind=kind)
    check_spans(chunk)


@given(ANY)
def test_every_unit_is_a_span_of_its_paragraph(body: str) -> None:
    check_spans(chunk_of("document", body))


def check_spans(chunk: Chunk) -> None:
    passages = passages_of(chunk)
    found = units_of(chunk, passages, words)
    last = (-1, 0)
    for unit in found:
        passage = passages[unit.passage]
        assert unit.text == passage.text[unit.start : unit.end]
        assert unit.text.strip() == unit.text != ""
        assert (unit.passage, unit.start) >= last
        assert unit.end - unit.start <= MAX_UNIT + 40
        last = (unit.passage, unit.end)
    shown = list(read_sentences([sentence_line(shown_as(unit)) for unit in found]))
    assert refind(shown, found) == found


def shown_as(unit: Unit) -> Sentence:
    return Sentence(text=one_line(unit.text), author=unit.author, link=Link(path="a.md", alias="x", anchor=unit.anchor))


def test_a_changed_sentence_is_not_found_again() -> None:
    found = units(chat(["We sold the boats today.", "It is a new time."]))
    changed = replace(shown_as(found[0]), text="We sold nothing at all.")
    assert refind([changed, shown_as(found[1])], found) == found[1:]


def test_of_twins_the_linked_one_is_found() -> None:
    found = units(chat(["The cup is ours again.", "The cup is ours again."]))
    assert refind([shown_as(found[1])], found) == found[1:]


def test_anchors_lead_to_what_stands_in_the_note() -> None:
    body = (
        "# Plan\n\nWe build a boat.\n\n## Cost\n\nIt costs 500 EUR.\n\n## Cost\n\nIt costs more.\n\nNamed here. ^abc\n"
    )
    anchors = {unit.text: unit.anchor for unit in units(chunk_of("document", body))}
    assert anchors["We build a boat."] == "Plan"
    assert anchors["It costs 500 EUR."] == ""
    assert anchors[next(text for text in anchors if text.startswith("Named"))] == "^abc"


def test_languages() -> None:
    assert language_of("The boats are in the shed and we have to move them") == "en"
    assert language_of("Die Boote sind im Schuppen und wir müssen sie auf den See bringen, das ist nicht weit") == "de"
    assert language_of("Vene ovat vajassa ja meidän täytyy siirtää ne järvelle huomenna") == ""
    assert language_of("") == ""


def factor(text: str, language: str = "en") -> float:
    return cue_factor(text, language, concepts_of(text))


def test_cues() -> None:
    assert factor("Thanks a lot!") == pytest.approx(0.15)
    assert factor("Where did the harbour club move the boats?") == pytest.approx(0.35)
    assert factor("I moved the club boats on Friday") == pytest.approx(1.2 * 1.6)
    assert factor("The club rejected 12 new boats") == pytest.approx(1.3 * 1.1)
    assert factor("Klubi hylkäsi uudet veneet 12.5.2026", "") == 1.0


def test_concepts_know_their_kinds() -> None:
    found = concepts_of('We paid Ann Smith 40 EUR for "Blue Note" on 5 May 2023, see https://x.org/a and OPS-12')
    assert {"p:ann smith", "n:40", "q:blue note", "d:5 may 2023", "i:https://x.org/a", "i:ops-12"} <= set(found)
    assert any(key.startswith("b:") for key in found)
    assert "w:東京" in concepts_of("東京に行く")


def test_the_specific_wins_over_the_typical() -> None:
    texts = ["It was really nice to see all of you.", "Wow, that sounds so great!", "How are you doing these days?"] * 5
    texts.insert(7, "On 12 May 2026 we sold the boat Albatros to Inês for 4,500 EUR.")
    found = units(chat(texts))
    kept = select(found, budget=Budget(prose=30, body=1000), frequencies=frequencies(found))
    assert any("Albatros" in unit.text for unit in kept)


def test_what_must_be_kept_is() -> None:
    filler = [f"On {n} May 2026 we sold boat Albatros{n} to Ann{n} for {n}00 EUR." for n in range(1, 28)]
    found = units(chat([*filler, "ok let us do it so #decision"]))
    kept = select(found, budget=Budget(prose=60, body=1000), frequencies=frequencies(found))
    assert any(unit.must for unit in kept)


def test_of_repeats_one_is_kept_the_later_if_numbers_differ() -> None:
    found = units(
        chat(["The mast height is 12 metres now.", "We have a new boat.", "The mast height is 14 metres now."])
    )
    kept = [unit.text for unit in select(found, budget=WIDE, frequencies=frequencies(found))]
    assert kept == ["We have a new boat.", "The mast height is 14 metres now."]


@given(st.lists(ANY, max_size=12), st.integers(0, 80), st.randoms())
def test_a_selection_is_ordered_within_budget_and_blind_to_input_order(
    texts: list[str], prose: int, dice: random.Random
) -> None:
    found = [*units(chat(texts[:6])), *units(chat(texts[6:], 2))]
    budget = Budget(prose=prose, body=prose * 3, link=4)
    kept = select(found, budget=budget, frequencies=frequencies(found))
    assert sum(unit.tokens for unit in kept) <= prose
    assert sum(unit.tokens + 4 for unit in kept) <= prose * 3
    assert list(kept) == sorted(kept, key=lambda unit: unit.order)
    assert set(kept) <= set(found)
    shuffled = dice.sample(found, len(found))
    assert select(shuffled, budget=budget, frequencies=frequencies(shuffled)) == kept


def test_a_summary_is_at_most_half() -> None:
    for prose in (0, 1, 10, 100, 512, 3000, 10**6):
        budget = budget_of(prose, 2 * prose, 40, 60)
        assert budget.prose <= min(prose / 2, 5000)
        assert budget.body == (prose - 60 if prose >= 512 else prose)
    assert budget_of(1000, 2000, 40, 60).prose == 256
    assert budget_of(20_000, 30_000, 40, 60).prose == 3000


def test_nothing_gives_nothing() -> None:
    assert select([], budget=WIDE, frequencies=frequencies([])) == ()
    assert units(chunk_of("document", "")) == ()
    assert units(chunk_of("document", "```\ncode\n```\n")) == ()


def test_documents_favour_the_first_sentence_of_a_section() -> None:
    found = units(chunk_of("document", "# A\n\nThe first sentence here. The second one here.\n\nA third one here.\n"))
    assert [unit.lead for unit in found] == [True, False, False]


SCRIPT = """
from tests.core.test_facet import *
texts = [f"Person{n % 7} moved {n} boats to Harbour{n % 5} on {n % 28 + 1} May." for n in range(200)]
found = units(chat(texts))
print([u.start + u.passage for u in select(found, budget=Budget(prose=200, body=9999), frequencies=frequencies(found))])
"""


def test_the_hash_seed_changes_nothing() -> None:
    root = Path(__file__).parents[2]
    runs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(runs) == 1


@pytest.mark.parametrize(
    "piece", ["a", "a ", "? ", "[[", "`", "5.", "\n", "x\n", "> ", "- ", '"a', "@", "www.", "东", "A "]
)
@pytest.mark.parametrize("share", [2, pytest.param(1, marks=pytest.mark.nightly)])
def test_a_huge_line_costs_no_square(piece: str, share: int) -> None:
    """A half in a quarter of the time: what takes the square of its length is caught alike."""
    text = (piece * 120_000)[: 120_000 // share]
    started = time.process_time()
    found = units(chat([text]))
    select(found, budget=Budget(prose=500, body=5000), frequencies=frequencies(found))
    assert time.process_time() - started < 8 / share**2


def test_a_thousand_equal_messages_cost_no_square() -> None:
    found = [replace(u, text=u.text) for u in units(chat(["The pump reads 5 bar again today."] * 5000))]
    started = time.process_time()
    kept = select(found, budget=WIDE, frequencies=frequencies(found))
    assert len(kept) == 1
    assert time.process_time() - started < 5


def test_a_day_of_any_length_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A note of 5 MB is a day of more sentences than are remembered: each is taken apart once all the same."""
    asked = [0]
    taken_apart = concepts._found_in

    def counted(text: str) -> Iterator[str]:
        asked[0] += 1
        return taken_apart(text)

    monkeypatch.setattr(concepts, "_found_in", counted)
    one = units(chat(["Pump 1 leaks."]))[0]
    day = [replace(one, text=f"Pump {n} leaks.", chunk_id=f"{n // 500:032x}", passage=n % 500) for n in range(18_000)]
    sections_of(day)
    kept = select(day, budget=Budget(prose=500, body=5000), frequencies=frequencies(day))
    assert kept
    assert asked[0] <= len(day)
