"""Who a mail was written to: its To and Cc lines as mentions, so that questions about a recipient find it."""

from __future__ import annotations

from email.utils import getaddresses

from vaultmem.core.notes.ids import fold
from vaultmem.model import Mention


def recipient_mentions(line: str, passage: int) -> tuple[Mention, ...]:
    """Names and addresses of one or more header lines, joined by commas."""
    found: list[Mention] = []
    for name, address in getaddresses([line]):
        if name.strip():
            found.append(_mention(name.strip(), "person", passage))
        if "@" in address:
            found.append(_mention(address, "email", passage))
    return tuple(found)


def _mention(text: str, kind: str, passage: int) -> Mention:
    return Mention(surface=fold(text), text=text, kind=kind, passage=passage, origin="header")  # type: ignore[arg-type]
