"""Message identity: by the platform's own id, or else by time, author and text (DESIGN §3, FORMAT.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from vaultmem.core.notes.ids import anonymous_key, message_key
from vaultmem.model import SourceMessage


def with_keys(items: Sequence[SourceMessage], seen: Counter[str]) -> tuple[SourceMessage, ...]:
    """The messages with their keys set. `seen` counts equal twins over the whole file: same minute, author and text.

    An export that starts in the middle of a minute may number its twins differently; it then adds at most those.
    """
    return tuple(replace(item, message=replace(item.message, key=_key(item, seen))) for item in items)


def _key(item: SourceMessage, seen: Counter[str]) -> str:
    if item.native_id:
        return message_key(item.source_id, item.native_id)
    message = item.message
    first = anonymous_key(item.source_id, message.sent_at, message.author, message.text, 0)
    occurrence = seen[first]
    seen[first] += 1
    if occurrence == 0:
        return first
    return anonymous_key(item.source_id, message.sent_at, message.author, message.text, occurrence)


def new_messages(items: Sequence[SourceMessage], known: Collection[str]) -> tuple[SourceMessage, ...]:
    """Those not known, each key once: with the text that was edited last."""
    fresh: dict[str, SourceMessage] = {}
    for item in items:
        if item.message.key not in known and _is_later(item, fresh.get(item.message.key)):
            fresh[item.message.key] = item
    return tuple(fresh.values())


def edited_messages(items: Sequence[SourceMessage], known: Collection[str]) -> dict[str, SourceMessage]:
    """Known messages that their platform calls edited, by key, each with the text that was edited last."""
    found: dict[str, SourceMessage] = {}
    for item in items:
        key = item.message.key
        if item.native_id and item.edited_at and not item.system and key in known and _is_later(item, found.get(key)):
            found[key] = item
    return found


def _is_later(item: SourceMessage, other: SourceMessage | None) -> bool:
    if other is None:
        return True
    return item.edited_at is not None and (other.edited_at is None or item.edited_at > other.edited_at)
