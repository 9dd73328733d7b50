"""The data package that Discord sends an account on request: what that account wrote, channel by channel.

messages/index.json             {"<channel id>": "general in Birds" | "Direct Message with mo#0", …}
messages/c31/channel.json       id, type, name, guild, recipients
messages/c31/messages.json      ID, Timestamp, Contents, Attachments; messages.csv in packages up to 2023
account/user.json               who asked
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Message, SourceItem, SourceMessage, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.chat.conversation_tree import Record, sub, text
from vaultmem.sources.chat.discord_text import Names, markdown
from vaultmem.sources.chat.json_parts import attached, ident, instant, joined, one_line, records
from vaultmem.sources.text import decode

#: A channel's file; folders are named in the account's language.
MESSAGES = re.compile(r"(?P<folder>(?:.*/)?c?(?P<id>\d+)/)messages\.(?:json|csv)")
_USER = re.compile(r"(?:[^/]*/){1,2}user\.json")
DIRECT = re.compile(r"Direct Message with (?P<name>.+?)(?:#\d{1,4})?")
IN = re.compile(r"(?P<name>.*) in (?P<server>.+)")
_DIRECT_KINDS = frozenset(("1", "3", "DM", "GROUP_DM"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """A channel of the package."""

    source_id: str
    own_id: str
    title: str
    direct: bool
    author: str


def looks_like_package(archive: Archive) -> bool:
    """True for an archive with a folder that holds a channel and the messages in it."""
    names = frozenset(archive.names)
    return any(f"{match['folder']}channel.json" in names for match in map(MESSAGES.fullmatch, names) if match)


def read_package(archive: Archive, settings: Settings) -> Iterator[SourceItem]:
    """All channels; one that cannot be read is warned of, the others are read. Raises SkippedSource without any."""
    found = {match["folder"]: (match["id"], name) for name in archive.names if (match := MESSAGES.fullmatch(name))}
    index = _index(archive, found)
    author = settings.me[0] if settings.me else _user(archive)
    said = False
    for folder, (channel_id, name) in found.items():
        try:
            room = room_of(_object(archive, f"{folder}channel.json"), channel_id, index, author)
            entries = entries_of(archive.read(name), name)
        except UnreadableSource as problem:
            yield Warn(text=f"{name}: {problem}; this channel is missing, the others were read")
            said = True
            continue
        for item in messages_of(entries, room, name):
            said = True
            yield item
    if not said:
        raise SkippedSource("a Discord data package without messages: nothing to import")


def _index(archive: Archive, folders: Mapping[str, object]) -> Record:
    """Channel id -> what the package calls it; empty where that is missing or broken."""
    roots = {folder.rstrip("/").rpartition("/")[0] for folder in folders}
    for root in sorted(roots):
        try:
            return _object(archive, f"{root}/index.json".lstrip("/"))
        except UnreadableSource:
            continue
    return {}


def _user(archive: Archive) -> str:
    """What the account calls itself."""
    for name in archive.names:
        if _USER.fullmatch(name):
            try:
                user = _object(archive, name)
            except UnreadableSource:
                continue
            named = text(user, "global_name") or text(user, "username")
            if named.strip():
                return one_line(named)
    return "me"


def _object(archive: Archive, name: str) -> Record:
    """The JSON object in a member; an empty one where it is absent or something else."""
    return object_of(archive.read(name)) if name in archive.names else {}


def object_of(data: bytes) -> Record:
    """The JSON object in a file; an empty one for another value. Raises UnreadableSource for broken JSON."""
    found = _json(data)
    return found if isinstance(found, dict) else {}


def _json(data: bytes) -> object:
    try:
        return json.loads(decode(data))
    except (ValueError, RecursionError) as error:
        raise UnreadableSource(f"the JSON is broken: {str(error)[:120]}") from None


def entries_of(data: bytes, name: str) -> list[Record]:
    """The entries of a channel's file, JSON or CSV by its name. Raises UnreadableSource."""
    if name.lower().endswith(".json"):
        return records(_json(data))
    lines = decode(data).split("\n")
    try:
        return [dict(row) for row in csv.DictReader(f"{line}\n" for line in lines)]
    except csv.Error as error:
        raise UnreadableSource(f"the table is broken: {error}") from None


def room_of(channel: Record, channel_id: str, index: Record, author: str) -> Room:
    """The channel, named like an export of the same channel names it: what both hold is then one conversation."""
    listed = one_line(text(index, channel_id))
    kind = ident(channel, "type")
    direct = DIRECT.fullmatch(listed)
    if direct or kind in _DIRECT_KINDS:
        name = direct["name"] if direct else one_line(text(channel, "name")) or listed or channel_id
        server = "Direct Messages"
    else:
        placed = IN.fullmatch(listed)
        name = one_line(text(channel, "name")) or (placed["name"] if placed else "") or channel_id
        server = one_line(text(sub(channel, "guild"), "name")) or (placed["server"] if placed else "") or "server"
    return Room(
        source_id=f"discord:{server}/{name}",
        own_id=f"discord:{channel_id}",
        title=f"{server} / {name}",
        direct=server == "Direct Messages",
        author=author,
    )


def messages_of(entries: list[Record], room: Room, name: str) -> Iterator[SourceItem]:
    """In time order: the package lists the newest first."""
    timed = [(at, entry) for entry in entries if (at := instant(entry.get("Timestamp")))]
    for at, entry in sorted(timed, key=lambda pair: pair[0]):
        yield _message(at, entry, room)
    if len(timed) < len(entries):
        yield Warn(text=f"{name}: {len(entries) - len(timed)} entries without a time were left out")


def _message(at: datetime, entry: Record, room: Room) -> SourceMessage:
    links = text(entry, "Attachments").split()
    files = tuple(name for link in links if (name := link.partition("?")[0].rpartition("/")[2]))
    said = markdown(text(entry, "Contents"), Names())
    return SourceMessage(
        message=Message(sent_at=at, author=room.author, text=joined([said, attached(files)])),
        source_id=room.source_id,
        tree_scope=room.source_id,
        title=room.title,
        provider="discord",
        native_id=ident(entry, "ID"),
        own_id=room.own_id,
        attachments=files,
        cues=frozenset({"sent", "dm"} if room.direct else {"sent"}),
    )
