"""The graph of entities, derived at question time from the mentions: neighbours, weights, hops; as JSON or a canvas."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field

from vaultmem.app.engine import Engine
from vaultmem.app.modes_topic import unclear
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.recall.graph import Edge, reach, strength
from vaultmem.errors import BadQuery, NotFound
from vaultmem.forest import EVER, About

#: Neighbours, by shared chunks, of which it is asked how common they are.
_WEIGHED = 60
_WIDTH, _HEIGHT, _RING = 260, 80, 420


@dataclass(slots=True, kw_only=True)
class Acquaintance:
    """Neighbours of entities, each asked for once."""

    engine: Engine
    about: About = EVER
    _edges: dict[str, list[Edge]] = field(default_factory=dict)
    _spread: dict[str, int] = field(default_factory=dict)
    _chunks: int = 0

    def edges(self, entity_id: str) -> list[Edge]:
        """The neighbours of an entity, the strongest first."""
        if entity_id not in self._edges:
            near = self.engine.index.company.beside(entity_id, self.about)[:_WEIGHED]
            found = [
                Edge(
                    entity_id=kin.entity_id,
                    weight=kin.shared,
                    strength=strength(kin.shared, self.spread(kin.entity_id), self.chunks),
                )
                for kin in near
            ]
            self._edges[entity_id] = sorted(found, key=lambda edge: (-edge.strength, -edge.weight, edge.entity_id))
        return self._edges[entity_id]

    def spread(self, entity_id: str) -> int:
        """Chunks that name an entity."""
        if entity_id not in self._spread:
            self._spread[entity_id] = self.engine.index.company.spread(entity_id)
        return self._spread[entity_id]

    @property
    def chunks(self) -> int:
        """All chunks."""
        self._chunks = self._chunks or max(self.engine.index.counts()["notes"], 1)
        return self._chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """An entity of the graph."""

    entity_id: str
    display_name: str
    #: steps from the one asked about
    hops: int
    #: chunks that name it
    chunks: int
    #: vault path of its note; "" for none
    note_path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge:
    """Two entities that stand in the same chunks."""

    subject: str
    object: str
    #: in how many
    weight: int
    #: the same, less for what stands everywhere
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityGraph:
    """An entity and who stands beside it, nearest first."""

    entity: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `graph`."""
        nodes, edges = [asdict(node) for node in self.nodes], [asdict(edge) for edge in self.edges]
        return {"entity": self.entity, "nodes": nodes, "edges": edges}

    def to_canvas(self) -> str:
        """The same as an Obsidian canvas: the entity in the middle, a ring for every hop."""
        rings: dict[int, list[GraphNode]] = {}
        for node in self.nodes:
            rings.setdefault(node.hops, []).append(node)
        shown = [_card(node, *_place(node.hops, n, len(own))) for own in rings.values() for n, node in enumerate(own)]
        lines = [
            {
                "id": _id(edge.subject, edge.object),
                "fromNode": _id(edge.subject),
                "toNode": _id(edge.object),
                "toEnd": "none",
                "label": str(edge.weight),
            }
            for edge in self.edges
        ]
        return json.dumps({"nodes": shown, "edges": lines}, ensure_ascii=False, indent=1) + "\n"


def entity_graph(engine: Engine, name: str, *, hops: int, limit: int) -> EntityGraph:
    """The graph around an entity: id, name or alias. Raises NotFound, BadQuery for a name that several bear."""
    ids = engine.index.company.meanings(name)
    if not ids:
        raise NotFound(name, "memory: 'vaultmem entities' finds names spelt alike")
    if len(ids) > 1:
        raise BadQuery("id", name, unclear(name, ids))
    known = Acquaintance(engine=engine)
    found = reach(ids[0], known.edges, hops=hops, most=limit + 1, weights=engine.settings.ranking)
    registry = {note.entity.id: note.entity for note in engine.index.registry()}
    nodes = tuple(
        GraphNode(
            entity_id=i,
            display_name=registry[i].display_name if i in registry else i.partition(":")[2],
            hops=hop,
            chunks=known.spread(i),
            note_path=registry[i].note_path if i in registry else "",
        )
        for i, (hop, _) in found.items()
    )
    return EntityGraph(entity=ids[0], nodes=nodes, edges=_edges(known, found))


def _edges(known: Acquaintance, found: dict[str, tuple[int, Edge | None]]) -> tuple[GraphEdge, ...]:
    """Every edge between entities of the graph that were looked at, once, strongest first."""
    held: dict[tuple[str, str], GraphEdge] = {}
    last = max(hop for hop, _ in found.values())
    for subject, (hop, _) in found.items():
        if hop == last and hop > 0:
            continue  # the outermost are not gone on from
        for edge in known.edges(subject):
            pair = (min(subject, edge.entity_id), max(subject, edge.entity_id))
            if edge.entity_id in found and pair not in held:
                held[pair] = GraphEdge(
                    subject=subject, object=edge.entity_id, weight=edge.weight, strength=edge.strength
                )
    return tuple(sorted(held.values(), key=lambda e: (-e.strength, -e.weight, e.subject, e.object)))


def _place(hops: int, number: int, of: int) -> tuple[int, int]:
    """Where a card stands: rings wide enough that cards do not lie on each other."""
    if not hops:
        return 0, 0
    radius = max(hops * _RING, of * _WIDTH / (2 * math.pi) + hops * _HEIGHT)
    angle = 2 * math.pi * number / of - math.pi / 2
    return round(radius * math.cos(angle)), round(radius * math.sin(angle))


def _card(node: GraphNode, x: int, y: int) -> dict[str, object]:
    box = {"id": _id(node.entity_id), "x": x, "y": y, "width": _WIDTH, "height": _HEIGHT}
    if node.note_path:
        return {**box, "type": "file", "file": node.note_path}
    return {**box, "type": "text", "text": node.display_name}


def _id(*parts: str) -> str:
    return sha256_hex("\0".join(parts).encode("utf-8", "replace"))[:16]
