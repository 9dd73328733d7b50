"""The bodies of chat and mail notes: parse_body(kind, render_body(kind, messages)) == messages.

Chat                                    Mail

    ## 2026-04-21T10:12:00Z — Alice         ---
                                            From: Alice <alice@example.com>
    the text                                Subject: Boats
                                            Date: 2026-04-21T10:12:00Z
    ^m-0123456789ab
                                            the text

                                            ^m-0123456789ab

Lines that only look like these are escaped (escape.py), so a boundary is a boundary wherever it stands, and a body that
a person edited can be read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from vaultmem.core.notes.escape import escape, escape_inline, unescape, unescape_inline
from vaultmem.model import Message, Passage, SourceKind

_TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z"
_HEADING = re.compile(rf"## (?:({_TIME})(?: —(?: (.*))?)?|—(?: (.*))?)$")
_KEY = re.compile(r"\^m-[0-9a-f]{12}[ \t]*$")
_HEADER = re.compile(r"(From|To|Cc|Subject|Date):(?:[ \t](.*))?$")
_ONE_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def clean_line(text: str) -> str:
    """A header value as a note can hold it: one line, no control characters, no halves of characters."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _ONE_LINE.sub(" ", whole).strip()


def clean_author(text: str) -> str:
    """A display name as a note can hold it. "" is a system line, so a name that vanishes is named `?`."""
    return clean_line(text) or ("?" if text else "")


def render_body(kind: SourceKind, messages: Sequence[Message]) -> str:
    """The body of a chat or mail note. Names and header values are cleaned; texts come back as they are."""
    head = _chat_head if kind == "chat" else _mail_head
    return "\n".join(_render(kind, head(message), message) for message in messages)


def _render(kind: SourceKind, head: str, message: Message) -> str:
    text = f"\n{escape(kind, message.text)}\n" if message.text else ""
    key = f"\n^m-{message.key}\n" if message.key else ""
    return f"{head}\n{text}{key}"


def _chat_head(message: Message) -> str:
    author = escape_inline(clean_author(message.author))
    parts = ["##", _time_text(message.sent_at)] if message.sent_at else ["##"]
    if author or not message.sent_at:
        parts.append("—")
    return " ".join([*parts, author]) if author else " ".join(parts)


def _mail_head(message: Message) -> str:
    values = {"From": message.author, "To": message.to, "Cc": message.cc, "Subject": message.subject}
    lines = [
        f"{name}: {escape_inline(clean_line(value))}".rstrip(" ") for name, value in values.items() if clean_line(value)
    ]
    if not clean_line(message.author):
        lines.insert(0, "From:")
    if message.sent_at:
        lines.append(f"Date: {_time_text(message.sent_at)}")
    return "\n".join(["---", *lines])


def _time_text(moment: datetime) -> str:
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"


def _moment(text: str | None) -> datetime | None:
    """The time a heading or a Date line says; None for none and for one that a person broke."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC) if text and re.fullmatch(_TIME, text) else None
    except (ValueError, OverflowError):
        return None


def parse_body(kind: SourceKind, body: str) -> tuple[Message, ...]:
    """The messages of a chat or mail body. Reads what a person edited too, and never raises.

    A message without a heading has author "" and no time, one without a key line has key "", and text that stands
    below a key line belongs to the message above.
    """
    return tuple(placed.message for placed in _placed(kind, body))


def message_passages(kind: SourceKind, body: str) -> tuple[Passage, ...]:
    """One passage for each message of a chat or mail body, on the lines from its heading to its key."""
    return tuple(
        Passage(
            ordinal=ordinal,
            text=placed.message.text,
            author=placed.message.author,
            addressed=", ".join(filter(None, (placed.message.to, placed.message.cc))),
            sent_at=placed.message.sent_at,
            block=f"m-{placed.message.key}" if placed.message.key else "",
            heading=placed.message.subject,
            first_line=placed.first_line,
            last_line=placed.last_line,
        )
        for ordinal, placed in enumerate(_placed(kind, body))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """A message and the lines of the body it stands on, 0-based and inclusive."""

    message: Message
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """What the lines above a message's text say."""

    author: str = ""
    sent_at: datetime | None = None
    to: str = ""
    cc: str = ""
    subject: str = ""
    #: the first line that is no longer head
    end: int


def _placed(kind: SourceKind, body: str) -> Iterator[_Placed]:
    lines = body.split("\n")
    if not lines[-1]:
        lines.pop()
    read = _read_chat_head if kind == "chat" else _read_mail_head
    heads = [(number, head) for number in range(len(lines)) if (head := read(lines, number))]
    before = heads[0][0] if heads else len(lines)
    first = _first_text(lines, 0, before)
    if first < before:
        heads.insert(0, (first, _Head(end=first)))
    for (start, head), (end, _) in zip(heads, [*heads[1:], (len(lines), None)], strict=False):
        # The blank line above the next message's head is no part of this one.
        own_end = end - 1 if head.end < end < len(lines) and not lines[end - 1] else end
        yield from _messages(kind, lines, (start, own_end), head)


def _messages(kind: SourceKind, lines: Sequence[str], span: tuple[int, int], head: _Head) -> Iterator[_Placed]:
    """The messages between two heads: one, or more where a person deleted a heading but not the key."""
    start, end = span
    keys = [number for number in range(head.end, end) if _KEY.match(lines[number])]
    if not keys:
        last = _last_text(lines, start, end)
        yield _place(kind, head, _trim(lines[head.end : end], below=False), "", (start, last))
    for number in keys:
        text, last = _trim(lines[head.end : number], below=True), number
        if number == keys[-1]:
            last = _last_text(lines, number, end)
            stray = lines[_first_text(lines, number + 1, end) : last + 1]
            text = [*text, "", *stray] if text and stray else [*text, *stray]
        yield _place(kind, head, text, lines[number][3:15], (start, last))
        start, head = _first_text(lines, number + 1, end), _Head(end=number + 1)


def _first_text(lines: Sequence[str], start: int, end: int) -> int:
    """The first line from `start` that is not blank; `end` when there is none."""
    return next((number for number in range(start, end) if lines[number].strip()), end)


def _last_text(lines: Sequence[str], start: int, end: int) -> int:
    """The last line before `end` that is not blank; `start` when there is none below it."""
    return next((number for number in range(end - 1, start, -1) if lines[number].strip()), start)


def _place(kind: SourceKind, head: _Head, text: Sequence[str], key: str, span: tuple[int, int]) -> _Placed:
    message = Message(
        key=key,
        sent_at=head.sent_at,
        author=head.author,
        text=unescape(kind, "\n".join(text)),
        to=head.to,
        cc=head.cc,
        subject=head.subject,
    )
    return _Placed(message=message, first_line=span[0], last_line=span[1])


def _trim(lines: Sequence[str], *, below: bool) -> Sequence[str]:
    """The text's own lines, without the blank one above and the one below that `_render` sets."""
    own = lines[1:] if lines and not lines[0] else lines
    return own[:-1] if below and own and not own[-1] else own


def _read_chat_head(lines: Sequence[str], number: int) -> _Head | None:
    found = _HEADING.match(lines[number])
    if found is None:
        return None
    author = unescape_inline(found[2] or found[3] or "").strip()
    return _Head(author=author, sent_at=_moment(found[1]), end=number + 1)


def _read_mail_head(lines: Sequence[str], number: int) -> _Head | None:
    if lines[number] != "---" or number + 1 >= len(lines) or not lines[number + 1].startswith("From:"):
        return None
    values: dict[str, str] = {}
    end = number + 1
    while end < len(lines) and (header := _HEADER.match(lines[end])):
        values[header[1]] = unescape_inline(header[2] or "").strip()
        end += 1
    return _Head(
        author=values.get("From", ""),
        to=values.get("To", ""),
        cc=values.get("Cc", ""),
        subject=values.get("Subject", ""),
        sent_at=_moment(values.get("Date")),
        end=end,
    )
