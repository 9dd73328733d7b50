"""What vaultmem last wrote where: the watcher drops these echoes, an edit knows its own hand from a person's."""

from __future__ import annotations

import errno
import stat
import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

#: Entries kept; an older one is forgotten, and its echo costs one comparison in reconcile.
_KEPT = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What tells one state of a file from the next."""

    size: int
    mtime_ns: int
    inode: int


def look(path: Path) -> Seen | None:
    """The state of a regular file; None for nothing, a folder, a link, or what cannot be looked at."""
    try:
        found = path.lstat()
    except OSError:
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return Seen(size=found.st_size, mtime_ns=found.st_mtime_ns, inode=found.st_ino)


def is_missing(path: Path) -> bool:
    """Whether nothing is there; a closed folder above it, or a disk that fails, says nothing."""
    try:
        path.lstat()
    except OSError as error:
        return error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
    return False


class Written:
    """A bounded memory of our own writes, shared by the vault (which fills it) and the watcher, across threads."""

    def __init__(self) -> None:
        self._states: OrderedDict[Path, Seen | None] = OrderedDict()
        #: where our last write stands on a change of somebody else's that the watcher has not handed out
        self._covering: set[Path] = set()
        self._lock = threading.Lock()

    def note(self, path: Path, state: Seen | None, *, before: Seen | None = None) -> None:
        """Remember the state we left at an absolute path; None: we removed it. `before`: what our edit was made of.

        When somebody else had changed what we wrote earlier, the watcher still has to hear of it.
        """
        with self._lock:
            if before is not None and path in self._states and self._states[path] != before:
                self._covering.add(path)
            else:
                self._covering.discard(path)
            self._states[path] = state
            self._states.move_to_end(path)
            while len(self._states) > _KEPT:
                self._covering.discard(self._states.popitem(last=False)[0])

    def is_echo(self, path: Path, state: Seen | None) -> bool:
        """True when nobody but us has changed the path since we first wrote it."""
        return self.is_ours(path, state) and path not in self._covering

    def is_ours(self, path: Path, state: Seen | None) -> bool:
        """True when the path is as we left it."""
        with self._lock:
            return path in self._states and self._states[path] == state
