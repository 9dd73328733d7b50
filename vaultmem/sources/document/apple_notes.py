"""A note of Apple Notes saved as HTML: a `div` per line, tables inside objects, pictures inside the text."""

from __future__ import annotations

import re
from datetime import UTC

from vaultmem.config import Settings
from vaultmem.core.notes.markdown import tags
from vaultmem.errors import SkippedSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.html_render import ESCAPE
from vaultmem.sources.document.html_tree import Element, parse
from vaultmem.sources.document.note_html import checkbox, document_body, note_text, replace_elements
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.text import decode

_INLINE = re.compile(r"data:(?P<type>\w+)/(?P<form>[\w.+-]+)[;,]")


def read_apple_note(raw: RawFile, settings: Settings) -> Reading:
    """One note. Raises SkippedSource when there is nothing in it."""
    root = parse(decode(raw.data[:]).replace(ESCAPE, "")).root
    named = next((e.words() for e in root.elements() if e.name == "title" and e.words()), "")
    title = named or next((e.words() for e in root.elements() if e.name == "h1" and e.words()), "")
    title = title or title_from_name(raw.name)
    attachments: list[str] = []
    replace_elements(root, lambda item: _change(item, attachments))
    _cut_heading(root, title)
    found = note_text(root)
    if not found.body and not named and not attachments:
        raise SkippedSource("a note without any text: nothing to import")
    moment = own_time({}, raw, settings.zone)
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=document_body(title, found.body),
        provider="document",
        created_at=moment.at.astimezone(UTC),
        time_from=moment.source,
        tags=tags(found.body.replace("\\#", "#")),
        attachments=tuple(attachments),
    )
    items: list[SourceItem] = [document, *(Warn(text=text) for text in found.warnings)]
    return Reading(
        format="apple-notes-html", kind="document", tz=moment.tz, zone_known=moment.zone_known, items=iter(items)
    )


def _change(item: Element, attachments: list[str]) -> Element | str | None:
    if item.name == "object":
        item.name = "div"
    elif item.name == "img":
        return _picture(item, attachments)
    elif item.name == "li" and any("checklist" in name or "checked" in name for name in item.classes()):
        item.children.insert(0, checkbox(checked=not item.classes().isdisjoint({"checked", "apple-checked"})))
    return None


def _picture(item: Element, attachments: list[str]) -> str | None:
    """A picture that stands in the file: its content stays in the original, its name here."""
    inline = _INLINE.match(item.get("src")[:200])
    if not inline:
        return None
    name = " ".join(item.get("alt").split()) or f"{inline['type']} {len(attachments) + 1}.{inline['form']}"
    attachments.append(name)
    return f" [attached: {name}] "


def _cut_heading(root: Element, title: str) -> None:
    """The first line says the title again."""
    for element in root.elements():
        if element.name in ("h1", "div") and element.words():
            if element.name == "h1" and element.words().casefold() == title.casefold():
                element.children = []
            if element.name == "h1" or not any(inner.name == "h1" for inner in element.elements()):
                return
