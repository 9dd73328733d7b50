"""A look at notes of the user's own that were saved a moment ago, while `watch` runs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from vaultmem.app.engine import Engine
from vaultmem.app.inplace import FEW, read_notes, selection, settings_in_force
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.notes.draft import UNREAD
from vaultmem.core.notes.selection import likely_original, original_of


def glance(engine: Engine, paths: Collection[str]) -> None:
    """Notes that were saved a moment ago: they are found by what they say now; the pass after the pause does the rest.

    Nothing goes here, and what follows from a note (vectors, summaries) does not follow yet.
    """
    chosen = selection(settings_in_force(engine.vault, engine.settings))
    indexed = engine.index.in_place_stats()
    own = [path for path in paths if chosen.takes(path) and not (original_of(path) or likely_original(path, indexed))]
    found = [stat for path in own if (stat := engine.vault.stat(path))]
    stats = [stat for stat in found if stat.size and stat != indexed.get(stat.path)]
    if 0 < len(stats) <= FEW:  # more than a person saves: a sync program's, and the pass sees to them in its order
        registry = build_registry([note.entity for note in engine.index.registry()])
        read = read_notes(engine, registry, stats)
        engine.index.commit([replace(entry, size=UNREAD) for entry in read.entries])
