"""Conflict markers of git in a text: where they stand, and the two texts they were made of. Pure.

    <<<<<<< HEAD
    ours
    =======
    theirs
    >>>>>>> other

Markers that do not pair are text: a message may quote one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_OURS = re.compile(r"<{7}(?: .*)?\r?\n?")
_BASE = re.compile(r"\|{7}(?: .*)?\r?\n?")
_MIDDLE = re.compile(r"={7}\r?\n?")
_THEIRS = re.compile(r">{7}(?: .*)?\r?\n?")
#: What opens a conflict, or one inside it: git writes one more sign where it merged a side before it merged the two.
_OPENS = re.compile(r"^<{7,}(?: |\r?$)", re.MULTILINE)
_OPENS_INNER = re.compile(r"^<{8,}(?: |\r?$)", re.MULTILINE)
#: The property that names a note of memory wherever it stands.
_IDENTITY = re.compile(r"^(?:node_id|chunk_id|entity_id|id):[ \t]*(.*?)[ \t]*\r?$", re.MULTILINE)
#: Lines that are compared; longer texts stand whole on both sides of one conflict.
_COMPARED = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """One conflict: the lines of either side, line breaks kept."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]


def has_conflict(text: str) -> bool:
    """Whether a whole conflict stands in the text."""
    return "<<<<<<<" in text and any(isinstance(part, Hunk) for part in _parts(text))


def is_nested(text: str) -> bool:
    """Whether conflicts stand inside the conflicts: their halves are no texts of anybody's."""
    return _OPENS_INNER.search(text) is not None


def are_one_note(one: str, other: str) -> bool:
    """Whether both are versions of one note, and neither has a conflict in it.

    git takes a new note for another that was renamed: then it merges two notes, and what it made of them with a third.
    """
    first, second = _IDENTITY.search(one), _IDENTITY.search(other)
    same = (first and first[1]) == (second and second[1])
    return same and not any(_OPENS.search(text) for text in (one, other))


def identity_line(text: str) -> str:
    """The line that names the note; "" where none does."""
    found = _IDENTITY.search(text)
    return found[0].rstrip() if found else ""


def in_conflict(one: str, other: str) -> str:
    """Both texts, whole, between markers."""
    return "".join(_marked(_lines(one), _lines(other)))


def sides(text: str) -> tuple[str, str]:
    """The text as either side has it, ours first."""
    ours: list[str] = []
    theirs: list[str] = []
    for part in _parts(text):
        ours += part.ours if isinstance(part, Hunk) else [part]
        theirs += part.theirs if isinstance(part, Hunk) else [part]
    return "".join(ours), "".join(theirs)


def resolved(text: str, resolve: Callable[[Hunk], Sequence[str] | None]) -> str | None:
    """The text with every conflict replaced by lines; None where one has none."""
    lines: list[str] = []
    for part in _parts(text):
        if isinstance(part, str):
            lines.append(part)
            continue
        found = resolve(part)
        if found is None:
            return None
        lines += found
    return "".join(lines)


def joined(one: str, other: str) -> str:
    """A person's text that stands in two forms: the longer one where it holds all lines of the other, else both between
    markers, for that person to choose.
    """
    a, b = _lines(one), _lines(other)
    if _is_within(a, b):
        return "".join(b)
    if _is_within(b, a):
        return "".join(a)
    if max(len(a), len(b)) > _COMPARED:
        return "".join(_marked(a, b))
    made: list[str] = []
    for kind, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        made += a[a1:a2] if kind == "equal" else _marked(a[a1:a2], b[b1:b2])
    return "".join(made)


def first_marker(text: str) -> int:
    """The line, from 1, of the first conflict; 0 for none."""
    at = 1
    for part in _parts(text):
        if isinstance(part, Hunk):
            return at
        at += 1
    return 0


def _lines(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines[-1] += "\n"
    return lines


def _is_within(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether all the lines stand among the others, in their order."""
    rest = iter(many)
    return all(any(line == other for other in rest) for line in few)


def _marked(one: Sequence[str], other: Sequence[str]) -> list[str]:
    return ["<<<<<<< one\n", *one, "=======\n", *other, ">>>>>>> other\n"]


def _parts(text: str) -> Iterator[str | Hunk]:
    """Lines outside conflicts, and the conflicts, in order."""
    # git cuts at line feeds alone
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    at = 0
    while at < len(lines):
        found = _hunk(lines, at) if lines[at].startswith("<<<<<<<") else None
        if found is None:
            if lines[at]:
                yield lines[at]
            at += 1
        else:
            yield found[0]
            at = found[1]


def _hunk(lines: Sequence[str], at: int) -> tuple[Hunk, int] | None:
    """The conflict that begins at this line, and the line behind it."""
    if not _OURS.fullmatch(lines[at]):
        return None
    sections: list[list[str]] = [[]]
    marks = [_MIDDLE]
    for number in range(at + 1, len(lines)):
        line = lines[number]
        if len(sections) == 1 and _BASE.fullmatch(line):
            marks, sections = [_BASE, _MIDDLE], [*sections, []]
        elif len(sections) == len(marks) and marks[-1] is _MIDDLE and _MIDDLE.fullmatch(line):
            sections.append([])
        elif len(sections) == len(marks) + 1 and _THEIRS.fullmatch(line):
            return Hunk(ours=tuple(sections[0]), theirs=tuple(sections[-1])), number + 1
        elif _OURS.fullmatch(line):
            return None
        else:
            sections[-1].append(line)
    return None
