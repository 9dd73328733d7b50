"""A mailbox file (mboxo, mboxrd, Gmail Takeout) -> its mails, one in memory at a time.

A line that begins with "From " is a border only when it looks like one (a sender and a date, or Takeout's bare id)
and a header line follows: letters hold such lines too, unescaped, even after a blank line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import Bytes, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.mail.cues import Owner
from vaultmem.sources.mail.message import MAX_MAIL, read_mail

_LINE = 1000
#: How far a border inside a mail's own multipart is believed to belong to it.
_NESTED_REACH = 8_000_000
_HEAD = 65_536

_MONTH = rb"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DATED = re.compile(
    rb"^From .{0,400}?(?:" + _MONTH + rb"[ ,]+\d{1,2}|\d{1,2}[ -]+" + _MONTH + rb"|\d{4}-\d\d-\d\d)\b"
    rb"(?=.{0,60}\d{1,2}:\d\d).{0,80}$",
    re.IGNORECASE,
)
_BARE = re.compile(rb"^From [^\s@]{1,200}@[^\s@]{1,200}\s*$")
_HEADER = re.compile(rb"^(?:>?From |[!-9;-~]{1,100}[ \t]{0,4}:)")
_KNOWN_HEADER = re.compile(
    rb"^(?:X-[\w-]+|From|To|Date|Subject|Received|Return-Path|Message-ID|MIME-Version|Delivered-To|Content-[\w-]+|"
    rb"Status|Reply-To|Sender|Cc|References|In-Reply-To|DKIM-Signature|ARC-[\w-]+|Authentication-Results|"
    rb"List-[\w-]+)[ \t]{0,4}:",
    re.IGNORECASE,
)
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_BOUNDARY = re.compile(
    rb"""^content-type:[^\n]*(?:\n[ \t][^\n]*)*?boundary\s*=\s*("[^"\n]{1,200}"|[^\s;"]{1,200})""",
    re.IGNORECASE | re.MULTILINE,
)


def read_mbox(raw: RawFile, settings: Settings) -> Reading:
    """A file of many mails, in file order. A broken mail becomes a warning, and the rest is read."""
    return Reading(format="mbox", kind="email", tz="UTC", zone_known=True, items=_items(raw, settings))


def mailbox_scope(name: str) -> str:
    """The source tree of a mailbox file: its name without folders and extension."""
    base = name.rpartition("/")[2]
    stem = base[: -len(".mbox")] if base.lower().endswith(".mbox") else base.rpartition(".")[0] or base
    return f"mail:{stem}"


def _items(raw: RawFile, settings: Settings) -> Iterator[SourceItem]:
    owner, scope = Owner(settings.me), mailbox_scope(raw.name)
    number, read = 0, 0
    for start, end in mail_spans(raw.data):
        number += 1
        if end - start > MAX_MAIL:
            yield Warn(text=f"mail {number} has {end - start} bytes: only the first {MAX_MAIL} were read")
        try:
            items = read_mail(_unescaped(raw.data[start : min(end, start + MAX_MAIL)]), owner=owner, scope=scope)
        except UnreadableSource as problem:
            yield Warn(text=f"mail {number} (byte {start}) was left out: {problem}")
            continue
        read += 1
        yield from items
    if not read:
        raise UnreadableSource("not a mailbox: no mail could be read from it")


def _unescaped(mail: bytes) -> bytes:
    """The mail without its border line, `>From ` at line starts undone by one level."""
    if mail.startswith(b"From "):
        mail = mail[mail.find(b"\n") + 1 :]
    return _ESCAPED.sub(rb"\1", mail)


def mail_spans(data: Bytes) -> Iterator[tuple[int, int]]:
    """(start, end) of every mail, border line included."""
    size = len(data)
    start = _first(data)
    if start >= size:
        return
    at = start
    while (found := data.find(b"\nFrom ", at)) >= 0:
        at = found + 1
        if _is_border(data, at) and not _is_inside(data, start, at):
            yield start, at
            start = at
    yield start, size


def _first(data: Bytes) -> int:
    """Where the first mail begins: byte-order mark and blank lines may stand before it."""
    head = data[:_LINE]
    return len(head) - len(head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n \t"))


def _is_border(data: Bytes, at: int) -> bool:
    lines = data[at : at + 2 * _LINE].split(b"\n", 2)
    line, below = lines[0].rstrip(b"\r"), lines[1] if len(lines) > 1 else b""
    if _DATED.match(line):
        return bool(_HEADER.match(below))
    return bool(_BARE.match(line) and _KNOWN_HEADER.match(below))


def _is_inside(data: Bytes, start: int, at: int) -> bool:
    """True when the border stands within a multipart of the mail before it: a mailbox line of an attached mail.

    The mail's own boundary is unique, so a multipart not closed before the border but going on after it holds it.
    """
    match = _BOUNDARY.search(_head(data, start, at))
    if not match:
        return False
    boundary = b"\n--" + match.group(1).strip(b'"')
    return data.find(boundary + b"--", start, at) < 0 <= data.find(boundary, at, at + _NESTED_REACH)


def _head(data: Bytes, start: int, at: int) -> bytes:
    """The header of the mail that starts there."""
    head = data[start : min(at, start + _HEAD)].replace(b"\r\n", b"\n")
    return head.partition(b"\n\n")[0]
