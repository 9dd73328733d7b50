"""Which reader of documents a file belongs to, by its content. `sources.detect` asks, and knows everything else."""

from __future__ import annotations

import re
from collections.abc import Callable

from vaultmem.sources.archive import Archive
from vaultmem.sources.document.canvas import is_canvas, is_drawing, is_drawing_note
from vaultmem.sources.document.csv_table import delimiter_of

_CALENDAR = re.compile(r"\s*BEGIN[ \t]*:[ \t]*(?:VCALENDAR|VEVENT|VTODO|VJOURNAL)\b", re.IGNORECASE)
_TABLE_NAMES = ("csv", "tsv", "tab")
#: Lines that must be divided alike before a file of another name is taken for a table.
_SURE_LINES, _SURE_CELLS = 3, 3


def _holds(name: str) -> Callable[[Archive], bool]:
    return lambda archive: name in archive.names


#: Format of an office file -> what tells it from other archives.
OFFICE: tuple[tuple[str, Callable[[Archive], bool]], ...] = (("docx", _holds("word/document.xml")),)


def json_format(found: object) -> str:
    """The format of parsed JSON; "" for any other."""
    if is_drawing(found):
        return "excalidraw"
    return "canvas" if is_canvas(found) else ""


def text_format(name: str, text: str) -> str:
    """The format of a text; "" for one that is none of ours."""
    if _CALENDAR.match(text[:1000].lstrip("\ufeff")):
        return "ics"
    if is_drawing_note(text):
        return "excalidraw"
    suffix = name.rpartition("/")[2].rpartition(".")[2].lower()
    if suffix in _TABLE_NAMES:
        return "csv"
    known = suffix in ("md", "markdown", "mdown", "mkd", "txt", "text", "log", "html", "htm", "eml")
    return "csv" if not known and _is_surely_table(text) else ""


def _is_surely_table(text: str) -> bool:
    """True for lines of at least three cells, every one divided alike."""
    lines = [line for line in text[:20_000].split("\n")[:50] if line.strip()]
    if len(lines) < _SURE_LINES or '"' in text[:20_000]:
        return False
    delimiter = delimiter_of(text)
    counts = {line.count(delimiter) for line in lines[:-1]} if delimiter else set()
    return len(counts) == 1 and min(counts) >= _SURE_CELLS - 1
