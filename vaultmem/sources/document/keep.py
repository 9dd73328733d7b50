"""Google Keep: a note as Takeout writes it, JSON or HTML. Labels are tags, lists tasks; the bin stays out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from vaultmem.config import Settings
from vaultmem.core.notes.markdown import unique_tags
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Document, RawFile, Reading
from vaultmem.sources.document.html_tree import Element, parse
from vaultmem.sources.document.note_html import checkbox, document_body, label_tags, note_text
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.document.recognise import is_keep_note
from vaultmem.sources.document.written import parse_written
from vaultmem.sources.text import decode

_CHECKED = ("\u2611", "\u2612", "\u2705")


def read_keep(raw: RawFile, settings: Settings) -> Reading:
    """One note. Raises SkippedSource for one in the bin or without content, UnreadableSource for broken JSON."""
    text = decode(raw.data[:]).lstrip("\ufeff")
    if not text.lstrip().startswith("{"):
        return _read_page(raw, text, settings)
    try:
        note = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableSource(f"a Keep note whose JSON is broken: {str(error)[:120]}; export it again") from None
    if not is_keep_note(note):
        raise UnreadableSource("JSON that is no Keep note")
    return _reading(_from_json(raw, note), tz="UTC", zone_known=True)


def _reading(document: Document, *, tz: str, zone_known: bool) -> Reading:
    return Reading(format="keep", kind="document", tz=tz, zone_known=zone_known, items=iter([document]))


def _from_json(raw: RawFile, note: Mapping[str, Any]) -> Document:
    title = _line(note.get("title")) or title_from_name(raw.name)
    if note.get("isTrashed") is True:
        raise SkippedSource(f"'{title}' lies in the bin of Google Keep: restore it there and export it again")
    attachments = tuple(_names(note.get("attachments"), "filePath"))
    named = f"Attachments: {', '.join(map(as_markdown, attachments))}" if attachments else ""
    parts = [_text(note), "\n".join(_tasks(note.get("listContent"))), "\n".join(_pages(note.get("annotations"))), named]
    if not any(parts) and not _line(note.get("title")):
        raise SkippedSource("a Keep note without title or text: nothing to import")
    created, edited = _moment(note.get("createdTimestampUsec")), _moment(note.get("userEditedTimestampUsec"))
    labels = list(_names(note.get("labels"), "name"))
    at = created or edited
    return Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=document_body(title, *parts),
        provider="document",
        created_at=at or raw.modified_at.astimezone(UTC),
        time_from="metadata" if at else "file",
        # Times alone are shared by notes that were imported together.
        own_id=f"keep:{created:%Y%m%dT%H%M%S.%fZ} {title}" if created else "",
        properties=_properties(note, labels, created, edited),
        tags=unique_tags(label_tags(labels)),
        attachments=attachments,
        cues=frozenset({"priority_high"}) if note.get("isPinned") is True else frozenset(),
    )


def _properties(
    note: Mapping[str, Any], labels: list[str], created: datetime | None, edited: datetime | None
) -> dict[str, object]:
    found: dict[str, object] = {"title": _line(note.get("title"))} if _line(note.get("title")) else {}
    for key, at in (("created", created), ("updated", edited)):
        if at:
            found[key] = at.isoformat().replace("+00:00", "Z")
    if labels:
        found["labels"] = labels
    found |= {key: True for key, mark in (("archived", "isArchived"), ("pinned", "isPinned")) if note.get(mark) is True}
    sharees = list(_names(note.get("sharees"), "email"))
    return found | ({"shared_with": sharees} if sharees else {})


def _text(note: Mapping[str, Any]) -> str:
    text = note.get("textContent")
    return as_markdown(text.strip("\n")) if isinstance(text, str) else ""


def _tasks(items: object) -> Iterator[str]:
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("text"), str) and _line(item["text"]):
            yield f"- [{'x' if item.get('isChecked') is True else ' '}] {as_markdown(_line(item['text']))}"


def _pages(annotations: object) -> Iterator[str]:
    """Web pages a note shows below its text: title and address."""
    for item in annotations if isinstance(annotations, list) else ():
        if isinstance(item, dict) and isinstance(item.get("url"), str) and item["url"].startswith(("http:", "https:")):
            yield f"- {as_markdown(_line(item.get('title')) or 'link')}: <{''.join(item['url'].split())}>"


def _names(items: object, key: str) -> Iterator[str]:
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and _line(item.get(key)):
            yield _line(item[key])


def _line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _moment(value: object) -> datetime | None:
    """Microseconds since 1970 as a time; 0 and numbers beyond the calendar are none."""
    if isinstance(value, str) and value.isdigit() and len(value) < 20:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 4_102_444_800_000_000:
        return None
    seconds, micros = divmod(value, 1_000_000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=micros)


def _read_page(raw: RawFile, text: str, settings: Settings) -> Reading:
    """A note from its HTML: all that is left where somebody kept only that."""
    root = parse(text).root
    parts = {name: _first(root, name) for name in ("heading", "title", "content")}
    title = parts["title"].words() or title_from_name(raw.name)
    if any("trashed" in element.classes() for element in root.elements()):
        raise SkippedSource(f"'{title}' lies in the bin of Google Keep: restore it there and export it again")
    labels = [e.words() for e in root.elements() if "label-name" in e.classes()]
    content = parts["content"]
    _box_items(content)
    body = note_text(content)
    if not body.body and not parts["title"].words():
        raise SkippedSource("a Keep note without title or text: nothing to import")
    local = parse_written(parts["heading"].words())
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=document_body(title, body.body),
        provider="document",
        created_at=(local.replace(tzinfo=settings.zone) if local else raw.modified_at).astimezone(UTC),
        time_from="metadata" if local else "file",
        properties={"title": title} | ({"labels": labels} if labels else {}),
        tags=unique_tags(label_tags(labels)),
    )
    tz = f"none in file, assumed {settings.timezone}" if local else "UTC"
    return _reading(document, tz=tz, zone_known=local is None)


def _first(root: Element, name: str) -> Element:
    return next((element for element in root.elements() if name in element.classes()), Element("div"))


def _box_items(content: Element) -> None:
    """List items with a drawn box as tasks."""
    for item in [element for element in content.elements() if "listitem" in element.classes()]:
        bullets = [child for child in item.children if isinstance(child, Element) and "bullet" in child.classes()]
        checked = "checked" in item.classes() or any(bullet.text().strip() in _CHECKED for bullet in bullets)
        item.children = [child for child in item.children if child not in bullets]
        item.children.insert(0, checkbox(checked=checked))
