"""Footnotes of web pages: a numbered link into the page whose target links back. Both become `[^n]`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from vaultmem.sources.document.html_tree import Element

#: What a mark of a footnote looks like: 1, [1], (1), a, *, †.
_MARK = re.compile(r"[\[(]?(?:\d{1,4}|[a-z]{1,2}|[ivxlc]{1,6}|[*†‡§¶]{1,3})[\])]?", re.IGNORECASE)
#: What stands in front of a note, or behind it: its number and the arrow back.
_BACK = re.compile(r"[\s\d\[\]().:^↑↩↵⏎\ufe0e\ufe0f*†‡§¶a-z]{0,8}|back( to (text|content|top))?|jump up", re.IGNORECASE)
_BLOCKS = ("li", "p", "div", "dd", "td", "aside", "section", "blockquote")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One footnote, taken out of the page."""

    number: int
    content: Element


def take_footnotes(root: Element) -> tuple[Note, ...]:
    """Replace each reference by `[^n]`, in order of first use, and take the notes out of the page, in place."""
    parents = {
        child: element
        for element in [root, *root.elements()]
        for child in element.children
        if isinstance(child, Element)
    }
    anchors = _anchors(root)
    numbers: dict[Element, int] = {}
    notes: list[Note] = []
    for link in [e for e in root.elements() if e.name == "a" and e.get("href").startswith("#")]:
        target = anchors.get(link.get("href")[1:])
        note = _note_of(link, target, parents) if target else None
        if target is None or note is None or _inside(link, note, parents):
            continue
        if note not in numbers:
            numbers[note] = len(numbers) + 1
            notes.append(Note(number=numbers[note], content=note))
        _set_mark(link, numbers[note], parents)
    for taken in numbers:
        _cut_back_links(taken, anchors)
        parent = parents.get(taken)
        if parent is not None:
            parent.children = [child for child in parent.children if child is not taken]
            _drop_if_empty(parent, parents)
    return tuple(notes)


def _anchors(root: Element) -> Mapping[str, Element]:
    found: dict[str, Element] = {}
    for element in root.elements():
        for name in (element.get("id"), element.get("name") if element.name == "a" else ""):
            if name:
                found.setdefault(name, element)
    return found


def _note_of(link: Element, target: Element, parents: Mapping[Element, Element]) -> Element | None:
    """The element of the note that `link` refers to, or None when it refers to something else."""
    if not _MARK.fullmatch(link.words()):
        return None
    note: Element | None = target
    while note is not None and note.name not in _BLOCKS:
        note = parents.get(note)
    if note is None or note.name == "#page":
        return None
    names = _own_names(link, parents)
    back = [e for e in note.elements() if e.name == "a" and e.get("href").startswith("#")]
    return note if any(e.get("href")[1:] in names for e in back) else None


def _own_names(link: Element, parents: Mapping[Element, Element]) -> set[str]:
    """Ids by which a note may link back to this place: of the link, what it holds, and what holds it."""
    around: list[Element] = [link, *link.elements()]
    outer = parents.get(link)
    while outer is not None and len(around) < 40:
        around.append(outer)
        if outer.name in (*_BLOCKS, "#page"):
            break
        outer = parents.get(outer)
    beside = parents.get(link)
    if beside is not None:
        around += [child for child in beside.children[:200] if isinstance(child, Element) and child.name == "a"]
    return {name for e in around for name in (e.get("id"), e.get("name")) if name}


def _inside(link: Element, note: Element, parents: Mapping[Element, Element]) -> bool:
    outer: Element | None = link
    while outer is not None:
        if outer is note:
            return True
        outer = parents.get(outer)
    return False


def _set_mark(link: Element, number: int, parents: Mapping[Element, Element]) -> None:
    """The link becomes the mark; a `sup` around it alone would raise the mark a second time."""
    link.name, link.attributes, link.children = "#raw", {}, [f"[^{number}]"]
    outer = parents.get(link)
    while outer is not None and outer.name in ("sup", "small", "span") and outer.words() == f"[^{number}]":
        outer.name = "span"
        outer = parents.get(outer)


def _cut_back_links(note: Element, anchors: Mapping[str, Element]) -> None:
    """Take the links back, and the number in front of the note, out of it."""
    stack = [note]
    while stack:
        parent = stack.pop()
        parent.children = [c for c in parent.children if isinstance(c, str) or not _is_back_link(c, anchors)]
        stack += [c for c in parent.children if isinstance(c, Element)]


def _is_back_link(element: Element, anchors: Mapping[str, Element]) -> bool:
    if element.name == "sup" and not element.words():
        return True
    href = element.get("href")
    return (
        element.name == "a" and href.startswith("#") and href[1:] in anchors and bool(_BACK.fullmatch(element.words()))
    )


def _drop_if_empty(element: Element, parents: Mapping[Element, Element]) -> None:
    """Lists and boxes of which all notes were taken show nothing."""
    outer: Element | None = element
    while outer is not None and outer.name != "#page" and not outer.words():
        parent = parents.get(outer)
        if parent is not None:
            parent.children = [child for child in parent.children if child is not outer]
        outer = parent
