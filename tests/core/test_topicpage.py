"""A topic's living page: what its properties say, and what its region shows. Case: tests/cases/grow/topic.md."""

from __future__ import annotations

import contextlib
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.region import replace_region
from vaultmem.core.notes.topicpage import (
    Topic,
    TopicPage,
    TopicPeriod,
    parse_topic,
    render_topic_page,
    topic_path,
    topic_properties,
)
from vaultmem.errors import BadNote, VaultmemError
from vaultmem.grown import Link, Sentence

CASES = Path(__file__).parents[1] / "cases" / "grow"
PHOENIX = Topic(
    entity_id="project:phoenix",
    status="active",
    periods=(TopicPeriod(first=date(2026, 3, 2), last=date(2026, 5, 9)), TopicPeriod(first=date(2026, 8, 1))),
)


def note(topic: Topic, page: TopicPage) -> bytes:
    blank = render_note({**topic_properties(topic), "aliases": ["Phoenix"]}, "# Phoenix\n\n")
    return replace_region(blank.encode(), render_topic_page(page))


def page() -> TopicPage:
    chunk = "wiki/raw/chat/slack-eng/2026-08/0004-5f0a11.md"
    said = Sentence(
        text="Phoenix ships [[soon]], %% not yet %%.",
        author="Alice",
        link=Link(path=chunk, alias="2026-08-03 10:12", anchor="^m-0123456789ab"),
    )
    summaries = [
        (1, Link(path=f"wiki/summaries/topic/project-phoenix/L1/2026-0{n}.md", alias=f"Phoenix, 2026-0{n}"))
        for n in (8, 5)
    ]
    return TopicPage(
        newest=[said],
        summaries=summaries,
        recent=[said],
        related=[Link(path="entities/person/Alice.md", alias="Alice")],
        entity=Link(path="entities/project/Phoenix.md", alias="Phoenix"),
    )


def test_a_page_reads_as_in_the_case(update: bool) -> None:
    text = note(PHOENIX, page()).decode()
    path = CASES / "topic.md"
    if update:
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def test_a_persons_text_around_the_region_survives() -> None:
    mine = note(PHOENIX, page()).replace(b"# Phoenix\n", b"# Phoenix\n\nMy own words.\n") + b"\nBelow.\n"
    archived = Topic(entity_id=PHOENIX.entity_id, status="archived", periods=(PHOENIX.periods[0],))
    changed = edit_properties(replace_region(mine, render_topic_page(TopicPage())), topic_properties(archived))
    assert parse_topic(changed.decode()) == archived
    assert b"My own words.\n" in changed
    assert changed.endswith(b"\nBelow.\n")
    assert b"Alice" not in changed


DAYS = st.dates(date(2020, 1, 1), date(2030, 1, 1))


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(1, 90)), min_size=1, max_size=6), st.booleans(), DAYS)
def test_a_page_says_what_its_topic_says(spans: list[tuple[int, int]], active: bool, day: date) -> None:
    periods = []
    for length, gap in spans:
        periods.append(TopicPeriod(first=day, last=day + timedelta(days=length)))
        day += timedelta(days=length + gap)
    if active:
        periods[-1] = TopicPeriod(first=periods[-1].first)
    topic = Topic(entity_id="person:ann", status="active" if active else "archived", periods=tuple(periods))
    assert parse_topic(note(topic, TopicPage()).decode()) == topic


def test_what_a_person_broke_is_read_as_far_as_it_goes() -> None:
    text = (
        "---\nentity_id: person:ann\nstatus: archived\n"
        'periods: ["2026-02-30/2026-03-01", soon, "2026-05-02/2026-05-01", "2026-04-01/", "2026-01-01/2026-01-31"]\n'
        "---\n"
    )
    assert parse_topic(text).periods == (
        TopicPeriod(first=date(2026, 1, 1), last=date(2026, 1, 31)),
        TopicPeriod(first=date(2026, 4, 1), last=date(2026, 4, 1)),
    )
    assert parse_topic(text.replace("archived", "active")).periods[-1].last is None


@pytest.mark.parametrize("gone", ["entity_id: person:ann\n", "status: active\n"])
def test_a_page_without_what_it_must_say_is_no_topic(gone: str) -> None:
    text = "---\nentity_id: person:ann\nstatus: active\nperiods: []\n---\n"
    assert parse_topic(text).periods == ()
    with pytest.raises(BadNote):
        parse_topic(text.replace(gone, ""))


@given(st.text(max_size=120))
def test_reading_raises_nothing_else(text: str) -> None:
    for broken in (text, f"---\n{text}\n---\n", f"---\nentity_id: a:b\nstatus: active\nperiods: {text}\n---\n"):
        with contextlib.suppress(VaultmemError):
            parse_topic(broken)


def test_the_path_is_made_of_the_id() -> None:
    assert topic_path("project:phoenix") == "wiki/topics/project/phoenix.md"
    assert topic_path("person:josé-álvarez") == "wiki/topics/person/josé-álvarez.md"
