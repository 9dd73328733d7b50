"""The MIME tree of a mail -> its text and its files.

`read_body` decides what of the tree is content: which alternative, which part is a file, what a forwarded mail says.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from email.message import Message as Mime

from vaultmem.core.notes.ids import safe_part
from vaultmem.errors import UnreadableSource
from vaultmem.sources.mail.headers import Headers, base64_bytes, from_bytes, has_word, parse_date, tidy
from vaultmem.sources.mail.html import html_to_text
from vaultmem.sources.mail.plain import enriched_to_text, unarmour, unflow
from vaultmem.sources.mail.tnef import TNEF_NAMES, TNEF_TYPES, unpack
from vaultmem.sources.text import decode

#: Levels of nesting that are followed; deeper parts are named in a warning.
MAX_DEPTH = 40
#: Bytes of one text part that are read; no letter is longer, but a log file sent as its body may be.
MAX_TEXT = 20_000_000

_SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
_TEXT_NAMES = (".txt", ".text", ".md", ".markdown", ".csv", ".log")
_NEEDS_HTML = re.compile(r"\bhtml\b", re.IGNORECASE)
_EXTENSIONS = {"text/plain": "txt", "message/rfc822": "eml", "image/jpeg": "jpg", "text/calendar": "ics"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """A text attachment: it becomes a document of its own."""

    name: str
    data: bytes


class _Html(str):
    """An HTML text that is converted when it is asked for: most alternatives never are."""

    __slots__ = ()


@dataclass(slots=True, kw_only=True)
class Body:
    """What a part of the tree holds; grows while the tree is walked."""

    #: pieces of text in reading order
    texts: list[str] = field(default_factory=list)
    #: names of all attached files
    names: list[str] = field(default_factory=list)
    files: list[TextFile] = field(default_factory=list)
    #: texts of calendar parts: invitations stand below the text, answers only where there is none
    calendars: list[str] = field(default_factory=list)
    #: texts that say again what the mail says: content only when there is nothing else
    spare: list[str] = field(default_factory=list)
    #: what an invitation beside a text is about, to stand below it
    event: str = ""
    warnings: list[str] = field(default_factory=list)
    #: a delivery report or a calendar reply: a machine wrote it
    machine: bool = False
    #: some piece came from HTML
    from_html: bool = False

    def text(self) -> str:
        """All pieces, a blank line between two."""
        self.texts = [html_to_text(t) if isinstance(t, _Html) else t for t in self.texts]
        return "\n\n".join(t for t in (text.strip("\n") for text in self.texts) if t.strip())

    def take(self, other: Body, *, with_text: bool = True) -> None:
        """Add what another part holds; without its text for an alternative that was not chosen."""
        self.names += other.names
        self.files += other.files
        self.calendars += other.calendars
        self.spare += other.spare
        self.warnings += other.warnings
        self.machine = self.machine or other.machine
        if with_text:
            self.texts += other.texts
            self.from_html = self.from_html or other.from_html


def read_body(mail: Mime) -> Body:
    """Text, files and warnings of a parsed mail."""
    body = _read(mail, depth=0, root=True)
    if not body.text() and body.spare:
        body.texts.append(body.spare[0])
    if not body.text() and body.calendars:
        body.texts.append(_event(body.calendars[0]))
    elif body.calendars and not body.machine:
        # Without its description, which is what the mail says; one event comes as a part and as a file.
        body.event = _event(body.calendars[0]).partition("\n\n")[0]
    return body


def _event(source: str) -> str:
    from vaultmem.sources.document.ics import events_in_words  # few mails have a calendar, and its library is slow

    return events_in_words(source)


def _read(part: Mime, *, depth: int, root: bool = False) -> Body:
    """One node of the tree."""
    if depth > MAX_DEPTH:
        return Body(warnings=[f"a mail nested deeper than {MAX_DEPTH} levels: the rest was left out"])
    headers = Headers(part)
    kind, parameters = _content_type(part, headers)
    children = [p for p in part.get_payload() if isinstance(p, Mime)] if part.is_multipart() else []
    if children and kind.startswith("multipart/"):
        return _read_multipart(kind, children, depth)
    if kind == "message/rfc822" or (children and kind.startswith("message/")):
        return _read_message(kind, headers, parameters, children, depth)
    return _read_leaf(part, kind, headers, parameters, root=root or kind.startswith("multipart/"))


def _content_type(part: Mime, headers: Headers) -> tuple[str, dict[str, str]]:
    kind, parameters = headers.parameters("content-type")
    kind = "".join(kind.split())
    if kind.count("/") != 1:
        kind = part.get_default_type()
    return kind, parameters


def _read_multipart(kind: str, children: Sequence[Mime], depth: int) -> Body:
    body = Body()
    if kind == "multipart/alternative":
        return _choose(children, depth)
    if kind == "multipart/report":
        return _read_report(children, depth)
    if kind == "multipart/encrypted":
        body.warnings.append("an encrypted mail: only its headers can be read")
    for child in children:
        body.take(_read(child, depth=depth + 1))
    return body


def _choose(children: Sequence[Mime], depth: int) -> Body:
    """Of alternatives the plain text, unless it is empty or only says that the mail is HTML; files of all of them."""
    bodies = [_read(child, depth=depth + 1) for child in children]
    chosen = next((b for b in bodies if not b.from_html and b.text()), None)
    if chosen is None or _asks_for_html(chosen.text()):
        rich = next((b for b in bodies if b.from_html and b.text()), None)
        if rich and (chosen is None or len(rich.text()) > 2 * len(chosen.text())):
            chosen = rich
    body = Body()
    for candidate in bodies:
        body.take(candidate, with_text=candidate is chosen)
    return body


def _asks_for_html(plain: str) -> bool:
    """True for a plain part that only says that the mail is HTML."""
    return len(plain) < 300 and bool(_NEEDS_HTML.search(plain))


def _read_report(children: Sequence[Mime], depth: int) -> Body:
    """A delivery report: what it says to people; the status part and the returned mail stay in the original."""
    body = Body(machine=True)
    for i, child in enumerate(children):
        part = _read(child, depth=depth + 1)
        part.files = [] if i else part.files
        body.take(part, with_text=i == 0)
    return body


def _read_message(
    kind: str, headers: Headers, parameters: dict[str, str], children: Sequence[Mime], depth: int
) -> Body:
    """A mail inside a mail: a forward, so its text is content."""
    body = Body()
    name = _file_name(headers, parameters)
    if name:
        body.names.append(name)
    if kind not in ("message/rfc822", "message/global"):
        return body
    for child in children[:1]:
        inner = Headers(child)
        if not inner.names() & {"from", "subject", "date", "to", "message-id", "content-type", "received"}:
            body.warnings.append(f"{name or 'an attached mail'} is no mail: kept in the original only")
            continue
        body.texts.append(_forwarded(inner, _read(child, depth=depth + 1), body))
    return body


def _forwarded(inner: Headers, content: Body, outer: Body) -> str:
    """The text of an attached mail, in the form in which mail programs forward inline."""
    outer.files += content.files
    outer.warnings += content.warnings
    moment = parse_date(inner.raw("date"))
    lines = ["---------- Forwarded message ----------"]
    if inner.raw("from"):
        lines.append("From: " + ", ".join(map(str, inner.addresses("from"))))
    if moment:
        lines.append(f"Date: {moment:%Y-%m-%dT%H:%M:%SZ}")
    lines += [f"{label}: {inner.text(label.lower())}" for label in ("Subject", "To") if inner.text(label.lower())]
    if content.names:
        lines.append("Attachments: " + ", ".join(content.names))
    return "\n".join(lines) + "\n\n" + content.text()


def _read_leaf(part: Mime, kind: str, headers: Headers, parameters: dict[str, str], *, root: bool) -> Body:
    name = _file_name(headers, parameters)
    disposition = headers.parameters("content-disposition")[0]
    is_file = disposition == "attachment" or (bool(name) and not root)
    if kind in _SIGNATURES:
        return Body()
    if kind in ("text/calendar", "application/ics") or name.lower().endswith(".ics"):
        return _read_calendar(part, headers, parameters, name)
    if kind.startswith("multipart/") or (kind.startswith("text/") and not is_file):
        return _read_text(part, kind, headers, parameters)
    if kind.startswith("message/") or kind == "text/rfc822-headers":
        return Body(names=[name] if name else [])
    return _read_file(part, kind, headers, name)


def _read_text(part: Mime, kind: str, headers: Headers, parameters: dict[str, str]) -> Body:
    data = payload_bytes(part, headers)
    if len(data) > MAX_TEXT:
        return Body(
            texts=[_text_of(data[:MAX_TEXT], kind, parameters)],
            warnings=[f"a text of {len(data)} bytes: only the first {MAX_TEXT} were read"],
        )
    try:
        return Body(texts=[_text_of(data, kind, parameters)], from_html=kind == "text/html")
    except UnreadableSource as problem:
        label = parameters.get("charset", "")
        text = _by_label(data, label)
        if text is None:
            return Body(warnings=[f"a text part is {problem}"])
        return Body(texts=[text])


def _by_label(data: bytes, label: str) -> str | None:
    """Text whose bytes look binary but are what the label says: UTF-16 that lost a byte on the way."""
    if not label.lower().startswith(("utf-16", "utf-32", "ucs")):
        return None
    try:
        return data.decode(label, "replace").replace("\r\n", "\n").replace("\0", "").rstrip("\ufffd")
    except (LookupError, UnicodeError):
        return None


def _text_of(data: bytes, kind: str, parameters: dict[str, str]) -> str:
    text = decode(data, label=parameters.get("charset", ""))
    if kind == "text/html":
        return _Html(text)
    if kind in ("text/enriched", "text/richtext"):
        return enriched_to_text(text)
    if parameters.get("format", "").lower() == "flowed":
        text = unflow(text, join=parameters.get("delsp", "").lower() == "yes")
    return unarmour(text)


def _read_calendar(part: Mime, headers: Headers, parameters: dict[str, str], name: str) -> Body:
    text = from_bytes(payload_bytes(part, headers)[:MAX_TEXT], parameters.get("charset", ""))
    reply = has_word(parameters.get("method", ""), ("reply",)) or "\nMETHOD:REPLY" in text.upper()
    return Body(calendars=[text], names=[name] if name else [], machine=reply)


def _read_file(part: Mime, kind: str, headers: Headers, name: str) -> Body:
    if kind in TNEF_TYPES or name.lower() in TNEF_NAMES:
        return _read_tnef(payload_bytes(part, headers), name)
    shown = name or f"unnamed.{_EXTENSIONS.get(kind) or safe_part(kind.rpartition('/')[2])}"
    if kind == "text/plain" or shown.lower().endswith(_TEXT_NAMES):
        data = payload_bytes(part, headers)
        return Body(names=[shown], files=[TextFile(name=shown, data=data)] if data.strip() else [])
    return Body(names=[shown])


def _read_tnef(data: bytes, name: str) -> Body:
    """Outlook's own packet: the files in it stand beside it, its text where the mail has no other."""
    found = unpack(data)
    body = Body(names=[name] if name else ["winmail.dat"])
    if found is None:
        return body
    for file, content in found.files:
        body.names.append(file)
        if file.lower().endswith(_TEXT_NAMES) and content.strip():
            body.files.append(TextFile(name=file, data=content))
    if found.html or found.text:
        body.spare.append(found.text or html_to_text(found.html))
    return body


def _file_name(headers: Headers, parameters: dict[str, str]) -> str:
    """A file's own name: the disposition's before the type's; folders that a sender put before it are dropped."""
    named = headers.parameters("content-disposition")[1].get("filename") or parameters.get("name", "")
    return tidy(named.replace("\\", "/").rpartition("/")[2])


def payload_bytes(part: Mime, headers: Headers) -> bytes:
    """The decoded content of a leaf, whatever its transfer encoding says; never raises."""
    # Without its encoding header the parser gives the bytes as they came; with it, it stumbles over "base64 \t".
    del part["content-transfer-encoding"]
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return b""
    encoding = headers.raw("content-transfer-encoding").split(";")[0].strip().strip('"').lower()
    if encoding == "base64":
        decoded = base64_bytes(data)
        return data if decoded is None else decoded
    if encoding in ("quoted-printable", "qp"):
        return binascii.a2b_qp(data)
    return data
