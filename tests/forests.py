"""Random forests of source trees, for tests of covers: late arrivals, lost leaves, filters finer than a tree."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vaultmem.forest import Asked, Branch


@dataclass
class Grove:
    """A forest with, for each node, what a summary note would list: children that are gone included."""

    scope_of: dict[str, str] = field(default_factory=dict)
    level_of: dict[str, int] = field(default_factory=dict)
    #: node -> all it lists, leaves that are gone too
    lists: dict[str, list[str]] = field(default_factory=dict)
    parent_of: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, Branch] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)

    def live(self) -> list[Branch]:
        return [leaf for leaf in self.leaves.values() if leaf.node_id not in self.gone]

    def below_of(self, node_id: str) -> list[str]:
        return [child for child in self.lists.get(node_id, ()) if child not in self.gone]

    def live_below(self, node_id: str) -> list[Branch]:
        if node_id in self.leaves:
            return [] if node_id in self.gone else [self.leaves[node_id]]
        return [leaf for child in self.lists[node_id] for leaf in self.live_below(child)]

    def is_stale(self, node_id: str) -> bool:
        return node_id in self.gone or any(self.is_stale(child) for child in self.lists.get(node_id, ()))

    def may_stand(self, node_id: str, wanted: set[str]) -> bool:
        own = self.live_below(node_id)
        return bool(own) and not self.is_stale(node_id) and all(leaf.node_id in wanted for leaf in own)

    def branch(self, node_id: str) -> Branch:
        if node_id in self.leaves:
            return self.leaves[node_id]
        own = self.live_below(node_id)
        starts, sources = [leaf.first_us for leaf in own], [leaf.least_source for leaf in own]
        kinds = [leaf.least_kind for leaf in own]
        return Branch(
            node_id, self.level_of[node_id], self.scope_of[node_id], min(starts, default=0), max(starts, default=0),
            max((leaf.end_us for leaf in own), default=0), min(sources, default=""), max(sources, default=""),
            min(kinds, default=""), max(kinds, default=""), sum(leaf.tokens for leaf in own), len(own),
            not self.is_stale(node_id),
        )  # fmt: skip

    def roots(self) -> list[Branch]:
        ids = [*self.lists, *self.leaves]
        return [self.branch(i) for i in ids if i not in self.parent_of and i not in self.gone]

    def below(self, ids: Sequence[str]) -> Iterator[Branch]:
        return (self.branch(child) for node_id in ids for child in self.below_of(node_id))

    def questions(self, chance: random.Random) -> Iterator[Asked]:
        """Windows of every width, with every filter."""
        times = sorted(leaf.first_us for leaf in self.leaves.values())
        for _ in range(6):
            first, last = sorted(chance.choices([*times, times[0] - 1, times[-1] + 1], k=2))
            leaf = chance.choice(list(self.leaves.values()))
            narrow = chance.choice(
                [{}, {"source": leaf.least_source}, {"source": leaf.least_source[:4], "is_prefix": True},
                 {"kind": leaf.least_kind}, {"scope": leaf.scope}]
            )  # fmt: skip
            yield Asked(since_us=first, until_us=last, **narrow)  # type: ignore[arg-type]


def grow(chance: random.Random) -> Grove:
    """A forest of up to four trees, some of whose leaves came late, were dropped or are gone."""
    grove = Grove()
    for tree in range(chance.randint(1, 4)):
        scope = f"tree-{tree}"
        late = chance.choice([0.0, 0.0, 0.3])
        level = [_leaf(grove, chance, scope, number, late) for number in range(chance.randint(1, 24))]
        for height in range(1, 4):
            level = _sealed(grove, chance, scope, height, level)
    grove.gone = {i for i in grove.leaves if chance.random() < chance.choice([0.0, 0.0, 0.1])}
    return grove


def _leaf(grove: Grove, chance: random.Random, scope: str, number: int, late: float) -> str:
    at = chance.randint(0, 1000) if chance.random() < late else number * 40 + chance.randint(0, 39)
    source = f"{chance.choice(['mail', 'chat'])}:{scope}-{chance.randint(0, 2)}"
    node_id = f"{len(grove.leaves):032x}"
    grove.leaves[node_id] = Branch(
        node_id, 0, scope, at, at, at + chance.randint(0, 60), source, source, source[:4], source[:4],
        chance.choice([100, chance.randint(1, 500)]), 1, True,
    )  # fmt: skip
    return node_id


def _sealed(grove: Grove, chance: random.Random, scope: str, height: int, level: Sequence[str]) -> list[str]:
    """Nodes over a prefix of a level: the rest is not sealed yet."""
    made: list[str] = []
    sealed = chance.randint(0, len(level))
    fanout = chance.randint(1, 4)
    for start in range(0, sealed, fanout):
        node_id = f"{0xA0000000 + len(grove.lists):032x}"
        grove.scope_of[node_id], grove.level_of[node_id] = scope, height
        grove.lists[node_id] = list(level[start : min(start + fanout, sealed)])
        grove.parent_of.update(dict.fromkeys(grove.lists[node_id], node_id))
        made.append(node_id)
    return made
