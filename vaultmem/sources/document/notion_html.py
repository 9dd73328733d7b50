"""A Notion page in HTML: its article, the table of its properties, to-dos, callouts, links between pages."""

from __future__ import annotations

from collections.abc import Callable

from vaultmem.sources.document.html_render import ESCAPE
from vaultmem.sources.document.html_tree import Element, parse
from vaultmem.sources.document.note_html import checkbox, note_text, replace_elements
from vaultmem.sources.document.notion_page import Page, Target, page_link, without_ids
from vaultmem.sources.document.plain import as_markdown


def page_from_html(text: str, name: str, target: Callable[[str], Target | None]) -> Page:
    """The page; `name` is its title where the article has none."""
    root = parse(text.replace(ESCAPE, "")).root
    article = next((e for e in root.elements() if e.name == "article"), root)
    title = _of_class(article, "page-title")
    body = _of_class(article, "page-body") or article
    properties = dict(_properties(article))
    reader = _Marks(target)
    replace_elements(body, reader.change)
    found = note_text(body)
    return Page(
        title=(title.words() if title else "") or name,
        body=found.body,
        id=article.get("id").replace("-", "") if article.name == "article" else "",
        properties=properties,
        shown={key: as_markdown(value) for key, value in properties.items()},
        links=tuple(dict.fromkeys(reader.links)),
        attachments=tuple(dict.fromkeys(reader.attachments)),
        warnings=found.warnings,
    )


def _of_class(root: Element, name: str) -> Element | None:
    return next((element for element in root.elements() if name in element.classes()), None)


def _properties(article: Element) -> list[tuple[str, str]]:
    """(name, value) of the rows of the table in the page's head; several values joined by commas."""
    table = _of_class(article, "properties")
    found: list[tuple[str, str]] = []
    for row in table.elements() if table else ():
        cells = [c for c in row.children if isinstance(c, Element) and c.name in ("th", "td")]
        if row.name == "tr" and len(cells) == 2 and cells[0].words():
            values = [e.words() for e in cells[1].elements() if "selected-value" in e.classes()]
            found.append((cells[0].words(), without_ids(", ".join(values) or cells[1].words()).lstrip("@")))
    return found


class _Marks:
    """What is Notion's own in the markup, put into the form that the vault uses."""

    def __init__(self, target: Callable[[str], Target | None]) -> None:
        self._target = target
        self.links: list[str] = []
        self.attachments: list[str] = []

    def change(self, item: Element) -> Element | str | None:
        """What stands in the element's place; None for the element itself."""
        classes = item.classes()
        if "checkbox" in classes:
            return checkbox(checked="checkbox-on" in classes)
        if item.name == "figure" and "callout" in classes:
            item.name = "blockquote"
        elif item.name == "mark" and not any(name.endswith("_background") for name in classes):
            item.name = "span"
        elif item.name == "a":
            return self._link(item.get("href"), item)
        elif item.name == "img" and "icon" in classes:
            return ""
        elif item.name == "img":
            return self._link(item.get("src"), item)
        return None

    def _link(self, href: str, item: Element) -> Element | str | None:
        found = self._target(href) if href and not href.startswith("#") else None
        if found is None:
            return None
        words = "" if "://" in item.words() else item.words()
        if found.title:
            self.links.append(found.title)
            return Element("#raw", {}, [page_link(found.title, words)])
        # Notion destroys some names on the disk; what the page shows is what the file was called.
        name = words if "." in words else found.name
        if name in self.attachments and item.name == "img":
            return ""
        self.attachments.append(name)
        return f"[attached: {name}]"
