"""A page saved with everything in it as one mail (.mht, .mhtml): its HTML part through the HTML reader."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import MessageError
from email.message import Message as Part
from email.utils import parsedate_to_datetime

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import Document, RawFile, Reading, SourceItem
from vaultmem.sources.document.html import read_html
from vaultmem.sources.text import decode

_PAGES = ("text/html", "application/xhtml+xml")


def read_mhtml(raw: RawFile, settings: Settings) -> Reading:
    """The page as one document. Raises UnreadableSource when no page is in it."""
    try:
        mail = message_from_bytes(raw.data[:].lstrip())
        page = _page(mail)
        content = page.get_payload(decode=True) if page is not None else None
    except (MessageError, ValueError, LookupError, RecursionError, AttributeError) as problem:
        raise UnreadableSource(f"a saved page that cannot be opened: {type(problem).__name__}; save it again") from None
    if page is None or not isinstance(content, bytes) or not content.strip():
        raise UnreadableSource("a saved page (MHTML) without any HTML in it: save it again")
    label = _parameter(page, "charset")
    data = decode(content, label=label).encode("utf-8", "replace") if label else content
    reading = read_html(replace(raw, data=data), settings)
    where = _header(page, "Content-Location") or _header(mail, "Snapshot-Content-Location")
    url = where if re.match(r"https?://[^\s/]+/?[^\s]", where) else ""
    return replace(reading, format="mhtml", items=_placed(reading, url, _saved_at(mail)))


def _placed(reading: Reading, url: str, saved: datetime | None) -> Iterator[SourceItem]:
    """The page with the address and the time of its saving, where it says neither itself."""
    for item in reading.items:
        if not isinstance(item, Document):
            yield item
            continue
        source = {} if item.own_id or not url else {"source": url}
        found = replace(item, own_id=item.own_id or url, properties={**item.properties, **source})
        if found.time_from == "file" and saved:
            found = replace(found, created_at=saved, time_from="metadata")
        yield found


def _page(mail: Part) -> Part | None:
    """The part that `start` names, else the first page."""
    pages = [part for part in mail.walk() if part.get_content_type() in _PAGES]
    start = _parameter(mail, "start")
    named = [part for part in pages if start and _header(part, "Content-ID") == start]
    return next(iter([*named, *pages]), None)


def _header(part: Part, name: str) -> str:
    return "".join(str(part.get(name, "")).split())


def _parameter(part: Part, name: str) -> str:
    value = part.get_param(name)
    return value.strip() if isinstance(value, str) else ""


def _saved_at(mail: Part) -> datetime | None:
    try:
        at = parsedate_to_datetime(str(mail.get("Date", "")))
        return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None
