"""`ingest_document`: a document that an agent writes into memory, through the inbox like all others."""

from __future__ import annotations

from vaultmem.answers import QueryResponse
from vaultmem.app.asker import own_id
from vaultmem.app.engine import Engine
from vaultmem.app.hits import node_hits
from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.ids import safe_part
from vaultmem.core.notes.properties import Property, split_note
from vaultmem.queries import TREE_MODES, read_arguments

_MODE = "ingest_document"
_LONGEST_TITLE = 80


def document_note(arguments: dict[str, object]) -> tuple[str, str, str]:
    """(source_id, title, the note to be dropped). The note's own id makes it the same document the next time.

    Properties that the content brings along are kept as text: they could name another id. Raises BadQuery.
    """
    values = read_arguments(_MODE, TREE_MODES[_MODE].parameters, arguments)
    source_id, content = str(values["source_id"]), str(values["content"])
    body = content if split_note(content).frontmatter is None else f"\n{content}"
    title = str(values["title"]) or _first_words(content) or safe_part(source_id)
    properties: dict[str, Property] = {"id": own_id(source_id), "title": title}
    if source_id.startswith(("https://", "http://")):
        properties["source"] = source_id
    return source_id, title, render_note(properties, f"{body.rstrip()}\n")


def document_hits(engine: Engine, source_id: str) -> QueryResponse:
    """The chunks memory holds of a document that was written so, in reading order."""
    chunks = [
        chunk.chunk_id
        for found in engine.index.documents_with(own_id(source_id))
        for _, chunk in engine.index.chunks_of(found)
    ]
    hits, missing = node_hits(engine.index, engine.vault, chunks)
    return QueryResponse(hits=tuple(hits), total=len(hits), truncated=False, degraded="; ".join(missing))


def _first_words(text: str) -> str:
    """The first line that says something."""
    lines = (line.strip("#*-_> \t") for line in split_note(text).body.splitlines())
    first = next((line for line in lines if line), "")
    return first if len(first) <= _LONGEST_TITLE else first[:_LONGEST_TITLE].rpartition(" ")[0] or first[:60]
