"""Evernote's markup of a note -> Markdown: tasks, code, attached files, what is encrypted, links between notes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.sources.document.html_render import ESCAPE
from vaultmem.sources.document.html_tree import Element, parse
from vaultmem.sources.document.note_html import checkbox, note_text, replace_elements

_CODE = re.compile(r"-en-codeblock\s*:\s*true", re.IGNORECASE)
_LANGUAGE = re.compile(r"-en-syntaxlanguage\s*:\s*([\w+#.-]+)", re.IGNORECASE)
_TODO = re.compile(r"-en-todo\s*:\s*true", re.IGNORECASE)
_CHECKED = re.compile(r"-en-checked\s*:\s*true", re.IGNORECASE)
_TASKS = re.compile(r"-en-task-group\s*:\s*true", re.IGNORECASE)
_GROUP = re.compile(r"-en-id\s*:\s*([\w-]+)", re.IGNORECASE)

#: title, done, id of the group it stands in
Task = tuple[str, bool, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enml:
    """A note's text."""

    body: str
    #: titles of notes it links to
    links: tuple[str, ...] = ()
    #: names of attached files that stand in the text
    named: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()


def enml_text(source: str, names: Mapping[str, str], tasks: Sequence[Task]) -> Enml:
    """The Markdown of ENML. `names`: MD5 of an attached file -> its name."""
    root = parse(source.replace(ESCAPE, "")).root
    reader = _Reader(names, tasks)
    replace_elements(root, reader.change)
    if reader.waiting:
        root.children.append(_task_list(reader.waiting))
    found = note_text(root)
    encrypted = ("a part is encrypted: it stays as it is in the original",) if reader.encrypted else ()
    return Enml(
        body=found.body,
        links=tuple(dict.fromkeys(reader.links)),
        named=frozenset(reader.named),
        warnings=(*found.warnings, *encrypted),
    )


class _Reader:
    """What one pass over a note's elements finds."""

    def __init__(self, names: Mapping[str, str], tasks: Sequence[Task]) -> None:
        self._names = names
        self.waiting = list(tasks)
        self.links: list[str] = []
        self.named: set[str] = set()
        self.encrypted = False

    def change(self, item: Element) -> Element | str | None:
        """What stands in the element's place; None for the element itself."""
        match item.name:
            case "en-note":
                item.name = "div"
            case "en-todo":
                return checkbox(checked=item.get("checked").lower() == "true")
            case "en-media":
                return self._media(item)
            case "en-crypt":
                self.encrypted = True
                hint = " ".join(item.get("hint").split())
                return f"[encrypted in Evernote{', hint: ' if hint else ''}{hint}]"
            case "a" if item.get("href").lower().startswith("evernote:"):
                self.links += [item.words()] if item.words() else []
                item.name = "span"
            case "ul" | "ol" if _TODO.search(item.get("style")):
                _check_items(item)
            case "div" | "p" | "pre" if item.get("style"):
                return self._styled(item)
        return None

    def _styled(self, item: Element) -> Element | None:
        style = item.get("style")
        if _CODE.search(style):
            language = _LANGUAGE.search(style)
            return Element("pre", {"class": f"language-{language[1]}"} if language else {}, item.children)
        if _TASKS.search(style):
            group = _GROUP.search(style)
            here = [task for task in self.waiting if group and task[2] == group[1]]
            self.waiting = [task for task in self.waiting if task not in here]
            return _task_list(here) if here else None
        return None

    def _media(self, item: Element) -> str:
        name = self._names.get(item.get("hash").lower(), "")
        self.named.add(name)
        return f" [attached: {name}] " if name else ""


def _check_items(items: Element) -> None:
    """The boxes of a list whose style says that it is a list of tasks."""
    for child in items.children:
        if isinstance(child, Element) and child.name == "li":
            child.children.insert(0, checkbox(checked=bool(_CHECKED.search(child.get("style")))))


def _task_list(tasks: Sequence[Task]) -> Element:
    return Element("ul", {}, [Element("li", {}, [checkbox(checked=done), title]) for title, done, _ in tasks])
