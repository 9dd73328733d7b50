"""What becomes of an office file's text and properties, whichever library read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem.config import Settings
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.html import harmless
from vaultmem.sources.document.place import document_id, scope_of
from vaultmem.sources.document.plain import as_markdown

_MADE = ("created", "modified")


def office_reading(
    raw: RawFile,
    settings: Settings,
    format_: str,
    *,
    title: str,
    text: str,
    said: Mapping[str, str],
    links: Sequence[str],
    warnings: Sequence[str],
) -> Reading:
    """One document. `text`: Markdown, without the title; `said`: the properties the file has of itself."""
    if not text.strip():
        text = "No text: this document holds none that can be read (pictures only?)."
        warnings = (*warnings, "no text in the document")
    moment = own_time({key: said[key] for key in _MADE if key in said}, raw, settings.zone)
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=harmless(f"# {as_markdown(title)}\n\n{text}\n"),
        provider="document",
        created_at=moment.at,
        time_from=moment.as_metadata,
        properties=said,
        links=tuple(links),
        author=said.get("author", ""),
    )
    items: list[SourceItem] = [document, *(Warn(text=text) for text in warnings)]
    return Reading(format=format_, kind="document", tz=moment.tz, zone_known=moment.zone_known, items=iter(items))
