"""A table in text (CSV, TSV, with whatever between the cells) as one document: a Markdown table with its head."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from vaultmem.config import Settings
from vaultmem.errors import SkippedSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

#: What stands between cells, the likelier first: where two fit equally well, the first is taken.
_DELIMITERS = ("\t", ";", ",", "|")
#: A cell is as long as it is; the library would refuse one above 128 kB.
_MAX_CELL = 1 << 30
#: Lines from which the delimiter is told, and characters of each.
_SAMPLE_LINES, _SAMPLE_CHARS = 200, 4000
#: Excel's own line on top of a file: what stands between its cells.
_SEP = re.compile(r'"?sep=(.)"?[ \t]*\n', re.IGNORECASE)
_QUOTED = re.compile(r'"(?:[^"]|"")*+"')
_LINE_END = re.compile(r"[\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
#: Most cells of a long table: nothing in them needs a look.
_HARMLESS = re.compile(r"[^\W_][\w ,.:;()'/+€-]*")
#: A cell that is a value, not the name of a column.
_VALUE = re.compile(
    r"[-+−]?[\d.,\s']*\d[\d.,\s']*(?:%|€|\$|EUR|USD)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*|true|false", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of equal length under a head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def read_csv(raw: RawFile, settings: Settings) -> Reading:
    """The file as one document. Raises SkippedSource without a filled cell, UnreadableSource when it is no text."""
    text = decode(raw.data[:])
    rows, warnings = _rows(text)
    if not rows:
        raise SkippedSource("a table without a filled cell: nothing to import")
    table = as_table(rows)
    title = title_from_name(raw.name)
    moment = own_time({}, raw, settings.zone)
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=f"# {as_markdown(title)}\n\n{table_markdown(table)}",
        provider="document",
        created_at=moment.at,
        time_from=moment.source,
        facts={"notes_count": len(table.rows)},
    )
    items: list[SourceItem] = [document, *(Warn(text=text) for text in warnings)]
    return Reading(format="csv", kind="document", tz=moment.tz, zone_known=moment.zone_known, items=iter(items))


def delimiter_of(text: str) -> str:
    """What stands between the cells, "" where nothing divides the lines alike."""
    sample = _QUOTED.sub('""', text[: _SAMPLE_LINES * _SAMPLE_CHARS])
    lines = [line[:_SAMPLE_CHARS] for line in sample.split("\n") if line.strip()][:_SAMPLE_LINES]
    best, best_share = "", 0.0
    for delimiter in _DELIMITERS:
        counts = Counter(line.count(delimiter) for line in lines)
        number, agreeing = max(counts.items(), key=lambda item: (item[0] > 0, item[1], item[0]))
        # More cells and the same agreement: 1.234,50;7,00 is divided by the semicolon however many commas agree.
        share = agreeing / len(lines) if number else 0.0
        if share > best_share + 0.05:
            best, best_share = delimiter, share
    return best


def _rows(text: str) -> tuple[list[list[str]], tuple[str, ...]]:
    """Every row with a filled cell, and what a person should know."""
    named = _SEP.match(text)
    delimiter = named[1] if named else delimiter_of(text) or ","
    body = text[named.end() :] if named else text
    rows, whole = _parsed(body, delimiter, csv.QUOTE_MINIMAL)
    if whole:
        return rows, ()
    rows, _ = _parsed(body, delimiter, csv.QUOTE_NONE)
    return rows, ("a quotation mark is never closed: quotation marks were read as part of the cells",)


def _parsed(text: str, delimiter: str, quoting: Literal[0, 3]) -> tuple[list[list[str]], bool]:
    """The rows, and False where a quoted cell was still open at the end of a file that goes on below it."""
    csv.field_size_limit(_MAX_CELL)
    # In lines with their ends: that is how a quoted cell keeps its own line ends.
    lines = iter(re.findall(r"[^\n]*\n|[^\n]+", text))
    reader = csv.reader(
        lines, delimiter=delimiter, quoting=quoting, doublequote=True, skipinitialspace=delimiter == ","
    )
    rows: list[list[str]] = []
    last_line = 0
    spanned = 0
    for row in reader:
        if any(cell.strip() for cell in row):
            rows.append(row)
        spanned, last_line = reader.line_num - last_line, reader.line_num
    return rows, not rows or not (spanned > 10 and spanned * 2 > reader.line_num and len(rows[-1]) < len(rows[0]))


def as_table(rows: Sequence[Sequence[str]]) -> Table:
    """Rows of one length; a first row that holds values gets a head of letters above it, as programs name columns."""
    width = max(len(row) for row in rows)
    while width > 1 and all(len(row) < width or not row[width - 1].strip() for row in rows):
        width -= 1
    full = [tuple(cell.strip() for cell in [*row, *[""] * width][:width]) for row in rows]
    first = full[0]
    if len(full) > 1 and _is_head(first):
        return Table(head=tuple(cell or _letters(n) for n, cell in enumerate(first)), rows=tuple(full[1:]))
    return Table(head=tuple(_letters(n) for n in range(width)), rows=tuple(full))


def _is_head(row: Sequence[str]) -> bool:
    """True for names of columns: no values among them, and no name twice."""
    names = [cell for cell in row if cell]
    values = sum(1 for cell in names if _VALUE.fullmatch(cell))
    return len(names) * 2 > len(row) and values * 4 <= len(names) and len(set(names)) * 2 > len(names)


def _letters(number: int) -> str:
    """A, B, … Z, AA, AB, …"""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def table_markdown(table: Table) -> str:
    """The table in Markdown; a cell's line ends as `<br>`, which is how Obsidian shows them."""
    return "".join(_lines(table))


def _lines(table: Table) -> Iterator[str]:
    yield _line(table.head)
    yield "|" + " --- |" * len(table.head) + "\n"
    for row in table.rows:
        yield _line(row)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(_cell, cells)) + " |\n"


def _cell(text: str) -> str:
    """One cell: nothing in it acts, no bar ends it."""
    if _HARMLESS.fullmatch(text):
        return text
    parts = [as_markdown(part.strip()).replace("|", "\\|") for part in _LINE_END.split(text)]
    return "<br>".join(parts)
