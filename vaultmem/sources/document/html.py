"""A web page or an exported note in HTML, as one document: text in Markdown, what it says of itself as properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from vaultmem.config import Settings
from vaultmem.core.notes.markdown import inert, unique_tags
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.document.dates import own_time, parse_moment, utc_text
from vaultmem.sources.document.html_clean import clean, content_of
from vaultmem.sources.document.html_code import gather_code
from vaultmem.sources.document.html_head import Head, read_head
from vaultmem.sources.document.html_notes import take_footnotes
from vaultmem.sources.document.html_render import ESCAPE, resolve, to_markdown
from vaultmem.sources.document.html_tables import unwrap_layout
from vaultmem.sources.document.html_tree import BLOCKS, MAX_DEPTH, Element, parse
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

_CHARSET = re.compile(rb"<meta\s[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w:.-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.-]{1,40})")
_HEAD = 8192
_ACTING = re.compile(r"<[a-zA-Z/%!]|!\[|\[\[")


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """A page's text, and what happened on the way."""

    body: str
    links: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def read_html(raw: RawFile, settings: Settings) -> Reading:
    """A page as one document. Raises SkippedSource without text, UnreadableSource where only a script could show it."""
    page = parse(decode(raw.data[:], label=_label(raw.data[:_HEAD])).replace(ESCAPE, ""))
    head = read_head(page)
    scripted = any(element.name == "script" for element in page.root.elements())
    title = head.title or title_from_name(raw.name)
    found = content_as_markdown(page.root, base=head.base, title=title)
    if not found.body:
        if scripted:
            raise UnreadableSource(
                "a page that shows its text by a script only: save it from the browser as it is shown"
            )
        raise SkippedSource("a page without any text: nothing to import")
    warnings = [*found.warnings]
    if page.flattened:
        warnings.append(
            f"elements nested deeper than {MAX_DEPTH} levels: their structure was flattened, their text is here"
        )
    properties = _properties(head, title)
    moment = own_time(properties, raw, settings.zone)
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=harmless(f"# {as_markdown(title)}\n\n{found.body}\n"),
        provider="document",
        created_at=moment.at,
        time_from=moment.as_metadata,
        own_id=head.url,
        properties={key: utc_text(value) for key, value in properties.items()},
        tags=unique_tags(head.keywords),
        links=found.links,
        author=head.author,
    )
    items: list[SourceItem] = [document, *(Warn(text=text) for text in warnings)]
    return Reading(format="html", kind="document", tz=moment.tz, zone_known=moment.zone_known, items=iter(items))


def _label(start: bytes) -> str:
    """The charset the page names; UTF-16 cannot be true of bytes in which this was found as ASCII."""
    match = _CHARSET.search(start) or _XML.search(start)
    name = match[1].decode("ascii", "replace") if match else ""
    return "" if name.lower().startswith("utf-16") else name


def content_as_markdown(root: Element, *, base: str, title: str) -> Content:
    """The page's text as Markdown, cleaned; as bare text where the converter gives up."""
    clean(root)
    content = content_of(root)
    _cut_title(content, title)
    gather_code(content)
    unwrap_layout(content)
    links = tuple(_links(content, base))
    notes = take_footnotes(content)
    plain = _plain(content)
    try:
        parts = [to_markdown(content, base)]
        parts += [_note(note.number, to_markdown(note.content, base)) for note in notes]
    except UnreadableSource as problem:
        return Content(body=as_markdown(plain), links=links, warnings=(f"{problem}; its bare text was read",))
    return Content(body="\n\n".join(part for part in parts if part), links=links)


def harmless(body: str) -> str:
    """The body through `inert`, which reads all of it, only where something is left that could act."""
    return inert(body) if _ACTING.search(body) else body


def _note(number: int, text: str) -> str:
    """A footnote's definition; what follows its first line is indented below it."""
    return f"[^{number}]: " + re.sub(r"\n(?=[^\n])", "\n    ", text.strip())


def _cut_title(content: Element, title: str) -> None:
    """Take the heading away that says the title: the document begins with it."""
    wanted = " ".join(title.split()).casefold()
    stack = [content]
    while stack:
        parent = stack.pop(0)
        for at, child in enumerate(parent.children):
            if isinstance(child, str):
                continue
            if child.name == "h1" and child.words().casefold() == wanted:
                del parent.children[at]
                return
            stack.append(child)


def _plain(root: Element) -> str:
    """The text of a page with its blocks as paragraphs."""
    parts: list[str] = []
    stack: list[Element | str] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        if item.name in BLOCKS or item.name == "br":
            parts.append("\n\n")
            stack.append("\n\n")
        stack += reversed(item.children)
    return "\n\n".join(" ".join(block.split()) for block in re.split(r"\n\s*\n", "".join(parts)) if block.strip())


def _links(content: Element, base: str) -> Iterator[str]:
    """Targets of links to other files beside this one; addresses of the web are no notes."""
    seen: dict[str, None] = {}
    for element in content.elements():
        href = resolve(element.get("href"), base) if element.name == "a" else ""
        if href and not re.match(r"[a-z][a-z0-9+.-]*:|//", href, re.IGNORECASE):
            seen.setdefault(unquote(re.split(r"[?#]", href)[0]).removeprefix("./"))
    yield from (link for link in seen if link)


def _properties(head: Head, title: str) -> Mapping[str, str]:
    """What the page says of itself, under the names that Obsidian's own clipper uses."""
    published = next((date for date in head.dates if _is_date(date)), "")
    found = {
        "title": title if head.title else "",
        "source": head.url,
        "author": head.author,
        "published": published,
        "description": head.description,
        "site": head.site or (urlsplit(head.url).hostname or "" if head.url else ""),
        "language": head.language,
    }
    return {key: value for key, value in found.items() if value}


def _is_date(text: str) -> bool:
    return parse_moment(text, Settings().zone) is not None
