"""Chunk notes that cannot be read, as a person or a merge left them: what stands in them is held all the same.

Nothing of such a note is indexed until it is mended. An index that is made anew knows nothing of it, and an export that
comes again would bring its content a second time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from vaultmem.core.notes.properties import split_note
from vaultmem.core.notes.tombstones import piece_key

_MESSAGE = re.compile(r"^\^m-([0-9a-f]{12})[ \t]*$", re.MULTILINE)
_SOURCE = re.compile(r"^source_id:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
#: What no text begins with that stands without quotes.
_ODD = frozenset("[]{}&*!|>%@`#,?")
#: Hash of the body as it was written: it begins like the key of a document's piece.
_BODY = re.compile(r"^body_sha256:[ \t]*[\"']?([0-9a-f]{12})[0-9a-f]{52}", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """What is told to stand in notes that cannot be read."""

    #: (source_id, key of a message or of a piece) -> path of the note; source_id "" where the note does not say it
    held: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def known(self, source_id: str, keys: Iterable[str]) -> dict[str, str]:
        """Which of these keys of a source stand in one: key -> path of the note."""
        if not self.held:
            return {}
        found = ((key, self.held.get((source_id, key)) or self.held.get(("", key))) for key in keys)
        return {key: path for key, path in found if path}


def broken_notes(notes: Iterable[tuple[str, str]]) -> Broken:
    """What stands in these: (path, text)."""
    held: dict[tuple[str, str], str] = {}
    for path, text in notes:
        plain = text.replace("\r\n", "\n")
        source = _source(plain)
        for key in _keys(plain):
            held.setdefault((source, key), path)
    return Broken(held=held)


def _keys(text: str) -> Iterator[str]:
    """Its messages', and that of its piece, by the hash it names and by what stands below its properties."""
    yield from _MESSAGE.findall(text)
    yield from _BODY.findall(text)
    yield piece_key(split_note(text).body)


def _source(text: str) -> str:
    found = _SOURCE.search(text)
    said = found[1] if found else ""
    if said[:1] == '"':
        try:
            return str(json.loads(said))
        except ValueError:
            return ""
    return "" if said[:1] in _ODD else said.strip("'")
