"""What a topic's living page `wiki/topics/<kind>/<slug>.md` says, both ways: which topics exist stands there alone.

    entity_id: "project:phoenix"
    status: active
    periods: ["2026-03-02/2026-05-09", "2026-08-01/"]

A topic that is active has an open last period. The properties are vaultmem's, a person's text around the region theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from vaultmem.core.notes.ids import slug
from vaultmem.core.notes.pages import LISTED, listed
from vaultmem.core.notes.properties import Property, load_properties, split_note
from vaultmem.core.notes.summarynote import sentence_line
from vaultmem.core.notes.values import text, texts
from vaultmem.errors import BadNote
from vaultmem.grown import Link, Sentence

TOPICS = "wiki/topics"
TopicStatus = Literal["active", "archived"]

_PERIOD = re.compile(r"(\d{4}-\d\d-\d\d)/(\d{4}-\d\d-\d\d)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicPeriod:
    """Days, in the owner's zone, whose leaves a topic's tree takes."""

    first: date
    #: inclusive; None while the topic is active
    last: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic that has a page."""

    entity_id: str
    status: TopicStatus
    #: in time order, apart from each other
    periods: tuple[TopicPeriod, ...]

    def takes(self, day: date) -> bool:
        """Whether a leaf of this day belongs to the topic's tree."""
        return any(period.first <= day and (period.last is None or day <= period.last) for period in self.periods)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicPage:
    """What the page's region shows. Every link is to a note that exists."""

    #: the newest passages that name it, newest first
    newest: Sequence[Sentence] = ()
    #: (level, its note), newest first
    summaries: Sequence[tuple[int, Link]] = ()
    #: a provisional summary of the leaves that no summary holds yet, in time order
    recent: Sequence[Sentence] = ()
    #: notes of the entities named beside it, the most often first
    related: Sequence[Link] = ()
    #: its own note in the registry
    entity: Link | None = None


def topic_path(entity_id: str) -> str:
    """`wiki/topics/<kind>/<slug>.md`."""
    kind, _, name = entity_id.partition(":")
    return f"{TOPICS}/{slug(kind)}/{slug(name)}.md"


def topic_properties(topic: Topic) -> dict[str, Property]:
    """The properties of the page that are vaultmem's."""
    return {"entity_id": topic.entity_id, "status": topic.status, "periods": _written(topic.periods)}


def parse_topic(note: str) -> Topic:
    """The topic a page is of. Raises BadNote, BadProperties.

    A period that a person broke is passed over; one that is open although the topic is archived ends where it began.
    """
    parts = split_note(note)
    found = load_properties(parts.frontmatter or "")
    status = _status(found)
    periods = sorted(_periods(found), key=lambda period: period.first)
    closed = [_closed(period) for period in periods]
    if status == "active":
        closed[-1:] = [TopicPeriod(first=period.first) for period in periods[-1:]]
    return Topic(entity_id=text(found, "entity_id", required=True), status=status, periods=tuple(closed))


def _status(found: Mapping[str, object]) -> TopicStatus:
    value = text(found, "status", required=True)
    if value == "active":
        return "active"
    if value == "archived":
        return "archived"
    raise BadNote(f"status: {value!r} is neither active nor archived")


def united_periods(one: Sequence[object], other: Sequence[object]) -> list[str]:
    """The periods of two versions of a page, those that meet as one."""
    found = _periods({"periods": [str(item) for item in (*one, *other)]})
    joined: list[TopicPeriod] = []
    for period in sorted(found, key=lambda each: each.first):
        if joined and (joined[-1].last is None or period.first <= joined[-1].last):
            before = joined.pop()
            last = None if before.last is None or period.last is None else max(before.last, period.last)
            joined.append(TopicPeriod(first=before.first, last=last))
        else:
            joined.append(period)
    return _written(joined)


def _written(periods: Sequence[TopicPeriod]) -> list[str]:
    return [f"{period.first.isoformat()}/{period.last.isoformat() if period.last else ''}" for period in periods]


def _periods(found: Mapping[str, object]) -> Iterator[TopicPeriod]:
    for item in texts(found, "periods"):
        if match := _PERIOD.fullmatch(item.strip()):
            try:
                first = date.fromisoformat(match[1])
                last = date.fromisoformat(match[2]) if match[2] else None
            except ValueError:
                continue
            if last is None or first <= last:
                yield TopicPeriod(first=first, last=last)


def _closed(period: TopicPeriod) -> TopicPeriod:
    return TopicPeriod(first=period.first, last=period.last or period.first)


def render_topic_page(page: TopicPage) -> str:
    """The generated region: no relative time, no count that grows by being looked at, no word of any question."""
    blocks: list[str] = []
    for level in sorted({level for level, _ in page.summaries}, reverse=True):
        links = [link for own, link in page.summaries if own == level]
        blocks += [f"## Summaries, level {level}", listed(links)]
    if page.recent:
        blocks += ["## Not yet summarised", "\n".join(sentence_line(sentence) for sentence in page.recent)]
    if page.newest:
        blocks += ["## Newest", "\n".join(sentence_line(sentence) for sentence in page.newest[:LISTED])]
    if page.related:
        blocks += ["## Related", listed(page.related)]
    if page.entity:
        blocks += ["## Entity", listed([page.entity])]
    return "\n\n".join(blocks) + "\n"
