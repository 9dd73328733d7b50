"""The vault and the way in, as the app sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from vaultmem.model import Claim, FileStat, InboxFile, NoteFile, RawFile


class Scan(Protocol):
    """What a look at a folder saw."""

    @property
    def files(self) -> Mapping[str, FileStat]:
        """Vault path -> what was seen, for every file below the folder."""
        ...

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Folders that could not be listed: the scan is partial, nothing may be deleted because of it."""
        ...

    @property
    def links(self) -> tuple[str, ...]:
        """Links met on the way, those to a folder with a / at their end; they are never followed."""
        ...

    @property
    def offloaded(self) -> tuple[str, ...]:
        """Files that a cloud has taken off this disk, by the path they come back to: away, not deleted."""
        ...

    @property
    def hollow(self) -> tuple[str, ...]:
        """Files of the scan whose content a cloud has taken off this disk: to read one is to fetch it."""
        ...


class Vault(Protocol):
    """The vault's files. The only writer of notes; paths are POSIX, relative to the root, NFC in what we write."""

    @property
    def root(self) -> Path:
        """The vault's folder."""
        ...

    def scan(self, folder: str, *, suffix: str = ".md") -> Scan:
        """Every file below `folder` with that suffix (any when ""), dot-parts and links left out.

        A folder that does not exist is an empty scan; the root itself missing or unreadable raises UnreadableVault.
        """
        ...

    def stat(self, path: str) -> FileStat | None:
        """What is there now; None for nothing, a folder or a link."""
        ...

    def is_gone(self, path: str) -> bool:
        """Whether nothing stands there by just this path; False also where a closed folder or a failing disk does not
        let it be seen.
        """
        ...

    def is_covered(self, path: str) -> bool:
        """Whether what stands there is no file: a folder, a link."""
        ...

    def is_ours(self, path: str) -> bool:
        """Whether this process left the file as it is, or removed it."""
        ...

    def read(self, path: str) -> bytes:
        """The file's bytes; FileNotFoundError when it is gone."""
        ...

    def renew(self, notes: Sequence[NoteFile], seen: Mapping[str, FileStat]) -> tuple[str, ...]:
        """`write` what a person may have changed meanwhile: only over files that are as `seen` says, and where it names
        none, over nothing. Returns the paths left alone.
        """
        ...

    def write(self, notes: Sequence[NoteFile]) -> tuple[str, ...]:
        """Write a batch of notes vaultmem owns, durable on return; equal bytes are not rewritten.

        Each by a temporary dot-file in its own folder and a rename; all files are flushed together, then the folders.
        Returns the paths really written.
        """
        ...

    def edit(self, path: str, change: Callable[[bytes], bytes | None], *, now: datetime) -> bool:
        """Replace a note that a person may also edit by `change(bytes)`; None or equal bytes: no write.

        Just before the rename the file is looked at again; if it changed, the edit is redone on the new bytes. A note
        a person changed in the last 10 s is left for later: returns False, as it does when nothing was written.
        """
        ...

    def remove(self, path: str) -> None:
        """Delete a file vaultmem owns; nothing happens when it is gone already."""
        ...

    def move(self, path: str, to: str) -> str:
        """Move a file inside the vault without replacing anything; returns the path it got (` (2)` when taken)."""
        ...

    def put(self, path: str, content: bytes, *, modified_at: datetime | None = None) -> str:
        """Write a non-note file (archive, failed reason, inbox copy) durably, never over another; returns its path."""
        ...


class Intake(Protocol):
    """The inbox, the originals and the claims: a dropped file's way outside the notes."""

    def files(self) -> tuple[InboxFile, ...]:
        """Every file below the inbox, sorted by name; hidden ones and links too."""
        ...

    def load(self, name: str) -> AbstractContextManager[RawFile]:
        """The file's content (a memory map when large). Raises UnreadableSource when it cannot be opened."""
        ...

    def copy_in(self, path: Path) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Copy a file or a folder into the inbox, keeping modification times.

        Returns the names they got there, and (name, reason) of what was left out: links are never followed.
        """
        ...

    def plan_original(self, name: str, sha256: str, *, apart: bool) -> str:
        """The vault path this file gets in `wiki/archive`: where its content is already, or what an open claim of it
        says, else the first name that is free there and in all open claims.

        `apart`: the name bears a part of the hash, so that no other vault gives it to another file.
        """
        ...

    def keep(self, name: str, sha256: str, *, archived: str) -> None:
        """Put the original away for good, then take it out of the inbox: to the planned path, or, for "", privately.

        The same content is kept once. Durable before the inbox file goes; one that changed meanwhile stays there.
        """
        ...

    def fail(self, name: str, reason: str) -> str:
        """Set a file aside in `_failed/` with its reason beside it; returns the new inbox-relative name."""
        ...

    def open_claim(self, claim: Claim) -> None:
        """Write or replace the claim of this file, durable on return."""
        ...

    def claims(self) -> tuple[Claim, ...]:
        """Claims of ingests that did not come to their end."""
        ...

    def close_claim(self, sha256: str) -> None:
        """The ingest is complete."""
        ...
