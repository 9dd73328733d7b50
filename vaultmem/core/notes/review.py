"""`entities/Review.md`, both ways: the questions vaultmem asks of a person, and the answers it finds there.

    ## One and the same?

    - [ ] merge [[entities/person/robert-stone|Robert Stone]] <- [[entities/person/bob-stone|Bob]] (why) ^ms-0a1b2c3d

A tick merges, a deleted line is a no. Which of the two stays is read from the line, so a person may turn it around.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from vaultmem.core.notes.escape import escape_inline
from vaultmem.core.notes.links import parse_wikilink
from vaultmem.core.notes.paths import ENTITIES
from vaultmem.core.notes.region import region_of
from vaultmem.core.notes.summarynote import wikilink
from vaultmem.grown import Link

REVIEW = f"{ENTITIES}/Review.md"
REVIEW_TITLE = "Review"
#: Merges shown as done; older ones stand in the notes alone.
_DONE = 20

_INTRO = (
    "Tick a box when the two are one: the second note gets `same_as` and its names count for the first. Delete the line"
    " when they are two: you are not asked again. Remove `same_as` from the note to take a merge back."
)
_OPEN = "## One and the same?"
_SEVERAL = "## Names that fit several"
_SEVERAL_INTRO = "Such a name stands for none of them. Take it out of the notes it does not belong to."
_FINISHED = "## Done"
_NOTHING = "No open questions."
_KEY = re.compile(r"\^(ms-[0-9a-f]{8})\b")
_QUESTION = re.compile(
    r"^[ \t]*[-*+] \[([^\]])\] merge \[\[([^\[\]]+)\]\][ \t]*(?:<-|←)[ \t]*\[\[([^\[\]]+)\]\]"
    r"[ \t]*(?:\((.*)\))?.*?\^(ms-[0-9a-f]{8})[ \t]*$"
)
_MERGED = re.compile(r"^[-*+] merged .*\^(ms-[0-9a-f]{8})[ \t]*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Are these two one? By their block id."""

    key: str
    #: the note that stays, and the note that would say `same_as` of it
    keep: Link
    merge: Link
    #: in a few words
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Several:
    """A name that fits several entities, and so stands for none."""

    name: str
    notes: tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A question's line as it stands in the note."""

    key: str
    ticked: bool
    #: targets of its two links
    keep: str
    merge: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewNote:
    """What the note says now."""

    #: whether there is a region to read answers from; without, nothing that is missing was answered
    whole: bool = False
    answers: Mapping[str, Answer] = field(default_factory=dict)
    #: keys of all questions that stand anywhere in the note
    present: frozenset[str] = frozenset()
    #: those that a person moved out of the region
    outside: frozenset[str] = frozenset()
    #: key -> line of a merge that was done
    done: Mapping[str, str] = field(default_factory=dict)


def parse_review(body: str) -> ReviewNote:
    """Read the note's body; whatever a person made of it is read as far as it goes."""
    parts = region_of(body.replace("\r\n", "\n"))
    if parts is None or not parts[0].strip():
        return ReviewNote()
    inside, outside = parts
    answers: dict[str, Answer] = {}
    done: dict[str, str] = {}
    for line in inside.split("\n"):
        if match := _QUESTION.match(line):
            keep, merge = (parse_wikilink(match[n]).target for n in (2, 3))
            why = match[4] or ""
            answers[match[5]] = Answer(key=match[5], ticked=match[1] != " ", keep=keep, merge=merge, why=why)
        elif match := _MERGED.match(line):
            done[match[1]] = line.rstrip()
    return ReviewNote(
        whole=True,
        answers=answers,
        present=frozenset(_KEY.findall(inside)) | frozenset(_KEY.findall(outside)),
        outside=frozenset(_KEY.findall(outside)),
        done=done,
    )


def render_review(
    questions: Sequence[Question], several: Sequence[Several], *, ticked: Collection[str], done: Sequence[str]
) -> str:
    """The region's text. `ticked`: keys whose answer still waits; `done`: lines of `merged_line`, newest first."""
    blocks: list[str] = []
    if questions:
        blocks += [_INTRO, _OPEN, "\n".join(_question_line(one, ticked=one.key in ticked) for one in questions)]
    if several:
        blocks += [_SEVERAL, _SEVERAL_INTRO, "\n".join(map(_several_line, several))]
    blocks = blocks or [_NOTHING]
    if done:
        blocks += [_FINISHED, "\n".join(done[:_DONE])]
    return "\n\n".join(blocks) + "\n"


def _question_line(one: Question, *, ticked: bool) -> str:
    return f"- [{'x' if ticked else ' '}] merge {wikilink(one.keep)} <- {wikilink(one.merge)} ({one.why}) ^{one.key}"


def merged_line(one: Question) -> str:
    """The line of a merge that was done."""
    return f"- merged {wikilink(one.keep)} <- {wikilink(one.merge)} ({one.why}) ^{one.key}"


def _several_line(one: Several) -> str:
    name = escape_inline(" ".join(one.name.split()))
    return f"- {name}: {', '.join(map(wikilink, one.notes))}"
