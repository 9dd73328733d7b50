"""Tables that only place things on a page: unwrapped, so that what they place reads as text."""

from __future__ import annotations

from vaultmem.sources.document.html_tree import Element

_PARTS = frozenset(("table", "tbody", "thead", "tfoot", "tr", "td", "th"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_COLUMNS = frozenset(("col", "colgroup"))


def unwrap_layout(root: Element) -> None:
    """Turn each layout table below into blocks, in place."""
    for table in [element for element in root.elements() if element.name == "table"]:
        if _is_layout(table):
            for part in _own_parts(table):
                part.name = "div"
                part.attributes = {}
            table.children = [c for c in table.children if isinstance(c, str) or c.name not in _COLUMNS]


def _is_layout(table: Element) -> bool:
    """A single row or column without header cells places things; so does a table around tables or headings."""
    if table.get("role").lower() in ("presentation", "none"):
        return True
    inside = [element for element in table.elements() if element.name in _HEADINGS or element.name == "table"]
    if inside:
        return True
    parts = _own_parts(table)
    if any(part.name == "th" for part in parts):
        return False
    rows = [part for part in parts if part.name == "tr"]
    widest = max((sum(1 for c in row.children if _is_cell(c)) for row in rows), default=0)
    return widest < 2 or len(rows) < 2


def _is_cell(item: Element | str) -> bool:
    return isinstance(item, Element) and item.name in ("td", "th")


def _own_parts(table: Element) -> list[Element]:
    """The table with its rows and cells, without those of tables inside it."""
    found = [table]
    stack = [table]
    while stack:
        parent = stack.pop()
        for child in parent.children:
            if isinstance(child, Element) and child.name in _PARTS and child.name != "table":
                found.append(child)
                if not _is_cell(child):
                    stack.append(child)
    return found
