"""The nouns of covering a window: a part of a source tree, and which leaves were asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

#: The first moment of the year 1 and the last full second of 9999, in microseconds since 1970.
_FIRST_US, _LAST_US = -62_135_596_800_000_000, 253_402_300_799_000_000


class Branch(NamedTuple):
    """A leaf or summary with what is below it; a tuple, for a question may look at thousands."""

    node_id: str
    #: 0: a leaf
    level: int
    scope: str
    #: least and greatest start of its live leaves, and their greatest end; microseconds
    first_us: int
    last_us: int
    end_us: int
    #: least and greatest source_id and source_kind of its live leaves; "" of a cover that asked for neither
    least_source: str
    most_source: str
    least_kind: str
    most_kind: str
    #: of its live leaves
    tokens: int
    leaves: int
    #: False: it also speaks of a leaf that is gone, was dropped or is another's, so it stands for nothing
    is_sound: bool


class Clump(NamedTuple):
    """Nodes of a cover that stand together: below one node, or at the top of one tree. Counted, and not listed."""

    #: "": the top
    parent: str
    scope: str
    #: how many they are, at least one
    size: int
    #: of all of them
    tokens: int
    #: the greatest of theirs, microseconds
    last_us: int
    #: of the one that has most
    most_tokens: int


#: Nodes to be shown in time order, and by source tree how many are not.
Choice = tuple[list[Branch], dict[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which leaves: by start, both ends inclusive; by source and kind."""

    since_us: int
    until_us: int
    #: exact source_id, or with `is_prefix` what it begins with; "": all
    source: str = ""
    is_prefix: bool = False
    #: one source tree; "": all
    scope: str = ""
    kind: str = ""

    def holds(self, branch: Branch) -> bool:
        """Whether the branch stands for leaves asked for and for nothing else."""
        return (
            branch.is_sound
            and branch.leaves > 0
            and self.since_us <= branch.first_us
            and branch.last_us <= self.until_us
            and (not self.scope or branch.scope == self.scope)
            and (not self.kind or branch.least_kind == self.kind == branch.most_kind)
            and (not self.source or self._all_of_source(branch))
        )

    def _all_of_source(self, branch: Branch) -> bool:
        # what begins alike stands together, so the two ends speak for all between
        if self.is_prefix:
            return branch.least_source.startswith(self.source) and branch.most_source.startswith(self.source)
        return branch.least_source == self.source == branch.most_source

    def touches(self, branch: Branch) -> bool:
        """Whether a leaf asked for may stand below the branch."""
        return (
            branch.leaves > 0
            and branch.first_us <= self.until_us
            and branch.last_us >= self.since_us
            and (not self.scope or branch.scope == self.scope)
            and (not self.kind or branch.least_kind <= self.kind <= branch.most_kind)
            and (not self.source or self._some_of_source(branch))
        )

    def _some_of_source(self, branch: Branch) -> bool:
        if self.is_prefix:
            return branch.most_source >= self.source and (
                branch.least_source <= self.source or branch.least_source.startswith(self.source)
            )
        return branch.least_source <= self.source <= branch.most_source


@dataclass(frozen=True, slots=True, kw_only=True)
class About(Asked):
    """Which chunks count when an entity is asked about."""

    #: the newest so many are looked at
    most: int = 2000

    @property
    def is_ever(self) -> bool:
        """Whether it leaves no time out that a calendar has."""
        return self.since_us <= _FIRST_US and self.until_us >= _LAST_US


#: Whatever the time.
EVER = About(since_us=-(1 << 62), until_us=1 << 62)


class Seen(NamedTuple):
    """A chunk that names an entity."""

    chunk_id: str
    start_us: int
    end_us: int


class Kin(NamedTuple):
    """An entity beside another."""

    entity_id: str
    #: chunks that name both
    shared: int
