"""Address lines of mails, already decoded, into names and addresses.

Ann Smith <ann@example.com>, Lee, Bo <bo@example.com>  ->  ("Ann Smith", …), ("Bo Lee", …)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

#: Bounded on both sides of the @, started only at the edge of a run: linear on any text.
ADDRESS = re.compile(r"(?<![\w.%+'@-])[\w.%+'-]{1,64}+@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_ENDINGS_TEXT = "jr sr ii iii iv phd md dr mba esq inc ltd llc gmbh ag corp co sa bv plc kg"
_ENDINGS = frozenset(_ENDINGS_TEXT.split())
_MAX_NAME = 120
#: What stands around an address, also as word processors spell it.
_OPENING = re.compile("[<‹]")
#: `[EXTERNAL]`, `#12`: not a part of a name that names anyone alone
_LABEL = re.compile(r"\[[^\[\]]*\]|#\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """One sender or receiver."""

    #: "Ann Smith", "" where the line gives none worth keeping
    name: str
    #: as written; "" where the line has none
    address: str


def normal_email(address: str) -> str:
    """The form in which addresses are compared: lower case, without `+tag`."""
    local, at, domain = address.strip().strip("<>").lower().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def parse_parties(line: str) -> tuple[Party, ...]:
    """The people of a From, To or Cc line, in order. A comma inside a name ends no party."""
    parties = (_party(part) for part in _parts(line))
    return tuple(party for party in parties if party.name or party.address)


def _parts(line: str) -> Iterator[str]:
    """Cut at commas and semicolons outside quotes that have an address before them."""
    start, quoted, addressed = 0, False, False
    for at, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == "@":
            addressed = True
        elif char in ",;" and addressed and not quoted:
            yield line[start:at]
            start, addressed = at + 1, False
    yield line[start:]


def _party(part: str) -> Party:
    found = ADDRESS.search(part)
    address = found.group() if found else ""
    before = part[: found.start()] if found else part
    if found and not _OPENING.search(before):
        before = part[found.end() :]  # `ann@example.com (Ann Smith)`
    return Party(name=_name(before), address=address)


def _name(text: str) -> str:
    """The display name without quotes, "" for what names no one: an address, a list's "via", a group's label."""
    name = " ".join(text.replace("\\", "").split()).strip("\"'<>‹›(),;: ")
    if (
        "@" in name
        or " via " in f" {name.casefold()} "
        or len(name) > _MAX_NAME
        or not any(map(str.isalpha, _LABEL.sub("", name)))
    ):
        return ""
    if name.casefold().startswith("undisclosed"):
        return ""
    return _given_first(name)


def _given_first(name: str) -> str:
    """`Smith, Ann` -> `Ann Smith`, so that both spellings are one surface."""
    last, comma, first = (part.strip() for part in name.partition(","))
    plain = comma and first and "," not in first and len(last.split()) <= 3 and len(first.split()) <= 3
    if not plain or first.casefold().strip(".") in _ENDINGS or any(map(str.isdigit, name)):
        return name
    return f"{first} {last}"
