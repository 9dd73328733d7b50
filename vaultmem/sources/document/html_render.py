"""A cleaned tree -> Markdown through html-to-markdown: links resolved, images as links, text that does nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from urllib.parse import urljoin

from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from html_to_markdown.exceptions import ConversionError

from vaultmem.core.notes.inert import is_executable
from vaultmem.errors import UnreadableSource
from vaultmem.sources.document.html_tree import BLOCKS, VOID, Element
from vaultmem.sources.document.plain import as_markdown

#: The backslash of an escape, until the converter, which would double it, is through. `read_html` takes it out of the
#: page (as an entity it cannot be written: it is no character).
ESCAPE = "\ufdd0"
#: Stands between two quotations, which the converter would write as one.
_APART = "\ufdd1"
#: More formatting than this in one paragraph is no writing, and costs the converter quadratic time.
_MAX_FORMATS = 4000
_OPTIONS = ConversionOptions(
    extract_metadata=False,
    autolinks=False,
    skip_images=True,
    bullets="-",
    expand_abbreviations=False,
    preprocessing=PreprocessingOptions(enabled=False),
)
_BLANKS = re.compile(r"[ \t\n\r\f]+")
#: Without one of these nothing in a text acts; most texts have none.
_MAY_ACT = re.compile("[\\\\`*_~=\\[\\]<>&#$%^]")
_EMPHASIS = re.compile(r"(?<=\S)\*|\*(?=\S)|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)|~(?=~)|(?<=~)~|=(?==\S)|(?<=\S=)=")
_FORMATS = frozenset(
    ("b", "strong", "i", "em", "u", "s", "del", "strike", "ins", "mark", "code", "small", "span", "font")
)
_CODE = frozenset(("code", "kbd", "samp", "tt", "var"))
#: Attributes that the converter needs; the rest would only cost time, or act.
_KEPT = ("colspan", "rowspan", "start", "type", "checked")
_SAFE = re.compile(r"(?!(?:javascript|vbscript|data|file|about|blob|chrome|resource|obsidian)\s*:)", re.IGNORECASE)
_RAISED = re.compile(r"[+\-−]?[\dn]{1,3}")


def to_markdown(root: Element, base: str) -> str:
    """The page's Markdown. Raises UnreadableSource when the converter refuses it."""
    writer = _Writer(base)
    for child in root.children:
        writer.node(child)
    try:
        found = convert("".join(writer.parts), _OPTIONS).content or ""
    except (ConversionError, ValueError) as error:
        raise UnreadableSource(f"the page's HTML cannot be converted: {' '.join(str(error).split())[:200]}") from None
    found = found.replace("\u00a0", " ").replace(ESCAPE, "\\").replace(_APART, "")
    return re.sub(r"\n{3,}", "\n\n", found).strip("\n")


def escaped(text: str) -> str:
    """Text of a page, in one line, with every mark that would act as Markdown made harmless."""
    line = _BLANKS.sub(" ", text.replace(_APART, ""))
    if not _MAY_ACT.search(line) and line.strip("- "):
        return line
    line = as_markdown(line)
    return _EMPHASIS.sub(lambda match: "\\" + match.group(), line)


def resolve(href: str, base: str) -> str:
    """The address a link means; "" for one that leads nowhere outside this page or runs something."""
    clean = re.sub(r"[\t\n\r\f]", "", href).strip()
    if not clean or clean.startswith("#") or not _SAFE.match(clean):
        return ""
    try:
        return urljoin(base, clean) if base else clean
    except ValueError:
        return clean


class _Writer:
    """The HTML that the converter gets, part by part."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.parts: list[str] = []

    def node(self, item: Element | str, *, in_link: bool = False) -> None:
        """Write a text or an element, as its rule says."""
        if isinstance(item, str):
            self.text(item)
            return
        rule = _RULES.get(item.name)
        if rule:
            rule(self, item, in_link)
        elif item.name in _CODE:
            self.code(item)
        else:
            self.element(item, item.name, in_link=in_link)

    def text(self, text: str) -> None:
        """Text in which no mark acts, neither as HTML nor as Markdown."""
        self.parts.append(html.escape(escaped(text).replace("\\", ESCAPE), quote=False))

    def code(self, item: Element) -> None:
        """Words set as code, without what stands in them for show."""
        text = _BLANKS.sub(" ", item.text())
        shown = html.escape(text, quote=False)
        self.parts.append(f"<code>{shown}</code>" if text.strip() else shown)

    def element(self, item: Element, name: str, *, in_link: bool) -> None:
        """The element under a name the converter knows, with what is in it."""
        kept = [f' {key}="{html.escape(item.get(key))}"' for key in _KEPT if key in item.attributes]
        self.parts.append(f"<{name}{''.join(kept)}>")
        if name not in VOID:
            self.children(item, in_link=in_link)
            self.parts.append(f"</{name}>")
        if name == "blockquote":
            self.parts.append(f"<p>{_APART}</p>")

    def children(self, item: Element, *, in_link: bool) -> None:
        """What is in the element; formatting beyond all measure as plain text."""
        formats = sum(1 for child in item.children if isinstance(child, Element) and child.name in _FORMATS)
        for child in item.children:
            plain = formats > _MAX_FORMATS and isinstance(child, Element) and child.name in _FORMATS
            self.node(child.text() if plain and isinstance(child, Element) else child, in_link=in_link)

    def link(self, href: str, text: str) -> None:
        """A link with a plain text."""
        self.parts.append(f'<a href="{html.escape(href)}">')
        self.text(text)
        self.parts.append("</a>")


def _pre(to: _Writer, item: Element, _in_link: bool) -> None:
    code = item.children[0] if item.children else ""
    language = code.get("class") if isinstance(code, Element) else ""
    if is_executable(language.removeprefix("language-")):
        language = "language-text"
    named = f' class="{html.escape(language)}"' if language else ""
    shown = html.escape(item.text(), quote=False)
    to.parts.append(f"<pre><code{named}>{shown}\n</code></pre>")


def _link(to: _Writer, item: Element, in_link: bool) -> None:
    href = resolve(item.get("href"), to.base)
    if not href or in_link or not _shows(item):
        to.children(item, in_link=in_link)
    elif any(inner.name in BLOCKS for inner in item.elements()):
        # A link around blocks (cards, headings) has no Markdown: the blocks stay, the address follows.
        to.children(item, in_link=True)
        to.parts.append("<p>")
        to.link(href, href)
        to.parts.append("</p>")
    else:
        to.parts.append(f'<a href="{html.escape(href)}">')
        to.children(item, in_link=True)
        to.parts.append("</a>")


def _shows(link: Element) -> bool:
    """False for a link without words: it is an anchor, or its picture is shown as a link of its own."""
    return bool(link.words()) or any(inner.name == "img" and inner.get("alt").strip() for inner in link.elements())


def _image(to: _Writer, item: Element, in_link: bool) -> None:
    """A link to the image by its alternative text; the text alone where there is no address, nothing for a pixel."""
    alt = " ".join(item.get("alt").split())
    sides = [item.get(side).strip().lower().removesuffix("px") for side in ("width", "height")]
    if any(side in ("0", "1", "2") for side in sides):
        return
    source = next((s for s in map(item.get, _SOURCES) if s and not s.startswith("data:")), "")
    href = resolve(source, to.base)
    if href and not in_link:
        to.link(href, alt or "image")
    elif alt:
        to.text(f" {alt} ")


_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-full-url", "src")


def _media(to: _Writer, item: Element, in_link: bool) -> None:
    """A film, a sound or a page in the page: a link to it."""
    places = [item, *(inner for inner in item.elements() if inner.name == "source")]
    href = next((h for h in (resolve(place.get("src"), to.base) for place in places) if h), "")
    if href and not in_link:
        to.parts.append("<p>")
        to.link(href, " ".join((item.get("title") or item.name).split()))
        to.parts.append("</p>")


def _raised(to: _Writer, item: Element, in_link: bool) -> None:
    """A power keeps its sign (10^6 is not 106); other raised text does not."""
    words = item.words()
    if len(words) <= 4 and _RAISED.fullmatch(words):
        to.parts.append(f"^{html.escape(words)}")
    else:
        to.children(item, in_link=in_link)


def _formula(to: _Writer, item: Element, _in_link: bool) -> None:
    """A formula as the TeX it was written in, or else its text."""
    tex = next((e.text() for e in item.elements() if e.name == "annotation" and "tex" in e.get("encoding").lower()), "")
    tex = " ".join((tex or item.get("alttext")).replace("$", "").split())
    if tex:
        sign = "$$" if item.get("display") == "block" else "$"
        to.parts.append(html.escape(f"{sign}{tex}{sign}".replace("\\", ESCAPE), quote=False))
    else:
        to.text(item.words())


def _raw(to: _Writer, item: Element, _in_link: bool) -> None:
    """Markdown of our own making; no page can name an element so."""
    to.parts.append(html.escape(item.text(), quote=False))


def _bare(to: _Writer, item: Element, in_link: bool) -> None:
    to.children(item, in_link=in_link)


def _as_div(to: _Writer, item: Element, in_link: bool) -> None:
    to.element(item, "div", in_link=in_link)


def _nothing(_to: _Writer, _item: Element, _in_link: bool) -> None:
    """What shows nothing."""


_Rule = Callable[["_Writer", Element, bool], None]
_RULES: dict[str, _Rule] = {
    "#raw": _raw,
    "pre": _pre,
    "a": _link,
    "img": _image,
    "video": _media,
    "audio": _media,
    "iframe": _media,
    "sup": _raised,
    "math": _formula,
    "u": _bare,
    "font": _bare,
    "small": _bare,
    "abbr": _bare,
    "time": _bare,
    "span": _bare,
    "picture": _bare,
    "source": _nothing,
    "wbr": _nothing,
    "form": _as_div,
    "fieldset": _as_div,
    "center": _as_div,
    "html": _as_div,
    "head": _as_div,
    "body": _as_div,
    "main": _as_div,
    "aside": _as_div,
    "footer": _as_div,
    "header": _as_div,
}
