"""What a dropped file is, by its content. Its name only settles what content cannot: Markdown or plain text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Bytes, RawFile
from vaultmem.sources.archive import Archive
from vaultmem.sources.chat import (
    chatgpt,
    claude,
    discord,
    discord_folder,
    discord_package,
    signal,
    slack_folder,
    teams,
    telegram,
)
from vaultmem.sources.chat.irc import is_irc
from vaultmem.sources.chat.session import FORMAT, begins_session, is_session
from vaultmem.sources.chat.slack_export import looks_like_day, looks_like_export
from vaultmem.sources.chat.transcript import is_transcript
from vaultmem.sources.chat.whatsapp import chat_member, is_chat, is_signal
from vaultmem.sources.chat.zoom_chat import is_zoom_chat
from vaultmem.sources.document import kinds
from vaultmem.sources.document.picture import picture_kind
from vaultmem.sources.document.recognise import format_by_head, format_by_text, format_of_archive, is_keep_note
from vaultmem.sources.text import decode, looks_binary

#: Bytes from which a format is told; only JSON and chats are read whole.
_HEAD = 65_536
_READ = (
    "vaultmem reads exports of chats, mails and notes, .md, .txt, .html, .pdf, .csv, .ics, .canvas, Excalidraw, "
    "Word, PowerPoint, Excel, OpenDocument, .rtf, .epub and pictures"
)

#: First bytes -> what the file is, for the reason it is set aside with.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"RIFF", "a sound or film"),
    (b"ID3", "an MP3 sound"),
    (b"OggS", "an Ogg sound"),
    (b"fLaC", "a FLAC sound"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"bplist00", "a property list"),
    (b"wOF", "a font"),
)
#: A file inside a ZIP -> what the ZIP is, and what to save instead.
_PACKED: tuple[tuple[str, str, str], ...] = (
    ("Index/Document.iwa", "an Apple Pages, Numbers or Keynote document", "export it as Word, Excel or PDF"),
    ("Index.zip", "an Apple Pages, Numbers or Keynote document", "export it as Word, Excel or PDF"),
    ("content.xml", "an OpenDocument drawing or formula", "export it as PDF"),
    ("AndroidManifest.xml", "an Android program", "there is nothing to remember in it"),
)
_MORK = b"// <!-- <mdb:mork:z"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
#: What the older container may hold that is not read -> what to do.
_CONTAINED = {
    "encrypted": "an Office document with a password: save a copy without one and drop that",
    "msg": "an Outlook message (.msg): save it as .eml, or drag it into another mail program first, and drop that",
    "": "an old Office file of unknown kind (Publisher, Visio, an installer): save it as PDF and drop that",
}
#: What text formats that are not read yet begin with.
_TEXTS: tuple[tuple[str, str], ...] = (
    (r"<\?xml", "an XML file"),
    (r"BEGIN:VCARD", "a contact card"),
)

#: How a page begins, whatever it is called: after an XML line and what browsers note when they save it.
_PAGE = re.compile(
    r"(?:<\?xml[^>]{0,500}>\s*)?(?:<!--(?:(?!-->).){0,8000}-->\s*)*(?:<!doctype\s+html|<html[\s>]|<head[\s>])",
    re.IGNORECASE | re.DOTALL,
)
#: What is called so is somebody's note, whatever stands in it: an export that is none of ours is one all the same.
_NOTE_NAMES = frozenset(("md", "markdown", "mdown", "mkd"))
_TEXT_NAMES = frozenset((*_NOTE_NAMES, "txt", "text", "log", "csv", "html", "htm", "eml", "json"))
_PAGE_NAMES = ("html", "htm", "xhtml")

#: Formats that are one JSON value, for those that do not show in its first lines.
_WHOLE: tuple[tuple[str, Callable[[object], bool]], ...] = (
    (FORMAT, is_session),
    ("slack", looks_like_day),
    ("discord", discord.is_channel),
    ("telegram", telegram.is_whole),
    ("teams", teams.is_whole),
    ("keep", is_keep_note),
)

#: What stands above a mail of Apple Mail: its length.
_COUNTED = re.compile(r"\A\d{1,10}[ \t]*\r?\n(?=[!-9;-~]{1,70}:)")
_MAIL_FIELD = re.compile(r"([!-9;-~]{1,70})[ \t]*:")
_MAIL_PROOF = frozenset((
    "message-id", "received", "return-path", "mime-version", "delivered-to", "dkim-signature", "content-type",
    "x-received", "x-original-to", "in-reply-to", "x-mailer", "content-transfer-encoding", "envelope-to", "arc-seal",
))  # fmt: skip
_MAIL_PARTS = frozenset(("from", "to", "cc", "subject", "date", "sender", "reply-to"))
_MBOX = re.compile(rb"\s*From [^\r\n]{1,500}\r?\n>?[!-9;-~]{1,70}[ \t]*:")
_MARKDOWN = re.compile(
    r"^(?:#{1,6} \S|[-*+] \[[ xX]\] |\|[^\n]*\|\s*$|```|~~~|> \[!)|\[\[[^\]\n]+\]\]|\]\(https?:|\*\*\S", re.MULTILINE
)


def identify(raw: RawFile) -> str:  # noqa: PLR0911 - one way out for each kind, the surest first
    """The format, one of `sources.READERS`.

    Raises SkippedSource for an empty file, UnreadableSource with what it looks like for any other.
    """
    head = raw.data[:_HEAD]
    if not head.strip(b" \t\r\n\v\f\0\xef\xbb\xbf\xff\xfe") and _blank(raw.data):
        raise SkippedSource("empty file: nothing to import" if not head else "empty file: only white space")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _packed(raw.data)
    if head.startswith(_MORK):
        raise SkippedSource("an index of Thunderbird (.msf): the mails are in the file of that name without .msf")
    told = _of_folder(raw) or (FORMAT if begins_session(head) else format_by_head(raw.name, head))
    if told:
        return told
    picture = picture_kind(head)
    if picture and _suffix(raw.name) in _TEXT_NAMES:
        raise UnreadableSource(f"a {picture} picture that is called .{_suffix(raw.name)}: give it its own ending")
    if picture:
        return "image"
    if head.startswith(_OLE):
        return _contained(raw.data)
    if head.startswith(b"{\\rtf"):
        return "rtf"
    if _MBOX.match(head):
        return _mail_or_mailbox(raw)
    if _is_mail(_COUNTED.sub("", head.decode("latin-1").removeprefix("\xef\xbb\xbf"))):
        # Before the binary test: a mail may carry raw binary parts.
        return "eml"
    if b"%PDF-" in head[:1024]:
        return "pdf"
    _refuse_binary(head)
    text = decode(raw.data[:])
    if not text.strip("\ufeff \t\n\r\v\f\u00a0\u3000\u200b"):
        raise SkippedSource("empty file: only white space")
    return _textual(raw.name, text)


def _of_folder(raw: RawFile) -> str:
    """The export that a file is a part of, where that was dropped unpacked; else ""."""
    if slack_folder.is_part(raw):
        return "slack"
    return "discord" if discord_folder.is_part(raw) else ""


def _contained(data: Bytes) -> str:
    found = kinds.format_of_container(data)
    if found in _CONTAINED:
        raise UnreadableSource(_CONTAINED[found])
    return found


def _mail_or_mailbox(raw: RawFile) -> str:
    """A file that starts with a mailbox's `From ` line: a mailbox, or one mail that was copied out of one."""
    if not raw.name.lower().endswith(".eml"):
        return "mbox"
    at = raw.data.find(b"\nFrom ", 0)
    while at >= 0:
        if raw.data[max(0, at - 2) : at].endswith((b"\n", b"\n\r")) and _MBOX.match(raw.data[at + 1 : at + 1000]):
            return "mbox"
        at = raw.data.find(b"\nFrom ", at + 1)
    return "eml"


def _blank(data: Bytes) -> bool:
    """True for white space to the end; NUL bytes are blank only as halves of UTF-16 letters."""
    body = data[:]
    return not body or (not looks_binary(body) and not decode(body).strip("\0\ufeff").strip())


def _packed(data: Bytes) -> str:
    archive = Archive(data)
    checks: tuple[tuple[str, Callable[[Archive], object]], ...] = (
        ("slack", looks_like_export),
        ("whatsapp", chat_member),
        ("chatgpt", chatgpt.members),
        ("claude", claude.members),
        ("discord", discord_package.looks_like_package),
        ("telegram", telegram.member),
        *kinds.OFFICE,
    )
    for format_, holds in checks:
        if holds(archive):
            return format_
    for inside, what, instead in _PACKED:
        if inside in archive.names:
            raise UnreadableSource(f"{what}: {instead}, and drop that")
    notes = format_of_archive(archive.names)
    if not notes:
        raise SkippedSource("an empty ZIP archive: nothing to import")
    return notes


def _refuse_binary(head: bytes) -> None:
    for magic, what in _MAGIC:
        if head.startswith(magic) and (len(magic) > 3 or looks_binary(head)):
            raise _not_yet(what)
    if head[4:8] == b"ftyp":
        raise _not_yet("a film or sound (MP4, MOV, M4A)")
    if looks_binary(head) and not _cut_utf16(head):
        raise UnreadableSource(f"a binary file of unknown kind: {_READ}")


def _cut_utf16(head: bytes) -> bool:
    return len(head) == _HEAD and not looks_binary(head[:-1] if len(head) % 2 else head[:-2])


def _textual(name: str, text: str) -> str:
    checks: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("irc", lambda found: is_irc(name, found)),
        ("transcript", lambda found: is_transcript(name, found)),
        ("zoom-chat", is_zoom_chat),
        ("whatsapp", is_chat),
        ("chatgpt", chatgpt.is_export),
        ("claude", claude.is_export),
        ("discord", discord.is_export),
        ("telegram", telegram.is_export),
        ("teams", teams.is_export),
        ("signal", signal.is_lines),
        ("html", lambda found: _is_page(name, found)),
    )
    if is_signal(text) or (name.lower().endswith("chat.md") and signal.begins_chat(text)):
        return "signal"
    told = format_by_text(text)
    if told:
        return told
    for format_, holds in checks:
        if holds(text):
            return format_
    listed = _json_format(name, text)
    if listed:
        return listed
    start = text[:2000].lstrip("\ufeff \t\n")
    for pattern, what in _TEXTS:
        if _suffix(name) not in _NOTE_NAMES and re.match(pattern, start, re.IGNORECASE):
            raise _not_yet(what)
    return kinds.text_format(name, text) or _prose(name, text)


def _is_page(name: str, text: str) -> bool:
    """An HTML page by its beginning; or by its name, where it begins with any tag."""
    if _PAGE.match(text[:20_000].lstrip("\ufeff \t\n")):
        return True
    return _suffix(name) in _PAGE_NAMES and re.match(r"\s*<[a-zA-Z!?]", text[:2000].lstrip("\ufeff")) is not None


def _json_format(name: str, text: str) -> str:
    """A format that is JSON, or ""; other JSON is refused here, with the name of what it looks like, unless its owner
    calls it a note.
    """
    start = text[:200].lstrip("\ufeff \t\n")
    if not start.startswith(("[", "{")):
        return ""
    try:
        found = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        if _mostly_json(text) and _suffix(name) not in _NOTE_NAMES:
            raise UnreadableSource(f"looks like JSON, but it is broken: {str(error)[:120]}; export it again") from None
        return ""
    for format_, holds in _WHOLE:
        if holds(found):
            return format_
    for format_, holds in (("chatgpt", chatgpt.is_conversation), ("claude", claude.is_conversation)):
        if any(map(holds, found if isinstance(found, list) else [found])):
            return format_
    drawn = kinds.json_format(found)
    if drawn:
        return drawn
    is_data = isinstance(found, dict) or (found and all(isinstance(item, dict | list) for item in found))
    if is_data and _suffix(name) not in _NOTE_NAMES:
        raise _not_yet("JSON of an unknown kind")
    return ""


def _mostly_json(text: str) -> bool:
    """True for text in which most of the first lines are JSON; a note may well begin with a bracket."""
    lines = [line.strip() for line in text[:20_000].split("\n") if line.strip()][:60]
    json_lines = sum(1 for line in lines if re.match(r'[\[{]\s*["{\[]|[\]}],?$|[\[{]$|"[^"]*"\s*[:,]', line))
    return json_lines * 10 >= len(lines) * 9 and re.search(r'"[^"\n]*"\s*:', text[:20_000]) is not None


def _is_mail(text: str) -> bool:
    """Header lines first, then a blank line; and among them one that only mail programs write, or a whole envelope."""
    names: set[str] = set()
    for number, line in enumerate(text.lstrip("\r\n").split("\n")):
        if not line.strip():
            break
        field = _MAIL_FIELD.match(line)
        if field:
            names.add(field[1].lower())
        elif number == 0 or not (line[0] in " \t" or names & _MAIL_PROOF):
            return False
    envelope = len(names & _MAIL_PARTS)
    proof = len(names & _MAIL_PROOF)
    return (proof >= 1 and envelope >= 1) or proof >= 2 or ("from" in names and envelope >= 3)


def _suffix(name: str) -> str:
    return name.rsplit("/", 1)[-1].rpartition(".")[2].lower()


def _prose(name: str, text: str) -> str:
    suffix = _suffix(name)
    if suffix in _NOTE_NAMES:
        return "md"
    if suffix in ("txt", "text", "log"):
        return "txt"
    head = text[:_HEAD].lstrip("\ufeff")
    if re.match(r"---[ \t]*\n(?:.*\n){0,200}?---[ \t]*(?:\n|$)", head) or _MARKDOWN.search(head):
        return "md"
    return "txt"


def _not_yet(what: str) -> UnreadableSource:
    return UnreadableSource(f"{what}: not supported yet; convert it to Markdown or plain text and drop that. {_READ}")
