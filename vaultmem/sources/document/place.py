"""What a document's path in the inbox says: its title, its folder, its provisional name."""

from __future__ import annotations

import unicodedata

#: Folder scope of documents dropped straight into the inbox.
TOP = "documents"


def title_from_name(name: str) -> str:
    """The file's name without folder and extension, NFC, in one line."""
    stem, dot, extension = name.rpartition("/")[2].rpartition(".")
    kept = stem if dot and stem and 0 < len(extension) <= 8 and " " not in extension else name.rpartition("/")[2]
    return " ".join(unicodedata.normalize("NFC", kept).split()) or "untitled"


def scope_of(name: str) -> str:
    """The source tree of the document's folder."""
    folder = unicodedata.normalize("NFC", name.rpartition("/")[0])
    return f"doc:{folder or TOP}"


def document_id(name: str) -> str:
    """The name by path; core.ingest.identity decides whether it is a version of one already known."""
    return f"doc:{unicodedata.normalize('NFC', name)}"
