"""Which reader of documents a file belongs to, by its content. `sources.identify` asks, and knows everything else."""

from __future__ import annotations

import re
from collections.abc import Callable

from vaultmem.model import Bytes
from vaultmem.sources.archive import Archive
from vaultmem.sources.document.canvas import is_canvas, is_drawing, is_drawing_note
from vaultmem.sources.document.csv_table import delimiter_of

_CALENDAR = re.compile(r"\s*BEGIN[ \t]*:[ \t]*(?:VCALENDAR|VEVENT|VTODO|VJOURNAL)\b", re.IGNORECASE)
_TABLE_NAMES = ("csv", "tsv", "tab")
#: Lines that must be divided alike before a file of another name is taken for a table.
_SURE_LINES, _SURE_CELLS = 3, 3


def _holds(name: str) -> Callable[[Archive], bool]:
    return lambda archive: name in archive.names


def _is_open_document(kind: str) -> Callable[[Archive], bool]:
    """An OpenDocument file names what it is in its own first member; templates too."""
    said = f"application/vnd.oasis.opendocument.{kind}".encode()
    return lambda archive: (
        {"mimetype", "content.xml"} <= set(archive.names) and archive.read("mimetype").startswith(said)
    )


#: Format of an office file -> what tells it from other archives.
OFFICE: tuple[tuple[str, Callable[[Archive], bool]], ...] = (
    ("docx", _holds("word/document.xml")),
    ("pptx", _holds("ppt/presentation.xml")),
    ("xlsx", lambda archive: bool({"xl/workbook.xml", "xl/workbook.bin"} & set(archive.names))),
    ("odt", _is_open_document("text")),
    ("ods", _is_open_document("spreadsheet")),
    ("odp", _is_open_document("presentation")),
    ("epub", _holds("META-INF/container.xml")),
)
#: Streams of Microsoft's older container, by which its files are told.
_STREAMS: tuple[tuple[bytes, str], ...] = (
    (b"EncryptedPackage", "encrypted"), (b"__properties_version1.0", "msg"), (b"WordDocument", "doc"),
    (b"PowerPoint Document", "ppt"), (b"Workbook", "xls"), (b"Book", "xls"),
)  # fmt: skip


def format_of_container(data: Bytes) -> str:
    """doc | xls | ppt | msg | encrypted of a file in Microsoft's older container; "" for any other."""
    for name, format_ in _STREAMS:
        wide = b"".join(bytes((letter, 0)) for letter in name)
        if data.find(wide + b"\0\0") >= 0:
            return format_
    return ""


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
