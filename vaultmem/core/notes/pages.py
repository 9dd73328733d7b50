"""The generated text of living pages: a source's page and Home. What is equal is rendered to equal bytes.

No page says when it was written, or how long ago something was: it changes only when its content does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from vaultmem.core.notes.properties import utc_text
from vaultmem.core.notes.summarynote import sentence_line, wikilink
from vaultmem.grown import Link, Sentence

#: Links of one list on a page; the rest is a search away.
LISTED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePage:
    """What a source's living page shows."""

    #: of its first and last message, aware UTC
    first: datetime
    last: datetime
    #: (level, its note), newest first
    summaries: Sequence[tuple[int, Link]] = ()
    #: a provisional summary of the leaves that no summary holds yet, in time order
    recent: Sequence[Sentence] = ()
    #: notes of its chunks, newest first
    chunks: Sequence[Link] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeSource:
    """A source as a line of Home."""

    page: Link
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """What Home shows. Every link is to a note that exists."""

    #: newest first
    sources: Sequence[HomeSource] = ()
    #: the newest digest
    digest: Link | None = None
    #: hottest first
    topics: Sequence[Link] = ()
    #: tables for Obsidian, and the open questions
    views: Sequence[Link] = ()
    #: what is wrong, a line each; empty: nothing is
    problems: Sequence[str] = ()


def render_source_page(page: SourcePage) -> str:
    """The generated region of `wiki/sources/<kind>/<scope>.md`."""
    blocks = [f"From {_day(page.first)} to {_day(page.last)} (UTC)."]
    if page.recent:
        blocks += ["## Not yet summarised", "\n".join(sentence_line(sentence) for sentence in page.recent)]
    for level in sorted({level for level, _ in page.summaries}, reverse=True):
        links = [link for own, link in page.summaries if own == level]
        blocks += [f"## Summaries, level {level}", listed(links)]
    if page.chunks:
        blocks += ["## Newest notes", listed(page.chunks)]
    return "\n\n".join(blocks) + "\n"


def render_home(page: HomePage) -> str:
    """The generated region of `wiki/Home.md`."""
    blocks = []
    if page.digest:
        blocks += ["## Newest digest", f"- {wikilink(page.digest)}"]
    if page.topics:
        blocks += ["## Topics", listed(page.topics)]
    if page.sources:
        lines = [f"- {wikilink(source.page)}, last {_day(source.last)}" for source in page.sources[:LISTED]]
        blocks += ["## Newest sources", "\n".join(lines)]
    else:
        blocks.append("Nothing is in memory yet: drop a chat export, a mail or a document into the inbox.")
    if page.views:
        blocks += ["## Views", listed(page.views)]
    blocks += ["## Health", "\n".join(f"- {problem}" for problem in page.problems) or "All is well."]
    return "\n\n".join(blocks) + "\n"


def listed(links: Sequence[Link]) -> str:
    """Links as a list of at most LISTED lines."""
    return "\n".join(f"- {wikilink(link)}" for link in links[:LISTED])


def _day(moment: datetime) -> str:
    return utc_text(moment)[:10]
