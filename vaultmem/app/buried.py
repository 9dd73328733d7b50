"""What a person deleted: the tombstones, and the summaries that stay away while what they were made of stays so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from vaultmem.app.engine import Engine
from vaultmem.core.grow.inputs import state_of
from vaultmem.core.notes.paths import TOMBSTONES
from vaultmem.core.notes.selection import likely_original, original_of
from vaultmem.core.notes.tombstones import is_told, lifted, parse_tombstones, with_lines
from vaultmem.errors import VaultmemError
from vaultmem.model import FileStat, NoteFile


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


def append_tombstones(engine: Engine, lines: str) -> None:
    """Add lines to the tombstones file, durably."""
    if not lines:
        return
    try:
        before = engine.vault.read(TOMBSTONES)
    except FileNotFoundError:
        before = b""
    after = with_lines(before.decode("utf-8", "replace"), lines).encode()
    engine.vault.write([NoteFile(path=TOMBSTONES, content=after)])


def copies_of_own(engine: Engine) -> dict[str, tuple[str, FileStat]]:
    """What sync programs laid beside memory's own files where two devices wrote one at a time: path of each copy -> the
    file that it is a copy of, and what was seen of the copy.
    """
    scan = engine.vault.scan(TOMBSTONES.rpartition("/")[0], suffix="")
    names = {TOMBSTONES, *scan.files}
    firsts = {path: original_of(path) or likely_original(path, names) for path in scan.files}
    return {
        path: (first, scan.files[path]) for path, first in firsts.items() if first in names and path not in scan.hollow
    }


def unite_tombstones(engine: Engine) -> dict[str, str]:
    """What was deleted on either device stays deleted. Path of each copy -> what was done with it, or is to be."""
    told: dict[str, str] = {}
    copies = copies_of_own(engine)
    for path in (path for path, (first, _) in copies.items() if first == TOMBSTONES):
        try:
            text = engine.vault.read(path).decode("utf-8", "replace")
        except (OSError, VaultmemError) as problem:
            told[path] = f"a conflicting copy of {TOMBSTONES}: {problem}"
            continue
        lines = (line for line in text.splitlines() if line.strip() and is_told(line))
        append_tombstones(engine, "".join(f"{line}\n" for line in lines))
        if is_told(text):
            engine.vault.remove(path)
            told[path] = f"a conflicting copy of {TOMBSTONES}: its lines stand there now, and it is gone"
        else:
            told[path] = f"a conflicting copy of {TOMBSTONES}: what can be read of it stands there now; delete it"
    return told


def lift_tombstones(
    engine: Engine,
    *,
    keys: Mapping[str, Collection[str]] | None = None,
    entities: Collection[str] = (),
    nodes: Collection[str] = (),
) -> None:
    """What a person put back is no longer deleted."""
    before = engine.vault.read(TOMBSTONES)
    after = lifted(before.decode("utf-8", "replace"), keys=keys or {}, entities=entities, nodes=nodes).encode()
    engine.vault.write([NoteFile(path=TOMBSTONES, content=after)])
