"""One mail's bytes -> SourceMessage, Attachments and Warns. `read_eml` reads a file that is one mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from email import message_from_bytes
from email.errors import MessageError
from email.message import Message as Mime

from vaultmem.config import Settings
from vaultmem.core.notes.ids import anonymous_key
from vaultmem.errors import UnreadableSource
from vaultmem.model import Attachment, Message, RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.mail.bodies import Body, read_body
from vaultmem.sources.mail.cues import Owner, bare_subject, find_cues, is_forward, is_reply, parties
from vaultmem.sources.mail.footers import without_footer
from vaultmem.sources.mail.headers import Headers, parse_date
from vaultmem.sources.mail.quotes import new_text

#: The one source tree of mails that were dropped as single files.
EML_SCOPE = "mail:eml"
#: Bytes of one mail that are parsed; what lies beyond is attachments that are not read anyway.
MAX_MAIL = 200_000_000

#: What the standard parser is known to raise on broken mails; RecursionError on MIME nested without end.
FAULTS = (
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
    AssertionError,
    MessageError,
)
#: Apple Mail keeps a mail (`.emlx`) below a line with its length, and notes of its own below it.
_COUNTED = re.compile(rb"(\d{1,10})[ \t]*\r?\n(?=[!-9;-~]{1,70}:)")
_KNOWN = frozenset({
    "from", "to", "cc", "subject", "date", "message-id", "received", "return-path", "mime-version", "content-type",
    "reply-to", "sender", "delivered-to", "in-reply-to", "references", "bcc", "x-mailer", "content-transfer-encoding",
})  # fmt: skip


def read_eml(raw: RawFile, settings: Settings) -> Reading:
    """A file that holds one mail. The stream raises UnreadableSource when there is no mail header in it."""
    return Reading(format="eml", kind="email", tz="UTC", zone_known=True, items=_eml_items(raw, settings))


def _eml_items(raw: RawFile, settings: Settings) -> Iterator[SourceItem]:
    data = bytes(raw.data[:MAX_MAIL])
    if counted := _COUNTED.match(data):
        data = data[counted.end() : counted.end() + int(counted[1])]
    if len(raw.data) > MAX_MAIL:
        yield Warn(text=f"a mail of {len(raw.data)} bytes: only the first {MAX_MAIL} were read")
    yield from read_mail(data, owner=Owner(settings.me), scope=EML_SCOPE)


def read_mail(data: bytes, *, owner: Owner, scope: str) -> list[SourceItem]:
    """All items of one mail: its warnings, the message, its text attachments. Raises UnreadableSource."""
    mail = _parse(data)
    headers = Headers(mail)
    if not headers.names() & _KNOWN:
        raise UnreadableSource("not a mail: it has no header line that mails have")
    try:
        body = read_body(mail)
    except FAULTS as fault:
        body = Body(warnings=[f"the mail's structure is broken ({type(fault).__name__}): its text could not be read"])
    message = _message(headers, body, owner=owner, scope=scope)
    named = headers.text("subject") or message.native_id or "a mail without subject"
    warnings = [*body.warnings, *_oddities(headers, message)]
    return [
        *(Warn(text=f"{named}: {warning}") for warning in warnings),
        message,
        *(Attachment(name=f.name, data=f.data, parent=message.native_id) for f in body.files),
    ]


def _parse(data: bytes) -> Mime:
    """The MIME tree; for one that the parser cannot follow, the headers alone."""
    clean = data.lstrip(b"\r\n \t").removeprefix(b"\xef\xbb\xbf")
    try:
        return message_from_bytes(clean)
    except FAULTS:
        head = clean.replace(b"\r\n", b"\n").partition(b"\n\n")[0]
        broken = message_from_bytes(b"\n".join(line for line in head.split(b"\n") if not _is_type(line)) + b"\n\n")
        broken.set_payload("")
        return broken


def _is_type(line: bytes) -> bool:
    return line.lower().startswith(b"content-type:")


def _oddities(headers: Headers, message: SourceMessage) -> Iterator[str]:
    if message.message.sent_at is None and headers.raw("date"):
        yield f"its Date cannot be read: {headers.raw('date')[:80]!r}"
    if not message.message.author:
        yield "it has no sender"


def _message(headers: Headers, body: Body, *, owner: Owner, scope: str) -> SourceMessage:
    subject = headers.text("subject")
    sent_at = parse_date(headers.raw("date"))
    text = _text(body, forwarded=is_forward(subject), reply=is_reply(headers, subject))
    author = ", ".join(map(str, headers.addresses("from") or headers.addresses("sender")))
    own_id = next(iter(headers.ids("message-id")), "")
    message = Message(
        sent_at=sent_at,
        author=author,
        text=text,
        to=", ".join(map(str, headers.addresses("to"))),
        cc=", ".join(map(str, headers.addresses("cc"))),
        subject=subject,
    )
    return SourceMessage(
        message=message,
        source_id=f"mail:{_thread_root(headers, own_id) or _anonymous_root(message, sent_at)}",
        tree_scope=scope,
        title=bare_subject(subject) or "(no subject)",
        provider=_provider(headers, own_id),
        native_id=own_id,
        reply_to=_answered(headers),
        attachments=tuple(body.names),
        cues=find_cues(headers, owner=owner, subject=subject, text=text, machine=body.machine),
        parties=parties(headers),
    )


def _text(body: Body, *, forwarded: bool, reply: bool) -> str:
    """What is new in the mail, the event it invites to, and on a last line the names of the files that are not read."""
    text = new_text(body.text(), forwarded=forwarded, reply=reply)
    text = text if forwarded else without_footer(text)
    read = {f.name for f in body.files}
    named = list(dict.fromkeys(name for name in body.names if name not in read))
    line = f"Attachments: {', '.join(named)}" if named else ""
    return "\n\n".join(part for part in (text, body.event, line) if part)


def _answered(headers: Headers) -> str:
    """The mail this one answers: In-Reply-To, else the last of the References."""
    return next(iter(headers.ids("in-reply-to") or headers.ids("references")[-1:]), "")


def _thread_root(headers: Headers, own_id: str) -> str:
    """The id that all mails of a thread agree on, without angle brackets; "" when the mail has none at all."""
    ids = headers.ids("references") or headers.ids("in-reply-to") or ((own_id,) if own_id else ())
    return ids[0].strip("<>") if ids else ""


def _anonymous_root(message: Message, sent_at: datetime | None) -> str:
    return anonymous_key("mail", sent_at, message.author, f"{message.subject}\n{message.text}", 0)


def _provider(headers: Headers, own_id: str) -> str:
    google = any(name.startswith(("x-gm-", "x-gmail-")) for name in headers.names())
    return "gmail" if google or own_id.endswith("@mail.gmail.com>") else "other_email"
