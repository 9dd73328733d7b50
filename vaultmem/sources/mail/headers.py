"""Mail headers -> text: folds, encoded words, raw 8-bit bytes, parameters (RFC 2047, 2231, 6532), dates, addresses.

The standard parser is used to split headers from body only: its structured header classes raise on the very mails
that need care (unknown charsets, bad dates, commas in encoded names).
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message as Mime
from email.utils import parsedate_to_datetime
from urllib.parse import unquote_to_bytes

from vaultmem.errors import UnreadableSource
from vaultmem.sources.text import decode

#: A header longer than this is cut: no reader needs it, and address lists of spam reach megabytes.
MAX_HEADER = 100_000

_WORD = re.compile(r"=\?([^?\s]{1,75})\?([bBqQ])\?(.*?)\?=", re.DOTALL)
_FOLD = re.compile(r"[ \t]*[\r\n]+[ \t]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_MESSAGE_ID = re.compile(r"<\s*([^<>\s]+(?:\s+[^<>\s]+)*)\s*>")
_NEEDS_QUOTES = re.compile(r"[,;<>\"@:\\]")
_NO_LABEL = re.compile(r"@|=\?")
_COMMENT = re.compile(r"\([^()]*\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One mailbox of an address line."""

    #: decoded display name, "" where there is none
    name: str
    #: as written, without angle brackets; "" when only a name is given
    address: str

    def __str__(self) -> str:
        if not self.name or self.name.casefold() == self.address.casefold():
            return self.address
        name = '"' + self.name.replace('"', "'") + '"' if _NEEDS_QUOTES.search(self.name) else self.name
        return f"{name} <{self.address}>" if self.address else name


class Headers:
    """The headers of one part: decoded on demand, names without case, every access total."""

    def __init__(self, part: Mime) -> None:
        self._values: dict[str, list[str]] = {}
        for name, value in part.raw_items():
            self._values.setdefault(name.strip().lower(), []).append(str(value)[:MAX_HEADER])

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __bool__(self) -> bool:
        return bool(self._values)

    def names(self) -> frozenset[str]:
        """Lower-case names that occur."""
        return frozenset(self._values)

    def raw(self, name: str) -> str:
        """First value, unfolded, bytes decoded, encoded words left as they are; "" when absent."""
        values = self._values.get(name)
        return unfold(values[0]) if values else ""

    def text(self, name: str) -> str:
        """First value as a person reads it, on one line."""
        return tidy(decode_words(self.raw(name)))

    def addresses(self, name: str) -> tuple[Address, ...]:
        """All mailboxes of all header lines of that name."""
        return tuple(a for value in self._values.get(name, ()) for a in parse_addresses(unfold(value)))

    def ids(self, name: str) -> tuple[str, ...]:
        """Message ids of a header, with angle brackets, in order."""
        return message_ids(self.raw(name))

    def parameters(self, name: str) -> tuple[str, dict[str, str]]:
        """The value before the first `;` in lower case, and the decoded parameters."""
        return parse_parameters(self.raw(name))


def unfold(value: str) -> str:
    """One line of text from a raw header: folds undone, surrogate-escaped bytes decoded."""
    # A NUL would make the line look like UTF-16.
    data = value.replace("\0", " ").encode("utf-8", "surrogateescape")
    return _FOLD.sub(" ", from_bytes(data)).strip()


def from_bytes(data: bytes, label: str = "") -> str:
    """Like `decode`, for pieces so small that refusing them is no answer."""
    try:
        return decode(data, label=label)
    except UnreadableSource:
        return data.decode("latin-1").replace("\0", "")


def tidy(text: str) -> str:
    """On one line, without control characters and double blanks."""
    return " ".join(_CONTROL.sub(" ", text).split())


def decode_words(text: str) -> str:
    """Undo RFC 2047 encoded words, also inside quotes, also encoded twice; what is broken stays as it is."""
    for _ in range(2):
        if "=?" not in text:
            break
        text = _decode_words_once(text)
    return text


def _decode_words_once(text: str) -> str:
    out: list[str] = []
    held: bytes = b""
    held_charset = ""
    end = 0
    for match in _WORD.finditer(text):
        between = text[end : match.start()]
        data = _word_bytes(match.group(2), match.group(3))
        charset = match.group(1).partition("*")[0].lower()
        if data is None:
            continue
        # White space between two encoded words is not text; a character may be split across them.
        if between.strip() or charset != held_charset or not end:
            out.append(from_bytes(held, held_charset))
            out.append("" if end and not between.strip() else between)
            held = b""
        held, held_charset, end = held + data, charset, match.end()
    out.append(from_bytes(held, held_charset))
    return "".join(out) + text[end:]


def _word_bytes(encoding: str, payload: str) -> bytes | None:
    if encoding in "qQ":
        return binascii.a2b_qp(payload.encode("utf-8", "replace"), header=True)
    return base64_bytes(payload.encode("utf-8", "replace"))


def base64_bytes(data: bytes) -> bytes | None:
    """Tolerant base64: foreign characters ignored, missing padding added, a cut last group dropped."""
    clean = re.sub(rb"[^A-Za-z0-9+/]", b"", data.split(b"=", 1)[0] if data.count(b"=") <= 2 else data)
    if len(clean) % 4 == 1:
        clean = clean[:-1]
    try:
        return binascii.a2b_base64(clean + b"=" * (-len(clean) % 4))
    except binascii.Error:
        return None


def message_ids(value: str) -> tuple[str, ...]:
    """`<a@b>` ids of a header; a value without brackets is one id."""
    found = tuple(f"<{''.join(m.split())}>" for m in _MESSAGE_ID.findall(value))
    if found or not value.strip():
        return found
    bare = value.split(maxsplit=1)[0].strip("<>")
    return (f"<{bare}>",) if "@" in bare else ()


def parse_date(value: str) -> datetime | None:
    """A Date header as aware UTC; None when no instant can be read from it."""
    for candidate in (value, _COMMENT.sub(" ", value), value.partition("(")[0]):
        moment = _date(candidate.strip())
        if moment is not None:
            return moment
    return None


def _date(value: str) -> datetime | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(value)
            # No zone ("-0000" or none at all): the standard says the digits are UTC.
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError, AttributeError):
            continue
    return None


def parse_addresses(value: str) -> tuple[Address, ...]:
    """Mailboxes of an unfolded address line whose encoded words are still encoded.

    Not `email.utils.getaddresses`: that splits at the comma of an unquoted "Last, First <a@b>" and loses the name.
    """
    found: list[Address] = []
    carried = ""
    for piece in _split_addresses(value):
        text = f"{carried}, {piece}" if carried else piece
        if "@" not in decode_words(piece) and "<" not in piece and not found and not carried:
            carried = text
            continue
        carried = ""
        found.extend(_address(text))
    if carried:
        found.extend(_address(carried))
    return tuple(found)


def _split_addresses(value: str) -> list[str]:
    """Cut at `,` and `;` outside quotes, angle brackets and comments; a group's `name:` is dropped."""
    pieces: list[str] = []
    start, quoted, angle, comment, skip = 0, False, False, 0, False
    end = value.rfind(";")  # of a group: without it a colon is a part of a name
    for i, char in enumerate(value):
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char in "()":
            comment = max(0, comment + (1 if char == "(" else -1))
        elif char in "<>":
            angle = char == "<"
        elif char in ",;" and not angle and not comment:
            pieces.append(value[start:i])
            start = i + 1
        elif char == ":" and not angle and not comment and i < end and not _NO_LABEL.search(value[start:i]):
            start = i + 1
    pieces.append(value[start:])
    return [piece.strip() for piece in pieces if piece.strip()]


def _address(text: str) -> list[Address]:
    """One mailbox in any of the spellings mail programs use."""
    before, bracket, rest = text.rpartition("<")
    if bracket:
        address = tidy(decode_words(rest.partition(">")[0])).replace(" ", "")
        return _named(_name(before), address)
    comment = re.search(r"\(([^()]*)\)\s*$", text)
    bare = tidy(decode_words(text[: comment.start()] if comment else text)).strip('"')
    if "@" in bare and " " not in bare:
        return _named(_name(comment.group(1)) if comment else "", bare)
    words = [w for w in bare.split() if "@" in w]
    if words:
        return _named(" ".join(w for w in bare.split() if w != words[-1]).strip('"'), words[-1].strip("[]()<>‹›"))
    return _named(_name(text), "")


def _named(name: str, address: str) -> list[Address]:
    return [Address(name=name, address=address)] if name or address else []


def _name(text: str) -> str:
    """A display name without its quotes, decoded."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = re.sub(r"\\(.)", r"\1", text[1:-1])
    name = tidy(decode_words(text)).strip()
    if len(name) > 1 and name[0] == name[-1] and name[0] in "\"'":
        name = name[1:-1].strip()
    return name


def parse_parameters(value: str) -> tuple[str, dict[str, str]]:
    """`text/plain; name*0*=…; charset=x` -> ("text/plain", {"name": …, "charset": "x"}); RFC 2231 pieces joined."""
    pieces = _split_parameters(value)
    plain: dict[str, str] = {}
    parts: dict[str, dict[int, tuple[bool, str]]] = {}
    for piece in pieces[1:]:
        key, equals, content = piece.partition("=")
        key, content = key.strip().lower(), _unquote(content.strip())
        if not equals or not key:
            continue
        base, star, number = key.partition("*")
        if not star:
            plain.setdefault(base, tidy(decode_words(content)))
            continue
        index = number.rstrip("*")
        encoded = key.endswith("*")
        parts.setdefault(base, {}).setdefault(
            int(index) if index.isascii() and index.isdigit() else 0, (encoded, content)
        )
    for base, numbered in parts.items():
        plain[base] = _joined([numbered[n] for n in sorted(numbered)])
    return pieces[0].strip().lower() if pieces else "", plain


def _split_parameters(value: str) -> list[str]:
    pieces, start, quoted, skip = [], 0, False, False
    for i, char in enumerate(value):
        if skip:
            skip = False
        elif char == "\\" and quoted:
            skip = True
        elif char == '"':
            quoted = not quoted
        elif char == ";" and not quoted:
            pieces.append(value[start:i])
            start = i + 1
    return [*pieces, value[start:]]


def _unquote(text: str) -> str:
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:].removesuffix('"'))
    return text


def _joined(pieces: Sequence[tuple[bool, str]]) -> str:
    """RFC 2231: the first encoded piece names the charset; plain pieces are taken as they are."""
    charset, data = "", b""
    for i, (encoded, content) in enumerate(pieces):
        if encoded and i == 0 and content.count("'") >= 2:
            charset, _, rest = content.split("'", 2)
            data += unquote_to_bytes(rest)
        else:
            data += unquote_to_bytes(content) if encoded else content.encode("utf-8", "replace")
    return tidy(from_bytes(data, charset))


def has_word(value: str, words: Sequence[str]) -> bool:
    """True when one of the words stands in the value, whatever the case."""
    return any(word in value.casefold() for word in words)
