"""Secrets that fill more than one place: lists of recovery codes, seed phrases, password columns of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.core.ingest.redact_families import ASSIGNMENT, PERSONAL
from vaultmem.core.ingest.redact_keywords import STEMS
from vaultmem.core.ingest.redact_values import (
    has_function_word,
    is_ordinary,
    is_placeholder,
    is_state,
    looks_like_password,
)
from vaultmem.core.ingest.redact_view import View

Span = tuple[int, int, str]

_CODES_HEAD = re.compile(
    r"(?:recovery|backup|emergency|rescue|scratch|wiederherstellungs|ersatz|notfall)[ _-]?codes?[\"*_`]{0,3}"
    r"[ \t]{0,4}(?:\([^()\n]{0,40}\))?[ \t]{0,4}[:：=]?[*_]{0,3}[ \t]*"
    r"|códigos de (?:recuperación|recuperação|respaldo):?[ \t]*"
    r"|codes de (?:récupération|secours)[ \t]?:?[ \t]*"
)
_ONE_CODE = r"[`\"']?(?=[a-z-]{0,12}\d)[0-9a-z]{3,12}(?:-[0-9a-z]{3,12}){0,7}[`\"']?"
_CODE_LINE = re.compile(
    rf"[ \t>]*(?:[-*+][ \t]+|\d{{1,2}}[.)][ \t]+)?"
    rf"(?P<codes>{_ONE_CODE}(?:[ \t,;/|]{{1,4}}{_ONE_CODE}){{0,23}})[ \t,;|]{{0,4}}$",
    re.IGNORECASE | re.MULTILINE,
)
_CODE = re.compile(r"[0-9A-Za-z-]{3,}")
_CODE_LINES = 40
_HEADER_LIMIT = 2000
_PHRASE = re.compile(
    r"(?:seed ?phrase|seed words|recovery phrase|mnemonic(?: phrase)?|pass ?phrase)[\"*_`]{0,3}"
    r"[ \t]{0,4}[:：=][*_]{0,3}"
    r"[ \t]*[\"'`]?(?P<words>[a-z]{3,12}(?:[ \t]+[a-z]{3,12}){2,23})[\"'`]?[ \t.]*$",
    re.MULTILINE,
)
_RULER = re.compile(r"\n[ \t>]*\|?(?:[ \t]{0,40}:?-{1,80}:?[ \t]{0,40}\|)+[ \t:-]{0,80}(?=\n)")
#: what every heading of a list of codes, or of a phrase, has in one of its words
_HINTS = ("code", "código", "phrase", "mnemonic", "seed")
_HEADS = tuple(stem.text for stem in STEMS if stem.strength != "weak" and stem.text != "key")


def hints_at_recovery(lower: str) -> bool:
    """Whether a text with this word, in lower case, can hold codes or a phrase; columns of tables need a key word."""
    return any(hint in lower for hint in _HINTS)


def find_recovery(view: View) -> Iterator[Span]:
    """Recovery codes and seed phrases below their heading word, and cells below a column's."""
    lower = view.lower
    if "cod" in lower or "cód" in lower:
        for head in _CODES_HEAD.finditer(lower):
            yield from _codes(view.text, head.end())
    if "phrase" in lower or "mnemonic" in lower or "seed words" in lower:
        for found in _PHRASE.finditer(lower):
            if not has_function_word(found["words"]):
                yield *found.span("words"), PERSONAL
    yield from _tables(view)


def _codes(text: str, at: int) -> Iterator[Span]:
    """The rest of the line and the lines below, as long as they hold nothing but codes."""
    for _ in range(_CODE_LINES):
        if text.startswith("\n", at):
            at += 1
            if text.startswith("\n", at):
                continue
        line = _CODE_LINE.match(text, at)
        if not line:
            return
        for code in _CODE.finditer(text, *line.span("codes")):
            yield *code.span(), PERSONAL
        at = line.end()


def _tables(view: View) -> Iterator[Span]:
    done = 0
    for ruler in _RULER.finditer(view.text) if "|" in view.text else ():
        # a ruler among the rows of a table starts no table: each row is looked at once
        wanted, border = _password_columns(view.lower, ruler.start()) if ruler.start() >= done else (set[int](), False)
        at = ruler.end() + 1
        while wanted and at < len(view.text):
            end = view.text.find("\n", at)
            end = len(view.text) if end < 0 else end
            row = view.text[at:end]
            if "|" not in row or row.lstrip(" \t>").startswith("|") != border:
                break
            yield from _cells(row, at, wanted)
            done = at = end + 1


def _password_columns(lower: str, end: int) -> tuple[set[int], bool]:
    """Which cells of the header line that ends here name a secret, and whether the table has a left border."""
    head = lower.rfind("\n", max(0, end - _HEADER_LIMIT), end) + 1
    line = lower[head:end] if end - head < _HEADER_LIMIT else ""
    wanted = {n for n, cell in enumerate(line.split("|")) if cell.strip(" *_`\t").startswith(_HEADS)}
    return wanted, line.lstrip(" \t>").startswith("|")


def _cells(row: str, at: int, wanted: set[int]) -> Iterator[Span]:
    for number, cell in enumerate(row.split("|")):
        value = cell.strip(" \t*_`")
        if number in wanted and _is_password_cell(value):
            start = at + cell.index(value)
            yield start, start + len(value), ASSIGNMENT
        at += len(cell) + 1


def _is_password_cell(value: str) -> bool:
    if is_placeholder(value) or is_state(value) or " " in value or is_ordinary(value):
        return False
    return looks_like_password(value)
