"""Whether the vault that stands here is the one the index was made of: one folder may hold another vault tomorrow.

The data folder is found by the vault's path. A copy that takes the place of a vault that was removed has none of its
notes, and no id, for git does not carry it: what the index holds are then notes of a vault that is no more.
"""

from __future__ import annotations

import secrets

from vaultmem.errors import CannotWrite
from vaultmem.store.index import SqliteIndex
from vaultmem.store.vault import DiskVault

VAULT_ID = ".vaultmem/vault-id"
_KNOWN = "vault_id"


def forget_other_vault(vault: DiskVault, index: SqliteIndex) -> bool:
    """Empty an index that was made of another vault at this path; whether that was so. Under the writer lock.

    Notes that are merely missing are not believed to be deleted: that is for reconcile. A vault that cannot be written
    gets no id, and nothing is emptied.
    """
    try:
        here = _vault_id(vault)
    except CannotWrite:
        return False
    if index.get_meta(_KNOWN) == here:
        return False
    notes = index.note_stats()
    is_other = bool(notes) and not any(vault.stat(path) for path in notes)
    if is_other:
        index.clear()
    index.set_meta(_KNOWN, here)
    return is_other


def _vault_id(vault: DiskVault) -> str:
    """Made once; a line of random letters."""
    if vault.stat(VAULT_ID) is None:
        vault.put(VAULT_ID, f"{secrets.token_hex(16)}\n".encode())
    return vault.read(VAULT_ID).decode("utf-8", "replace").strip()
