"""A Notion page in Markdown: title, the lines of its properties, callouts, links between pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from vaultmem.core.notes.markdown import inert
from vaultmem.sources.document.notion_page import Page, Target, page_link, without_ids

_TITLE = re.compile(r"\s*# (.*)\n?")
_PROPERTY = re.compile(r"([^:\n`|<>*\[\]]{1,60}):(?: (.*))?")
#: A link's destination may hold brackets of its own, in pairs.
_LINK = re.compile(r"(!?)\[((?:[^\[\]\\]|\\.)*+)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*+)\)")
#: An address in running text; it ends with the id of a page of Notion.
_BARE = re.compile(r"(?<![(<\[])https?://(?:www\.)?notion\.(?:so|site)/[^\s()<>\[\]]++")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_TODO = re.compile(r"^(\s*[-*] \[[ xX]\]) +", re.MULTILINE)
_WEB = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)
_LAST_QUOTED = re.compile(r"^(?:>\n)+(?=\n|\Z)", re.MULTILINE)


def page_from_markdown(text: str, name: str, target: Callable[[str], Target | None]) -> Page:
    """The page; `name` is its title where the text has none."""
    match = _TITLE.match(text)
    title = " ".join(match[1].split()) if match else ""
    properties, rest = _properties(text[match.end() :] if match else text)
    reader = _Links(target)
    shown = {key: reader.resolve(value) for key, value in properties.items()}
    body = "".join(_lines(rest, reader))
    return Page(
        title=title or name,
        body=inert(_LAST_QUOTED.sub("", body)).strip("\n"),
        properties={key: without_ids(_LINK.sub(r"\2", value)) for key, value in properties.items()},
        shown=shown,
        links=tuple(dict.fromkeys(reader.links)),
        attachments=tuple(dict.fromkeys(reader.attachments)),
    )


def _properties(text: str) -> tuple[dict[str, str], str]:
    """The lines `Name: value` below the title, up to the first blank line, and what follows. All or none."""
    head, _, rest = text.lstrip("\n").partition("\n\n")
    found: dict[str, str] = {}
    for line in head.strip("\n").split("\n"):
        match = _PROPERTY.fullmatch(line.rstrip())
        if not match or match[1].strip() in found:
            return {}, text
        found[match[1].strip()] = (match[2] or "").strip()
    return found, rest


class _Links:
    """Links of one page, put into the form that the vault uses."""

    def __init__(self, target: Callable[[str], Target | None]) -> None:
        self._target = target
        self.links: list[str] = []
        self.attachments: list[str] = []

    def resolve(self, text: str) -> str:
        """The text with links into the export as wikilinks and names of files."""
        return _BARE.sub(self._address, _LINK.sub(self._one, text))

    def _address(self, match: re.Match[str]) -> str:
        found = self._target(match[0])
        self.links += [found.title] if found else []
        return page_link(found.title, "") if found else match[0]

    def _one(self, match: re.Match[str]) -> str:
        href = match[3].strip("<>")
        found = self._target(href)
        if found is None and _WEB.match(href):
            return match[0]
        if found is None:
            return without_ids(match[2]) if re.search(r"[0-9a-f]{32}", href) else match[0]
        if found.title:
            self.links.append(found.title)
            return page_link(found.title, "" if "://" in match[2] else match[2])
        self.attachments.append(found.name)
        return f"[attached: {found.name}]"


def _lines(text: str, reader: _Links) -> Iterator[str]:
    """The body line by line: callouts as quotations, code as it is."""
    fence, quoted = "", False
    for line in text.splitlines(keepends=True):
        opening = _FENCE.match(line)
        if fence:
            fence = "" if opening and opening[1].startswith(fence) and not line.strip("`~ \n") else fence
        elif opening:
            fence = opening[1]
        elif line.strip() in ("<aside>", "</aside>"):
            quoted = line.strip() == "<aside>"
            if not quoted:
                yield "\n"
            continue
        else:
            line = reader.resolve(_TODO.sub(r"\1 ", line))  # noqa: PLW2901 - the line in its new form
        yield f"> {line}".replace("> \n", ">\n") if quoted else line
