"""What exports of chats as JSON have in common: ids, names, times, the owner, lines that name files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.model import SourceItem, SourceMessage
from vaultmem.sources.chat.conversation_tree import Record
from vaultmem.sources.chat.slack_export import whole

_ISO = re.compile(
    r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,12}))?\s?(Z|UTC|[+-]\d{2}:?\d{2})?", re.IGNORECASE
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FENCE = re.compile(r"```.+?```|`[^`\n]+`", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The names of the vault's owner, as they are compared."""

    names: frozenset[str]

    def is_one_of(self, names: Iterable[str]) -> bool:
        """True when any of the names, handles or ids is the owner's."""
        return bool(self.names) and any(_bare(name) in self.names for name in names if name)


def owner_of(settings: Settings) -> Owner:
    """The owner by `me:`."""
    return Owner(names=frozenset(_bare(name) for name in settings.me if _bare(name)))


def _bare(name: str) -> str:
    return fold(name).lstrip("@")


def records(value: object) -> list[Record]:
    """The objects of a list; what is no object is left out."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def ident(record: Record, *keys: str) -> str:
    """The first id under the keys as text, whether it is written as text or number; "" where there is none."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return one_line(value)[:200]
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**40:
            return str(value)
    return ""


def one_line(value: str) -> str:
    """The text in one line, with one blank for every run of white space; half characters are shown as unknown ones."""
    return " ".join(whole(value).split())


def instant(value: object) -> datetime | None:
    """Aware UTC of an ISO time with any number of fraction digits; one without a zone is read as UTC."""
    match = _ISO.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    zone = match[4] or "Z"
    try:
        at = datetime.fromisoformat(f"{match[1]}T{match[2]}{'+00:00' if zone.upper() in ('Z', 'UTC') else zone}")
        return at.astimezone(UTC) + timedelta(microseconds=int((match[3] or "0").ljust(6, "0")[:6]))
    except (ValueError, OverflowError):
        return None


def of_epoch(seconds: float | None) -> datetime | None:
    """Aware UTC of seconds since 1970; None for a number that is no time."""
    try:
        return _EPOCH + timedelta(microseconds=round(seconds * 1e6)) if seconds and seconds > 0 else None
    except (OverflowError, ValueError):
        return None


def in_time_order(items: Iterator[SourceItem]) -> Iterator[SourceItem]:
    """The items as they come; an export that begins with its newest message is held and put in order."""
    first: list[SourceItem] = []
    for item in items:
        first.append(item)
        if len(first) == 2:
            break
    times = [item.message.sent_at for item in first if isinstance(item, SourceMessage) and item.message.sent_at]
    if len(times) < 2 or times[0] <= times[1]:
        yield from first
        yield from items
        return
    held = [*first, *items]
    messages = [item for item in held if isinstance(item, SourceMessage)]
    yield from sorted(messages, key=lambda item: item.message.sent_at or _EPOCH)
    yield from (item for item in held if not isinstance(item, SourceMessage))


def attached(names: Iterable[str]) -> str:
    """The lines that name files."""
    return "\n".join(f"(attached: {name})" for name in names)


def quoted(value: str) -> str:
    """The text as a Markdown quotation."""
    return "\n".join(f"> {line}".rstrip() for line in value.split("\n"))


def joined(parts: Iterable[str]) -> str:
    """The parts that say something, as paragraphs."""
    return "\n\n".join(part for part in (part.strip("\n") for part in parts) if part.strip())


def split_code(value: str) -> Sequence[tuple[bool, str]]:
    """The text in pieces: (is code, piece). Code is a closed fence or span; an unclosed one is text."""
    pieces: list[tuple[bool, str]] = []
    end = 0
    for match in _FENCE.finditer(value):
        pieces += [(False, value[end : match.start()]), (True, match.group())]
        end = match.end()
    return [piece for piece in [*pieces, (False, value[end:])] if piece[1]]
