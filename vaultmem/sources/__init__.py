"""PURE: bytes of a dropped file -> the messages or documents in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from itertools import chain

from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import RawFile, Reading, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.text import has_stray_nuls

Reader = Callable[[RawFile, Settings], Reading]

#: Format -> its reader, imported at its first use: a mail costs no one the start of a chat import.
READERS: Mapping[str, str] = {
    "whatsapp": "vaultmem.sources.chat.whatsapp:read_whatsapp",
    "slack": "vaultmem.sources.chat.slack:read_slack",
    "discord": "vaultmem.sources.chat.discord:read_discord",
    "telegram": "vaultmem.sources.chat.telegram:read_telegram",
    "teams": "vaultmem.sources.chat.teams:read_teams",
    "signal": "vaultmem.sources.chat.signal:read_signal",
    "chatgpt": "vaultmem.sources.chat.chatgpt:read_chatgpt",
    "claude": "vaultmem.sources.chat.claude:read_claude",
    "vaultmem-session": "vaultmem.sources.chat.session:read_session",
    "irc": "vaultmem.sources.chat.irc:read_irc",
    "transcript": "vaultmem.sources.chat.transcript:read_transcript",
    "zoom-chat": "vaultmem.sources.chat.zoom_chat:read_zoom_chat",
    "eml": "vaultmem.sources.mail.message:read_eml",
    "mbox": "vaultmem.sources.mail.mailbox:read_mbox",
    "md": "vaultmem.sources.document.markdown:read_markdown",
    "html": "vaultmem.sources.document.html:read_html",
    "txt": "vaultmem.sources.document.plain:read_text",
    "pdf": "vaultmem.sources.document.pdf:read_pdf",
    "docx": "vaultmem.sources.document.docx:read_docx",
    "pptx": "vaultmem.sources.document.office:read_pptx",
    "ppt": "vaultmem.sources.document.office:read_ppt",
    "odp": "vaultmem.sources.document.office:read_odp",
    "xlsx": "vaultmem.sources.document.office:read_xlsx",
    "xls": "vaultmem.sources.document.office:read_xls",
    "ods": "vaultmem.sources.document.office:read_ods",
    "odt": "vaultmem.sources.document.office:read_odt",
    "doc": "vaultmem.sources.document.office:read_doc",
    "rtf": "vaultmem.sources.document.office:read_rtf",
    "epub": "vaultmem.sources.document.office:read_epub",
    "image": "vaultmem.sources.document.picture:read_picture",
    "csv": "vaultmem.sources.document.csv_table:read_csv",
    "ics": "vaultmem.sources.document.ics:read_ics",
    "canvas": "vaultmem.sources.document.canvas:read_canvas",
    "excalidraw": "vaultmem.sources.document.canvas:read_excalidraw",
    "enex": "vaultmem.sources.document.enex:read_enex",
    "notion": "vaultmem.sources.document.notion:read_notion",
    "keep": "vaultmem.sources.document.keep:read_keep",
    "kindle": "vaultmem.sources.document.kindle:read_kindle",
    "apple-notes-html": "vaultmem.sources.document.apple_notes:read_apple_note",
    "mhtml": "vaultmem.sources.document.mhtml:read_mhtml",
    "textbundle": "vaultmem.sources.document.bundle:read_textbundle",
    "takeout": "vaultmem.sources.document.folder:read_takeout",
    "zip": "vaultmem.sources.document.folder:read_zip",
}

#: Formats that are one text as a whole, where a NUL byte is damage.
_TEXTS = frozenset(("whatsapp", "signal", "irc", "transcript", "zoom-chat", "md", "txt", "html", "csv", "ics"))


def detect(raw: RawFile, settings: Settings) -> str | None:  # noqa: ARG001  (the readers' signature)
    """The format of a file, or None for one that `read` refuses."""
    try:
        return _identify(raw)
    except (SkippedSource, UnreadableSource):
        return None


def read(raw: RawFile, settings: Settings) -> Reading:
    """The content of a file. Raises SkippedSource (empty) or UnreadableSource, each with the reason."""
    format_ = _identify(raw)
    reading = _reader(format_)(raw, settings)
    if format_ in _TEXTS and has_stray_nuls(raw.data[:]):
        return replace(reading, items=chain([Warn(text="NUL bytes between its letters were left out")], reading.items))
    return reading


def _identify(raw: RawFile) -> str:
    from vaultmem.sources.identify import identify  # of every pass but few find a dropped file

    return identify(raw)


#: What a person opens to look at it, as chat exports and mailboxes are not.
LOOKED_AT = frozenset((
    "pdf", "docx", "pptx", "xlsx", "odt", "ods", "odp", "doc", "xls", "ppt", "rtf", "epub", "image",
))  # fmt: skip


def unshown(raw: RawFile, format_: str) -> str:
    """Text of an office file or picture that stands in none of its items: deleted and hidden words, headers, addresses.

    It is looked through for secrets before the file itself is put where it is shown and synced.
    """
    if format_ not in LOOKED_AT or format_ == "pdf":
        return ""
    parts = import_module("vaultmem.sources.document.office_parts")
    if raw.data[:2] == b"PK":
        return "\n".join(parts.all_text(Archive(raw.data)))
    return str(parts.printable_runs(bytes(raw.data[:])))


def _reader(format_: str) -> Reader:
    module, _, function = READERS[format_].partition(":")
    reader: Reader = getattr(import_module(module), function)
    return reader
