"""The vault's files: the only writer of notes.

Rules of this file:
1. A path is checked before anything is touched; nothing is ever written through a link that leads out of the vault.
2. Notes vaultmem owns are replaced (`write`); notes a person may edit are changed only as they are at that moment
   (`edit`); everything else is never written over (`move`, `put`).
3. When a method returns, its work survives a power cut. One barrier per batch, never one per note.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from vaultmem.config import CONFIG_PATH
from vaultmem.errors import CannotWrite, NotHere, UnreadableVault
from vaultmem.model import FileStat, NoteFile
from vaultmem.store import atomic
from vaultmem.store.away import counts_blocks, is_away
from vaultmem.store.names import Names, candidates, key_of, parts_of, same_name, taken_names
from vaultmem.store.walk import DiskScan, Walk
from vaultmem.store.written import Seen, Written, is_missing, look

#: A note a person changed so lately may be open in an editor that will write again.
QUIET = timedelta(seconds=10)
#: A note that keeps changing under our hands is left for later.
_TRIES = 5
_MICROSECOND_NS = 1000


class DiskVault:
    """`ports.Vault` on a real folder. Not for two writers at once: see store.lock."""

    def __init__(self, root: Path, *, written: Written | None = None) -> None:
        self._root = Path(os.path.realpath(root))
        #: what we wrote, for the watcher of the same process
        self.written = written or Written()
        self._unflushed: set[Path] = set()

    @property
    def root(self) -> Path:
        """The vault's folder, links resolved."""
        return self._root

    # --- reading ---------------------------------------------------------------------------------------------------

    def scan(self, folder: str, *, suffix: str = ".md") -> DiskScan:
        """Every file below `folder` with that suffix (any when ""), dot-parts and links left out.

        A folder that does not exist is an empty scan; one that is a link or cannot be listed is in `unreadable`. The
        root missing or unreadable raises UnreadableVault.
        """
        self._check_root()
        parts = parts_of(folder)
        start = Names(self._root).locate(folder)
        if is_missing(start):
            return DiskScan()
        found = Walk(suffix, counts_blocks=self._counts_blocks())
        found.enter("/".join(parts), start)
        return DiskScan(
            files={path: found.files[path] for path in sorted(found.files)},
            unreadable=tuple(sorted(found.unreadable)),
            links=tuple(sorted(found.links)),
            offloaded=tuple(sorted(found.offloaded)),
            hollow=tuple(sorted(found.hollow)),
        )

    def _refuse_away(self, path: str, where: str) -> None:
        with contextlib.suppress(OSError):  # opening it tells what is wrong
            found = os.lstat(where)
            if is_away(found) and is_away(found, counts_blocks=self._counts_blocks()):
                raise NotHere(path)

    def _counts_blocks(self) -> bool:
        return counts_blocks(self._root / CONFIG_PATH)

    def _check_root(self) -> None:
        try:
            with os.scandir(self._root):
                return
        except OSError as error:
            raise UnreadableVault(str(self._root), _cause(error)) from None

    def stat(self, path: str) -> FileStat | None:
        """What is there now; None for nothing, a folder or a link."""
        seen = look(Names(self._root).locate(path))
        return FileStat(path=path, size=seen.size, mtime_ns=seen.mtime_ns) if seen else None

    def is_gone(self, path: str) -> bool:
        """Whether nothing stands there by just this path, as far as the disk is believed: not below a closed folder.

        A file that only has another path now is gone from this one: its name changed in case on a disk that ignores
        case, or the twin went that had the right to its path.
        """
        names = Names(self._root)
        target = names.locate(path)
        if look(target) is None:
            return is_missing(target)
        try:
            return not names.holds(path)
        except OSError:
            return False

    def is_covered(self, path: str) -> bool:
        """Whether what stands there is no file: a folder, a link."""
        target = Names(self._root).locate(path)
        return look(target) is None and os.path.lexists(target)

    def read(self, path: str) -> bytes:
        """The bytes. FileNotFoundError when it is gone or no plain file; UnreadableVault for any other cause."""
        where = Names(self._root).where(path)
        try:
            self._refuse_away(path, where)
            return atomic.read_regular(where)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise UnreadableVault(path, _cause(error)) from None

    def is_ours(self, path: str) -> bool:
        """Whether this process left the file as it is, or removed it."""
        target = Names(self._root).locate(path)
        return self.written.is_ours(target, look(target))

    # --- notes vaultmem owns -----------------------------------------------------------------------------------------

    def write(self, notes: Sequence[NoteFile]) -> tuple[str, ...]:
        """Write a batch of notes vaultmem owns, durable on return; equal bytes are not rewritten.

        Returns the paths really written. Of two notes with one path the last wins. `write(())` makes what `remove` did
        durable. Raises CannotWrite (disk full, no rights) with no temporary left behind.
        """
        changed = self._changed(notes)
        self._put(changed, may=lambda _: True)
        return tuple(draft.note.path for draft in changed)

    def renew(self, notes: Sequence[NoteFile], seen: Mapping[str, FileStat]) -> tuple[str, ...]:
        """`write` what a person may have changed meanwhile: only over files that are as `seen` says, and where it names
        none, over nothing. Returns the paths left alone. Each is looked at again just before its rename.
        """
        left = self._put(self._changed(notes), may=lambda draft: draft.stands_on(seen.get(draft.note.path)))
        return tuple(draft.note.path for draft in left)

    def _changed(self, notes: Sequence[NoteFile]) -> list[_Draft]:
        names = Names(self._root)
        targets = {names.target(note.path): note for note in notes}
        return [_Draft(target, note) for target, note in targets.items() if not _holds(target, note.content)]

    def _put(self, drafts: Sequence[_Draft], *, may: Callable[[_Draft], bool]) -> list[_Draft]:
        """Make these durable; those that may not be, at the moment of their rename, are returned."""
        wanted = [draft for draft in drafts if may(draft)]
        with _named_trouble(wanted[0].note.path if wanted else "."):
            for draft in wanted:
                self._make_room(draft.target)
            self._publish(wanted, may)
            self._flush(draft.target.parent for draft in wanted)
        return [draft for draft in drafts if not draft.is_done]

    def _publish(self, drafts: Sequence[_Draft], may: Callable[[_Draft], bool]) -> None:
        """All temporaries written and flushed side by side, then all renamed."""
        try:
            atomic.in_parallel(_Draft.save, drafts)
            for draft in drafts:
                if not may(draft):
                    atomic.discard([draft.fresh])
                    continue
                atomic.replace(draft.fresh, draft.target)
                draft.is_done = True
                self.written.note(draft.target, look(draft.target))
        except OSError:
            atomic.discard(draft.fresh for draft in drafts)
            raise

    def remove(self, path: str) -> None:
        """Delete a file vaultmem owns; nothing happens when it is gone already.

        Durable with the next write, edit, move or put, so that many removals cost one barrier; `write(())` is enough.
        """
        target = Names(self._root).target(path)
        with _named_trouble(path):
            try:
                atomic.unlink(target)
            except FileNotFoundError:
                return
        self.written.note(target, None)
        self._unflushed.add(target.parent)

    # --- notes a person may edit -------------------------------------------------------------------------------------

    def edit(self, path: str, change: Callable[[bytes], bytes | None], *, now: datetime) -> bool:
        """Replace a note that a person may also edit by `change(bytes)`; None or equal bytes: no write.

        Just before the rename the file is looked at again; if it changed, the edit is redone on the new bytes. A note
        that somebody else changed in the last 10 s is left for later: returns False, as it does when nothing was
        written or the note is gone. What `change` raises passes through and nothing is written.
        """
        target = Names(self._root).target(path)
        for _ in range(_TRIES):
            seen = look(target)
            if seen is None:
                return False
            try:
                old = self.read(path)
            except FileNotFoundError:
                return False
            new = change(old)
            if new is None or new == old or self._is_in_use(target, seen, now):
                return False
            if self._swap(target, seen, NoteFile(path=path, content=new)):
                return True
        return False

    def _is_in_use(self, target: Path, seen: Seen, now: datetime) -> bool:
        # A clock that is fixed for a test, or a file from another machine, may lie on either side of `now`.
        if self.written.is_ours(target, seen):
            return False
        return abs(now - _time(seen.mtime_ns)) < QUIET

    def _swap(self, target: Path, seen: Seen, note: NoteFile) -> bool:
        """Put the new bytes in place if the note is still as it was seen."""
        draft = _Draft(target, note)
        with _named_trouble(note.path):
            try:
                draft.save()
                if look(target) != seen:
                    atomic.discard([draft.fresh])
                    return False
                atomic.replace(draft.fresh, target)
            except OSError:
                atomic.discard([draft.fresh])
                raise
            self.written.note(target, look(target), before=seen)
            self._flush([target.parent])
        return True

    # --- everything else: never over another file --------------------------------------------------------------------

    def move(self, path: str, to: str) -> str:
        """Move a file inside the vault without replacing anything; returns the path it got (` (2)` when taken).

        A move that a kill interrupted ends where it began to go. FileNotFoundError when there is nothing to move.
        """
        names = Names(self._root)
        source, wanted = names.target(path), names.target(to)
        if look(source) is None:
            raise FileNotFoundError(path)
        with _named_trouble(to):
            self._make_room(wanted)
            target = self._settle(source, wanted)
            self.written.note(source, None)
            self.written.note(target, look(target))
            self._flush([target.parent, source.parent])
        return _beside(to, target)

    def put(self, path: str, content: bytes | Iterable[bytes], *, modified_at: datetime | None = None) -> str:
        """Write a non-note file (archive, failed reason, inbox copy) durably, never over another; returns its path.

        A large file is given as blocks, so that it need not fit in memory.
        """
        wanted = Names(self._root).target(path)
        with _named_trouble(path):
            self._make_room(wanted)
            fresh = atomic.temporary(wanted)
            try:
                blocks = [content] if isinstance(content, bytes) else content
                atomic.write_new(fresh, blocks, mtime_ns=_epoch_ns(modified_at) if modified_at else None)
                target = self._settle(fresh, wanted)
            except Exception:
                atomic.discard([fresh])
                raise
            self.written.note(target, look(target))
            self._flush([target.parent])
        return _beside(path, target)

    def _settle(self, source: Path, wanted: Path) -> Path:
        """Give the file the first free name like the wanted one; case-insensitively free, and nobody is replaced."""
        taken = taken_names(wanted.parent)
        if source.parent == wanted.parent:
            taken.discard(same_name(source.name))
        for name, is_taken in candidates(wanted.name, taken):
            target = wanted.with_name(name)
            if target == source:
                return target
            if is_taken:
                if _is_same(source, target):
                    atomic.unlink(source)  # a kill came between link and unlink
                    return target
                continue
            try:
                atomic.move_new(source, target)
            except FileExistsError:
                continue
            return target
        raise AssertionError("the names never end")

    # --- folders and leftovers ---------------------------------------------------------------------------------------

    def sweep_temporaries(self, folders: Sequence[str], *, older_than: datetime) -> tuple[str, ...]:
        """Remove what killed runs left in and below these folders, untouched since then; the vault paths removed.

        Only names of our own pattern. For folders vaultmem writes to, under the writer lock.
        """
        removed = []
        for folder in folders:
            for where in _folders(Names(self._root).locate(folder)):
                removed += atomic.sweep(where, older_than_ns=_epoch_ns(older_than))
        return tuple(sorted(path.relative_to(self._root).as_posix() for path in removed))

    def _make_room(self, target: Path) -> None:
        """The folder of a file to be; a made folder's own parent has a new name to flush."""
        made = atomic.make_folders(target.parent, above=self._root)
        self._unflushed.update(folder.parent for folder in made)

    def _flush(self, folders: Iterable[Path]) -> None:
        due = {folder for folder in self._unflushed | set(folders) if folder.is_dir()}
        atomic.flush_folders(due)
        self._unflushed.clear()


class _Draft:
    """One note on its way: its bytes in a temporary file beside the target."""

    def __init__(self, target: Path, note: NoteFile) -> None:
        self.target = target
        self.note = note
        self.fresh = atomic.temporary(target)
        self.is_done = False

    def save(self) -> None:
        """Write and flush the temporary; a replaced file keeps its mode."""
        atomic.write_new(self.fresh, [self.note.content], like=self.target)

    def stands_on(self, seen: FileStat | None) -> bool:
        """Whether what it would replace is what was seen; None: nothing."""
        now = look(self.target)
        if now is None or seen is None:
            return now is None and seen is None and not os.path.lexists(self.target)
        return (now.size, now.mtime_ns) == (seen.size, seen.mtime_ns)


def _folders(start: Path) -> Iterator[Path]:
    """A folder and all below it, links and dot-folders left out."""
    if start.is_symlink():
        return
    for here, below, _ in os.walk(start):
        below[:] = [name for name in below if not name.startswith(".")]
        yield Path(here)


def _holds(target: Path, content: bytes) -> bool:
    """True when the file is there with exactly these bytes."""
    seen = look(target)
    if seen is None or seen.size != len(content):
        return False
    try:
        return atomic.read_regular(target) == content
    except OSError:
        return False


def _is_same(one: Path, other: Path) -> bool:
    first, second = look(one), look(other)
    return first is not None and second is not None and first.inode == second.inode and one.samefile(other)


def _beside(path: str, target: Path) -> str:
    """The vault path of `target`, which lies in the folder of `path`."""
    folder, slash, _ = path.rpartition("/")
    return f"{folder}{slash}{key_of(target.name)}"


def _time(epoch_ns: int) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=epoch_ns / _MICROSECOND_NS)


def _epoch_ns(when: datetime) -> int:
    since = when - datetime(1970, 1, 1, tzinfo=UTC)
    return (since // timedelta(microseconds=1)) * _MICROSECOND_NS


def _cause(error: OSError) -> str:
    return error.strerror or type(error).__name__


@contextmanager
def _named_trouble(path: str) -> Iterator[None]:
    """Turn the system's refusal into a named problem."""
    try:
        yield
    except OSError as error:
        raise CannotWrite(path, _cause(error)) from error


__all__ = ["QUIET", "DiskScan", "DiskVault"]
