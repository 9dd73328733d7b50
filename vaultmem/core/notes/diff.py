"""Vault facts against index facts -> what to do. Reconcile carries the plan out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from vaultmem.model import FileStat

#: The explicit yes.
ACCEPT = "run 'vaultmem sync --accept-deletions' if that is meant"
#: A pass that would forget more notes than this many and this share waits for it: a vault that is half synced or half
#: unmounted looks the same as a mass deletion.
MAX_VANISHED = 20
MAX_VANISHED_SHARE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """Where the index differs from the vault."""

    #: on disk, unknown to the index
    added: tuple[str, ...] = ()
    #: size or time differ from what was indexed
    changed: tuple[str, ...] = ()
    #: indexed, no longer on disk; empty when the scan was partial
    vanished: tuple[str, ...] = ()
    #: vanished ones held back, and why; "" when none
    held_back: str = ""


def compare(
    disk: Mapping[str, FileStat],
    indexed: Mapping[str, FileStat],
    *,
    unreadable: Collection[str] = (),
    claimed: Collection[str] = (),
    accepted: bool = False,
) -> Drift:
    """The plan. `claimed` paths belong to an unfinished ingest: never adopted, it will write them again.

    `accepted`: a person said that what is missing was deleted, however much it is.
    """
    added = tuple(sorted(p for p in disk if p not in indexed and p not in claimed))
    changed = tuple(sorted(p for p in disk if p in indexed and _differs(disk[p], indexed[p])))
    vanished = tuple(sorted(p for p in indexed if p not in disk))
    held_back = why_held_back(len(vanished), len(added), len(indexed), unreadable, accepted=accepted)
    return Drift(added=added, changed=changed, vanished=() if held_back else vanished, held_back=held_back)


def _differs(now: FileStat, then: FileStat) -> bool:
    """Sync tools set old times, git sets new ones: any difference is a change, none is older or newer."""
    return (now.size, now.mtime_ns) != (then.size, then.mtime_ns)


def why_held_back(
    vanished: int, added: int, indexed: int, unreadable: Collection[str], *, accepted: bool = False
) -> str:
    """Why nothing may be forgotten in this pass; "" when it may. Moved notes (also added) do not count."""
    if not vanished:
        return ""
    if unreadable:
        return f"{vanished} notes not seen, but these folders could not be read: {', '.join(sorted(unreadable))}"
    gone = vanished - added
    if accepted:
        return ""
    if gone == indexed and indexed > 1:
        return f"all {gone} notes are missing: {ACCEPT}"
    if gone > MAX_VANISHED and gone > MAX_VANISHED_SHARE * indexed:
        return f"{gone} of {indexed} notes are missing at once: {ACCEPT}"
    return ""
