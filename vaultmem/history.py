"""The nouns of a vault's history: what a commit took in, and what memory gained, lost and changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Literal

#: What happened to a file, in the order in which it is told.
DONE = ("added", "changed", "renamed", "removed")
#: What a file of memory is, in the same order.
KINDS = ("notes", "summaries", "entities", "pages", "files")

Change = Literal["gained", "changed", "renamed", "lost"]
#: The same, in the order in which it is told.
CHANGES: tuple[Change, ...] = ("gained", "changed", "renamed", "lost")


_SINGULAR = {
    "summaries": "summary", "entities": "entity", "properties": "property", "notes of facts": "note of facts",
}  # fmt: skip


def counted(number: int, kind: str) -> str:
    """`1 note`, `2 notes`."""
    return f"{number} {_SINGULAR.get(kind, kind.removesuffix('s')) if number == 1 else kind}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """A commit of memory's files; `commit` is "" when nothing had changed."""

    commit: str = ""
    #: the branch it stands on; "" for none (a detached HEAD)
    branch: str = ""
    subject: str = ""
    #: added | changed | renamed | removed -> notes | summaries | entities | pages | files -> how many
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: source_ids of the notes it took in or changed
    sources: tuple[str, ...] = ()
    #: what the user should know
    remarks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The JSON of `commit`."""
        return {"committed": bool(self.commit), **asdict(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockChange:
    """A message, paragraph, sentence, fact or property that came, went or says something else."""

    change: Change
    #: message | paragraph | sentence | fact | property
    kind: str
    #: `m-…` of a message, the name of a fact or property; "" where the text itself is all there is
    key: str
    #: who said it
    author: str = ""
    #: what stood there; "" where that is not known
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChange:
    """A note that came, went, moved or says something else."""

    change: Change
    #: chat | email | document | summary | entity | facts | page
    kind: str
    #: chunk_id, node_id, entity id; the path of what has none
    id: str
    title: str
    #: source_id or tree of a chunk or summary; "" for the rest
    source: str
    path: str
    #: where it stood before, when that was elsewhere
    was_path: str = ""
    blocks: tuple[BlockChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What memory gained, lost and changed."""

    #: what it is compared with: a time, a revision, the last look; "" for the first one
    since: str
    notes: tuple[NoteChange, ...] = ()
    #: gained | changed | renamed | lost -> kind of note -> how many; all of them, whatever is listed
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: the same by kind of block
    blocks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: source -> gained | changed | renamed | lost -> notes
    sources: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    #: what cannot be known here, and why
    degraded: str = ""

    def to_dict(self) -> dict[str, object]:
        """The JSON of `diff`."""
        return asdict(self)
