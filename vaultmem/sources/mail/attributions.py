"""How mail programs announce a quoted mail, in the languages people write: "On … wrote:", "Von: … Gesendet: …".

attribution(["On Mon, 4 Mar 2024 at 10:00, Ann <a@x.org> wrote:", "> hi"], 0) -> Attribution(end=1, sure=True)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from mailparser_reply.constants import MAIL_LANGUAGES

from vaultmem.sources.mail.words import FORWARDED, LABELS, OPENERS, ORIGINAL, VERBS

#: Lines over which a mail program may wrap an attribution, and the characters it may have.
_MAX_LINES = 4
_MAX_CHARS = 500

_LABEL_KIND = {label.casefold(): kind for kind, labels in LABELS.items() for label in labels}
_LABEL_LINE = re.compile(r"^[\s>*_|]{0,12}([^\s:：*_][^:：*_\n]{0,30}?)\s?[*_]{0,3}\s?[:：][*_]{0,3}(?:\s|$|\S)")

_RULED = re.compile(r"^[\s>*]{0,6}(?:[-_=–—]{2,}|\*{3,})\s{0,3}(\S.{1,60}?)\s{0,3}:?\s{0,3}(?:[-_=–—]{2,}|\*{3,})\s*$")
_FOLDED_VERBS = tuple(verb.casefold() for verb in VERBS)
_FORWARD_STARTS = tuple(f"{words}{end}" for words in FORWARDED for end in (" ", ":"))
_RULE_STARTS = ("-", "_", "=", "–", "—", "*")
_BARE_FORWARD = re.compile(r"^[\s>*_]{0,6}([^\s*_].{5,60}?)\s?[:：]?[*_]{0,3}\s*$")

_MARKS = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_WEEKDAY = r"(?:[^\W\d_]{2,12}[.,]{0,2}\s){0,2}"
_DATE_START = re.compile(
    rf"^\W{{0,3}}{_WEEKDAY}(?:\d{{1,4}}[./年년-]|\d{{1,2}}\s[^\W\d_]{{3,10}}|\d{{1,2}}:\d\d|[^\W\d_]{{3,10}}\s\d{{1,2}})"
)
_TIME = re.compile(r"\d{1,2}[:.h時时点시]\s?\d\d|(?:19|20)\d\d|\d{1,2}/\d{1,2}/\d\d|\d{1,2}\.\d{1,2}\.\d\d")
_YEAR = re.compile(r"(?:19|20)\d\d")
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d")
_ADDRESS = re.compile(r"[<(\[]?\s{0,2}[^\s<>()\[\]@]{1,80}@[^\s<>()\[\]@]{2,100}")
_VERB = re.compile(r"(?:" + "|".join(re.escape(v) for v in sorted(VERBS, key=len, reverse=True)) + r")", re.IGNORECASE)
_VERB_END = re.compile(rf"{_VERB.pattern}(?:\s*\(?[^\W\d_]{{0,3}}\)?)?[\s\u200e\u200f\u202c]*[:：]?\s*$", re.IGNORECASE)
_OPENER = re.compile(
    r"^\W{0,3}(?:" + "|".join(sorted({re.escape(o) for o in OPENERS}, key=len, reverse=True)) + r")(?:\b|(?=\s|\d))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """An announcement of a quoted mail."""

    #: index of the line after it
    end: int
    #: False: it counts only when quoted lines follow
    sure: bool


def attribution(lines: Sequence[str], at: int) -> Attribution | None:
    """The attribution that begins on line `at`, if one does."""
    first = _bare(lines[at])
    if not first or len(first) > _MAX_CHARS or not _may_begin(first):
        return None
    joined = ""
    for n in range(_MAX_LINES):
        line = _bare(lines[at + n]) if at + n < len(lines) else ""
        if not line or (n and line.startswith(">")) or len(joined) + len(line) > _MAX_CHARS:
            return None
        joined = f"{joined} {line}" if joined else line
        sure = _announces(joined)
        if sure is not None:
            return Attribution(end=at + n + 1, sure=sure)
        if line.endswith((":", "：")):
            return None
    return None


def _bare(line: str) -> str:
    """A line without emphasis and the marks that steer the direction of writing."""
    return _MARKS.sub("", line[: _MAX_CHARS + 50]).strip(" \t*_")


def _may_begin(first: str) -> bool:
    """Cheap test of a first line: it opens like one, or names a sender."""
    return bool(
        _DATE_START.match(first) or (_OPENER.match(first) and any(c.isdigit() for c in first)) or _ends_like_one(first)
    )


def _ends_like_one(line: str) -> bool:
    return line.endswith((":", "：")) and _has_verb(line)


def _announces(text: str) -> bool | None:
    """None: no attribution. True: surely one. False: one if quoted lines follow."""
    if not text.endswith((":", "：")):
        return None
    dated = bool(_TIME.search(text))
    addressed = "@" in text and bool(_ADDRESS.search(text))
    opened = bool(_OPENER.match(text) or _DATE_START.match(text))
    spoken = _has_verb(text) and (bool(_VERB_END.search(text)) or _verb_then_name(text))
    exact = bool(_YEAR.search(text) and _CLOCK.search(text))
    if spoken and (addressed or exact or (dated and opened)):
        return True
    if dated and addressed and opened:
        return True
    if dated and _known_to_library(text):
        return True
    return False if spoken and len(text) < 200 else None


def _has_verb(text: str) -> bool:
    """Cheap test before the patterns, which try every word at every place."""
    folded = text.casefold()
    return any(verb in folded for verb in _FOLDED_VERBS)


def _verb_then_name(text: str) -> bool:
    """German and its neighbours put the sender after the verb: "Am … schrieb Ann <a@x>:"."""
    match = _VERB.search(text)
    return bool(match) and len(text) - match.end() < 150 and text[match.end() : match.end() + 1] in " \u00a0,"  # type: ignore[union-attr]


@cache
def _library_patterns() -> tuple[re.Pattern[str], ...]:
    found = (language.get("wrote_header", "") for language in MAIL_LANGUAGES.values())
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in found if pattern)


def _known_to_library(text: str) -> bool:
    """mail-parser-reply's own attributions; given one joined line only, where its patterns cannot run away."""
    return any(pattern.match(text) for pattern in _library_patterns())


def label_kind(line: str) -> str:
    """from | sent | to | cc | subject | other for a header line inside a mail's text, else ""."""
    if ":" not in line[:60] and "：" not in line[:60]:
        return ""
    match = _LABEL_LINE.match(line)
    return _LABEL_KIND.get(" ".join(match.group(1).casefold().split()), "") if match else ""


def header_block(lines: Sequence[str], at: int) -> int:
    """Index after a block of From/Sent/To/Subject lines that begins at `at`; `at` itself when none does.

    Sender, one of date and subject, and a third kind must be there; addresses may wrap, blank lines may stand between.
    """
    if label_kind(lines[at]) not in ("from", "sent", "subject", "to"):
        return at
    kinds: set[str] = set()
    end, strays, i = at, 0, at
    while i < len(lines) and i < at + 25 and strays < 3:
        kind = label_kind(lines[i])
        if kind:
            kinds.add(kind)
            end, strays = i + 1, 0
        elif lines[i].strip():
            strays += 1 if not _continues(lines[i]) else 0
            if strays and len(kinds) >= 4:
                break
        elif len(kinds) >= 4 or (i + 1 < len(lines) and not label_kind(lines[i + 1])):
            break
        i += 1
    # A timetable has From, To and Date too, but neither subject nor address.
    named = "subject" in kinds or any("@" in line for line in lines[at:end])
    enough = "from" in kinds and named and bool(kinds & {"sent", "subject"}) and len(kinds - {"other"}) >= 3
    return end if enough else at


def _continues(line: str) -> bool:
    return "@" in line or ";" in line or line.startswith((" ", "\t"))


def _folded(words: str) -> str:
    # Turkish dotted capital I folds to two characters.
    return words.casefold().replace("i\u0307", "i").strip(" :*")


def is_original_rule(line: str) -> bool:
    """`-----Original Message-----` and its family."""
    if line.lstrip(" \t>")[:1] not in _RULE_STARTS:
        return False
    match = _RULED.match(line)
    return bool(match) and _folded(match.group(1)) in ORIGINAL  # type: ignore[union-attr]


def is_forward_mark(line: str) -> bool:
    """`---------- Forwarded message ---------`, `Begin forwarded message:` and their family."""
    ruled = line.lstrip(" \t>")[:1] in _RULE_STARTS
    if len(line) > 160 or not (ruled or line.rstrip(" *_").endswith((":", "："))):
        return False
    match = _RULED.match(line)
    if match:
        words = _folded(match.group(1))
        return words in FORWARDED or words.startswith(_FORWARD_STARTS)
    bare = _BARE_FORWARD.match(line)
    return bool(bare) and _folded(bare.group(1)) in FORWARDED  # type: ignore[union-attr]
