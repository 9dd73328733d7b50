"""A mail's text without the history it drags along. What is new stays; when unsure, the text stays.

Kept: answers between quoted lines (with the quotes they answer), forwards, a person's own quotations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.sources.mail.attributions import (
    attribution,
    header_block,
    is_forward_mark,
    is_original_rule,
    label_kind,
)
from vaultmem.sources.mail.footers import is_footer_line

#: Quoted lines without attribution that a reply may end with and still be the writer's own quotation.
_OWN_QUOTE_LINES = 12
#: Quoted lines left over below the last inline answer that are kept with it.
_REST_LINES = 3
_RULE = re.compile(r"^\s*[_\-–—=*]{3,}\s*$")


@dataclass(slots=True, kw_only=True)
class _Segment:
    """A run of lines: the writer's own, or quoted ones with the attribution above them."""

    lines: list[str]
    quoted: bool
    attributed: bool = False

    def speaks(self) -> bool:
        """True when a person says something here."""
        return any(line.strip() and not is_footer_line(line) and not _RULE.match(line) for line in self.lines)

    def size(self) -> int:
        """Quoted lines that are not blank."""
        return sum(1 for line in self.lines if line.strip(" >\t"))


def new_text(text: str, *, forwarded: bool, reply: bool) -> str:
    """The text without quoted history; the whole text when nothing would be left.

    `forwarded`: the subject says that the mail passes another one on. `reply`: headers say that it answers one.
    """
    lines = text.split("\n")
    if forwarded:
        return _trimmed(lines)
    kept = _without_history(lines, reply=reply)
    return (
        _trimmed(kept)
        if any(line.strip(" \t\ufeff\u200b") and not _RULE.match(line) for line in kept)
        else _trimmed(lines)
    )


def _without_history(lines: Sequence[str], *, reply: bool) -> list[str]:
    segments: list[_Segment] = []
    tail: Sequence[str] = ()
    i = 0
    while i < len(lines):
        line = lines[i]
        if _is_quoted(line):
            i = _take_quote(lines, i, segments, attributed=False)
            continue
        if is_forward_mark(line):
            tail = lines[i:]
            break
        if is_original_rule(line) or _outlook_block(lines, i):
            break
        found = attribution(lines, i)
        if found and _is_quoted(_next_line(lines, found.end)):
            i = _take_quote(lines, i, segments, attributed=True, head=found.end)
            continue
        if found and found.sure:
            break
        _take_own(segments, line)
        i += 1
    return [*_chosen(segments, reply=reply), *tail]


def _outlook_block(lines: Sequence[str], at: int) -> bool:
    # A block is tried at its first line only: below a label that began none, none begins.
    if not label_kind(lines[at]) or (at and label_kind(lines[at - 1])):
        return False
    return header_block(lines, at) > at


def _is_quoted(line: str) -> bool:
    return line.lstrip(" \t\ufeff").startswith(">")


def _next_line(lines: Sequence[str], at: int) -> str:
    """The next line that is not blank, looking three lines far."""
    return next((line for line in lines[at : at + 4] if line.strip(" \t\ufeff\u200b")), "")


def _take_own(segments: list[_Segment], line: str) -> None:
    if not segments or segments[-1].quoted:
        segments.append(_Segment(lines=[], quoted=False))
    segments[-1].lines.append(line)


def _take_quote(
    lines: Sequence[str], at: int, segments: list[_Segment], *, attributed: bool, head: int | None = None
) -> int:
    """Add a run of quoted lines (blank ones between them included), with its attribution; returns where it ends."""
    start, i = at, at if head is None else head
    last = i
    while i < len(lines) and (_is_quoted(lines[i]) or not lines[i].strip(" \t\ufeff\u200b")):
        if _is_quoted(lines[i]):
            last = i + 1
        i += 1
    segments.append(_Segment(lines=list(lines[start:last]), quoted=True, attributed=attributed))
    return last


def _chosen(segments: Sequence[_Segment], *, reply: bool) -> list[str]:
    """Which quoted runs make sense of what the person wrote."""
    speaking = [n for n, s in enumerate(segments) if not s.quoted and s.speaks()]
    last_own = speaking[-1] if speaking else -1
    inline = _is_inline(segments, last_own)
    kept: list[str] = []
    for n, segment in enumerate(segments):
        if not segment.quoted:
            keep = True
        elif n < last_own:
            keep = inline or not segment.attributed
        else:
            keep = not _is_history(segment, reply=reply, rest_of_inline=inline)
        kept += segment.lines if keep else []
    return kept


def _is_inline(segments: Sequence[_Segment], last_own: int) -> bool:
    """One quoted mail cut open by answers: an attributed run, own words, and a further run without attribution."""
    own_since = False
    opened = False
    for n, segment in enumerate(segments):
        if segment.quoted:
            if opened and own_since and not segment.attributed:
                return True
            opened, own_since = opened or segment.attributed, False
        elif n <= last_own and segment.speaks():
            own_since = opened
    return False


def _is_history(segment: _Segment, *, reply: bool, rest_of_inline: bool) -> bool:
    """Is a quoted run below the last own words the mail that was answered, or a quotation of the writer's?"""
    if segment.attributed:
        return True
    bare = [line.lstrip(" \t\ufeff").removeprefix(">").strip() for line in segment.lines]
    if any(label_kind(line) and header_block(bare, n) > n for n, line in enumerate(bare[:6])):
        return True
    if any(line.startswith(">") for line in bare) or any(
        attribution(bare, n) for n in range(min(len(bare), 6)) if bare[n]
    ):
        return True
    return segment.size() > (_REST_LINES if rest_of_inline else _OWN_QUOTE_LINES) and (reply or rest_of_inline)


def _trimmed(lines: Sequence[str]) -> str:
    """Without blank lines and rules at either end, without runs of blank lines."""
    out: list[str] = []
    for line in lines:
        clean = line.rstrip().strip("\ufeff")
        if clean.strip("\u200b ") or (out and out[-1]):
            out.append(clean)
    while out and (not out[-1].strip("\u200b ") or _RULE.match(out[-1])):
        out.pop()
    return "\n".join(out)
