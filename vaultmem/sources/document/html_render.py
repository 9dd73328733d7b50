"""A cleaned tree -> Markdown through html-to-markdown: links resolved, images as links, text that does nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

from html_to_markdown import ConversionOptions, PreprocessingOptions, convert
from html_to_markdown.exceptions import ConversionError

from vaultmem.errors import UnreadableSource
from vaultmem.sources.document.html_tree import BLOCKS, VOID, Element
from vaultmem.sources.document.plain import as_markdown

#: The backslash of an escape, until the converter, which would double it, is through. No text may hold it.
_ESCAPE = "\ufdd0"
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
    try:
        found = convert("".join(_html(root, base)), _OPTIONS).content or ""
    except (ConversionError, ValueError) as error:
        raise UnreadableSource(f"the page's HTML cannot be converted: {' '.join(str(error).split())[:200]}") from None
    found = found.replace("\u00a0", " ").replace(_ESCAPE, "\\")
    return re.sub(r"\n{3,}", "\n\n", found).strip("\n")


def escaped(text: str) -> str:
    """Text of a page, in one line, with every mark that would act as Markdown made harmless."""
    line = as_markdown(_BLANKS.sub(" ", text.replace(_ESCAPE, "")))
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


def _html(root: Element, base: str) -> Iterator[str]:
    for child in root.children:
        yield from _node(child, base, in_link=False, in_code=False)


def _node(item: Element | str, base: str, *, in_link: bool, in_code: bool) -> Iterator[str]:
    if isinstance(item, str):
        yield html.escape(item if in_code else escaped(item).replace("\\", _ESCAPE), quote=False)
        return
    rule = _RULES.get(item.name)
    if rule:
        yield from rule(item, base, in_link)
    elif item.name in _CODE:
        text = _BLANKS.sub(" ", item.text().replace(_ESCAPE, ""))
        yield f"<code>{html.escape(text, quote=False)}</code>" if text.strip() else text
    else:
        yield from _element(item, item.name, base, in_link=in_link)


def _element(item: Element, name: str, base: str, *, in_link: bool) -> Iterator[str]:
    kept = [f' {key}="{html.escape(item.get(key))}"' for key in _KEPT if key in item.attributes]
    yield f"<{name}{''.join(kept)}>"
    if name in VOID:
        return
    yield from _children(item, base, in_link=in_link)
    yield f"</{name}>"


def _children(item: Element, base: str, *, in_link: bool) -> Iterator[str]:
    formats = sum(1 for child in item.children if isinstance(child, Element) and child.name in _FORMATS)
    for child in item.children:
        plain = formats > _MAX_FORMATS and isinstance(child, Element) and child.name in _FORMATS
        shown = child.text() if plain and isinstance(child, Element) else child
        yield from _node(shown, base, in_link=in_link, in_code=False)


def _pre(item: Element, _base: str, _in_link: bool) -> Iterator[str]:
    code = item.children[0] if item.children else ""
    language = code.get("class") if isinstance(code, Element) else ""
    named = f' class="{html.escape(language)}"' if language else ""
    yield f"<pre><code{named}>{html.escape(item.text().replace(_ESCAPE, ''), quote=False)}\n</code></pre>"


def _link(item: Element, base: str, in_link: bool) -> Iterator[str]:
    href = resolve(item.get("href"), base)
    shown = "".join(_children(item, base, in_link=True))
    if not href or in_link or not re.sub(r"<[^>]*>", "", shown).strip():
        yield shown
    elif any(inner.name in BLOCKS for inner in item.elements()):
        # A link around blocks (cards, headings) has no Markdown: the blocks stay, the address follows.
        yield f'{shown}<p><a href="{html.escape(href)}">{html.escape(escaped(href).replace(chr(92), _ESCAPE))}</a></p>'
    else:
        yield f'<a href="{html.escape(href)}">{shown}</a>'


def _image(item: Element, base: str, in_link: bool) -> Iterator[str]:
    """A link to the image by its alternative text; the text alone where there is no address, nothing for a pixel."""
    alt = " ".join(item.get("alt").split())
    sides = [item.get(side).strip().lower().removesuffix("px") for side in ("width", "height")]
    if any(side in ("0", "1", "2") for side in sides):
        return
    source = next((s for s in map(item.get, _SOURCES) if s and not s.startswith("data:")), "")
    href = resolve(source, base)
    shown = html.escape(escaped(alt).replace("\\", _ESCAPE))
    if in_link or not href:
        yield f" {shown} " if shown else ""
    else:
        yield f'<a href="{html.escape(href)}">{shown or "image"}</a>'


_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-full-url", "src")


def _media(item: Element, base: str, in_link: bool) -> Iterator[str]:
    """A film, a sound or a page in the page: a link to it."""
    places = [item, *(inner for inner in item.elements() if inner.name == "source")]
    href = next((h for h in (resolve(place.get("src"), base) for place in places) if h), "")
    title = " ".join((item.get("title") or item.name).split())
    if href and not in_link:
        yield f'<p><a href="{html.escape(href)}">{html.escape(escaped(title).replace(chr(92), _ESCAPE))}</a></p>'


def _raised(item: Element, base: str, in_link: bool) -> Iterator[str]:
    """A power keeps its sign (10^6 is not 106); other raised text does not."""
    if _RAISED.fullmatch(item.words()):
        yield f"^{html.escape(item.words())}"
    else:
        yield from _children(item, base, in_link=in_link)


def _formula(item: Element, base: str, in_link: bool) -> Iterator[str]:
    """A formula as the TeX it was written in, or else its text."""
    tex = next((e.text() for e in item.elements() if e.name == "annotation" and "tex" in e.get("encoding").lower()), "")
    tex = " ".join((tex or item.get("alttext")).replace(_ESCAPE, "").replace("$", "").split())
    if tex:
        sign = "$$" if item.get("display") == "block" else "$"
        yield html.escape(f"{sign}{tex}{sign}".replace("\\", _ESCAPE), quote=False)
    else:
        yield html.escape(escaped(item.words()).replace("\\", _ESCAPE), quote=False)


def _raw(item: Element, _base: str, _in_link: bool) -> Iterator[str]:
    """Markdown of our own making; no page can name an element so."""
    yield html.escape(item.text(), quote=False)


def _bare(item: Element, base: str, in_link: bool) -> Iterator[str]:
    yield from _children(item, base, in_link=in_link)


def _as_div(item: Element, base: str, in_link: bool) -> Iterator[str]:
    yield from _element(item, "div", base, in_link=in_link)


_Rule = Callable[[Element, str, bool], Iterator[str]]
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
    "source": lambda _item, _base, _in_link: iter(()),
    "wbr": lambda _item, _base, _in_link: iter(()),
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
