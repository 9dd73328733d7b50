"""The nouns of forgetting: what is to go, and the receipt of what went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

#: What no program on this computer can reach.
OUT_OF_REACH = (
    "git history, and every clone of it",
    "other devices and servers this vault is synced to, and the versions they keep",
    "backups of this computer",
    "Obsidian's own file recovery (Settings, File recovery: clear it there)",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """A plan: written down before anything is done, so that doing it again ends the same."""

    #: as the person named it
    target: str
    #: chunk | message | entity | source | summary
    what: str
    #: chunk notes that go: path -> chunk_id
    notes: Mapping[str, str] = field(default_factory=dict)
    #: chat and mail notes from which messages go: path -> their keys
    messages: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    #: the entity that is forgotten, and the path of its note; "" for none
    entity_id: str = ""
    entity_path: str = ""
    #: summary notes and pages that go as a whole
    pages: tuple[str, ...] = ()
    #: originals in the vault, by path, and in the data folder, by name
    archived: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    #: original -> notes that stay and were made of it too
    shared: Mapping[str, int] = field(default_factory=dict)
    #: the forgotten words themselves: sentences and paragraphs
    texts: tuple[str, ...] = ()
    #: lines for the tombstones, hashes only
    tombstones: str = ""
    #: passages of others that name the forgotten entity, and stay
    mentions_left: int = 0
    #: how many messages or pieces go
    pieces: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was forgotten, or would be; it holds none of the forgotten words."""

    target: str
    what: str
    dry_run: bool
    #: chunk notes removed, and those from which messages were taken
    notes_removed: tuple[str, ...]
    notes_changed: tuple[str, ...]
    messages: int
    entity: str
    #: summaries and pages removed, and summaries sealed again
    pages_removed: tuple[str, ...]
    sealed_again: int
    originals_removed: tuple[str, ...]
    #: original -> notes that stay and were made of it too: it can no longer be looked at for them
    originals_shared: Mapping[str, int]
    log_lines: int
    facts: int
    mentions_left: int
    #: files of yours in which the words still stand: vaultmem does not write there
    still_in: tuple[str, ...]
    out_of_reach: tuple[str, ...] = OUT_OF_REACH
    #: what could not be done, and what to do
    problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The JSON of `forget`."""
        return asdict(self)
