"""The summaries that a person deleted: they stay away while what they were made of stays as it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vaultmem.app.engine import Engine
from vaultmem.core.grow.inputs import state_of
from vaultmem.core.notes.paths import TOMBSTONES
from vaultmem.core.notes.tombstones import parse_tombstones


@dataclass(frozen=True, slots=True, kw_only=True)
class Buried:
    """What growing leaves alone."""

    #: chunks and summaries that stand below a deleted one and wait for no other
    below: frozenset[str] = frozenset()
    #: node_id of a digest -> hashes of what it is not made of again
    digests: Mapping[str, frozenset[str]] = field(default_factory=dict)


def read_buried(engine: Engine) -> Buried:
    """As the tombstones and the index say it now."""
    try:
        found = parse_tombstones(engine.vault.read(TOMBSTONES).decode("utf-8", "replace")).nodes
    except FileNotFoundError:
        return Buried()
    below: set[str] = set()
    digests: dict[str, frozenset[str]] = {}
    for node_id, deaths in found.items():
        if engine.index.node(node_id) is not None:
            continue
        digests[node_id] = frozenset(state for state, _ in deaths)
        for state, ids in deaths:
            if ids and state_of(engine.index.held.children(ids)) == state:
                below.update(ids)
    return Buried(below=frozenset(below), digests=digests)
