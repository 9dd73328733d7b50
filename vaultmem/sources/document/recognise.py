"""Exports of note programs, by their content: what `sources.identify` asks before its own rules.

No reader is imported here: telling a file must cost nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ENEX = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,500}>\s*)?(?:<!DOCTYPE\s+en-export[^\[>]*(?:\[|>)|<en-export[\s>])"
)
_MHTML = re.compile(
    rb"^(?:From:[ \t]*\"?<?Saved by\s|Snapshot-Content-Location:|X-MAF-Information:)", re.IGNORECASE | re.MULTILINE
)
_SEPARATOR = re.compile(r"^[ \t\ufeff]*={10}=*[ \t]*$", re.MULTILINE)
#: The second line of a clipping: what it is, where, when.
CLIPPING_META = re.compile(r"\s*[-–—]\s*\S")
_KEEP_STATES = ("isTrashed", "isArchived", "isPinned", "userEditedTimestampUsec", "createdTimestampUsec")
_KEEP_CONTENTS = ("textContent", "listContent", "attachments", "annotations", "title")
_APPLE = re.compile(
    r"<ul[^>]{0,200}class=\"Apple-dash-list|<div><object><table|class=\"Apple-(?:checklist|checked)", re.IGNORECASE
)
_NOTION_FILE = re.compile(r" [0-9a-f]{32}(?:_all)?\.(?:md|csv|html)$")
#: A part of a large Notion export, itself a ZIP.
NOTION_PART = re.compile(r"(?:^|/)Export(?:Block)?-[0-9a-f]{8}-[0-9a-f-]{27}[^/]*\.zip$", re.IGNORECASE)
_BUNDLE = re.compile(r"(?:^|/)[^/]+\.textbundle/(?P<rest>.+)$", re.IGNORECASE)
#: Its text, and the lists in which programs note what they made of it.
_BUNDLED = re.compile(r"text\.(?:md|markdown|mdown|txt)|[^/]+\.json", re.IGNORECASE)


def format_by_head(name: str, head: bytes) -> str:
    """A format that its first bytes tell, or "": pictures and papers of a text bundle are files like others."""
    bundle = _BUNDLE.search(name)
    if bundle and _BUNDLED.fullmatch(bundle["rest"]):
        return "textbundle"
    if _ENEX.match(head):
        return "enex"
    fields = re.split(rb"\r?\n\r?\n", head.lstrip(), maxsplit=1)[0]
    if _MHTML.search(fields) or (name.lower().endswith((".mht", ".mhtml")) and b":" in fields):
        return "mhtml"
    return ""


def format_by_text(text: str) -> str:
    """A format that the text tells, or ""."""
    if "en-export" in text[:2000] and _ENEX.match(text[:4000].encode("utf-8", "replace")):
        return "enex"
    if is_clippings(text):
        return "kindle"
    start = text[:200].lstrip("\ufeff \t\n")
    if start.startswith("<"):
        return "keep" if is_keep_page(text) else "apple-notes-html" if _APPLE.search(text[:200_000]) else ""
    return ""


def is_clippings(text: str) -> bool:
    """True for text in blocks between lines of `=`, each with a title, then a line that begins with a dash."""
    head = text[:40_000]
    if not _SEPARATOR.search(head):
        return False
    blocks = [lines for lines, _ in zip(clipping_blocks(head), range(6), strict=False)]
    return any(len(lines) > 1 and CLIPPING_META.match(lines[1]) and re.search(r"\d", lines[1]) for lines in blocks)


def clipping_blocks(text: str) -> Iterator[list[str]]:
    """The lines of each block that is not empty, from its title on. Some devices put a byte-order mark before each."""
    for block in _SEPARATOR.split(text):
        lines = block.replace("\ufeff", "").strip("\n").split("\n")
        if any(line.strip() for line in lines):
            yield lines


def is_keep_note(found: object) -> bool:
    """True for the JSON of a note: at least two of Keep's own marks, and something that may be its content."""
    if not isinstance(found, dict):
        return False
    return sum(key in found for key in _KEEP_STATES) >= 2 and any(key in found for key in _KEEP_CONTENTS)


def is_keep_page(text: str) -> bool:
    """True for the HTML that Takeout writes beside a note's JSON."""
    head = text[:100_000]
    return '<div class="note"' in head and '<div class="heading"' in head and 'class="content"' in head


def format_of_archive(names: tuple[str, ...]) -> str:
    """What a ZIP of notes is: any ZIP that holds files is at least a folder of them."""
    if any(_NOTION_FILE.search(name) or NOTION_PART.search(name) for name in names):
        return "notion"
    if any(name.startswith("Takeout/") for name in names):
        return "takeout"
    if any(re.fullmatch(r"(?:[^/]+\.textbundle/)?info\.json", name) for name in names) and any(
        re.fullmatch(r"(?:[^/]+\.textbundle/)?text\.(?:md|markdown|mdown|txt)", name) for name in names
    ):
        return "textbundle"
    return "zip" if names else ""
