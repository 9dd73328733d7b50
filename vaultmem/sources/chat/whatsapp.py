"""WhatsApp exports, of Android and iPhone, as text or as the ZIP an iPhone makes -> messages.

    [3/5/24, 9:01:10 AM] Mia: hi                iPhone
    05.03.24, 09:02 - Jana: Wer fährt?          Android

Times carry no zone: they are read in the vault's. A system line is kept with author ""; the notice that the chat is
encrypted is yielded with an empty text, so that it is counted and not written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.errors import UnreadableSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.chat.local_time import to_utc
from vaultmem.sources.chat.whatsapp_lines import (
    MARKS,
    ORDER_NAMES,
    Header,
    Order,
    decide_orders,
    local_time,
    read_header,
    scan_headers,
)
from vaultmem.sources.chat.whatsapp_words import (
    ATTACHED_NAME,
    ATTACHED_NOTE,
    ATTACHED_TAG,
    CHAT_NAMES,
    EDITED,
    ENCRYPTED,
    NOTICE_START,
    OMITTED_TAG,
    POSTED,
    SYSTEM,
)
from vaultmem.sources.text import decode

#: Longest name an author may have: what is longer before a colon is a sentence.
_MAX_AUTHOR = 100
_MARK = re.compile(f"[{MARKS}]")
_LEADING_MARKS = re.compile(f"^[{MARKS}]+")
_QUOTES = '"“”„«»「」『』'
_LOG_LEVEL = re.compile(
    r"(?:[\w.]+\.)?(?:trace|debug|info|notice|warn(?:ing)?|error|critical|fatal|alert)", re.IGNORECASE
)
_PLAIN_NAMES = re.compile(r"_?chat(?:[ _-]?\(?\d*\)?)?$|^$", re.IGNORECASE)
_MENTION_MARKS = re.compile(r"@[\u2066-\u2068]([^\n\u2069]{1,100})\u2069")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """One header with the lines that belong to it."""

    at: datetime
    #: "" for a system line of Android
    author: str
    text: str
    #: the platform's mark before the text: what follows was not typed by a person
    marked: bool


def is_chat(text: str) -> bool:
    """True for the text of a WhatsApp export; a note that merely quotes a dated line is none."""
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if _MARK.sub("", line).strip()), None)
    if first is None or read_header(first, lines[first]) is None:
        return False
    headers = scan_headers(lines)
    if not headers or headers[0].line != first:
        return False
    if any(ENCRYPTED.search(h.rest) for h in headers[:3]):
        return True
    authors = [author for h in headers if (author := _split_author(h.rest, frozenset())[0])]
    people = [a for a in authors if not _LOG_LEVEL.fullmatch(a)]
    filled = sum(1 for line in lines if line.strip())
    return bool(people) and 2 * len(people) >= len(authors) and (len(headers) > 1 or filled <= 40)


def is_named_chat(name: str) -> bool:
    """True for a file that bears the name of a WhatsApp export, whatever is in it."""
    return _stem(name) == "_chat" or bool(_named_chat(_stem(name)))


def is_signal(text: str) -> bool:
    """True for a Signal chat as signal-export writes it: like a WhatsApp export but for its dates and names."""
    lines = text[:100_000].split("\n")
    headers = [h for i, line in enumerate(lines[:400]) if (h := read_header(i, line)) is not None]
    if not headers or headers[0].line > 0 or any(h.group != ("bracket", "-", 0) for h in headers):
        return False
    if _MARK.search(text[:100_000]) or any(ENCRYPTED.search(h.rest) for h in headers[:3]):
        return False
    own = any(h.rest.startswith(("Me: ", "No-Sender: ")) for h in headers)
    return own or not any(seconds for _, seconds, _ in (h.shape for h in headers))


def chat_member(archive: Archive) -> str | None:
    """The chat's text in an iPhone's ZIP, or None where the archive is something else."""
    texts = [name for name in archive.names if name.lower().endswith(".txt")]
    named = [n for n in texts if n.rsplit("/", 1)[-1] == "_chat.txt" or _named_chat(_stem(n))]
    for name in named[:3]:
        try:
            if is_chat(decode(archive.read(name))):
                return name
        except UnreadableSource:
            continue
    return None


def read_whatsapp(raw: RawFile, settings: Settings) -> Reading:
    """The messages of one export in file order. Raises UnreadableSource where no line begins a message."""
    text = decode(_chat_bytes(raw))
    lines = text.split("\n")
    headers = scan_headers(lines)
    if not headers:
        raise UnreadableSource("no line of this file begins a WhatsApp message: export the chat again")
    orders = decide_orders(headers)
    return Reading(
        format="whatsapp",
        kind="chat",
        tz=f"none in file, assumed {settings.timezone}",
        zone_known=False,
        items=_items(raw.name, lines, headers, orders, settings),
    )


def _chat_bytes(raw: RawFile) -> bytes:
    if raw.data[:4] != b"PK\x03\x04":
        return raw.data[:]
    archive = Archive(raw.data)
    member = chat_member(archive)
    if member is None:
        raise UnreadableSource("a ZIP archive without a WhatsApp chat in it")
    return archive.read(member)


def _items(
    name: str,
    lines: Sequence[str],
    headers: Sequence[Header],
    orders: dict[tuple[str, str, int], Order],
    settings: Settings,
) -> Iterator[SourceItem]:
    yield from _doubts(orders)
    spoken = _spoken_authors(headers)
    found = list(_grouped(lines, headers, orders, settings.zone, spoken))
    typed = frozenset(line.author for line in found if not line.marked)
    title = _title(name, found, typed, settings)
    me = frozenset(fold(own) for own in settings.me)
    # The export of a chat between two is named after the other one; one of a group after the group.
    people = typed - {""}
    direct = (title in typed or title == _pair(people)) and len(people) <= 2
    for line in found:
        yield _message(line, title=title, typed=typed, me=me, direct=direct)


def _doubts(orders: dict[tuple[str, str, int], Order]) -> Iterator[Warn]:
    for order in dict.fromkeys(orders.values()):
        if order.instead:
            yield Warn(
                text=f"date order assumed: {ORDER_NAMES[order.order]} "
                f"(every date of the file fits {ORDER_NAMES[order.instead]} too)"
            )


def _grouped(
    lines: Sequence[str],
    headers: Sequence[Header],
    orders: dict[tuple[str, str, int], Order],
    zone: ZoneInfo,
    spoken: frozenset[str],
) -> Iterator[_Line]:
    """Headers with a valid date, each with its text; other lines continue the message above them."""
    starts = [(h, at) for h in headers if (at := local_time(h, orders)) is not None]
    last: datetime | None = None
    if any(line.strip() for line in lines[: starts[0][0].line]):
        above = _trimmed("\n".join(lines[: starts[0][0].line]))
        yield _Line(at=to_utc(starts[0][1], zone, None), author="", text=above, marked=False)
    for i, (header, local) in enumerate(starts):
        end = starts[i + 1][0].line if i + 1 < len(starts) else len(lines)
        last = to_utc(local, zone, last)
        author, rest = _split_author(header.rest, spoken)
        text = "\n".join([rest, *lines[header.line + 1 : end]])
        marked = rest.lstrip().startswith("\u200e")
        yield _Line(at=last, author=author, text=_trimmed(text), marked=marked)


def _trimmed(text: str) -> str:
    """Without blank lines around it; inner blank lines stay."""
    return re.sub(r"^(?:[ \t\u00a0]*\n)+", "", text).rstrip()


def _split_author(rest: str, spoken: frozenset[str]) -> tuple[str, str]:
    """Author and text of what follows a header; author "" for a system line.

    `spoken` holds authors proven elsewhere: they settle the lines where the colon alone does not.
    """
    before, colon, after = rest.partition(": ")
    if not colon and rest.rstrip().endswith(":"):
        before, colon, after = rest.rstrip()[:-1], ":", ""
    if not colon:
        tight, tight_colon, tight_after = rest.partition(":")
        if tight_colon and _clean_author(tight) in spoken:
            before, colon, after = tight, ":", tight_after
    author = _clean_author(before)
    if not colon or not author or len(author) > _MAX_AUTHOR or _is_sentence(author, spoken):
        return "", rest
    return author, after


def _is_sentence(author: str, spoken: frozenset[str]) -> bool:
    """True when what stands before the colon is a system line that quotes a name with a colon in it."""
    if not any(q in author for q in _QUOTES) or author in spoken:
        return False
    words = author.split(" ")
    return bool(SYSTEM.search(author)) or any(" ".join(words[:n]) in spoken for n in range(1, min(len(words), 8)))


def _spoken_authors(headers: Sequence[Header]) -> frozenset[str]:
    """Names that stand before a colon in a line that can only be a person's."""
    before = (h.rest.partition(": ")[0] for h in headers if ": " in h.rest)
    return frozenset(a for b in before if (a := _clean_author(b)) and not any(q in a for q in _QUOTES))


def _clean_author(text: str) -> str:
    """Without marks and the tilde of people who are no contacts; every blank is a plain one."""
    name = " ".join(_MARK.sub("", text).split())
    return name[1:].strip() if name.startswith(("~", "～")) and len(name) > 1 else name


def _message(line: _Line, *, title: str, typed: frozenset[str], me: frozenset[str], direct: bool) -> SourceMessage:
    text = _LEADING_MARKS.sub("", line.text)
    system, text = _as_system(line, text, title, typed)
    edited = None if system or ">" not in text[-8:] else EDITED.search(text)
    if edited:
        text = text[: edited.start()]
    text, attachments = (text, ()) if system else _with_attachments(text)
    author = "" if system else line.author
    cues = {cue for cue, holds in _facts(author, text, me, bool(edited)) if holds}
    cues |= {"dm"} if direct and author else set()
    return SourceMessage(
        message=Message(sent_at=line.at, author=author, text=text),
        source_id=f"whatsapp:{title}",
        tree_scope=f"whatsapp:{title}",
        title=title,
        provider="whatsapp",
        system=system,
        attachments=attachments,
        cues=frozenset(cues),
    )


def _facts(author: str, text: str, me: frozenset[str], edited: bool) -> Iterator[tuple[str, bool]]:
    yield "edited", edited
    yield "sent", bool(author) and fold(author) in me
    yield "mention", "@" in text and any(_names(own, fold(text)) for own in me)


def _names(own: str, folded: str) -> bool:
    """True when the text holds @own as a whole name; phone numbers stand there without blanks and plus."""
    bare = re.sub(r"[\s+()-]", "", own)
    forms = {own, bare} if bare.isdigit() else {own}
    return any(form and re.search(rf"@{re.escape(form)}(?!\w)", folded) for form in forms)


def _as_system(line: _Line, text: str, title: str, typed: frozenset[str]) -> tuple[bool, str]:
    """Whether a line is the platform's, and its text as it is kept ("" for the encryption notice)."""
    if not line.author:
        return True, "" if ENCRYPTED.search(text) else text
    if (line.marked or NOTICE_START.match(text)) and ENCRYPTED.search(text):
        return True, ""
    if not line.marked or not text or _posted(text):
        return False, text
    named = text.startswith(line.author)
    if named or SYSTEM.search(text) or line.author not in typed:
        return True, text if line.author in text or line.author == title else f"{line.author}: {text}"
    return False, text


def _posted(text: str) -> bool:
    return bool(POSTED.search(text) or ATTACHED_TAG.search(text) or ATTACHED_NOTE.search(text))


def _with_attachments(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with attachments named in a way no Markdown reader hides, and their names."""
    if not any(sign in text for sign in "<(\u2068"):
        return text, ()
    names: list[str] = []

    def named(match: re.Match[str]) -> str:
        name = _MARK.sub("", match[1]).strip()
        names.append(name)
        return f"(attached: {name})"

    for pattern in (ATTACHED_TAG, ATTACHED_NOTE, ATTACHED_NAME):
        text = pattern.sub(named, text)
    text = OMITTED_TAG.sub(r"(\1)", text)
    return _MENTION_MARKS.sub(r"@\1", text), tuple(names)


def _title(name: str, found: Sequence[_Line], typed: frozenset[str], settings: Settings) -> str:
    """The chat's name: from the file's name, its folder's, the notice an iPhone puts in the chat's own name."""
    parts = name.split("/")
    for part in reversed(parts):
        named = _named_chat(_stem(part))
        if named:
            return named
    stem = _MARK.sub("", _stem(parts[-1])).strip()
    if not _PLAIN_NAMES.search(stem):
        return stem
    if len(parts) > 1:
        return parts[-2]
    notice = next((line.author for line in found[:3] if line.author and ENCRYPTED.search(line.text)), "")
    me = {fold(own) for own in settings.me}
    people = [line.author for line in found if line.author in typed and line.author and fold(line.author) not in me]
    # The next export may begin with the other one's words: a chat of two is named after both.
    return notice or (_pair(people) if len(set(people)) == 2 else next(iter(people), "chat"))


def _pair(people: Iterable[str]) -> str:
    return ", ".join(sorted(set(people)))


def _stem(name: str) -> str:
    """The name without folders, a suffix, and the number a browser adds to a second download."""
    base = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name.rsplit("/", 1)[-1])
    return re.sub(r" ?\(\d{1,2}\)$", "", base)


def _named_chat(stem: str) -> str:
    """The chat in the name of an export, in the languages of whatsapp_words; "" for any other name."""
    bare = " ".join(_MARK.sub("", stem).split())
    for pattern in CHAT_NAMES:
        match = pattern.match(bare)
        if match:
            return match["name"].strip(" \"'“”„«»")
    return ""
