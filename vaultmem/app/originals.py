"""Which originals Obsidian can show (DESIGN §2). Decided before the first note is written: the notes link to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from vaultmem import sources
from vaultmem.app.engine import Engine
from vaultmem.core.ingest.redact import redact
from vaultmem.core.ingest.scrub import scrub_document, scrub_message
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Attachment, Document, RawFile, Reading, SourceItem, SourceMessage

#: Bytes of an original that a vault, which is synced to phones, is made to carry.
_MAX_BYTES = 5 * 1024 * 1024


def plan_original(engine: Engine, raw: RawFile, reading: Reading, sha256: str) -> tuple[Reading, str]:
    """The vault path the original will have, "" for one that is kept privately; and the reading, still to be read."""
    auto = engine.settings.archive == "auto"
    if engine.settings.archive == "private" or (
        auto and (reading.format not in sources.LOOKED_AT or len(raw.data) > _MAX_BYTES)
    ):
        return reading, ""
    pii = engine.settings.redact_pii
    items: Iterable[SourceItem]
    if reading.format in sources.LOOKED_AT:
        # A document or two, read once; a mailbox is read twice instead.
        items = tuple(reading.items)
        reading = replace(reading, items=iter(items))
    else:
        items = sources.read(raw, engine.settings).items
    if (
        redact(raw.name, pii).removed
        or redact(sources.unshown(raw, reading.format), pii).removed
        or _hold_secret(engine, raw, items)
    ):
        return reading, ""
    # two clones that take in different files of one name would leave git with one of them, or with markers in it
    return reading, engine.intake.plan_original(raw.name, sha256, apart=engine.history() is not None)


def _hold_secret(engine: Engine, raw: RawFile, items: Iterable[SourceItem]) -> bool:
    """True when anything in the items would be redacted."""
    for item in items:
        match item:
            case Document():
                clean, removed = scrub_document(item, engine.settings.redact_pii)
                if removed or clean != item:
                    return True
            case SourceMessage():
                if scrub_message(item, engine.settings.redact_pii)[1]:
                    return True
            case Attachment():
                if _holds_secret_inside(engine, raw, item):
                    return True
            case _:
                continue
    return False


def _holds_secret_inside(engine: Engine, raw: RawFile, item: Attachment) -> bool:
    inner = RawFile(name=f"{raw.name}/{item.name}", data=item.data, modified_at=raw.modified_at)
    try:
        return _hold_secret(engine, inner, sources.read(inner, engine.settings).items)
    except (UnreadableSource, SkippedSource):
        return False


def with_picture(document: Document, archived: str) -> Document:
    """A picture's document with the picture itself at its end, where the vault will hold it."""
    if not archived or "picture" not in document.cues:
        return document
    return replace(document, body=f"{document.body}\n![[{archived}]]\n")
