"""HTML text -> a tree, in linear time whatever the text: tag soup, open quotes, nesting of thousands of levels.

The standard library's parser is quadratic on unclosed tags and comments, so the tokens are cut here. Elements are
closed as browsers close them, as far as saved pages need it: paragraphs by blocks, list items and cells by their next.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

#: Levels that are built; what lies deeper is hung into the deepest one. Pages of people have at most some 60.
MAX_DEPTH = 100
#: Tags that are cut off by the end of the file are looked for so often; each look reads to the end.
_MAX_FAILURES = 8

#: A quote opens a value only after `=`: `<p title=it's>` ends at its bracket.
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*+)((?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|))*+)>")
_ATTRIBUTE = re.compile(r"([^\s=/\"'>]+)(?:\s*=\s*(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]++)))?")
VOID = frozenset((
    "area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr", "keygen", "basefont", "bgsound",
))  # fmt: skip
#: Elements whose content is no markup.
_RAW = frozenset(("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"))
_ESCAPABLE = frozenset(("title", "textarea"))
#: Blocks whose start ends an open paragraph.
BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div", "dl", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "main",
    "menu", "nav", "ol", "p", "pre", "section", "summary", "table", "ul", "body", "html", "li", "dt", "dd", "tr", "td",
    "th", "thead", "tbody", "tfoot", "caption",
))  # fmt: skip
_ROWS = frozenset(("tr", "thead", "tbody", "tfoot"))
#: Start of the key closes an open one of these, unless one of `_WALLS` stands between.
_CLOSES: Mapping[str, frozenset[str]] = {
    "li": frozenset(("li",)),
    "dt": frozenset(("dt", "dd")),
    "dd": frozenset(("dt", "dd")),
    "tr": frozenset(("tr", "td", "th", "caption", "colgroup")),
    "td": frozenset(("td", "th")),
    "th": frozenset(("td", "th")),
    "thead": _ROWS | {"td", "th", "caption", "colgroup"},
    "tbody": _ROWS | {"td", "th", "caption", "colgroup"},
    "tfoot": _ROWS | {"td", "th", "caption", "colgroup"},
    "option": frozenset(("option",)),
    "a": frozenset(("a",)),
    "body": frozenset(("head",)),
}
_WALLS = frozenset(("table", "ul", "ol", "dl", "menu", "dir", "select", "svg", "math", "template", "object"))


@dataclass(slots=True, eq=False)
class Element:
    """One element. Cleaning changes it in place: a page is too large to copy at each step."""

    name: str
    #: lower-case names; values without entities
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def get(self, name: str) -> str:
        """The attribute's value, "" where it is absent or empty."""
        return self.attributes.get(name, "")

    def elements(self) -> Iterator[Element]:
        """All elements below, in the order of the page. Children may be changed once they were given."""
        stack: list[Element] = [self]
        while stack:
            element = stack.pop()
            if element is not self:
                yield element
            if element.children:
                stack += [child for child in reversed(element.children) if not isinstance(child, str)]

    def text(self) -> str:
        """All text below, as it is."""
        parts: list[str] = []
        stack: list[Element | str] = list(reversed(self.children))
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                parts.append(item)
            else:
                stack += reversed(item.children)
        return "".join(parts)

    def words(self) -> str:
        """All text below in one line."""
        return " ".join(self.text().split())

    def classes(self) -> frozenset[str]:
        """The class names, lower-case."""
        return frozenset(self.get("class").lower().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page as it was parsed."""

    root: Element
    #: the text of its comments, for what browsers note there when they save a page
    comments: tuple[str, ...]
    #: levels were cut
    flattened: bool


def parse(source: str) -> Page:
    """The tree of any text; never raises."""
    builder = _Builder()
    for kind, text, attributes in _tokens(source):
        if kind == "text":
            builder.text(text)
        elif kind == "start":
            builder.start(text, attributes)
        elif kind == "end":
            builder.end(text)
        elif len(builder.comments) < 20:
            builder.comments.append(text[:4000])
    return Page(root=builder.root, comments=tuple(builder.comments), flattened=builder.flattened)


Token = tuple[str, str, str]


def _tokens(source: str) -> Iterator[Token]:
    """(text | start | end | comment, text or name, attributes)."""
    at, last = 0, source.rfind(">")
    failures = 0
    unended: set[str] = set()
    while True:
        opening = source.find("<", at)
        if opening < 0 or opening > last or failures > _MAX_FAILURES:
            break
        if opening > at:
            yield "text", html.unescape(source[at:opening]), ""
        aside = _aside(source, opening, unended)
        if aside:
            token, at = aside
            yield token
            continue
        match = _TAG.match(source, opening)
        if not match:
            failures += source.startswith("<", opening) and source[opening + 1 : opening + 2].isalpha()
            yield "text", "<", ""
            at = opening + 1
            continue
        at = match.end()
        name = match[2].lower()
        yield ("end" if match[1] else "start"), name, match[3]
        if name in _RAW and not match[1] and name not in unended:
            end = _raw_end(source, at, name)
            if end < 0:
                unended.add(name)
                end = len(source) if name in ("script", "style") else at
            inside = source[at:end]
            yield "text", html.unescape(inside) if name in _ESCAPABLE else inside, ""
            at = end
    if at < len(source):
        yield "text", html.unescape(re.sub(r"<[^<>]*>", " ", source[at:])), ""


def _aside(source: str, at: int, unended: set[str]) -> tuple[Token, int] | None:
    """A comment, declaration or instruction at `at`, and where it ends; None for anything else."""
    if source.startswith("<!--", at):
        end = source.find("-->", at + 4) if "<!--" not in unended else -1
        if end >= 0:
            return ("comment", source[at + 4 : end], ""), end + 3
        unended.add("<!--")
    elif source.startswith("<![CDATA[", at):
        end = source.find("]]>", at) if "<![CDATA[" not in unended else -1
        if end >= 0:
            return ("text", source[at + 9 : end], ""), end + 3
        unended.add("<![CDATA[")
    if source.startswith(("<!", "<?"), at) or (source.startswith("</", at) and not source[at + 2 : at + 3].isalpha()):
        return ("comment", "", ""), source.find(">", at) + 1
    return None


def _raw_end(source: str, at: int, name: str) -> int:
    match = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(source, at)
    return match.start() if match else -1


def attributes_of(text: str) -> dict[str, str]:
    """The attributes of a tag; the first of two equal names counts."""
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        value = next((v for v in match.groups()[1:] if v is not None), "")
        found.setdefault(match[1].lower(), html.unescape(value))
    return found


class _Builder:
    """The stack of open elements."""

    def __init__(self) -> None:
        self.root = Element("#page")
        self.comments: list[str] = []
        self.flattened = False
        self._open = [self.root]

    def text(self, text: str) -> None:
        children = self._open[-1].children
        if text:
            children.append(text)

    def start(self, name: str, attributes: str) -> None:
        if name in ("html", "body") and any(element.name == name for element in self._open):
            return
        if name in BLOCKS:
            self._close_paragraph()
        if name in _CLOSES:
            self._close_before(_CLOSES[name])
        element = Element(name, attributes_of(attributes))
        self._open[-1].children.append(element)
        if name in VOID or (
            attributes.endswith("/") and name not in BLOCKS and name not in _RAW and name not in _INLINE
        ):
            return
        if len(self._open) >= MAX_DEPTH:
            self.flattened = True
        else:
            self._open.append(element)

    def end(self, name: str) -> None:
        if name == "br":
            self._open[-1].children.append(Element("br"))
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].name == name:
                del self._open[depth:]
                return
            # A stray end tag in a cell does not end what the table stands in.
            if self._open[depth].name in ("td", "th", "table") and name not in _TABLE:
                return

    def _close_paragraph(self) -> None:
        for depth in range(len(self._open) - 1, 0, -1):
            name = self._open[depth].name
            if name == "p":
                del self._open[depth:]
                return
            if name in BLOCKS or name in _WALLS or name == "button":
                return

    def _close_before(self, names: frozenset[str]) -> None:
        """Close the outermost open element of these names on this side of a wall."""
        found = 0
        for depth in range(len(self._open) - 1, 0, -1):
            name = self._open[depth].name
            if name in names:
                found = depth
            elif name in _WALLS or (names == _CLOSES["a"] and name in BLOCKS):
                break
        if found:
            del self._open[found:]


_TABLE = frozenset(("table", "tr", "td", "th", "thead", "tbody", "tfoot", "html", "body"))
_INLINE = frozenset(
    ("a", "b", "i", "em", "strong", "span", "code", "u", "font", "sub", "sup", "small", "mark", "s", "q")
)
