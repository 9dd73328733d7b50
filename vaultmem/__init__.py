"""vaultmem: a memory for people and their agents, inside an Obsidian vault."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.memory import Memory, open_vault

__version__ = "0.1.0"

__all__ = ["Memory", "__version__", "open_vault"]


def __getattr__(name: str) -> object:
    """The public names, loaded on first use: `vaultmem --help` must not pay for them."""
    if name in __all__:
        from vaultmem import memory

        return getattr(memory, name)
    raise AttributeError(name)
