"""What is read of a Notion page, whichever form it was exported in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_ID = re.compile(r"[ \t]*(?<![0-9a-fA-F])[0-9a-f]{32}(?![0-9a-fA-F])")
_NO_WIKILINK = re.compile(r"[\[\]|#^\n]|%%")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A file of the export that a link leads to."""

    #: a page's or database's title; "" for an attachment
    title: str
    #: the file's own name
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page or database."""

    title: str
    #: canonical Markdown below title and properties
    body: str
    #: 32 hex digits, "" where only the file's name has them
    id: str = ""
    #: as written
    properties: Mapping[str, str] = field(default_factory=dict)
    #: the same as Markdown, links included
    shown: Mapping[str, str] = field(default_factory=dict)
    #: titles of pages of the export it links to
    links: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def page_link(title: str, words: str) -> str:
    """A wikilink to another page; the words alone where its title cannot stand in one."""
    words = " ".join(words.split()) or title
    if _NO_WIKILINK.search(title) or _NO_WIKILINK.search(words):
        return words
    return f"[[{title}]]" if words == title else f"[[{title}|{words}]]"


def without_ids(text: str) -> str:
    """The text without ids of 32 hex digits behind names."""
    return _ID.sub("", text)
