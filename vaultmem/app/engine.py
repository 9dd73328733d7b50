"""What every app function needs of the world, gathered once by memory.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from vaultmem.config import Settings
from vaultmem.core.notes.paths import RAW
from vaultmem.model import TokenCounter
from vaultmem.ports import Embedder, Facts, History, Index, Intake, Llm, Vault

_BUILT = "built_at"
_WORDS = "words_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The ports and the clock of one open vault."""

    vault: Vault
    index: Index
    intake: Intake
    settings: Settings
    count: TokenCounter
    #: the time memory is written with, aware UTC; VAULTMEM_NOW fixes it
    now: Callable[[], datetime]
    #: seconds since the epoch as the disk's clock has it, for settling
    wall: Callable[[], float]
    sleep: Callable[[float], None]
    #: loaded when first asked for; None where there is none
    embedder: Callable[[], Embedder | None]
    #: the language model the user named; None where there is none
    llm: Callable[[], Llm | None] = lambda: None
    #: where facts are kept; None in tests of other things
    facts: Callable[[], Facts | None] = lambda: None
    #: the git repository the vault lies in; None where there is none
    history: Callable[[], History | None] = lambda: None
    #: a person said that notes which are missing were deleted, however many they are
    accepts_deletions: bool = False
    #: told once, before something that costs money
    notice: Callable[[str], None] = lambda _: None
    #: told what is being done, for people who wait; from any thread, often
    progress: Callable[[str], None] = lambda _: None

    @property
    def built_at(self) -> str:
        """When a pass last brought the whole index up to date; "" for one that has not seen the notes yet."""
        return self.index.get_meta(_BUILT)

    @property
    def is_built(self) -> bool:
        """Whether the index holds all notes, as they were at the last pass."""
        return bool(self.built_at)

    @property
    def has_words(self) -> bool:
        """Whether the words of all notes are in while a pass reads the rest of them."""
        return bool(self.index.get_meta(_WORDS)) and len(self.vault.scan(RAW).files) <= len(self.index.note_stats())

    def mark_words(self) -> None:
        """The words of the user's own notes are in."""
        self.index.set_meta(_WORDS, self.now().isoformat())

    def mark_built(self) -> None:
        """A pass has seen every note."""
        self.index.set_meta(_BUILT, self.now().isoformat())
