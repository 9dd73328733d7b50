"""Chunk notes: what the index needs stands in the note and comes back, whatever Obsidian did to the YAML."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from vaultmem.core.notes.chunknote import parse_chunk_note, render_chunk_note, rewrite_chunk_note
from vaultmem.core.notes.codec import message_passages, parse_body, render_body
from vaultmem.core.notes.ids import body_sha256, chunk_id
from vaultmem.core.notes.properties import split_note
from vaultmem.errors import BadNote, BadProperties, VaultmemError
from vaultmem.model import Chunk, Message, SourceKind

CASES = Path(__file__).parent.parent / "cases" / "notes"
TEN = datetime(2026, 4, 21, 10, 12, tzinfo=UTC)


def chunk(kind: SourceKind, body: str, **changes: Any) -> Chunk:
    """A chunk as ingest composes it."""
    source_id = {"chat": "slack:eng", "email": "mail:<boats@example.com>", "document": "doc:notes/plan.md"}[kind]
    draft = Chunk(
        chunk_id=chunk_id(kind, source_id, 3, body),
        source_kind=kind,
        source_id=source_id,
        tree_scope="slack:eng",
        owner="Ann Owner",
        time_start=TEN,
        time_end=TEN.replace(minute=40),
        seq=3,
        position="00000003",
        token_count=41,
        body=body,
        source_ref="eng.zip # 1776766320.000100 2026-04-21T10:12:00Z",
        original="private",
        title="eng",
        status="admitted",
        score=0.81249,
        signals={"token_count": 1.0, "unique_words": 0.93333, "interaction": 0.5},
        entities=("person:alice-smith", "hashtag:boats"),
        body_sha256=body_sha256(body),
        aliases=("eng (2026-04-21 12:12)",),
        tags=("source/slack-eng",),
    )
    return replace(draft, **changes)


CHAT = render_body(
    "chat",
    [
        Message(
            key="0123456789ab",
            sent_at=TEN,
            author="Alice Smith",
            text="Shall we sell the *Lindgren* boat?\n\nSee [[Boats]].",
        ),
        Message(
            key="ba9876543210",
            sent_at=TEN.replace(minute=40, microsecond=500),
            author="Bob",
            text="Yes, on 1 May.\n## Decided",
        ),
        Message(key="00000000000a", sent_at=TEN.replace(minute=41), author="", text="Carol joined"),
    ],
)
MAIL = render_body(
    "email",
    [
        Message(
            key="0123456789ab",
            sent_at=TEN,
            author="Alice <alice@example.com>",
            to="Bob <bob@example.com>",
            subject="Re: the boat",
            text="Dear Bob,\n\n---\n\nthe key is with Ann.\n\n---\nFrom: a quoted mail",
        )
    ],
)
DOCUMENT = "# Plan\n\nSell the boat by May. ^sell\n\n## Steps\n\n- [ ] call [[Bob]]\n"
EXAMPLES = {
    "chat": chunk("chat", CHAT),
    "email": chunk(
        "email",
        MAIL,
        title="Re: the boat",
        aliases=("Re: the boat (2026-04-21 12:12)",),
        status="dropped",
        drop_reason="auto_notification",
        score=0.2,
        signals={},
        entities=(),
        llm_importance=0.25,
        llm_entities=("project:boat-sale",),
    ),
    "document": chunk(
        "document",
        DOCUMENT,
        title="Plan",
        aliases=("Plan (2026-04-21 12:12)",),
        original="[[wiki/archive/2026/04/plan.pdf|plan.pdf]]",
        redacted={"github_token": 2, "url_password": 1},
        own_id="https://example.com/plan",
        heading="Year > Spring",
    ),
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_note_is_the_documented_one(kind: str, update: bool) -> None:
    path = CASES / f"{kind}.md"
    made = render_chunk_note(EXAMPLES[kind])
    if update:
        path.write_text(made, encoding="utf-8", newline="")
    assert path.read_bytes().decode() == made


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_a_chunk_comes_back(example: Chunk) -> None:
    note = render_chunk_note(example)
    read = parse_chunk_note(note)
    rounded = {name: round(value, 4) for name, value in example.signals.items()}
    assert read == replace(example, score=round(example.score, 4), signals=rounded)
    assert render_chunk_note(read) == note
    front = split_note(note).frontmatter or ""
    assert yaml.load(front, Loader=yaml.SafeLoader) == YAML(typ="safe", pure=True).load(front)


@pytest.mark.parametrize("kind", ["chat", "email"])
def test_the_body_below_the_frontmatter_still_parses(kind: SourceKind) -> None:
    note = render_chunk_note(EXAMPLES[kind])
    parts = split_note(note)
    assert parts.body == EXAMPLES[kind].body
    assert parse_body(kind, parts.body)
    passage = message_passages(kind, parts.body)[-1]
    lines = note.split("\n")
    assert lines[parts.body_line - 1 + passage.last_line] == f"^{passage.block}"


texts = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=20), st.sampled_from(["", "yes", "1e3", "a: b", "---", "# x"])
)
lists = st.lists(texts, max_size=3).map(tuple)
filled = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
ratios = st.floats(0, 1)
chunks = st.builds(
    Chunk,
    chunk_id=st.text("0123456789abcdef", min_size=32, max_size=32),
    source_kind=st.sampled_from(["chat", "email", "document"]),
    source_id=filled,
    tree_scope=filled,
    owner=texts,
    time_start=st.datetimes(timezones=st.just(UTC)),
    time_end=st.datetimes(timezones=st.just(UTC)),
    seq=st.integers(0, 2**32 - 1),
    position=filled,
    token_count=st.integers(0, 10**6),
    body=st.one_of(texts, st.text("-\n\r a", max_size=20)),
    source_ref=texts,
    original=texts,
    title=texts,
    status=st.sampled_from(["pending", "admitted", "dropped"]),
    score=ratios,
    signals=st.dictionaries(st.text("abc_", min_size=1), ratios, max_size=3),
    drop_reason=texts,
    entities=lists,
    llm_entities=lists,
    llm_importance=st.none() | ratios,
    body_sha256=st.just(""),
    aliases=lists,
    tags=lists,
    redacted=st.dictionaries(st.text("abc_", min_size=1), st.integers(1, 99), max_size=2),
    own_id=texts,
    heading=texts,
)


@given(chunks)
def test_any_chunk_comes_back_to_the_byte(some: Chunk) -> None:
    note = render_chunk_note(some)
    read = parse_chunk_note(note)
    assert render_chunk_note(read) == note
    assert (read.body, read.edited) == (some.body, False)


def test_obsidian_may_rewrite_the_yaml() -> None:
    note = render_chunk_note(EXAMPLES["document"])
    parts = split_note(note)
    values = yaml.safe_load(parts.frontmatter or "")
    values["memory_score"] = 1
    values["aliases"] = ["My own name", *values["aliases"]]
    values = {"mine": {"deep": [1]}, **dict(reversed(values.items()))}
    turned = f"---\n{yaml.safe_dump(values, sort_keys=False, allow_unicode=True, width=10_000)}---\n{parts.body}"
    want = replace(parse_chunk_note(note), score=1.0, aliases=("My own name", "Plan (2026-04-21 12:12)"))
    assert parse_chunk_note(turned) == want
    assert parse_chunk_note("\ufeff" + turned.replace("\n", "\r\n")) == want


def test_a_persons_hand_is_seen() -> None:
    note = render_chunk_note(EXAMPLES["chat"])
    assert parse_chunk_note(note.replace("1 May", "2 May")).edited
    assert parse_chunk_note(note.replace("memory_status: admitted", "memory_status: Dropped ")).status == "dropped"
    assert parse_chunk_note(note.replace('tags:\n  - "source/slack-eng"', "tags: a, b")).tags == ("a", "b")
    assert parse_chunk_note(note.replace('aliases:\n  - "eng (2026-04-21 12:12)"\n', "")).title == "eng"
    assert parse_chunk_note(note.replace('"2026-04-21T10:40:00"', "2026-04-21T12:50:00+02:00")).time_end == TEN.replace(
        minute=50
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("chunk_id:", "chunk:", "chunk_id: is missing"),
        ("source_kind: chat", "source_kind: fax", "source_kind: 'fax'"),
        ("memory_status: admitted", "memory_status: maybe", "memory_status: 'maybe'"),
        ("timestamp_ms: 1776766320000", "timestamp_ms: soon", "timestamp_ms: 'soon'"),
        ("timestamp_ms: 1776766320000", "timestamp_ms: 9e18", "timestamp_ms"),
        ("timestamp_ms: 1776766320000", "timestamp_ms: 1" + "0" * 400, "timestamp_ms"),
        ("seq_in_source: 3", "seq_in_source: 3.5", "seq_in_source"),
        ("seq_in_source: 3", "seq_in_source: -1", "seq_in_source"),
        ("seq_in_source: 3", "seq_in_source: true", "seq_in_source"),
        ("memory_score: 0.8125", "memory_score: .nan", "memory_score"),
        ("memory_score: 0.8125", "memory_score: [1]", "memory_score"),
        ("owner: Ann Owner", "owner: [a]", "owner: is no text"),
        ("  - interaction 0.5000", "  - interaction", "signals"),
        ('"2026-04-21T10:40:00"', "later", "time_range_end"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, said: str) -> None:
    note = render_chunk_note(EXAMPLES["chat"])
    assert old in note
    with pytest.raises(BadNote, match=said.split(":")[0]) as caught:
        parse_chunk_note(note.replace(old, new, 1))
    assert said in str(caught.value)


def test_other_notes_are_no_chunk_notes() -> None:
    for note in ("", "Text", "---\n---\n", "---\nid: x\n---\n"):
        with pytest.raises(BadNote):
            parse_chunk_note(note)
    with pytest.raises(BadProperties):
        parse_chunk_note("---\na: b: c\n---\n")


@given(st.data())
def test_broken_notes_raise_nothing_else(data: st.DataObject) -> None:
    lines = render_chunk_note(EXAMPLES["document"]).split("\n")
    where = data.draw(st.integers(0, len(lines) - 1))
    lines[where] = data.draw(
        st.one_of(st.just(""), texts, texts.map(lambda t: f"{lines[where].partition(':')[0]}: {t}"))
    )
    try:
        parse_chunk_note("\n".join(lines))
    except VaultmemError:
        return


def test_when_messages_were_edited_stands_in_the_note() -> None:
    one = chunk("chat", CHAT, revised={"ba9876543210": TEN.replace(microsecond=120)})

    assert parse_chunk_note(render_chunk_note(one)).revised == one.revised
    assert "revised" not in render_chunk_note(replace(one, revised={}))
    with pytest.raises(BadNote):
        parse_chunk_note(render_chunk_note(one).replace("T10:12:00", "T10:99:00"))


def test_a_note_written_again_keeps_what_a_person_added() -> None:
    old = chunk("chat", CHAT, revised={"ba9876543210": TEN})
    note = render_chunk_note(old).replace("source_kind:", "# mine\nmood: good\nsource_kind:")
    body = CHAT.replace("1 May", "2 May")
    new = replace(old, body=body, body_sha256=body_sha256(body), chunk_id="0" * 32, revised={})

    again = rewrite_chunk_note(note.encode(), new).decode()

    assert "# mine\nmood: good\n" in again
    assert parse_chunk_note(again) == parse_chunk_note(render_chunk_note(new))
    assert rewrite_chunk_note(again.encode(), new).decode() == again
    assert rewrite_chunk_note(render_chunk_note(old).encode(), new).decode() == render_chunk_note(new)
    windows = note.replace("\n", "\r\n").encode()
    assert parse_chunk_note(rewrite_chunk_note(windows, new).decode()) == parse_chunk_note(again)
