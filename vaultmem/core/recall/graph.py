"""Who stands beside whom: weights that hubs do not win, and the ways from one entity to another. Pure.

strength(shared, spread, chunks) -> how much two entities have to do with each other
reach(start, edges, …)           -> entity -> how many hops away
ways(one, other, edges, …)       -> the shortest ways between two, the strongest first

`edges` gives an entity's neighbours, the strongest first; it is asked once for each entity that is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vaultmem.core.recall.weights import WEIGHTS, Weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A neighbour."""

    entity_id: str
    #: chunks that name both
    weight: int
    #: the same, less for one that stands everywhere
    strength: float


Edges = Callable[[str], Sequence[Edge]]


def strength(shared: int, spread: int, chunks: int) -> float:
    """`shared` chunks with one that `spread` of all `chunks` name: who stands in all of them tells nothing."""
    everywhere = math.log1p(max(chunks, 1))
    rare = math.log1p(max(chunks, 1) / max(spread, 1)) - math.log(2)
    return round(shared * max(rare, 0.0) / everywhere, 6)


def reach(
    start: str, edges: Edges, *, hops: int, most: int, weights: Weights = WEIGHTS
) -> dict[str, tuple[int, Edge | None]]:
    """Entity -> (hops, the edge it was reached by), nearest and strongest first: `most`, the start included."""
    found: dict[str, tuple[int, Edge | None]] = {start: (0, None)}
    frontier = [start]
    for hop in range(1, hops + 1):
        if len(found) >= most:  # nobody further away finds room
            break
        best: dict[str, Edge] = {}
        for each in frontier:
            for edge in edges(each)[: weights.walk_breadth if hop > 1 else None]:
                held = best.get(edge.entity_id)
                if edge.entity_id not in found and (held is None or edge.strength > held.strength):
                    best[edge.entity_id] = edge
        ordered = sorted(best.values(), key=lambda edge: (-edge.strength, edge.entity_id))[: most - len(found)]
        found |= {edge.entity_id: (hop, edge) for edge in ordered}
        frontier = [edge.entity_id for edge in ordered[: weights.walk_breadth]]
    return found


def ways(one: str, other: str, edges: Edges, *, hops: int, weights: Weights = WEIGHTS) -> list[tuple[str, ...]]:
    """The shortest ways between two entities, at most `hops` long; of equally short ones the strongest few.

    A way is as strong as its weakest step.
    """
    frontier: list[tuple[float, tuple[str, ...]]] = [(math.inf, (one,))]
    seen = {one}
    for _ in range(hops):
        longer: list[tuple[float, tuple[str, ...]]] = []
        for held, way in frontier:
            near = edges(way[-1])
            step = next((edge for edge in near if edge.entity_id == other), None)
            # the last step may be weak, the steps between may not
            goes_on = [*near[: weights.walk_breadth], *([step] if step else [])]
            longer += [(min(held, e.strength), (*way, e.entity_id)) for e in goes_on if e.entity_id not in seen]
        longer = sorted(set(longer), key=lambda each: (-each[0], each[1]))
        arrived = [way for _, way in longer if way[-1] == other]
        if arrived:
            return arrived[: weights.walk_ways]
        best: dict[str, tuple[float, tuple[str, ...]]] = {}
        for held, way in longer:
            best.setdefault(way[-1], (held, way))
        frontier = list(best.values())[: weights.walk_breadth]
        seen |= set(best)
    return []
