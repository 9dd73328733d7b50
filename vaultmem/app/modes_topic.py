"""One entity: the summaries of its topic where it has one, and the chunks that name it; all topics with their heat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import cast

from vaultmem.answers import Filters, QueryResponse
from vaultmem.app.asker import Arguments, Asker, by_rank
from vaultmem.app.engine import Engine
from vaultmem.app.grow_topics import read_topics
from vaultmem.app.usage import read_usage
from vaultmem.core.grow.hotness import WINDOW, Heat, Sighting, heat_parts, heats_of
from vaultmem.core.recall.cover import minimal_cover
from vaultmem.core.recall.window import Window
from vaultmem.errors import repeated
from vaultmem.forest import EVER, About, Asked, Branch, Seen
from vaultmem.grown import Listing


def query_topic(asker: Asker, arguments: Arguments) -> QueryResponse:
    """What is known of an entity, newest first or ranked by a question."""
    window = asker.window(arguments)
    name, text, limit = (arguments[key] for key in ("entity", "query", "limit"))
    ids = asker.engine.index.company.meanings(str(name))
    if len(ids) != 1:
        return QueryResponse(hits=(), total=0, truncated=False, degraded=unclear(str(name), ids))
    order = _order(asker.engine, ids[0], window)
    if not text:
        return asker.answer(order, cast(int, limit))
    filters = Filters(entity=ids[0], since=window.since, until=window.until)
    scores, lacking = asker.ranked(order, str(text), filters, "topic", ids[0])
    return asker.answer(by_rank(order, scores), cast(int, limit), scores=scores, degraded=[lacking])


def unclear(name: str, ids: Sequence[str]) -> str:
    """Why a name cannot be answered."""
    if not ids:
        return f"nothing is known as {repeated(name)!r}: search_entities finds names spelt alike"
    return f"{repeated(name)!r} may be {' or '.join(ids)}: ask with one of these ids"


def _order(engine: Engine, entity_id: str, window: Window) -> list[str]:
    """The fewest summaries of its topic's tree, and its chunks that none of them holds; newest first."""
    about = About(since_us=window.since_us, until_us=window.until_us)
    seen = engine.index.company.seen(entity_id, about)
    tree = engine.index.listings("topic", entity_id)
    if not tree:
        return [leaf.chunk_id for leaf in seen]
    forest = _Forest(tree, seen if about.is_ever else engine.index.company.seen(entity_id, EVER))
    asked = Asked(since_us=window.since_us, until_us=window.until_us)
    cover = minimal_cover(forest.roots(), forest.below, asked)
    # a chunk counts where a passage of it lies in the time, wherever it began
    summaries = [branch for branch in cover if branch.level]
    held = forest.leaves_below(branch.node_id for branch in summaries)
    rows = {branch.node_id: branch.end_us for branch in summaries}
    rows |= {leaf.chunk_id: leaf.end_us for leaf in seen if leaf.chunk_id not in held}
    return sorted(rows, key=lambda node_id: (-rows[node_id], node_id))


class _Forest:
    """One topic's tree in memory, and its live leaves. `tree`: of each node what it lists, the lowest first."""

    def __init__(self, tree: Sequence[Listing], live: Sequence[Seen]) -> None:
        levels = {node.node_id: node.level for node in tree}
        self._own: dict[str, list[str]] = {}
        self._parent: dict[str, str] = {}
        for node in tree:
            lower = [child for child in node.child_ids if levels.get(child, -1) < node.level]
            self._own[node.node_id] = [c for c in lower if self._parent.setdefault(c, node.node_id) == node.node_id]
        self._branches = {s.chunk_id: _branch(s.chunk_id, 0, (s.start_us, s.start_us, s.end_us), 1) for s in live}
        for node in tree:
            self._branches[node.node_id] = self._sum(node)

    def _sum(self, node: Listing) -> Branch:
        """What stands below a node; what stands below its children is known."""
        own = [self._branches[child] for child in self._own[node.node_id] if child in self._branches]
        counted = [branch for branch in own if branch.leaves]
        times = (
            min((branch.first_us for branch in counted), default=0),
            max((branch.last_us for branch in counted), default=0),
            max((branch.end_us for branch in counted), default=0),
        )
        is_sound = len(own) == len(node.child_ids) and all(branch.is_sound for branch in own)
        return _branch(node.node_id, node.level, times, sum(b.leaves for b in counted), is_sound=is_sound)

    def roots(self) -> list[Branch]:
        """Summaries and leaves that no summary lists."""
        return [branch for node_id, branch in self._branches.items() if node_id not in self._parent]

    def below(self, ids: Sequence[str]) -> list[Branch]:
        """The children of these summaries."""
        children = (child for node_id in ids for child in self._own[node_id])
        return [self._branches[child] for child in children if child in self._branches]

    def leaves_below(self, ids: Iterable[str]) -> set[str]:
        """The leaves below these summaries."""
        found: set[str] = set()
        waiting = list(ids)
        while waiting:
            children = self._own[waiting.pop()]
            waiting += [child for child in children if child in self._own]
            found.update(child for child in children if child not in self._own)
        return found


def _branch(node_id: str, level: int, times: tuple[int, int, int], leaves: int, *, is_sound: bool = True) -> Branch:
    return Branch(node_id, level, "", *times, "", "", "", "", 0, leaves, is_sound)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicRow:
    """A topic and why it is hot."""

    entity_id: str
    display_name: str
    status: str
    hotness: float
    #: what hotness is the sum of
    parts: Mapping[str, float]
    #: `2026-03-02/2026-05-09`; the last one of an active topic is open
    periods: tuple[str, ...]
    #: its living page
    note_path: str
    #: notes of summaries in its tree
    summaries: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicList:
    """All topics, active ones first, the hottest first."""

    topics: tuple[TopicRow, ...]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `topics`."""
        return {"topics": [{**asdict(row), "periods": list(row.periods)} for row in self.topics]}


def list_topics(engine: Engine) -> TopicList:
    """Every topic that has a page."""
    now = engine.now()
    sightings = [
        Sighting(entity_id=entity_id, chunk_id=chunk_id, source=scope, at=at, mentions=mentions)
        for entity_id, chunk_id, scope, at, mentions in engine.index.sightings(now - WINDOW - timedelta(days=1))
    ]
    heats = heats_of(sightings, read_usage(engine.vault), now=now)
    names = {note.entity.id: note.entity.display_name for note in engine.index.registry()}
    rows: list[TopicRow] = []
    for entity_id, (path, topic) in read_topics(engine).items():
        parts = heat_parts(heats.get(entity_id, Heat(entity_id=entity_id)), now)
        rows.append(
            TopicRow(
                entity_id=entity_id,
                display_name=names.get(entity_id, entity_id.partition(":")[2]),
                status=topic.status,
                hotness=round(sum(parts.values()), 4),
                parts={name: round(value, 4) for name, value in parts.items()},
                periods=tuple(f"{p.first.isoformat()}/{p.last.isoformat() if p.last else ''}" for p in topic.periods),
                note_path=path,
                summaries=len(engine.index.node_lines("topic", entity_id)),
            )
        )
    rows.sort(key=lambda row: (row.status != "active", -row.hotness, row.entity_id))
    return TopicList(topics=tuple(rows))
