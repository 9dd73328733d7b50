"""Secrets out of everything a reader yields, before it is cut, hashed or looked at."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache

from vaultmem.core.ingest.redact import redact
from vaultmem.core.notes.ids import body_sha256, sha256_hex
from vaultmem.core.notes.inert import inert_message
from vaultmem.model import Chunk, Document, Redacted, SourceKind, SourceMessage

#: Authors, titles and lines of receivers come again with every message; longer texts hardly ever do.
_SHORT = 200
#: levels of lists and mappings that are looked into
_DEEPEST = 20
_TOO_DEEP = "[nested too deep]"


def scrub_message(item: SourceMessage, pii: Collection[str] = ()) -> tuple[SourceMessage, Counter[str]]:
    """The message inert and without secrets in text, headers, names of files; and what was removed."""
    removed: Counter[str] = Counter()
    message = item.message
    kind: SourceKind = "email" if item.source_id.startswith("mail:") else "chat"
    clean = replace(
        message,
        author=_scrub(message.author, removed, pii),
        text=inert_message(kind, _scrub(message.text, removed, pii)),
        to=_scrub(message.to, removed, pii),
        cc=_scrub(message.cc, removed, pii),
        subject=_scrub(message.subject, removed, pii),
    )
    found = replace(
        item,
        message=clean,
        title=_scrub(item.title, Counter(), pii),
        source_id=distinct(item.source_id, pii),
        tree_scope=distinct(item.tree_scope, pii),
        native_id=distinct(item.native_id, pii),
        own_id=distinct(item.own_id, pii),
        attachments=tuple(_scrub(name, Counter(), pii) for name in item.attachments),
    )
    return found, removed


def scrub_document(item: Document, pii: Collection[str] = ()) -> tuple[Document, Counter[str]]:
    """The document without secrets in body, title, properties and links; and what was removed from the body."""
    clean = replace(
        item,
        body=_scrub(item.body, Counter(), pii),
        title=_scrub(item.title, Counter(), pii),
        source_id=distinct(item.source_id, pii),
        tree_scope=distinct(item.tree_scope, pii),
        own_id=distinct(item.own_id, pii),
        tags=tuple(tag for tag in item.tags if _scrub(tag, Counter(), pii) == tag),
        author=_scrub(item.author, Counter(), pii),
        properties={key: scrub_value(value, pii) for key, value in item.properties.items()},
        links=tuple(_scrub(link, Counter(), pii) for link in item.links),
    )
    # Read off the body: a reader that converts takes secrets out before it does.
    return clean, Counter(redaction_marks(clean.body))


def scrub_chunk(chunk: Chunk, pii: Collection[str] = ()) -> Chunk:
    """The chunk without secrets in anything its note says; hashed anew. Its id stays: the note is known by it."""
    body = redact(chunk.body, pii).text
    return replace(
        chunk,
        body=body,
        body_sha256=body_sha256(body),
        redacted=redaction_marks(body),
        title=redact(chunk.title, pii).text,
        aliases=tuple(redact(alias, pii).text for alias in chunk.aliases),
        heading=redact(chunk.heading, pii).text,
        source_ref=redact(chunk.source_ref, pii).text,
        # an id or a tag with a mark in it would be another one
        entities=tuple(entity for entity in chunk.entities if not redact(entity, pii).removed),
        tags=tuple(tag for tag in chunk.tags if not redact(tag, pii).removed),
    )


def scrub_value(value: object, pii: Collection[str] = (), *, depth: int = _DEEPEST) -> object:
    """The same structure with every text redacted; keys are read along, so that `token: x` loses its value.

    What lies deeper than `depth` levels goes whole.
    """
    if isinstance(value, str):
        return redact(value, pii).text
    if isinstance(value, Mapping | list | tuple) and not depth:
        return _TOO_DEEP
    if isinstance(value, Mapping):
        return {str(key): _scrub_keyed(str(key), inner, pii, depth - 1) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [scrub_value(inner, pii, depth=depth - 1) for inner in value]
    return value


def distinct(name: str, pii: Collection[str] = ()) -> str:
    """An id or name without secrets. Two that differ in nothing but their secrets stay two: a hash tells them apart."""
    clean = _scrub(name, Counter(), pii)
    return clean if clean == name else f"{clean} {sha256_hex(name.encode('utf-8', 'surrogatepass'))[:8]}"


def redaction_marks(text: str) -> dict[str, int]:
    """family -> how many secrets of it were taken out of this text, read off the marks that stand in their place."""
    return dict(sorted(Counter(re.findall(r"\[redacted:([a-z0-9/_-]+)\]", text)).items()))


def _scrub_keyed(key: str, value: object, pii: Collection[str], depth: int) -> object:
    """A value whose key may be what makes it a secret; what stands in a list goes by the key of the list."""
    if isinstance(value, list | tuple) and depth:
        return [_scrub_keyed(key, inner, pii, depth - 1) for inner in value]
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return scrub_value(value, pii, depth=depth)
    as_field = next(iter(redact(json.dumps({key: value}, ensure_ascii=False), pii).removed), "")
    mark = f"[redacted:{as_field}]" if as_field else ""
    if not isinstance(value, str):
        return mark or value
    head = f"{key}: "
    cleaned = redact(f"{head}{value}", pii).text
    found = cleaned.removeprefix(head) if cleaned.startswith(head) else redact(value, pii).text
    return mark or found if found == value else found


def _scrub(text: str, removed: Counter[str], pii: Collection[str]) -> str:
    # A hostile export may hold half a character, which no file can: it is shown as one that is unknown.
    whole = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    result = _redacted_short(whole, tuple(pii)) if len(whole) <= _SHORT else redact(whole, pii)
    removed.update(result.removed)
    return result.text


@lru_cache(maxsize=2048)
def _redacted_short(text: str, pii: tuple[str, ...]) -> Redacted:
    return redact(text, pii)
