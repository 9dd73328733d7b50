"""The HTML that note programs write for a note -> Markdown: no page around it, tables are tables, boxes are tasks.

A reader takes its own marks out of the tree first (`checkbox`, `replace_with_text`), then asks for the Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from vaultmem.errors import UnreadableSource
from vaultmem.model import Document, SourceItem
from vaultmem.sources.document.html import harmless
from vaultmem.sources.document.html_clean import remove_unseen
from vaultmem.sources.document.html_code import gather_code
from vaultmem.sources.document.html_render import to_markdown
from vaultmem.sources.document.html_tree import BLOCKS, Element
from vaultmem.sources.document.plain import as_markdown

_NOT_IN_TAG = re.compile(r"[^\w/-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteText:
    """A note's text in Markdown, without its title."""

    body: str
    warnings: tuple[str, ...] = ()


def note_text(root: Element) -> NoteText:
    """The Markdown of a note's tree, which is changed on the way; its bare text where the converter gives up."""
    remove_unseen(root)
    gather_code(root)
    _gather_tasks(root)
    _cut_last_breaks(root)
    plain = root.text()
    try:
        return NoteText(body=harmless(to_markdown(root, "")))
    except UnreadableSource as problem:
        return NoteText(body=as_markdown(plain.strip()), warnings=(f"{problem}; its bare text was read",))


def document_body(title: str, *parts: str) -> str:
    """The canonical body: the title as H1, then the parts that are not empty."""
    kept = [part.strip("\n") for part in parts if part.strip()]
    return "\n\n".join([f"# {as_markdown(title)}", *kept]) + "\n"


def distinct(items: Iterable[SourceItem]) -> Iterator[SourceItem]:
    """The items of one file; a document whose own id another one has is known by its place alone, and replaces none."""
    seen: set[str] = set()
    for item in items:
        if isinstance(item, Document) and item.own_id in seen:
            yield replace(item, own_id="")
            continue
        if isinstance(item, Document) and item.own_id:
            seen.add(item.own_id)
        yield item


def label_tags(labels: Iterable[str]) -> Iterator[str]:
    """Labels of any letters as tags: what no tag may hold becomes a hyphen."""
    for label in labels:
        yield _NOT_IN_TAG.sub("-", label.strip().lstrip("#")).strip("-")


def replace_elements(root: Element, change: Callable[[Element], Element | str | None]) -> None:
    """Put what `change` gives in the place of each element; the element itself stays where it gives None."""
    stack = [root]
    while stack:
        parent = stack.pop()
        kept: list[Element | str] = []
        for child in parent.children:
            found = change(child) if isinstance(child, Element) else None
            kept.append(child if found is None else found)
        parent.children = kept
        stack += [child for child in reversed(kept) if isinstance(child, Element)]


def _cut_last_breaks(root: Element) -> None:
    """A break at the end of a block shows nothing; Markdown would keep blanks there."""
    for block in [element for element in root.elements() if element.name in BLOCKS]:
        while block.children and _is_break(block.children[-1]):
            block.children.pop()


def _is_break(item: Element | str) -> bool:
    return item.name == "br" if isinstance(item, Element) else not item.strip()


def checkbox(*, checked: bool) -> Element:
    """A task's box, to stand first in its list item."""
    return Element("#raw", {"box": "1"}, ["[x] " if checked else "[ ] "])


def _is_box(item: Element | str) -> bool:
    return isinstance(item, Element) and item.name == "#raw" and "box" in item.attributes


def _gather_tasks(root: Element) -> None:
    """Boxes that stand in running text become list items; lists made so from neighbours become one."""
    stack = [(root, False)]
    while stack:
        parent, in_item = stack.pop()
        boxes = sum(1 for child in parent.children if _is_box(child))
        if boxes > 1 or (boxes and not in_item):
            parent.children = list(_as_lists(parent.children))
        for child in parent.children:
            if isinstance(child, Element):
                inside = child.name == "li" or (in_item and child.name not in ("ul", "ol", "td", "th"))
                stack.append((child, inside))
    _join_lists(root)


def _as_lists(children: list[Element | str]) -> Iterator[Element | str]:
    """The children with each box and the words behind it, to the end of the line, as an item of a list."""
    current: Element | None = None
    made: Element | None = None
    for child in children:
        if _is_box(child):
            if made is None:
                made = Element("ul", {"made": "1"})
                yield made
            current = Element("li", {}, [child])
            made.children.append(current)
        elif isinstance(child, Element) and child.name == "br":
            if current is None:
                yield child
            current = None
        elif isinstance(child, Element) and child.name in BLOCKS:
            current = made = None
            yield child
        elif current is not None:
            current.children.append(child)
        elif isinstance(child, Element) or child.strip():
            made = None
            yield child


def _join_lists(root: Element) -> None:
    """Neighbours that are nothing but a list of tasks are one list."""
    stack = [root]
    while stack:
        parent = stack.pop()
        kept: list[Element | str] = []
        for child in parent.children:
            made = _only_list(child)
            before = _only_list(kept[-1]) if kept else None
            if made and before:
                before.children += made.children
            elif made is None and isinstance(child, str) and not child.strip() and before:
                continue
            else:
                kept.append(child)
        parent.children = kept
        stack += [child for child in kept if isinstance(child, Element)]


def _only_list(item: Element | str) -> Element | None:
    """The task list that this element is, or is nothing but a wrapper of."""
    while isinstance(item, Element):
        if "made" in item.attributes:
            return item
        inner = [child for child in item.children if isinstance(child, Element) or child.strip()]
        if item.name not in ("div", "p", "span") or len(inner) != 1:
            return None
        item = inner[0]
    return None
