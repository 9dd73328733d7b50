"""A large file's bytes without the file in memory: `Bytes` on an open file, one page of it held at a time.

Not a memory map: its pages count as memory of the process until somebody else needs them, and a file that is cut short
while it is mapped kills the process that looks at it. Here such a file simply ends earlier.
"""

from __future__ import annotations

from typing import BinaryIO

_PAGE = 1 << 20
#: a slice up to here is taken from the page, and brings the page along: readers go forward in small steps
_SMALL = 1 << 16


class PagedFile:
    """`model.Bytes` on a file that stays open meanwhile."""

    def __init__(self, file: BinaryIO, size: int) -> None:
        self._file = file
        self._size = size
        self._first = 0
        self._page = b""

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, key: slice, /) -> bytes:
        start, stop, step = key.indices(self._size)
        length = max(0, stop - start)
        if step != 1:
            return self._read(0, self._size)[key]
        if length > _SMALL:
            return self._read(start, length)
        self._turn_to(start, length)
        return self._page[start - self._first : stop - self._first] if length else b""

    def find(self, sub: bytes, start: int = 0, end: int | None = None, /) -> int:
        """Where `sub` starts, or -1, like `bytes.find`."""
        at, stop, _ = slice(start, end).indices(self._size)
        while at + len(sub) <= stop:
            self._turn_to(at, len(sub))
            found = self._page.find(sub, at - self._first, stop - self._first)
            if found >= 0:
                return self._first + found
            reached = self._first + len(self._page)
            if reached < at + len(sub):  # cut short since it was opened
                return -1
            at = reached - len(sub) + 1
        return -1

    def _turn_to(self, at: int, length: int) -> None:
        """Have a page that holds these bytes, as far as the file has them."""
        if at < self._first or at + length > self._first + len(self._page):
            self._page = self._read(at, max(_PAGE, length))
            self._first = at

    def _read(self, at: int, length: int) -> bytes:
        self._file.seek(at)
        return self._file.read(length)
