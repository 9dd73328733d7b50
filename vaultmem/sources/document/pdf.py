"""A PDF as one document: its text in reading order, with what it says of itself.

pdfium reads the text and its places; what pdfium refuses, pypdf tries, without places.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.archive import Window
from vaultmem.sources.document.dates import OwnTime, own_time
from vaultmem.sources.document.pdf_layout import (
    HYPHEN,
    Line,
    Paragraph,
    body_size,
    compounds_of,
    goes_on_overleaf,
    join_lines,
    paragraphs,
    reading_order,
    without_furniture,
)
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.document.plain import as_markdown

_LOCKED = "an encrypted PDF: it opens with a password only; save a copy without one and drop that"
#: What programs write where nobody wrote a title or a name.
_NO_TITLE = re.compile(r"untitled|unknown|unspecified|anonymous|none|null|no title|ohne titel|\d*", re.IGNORECASE)
_PROGRAM = re.compile(r"^(?:Microsoft (?:Word|PowerPoint|Excel)|Word|PowerPoint) - ", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"\.(?:docx?|pptx?|xlsx?|odt|odp|ods|rtf|txt|tex|dvi|indd|html?|pdf|qxd|pages|md)$", re.IGNORECASE
)
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:(Z)|([+-]\d\d)'?(\d\d)?)?")
_LIGATURES = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_CHANGES = str.maketrans({**_LIGATURES, "\u00ad": "-", "\u00a0": " ", "\0": "", "\x02": HYPHEN})
#: A line as pdfium ends it: by a line end, or by the mark of a divided word.
_LINE = re.compile(r"[^\r\n\x02\ufffe]*[\x02\ufffe]|[^\r\n\x02\ufffe]+")
_WORD = re.compile(r"\S+")
#: A gap between letters of one line from which on they are two pieces, in heights of a letter.
_GAP = 1.3
#: How much larger than the text a heading is set.
_HEADING, _GREAT_HEADING = 1.15, 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """A PDF as a library read it."""

    pages: int
    paragraphs: Sequence[Paragraph]
    body_size: float = 0.0
    facts: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def read_pdf(raw: RawFile, settings: Settings) -> Reading:
    """The PDF as one document; one without text as a note that says so. Raises UnreadableSource: encrypted, broken."""
    data = raw.data[:]
    content = _by_pdfium(data) or _by_pypdf(data)
    facts = _facts(content.facts)
    title = str(facts.get("title") or title_from_name(raw.name))
    moment = _moment(content.facts, raw, settings)
    items: list[SourceItem] = [Warn(text=text) for text in content.warnings]
    text = _markdown(content, title)
    if not text:
        what = "1 page" if content.pages == 1 else f"{content.pages} pages"
        text = f"No text (scan?): this PDF has {what} and no text layer."
        items.append(Warn(text=f"no text layer ({what}): run text recognition on it and drop it again"))
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=f"# {as_markdown(title)}\n\n{text}\n",
        provider="document",
        created_at=moment.at,
        time_from=moment.source,
        properties=facts,
        author=str(facts.get("author", "")),
        facts={"pages": content.pages},
    )
    items.insert(0, document)
    return Reading(format="pdf", kind="document", tz=moment.tz, zone_known=moment.zone_known, items=iter(items))


def _facts(found: Mapping[str, str]) -> dict[str, object]:
    """What the metadata say that a person wrote there."""
    title = " ".join(_PROGRAM.sub("", found.get("Title", "")).split())
    facts = {
        "title": "" if _NO_TITLE.fullmatch(title) or _FILE_NAME.search(title) else title,
        "author": _said(found.get("Author", "")),
        "subject": _said(found.get("Subject", "")),
        "keywords": _said(found.get("Keywords", "")),
    }
    return {key: value for key, value in facts.items() if value}


def _said(text: str) -> str:
    text = " ".join(text.split())
    return "" if _NO_TITLE.fullmatch(text) else text


def _moment(found: Mapping[str, str], raw: RawFile, settings: Settings) -> OwnTime:
    for key in ("CreationDate", "ModDate"):
        match = _DATE.match(found.get(key, "").strip())
        if not match:
            continue
        year, month, day, hour, minute, second, utc, hours, minutes = match.groups()
        offset = "Z" if utc else f"{hours}:{minutes or '00'}" if hours else ""
        text = f"{year}-{month or '01'}-{day or '01'}T{hour or '00'}:{minute or '00'}:{second or '00'}{offset}"
        moment = own_time({"created": text}, raw, settings.zone)
        if moment.source.startswith("frontmatter:") and datetime(1985, 1, 1, tzinfo=UTC) < moment.at:
            return OwnTime(at=moment.at, source="metadata", tz=moment.tz, zone_known=moment.zone_known)
    return own_time({}, raw, settings.zone)


def _markdown(content: _Content, title: str) -> str:
    """The paragraphs as Markdown; what is set larger than the text, and short, is a heading."""
    parts: list[str] = []
    for paragraph in content.paragraphs:
        text = paragraph.text.strip()
        level = _level(text, paragraph.size, content.body_size)
        if level and " ".join(text.split()).casefold() == title.casefold() and len(parts) < 3:
            continue
        shown = as_markdown(" ".join(text.split()) if level else text)
        parts.append(f"{'#' * level} {shown}" if level else shown)
    return "\n\n".join(part for part in parts if part.strip())


def _level(text: str, size: float, usual: float) -> int:
    """2 or 3 for a heading, 0 for text."""
    if not usual or size < _HEADING * usual or len(text) > 150 or not re.search(r"[^\W\d_]", text):
        return 0
    return 2 if size >= _GREAT_HEADING * usual else 3


def _by_pdfium(data: bytes) -> _Content | None:
    """The content with places; None where pdfium cannot open the file. Raises UnreadableSource for a locked one."""
    import pypdfium2
    from pypdfium2 import raw as c

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == c.FPDF_ERR_PASSWORD:
            raise UnreadableSource(_LOCKED) from None
        return None
    try:
        pages: list[list[Line]] = []
        heights: list[float] = []
        broken = 0
        for number in range(len(document)):
            try:
                found = list(_lines(c, document[number]))
                height = document.get_page_size(number)[1]
            except pypdfium2.PdfiumError:
                found, height = [], 0.0
                broken += 1
            pages.append(found)
            heights.append(height)
        if not pages:
            return None
        facts = {key: str(value) for key, value in document.get_metadata_dict().items()}
    finally:
        document.close()
    told = (f"{broken} of {len(pages)} pages could not be read",) if broken else ()
    texts = compounds_of(line.text for page in pages for line in page)
    flow = _flow([paragraphs(reading_order(page), texts) for page in without_furniture(pages, heights)], texts)
    return _Content(pages=len(pages), paragraphs=flow, body_size=body_size(pages), facts=facts, warnings=told)


def _flow(pages: Sequence[Sequence[Paragraph]], compounds: frozenset[str]) -> list[Paragraph]:
    """All paragraphs; one that a page break divides is put together."""
    found: list[Paragraph] = []
    for page in pages:
        for number, paragraph in enumerate(page):
            last = found[-1] if found and number == 0 else None
            if last and abs(last.size - paragraph.size) < 1 and goes_on_overleaf(last.text, paragraph.text):
                text = join_lines(last.text, paragraph.text, compounds)
                found[-1] = Paragraph(text=text, size=last.size)
            else:
                found.append(paragraph)
    return found


def _lines(c: Any, page: Any) -> Iterator[Line]:  # noqa: ANN401 - the library has no types
    """The page's pieces of text in the file's order: a line ends where pdfium ends it, and at a wide gap."""
    text_page = page.get_textpage()
    box = c.FS_RECTF()

    def place(index: int) -> tuple[float, float, float, float]:
        c.FPDFText_GetLooseCharBox(text_page, index, ctypes.byref(box))
        return box.left, box.right, box.bottom, box.top

    try:
        for line in _LINE.finditer(_letters(c, text_page)):
            words = [_Word(word, line.start(), place) for word in _WORD.finditer(line.group())]
            yield from _pieces(words)
    finally:
        text_page.close()
        page.close()


def _letters(c: Any, text_page: Any) -> str:  # noqa: ANN401 - the library has no types
    """The page's text, one character for each that pdfium counts: their places are asked for by number."""
    count = c.FPDFText_CountChars(text_page)
    buffer = (ctypes.c_ushort * (count + 1))()
    written = c.FPDFText_GetText(text_page, 0, count, buffer) - 1
    if written == count:
        text = bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")
        if len(text) == count:
            return text
    return "".join(_letter(c.FPDFText_GetUnicode(text_page, index)) for index in range(count))


def _letter(code: int) -> str:
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else "\ufffd"


class _Word:
    """A word and its place, by those of its first and last letter."""

    def __init__(
        self, match: re.Match[str], offset: int, place: Callable[[int], tuple[float, float, float, float]]
    ) -> None:
        first = place(offset + match.start())
        last = place(offset + match.end() - 1) if match.end() - match.start() > 1 else first
        self.text = match.group()
        self.left, self.right = min(first[0], last[0]), max(first[1], last[1])
        self.bottom, self.top = first[2], first[3]


def _pieces(words: Sequence[_Word]) -> Iterator[Line]:
    """The words of a line, divided where nothing stands for the width of more than a letter."""
    piece: list[_Word] = []
    for word in words:
        if piece and word.left - piece[-1].right > _GAP * (word.top - word.bottom):
            yield from _line(piece)
            piece = []
        piece.append(word)
    yield from _line(piece)


def _line(words: Sequence[_Word]) -> Iterator[Line]:
    text = _text(" ".join(word.text for word in words))
    if text:
        tall = sorted(words, key=lambda word: word.top - word.bottom)[len(words) // 2]
        left, right = min(word.left for word in words), max(word.right for word in words)
        yield Line(text=text, left=left, right=right, bottom=tall.bottom, top=tall.top)


def _text(text: str) -> str:
    text = text.translate(_CHANGES).strip()
    return unicodedata.normalize("NFC", re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", re.sub(r"[ \t]+", " ", text)))


def _by_pypdf(data: bytes) -> _Content:
    """The content without places. Raises UnreadableSource."""
    from pypdf import PdfReader

    try:
        reader = PdfReader(Window(data))  # type: ignore[arg-type]  # it asks for no more than Window has
        locked = reader.is_encrypted and not reader.decrypt("")
        pages = [] if locked else [_text_paragraphs(page.extract_text() or "") for page in reader.pages]
        metadata = {} if locked else dict(reader.metadata or {})
        facts = {str(key).removeprefix("/"): str(value) for key, value in metadata.items()}
    except Exception as error:  # noqa: BLE001 - broken files make the library fail in any way
        cause = " ".join(str(error).split())[:120] or type(error).__name__
        raise UnreadableSource(f"a PDF that is broken: {cause}; open it in a viewer and save a copy") from None
    if locked:
        raise UnreadableSource(_LOCKED)
    if not pages:
        raise UnreadableSource("a PDF without any page: download it again")
    return _Content(pages=len(pages), paragraphs=_flow(pages, frozenset()), facts=facts)


def _text_paragraphs(text: str) -> list[Paragraph]:
    """Blocks of lines as paragraphs; the size is unknown."""
    found = []
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in map(_text, block.split("\n")) if line]
        joined = lines[0] if lines else ""
        for line in lines[1:]:
            joined = join_lines(joined, line, ()) if joined.endswith("-") else f"{joined}\n{line}"
        if joined:
            found.append(Paragraph(text=joined, size=0.0))
    return found
