"""A note in place at a tenth of the cost of reading it in full: its words are found at once, the rest follows.

Chunks, words, times and linked names are those of the full reading; passages nearly so, other mentions are missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from vaultmem.core.notes.ids import fold
from vaultmem.core.notes.inplace import Look, NoteText, Reading, chunks_of_note, estimate
from vaultmem.core.notes.links import unique_tags
from vaultmem.core.notes.passages import SEPARATOR
from vaultmem.model import Entry, Mention, Passage

#: The size under which drafts stand in the index: no note has it, so that the next look reads them in full.
UNREAD = -1
_LINK = re.compile(r"\[\[([^\[\]|#\n]+)")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_TAG = re.compile(r"(?<!\S)#([^\s#]+)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


def draft_of_note(note: NoteText, by: Reading) -> tuple[Entry, ...]:
    """The note's entries as far as line starts and brackets tell them."""
    return tuple(
        Entry(
            path=note.path,
            chunk=found.chunk,
            passages=found.passages,
            mentions=tuple(_links(found.passages)),
            body_line=found.body_line,
            size=UNREAD,
        )
        for found in chunks_of_note(note, replace(by, count=estimate), _QUICK)
    )


@dataclass(slots=True)
class _Cutter:
    """Paragraphs under headings, line by line."""

    heading: str
    found: list[Passage] = field(default_factory=list)
    above: list[tuple[int, str]] = field(default_factory=list)
    held: list[str] = field(default_factory=list)

    def close(self, end: int) -> None:
        """What is held is a passage; `end` is the line behind it."""
        if self.held:
            path = SEPARATOR.join(part for part in (self.heading, *(text for _, text in self.above)) if part)
            self.found.append(
                Passage(
                    ordinal=len(self.found),
                    text="\n".join(self.held),
                    heading=path,
                    first_line=end - len(self.held),
                    last_line=end - 1,
                )
            )
            self.held = []

    def enter(self, level: int, title: str) -> None:
        """A heading."""
        self.above = [*(entry for entry in self.above if entry[0] < level), (level, title)]


def draft_passages(body: str, heading: str) -> tuple[Passage, ...]:
    """Paragraphs between blank lines and headings."""
    cutter = _Cutter(heading)
    lines = body.split("\n")
    fence = ""
    for number, line in enumerate(lines):
        if opened := _FENCE.match(line):
            fence = "" if fence and opened[1].startswith(fence) else fence or opened[1]
        title = _HEADING.fullmatch(line) if line.startswith("#") and not fence else None
        if title or not (line.strip() or fence):
            cutter.close(number)
        else:
            cutter.held.append(line)
        if title:
            cutter.enter(len(title[1]), title[2])
    cutter.close(len(lines))
    return tuple(cutter.found)


def _tags(body: str) -> tuple[str, ...]:
    return unique_tags(_TAG.findall(body))


_QUICK = Look(passages=draft_passages, tags=_tags)


def _links(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Linked names, so that the notes they mean are known before the full reading looks for them."""
    for passage in passages:
        if "[[" not in passage.text:
            continue
        for target in dict.fromkeys(_LINK.findall(passage.text)):
            name = target.rpartition("/")[2].removesuffix(".md").strip()
            if name:
                yield Mention(surface=fold(name), text=name, kind="topic", passage=passage.ordinal, origin="link")
