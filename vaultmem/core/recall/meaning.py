"""What a passage's vector is made of, and how cosines become part of a ranking."""

from __future__ import annotations

import hashlib
import re
from datetime import date

_BLANKS = re.compile(r"\s+")
_WORD = re.compile(r"\w")


def embedded_text(text: str, *, author: str, heading: str, title: str, day: date | None) -> str:
    """The text whose vector stands for a passage; "" for a passage without a word, which gets none.

    The day and the speaker, or the title and the headings, say what a short passage leaves unsaid. Blanks and line ends
    do not count, so that reflowing a paragraph embeds nothing anew.
    """
    if not _WORD.search(text):
        return ""
    told = f"{day.day} {_MONTHS[day.month - 1]} {day.year}" if day else ""
    above = [part for part in dict.fromkeys((title, heading)) if part]
    head = " ".join(part for part in (told, f"{author}:" if author else "", *(f"{part}." for part in above)) if part)
    return _BLANKS.sub(" ", f"{head} {text}").strip()


# the model reads English; the system's locale must not decide what is embedded
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def text_hash(text: str) -> bytes:
    """SHA-256 of an embedded text: the key of its vector, whatever note it stands in."""
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()
