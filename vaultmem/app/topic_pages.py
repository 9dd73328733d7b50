"""The living pages of topics: what is newest about one, what sums it up, who stands beside it."""

from __future__ import annotations

from collections.abc import Sequence

from vaultmem.app.grow import Grower
from vaultmem.app.grow_topics import Topics, hot_topics, leaves_of, read_topics
from vaultmem.app.living import edit_living, forget_shown
from vaultmem.core.grow.compose import choose, sentence_of
from vaultmem.core.grow.facet import frequencies
from vaultmem.core.grow.units import Unit
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.pages import LISTED
from vaultmem.core.notes.region import replace_region
from vaultmem.core.notes.topicpage import Topic, TopicPage, render_topic_page
from vaultmem.errors import BadNote, BadProperties
from vaultmem.grown import Link, NodeLine, TopicLeaf

#: Raised when the pages' own text changes, so that existing ones are rendered again.
_LAYOUT = "1"


def refresh_topics(grower: Grower, refused: dict[str, str]) -> list[Link]:
    """Bring the pages of topics up to date; links to those that are active, hottest first.

    `refused`: gets path -> problem of pages that may not be written.
    """
    topics = Topics(grower=grower)
    pages = read_topics(grower.engine)
    for path, topic in pages.values():
        _refresh(topics, path, topic, refused)
    hot = hot_topics(grower.engine)
    active = [entity_id for entity_id, (_, topic) in pages.items() if topic.status == "active"]
    active.sort(key=lambda entity_id: (hot.index(entity_id) if entity_id in hot else len(hot), entity_id))
    return [Link(path=pages[entity_id][0], alias=topics.name_of(entity_id)) for entity_id in active]


def _refresh(topics: Topics, path: str, topic: Topic, refused: dict[str, str]) -> None:
    engine = topics.engine
    leaves = leaves_of(engine, topic)
    nodes = engine.index.node_lines("topic", topic.entity_id)
    entity = _entity_note(topics, topic.entity_id)
    state = _state(leaves, nodes, entity)
    if engine.index.get_meta(f"page:{path}") == state:
        return
    text = render_topic_page(_page(topics, topic, leaves, nodes, entity))
    forget_shown(engine, f"page:{path}")
    try:
        if edit_living(engine, path, lambda note: replace_region(note, text)):
            engine.index.set_meta(f"page:{path}", state)
    except FileNotFoundError:
        return
    except (BadNote, BadProperties) as problem:
        refused[path] = f"{path}: {problem}"


def _page(
    topics: Topics,
    topic: Topic,
    leaves: Sequence[TopicLeaf],
    nodes: Sequence[NodeLine],
    entity: Link | None,
) -> TopicPage:
    admitted = [item for item in leaves if item.leaf.status == "admitted"]
    paths = {item.leaf.chunk_id: item.path for item in admitted}
    waiting = [item.leaf.chunk_id for item in admitted if not item.is_listed]
    newest = [item.leaf.chunk_id for item in sorted(admitted, key=lambda item: item.leaf.end)[-LISTED:]]
    near = topics.about(topic.entity_id, topics.grower.sentences.all_of(waiting))
    naming = _naming(topics, topic.entity_id, newest)
    return TopicPage(
        newest=[sentence_of(unit, paths[unit.chunk_id]) for unit in naming[:LISTED]],
        summaries=[(node.level, Link(path=node.path, alias=node.title)) for node in nodes],
        recent=choose(
            near,
            [child for chunk_id in waiting if (child := topics.grower.child(chunk_id))],
            frequencies=frequencies(near),
            paths=paths,
            count=topics.engine.count,
        ),
        related=[link for other in _beside(topics, topic.entity_id) if (link := _entity_note(topics, other))],
        entity=entity,
    )


def _naming(topics: Topics, entity_id: str, chunk_ids: Sequence[str]) -> list[Unit]:
    """The first sentence of each passage that names the entity, newest first."""
    naming = topics.engine.index.passages_naming(entity_id, chunk_ids)
    first: dict[tuple[str, int], Unit] = {}
    for unit in topics.grower.sentences.all_of(chunk_ids):
        if unit.passage in naming.get(unit.chunk_id, ()):
            first.setdefault((unit.chunk_id, unit.passage), unit)
    return sorted(first.values(), key=lambda unit: unit.order, reverse=True)


def _beside(topics: Topics, entity_id: str) -> list[str]:
    """Entities named in the same passages, the most often first."""
    return [other for identity, other in topics.beside() if identity == entity_id]


def _entity_note(topics: Topics, entity_id: str) -> Link | None:
    """The entity's own note, where it stands."""
    path = topics.note_of(entity_id)
    if not path or topics.engine.vault.stat(path) is None:
        return None
    return Link(path=path, alias=topics.name_of(entity_id))


def _state(leaves: Sequence[TopicLeaf], nodes: Sequence[NodeLine], entity: Link | None) -> str:
    """A hash of all that a topic's page is made of."""
    parts = [_LAYOUT, str(entity)]
    parts += [f"{item.path} {item.leaf} {item.is_listed} {item.body_sha256}" for item in leaves]
    parts += [f"{node.path} {node.node_id} {node.body_sha256}" for node in nodes]
    return sha256_hex("\n".join(parts).encode("utf-8", "surrogatepass"))
