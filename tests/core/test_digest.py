"""Digests: what is decided, to be done, changed; budgets; every source heard. Cases: tests/cases/grow/*.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.grow.calendar import parse_period
from vaultmem.core.grow.compose import Child
from vaultmem.core.grow.digest import HEARD, MOST_OF_DAY, Part, compose_digest, heard, shown_sections
from vaultmem.core.grow.facet import frequencies
from vaultmem.core.grow.sections import sections_of
from vaultmem.core.grow.units import Unit, units_of
from vaultmem.core.notes.codec import message_passages, render_body
from vaultmem.core.notes.ids import sha256_hex, slug
from vaultmem.core.notes.summarynote import parse_summary_note, render_summary_note
from vaultmem.grown import SECTIONS, LeafFacts, Link, Sentence, SummaryNode
from vaultmem.model import Chunk, Message

CASES = Path(__file__).parents[1] / "cases" / "grow"
AT = datetime(2026, 4, 21, 8, 0, tzinfo=UTC)
LINE = re.compile(r"(\d\d:\d\d) (\w+): (.*)")


def count(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))


def chunk_of(scope: str, lines: Sequence[str], number: int = 1) -> Chunk:
    """A chat whose lines are `10:12 Alice: text`."""
    messages = []
    for place, line in enumerate(lines):
        match = LINE.fullmatch(line)
        assert match, line
        hour, minute = match[1].split(":")
        sent_at = AT.replace(hour=int(hour), minute=int(minute))
        key = sha256_hex(f"{scope} {place}".encode())[:12]
        messages.append(Message(key=key, sent_at=sent_at, author=match[2], text=match[3]))
    body = render_body("chat", messages)
    return Chunk(
        chunk_id=sha256_hex(f"{scope} {number}".encode())[:32],
        source_kind="chat",
        source_id=scope,
        tree_scope=scope,
        owner="",
        time_start=messages[0].sent_at or AT,
        time_end=messages[-1].sent_at or AT,
        seq=number,
        position=f"{number:04d}",
        token_count=count(body),
        body=body,
        source_ref="",
        original="",
        title=scope,
    )


def units(chunk: Chunk) -> tuple[Unit, ...]:
    return units_of(chunk, message_passages("chat", chunk.body), count)


def digest(chunks: Sequence[Chunk], name: str = "2026-04-21", count: Callable[[str], int] = count) -> SummaryNode:
    parts = {chunk.tree_scope: Part(units=units(chunk)) for chunk in chunks}
    everything = [unit for part in parts.values() for unit in part.units]
    paths = {
        chunk.chunk_id: f"wiki/raw/chat/{slug(chunk.title)}/2026-04/0001-{chunk.chunk_id[:6]}.md" for chunk in chunks
    }
    children = [
        Child(
            id=chunk.chunk_id,
            link=Link(path=paths[chunk.chunk_id], alias=chunk.title),
            tokens=chunk.token_count,
            entities=("person:alice",),
            score=0.5,
        )
        for chunk in chunks
    ]
    return compose_digest(
        parse_period(name),
        children,
        parts,
        body=sum(chunk.token_count for chunk in chunks),
        start=AT,
        end=AT,
        frequencies=frequencies(everything),
        paths=paths,
        count=count,
        now=AT + timedelta(days=1),
    )


def read_chats(text: str) -> list[Chunk]:
    blocks = re.split(r"(?m)^# ", text)[1:]
    return [chunk_of(block.split("\n", 1)[0], block.split("\n", 1)[1].strip().split("\n")) for block in blocks]


@pytest.mark.parametrize("case", sorted(path.stem for path in CASES.glob("*.chat.txt")))
def test_headings_are_as_in_the_case(case: str, update: bool) -> None:
    """Every sentence of the chats with the heading it belongs below."""
    chats = read_chats((CASES / f"{case}.txt").read_text(encoding="utf-8"))
    found = sections_of(unit for chunk in chats for unit in units(chunk))
    lines = [
        f"{section:9} | {unit.sent_at:%H:%M} {unit.author}: {unit.text}\n"
        for unit, section in sorted(found.items(), key=lambda item: item[0].order)
    ]
    compare(f"{case}.sections.txt", "".join(lines), update=update)


@pytest.mark.parametrize("case", sorted(path.stem for path in CASES.glob("*.chat.txt")))
def test_a_digest_reads_as_in_the_case(case: str, update: bool) -> None:
    chats = read_chats((CASES / f"{case}.txt").read_text(encoding="utf-8"))
    compare(f"{case}.digest.md", render_summary_note(digest(chats)), update=update)


def compare(name: str, text: str, *, update: bool) -> None:
    path = CASES / name
    if update:
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


WORDS = st.sampled_from(
    [
        "the boat",
        "race",
        "moved to",
        "Friday",
        "we decided",
        "12 km",
        "I will call",
        "by Monday",
        "no longer",
        "at 9",
        "rain",
    ]
)
LINES = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)
CHATS = st.lists(st.lists(LINES, min_size=1, max_size=12), min_size=1, max_size=4)


@given(CHATS)
def test_a_digest_keeps_its_promises(chats: list[list[str]]) -> None:
    chunks = [
        chunk_of(f"slack:c{number}", [f"{8 + place:02d}:{number:02d} Ann: {text}." for place, text in enumerate(lines)])
        for number, lines in enumerate(chats)
    ]
    node = digest(chunks)
    below = {unit.text for chunk in chunks for unit in units(chunk)}
    spoken = sum(unit.tokens for chunk in chunks for unit in units(chunk))
    assert {sentence.text for sentence in node.sentences} <= below
    assert sum(count(sentence.text) for sentence in node.sentences) <= min(spoken // 2, MOST_OF_DAY)
    assert node.token_count == sum(count(sentence.text) for sentence in node.sentences)
    places = [SECTIONS.index(sentence.section) for sentence in node.sentences]
    assert places == sorted(places)
    for section in SECTIONS:
        times = [sentence.link.alias for sentence in node.sentences if sentence.section == section]
        assert times == sorted(times)
    assert digest(list(reversed(chunks))).sentences == node.sentences
    read = parse_summary_note(render_summary_note(node))
    assert not read.edited
    assert replace(read, body="", body_sha256="") == node


def test_every_source_is_heard_while_there_is_room() -> None:
    talk = [
        f"{8 + n % 12:02d}:{n % 60:02d} Ann: Item {n} of the budget costs {n * 7} euros and needs a form."
        for n in range(90)
    ]
    loud = chunk_of("slack:money", sorted(talk))
    quiet = [
        chunk_of(f"slack:q{n}", [f"09:0{n} Bob: The {thing} squeaks.", f"10:0{n} Bob: No {thing} today."])
        for n, thing in enumerate(["gate", "door", "wheel", "swing", "pump"])
    ]
    shown = {sentence.link.path for sentence in digest([loud, *quiet]).sentences}
    assert len(shown) == 6


def test_of_more_notes_than_anybody_writes_in_a_day_each_source_is_heard_in_turn() -> None:
    def leaf(scope: str, tokens: int, score: float = 1.0) -> LeafFacts:
        return LeafFacts(tree_scope=scope, alias="", tokens=tokens, entities=(), score=score, interaction=0.0)

    loud = {f"a{n:04}": leaf("folder:a", n) for n in range(HEARD - 3)}
    quiet = {f"b{n}": leaf("folder:b", 1) for n in range(3)}
    assert heard({**loud, **quiet}) == {*loud, *quiet}
    more = {f"c{n:04}": leaf("folder:a", 0, score=0.5) for n in range(HEARD)}
    found = heard({**more, **quiet, **loud, "d": leaf("folder:c", 1)})
    assert len(found) == HEARD
    assert {*quiet, "d"} < found
    assert loud.keys() - found == {"a0000"}, "the best of a source come first, then the longest"


def test_what_is_above_a_day_keeps_the_headings_that_its_children_show() -> None:
    small_talk = [
        f"12:0{n} Ann: The weather over the {place} is grey." for n, place in enumerate(["bay", "hill", "town"])
    ]
    chunk = chunk_of("slack:a", ["09:00 Ann: The demo is at 3 pm.", "10:00 Bob: The demo is at 4 pm.", *small_talk])
    day = digest([chunk])
    shown = shown_sections([day], units(chunk), {})
    assert {unit.text: section for unit, section in shown.items()} == {s.text: s.section for s in day.sentences}
    assert "Changed" in shown.values()


def test_a_day_that_a_model_wrote_passes_on_the_messages_it_links_to() -> None:
    chunk = chunk_of("slack:a", ["09:00 Ann: The demo is at 3 pm.", "10:00 Bob: It rains.", "11:00 Cid: Bring cake."])
    one, _, three = (unit.anchor for unit in units(chunk))
    links = [Link(path="wiki/raw/a.md", alias="x", anchor=anchor) for anchor in (one, three)]
    written = Sentence(text="Demo at 3 pm, with cake.", link=links[0], also=(links[1],), section="To do")
    day = replace(digest([chunk]), summariser="llm:m", sentences=(written,))
    shown = shown_sections([day], units(chunk), {})
    assert {unit.text: section for unit, section in shown.items()} == {
        "The demo is at 3 pm.": "To do",
        "Bring cake.": "To do",
    }
    assert not shown_sections([replace(day, summariser="digest-1")], units(chunk), {}), "a person's line is no message"


def test_a_day_too_short_to_be_halved_says_nothing_and_links_its_child() -> None:
    node = digest([chunk_of("slack:a", ["09:00 Ann: Dinner at eight on the pier tonight."])])
    assert node.sentences == ()
    assert len(node.children) == 1
    assert node.token_count == 0


@pytest.mark.parametrize("messages", [1, 2, 40])
def test_a_line_is_counted_once_with_its_link(messages: int) -> None:
    told: Counter[str] = Counter()

    def counting(text: str) -> int:
        told[text] += 1
        return count(text)

    lines = [
        f"{8 + n // 60:02d}:{n % 60:02d} Alice: We pay part {n} of the lease on Friday {n}." for n in range(messages)
    ]
    digest([chunk_of("slack:eng", lines)], count=counting)
    linked = [number for text, number in told.items() if text.startswith("- ")]
    assert max(linked) == 1
