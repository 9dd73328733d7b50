"""winmail.dat: the packet in which Outlook hides a mail's text and files from every other program."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vaultmem.errors import UnreadableSource
from vaultmem.sources.mail.headers import tidy
from vaultmem.sources.text import decode

TNEF_TYPES = ("application/ms-tnef", "application/vnd.ms-tnef")
TNEF_NAMES = ("winmail.dat", "win.dat")
#: Bytes of a packet that are read: the library copies the rest of it at every part.
MAX_TNEF = 30_000_000
_MAX_LEVELS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """What a packet holds."""

    text: str
    html: str
    #: (name, content) of the files, those of mails in it too
    files: tuple[tuple[str, bytes], ...]


def unpack(data: bytes) -> Packet | None:
    """The packet's text and files; None for one that is broken, which stays in the original alone."""
    import tnefparse

    if len(data) > MAX_TNEF:
        return None
    try:
        return _packet(tnefparse.TNEF(data, do_checksum=False), _MAX_LEVELS)
    except Exception:  # noqa: BLE001 - the library trusts its bytes and fails in any way
        return None


def _packet(found: object, levels: int) -> Packet:
    files: list[tuple[str, bytes]] = []
    texts = [_text(getattr(found, "body", None))]
    for attachment in getattr(found, "attachments", ()):
        inner = getattr(attachment, "embed", None)
        if inner is not None and levels:
            packet = _packet(inner, levels - 1)
            files += packet.files
            texts.append(packet.text)
            continue
        named = re.split(r"[\\\\/]", _text(attachment.long_filename() or attachment.name))[-1]
        content = attachment.data
        if isinstance(content, bytes):
            files.append((tidy(named) or "unnamed", content))
    text = "\n\n".join(part.strip() for part in texts if part.strip())
    return Packet(text=text, html=_text(getattr(found, "htmlbody", None)), files=tuple(files))


def _text(value: object) -> str:
    """Text of what the library gives as text, bytes, or a list of either."""
    if isinstance(value, list | tuple):
        value = value[0] if value else ""
    if isinstance(value, bytes):
        try:
            return decode(value.rstrip(b"\0"))
        except UnreadableSource:
            return ""
    return value.rstrip("\0") if isinstance(value, str) else ""
