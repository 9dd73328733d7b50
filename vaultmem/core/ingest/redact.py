"""Takes secrets out of a text before anything is written: `[redacted:<family>]` stands where a secret stood.

Only the secret part goes: of a URL the password, of an assignment or a header the value. Public look-alikes (commit
ids, digests, embedded images, public keys, block ids) stay. Vendors' documented example values go like real ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from vaultmem.config import PII_FAMILIES
from vaultmem.core.ingest.redact_assignments import find_assignments, hints_at_assignment
from vaultmem.core.ingest.redact_blocks import find_private_keys, find_public_runs, hints_at_keys
from vaultmem.core.ingest.redact_families import FAMILIES
from vaultmem.core.ingest.redact_places import find_places, hints_at_places
from vaultmem.core.ingest.redact_recovery import find_recovery, hints_at_recovery
from vaultmem.core.ingest.redact_tokens import find_tokens, hints_at_tokens
from vaultmem.core.ingest.redact_view import Prose, View, bare_view, hints_at_coats, lowered, view_of
from vaultmem.model import Redacted

Span = tuple[int, int, str]

_MARK = re.compile(r"\[redacted:[a-z0-9/-]{1,64}\]")
#: characters around a mark that are looked at again, up to the ends of their lines
_REACH = 5000
_RANK = {family: rank for rank, family in enumerate([*FAMILIES, *PII_FAMILIES])}


def families() -> tuple[str, ...]:
    """Every family of secrets that a mark may name; those of `config.PII_FAMILIES` come beside them when asked for."""
    return FAMILIES


def redact(text: str, pii: Collection[str] = ()) -> Redacted:
    """`text` with a mark for each secret. Done again it changes nothing: a mark is never a secret.

    `pii`: families of `config.PII_FAMILIES` that count as secrets too.
    """
    removed: Counter[str] = Counter()
    spans = _secrets(text, pii)
    while spans:
        removed.update(family for _, _, family in spans)
        text = _marked(text, spans)
        uncovers = any(_secrets(part, pii) for part in _surroundings(text))
        spans = _secrets(text, pii) if uncovers else []
    return Redacted(text=text, removed=dict(sorted(removed.items())))


def secrets_in(text: str, pii: Collection[str] = ()) -> tuple[Span, ...]:
    """(start, end, family) of each secret in `text`, in order; what `redact` would put a mark in place of."""
    return tuple(_secrets(text, pii))


def _surroundings(text: str) -> list[str]:
    """The lines around the marks: a mark can uncover a secret only there, for no rule looks further than `_REACH`."""
    windows: list[tuple[int, int]] = []
    for mark in _MARK.finditer(text):
        first, last = max(0, mark.start() - _REACH), mark.end() + _REACH
        start = max(text.rfind("\n", max(0, first - _REACH), first) + 1, first - _REACH, 0)
        end = text.find("\n", last, last + _REACH)
        end = end if end >= 0 else min(len(text), last + _REACH)
        if windows and start <= windows[-1][1]:
            windows[-1] = (windows[-1][0], end)
        else:
            windows.append((start, end))
    return [text[start:end] for start, end in windows]


def _secrets(text: str, pii: Collection[str]) -> list[Span]:
    """Spans of `text` to take out: in order, apart from each other and from marks."""
    blinded = _MARK.sub(_blinded, text)
    words = blinded.split()
    hints = _hints_in(words)
    if "\r" in blinded or hints & _COAT:
        view = view_of(blinded)
        hints = _hints_in(view.words)
    elif hints or pii:
        view = bare_view(blinded, words)
    else:
        return []
    keys = find_private_keys(view) if hints & _KEY else ()
    others = [span for hint, find in _FINDERS if hints & hint for span in find(view)]
    others += _pii(view, pii)
    public = _joined((start, end, "") for start, end in find_public_runs(view)) if others else ()
    spans = _joined([*keys, *_outside(others, public)])
    if not spans:
        return []
    found = [(*view.original(start, end), family) for start, end, family in spans]
    marks = [(mark.start(), mark.end(), "") for mark in _MARK.finditer(text)]
    return [span for span in _cut(found, marks) if any(c.isalnum() for c in text[span[0] : span[1]])]


def _hints_of(word: str) -> int:
    """Which rules this word can concern, as one number."""
    if _NUMBER.fullmatch(word):
        return 0
    lower = lowered(word)
    return (
        _COAT * hints_at_coats(word)
        + _KEY * hints_at_keys(word, lower)
        + _TOKEN * hints_at_tokens(word)
        + _PLACE * hints_at_places(word, lower)
        + _CODE * hints_at_recovery(lower)
        + _NAMED * hints_at_assignment(word)
    )


#: A date, the number of a note: digits, and none of the signs that a rule waits for.
_NUMBER = re.compile(r"[\[\](),:;#0-9-]{1,16}\.?")
_COAT, _KEY, _TOKEN, _PLACE, _CODE, _NAMED = (1 << n for n in range(6))
_FINDERS = (
    (_TOKEN, find_tokens),
    (_PLACE, find_places),
    (_CODE | _NAMED, find_recovery),
    (_NAMED, find_assignments),
)
_PROSE = Prose(_hints_of, lambda hints: not hints)


def _hints_in(words: Iterable[str]) -> int:
    """Which rules a text with these words can concern: each rule needs a word that hints at it, whole."""
    found = 0
    for hints in _PROSE.odd(words):
        found |= hints
    return found


def _pii(view: View, families: Collection[str]) -> Iterable[Span]:
    if not families:
        return ()
    from vaultmem.core.ingest.redact_pii import find_pii  # few ask for it, and its rules take a while to be made

    return find_pii(view, families)


def _blinded(mark: re.Match[str]) -> str:
    """A mark of the same length that does not say "key" or "secret" to the rules."""
    return f"[redacted:{'-' * (len(mark.group()) - 11)}]"


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Overlapping spans as one, named by the family that stands first in the table."""
    joined: list[Span] = []
    for start, end, family in sorted(spans):
        if joined and start < joined[-1][1]:
            first, last, name = joined[-1]
            joined[-1] = (first, max(last, end), min(name, family, key=lambda f: _RANK.get(f, 0)))
        else:
            joined.append((start, end, family))
    return joined


def _outside(spans: Iterable[Span], public: Sequence[Span]) -> list[Span]:
    """The spans that do not start inside a public run."""
    kept, at = [], 0
    for span in sorted(spans):
        while at < len(public) and public[at][1] <= span[0]:
            at += 1
        if at == len(public) or not public[at][0] <= span[0]:
            kept.append(span)
    return kept


def _cut(spans: Sequence[Span], marks: Sequence[Span]) -> list[Span]:
    """The spans without the marks of an earlier redaction that lie in them."""
    pieces: list[Span] = []
    at = 0
    for start, end, family in spans:
        while at < len(marks) and marks[at][1] <= start:
            at += 1
        free, ahead = start, at
        while ahead < len(marks) and marks[ahead][0] < end:
            pieces.append((free, marks[ahead][0], family))
            free, ahead = marks[ahead][1], ahead + 1
        pieces.append((free, end, family))
    return [piece for piece in pieces if piece[0] < piece[1]]


def _marked(text: str, spans: Sequence[Span]) -> str:
    parts, done = [], 0
    for start, end, family in spans:
        parts += [text[done:start], f"[redacted:{family}]"]
        done = end
    return "".join([*parts, text[done:]])
