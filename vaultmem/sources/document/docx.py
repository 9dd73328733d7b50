"""A Word document (.docx) as one document: mammoth makes HTML of it, the converter of web pages Markdown.

Tracked changes are read as accepted, headers and footers of pages are left out, a reviewer's comment stands as a
quotation below the paragraph it is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import RawFile, Reading
from vaultmem.sources.archive import Archive, Window
from vaultmem.sources.document.html import content_as_markdown
from vaultmem.sources.document.html_tree import Element, parse
from vaultmem.sources.document.office_document import office_reading
from vaultmem.sources.document.office_parts import attribute, local, part_bytes, properties, xml_part
from vaultmem.sources.document.place import title_from_name

_BODY = "word/document.xml"
_STYLES = """
comment-reference => sup
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='Code'] => pre:separator('\\n')
p[style-name='HTML Preformatted'] => pre:separator('\\n')
"""
_BLOCKS = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "li", "td", "th", "dd"))
#: The converter leaves no blank line in front of a quotation.
_COMMENT = re.compile(r"(?<=[^\n])\n(?=> Comment(?: by [^\n]*)?:$)", re.MULTILINE)
_PUNCTUATION = re.compile(r"[.,;:!?…)\]»”’\"']+")


def read_docx(raw: RawFile, settings: Settings) -> Reading:
    """The document. Raises UnreadableSource when it is broken or encrypted."""
    archive = Archive(raw.data)
    said = properties(archive)
    page = parse(_html(raw, archive))
    _set_comments(page.root, _commenters(archive))
    _set_references(page.root)
    title = said.get("title") or title_from_name(raw.name)
    found = content_as_markdown(page.root, base="", title=title)
    return office_reading(
        raw,
        settings,
        "docx",
        title=title,
        text=_COMMENT.sub("\n\n", found.body),
        said=said,
        links=found.links,
        warnings=found.warnings,
    )


def _html(raw: RawFile, archive: Archive) -> str:
    """The text as mammoth writes it. Raises UnreadableSource."""
    import mammoth

    for name in archive.names:
        if name.startswith("word/") and name.endswith(".xml") and name.count("/") == 1:
            part_bytes(archive, name)  # refuses what unfolds beyond reason before mammoth builds a tree of it
    try:
        # No picture: it stays in the original, and would stand in the text as a million letters.
        found = mammoth.convert_to_html(
            Window(raw.data), style_map=_STYLES, convert_image=mammoth.images.img_element(_no_picture)
        )
    except Exception as error:  # noqa: BLE001 - the library trusts its files and fails in any way
        cause = " ".join(str(error).split())[:120] or type(error).__name__
        raise UnreadableSource(f"a Word document that cannot be read: {cause}; open it and save a copy") from None
    return str(found.value)


def _no_picture(_image: object) -> Mapping[str, str]:
    return {"src": ""}


def _commenters(archive: Archive) -> Mapping[str, str]:
    """Comment's number -> who wrote it."""
    try:
        root = xml_part(archive, "word/comments.xml")
    except UnreadableSource:
        return {}
    comments = (element for element in root if local(element) == "comment")
    return {attribute(element, "id"): " ".join(attribute(element, "author").split()) for element in comments}


def _set_comments(root: Element, names: Mapping[str, str]) -> None:
    """Each comment becomes a quotation below the block it is about."""
    texts: dict[str, Element] = {}
    for parent in [root, *root.elements()]:
        if parent.name != "dl":
            continue
        number = ""
        for child in [c for c in parent.children if isinstance(c, Element)]:
            if child.name == "dt" and child.get("id").startswith("comment-"):
                number = child.get("id").removeprefix("comment-")
            elif child.name == "dd" and number:
                texts[number] = child
        if texts:
            parent.name, parent.children = "div", []
    if texts:
        _place_comments(root, texts, names)


def _place_comments(root: Element, texts: Mapping[str, Element], names: Mapping[str, str]) -> None:
    parents = {c: e for e in [root, *root.elements()] for c in e.children if isinstance(c, Element)}
    after: dict[Element, list[Element]] = {}
    for link in [e for e in root.elements() if e.get("href").startswith("#comment-")]:
        number = link.get("href").removeprefix("#comment-")
        mark = parents[link] if parents[link].name == "sup" else link
        holder = parents[mark]
        holder.children = [child for child in holder.children if child is not mark]
        block = holder
        while block.name not in _BLOCKS and block in parents:
            block = parents[block]
        if number in texts:
            after.setdefault(block, []).append(_quotation(texts[number], names.get(number, "")))
    for block, quotations in after.items():
        parent = parents.get(block)
        if parent is None or block.name in ("li", "td", "th", "dd"):
            block.children += quotations
        else:
            at = parent.children.index(block) + 1
            parent.children[at:at] = quotations


def _quotation(text: Element, name: str) -> Element:
    """The comment under its author's name, without the arrow back."""
    for element in [text, *text.elements()]:
        element.children = [
            c for c in element.children if isinstance(c, str) or not c.get("href").startswith("#comment-ref-")
        ]
    head = Element(name="p", children=[f"Comment by {name}:" if name else "Comment:"])
    return Element(name="blockquote", children=[head, *text.children])


def _set_references(root: Element) -> None:
    """A note's mark goes behind the punctuation that follows it: the sentence stays in one piece."""
    for parent in [root, *root.elements()]:
        children = parent.children
        for at in range(len(children) - 2, -1, -1):
            mark, text = children[at], children[at + 1]
            if isinstance(mark, str) or not isinstance(text, str) or not _is_reference(mark):
                continue
            match = _PUNCTUATION.match(text)
            if match:
                children[at : at + 2] = [match.group(), mark, text[match.end() :]]


def _is_reference(element: Element) -> bool:
    inner = [child for child in element.children if isinstance(child, Element)]
    return element.name == "sup" and len(inner) == 1 and bool(re.match(r"#(?:foot|end)note-", inner[0].get("href")))
