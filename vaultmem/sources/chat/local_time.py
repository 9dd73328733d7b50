"""Times without a zone -> UTC, for chats that are written in the order in which they happened."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def to_utc(local: datetime, zone: ZoneInfo, last: datetime | None) -> datetime:
    """Aware UTC of a local time. An hour that comes twice is the second one where the chat (`last`, the message before)
    has already passed the first."""
    try:
        first = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
        second = local.replace(tzinfo=zone, fold=1).astimezone(UTC)
    except OverflowError:
        # The first and the last day there is: no zone can move them.
        return local.replace(tzinfo=UTC)
    return second if last is not None and first < last <= second else first
