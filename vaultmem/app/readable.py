"""Notes as an agent may read them whole: memory's own, and the user's that are a source; secrets are taken out."""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.app.engine import Engine
from vaultmem.core.ingest.redact import redact
from vaultmem.core.notes.paths import HOME
from vaultmem.core.recall.marks import marked as marked  # noqa: PLC0414 - the doors look into app alone
from vaultmem.core.recall.sources import is_within
from vaultmem.errors import NotFound, VaultmemError

#: Where notes stand that memory made or keeps.
_MEMORY = ("wiki/", "entities/")
#: Folders whose notes are a way in: what is newest, by source, by topic, by namespace.
_LISTED = ("wiki/sources", "wiki/topics", "wiki/facts")
_MOST = 500


def list_pages(engine: Engine, sources: Collection[str]) -> tuple[str, ...]:
    """Paths of the notes to begin with: Home, pages of sources and topics, facts. They speak of all sources: held to
    some, there are none."""
    if sources:
        return ()
    home = [HOME] if engine.vault.stat(HOME) else []
    return tuple([*home, *(path for folder in _LISTED for path in engine.vault.scan(folder).files)][:_MOST])


def read_page(engine: Engine, path: str, sources: Collection[str]) -> str:
    """A note's text without its secrets. Raises NotFound for whatever memory does not hold.

    `sources`: none, or the only ones of which a note may be read.
    """
    chunks = engine.index.chunks_at(path)
    if sources:
        is_known = bool(chunks) and all(is_within(chunk.source_id, sources) for chunk in chunks)
    else:
        is_known = bool(chunks) or (path.startswith(_MEMORY) and path.endswith(".md"))
    try:
        if is_known and engine.vault.stat(path) is not None:
            return redact(engine.vault.read(path).decode("utf-8", "replace"), engine.settings.redact_pii).text
    except (FileNotFoundError, VaultmemError):
        pass
    raise NotFound(path, "memory")
