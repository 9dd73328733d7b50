"""Where facts are kept: notes of the vault, or a service that several agents share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol

from vaultmem.facts import Change, Fact, NewFact


class Facts(Protocol):
    """Keys and values in namespaces. Namespaces are slugs; keys are one when they fold alike."""

    @property
    def home(self) -> str:
        """What a person calls it: `notes`, or a service and its address; nothing secret."""
        ...

    def namespaces(self) -> tuple[str, ...]:
        """Those that hold something, sorted. Raises FactsTrouble."""
        ...

    def read(self, namespace: str) -> tuple[Fact, ...]:
        """What is held now, each key once, sorted by folded key. Raises FactsTrouble."""
        ...

    def put(self, namespace: str, items: Sequence[NewFact], *, now: datetime) -> tuple[Change, ...]:
        """Add or supersede, durable on return; a value that stands already changes nothing.

        A superseded value is kept with its dates. Several processes may put at once. Raises FactsTrouble, CannotWrite.
        """
        ...

    def forget_shared(self, sources: Collection[str], texts: Collection[str]) -> int:
        """Drop what is held outside the vault of these: values whose source holds one of the first, or which hold one
        of the second. How many went. Raises FactsTrouble.
        """
        ...
