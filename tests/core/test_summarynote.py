"""Summary notes and pages: both ways, and a person's hand in them. Cases: tests/cases/summary/*.md."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notes.links import wikilinks
from vaultmem.core.notes.pages import HomePage, HomeSource, SourcePage, render_home, render_source_page
from vaultmem.core.notes.properties import split_note
from vaultmem.core.notes.summarynote import (
    one_line,
    parse_summary_note,
    render_summary_note,
    summary_path,
    without_lines,
)
from vaultmem.errors import BadNote, VaultmemError
from vaultmem.grown import Link, Sentence, SummaryNode

CASES = Path(__file__).parents[1] / "cases" / "summary"
AT = datetime(2026, 4, 21, 10, 12, tzinfo=UTC)


def sentence(text: str, author: str = "Alice", number: int = 1) -> Sentence:
    path = "wiki/raw/chat/slack-rowing/2026-04/0001-5f0a11.md"
    return Sentence(text=text, author=author, link=Link(path=path, alias="10:12", anchor=f"^m-{number:012x}"))


def node(**changes: object) -> SummaryNode:
    made = SummaryNode(
        node_id="0123456789abcdef0123456789abcdef",
        tree_kind="source",
        tree_scope="slack:rowing",
        tree_level=1,
        children=(Link(path="wiki/raw/chat/slack-rowing/2026-04/0001-5f0a11.md", alias="rowing (2026-04-21 10:12)"),),
        child_ids=("5f0a1100000000000000000000000000",),
        time_start=AT,
        time_end=AT,
        token_count=42,
        sealed_at=AT,
        rev=1,
        summariser="facet-1",
        title="rowing",
        sentences=(
            sentence("We moved the boats on Friday."),
            sentence("See [[Plan]] and #1 %% no comment %%", "Bob *the* [[oar]]", 2),
        ),
        entities=("person:alice",),
        topics=("boats",),
        score=0.51239,
        aliases=("rowing, 2026-04-21",),
        up=Link(path="wiki/summaries/source/slack-rowing/L2/a.md", alias="April | all"),
        following=Link(path="wiki/summaries/source/slack-rowing/L1/b.md", alias="next"),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def as_made(found: SummaryNode) -> SummaryNode:
    return replace(found, body="", body_sha256="")


def case(name: str, text: str, *, update: bool) -> None:
    path = CASES / name
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")


def test_a_summary_note_reads_as_in_the_case(update: bool) -> None:
    case("note.md", render_summary_note(node()), update=update)


def test_a_note_says_what_its_node_says() -> None:
    made = node(score=0.5124, up=Link(path="wiki/summaries/x.md", alias="April"))
    assert as_made(parse_summary_note(render_summary_note(made))) == made


TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.text("*\\[]%$#>-+`~=|: ab\n", max_size=30)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_any_sentence_survives(pairs: list[tuple[str, str]]) -> None:
    made = node(sentences=tuple(sentence(text, author, n) for n, (text, author) in enumerate(pairs)))
    note = render_summary_note(made)
    found = parse_summary_note(note)
    assert not found.edited
    assert len(found.sentences) == len(pairs)
    for read, meant in zip(found.sentences, made.sentences, strict=True):
        assert read.link == meant.link
        assert read.text == one_line(meant.text)
        assert read.author == one_line(meant.author)
    assert render_summary_note(replace(found, body="")) == note
    assert as_made(parse_summary_note(note.replace("\n", "\r\n"))) == as_made(found)


@given(TEXTS)
def test_no_sentence_links_anywhere_but_to_its_message(text: str) -> None:
    note = render_summary_note(node(sentences=(sentence(text, text),), up=None, following=None))
    body = split_note(note).body
    assert [link.heading for link in wikilinks(body)] == ["^m-000000000001"]


def test_a_persons_edit_is_seen_and_kept() -> None:
    note = render_summary_note(node()).replace("We moved the boats", "We sold the boats")
    found = parse_summary_note(note)
    assert found.edited
    assert found.sentences[0].text == "We sold the boats on Friday."
    again = render_summary_note(replace(found, rev=2, sentences=()))
    assert split_note(again).body == split_note(note).body
    assert parse_summary_note(again).edited
    assert parse_summary_note(again).rev == 2


def test_lines_that_memory_takes_out_are_no_edit_of_a_persons() -> None:
    note = render_summary_note(node())
    after = without_lines(note, lambda line: "boats on Friday" in line)
    found = parse_summary_note(after)
    assert [s.author for s in found.sentences] == ["Bob *the* [[oar]]"]
    assert not found.edited
    mine = note.replace("We moved the boats", "I moved the boats")
    assert parse_summary_note(without_lines(mine, lambda line: "boats on Friday" in line)).edited
    assert without_lines("no summary\nboats\n", lambda line: line == "boats") == "no summary\n"


def test_added_and_reordered_properties_are_no_edit() -> None:
    note = render_summary_note(node()).replace("node_id:", "mine: 1\nnode_id:")
    assert not parse_summary_note(note).edited


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('node_id: "0123456789abcdef0123456789abcdef"', 'node_id: "zz"'),
        ("tree_kind: source", "tree_kind: forest"),
        ("rev: 1", "rev: 0"),
        ("rev: 1", "rev: .nan"),
        ('sealed_at: "2026-04-21T10:12:00"', "sealed_at: soon"),
        ("tree_level: 1", "tree_level: -1"),
    ],
)
def test_what_is_no_summary_is_named(old: str, new: str) -> None:
    note = render_summary_note(node())
    assert old in note
    with pytest.raises(BadNote):
        parse_summary_note(note.replace(old, new))


@given(st.text(max_size=200))
def test_reading_raises_nothing_else(text: str) -> None:
    for note in (text, f"---\n{text}\n---\n", f"{render_summary_note(node())[:-40]}{text}"):
        with contextlib.suppress(VaultmemError):
            parse_summary_note(note)


def test_a_node_without_sentences_has_a_title_and_links() -> None:
    found = parse_summary_note(render_summary_note(node(sentences=(), up=None, following=None)))
    assert found.title == "rowing"
    assert found.sentences == ()


def test_the_path_is_made_of_tree_level_and_utc_dates() -> None:
    path = summary_path("source", "slack:rowing", 2, AT, AT, "0123456789abcdef")
    assert path == "wiki/summaries/source/slack-rowing/L2/2026-04-21--2026-04-21-012345.md"


def page() -> SourcePage:
    links = [Link(path=f"wiki/summaries/source/slack-rowing/L1/{n}.md", alias=f"week {n}") for n in (2, 1)]
    above = Link(path="wiki/summaries/source/slack-rowing/L2/1.md", alias="April")
    chunks = [Link(path="wiki/raw/chat/slack-rowing/2026-04/0002-aaaaaa.md", alias="rowing")]
    return SourcePage(
        first=AT,
        last=AT,
        summaries=[(1, links[0]), (1, links[1]), (2, above)],
        recent=[sentence("The cup is on 3 May.")],
        chunks=chunks,
    )


def test_a_source_page_reads_as_in_the_case(update: bool) -> None:
    case("source_page.md", render_source_page(page()), update=update)


def test_home_reads_as_in_the_case(update: bool) -> None:
    source = HomeSource(page=Link(path="wiki/sources/chat/slack-rowing.md", alias="rowing"), last=AT)
    digest = Link(path="wiki/summaries/global/daily/2026-04-21.md", alias="2026-04-21")
    text = render_home(
        HomePage(sources=[source], digest=digest, problems=["One file could not be read: see inbox/_failed."])
    )
    case("home.md", text, update=update)


def test_an_empty_home_says_what_to_do() -> None:
    assert "inbox" in render_home(HomePage())
