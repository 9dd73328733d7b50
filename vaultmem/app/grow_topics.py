"""Topic trees: which entities are topics now, and a tree over the chunks that name one.

The living page `wiki/topics/<kind>/<slug>.md` is what makes a topic: it is written first, and its properties say which
days the tree takes. A topic that has a tree and no page was deleted by a person, and stays away.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import partial

from vaultmem.app.engine import Engine
from vaultmem.app.grow import Grower
from vaultmem.app.living import edit_living, make_living
from vaultmem.app.registry import own_surfaces
from vaultmem.app.sentences import WINDOW
from vaultmem.app.usage import read_usage
from vaultmem.core.grow.calendar import day_of, start_of
from vaultmem.core.grow.hotness import WINDOW as HOT_DAYS
from vaultmem.core.grow.hotness import Sighting, common_entities, plan_topics, with_decision
from vaultmem.core.grow.past import Past, last_over, live_through, spans, united
from vaultmem.core.grow.tree import Seal
from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.pages import LISTED
from vaultmem.core.notes.region import replace_region
from vaultmem.core.notes.selection import by_right
from vaultmem.core.notes.topicpage import (
    TOPICS,
    Topic,
    TopicPage,
    parse_topic,
    render_topic_page,
    topic_path,
    topic_properties,
)
from vaultmem.errors import BadNote, BadProperties
from vaultmem.grown import Leaf, TopicLeaf
from vaultmem.jobs import Done, Job, Outcome
from vaultmem.model import Entity, NoteFile

#: Subject of the job that decides which topics there are.
ALL = "(which topics there are)"
#: What was hot at the last look, hottest first: for Home.
_HOT = "hot_topics"
#: The last day of the last week that was decided, and a hash of what was known until then.
_DECIDED = "topics_decided"
_EVER = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True, kw_only=True)
class Topics:
    """The handler of `topic_route`."""

    grower: Grower
    #: what the pages said at the last decision of this pass, or at the first question; None: not asked yet
    _pages: Mapping[str, tuple[str, Topic]] | None = None
    #: entity id -> what the registry says of it, as it stood at the first question
    _entities: dict[str, Entity] = field(default_factory=dict)
    #: (entity, one named beside it), the most often first; None: not asked yet
    _beside: tuple[tuple[str, str], ...] | None = None

    @property
    def engine(self) -> Engine:
        """The vault it works on."""
        return self.grower.engine

    def topic_route(self, job: Job) -> Outcome:
        """Decide which topics there are, or let one topic's tree grow."""
        if job.subject == ALL:
            active = self._decide()
            return Done(follow_ups=tuple(Job(kind="topic_route", subject=entity_id) for entity_id in active))
        if self._pages is None:
            self._pages = read_topics(self.engine)
        found = self._pages.get(job.subject)
        if found is not None and self._grow(found[1]):
            return Done(follow_ups=(job,))
        self.grower.tidy("topic", job.subject)
        return Done()

    def _decide(self) -> tuple[str, ...]:
        """Write down what becomes of each topic: of the weeks that are over, then today. The topics that may have
        leaves to take: those that are active and, where the past was decided anew, all; the hottest first.
        """
        engine, now = self.engine, self.engine.now()
        pages = read_topics(engine)
        naming, chunks = engine.index.chunks_naming(), engine.index.counts()["admitted"]
        today, usage, own = (
            day_of(now, engine.settings.zone),
            read_usage(engine.vault),
            self._own() | self._deleted(pages),
        )
        weeks = _Weeks(engine=engine, today=today, excluded=own | common_entities(naming, chunks), usage=usage)
        topics = weeks.decided({entity_id: topic for entity_id, (_, topic) in pages.items()})
        decisions = plan_topics(
            weeks.sightings(now - HOT_DAYS - timedelta(days=1)),
            usage,
            topics.values(),
            own=own,
            naming=naming,
            chunks=chunks,
            now=now,
        )
        for decision in decisions:
            topics[decision.entity_id] = with_decision(topics.get(decision.entity_id), decision, today=today)
        stand = self._put(topics, pages)
        heat = {decision.entity_id: decision.hotness for decision in decisions}
        self._pages = read_topics(engine)
        found = sorted(self._pages, key=lambda entity_id: (-heat.get(entity_id, 0.0), entity_id))
        active = [entity_id for entity_id in found if self._pages[entity_id][1].status == "active"]
        engine.index.set_meta(_HOT, json.dumps(active))
        if weeks.is_anew:
            # The jobs first: killed in between, they are there already when they are enqueued once more.
            engine.index.queue.enqueue([Job(kind="topic_route", subject=entity_id) for entity_id in found])
        if stand:
            weeks.remember()
        return tuple(active)

    def _own(self) -> frozenset[str]:
        """The owner's entities: nobody is a topic of their own memory."""
        return frozenset().union(*self.engine.index.resolve_each(own_surfaces(self.engine)).values())

    def _deleted(self, pages: Mapping[str, object]) -> frozenset[str]:
        """Topics whose page a person deleted: their summaries are there still."""
        return frozenset(self.engine.index.tree_scopes("topic")) - pages.keys()

    def _put(self, topics: Mapping[str, Topic], pages: Mapping[str, tuple[str, Topic]]) -> bool:
        """Put decisions into the pages' properties; False when one that a person has just saved waits for the next
        look."""
        made, stand = [], True
        for entity_id, topic in sorted(topics.items()):
            path, before = pages.get(entity_id, ("", None))
            if topic == before:
                continue
            properties = topic_properties(topic)
            if before is not None:
                stand &= edit_living(self.engine, path, partial(edit_properties, changes=properties))
            elif self.engine.vault.stat(topic_path(entity_id)) is None:
                name = self.name_of(entity_id)
                text = render_note({**properties, "aliases": [name]}, f"# {name}\n\n")
                page = replace_region(text.encode(), render_topic_page(TopicPage()))
                made.append(NoteFile(path=topic_path(entity_id), content=page))
        if made:
            make_living(self.engine, made)
        return stand

    def _grow(self, topic: Topic) -> int:
        """Seal what is due; how many seals that were."""
        waiting = [item.leaf for item in leaves_of(self.engine, topic) if not item.is_listed]
        return self.grower.seal_frontier("topic", topic.entity_id, waiting, more=False, carry_out=self._seal)

    def _seal(self, scope: str, seal: Seal) -> None:
        paths = self.engine.index.leaf_paths(seal.child_ids)
        self.grower.compose(
            "topic",
            scope,
            seal,
            title=self.name_of(scope),
            prefix=list(paths)[-WINDOW:],
            among=lambda units: self.about(scope, units),
        )

    def about(self, entity_id: str, units: Sequence[Unit]) -> list[Unit]:
        """The units of passages that name the entity, and of the passages right before and after."""
        naming = self.engine.index.passages_naming(entity_id, {unit.chunk_id for unit in units})
        near = {
            (chunk_id, ordinal + step) for chunk_id, own in naming.items() for ordinal in own for step in (-1, 0, 1)
        }
        return [unit for unit in units if (unit.chunk_id, unit.passage) in near]

    def name_of(self, entity_id: str) -> str:
        """The entity's readable name."""
        found = self._entity(entity_id)
        return found.display_name if found else entity_id.partition(":")[2]

    def note_of(self, entity_id: str) -> str:
        """Path of the entity's own note; "" for none."""
        found = self._entity(entity_id)
        return found.note_path if found else ""

    def beside(self) -> tuple[tuple[str, str], ...]:
        """(entity id, another that stands in the same passages), the most frequent of each first."""
        if self._beside is None:
            self._beside = self.engine.index.named_beside(LISTED)
        return self._beside

    def _entity(self, entity_id: str) -> Entity | None:
        if not self._entities:
            self._entities = {note.entity.id: note.entity for note in self.engine.index.registry()}
        return self._entities.get(entity_id)


@dataclass(slots=True, kw_only=True)
class _Weeks:
    """The weeks that are over, at one look at which topics there are."""

    engine: Engine
    #: the owner's day
    today: date
    #: entities that are no topics
    excluded: frozenset[str]
    #: entity id -> UTC day -> questions that named it
    usage: Mapping[str, Mapping[date, int]]
    #: whether the past was decided from its first day on
    is_anew: bool = False
    #: a hash of what was known before anything was decided from it
    known: str = ""

    def decided(self, topics: Mapping[str, Topic]) -> dict[str, Topic]:
        """The topics after the weeks that are over: those since the last look, or all of them when something else is
        known of the weeks before than was known then.
        """
        stated, _, seen = self.engine.index.get_meta(_DECIDED).partition(" ")
        last = last_over(self.today)
        after = date.fromisoformat(stated) if stated else None
        self.known = self._seen(last)
        if after is None or (self.known if after == last else self._seen(after)) != seen:
            self.is_anew = True
            lived = self._live({}, None, last)
            return {**topics, **{i: united(topics[i], topic) if i in topics else topic for i, topic in lived.items()}}
        return self._live(topics, after, last) if after < last else dict(topics)

    def _live(self, topics: Mapping[str, Topic], after: date | None, last: date) -> dict[str, Topic]:
        """Span by span: what was seen in all the years of a mailbox does not fit in memory together."""
        chunks, zone = self.engine.index.admitted_by_day(), self.engine.settings.zone
        lived = dict(topics)
        for end in spans(chunks, after, last):
            since = start_of(after, zone) - HOT_DAYS - timedelta(days=1) if after else _EVER
            seen = self.sightings(since, start_of(end + timedelta(days=1), zone))
            past = Past(sightings=seen, chunks=chunks, hits=self.usage, excluded=self.excluded)
            lived = live_through(lived, past, after=after, until=end, zone=zone)
            after = end
        return lived

    def sightings(self, since: datetime, until: datetime | None = None) -> list[Sighting]:
        """What was seen since then, in chunks that begin before `until`."""
        return [
            Sighting(entity_id=entity_id, chunk_id=chunk_id, source=scope, at=at, mentions=mentions)
            for entity_id, chunk_id, scope, at, mentions in self.engine.index.sightings(since, until)
        ]

    def remember(self) -> None:
        """The weeks that are over are decided, from what was known then: a chunk that another worker admitted meanwhile
        is something else known.
        """
        mark = f"{last_over(self.today).isoformat()} {self.known}"
        if self.engine.index.get_meta(_DECIDED) != mark:
            self.engine.index.set_meta(_DECIDED, mark)

    def _seen(self, last: date) -> str:
        """A hash of which entities were named until the end of that day."""
        named = self.engine.index.named_until(start_of(last + timedelta(days=1), self.engine.settings.zone))
        lines = (f"{entity_id} {counts}" for entity_id, counts in sorted(named.items()))
        return sha256_hex("\n".join(lines).encode("utf-8", "surrogatepass"))


def read_topics(engine: Engine) -> dict[str, tuple[str, Topic]]:
    """Entity id -> (path of its page, the topic): what the pages say. One that cannot be read keeps its tree."""
    found: dict[str, tuple[str, Topic]] = {}
    for path in sorted(engine.vault.scan(TOPICS).files, key=lambda path: by_right(path, TOPICS)):
        try:
            topic = parse_topic(engine.vault.read(path).decode())
        except (BadNote, BadProperties, UnicodeDecodeError, FileNotFoundError):
            continue
        found.setdefault(topic.entity_id, (path, topic))
    return found


def leaves_of(engine: Engine, topic: Topic) -> list[TopicLeaf]:
    """The chunks of the topic's periods, in time order: those its tree holds or will."""
    zone = engine.settings.zone
    return [item for item in engine.index.leaves_naming(topic.entity_id) if _takes(topic, item.leaf, zone)]


def hot_topics(engine: Engine) -> list[str]:
    """Active topics as of the last look, hottest first."""
    return [str(entity_id) for entity_id in json.loads(engine.index.get_meta(_HOT) or "[]")]


def _takes(topic: Topic, leaf: Leaf, zone: tzinfo) -> bool:
    return topic.takes(day_of(leaf.start, zone))
