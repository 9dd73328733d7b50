"""A note in place at a tenth of the cost of reading it in full: its words are found at once, the rest follows.

Each chunk is one passage. Its id and words are those of the full reading, and linked names; properties, tags and other
names are missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.core.notes.ids import fold
from vaultmem.core.notes.inplace import Look, NoteText, Reading, chunks_of_note
from vaultmem.model import Entry, Mention, Passage

#: The size under which drafts stand in the index: no note has it, so that the next look reads them in full.
UNREAD = -1
_LINK = re.compile(r"\[\[([^\[\]|#\n]+)")


def draft_of_note(note: NoteText, by: Reading) -> tuple[Entry, ...]:
    """The note's entries as far as line ends and brackets tell them; `by` may count roughly."""
    return tuple(
        Entry(
            path=note.path,
            chunk=found.chunk,
            passages=found.passages,
            mentions=tuple(_links(found.chunk.body)),
            body_line=found.body_line,
            size=UNREAD,
        )
        for found in chunks_of_note(note, by, _QUICK)
    )


def whole(body: str, heading: str) -> tuple[Passage, ...]:
    """The body as one passage, without blank lines at its ends."""
    text = body.strip("\n")
    if not text.strip():
        return ()
    first = len(body) - len(body.lstrip("\n"))
    return (Passage(ordinal=0, text=text, heading=heading, first_line=first, last_line=first + text.count("\n")),)


_QUICK = Look(passages=whole, tags=lambda _: ())


def _links(body: str) -> Iterator[Mention]:
    """Linked names, so that the notes they mean are known before the full reading looks for them."""
    for target in dict.fromkeys(_LINK.findall(body)):
        name = target.rpartition("/")[2].removesuffix(".md").strip()
        if name:
            yield Mention(surface=fold(name), text=name, kind="topic", passage=0, origin="link")
