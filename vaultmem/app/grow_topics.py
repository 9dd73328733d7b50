"""Topic trees: which entities are topics now, and a tree over the chunks that name one.

The living page `wiki/topics/<kind>/<slug>.md` is what makes a topic: it is written first, and its properties say which
days the tree takes. A topic that has a tree and no page was deleted by a person, and stays away.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta, tzinfo

from vaultmem.app.engine import Engine
from vaultmem.app.grow import Grower
from vaultmem.app.living import edit_living, make_living
from vaultmem.app.registry import own_surfaces
from vaultmem.app.sentences import WINDOW
from vaultmem.app.usage import read_usage
from vaultmem.core.grow.calendar import day_of
from vaultmem.core.grow.hotness import WINDOW as HOT_DAYS
from vaultmem.core.grow.hotness import Decision, Sighting, plan_topics, with_decision
from vaultmem.core.grow.tree import Seal
from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.pages import LISTED
from vaultmem.core.notes.region import replace_region
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
        if found is not None and found[1].status == "active" and self._grow(found[1]):
            return Done(follow_ups=(job,))
        self.grower.tidy("topic", job.subject)
        return Done()

    def _decide(self) -> tuple[str, ...]:
        """Write down what becomes of each topic; the active ones."""
        engine, now = self.engine, self.engine.now()
        pages = read_topics(engine)
        decisions = plan_topics(
            [
                Sighting(entity_id=entity_id, chunk_id=chunk_id, source=scope, at=at, mentions=mentions)
                for entity_id, chunk_id, scope, at, mentions in engine.index.sightings(
                    now - HOT_DAYS - timedelta(days=1)
                )
            ],
            read_usage(engine.vault),
            [topic for _, topic in pages.values()],
            own=self._own() | self._deleted(pages),
            naming=engine.index.chunks_naming(),
            chunks=engine.index.counts()["admitted"],
            now=now,
        )
        today = day_of(now, engine.settings.zone)
        for decision in decisions:
            self._carry_out(decision, pages, today)
        heat = {decision.entity_id: decision.hotness for decision in decisions}
        self._pages = read_topics(engine)
        active = [entity_id for entity_id, (_, topic) in self._pages.items() if topic.status == "active"]
        active.sort(key=lambda entity_id: (-heat.get(entity_id, 0.0), entity_id))
        engine.index.set_meta(_HOT, json.dumps(active))
        return tuple(active)

    def _own(self) -> frozenset[str]:
        """The owner's entities: nobody is a topic of their own memory."""
        return frozenset().union(*(self.engine.index.resolve(surface) for surface in own_surfaces(self.engine)))

    def _deleted(self, pages: Mapping[str, object]) -> frozenset[str]:
        """Topics whose page a person deleted: their summaries are there still."""
        return frozenset(self.engine.index.tree_scopes("topic")) - pages.keys()

    def _carry_out(self, decision: Decision, pages: Mapping[str, tuple[str, Topic]], today: date) -> None:
        """Put a decision into the page's properties; a page that a person has just saved waits for the next look."""
        path, before = pages.get(decision.entity_id, ("", None))
        topic = with_decision(before, decision, today=today)
        if topic == before:
            return
        properties = topic_properties(topic)
        if before is not None:
            edit_living(self.engine, path, lambda note: edit_properties(note, properties))
            return
        name = self.name_of(decision.entity_id)
        text = render_note({**properties, "aliases": [name]}, f"# {name}\n\n")
        page = replace_region(text.encode(), render_topic_page(TopicPage()))
        path = topic_path(decision.entity_id)
        if self.engine.vault.stat(path) is None:
            make_living(self.engine, [NoteFile(path=path, content=page)])

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


def read_topics(engine: Engine) -> dict[str, tuple[str, Topic]]:
    """Entity id -> (path of its page, the topic): what the pages say. One that cannot be read keeps its tree."""
    found: dict[str, tuple[str, Topic]] = {}
    for path in sorted(engine.vault.scan(TOPICS).files):
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
