"""TextBundle: a Markdown text with its pictures, as a folder (`.textbundle`) or packed (`.textpack`)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.document.markdown import read_markdown

_TEXT = re.compile(r"(?:[^/]+\.textbundle/)?text\.(?:md|markdown|mdown|txt)", re.IGNORECASE)
_FOLDER = re.compile(r"\.textbundle/text\.\w+$", re.IGNORECASE)
_PACKED = re.compile(r"\.(?:textpack|textbundle|zip)$", re.IGNORECASE)


def read_textbundle(raw: RawFile, settings: Settings) -> Reading:
    """The bundle's text under the bundle's name; nothing for the lists beside it. Raises what `read_markdown` does."""
    if raw.data[:2] != b"PK" and not _FOLDER.search(raw.name):
        told = Warn(text="part of a text bundle: it says nothing that the text does not, and is kept as it is")
        return Reading(format="textbundle", kind="document", tz="", zone_known=True, items=iter((told,)))
    if raw.data[:2] != b"PK":
        return replace(read_markdown(replace(raw, name=_FOLDER.sub(".md", raw.name)), settings), format="textbundle")
    archive = Archive(raw.data)
    text = next((name for name in archive.names if _TEXT.fullmatch(name)), None)
    if text is None:
        raise UnreadableSource("a text bundle without a text in it")
    inside = replace(raw, name=_PACKED.sub("", raw.name) + ".md", data=archive.read(text))
    reading = read_markdown(inside, settings)
    assets = tuple(posixpath.basename(name) for name in archive.names if "/assets/" in f"/{name}")
    return replace(reading, format="textbundle", items=_with(reading, assets))


def _with(reading: Reading, attachments: tuple[str, ...]) -> Iterator[SourceItem]:
    for item in reading.items:
        yield replace(item, attachments=attachments) if isinstance(item, Document) else item
