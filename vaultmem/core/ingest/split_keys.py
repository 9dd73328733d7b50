"""A private key pasted line by line: each message is harmless alone, together they are the key.

-----BEGIN … PRIVATE KEY-----    opens; the redactor takes it like any broken-off block
MIIEow…                          taken here
thanks, got it                   stays: people talk in between
-----END … PRIVATE KEY-----      closes
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from vaultmem.model import SourceMessage

MARK = "[redacted:private-key-pem]"

_BEGIN = re.compile(r"-{2,8} ?BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY", re.IGNORECASE)
_END = re.compile(r"-{2,8} ?END[A-Z0-9 ]{0,40}PRIVATE KEY", re.IGNORECASE)
#: A line of a key block: base64 of some length or with padding at its end, or one of its header lines.
_KEY_LINE = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{0,76}={1,2}|(?:Proc-Type|DEK-Info|Version|Comment): .*")


def without_split_keys(items: Sequence[SourceMessage], open_keys: set[str]) -> list[SourceMessage]:
    """The messages with key lines replaced by the redactor's mark. `open_keys`: sources in which a key has begun and
    not ended; kept from batch to batch.
    """
    return [_without(item, open_keys) for item in items]


def _without(item: SourceMessage, open_keys: set[str]) -> SourceMessage:
    text = item.message.text
    begins = [match.end() for match in _BEGIN.finditer(text)]
    ends = _END.search(text, begins[-1] if begins else 0)
    if begins:
        # The block of this very message is the redactor's; only what follows in other messages is ours.
        (open_keys.discard if ends else open_keys.add)(item.source_id)
        return item
    if item.source_id not in open_keys:
        return item
    if ends:
        open_keys.discard(item.source_id)
    elif not _is_key(text):
        return item
    return replace(item, message=replace(item.message, text=MARK))


def _is_key(text: str) -> bool:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return bool(lines) and all(_KEY_LINE.fullmatch(line) for line in lines)
