"""The part of a note that vaultmem writes anew in a note that a person may edit too: what lies between two marks.

replace_region(b"Mine.\\n", "Seen.")  -> b"Mine.\\n\\n%% vaultmem:begin %%\\nSeen.\\n%% vaultmem:end %%\\n"
"""

from __future__ import annotations

import re

from vaultmem.core.notes.edit import editable_parts

BEGIN = "%% vaultmem:begin %%"
END = "%% vaultmem:end %%"

_MARK = re.compile(r"^%% vaultmem:(begin|end) %%[ \t]*(?=\r?$)", re.MULTILINE)
_IN_TEXT = re.compile(r"%%(?= vaultmem:)")


def replace_region(note: bytes, generated: str) -> bytes:
    """The note with `generated` between its marks, which are appended where they are missing.

    The marks are the first end and the begin nearest above it, so that a mark a person left alone never takes text of
    theirs between. Not a byte outside changes. Raises BadProperties for a note that must not be written.
    """
    parts = editable_parts(note)
    text = note.decode()
    above = text[: len(text) - len(parts.body)]
    # The generated text must not hold a mark itself, or the next replacement would leave half of it behind.
    inner = _IN_TEXT.sub(r"%\\%", generated).strip("\n")
    inner = "".join(f"{line}{parts.newline}" for line in inner.split("\n")) if inner else ""
    span = _span(parts.body)
    if span is not None:
        return (above + parts.body[: span[0]] + inner + parts.body[span[1] :]).encode()
    region = f"{BEGIN}{parts.newline}{inner}{END}{parts.newline}"
    return (text + _gap(text, parts.body, parts.newline) + region).encode()


def region_of(body: str) -> tuple[str, str] | None:
    """What stands between a body's marks, and all that stands outside; None for a body without a pair of marks."""
    span = _span(body)
    return (body[span[0] : span[1]], body[: span[0]] + body[span[1] :]) if span else None


def emptied(body: str) -> str:
    """The body with nothing between its marks."""
    span = _span(body)
    return body[: span[0]] + body[span[1] :] if span else body


def _span(body: str) -> tuple[int, int] | None:
    """Where the text between the marks begins and ends."""
    begin: re.Match[str] | None = None
    for mark in _MARK.finditer(body):
        if mark[1] == "begin":
            begin = mark
        elif begin is not None:
            return body.index("\n", begin.end()) + 1, mark.start()
    return None


def _gap(text: str, body: str, newline: str) -> str:
    """What is missing to a blank line above the region; none is needed where nothing stands above it."""
    if not body.strip("\r\n"):
        return "" if text.endswith(("\n", "\ufeff")) or not text else newline
    ends = body.replace("\r\n", "\n")
    return "" if ends.endswith("\n\n") else newline if ends.endswith("\n") else newline * 2
