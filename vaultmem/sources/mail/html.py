"""The HTML part of a mail -> Markdown, through html-to-markdown, after what mails do to HTML is undone.

Mails are laid out with tables, so a table that only places things is unwrapped before the conversion.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from html_to_markdown import ConversionOptions, convert
from html_to_markdown.exceptions import ConversionError

#: Characters of HTML that are converted; a larger part loses its structure and keeps its text.
MAX_HTML = 3_000_000
#: Nesting the converter is given; it drops what lies deeper.
_OPTIONS = ConversionOptions(extract_metadata=False, skip_images=True, autolinks=False)

_ATTRIBUTES = r"(?:[^\"'<>]|\"[^\"]*\"|'[^']*')*+"
_TABLE_TAG = re.compile(rf"<(/?)(table|thead|tbody|tfoot|tr|td|th|h[1-6])\b({_ATTRIBUTES})>", re.IGNORECASE)
_IMAGE = re.compile(rf"<img\b({_ATTRIBUTES})>", re.IGNORECASE)
_ALT = re.compile(r"""\balt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_UNSEEN = ("style", "script", "head", "title")
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<(?:br|/p|/div|/tr|/li|/h[1-6])\b[^<>]*>", re.IGNORECASE)
_FILLER = re.compile(r"[\u034f\u00ad\u200b\u200c\u200e\u2007\ufeff\u00a0 ]{6,}")
_PRESENTATION = re.compile(r"""role\s*=\s*["']?(?:presentation|none)\b""", re.IGNORECASE)


def html_to_text(source: str) -> str:
    """Canonical Markdown of a mail's HTML part; never raises. Hidden text, scripts, styles and images do not show."""
    # Outlook's conditional comments hold tags that would count as tables.
    clean = _unwrap_layout(_IMAGE.sub(_alternative, _without_comments(source[:MAX_HTML])))
    if len(source) > MAX_HTML:
        return _text_only(source)
    try:
        text = convert(clean, _OPTIONS).content or ""
    except (ConversionError, ValueError):
        return _text_only(clean)
    if not text.strip():
        text = "" if _hidden_only(clean) else _text_only(clean)
    return _FILLER.sub(" ", text).replace("\u00a0", " ")


def _without_comments(source: str) -> str:
    # An unclosed comment is looked for once: each further "<!--" would scan to the end again.
    last = source.rfind("-->") + 3
    return _COMMENT.sub("", source[:last]) + source[last:] if last > 2 else source


def _hidden_only(clean: str) -> bool:
    return bool(re.search(r"display\s*:\s*none|\bhidden\b", clean[:20_000], re.IGNORECASE))


def _text_only(source: str) -> str:
    """The bare text, for HTML the converter cannot take: structure is lost, words are not."""
    for name in _UNSEEN:
        source = _without_element(source, name)
    return html.unescape(_TAG.sub(" ", _BREAK.sub("\n", source)))


def _without_element(source: str, name: str) -> str:
    """`source` without <name>…</name>; an unclosed one goes to the end, as browsers read it."""
    out: list[str] = []
    at = 0
    lower = source.lower()
    while (start := lower.find(f"<{name}", at)) >= 0:
        out.append(source[at:start])
        end = lower.find(f"</{name}", start)
        at = end if end >= 0 else len(source)
    return "".join(out) + source[at:]


def _alternative(match: re.Match[str]) -> str:
    """An image's alternative text when it says something; pixels and logos without one vanish."""
    alt = _ALT.search(match.group(1))
    text = " ".join(((alt.group(1) or alt.group(2) or "") if alt else "").split())
    return f" {text} " if len(text) > 2 else ""


@dataclass(slots=True)
class _Table:
    """What was seen of one table before its end."""

    presentation: bool
    nested: bool = False
    header: bool = False
    heading: bool = False
    rows: int = 0
    cells: int = 0
    widest: int = 0

    def is_layout(self) -> bool:
        """Rows and columns of data, or mere placing? A single row or column without header cells places things."""
        if self.presentation or self.nested or self.heading:
            return True
        return not self.header and (self.widest < 2 or self.rows < 2)


def _unwrap_layout(source: str) -> str:
    """Replace the tags of layout tables by `div`s."""
    tags = list(_TABLE_TAG.finditer(source))
    owner, tables = _owners(tags)
    out: list[str] = []
    end = 0
    for match, table in zip(tags, owner, strict=True):
        if table is not None and tables[table].is_layout() and not match.group(2).lower().startswith("h"):
            out.append(source[end : match.start()])
            out.append(f"<{match.group(1)}div>" if match.group(2).lower() in ("table", "tr", "td", "th") else "")
            end = match.end()
    return "".join(out) + source[end:]


def _owners(tags: list[re.Match[str]]) -> tuple[list[int | None], list[_Table]]:
    """For every tag the table it belongs to, and what each table looks like."""
    tables: list[_Table] = []
    stack: list[int] = []
    owner: list[int | None] = []
    for match in tags:
        closing, name = bool(match.group(1)), match.group(2).lower()
        if name == "table" and not closing:
            if stack:
                tables[stack[-1]].nested = True
            tables.append(_Table(presentation=bool(_PRESENTATION.search(match.group(3)))))
            stack.append(len(tables) - 1)
        owner.append(stack[-1] if stack else None)
        if stack and not closing:
            _count(tables[stack[-1]], name)
        if name == "table" and closing and stack:
            stack.pop()
    return owner, tables


def _count(table: _Table, name: str) -> None:
    if name == "tr":
        table.rows += 1
        table.cells = 0
    elif name in ("td", "th"):
        table.cells += 1
        table.widest = max(table.widest, table.cells)
        table.header = table.header or name == "th"
    elif name not in ("table", "thead", "tbody", "tfoot"):
        table.heading = True
