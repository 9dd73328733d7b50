"""What lies between the entities of a question that no passage names together. Pure.

Two passages are the answer then: one that names the first entity and a third, one that names the third and the second.
A walk begins at each entity (personalised PageRank over the candidates, whom they name and their neighbours in the
text); both walks come by such passages, and by others only one. Begun at all of them together, or at the best passages
too, it comes most often by passages that name one of them and nobody else.
Sums run over lists in a fixed order, so the same candidates give the same bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vaultmem.answers import PassageRow
from vaultmem.core.recall.weights import Weights

_Edges = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
#: Digits that are kept: what is left of rounding must not decide between passages that are alike.
_DIGITS = 9


def bridging(rows: Sequence[PassageRow], asked: Sequence[str], weights: Weights) -> tuple[float, ...]:
    """For each row how much it stands between two of the entities asked for, in [0, 1]: the most of them has 1.

    All 0 where fewer than two of them are named.
    """
    order = sorted(range(len(rows)), key=lambda at: (rows[at].chunk_id, rows[at].ordinal))
    named = sorted({entity for row in rows for entity, _ in row.names})
    node = {entity: len(rows) + number for number, entity in enumerate(named)}
    starts = sorted(node[entity] for entity in set(asked) & set(node))
    if len(starts) < 2:
        return (0.0,) * len(rows)
    edges = _edges([rows[at] for at in order], node, weights)
    walks = np.array([_walked(start, len(rows) + len(node), edges, weights)[: len(rows)] for start in starts])
    between, before = np.zeros(len(rows)), np.zeros(len(rows))
    for walk in np.sqrt(walks):  # the sum of the geometric means of every two
        between += walk * before
        before += walk
    scaled = np.round(between / between.max(), _DIGITS) if between.any() else between
    found = dict(zip(order, scaled.tolist(), strict=True))
    return tuple(found[at] for at in range(len(rows)))


def _walked(start: int, size: int, edges: _Edges, weights: Weights) -> NDArray[np.float64]:
    """How often a walk that begins anew at `start` comes by each node."""
    source, target, weight = edges
    share = weight / np.bincount(source, weight, size)[source]
    held = np.zeros(size)
    held[start] = 1.0
    for _ in range(weights.ppr_steps):
        held = np.asarray(weights.ppr_damping * np.bincount(target, share * held[source], size), dtype=np.float64)
        held[start] += 1.0 - weights.ppr_damping
    return held


def _edges(rows: Sequence[PassageRow], node: Mapping[str, int], weights: Weights) -> _Edges:
    """From, to and weight of every edge, each in both directions. `rows` go by chunk and ordinal."""
    edges = [(at, node[entity], rare) for at, row in enumerate(rows) for entity, rare in row.names]
    edges += [
        (at, at + 1, weights.ppr_next)
        for at, (row, after) in enumerate(pairwise(rows))
        if row.chunk_id == after.chunk_id and row.ordinal + 1 == after.ordinal and weights.ppr_next
    ]
    one, other = (np.array([edge[end] for edge in edges], dtype=np.int64) for end in (0, 1))
    weight = np.array([edge[2] for edge in edges], dtype=np.float64)
    return np.concatenate((one, other)), np.concatenate((other, one)), np.concatenate((weight, weight))
