"""The fewest nodes that stand for just the leaves of a window, and a fair share of them for every source. Pure.

minimal_cover(roots, below, asked)      -> the highest nodes all of whose leaves were asked for
fair_choice(cover, limit)               -> which of them are shown, and how many of each source are not
choice_among(clumps, listed, limit)     -> the same of a cover that is counted where it lies

Why the highest are the fewest: in a forest the leaf sets of two nodes are nested or apart. So the highest feasible
nodes are apart from each other, hold all leaves asked for (a leaf asked for is feasible itself), and every other choice
needs at least one node inside each of them. It holds for source trees only: topics and days share leaves with them.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from vaultmem.forest import Asked, Branch, Choice, Clump


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


def fair_choice(cover: Iterable[Branch], limit: int) -> Choice:
    """At most `limit` nodes in time order, and by source tree how many were left out.

    No source shows a second node before every other has shown one, those heard of last first; after that each gets
    as the root of its tokens. Of a source the nodes that stand for the most are shown.
    """
    groups: defaultdict[str, list[Branch]] = defaultdict(list)
    for branch in cover:
        groups[branch.scope].append(branch)
    clumps = [_clump(scope, own) for scope, own in groups.items()]
    return choice_among(clumps, lambda ripe: (branch for clump in ripe for branch in groups[clump.scope]), limit)


def choice_among(clumps: Iterable[Clump], listed: Callable[[Sequence[Clump]], Iterable[Branch]], limit: int) -> Choice:
    """The same choice from a cover in clumps. `listed`: the nodes of these clumps, perhaps with others of the cover."""
    groups: defaultdict[str, list[Clump]] = defaultdict(list)
    for clump in clumps:
        groups[clump.scope].append(clump)
    sources = {scope: _Group(own) for scope, own in groups.items()}
    shares = share(sources, limit)
    chosen = _best(listed([clump for scope, most in shares.items() for clump in _ripe(groups[scope], most)]), shares)
    left = {scope: sources[scope].size - shares.get(scope, 0) for scope in sorted(sources)}
    return chosen, {scope: count for scope, count in left.items() if count}


def _clump(scope: str, own: Sequence[Branch]) -> Clump:
    tokens = [branch.tokens for branch in own]
    return Clump("", scope, len(own), sum(tokens), max([branch.last_us for branch in own]), max(tokens))


def _ripe(own: Sequence[Clump], most: int) -> Iterator[Clump]:
    """The clumps of a source in which one of its first `most` nodes may stand."""
    least = heapq.nlargest(most, [clump.most_tokens for clump in own])[-1]
    return (clump for clump in own if clump.most_tokens >= least)


def _best(nodes: Iterable[Branch], shares: Mapping[str, int]) -> list[Branch]:
    """Of each source its share of these, all in time order."""
    groups: dict[str, list[Branch]] = {scope: [] for scope in shares}
    for branch in nodes:
        groups[branch.scope].append(branch)
    chosen: list[Branch] = []
    for scope, most in shares.items():
        chosen += heapq.nsmallest(most, groups[scope], key=lambda b: (-b.tokens, -b.last_us, b.node_id))
    return sorted(chosen, key=lambda b: (b.first_us, b.last_us, b.node_id))


class _Group:
    """What the share of a source follows from."""

    def __init__(self, own: Sequence[Clump]) -> None:
        self.size = sum([clump.size for clump in own])
        self.weight = math.sqrt(max(sum([clump.tokens for clump in own]), 1))
        self.newest = max([clump.last_us for clump in own])


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
