"""What vaultmem keeps outside the vault, as forgetting sees it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol


class Private(Protocol):
    """The data folder of a vault: originals, logs, and the journal of a forgetting that is under way."""

    def journal(self) -> str:
        """The plan that was begun and is not done; "" for none."""
        ...

    def open_journal(self, text: str) -> None:
        """Write the plan down, durable on return."""
        ...

    def close_journal(self) -> None:
        """The plan is done."""
        ...

    def originals(self) -> tuple[tuple[str, str], ...]:
        """(name here, the dropped file's own name) of every original."""
        ...

    def read_original(self, name: str) -> bytes:
        """Its bytes; b"" when it is gone."""
        ...

    def remove_originals(self, names: Collection[str]) -> None:
        """Delete these for good."""
        ...

    def drop_log_lines(self, is_told: Callable[[str], bool]) -> int:
        """Take these lines out of all logs; how many."""
        ...

    def drop_leftovers(self) -> None:
        """Databases that were set aside, and temporary files."""
        ...

    def still_in(self, needles: Collection[bytes]) -> tuple[str, ...]:
        """Files of the vault (hidden ones too, but git's own) and of this folder that hold one of these."""
        ...
