"""What every app function needs of the world, gathered once by memory.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from vaultmem.config import Settings
from vaultmem.model import TokenCounter
from vaultmem.ports import Embedder, Index, Intake, Vault


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
