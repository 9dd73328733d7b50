"""Where a note stands in the vault (FORMAT.md). Paths may move later; only `chunk_id` names a chunk."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from vaultmem.core.notes.ids import safe_part, slug
from vaultmem.model import Chunk

RAW = "wiki/raw"
ENTITIES = "entities"
ARCHIVE = "wiki/archive"
TOMBSTONES = ".vaultmem/tombstones.jsonl"
#: The page to begin with.
HOME = "wiki/Home.md"
#: Folders whose notes vaultmem makes: never an input, never a note in place.
OWN_FOLDERS = ("wiki", "entities", ".vaultmem")
#: How the `source_id` of a note in place begins; its vault path follows.
IN_PLACE = "note:"
#: The tree of the notes that stand in no folder.
_TOP = "notes"
#: The longest text behind a dot that is an ending.
_ENDING = 16
#: Bytes of a name beside which a hash and an ending have room.
_STEM = 80


def is_in_place(source_id: str) -> bool:
    """Whether a source is a note of the user's own."""
    return source_id.startswith(IN_PLACE)


def note_scope(path: str) -> str:
    """The source tree of the folder in which a note of the user's own stands."""
    return f"notes:{path.rpartition('/')[0] or _TOP}"


def chunk_path(chunk: Chunk, zone: ZoneInfo) -> str:
    """`wiki/raw/<kind>/<scope>/<yyyy-mm>/<name>.md`; the month is the owner's, the name unique by its hash."""
    month = chunk.time_start.astimezone(zone).strftime("%Y-%m")
    tail = f"{chunk.seq:04d}-{chunk.chunk_id[:6]}"
    name = tail if chunk.source_kind == "chat" else f"{safe_part(chunk.title, 80)}-{tail}"
    return f"{RAW}/{chunk.source_kind}/{slug(chunk.tree_scope)}/{month}/{name}.md"


def original_name(name: str, sha256: str) -> str:
    """`Lease-3f2a9c1b.pdf`: the name of an original with a part of its hash."""
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > _ENDING:
        stem, dot, ending = name, "", ""
    return safe_part(f"{safe_part(stem, _STEM)}-{sha256[:8]}{dot}{ending}")


def source_tag(tree_scope: str) -> str:
    """The one tag vaultmem gives a chunk note."""
    return f"source/{slug(tree_scope)}"
