"""Big JSON, member by member: what is not asked for apart is parsed as one value, and nothing of it is kept.

for path, value in walk(text, {(), ("messages",)}):
    ("name",) "Ann" … ("messages",) OPEN, ("messages", "[]") {...}, ("messages", "[]") {...}, ("messages",) CLOSE
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from enum import Enum

from vaultmem.errors import UnreadableSource

#: Keys from the top down; "[]" stands for the items of a list.
Path = tuple[str, ...]

_SPACE = re.compile(r"[ \t\r\n\ufeff]*")


class Mark(Enum):
    """Where an object or a list that is walked into begins and ends."""

    OPEN = "open"
    CLOSE = "close"


def walk(text: str, into: Collection[Path]) -> Iterator[tuple[Path, object]]:
    """Every value in the order of the text; those whose path is in `into` member by member, between marks.

    Raises UnreadableSource where the text is no JSON, or breaks off; what stands before that was given.
    """
    yield from _walk(_Cursor(text), (), frozenset(into))


class _Cursor:
    """A place in the text that moves forward over whole values."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._decoder = json.JSONDecoder()

    def next(self) -> str:
        """The character that comes next, blanks left out; it is not taken."""
        match = _SPACE.match(self._text, self._at)
        self._at = match.end() if match else self._at
        if self._at >= len(self._text):
            raise UnreadableSource("the JSON breaks off before its end")
        return self._text[self._at]

    def take(self, sign: str) -> bool:
        """Step over the sign if it comes next."""
        found = self.next() == sign
        self._at += found
        return found

    def value(self) -> object:
        """The value that begins here."""
        self.next()
        try:
            found, self._at = self._decoder.raw_decode(self._text, self._at)
        except (ValueError, RecursionError) as error:
            raise UnreadableSource(f"the JSON is broken: {str(error)[:120]}") from None
        return found


def _walk(cursor: _Cursor, path: Path, into: frozenset[Path]) -> Iterator[tuple[Path, object]]:
    sign = cursor.next()
    if path not in into or sign not in "{[":
        yield path, cursor.value()
        return
    cursor.take(sign)
    yield path, Mark.OPEN
    end = "}" if sign == "{" else "]"
    while not cursor.take(end):
        key = _key(cursor) if sign == "{" else "[]"
        yield from _walk(cursor, (*path, key), into)
        if not cursor.take(",") and cursor.next() != end:
            raise UnreadableSource(f"the JSON is broken: '{cursor.next()}' where a comma should stand")
    yield path, Mark.CLOSE


def _key(cursor: _Cursor) -> str:
    key = cursor.value()
    if not isinstance(key, str) or not cursor.take(":"):
        raise UnreadableSource("the JSON is broken: a member without a name")
    return key
