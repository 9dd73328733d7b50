"""Discord's data package dropped as a folder, or one channel of it: each file comes by itself.

package/messages/index.json             channel id -> name; read along, nothing of its own is imported
package/messages/c31/channel.json       the channel; read along
package/messages/c31/messages.json      what was written there; messages.csv in packages up to 2023
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import RawFile, SourceItem, Warn
from vaultmem.sources.chat.conversation_tree import Record
from vaultmem.sources.chat.discord_package import DIRECT, IN, MESSAGES, entries_of, messages_of, object_of, room_of
from vaultmem.sources.chat.json_parts import ident

#: How the messages of a channel begin, whatever the file is called.
_BEGINS = re.compile(
    rb'(?:\xef\xbb\xbf)?(?:ID,Timestamp,Contents,Attachments\s|\s*\[\s*\{\s*"ID"\s*:\s*"?\d+"?\s*,\s*"Timestamp"\s*:)'
)
#: The folder above has a name of the account's language.
_BESIDE = re.compile(r"(?:.*/)?(?:c?(?P<id>\d+)/channel|[^/]+/index)\.json")


def is_part(raw: RawFile) -> bool:
    """True for the messages of a channel, and for what names that channel."""
    if _BEGINS.match(raw.data[:500]):
        return True
    placed = MESSAGES.fullmatch(raw.name)
    return f"{placed['folder']}channel.json" in raw.siblings if placed else _is_beside(raw)


def read_part(raw: RawFile, settings: Settings) -> Iterator[SourceItem]:
    """The messages of one channel; of a list, that it was read along. Raises UnreadableSource."""
    if _is_beside(raw):
        yield Warn(text="a list of Discord's data package: read along with the messages beside it")
        return
    placed = MESSAGES.fullmatch(raw.name)
    folder = placed["folder"] if placed else ""
    stem = raw.name.rpartition("/")[2].rpartition(".")[0]
    channel = _beside(raw, f"{folder}channel.json") if placed else {}
    index = _beside(raw, f"{folder.rstrip('/').rpartition('/')[0]}/index.json".lstrip("/")) if placed else {}
    room = room_of(channel, placed["id"] if placed else stem, index, settings.me[0] if settings.me else "me")
    entries = entries_of(bytes(raw.data[:]), raw.name)
    if not entries:
        # Not skipped: the file would stay, and the list that tells what it is goes away.
        yield Warn(text="a channel of Discord in which this account wrote nothing")
    yield from messages_of(entries, room if placed else replace(room, own_id=""), raw.name)


def _is_beside(raw: RawFile) -> bool:
    """True for the file that names a channel, or all of them."""
    placed = _BESIDE.fullmatch(raw.name)
    if not placed:
        return False
    try:
        found = object_of(bytes(raw.data[:]))
    except UnreadableSource:
        return False
    if placed["id"]:
        return ident(found, "id") == placed["id"]
    names = [value for value in found.values() if isinstance(value, str)]
    return all(map(str.isdigit, found)) and any(IN.fullmatch(name) or DIRECT.fullmatch(name) for name in names)


def _beside(raw: RawFile, name: str) -> Record:
    """The JSON object of a file in the folders around; empty where there is none, or it is broken."""
    try:
        return object_of(bytes(raw.siblings[name][:]))
    except (KeyError, UnreadableSource):
        return {}
