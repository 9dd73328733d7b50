"""Evernote's export (.enex): each note a document of its own, however its XML is broken.

The notes are cut out by their tags and their fields read as text: no XML parser sees the file, so no entity is ever
expanded, and one broken note costs no other.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from vaultmem.config import Settings
from vaultmem.core.notes.markdown import unique_tags
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Attachment, Bytes, Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.document.enml import Enml, enml_text
from vaultmem.sources.document.note_html import document_body, label_tags
from vaultmem.sources.document.place import document_id
from vaultmem.sources.text import decode

_HEAD = 65_536
_ENTITY = re.compile(rb"<!ENTITY\s", re.IGNORECASE)
_RESOURCE = re.compile(rb"<resource\b[^>]*>(.*?)</resource>", re.DOTALL)
_CONTENT = re.compile(r"<content(?:\s[^>]*)?>")
_NESTED = re.compile(r"(?:\]\]\s*)?<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_STAMP = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z")
#: note attributes -> property names
_PROPERTIES = (
    ("source-url", "source"), ("author", "author"), ("source-application", "application"), ("latitude", "latitude"),
    ("longitude", "longitude"), ("reminder-time", "reminder"), ("subject-date", "date"), ("place-name", "place"),
)  # fmt: skip
#: Bytes of one text file in a note that become a document.
_MAX_TEXT = 5 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resource:
    """A file in a note."""

    name: str
    #: MD5 of the content in hex: how the note's text refers to it
    digest: str
    #: the content of a text file, b"" for others
    text: bytes


def read_enex(raw: RawFile, settings: Settings) -> Reading:  # noqa: ARG001  (the readers' signature)
    """All notes of an export. Raises SkippedSource without any, UnreadableSource for one that defines entities."""
    data = _as_utf8(raw.data)
    head = data[:_HEAD]
    if _ENTITY.search(head[: head.find(b"<note>") + 1 or _HEAD]):
        raise UnreadableSource("an Evernote export that defines entities of its own: no Evernote writes that, refused")
    if data.find(b"<note") < 0:
        raise SkippedSource("an Evernote export without a note: nothing to import")
    return Reading(format="enex", kind="document", tz="UTC", zone_known=True, items=_items(raw, data))


def _as_utf8(data: Bytes) -> Bytes:
    """The file itself, or what it says in UTF-8 where it was saved in another form of Unicode."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:200]:
        return decode(data[:]).encode("utf-8", "replace")
    return data


def _items(raw: RawFile, data: Bytes) -> Iterator[SourceItem]:
    seen: Counter[str] = Counter()
    for note in _notes(data):
        yield from _note_items(raw, note, seen)


def _notes(data: Bytes) -> Iterator[bytes]:
    """The bytes inside each `<note>`; a note ends at the tag before the next note, whatever stands in its text."""
    start = _opening(data, 0)
    while start >= 0:
        following = _opening(data, start)
        last = data[start : following if following >= 0 else len(data)]
        end = last.rfind(b"</note>")
        yield last[:end] if end >= 0 else last
        start = following


def _opening(data: Bytes, at: int) -> int:
    """Where the next note's inside begins, or -1. In the text of a note its tag is written `&lt;note&gt;`."""
    while (found := data.find(b"<note", at)) >= 0:
        end = data.find(b">", found)
        if end < 0:
            return -1
        if data[found + 5 : found + 6] in (b">", b" ", b"\n", b"\r", b"\t"):
            return end + 1
        at = found + 5
    return -1


def _note_items(raw: RawFile, note: bytes, seen: Counter[str]) -> Iterator[SourceItem]:
    """The document of one note, its text files, and what could not be read."""
    # Up to the last end tag only: a search from an opening that is never closed would read to the end, each time.
    closed = note.rfind(b"</resource>") + len(b"</resource>")
    resources = [_resource(match[1]) for match in _RESOURCE.finditer(note, 0, closed)]
    text = decode((_RESOURCE.sub(b"", note[:closed]) + note[closed:]).replace(b"\0", b"")) if note.strip() else ""
    attributes, content, around = _content(text)
    title = " ".join(_field(around, "title").split()) or "Untitled"
    enml = _body(attributes, content, around, {resource.digest: resource.name for resource in resources})
    created, updated = _stamp(_field(around, "created")), _stamp(_field(around, "updated"))
    source = _field(around, "source-url")
    attachments = tuple(resource.name for resource in resources)
    tail = f"Attachments: {', '.join(a for a in attachments if a not in enml.named)}"
    place = f"{raw.name}/{title}"
    seen[place] += 1
    number = f" #{seen[place]}" if seen[place] > 1 else ""
    yield Document(
        source_id=document_id(place + number),
        tree_scope=document_id(re.sub(r"\.enex$", "", raw.name, flags=re.IGNORECASE)),
        title=title,
        body=document_body(title, enml.body, tail if tail[13:] else ""),
        provider="document",
        created_at=created or updated or raw.modified_at.astimezone(UTC),
        time_from="metadata" if created or updated else "file",
        own_id=_own_id(created, title, source) + number if created else "",
        properties=_properties(around, created, updated),
        tags=unique_tags(label_tags(_fields(around, "tag"))),
        links=enml.links,
        author=_field(around, "author"),
        attachments=attachments,
    )
    yield from (Warn(text=f"{title}: {warning}") for warning in enml.warnings)
    yield from (Attachment(name=resource.name, data=resource.text) for resource in resources if resource.text)


def _own_id(created: datetime, title: str, source: str) -> str:
    """What names the note in every export: no note has an id there, but its second of creation stays."""
    told = hashlib.sha256(f"{title}\0{source}".encode("utf-8", "replace")).hexdigest()[:8]
    return f"evernote:{created:%Y%m%dT%H%M%SZ}-{told}"


def _content(text: str) -> tuple[str, str, str]:
    """(attributes, inside) of the note's content, and the fields around it."""
    opening = _CONTENT.search(text)
    end = text.rfind("</content>")
    if not opening or end < opening.end():
        return "", "", text
    return opening[0], text[opening.end() : end], text[: opening.start()] + text[end + len("</content>") :]


def _body(attributes: str, content: str, around: str, names: Mapping[str, str]) -> Enml:
    """The note's text; one that is encrypted as a whole says so."""
    if "aes" in attributes.lower():
        said = "this note is encrypted in Evernote: decrypt it there and export it again"
        return Enml(body=f"[{said}]", warnings=(said,))
    tasks = tuple(_task(text) for text in _inside(around, "task"))
    return enml_text(_unwrapped(content), names, tasks) if content.strip() or tasks else Enml(body="")


def _unwrapped(content: str) -> str:
    """The ENML out of its CDATA, which some exports nest or cut in pieces, or out of entities."""
    text = content.strip()
    if text.startswith("<![CDATA["):
        text = text.removeprefix("<![CDATA[").removesuffix("]]>").replace("]]]]><![CDATA[>", "]]>")
        closed = text.rfind("]]>") + 3
        return _NESTED.sub(lambda match: match[1].strip(">"), text[:closed]) + text[closed:]
    return html.unescape(text) if text.startswith("&lt;") else text


def _task(text: str) -> tuple[str, bool, str]:
    """(title, done, group id) of one of Evernote's tasks; its date stands behind the title."""
    due = _stamp(_field(text, "dueDate"))
    title = " ".join(_field(text, "title").split()) + (f" (due {due:%Y-%m-%d})" if due else "")
    return title, _field(text, "taskStatus") == "completed", _field(text, "taskGroupNoteLevelID")


def _resource(data: bytes) -> _Resource:
    """A file's name and digest, without keeping its content unless it is text."""
    opening = data.find(b"<data")
    inside = data.find(b">", opening) + 1 if opening >= 0 else 0
    end = data.find(b"</data>", inside)
    around = decode((data[:inside] + data[end:]).replace(b"\0", b"")) if data.strip() else ""
    try:
        content = base64.b64decode(data[inside:end] if opening >= 0 and end >= 0 else b"")
    except (binascii.Error, ValueError):
        content = b""
    mime = _field(around, "mime")
    name = " ".join(_field(around, "file-name").split()) or f"attachment.{mime.rpartition('/')[2] or 'bin'}"
    is_text = mime.startswith("text/") and len(content) <= _MAX_TEXT
    digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
    return _Resource(name=name, digest=digest, text=content if is_text else b"")


def _inside(text: str, name: str) -> list[str]:
    """What stands inside each element of this name."""
    end = text.rfind(f"</{name}>")
    return (
        re.findall(rf"<{name}(?:\s[^>]*)?>(.*?)</{name}>", text[: end + len(name) + 3], re.DOTALL) if end >= 0 else []
    )


def _fields(text: str, name: str) -> list[str]:
    """The same as plain text."""
    return [html.unescape(value.replace("<![CDATA[", "").replace("]]>", "")).strip() for value in _inside(text, name)]


def _field(text: str, name: str) -> str:
    return next(iter(_fields(text, name)), "")


def _stamp(text: str) -> datetime | None:
    match = _STAMP.fullmatch(text)
    try:
        return datetime(*(int(part) for part in match.groups()), tzinfo=UTC) if match else None  # type: ignore[misc,arg-type]
    except ValueError:
        return None


def _properties(text: str, created: datetime | None, updated: datetime | None) -> dict[str, object]:
    """What the note says of itself besides its text."""
    found: dict[str, object] = {}
    for key, at in (("created", created), ("updated", updated)):
        if at:
            found[key] = f"{at:%Y-%m-%dT%H:%M:%SZ}"
    for key, name in _PROPERTIES:
        if _field(text, key):
            found[name] = _field(text, key)
    return found
