"""Code listings of web pages: one `pre` each, in its language, without the numbers in front of the lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from vaultmem.sources.document.html_tree import BLOCKS, Element

#: What highlighters call the column or the mark of a line's number.
_NUMBERS = frozenset((
    "lineno", "linenos", "linenodiv", "linenumber", "linenumbers", "line-number", "line-numbers", "line-num", "lnum",
    "ln", "blob-num", "gutter", "rouge-gutter", "hljs-ln-numbers", "hljs-ln-line-number", "code-line-number",
    "react-line-number", "react-syntax-highlighter-line-number", "line-numbers-rows", "gl",
    "gutter-line", "cl-number", "line-no",
))  # fmt: skip
_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|highlight|brush:?)[-: ]\s*([a-z][\w+#.-]{0,20})")
_WORD = re.compile(r"[a-z][\w+#.-]{0,20}")
_NO_LANGUAGE = frozenset(
    ("plain", "plaintext", "text", "none", "default", "code", "nohighlight", "plain-text", "unknown")
)
_NUMBER = re.compile(r"\s*\d{1,6}[.:|]?\s*")
_NUMBER_ROWS = re.compile(r"\s*(?:\d{1,6}\s+)*\d{1,6}\s*")


def gather_code(root: Element) -> None:
    """Turn every listing below into `<pre><code class="language-…">text</code></pre>`, in place."""
    stack: list[tuple[Element, str]] = [(root, "")]
    while stack:
        parent, outer = stack.pop()
        for at, child in enumerate(parent.children):
            if isinstance(child, str):
                continue
            language = _language(child) or outer
            if child.name == "table":
                lines = _numbered_listing(child)
                if lines is not None:
                    inner = next((_language(e) for e in child.elements() if _language(e)), "")
                    parent.children[at] = _listing("\n".join(lines), inner or language)
                    continue
            if child.name in ("pre", "xmp", "listing"):
                inner = next((_language(e) for e in child.elements() if e.name == "code" and _language(e)), "")
                parent.children[at] = _listing("".join(_code_text(child)), inner or language)
            else:
                stack.append((child, language if child.name in ("div", "figure", "span", "code", "td", "tr") else ""))


def _listing(text: str, language: str) -> Element:
    code = Element("code", {"class": f"language-{language}"} if language else {}, [text.strip("\n")])
    return Element("pre", {}, [code])


def _language(element: Element) -> str:
    """The language an element's class or data names, "" for none."""
    for key in ("data-lang", "data-language"):
        if _WORD.fullmatch(element.get(key).lower()):
            return _known(element.get(key).lower())
    written = element.get("class").lower()
    if not written:
        return ""
    match = _LANGUAGE.search(written)
    if match:
        return _known(match[1])
    words = written.split()
    if words[0] == "sourcecode" and len(words) > 1 and _WORD.fullmatch(words[-1]):
        return _known(words[-1])
    return ""


def _known(language: str) -> str:
    return "" if language in _NO_LANGUAGE or language.startswith("source-") else language


def _numbered_listing(table: Element) -> list[str] | None:
    """The lines of a table that only sets numbers beside code; None for a table of data."""
    rows = [e for e in table.elements() if e.name == "tr"]
    cells = [[c for c in row.children if isinstance(c, Element) and c.name in ("td", "th")] for row in rows]
    if not cells or any(len(row) not in (1, 2, 3) for row in cells):
        return None
    if len(cells) == 1 and len(cells[0]) == 2:
        numbers, code = cells[0]
        if _is_number_column(numbers) and _holds_code(code):
            return "".join(_code_text(code)).strip("\n").split("\n")
        return None
    pairs = [row for row in cells if len(row) >= 2]
    if len(pairs) < 2 or not _counts_up([row[0] for row in pairs]):
        return None
    if not (_marked(pairs[0][0]) or all(_holds_code(row[-1]) for row in pairs)):
        return None
    return ["".join(_code_text(row[-1])).strip("\n") for row in pairs]


def _is_number_column(cell: Element) -> bool:
    """1, 2, 3, … or a column that says what it is (numbers drawn by a style sheet leave it empty)."""
    text = cell.text()
    return bool(_NUMBER_ROWS.fullmatch(text)) or (_marked(cell) and not text.strip())


def _counts_up(cells: Sequence[Element]) -> bool:
    """Each cell holds the next number, or is marked as one and empty."""
    texts = [cell.text().strip().rstrip(".:|") for cell in cells]
    if not any(texts):
        return all(_marked(cell) for cell in cells)
    if not all(_NUMBER.fullmatch(text) for text in texts):
        return False
    return all(int(after) == int(before) + 1 for before, after in pairwise(texts))


def _marked(element: Element) -> bool:
    return not element.classes().isdisjoint(_NUMBERS) or "data-line-number" in element.attributes


def _holds_code(cell: Element) -> bool:
    if any("code" in name for name in cell.classes()):
        return True
    return any(inner.name in ("pre", "code") for inner in cell.elements())


def _code_text(element: Element) -> Iterator[str]:
    """The text of code as it is, with line breaks where elements make them, without line numbers."""
    ended = True
    for text, starts_line in _pieces(element):
        if starts_line and not ended:
            yield "\n"
            ended = True
        if text:
            yield text
            ended = text.endswith("\n")


def _pieces(element: Element) -> Iterator[tuple[str, bool]]:
    """(text, must start a line), in order; the depth of a page is limited, so is this recursion."""
    for child in element.children:
        if isinstance(child, str):
            yield child.replace("\u00a0", " "), False
        elif child.name == "br":
            yield "\n", False
        elif _is_number(child):
            continue
        else:
            block = child.name in BLOCKS and child.name not in ("td", "th", "tbody", "table")
            if block:
                yield "", True
            yield from _pieces(child)
            if block:
                yield "", True


def _is_number(element: Element) -> bool:
    """A mark of a line's number: by its name, and by what it holds. `ln` may also name a line of code."""
    return _marked(element) and re.fullmatch(r"[\s\d.:|]*", element.text()) is not None
