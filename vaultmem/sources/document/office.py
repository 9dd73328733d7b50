"""Presentations, workbooks, OpenDocument, rich text, e-books and old Office files, each as one document.

anydoc reads them all into one model; what it found is written as HTML and goes the way of web pages, so that text is
made harmless in one place. Tables of workbooks go the way of CSV files. Word's .docx has a reader of its own, which
knows comments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import RawFile, Reading
from vaultmem.sources.archive import Archive
from vaultmem.sources.document.csv_table import as_table, table_markdown
from vaultmem.sources.document.html import content_as_markdown
from vaultmem.sources.document.html_tree import parse
from vaultmem.sources.document.office_document import office_reading
from vaultmem.sources.document.office_parts import said_of_itself
from vaultmem.sources.document.place import title_from_name
from vaultmem.sources.document.plain import as_markdown

if TYPE_CHECKING:
    import anydoc

#: Bytes of a file that are read; beyond it is film and sound, and a copy of the whole would fill the memory.
MAX_OFFICE = 200_000_000
#: Format -> what a person calls such a file.
KINDS: Mapping[str, str] = {
    "pptx": "a presentation", "ppt": "a presentation", "odp": "a presentation", "xlsx": "a workbook",
    "xls": "a workbook", "ods": "a workbook", "odt": "a text document", "doc": "a Word document",
    "rtf": "a rich text document", "epub": "an e-book",
}  # fmt: skip
#: The converter leaves no blank line in front of a quotation (notes of a speaker).
_QUOTATION = re.compile(r"^(?![>\n])(.+)\n(?=> )", re.MULTILINE)
_BOOKS = frozenset(("xlsx", "xls", "ods"))
_MARKS = (("code", "code"), ("bold", "strong"), ("italic", "em"), ("strike", "s"))
_KNOWN_SCHEME = re.compile(r"(?:https?|mailto|tel|ftp):", re.IGNORECASE)


def reader_of(format_: str) -> Callable[[RawFile, Settings], Reading]:
    """The reader of one of KINDS."""

    def read_office(raw: RawFile, settings: Settings) -> Reading:
        return _read(raw, settings, format_)

    return read_office


read_pptx, read_ppt, read_odp = map(reader_of, ("pptx", "ppt", "odp"))
read_xlsx, read_xls, read_ods = map(reader_of, ("xlsx", "xls", "ods"))
read_odt, read_doc, read_rtf, read_epub = map(reader_of, ("odt", "doc", "rtf", "epub"))


def _read(raw: RawFile, settings: Settings, format_: str) -> Reading:
    """The document. Raises UnreadableSource when it is broken or encrypted."""
    found = _model(raw, format_)
    said = said_of_itself(raw.data, format_)
    title = said.get("title") or title_from_name(raw.name)
    warnings: tuple[str, ...] = ()
    if format_ in _BOOKS:
        text = _workbook(found.blocks)
        links: tuple[str, ...] = ()
    else:
        content = content_as_markdown(parse(_page(found)).root, base="", title=title)
        text, links, warnings = _QUOTATION.sub(r"\1\n\n", content.body), content.links, content.warnings
    return office_reading(raw, settings, format_, title=title, text=text, said=said, links=links, warnings=warnings)


def _model(raw: RawFile, format_: str) -> anydoc.Document:
    import anydoc

    if len(raw.data) > MAX_OFFICE:
        raise UnreadableSource(f"{KINDS[format_]} of more than {MAX_OFFICE // 1_000_000} MB: save it without its films")
    if raw.data[:2] == b"PK":
        Archive(raw.data)  # refuses what unfolds beyond reason
    try:
        return anydoc.to_document(bytes(raw.data[:]), format_)  # type: ignore[arg-type]
    except anydoc.EncryptedError:
        raise UnreadableSource(f"{KINDS[format_]} with a password: save a copy without one and drop that") from None
    except BaseException as error:  # whatever the library says; where it panics, that is no Exception
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        cause = " ".join(str(error).split())[:120] or type(error).__name__
        raise UnreadableSource(f"{KINDS[format_]} that cannot be read: {cause}; open it and save a copy") from None


def _workbook(blocks: Sequence[anydoc.Block]) -> str:
    """Each sheet under its name, as a table with a head."""
    parts: list[str] = []
    for block in blocks:
        if block.kind == "heading":
            parts.append(f"{'#' * max(2, block.level or 2)} {as_markdown(_plain(block.content or ()))}")
        elif block.kind == "table" and block.table:
            rows = [[_cell_text(slot) for slot in row] for row in block.table.grid]
            filled = [row for row in rows if any(cell.strip() for cell in row)]
            parts += [table_markdown(as_table(filled)).rstrip("\n")] if filled else []
        elif block.content:
            parts.append(as_markdown(_plain(block.content)))
    return "\n\n".join(part for part in parts if part.strip())


def _cell_text(slot: anydoc.CellSlot) -> str:
    blocks = slot.cell.blocks if slot.cell else []
    return "\n".join(_plain(block.content or ()) or block.text or "" for block in blocks)


def _plain(content: Sequence[anydoc.Inline]) -> str:
    parts = ("\n" if i.kind == "line_break" else i.text or _plain(i.content or ()) or i.alt or "" for i in content)
    return "".join(parts)


def _page(found: anydoc.Document) -> str:
    """The model as a page; its notes in the form in which web pages link them back and forth."""
    numbers = {note.id: number for number, note in enumerate(found.notes, 1)}
    body = "".join(_blocks(found.blocks, numbers))
    notes = "".join(
        f'<li id="note-{numbers[note.id]}">{"".join(_blocks(note.blocks, numbers))}'
        f'<a href="#note-ref-{numbers[note.id]}">↑</a></li>'
        for note in found.notes
    )
    return f"<body>{body}<ol>{notes}</ol></body>" if notes else f"<body>{body}</body>"


def _blocks(blocks: Sequence[anydoc.Block], notes: Mapping[str, int]) -> Iterator[str]:
    for block in blocks:
        inner = "".join(_inlines(block.content or (), notes))
        if block.kind == "heading":
            level = min(6, max(1, block.level or 1))
            yield f"<h{level}>{inner}</h{level}>"
        elif block.kind == "list" and block.list:
            yield _list(block.list, notes)
        elif block.kind == "table" and block.table:
            yield _table(block.table, notes)
        elif block.kind == "block_quote":
            yield f"<blockquote>{''.join(_blocks(block.blocks or (), notes))}</blockquote>"
        elif block.kind in ("code_block", "math"):
            yield f"<pre><code>{escape(block.text or '')}</code></pre>"
        elif block.kind == "rule":
            yield "<hr>"
        else:
            yield f"<p>{inner}</p>"


def _list(found: anydoc.List, notes: Mapping[str, int]) -> str:
    name = "ul" if found.marker == "bullet" else "ol"
    start = f' start="{found.start}"' if name == "ol" and found.start != 1 else ""
    items = "".join(f"<li>{_item(item.blocks, notes)}</li>" for item in found.items)
    return f"<{name}{start}>{items}</{name}>"


def _item(blocks: Sequence[anydoc.Block], notes: Mapping[str, int]) -> str:
    """An item's first paragraph stands bare: a list of lines is no list of paragraphs."""
    first = blocks[0] if blocks else None
    if first is None or first.kind != "paragraph":
        return "".join(_blocks(blocks, notes))
    return "".join([*_inlines(first.content or (), notes), *_blocks(blocks[1:], notes)])


def _table(table: anydoc.Table, notes: Mapping[str, int]) -> str:
    """A table of data with a head; one that only places things as blocks."""
    if table.kind == "layout":
        cells = (slot.cell for row in table.grid for slot in row if slot.cell)
        return "".join(f"<div>{''.join(_blocks(cell.blocks, notes))}</div>" for cell in cells)
    rows: list[str] = []
    for number, row in enumerate(table.grid):
        name = "th" if number < max(1, table.header_rows) else "td"
        rows.append("".join(_cell(slot, name, notes) for slot in row))
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _cell(slot: anydoc.CellSlot, name: str, notes: Mapping[str, int]) -> str:
    # A place that a wide cell covers stays empty: every row has the same columns.
    return f"<{name}>{''.join(_blocks(slot.cell.blocks, notes)) if slot.cell else ''}</{name}>"


def _inlines(content: Sequence[anydoc.Inline], notes: Mapping[str, int]) -> Iterator[str]:
    for inline in content:
        if inline.kind == "text":
            yield _styled(inline)
        elif inline.kind == "link":
            yield _link(inline, notes)
        elif inline.kind == "line_break":
            yield "<br>"
        elif inline.kind == "checkbox":
            yield "☑ " if inline.checked else "☐ "
        elif inline.kind == "note_ref" and inline.note_id and inline.note_id in notes:
            number = notes[inline.note_id]
            yield f'<sup><a id="note-ref-{number}" href="#note-{number}">[{number}]</a></sup>'
        elif inline.kind == "math":
            yield f"<code>{escape(inline.text or '')}</code>"
        elif inline.kind == "image" and inline.alt:
            yield escape(inline.alt)


def _styled(inline: anydoc.Inline) -> str:
    text = escape(inline.text or "")
    if inline.style and text.strip():
        for mark, name in _MARKS:
            if getattr(inline.style, mark):
                text = f"<{name}>{text}</{name}>"
    return text


def _link(inline: anydoc.Inline, notes: Mapping[str, int]) -> str:
    inner = "".join(_inlines(inline.content or (), notes))
    target = inline.target
    if (
        target is None
        or target.kind == "anchor"
        or (target.kind == "external" and not _KNOWN_SCHEME.match(target.value))
    ):
        return inner
    return f'<a href="{escape(target.value, quote=True)}">{inner or escape(target.value)}</a>'
