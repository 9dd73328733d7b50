"""Files beside a dropped file and in the folders above it, up to the inbox: read when a reader asks for one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

#: Files kept at hand: every day of an export asks for the same lists.
_KEPT = 8
#: Bytes of a file that is given along: lists of users and channels, no archives.
_MAX_BYTES = 64 << 20


@dataclass(slots=True)
class Kept:
    """What was read last, by path, size and time."""

    files: OrderedDict[tuple[str, int, int], bytes] = field(default_factory=OrderedDict)

    def read(self, path: Path) -> bytes:
        """The file's bytes. Raises KeyError for what is no file, is a link, is too large or cannot be read."""
        try:
            seen = path.lstat()
            key = (str(path), seen.st_size, seen.st_mtime_ns)
            if key not in self.files:
                if path.is_symlink() or not path.is_file() or seen.st_size > _MAX_BYTES:
                    raise KeyError(path.name)
                self.files[key] = path.read_bytes()
        except (OSError, ValueError):
            raise KeyError(path.name) from None
        self.files.move_to_end(key)
        while len(self.files) > _KEPT:
            self.files.popitem(last=False)
        return self.files[key]


class Siblings(Mapping[str, bytes]):
    """Inbox-relative name -> content, of the files in the folders that a file lies in."""

    def __init__(self, name: str, path: Path, kept: Kept) -> None:
        self._folders = name.split("/")[:-1]
        self._path = path
        self._kept = kept

    def __getitem__(self, name: str) -> bytes:
        *folders, base = name.split("/")
        above = len(self._folders) - len(folders)
        if above < 0 or folders != self._folders[: len(folders)] or base in ("", ".", "..", self._path.name):
            raise KeyError(name)
        return self._kept.read(self._path.parents[above] / base)

    def __iter__(self) -> Iterator[str]:
        for above in range(len(self._folders) + 1):
            folders = self._folders[: len(self._folders) - above]
            for path in sorted(self._path.parents[above].iterdir()):
                if path != self._path and path.is_file() and not path.is_symlink():
                    yield "/".join([*folders, path.name])

    def __len__(self) -> int:
        return sum(1 for _ in self)
