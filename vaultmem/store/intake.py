"""The inbox as the app sees it: dropped files in, originals put away, what cannot be read set aside."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from vaultmem.core.ingest.inbox import FAILED_FOLDER, REASON
from vaultmem.core.notes.ids import safe_part
from vaultmem.core.notes.paths import ARCHIVE, OWN_FOLDERS, original_name
from vaultmem.errors import BadQuery, NotFound, SkippedSource, UnreadableSource
from vaultmem.model import Bytes, Claim, InboxFile, NoteFile, RawFile
from vaultmem.store import atomic
from vaultmem.store.away import is_away
from vaultmem.store.data import DataFolder
from vaultmem.store.inbox import list_inbox
from vaultmem.store.names import Names, candidates, key_of, same_name
from vaultmem.store.paged import PagedFile
from vaultmem.store.siblings import Kept, Siblings
from vaultmem.store.vault import DiskVault

#: Files from here on are read page by page: a 2 GB mailbox must not fill the memory.
_LARGE = 8 << 20
#: behind the name of a file that was set aside: the note that says why
#: where that is said
_IN_PLACE = "'notes:' in .vaultmem/config.yaml"
_BLOCK = 1 << 20
_MB = 1 << 20


class DiskIntake:
    """The Intake port on a vault and its data folder."""

    def __init__(self, vault: DiskVault, data: DataFolder, *, inbox: str, max_file_mb: int) -> None:
        self._vault = vault
        self._data = data
        self._inbox = inbox
        self._max_bytes = max_file_mb * _MB
        self._kept = Kept()

    @property
    def _folder(self) -> Path:
        return self._vault.root / self._inbox

    def files(self) -> tuple[InboxFile, ...]:
        """Every file below the inbox, sorted by name; hidden ones and links too."""
        return list_inbox(self._folder)

    @contextmanager
    def load(self, name: str) -> Iterator[RawFile]:
        """The file's content. Raises UnreadableSource when it cannot be opened, SkippedSource when it still changes."""
        path = self._path(name)
        try:
            with path.open("rb") as file:
                before = os.fstat(file.fileno())
                if before.st_size > self._max_bytes:
                    raise UnreadableSource(
                        f"larger than {self._max_bytes // _MB} MB: raise 'max_file_mb' in the config"
                    )
                modified = datetime.fromtimestamp(before.st_mtime, UTC)
                beside = Siblings(name, path, self._kept)
                yield RawFile(name=name, data=_content(file, before.st_size), modified_at=modified, siblings=beside)
            after = path.stat()
        except OSError as error:
            raise UnreadableSource(f"cannot be read: {error.strerror or type(error).__name__}") from None
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise SkippedSource("changed while it was read: it is read again when it has been quiet for a moment")

    def _path(self, name: str) -> Path:
        """Where the disk keeps that name: it may spell it in another normal form."""
        direct = self._folder / name
        if direct.exists():
            return direct
        return next((self._folder / file.disk_name for file in self.files() if file.name == name), direct)

    def copy_all(self, paths: Sequence[Path]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """`copy_in` for several. Raises BadQuery before anything is copied, when memory would be fed with itself."""
        for path in paths:
            self._refuse_own(path)
        copied = [self.copy_in(path) for path in paths]
        return tuple(n for names, _ in copied for n in names), tuple(
            pair for _, left_out in copied for pair in left_out
        )

    def copy_in(self, path: Path) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """Copy a file or a folder into the inbox, keeping modification times.

        Returns the names they got there, and (name, reason) of what was left out: links are never followed.
        """
        if path.is_symlink():
            return (), ((path.name, "symbolic link: links are not followed; name the file itself"),)
        resolved, inbox = path.resolve(), self._folder.resolve()
        if resolved.is_relative_to(inbox):
            there = resolved.relative_to(inbox)
            return tuple(file.name for file in self.files() if Path(file.name).is_relative_to(there)), ()
        if path.is_file():
            return (self._copy(path, path.name),), ()
        names: list[str] = []
        left_out: list[tuple[str, str]] = []
        for folder, below, files in os.walk(path):
            below.sort()
            for name in sorted(files):
                source = Path(folder) / name
                target = f"{resolved.name}/{source.relative_to(path).as_posix()}"
                if source.is_symlink():
                    left_out.append((target, "symbolic link: links are not followed; name the file itself"))
                elif not any(part.startswith(".") for part in target.split("/")):
                    names.append(self._copy(source, target))
        return tuple(names), tuple(left_out)

    def _refuse_own(self, path: Path) -> None:
        root, found = self._vault.root.resolve(), path.resolve()
        if root.is_relative_to(found):
            raise BadQuery("path", str(path), f"no folder that holds this vault; its notes need no copy ({_IN_PLACE})")
        if any(found.is_relative_to(root / folder) for folder in OWN_FOLDERS):
            raise BadQuery("path", str(path), "nothing of memory's own: its notes are read where they stand")

    def _copy(self, source: Path, name: str) -> str:
        """One file; a name the vault cannot hold is made safe, part by part."""
        modified = datetime.fromtimestamp(source.stat().st_mtime, UTC)
        safe = "/".join(part if _holds(part) else safe_part(part) for part in name.split("/"))
        if waiting := self._waiting(source, safe):
            return waiting
        placed = self._vault.put(f"{self._inbox}/{safe}", _blocks(source), modified_at=modified)
        return placed.removeprefix(f"{self._inbox}/")

    def _waiting(self, source: Path, name: str) -> str:
        """The file of that name in the inbox, or one numbered after it, that has these very bytes: a run that was
        killed left it there. "" for none.
        """
        folder, slash, last = name.rpartition("/")
        names, size = Names(self._vault.root), source.stat().st_size
        for candidate, _ in candidates(last, ()):
            path = names.locate(f"{self._inbox}/{folder}{slash}{candidate}")
            try:
                found = path.lstat()
                is_alike = stat.S_ISREG(found.st_mode) and found.st_size == size and not is_away(found)
                if is_alike and _sha256(path) == _sha256(source):
                    return f"{folder}{slash}{key_of(path.name)}"
            except OSError:  # none is left to look at, or this one cannot be read
                break
        return ""

    def put_text(self, title: str, text: str) -> str:
        """Put a text into the inbox as a Markdown file under its title; returns the name it got there."""
        body = text if text.lstrip("\ufeff").startswith(("---", "# ")) else f"# {title}\n\n{text}"
        content = body.rstrip("\n").encode("utf-8", "replace") + b"\n"
        return self._vault.put(f"{self._inbox}/{safe_part(title)}.md", content).removeprefix(f"{self._inbox}/")

    def put_json(self, title: str, text: str) -> str:
        """Put JSON into the inbox under a title; returns the name it got there."""
        content = text.encode("utf-8", "replace")
        return self._vault.put(f"{self._inbox}/{safe_part(title)}.json", content).removeprefix(f"{self._inbox}/")

    def plan_original(self, name: str, sha256: str, *, apart: bool) -> str:
        """The vault path this file gets in the archive: where its content is, or what an open claim of it says, else
        the first name that is free there and in all open claims. `apart`: a name no other vault gives to another.
        """
        path = self._path(name)
        seen = path.stat()
        held = self._archived(sha256, seen.st_size)
        claims = [claim for claim in self.claims() if claim.original]
        promised = [claim.original for claim in claims if claim.sha256 == sha256]
        if held or promised:
            # A promise is broken by nobody: names of open claims are given to no other file.
            return (promised if not held or set(promised) & set(held) else held)[0]
        folder = f"{ARCHIVE}/{datetime.fromtimestamp(seen.st_mtime, UTC):%Y/%m}"
        there = [*self._vault.scan(folder, suffix="").files, *(claim.original for claim in claims)]
        taken = {same_name(other.rpartition("/")[2]) for other in there if other.startswith(f"{folder}/")}
        wanted = original_name(path.name, sha256) if apart else safe_part(path.name)
        free = (name for name, is_taken in candidates(wanted, taken) if not is_taken)
        return f"{folder}/{next(free)}"

    def _archived(self, sha256: str, size: int) -> list[str]:
        """Where in the archive this content is kept."""
        found = self._vault.scan(ARCHIVE, suffix="").files
        alike = (path for path, stat in found.items() if stat.size == size)
        return [path for path in alike if hashlib.sha256(self._vault.read(path)).hexdigest() == sha256]

    def keep(self, name: str, sha256: str, *, archived: str) -> None:
        """Put the original away durably, then take it out of the inbox. A file that changed meanwhile stays there."""
        path = self._path(name)
        if archived:
            if _sha256(path) != sha256:
                return
            if archived in self._archived(sha256, path.stat().st_size):
                atomic.flush_folder((self._vault.root / archived).parent)
                atomic.unlink(path)
            else:
                self._vault.move(f"{self._inbox}/{name}", archived)
        else:
            if self._data.keep_original(name, path) != sha256:
                return
            atomic.unlink(path)
        self._drop_empty_folders(path.parent)

    def _drop_empty_folders(self, folder: Path) -> None:
        """A dropped folder goes when its last file has gone; the inbox itself stays."""
        while folder != self._folder and folder.is_relative_to(self._folder):
            try:
                folder.rmdir()
            except OSError:
                return
            folder = folder.parent

    def fail(self, name: str, reason: str) -> str:
        """Set a file aside in `_failed/`, its reason beside it; returns its new inbox-relative name."""
        before = self._path(name)
        target = self._free_failed(name)
        text = f"# Not imported\n\n{reason}\n\nMend the file and move it back into `{self._inbox}`, or delete both.\n"
        # The reason first: a kill between the two leaves a reason that is simply written again, never a file without.
        self._vault.write([NoteFile(path=f"{target}{REASON}", content=text.encode())])
        moved = self._vault.move(f"{self._inbox}/{name}", target)
        self._drop_empty_folders(before.parent)
        return moved.removeprefix(f"{self._inbox}/")

    def _free_failed(self, name: str) -> str:
        """Where the file goes: beside an earlier one of that name, never over it."""
        folder, slash, last = name.rpartition("/")
        for candidate, _ in candidates(last, (), spare=len(REASON)):
            target = f"{self._inbox}/{FAILED_FOLDER}/{folder}{slash}{candidate}"
            if self._vault.stat(target) is None or self._is_half_moved(name, target):
                return target
        raise AssertionError("there is always another number")

    def _is_half_moved(self, name: str, target: str) -> bool:
        """True when a kill came between the two steps of this very move: one file under both names."""
        return self._path(name).samefile(Names(self._vault.root).locate(target))

    def open_claim(self, claim: Claim) -> None:
        """Write or replace the claim of this file, durable on return."""
        self._data.open_claim(claim)

    def claims(self) -> tuple[Claim, ...]:
        """Claims of ingests that did not come to their end."""
        return self._data.claims()

    def close_claim(self, sha256: str) -> None:
        """The ingest is complete."""
        self._data.close_claim(sha256)


def existing(paths: Sequence[str | Path]) -> list[Path]:
    """The paths, all of which exist. Raises NotFound for the first that does not."""
    return [_existing(str(path)) for path in paths]


def _existing(named: str) -> Path:
    try:
        path = Path(named).expanduser()
    except RuntimeError:  # a home of nobody
        path = Path(named)
    if not named or not os.path.lexists(path):
        raise NotFound(named or "''", "this computer")
    return path


def is_below(path: Path, folder: Path) -> bool:
    """Whether a path leads into a folder, links followed, whether or not there is anything."""
    try:
        return path.expanduser().resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):  # no name of a file, links in a circle, a home of nobody
        return False


def _holds(part: str) -> bool:
    """True for a name part that the vault's rules accept as it is (the inbox keeps people's own names)."""
    return not part.startswith(".") and len(os.fsencode(part)) <= 240 and all(c >= " " for c in part)


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    for block in _blocks(path):
        digest.update(block)
    return digest.hexdigest()


def _blocks(source: Path) -> Iterator[bytes]:
    with source.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block


def _content(file: BinaryIO, size: int) -> Bytes:
    """The bytes of an open file: at once when small, page by page when large."""
    return file.read() if size < _LARGE else PagedFile(file, size)
