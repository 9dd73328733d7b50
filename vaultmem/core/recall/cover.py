"""The fewest nodes that stand for just the leaves of a window, and a fair share of them for every source. Pure.

minimal_cover(roots, below, asked)      -> the highest nodes all of whose leaves were asked for
share(groups, limit)                    -> how many nodes each source may show

Why the highest are the fewest: in a forest the leaf sets of two nodes are nested or apart. So the highest feasible
nodes are apart from each other, hold all leaves asked for (a leaf asked for is feasible itself), and every other choice
needs at least one node inside each of them. It holds for source trees only: topics and days share leaves with them.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from vaultmem.forest import Asked, Branch


def minimal_cover(
    roots: Iterable[Branch], below: Callable[[Sequence[str]], Iterable[Branch]], asked: Asked
) -> list[Branch]:
    """The cover. `roots`: nodes and leaves that no node lists; `below`: the children of these nodes.

    Reads a level at a time, and of each tree only what straddles a border.
    """
    found: list[Branch] = []
    waiting, holds = roots, asked.holds
    while True:
        straddling: list[str] = []
        for branch in waiting:
            if holds(branch):
                found.append(branch)
            elif branch.level and asked.touches(branch):
                straddling.append(branch.node_id)
        if not straddling:
            return found
        waiting = below(straddling)


def fair_choice(cover: Iterable[Branch], limit: int) -> tuple[list[Branch], dict[str, int]]:
    """At most `limit` nodes in time order, and by source tree how many were left out.

    No source shows a second node before every other has shown one, those heard of last first; after that each gets
    as the root of its tokens. Of a source the nodes that stand for the most are shown.
    """
    groups: defaultdict[str, list[Branch]] = defaultdict(list)
    for branch in cover:
        groups[branch.scope].append(branch)
    shares = share({scope: _Group(own) for scope, own in groups.items()}, limit)
    chosen: list[Branch] = []
    omitted: dict[str, int] = {}
    for scope, own in sorted(groups.items()):
        most = shares.get(scope, 0)
        chosen += heapq.nsmallest(most, own, key=lambda b: (-b.tokens, -b.last_us, b.node_id))
        if len(own) > most:
            omitted[scope] = len(own) - most
    chosen.sort(key=lambda b: (b.first_us, b.last_us, b.node_id))
    return chosen, omitted


class _Group:
    """What the share of a source follows from."""

    def __init__(self, own: Sequence[Branch]) -> None:
        self.size = len(own)
        self.weight = math.sqrt(max(sum([branch.tokens for branch in own]), 1))
        self.newest = max([branch.last_us for branch in own])


def share(groups: Mapping[str, _Group], limit: int) -> dict[str, int]:
    """How many of `limit` places each group gets."""
    first = sorted(groups, key=lambda scope: (-groups[scope].newest, scope))[:limit]
    given = dict.fromkeys(first, 1)
    # the next place goes where a place stands for the most
    waiting = [(-groups[scope].weight / 2, scope) for scope in first if groups[scope].size > 1]
    heapq.heapify(waiting)
    for _ in range(limit - len(first)):
        if not waiting:
            break
        _, scope = heapq.heappop(waiting)
        given[scope] += 1
        if given[scope] < groups[scope].size:
            heapq.heappush(waiting, (-groups[scope].weight / (given[scope] + 1), scope))
    return given
