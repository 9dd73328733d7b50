"""Discord: a channel as DiscordChatExporter writes it to JSON, a partition of one, or a thread.

The partitions of a channel ("… [part 2].json") name the same server and channel, and so are one conversation; a message
is known by its own id in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.chat import discord_folder, discord_package
from vaultmem.sources.chat.conversation_tree import Record, sub, text
from vaultmem.sources.chat.discord_text import Names, extras, learn, markdown, poll
from vaultmem.sources.chat.json_parts import (
    Owner,
    attached,
    ident,
    in_time_order,
    instant,
    joined,
    one_line,
    owner_of,
    quoted,
    records,
)
from vaultmem.sources.chat.json_stream import Mark, walk
from vaultmem.sources.text import decode

_HEAD = re.compile(r'"guild"\s*:\s*\{')
_CHANNEL = re.compile(r'"channel"\s*:\s*\{')
#: Message types that somebody posted, by name and, where the exporter knows no name, by number.
_POSTS = frozenset((
    "", "Default", "Reply", "ChatInputCommand", "ApplicationCommand", "ContextMenuCommand", "ThreadStarterMessage",
    "0", "19", "20", "21", "23",
))  # fmt: skip
_STARTERS = frozenset(("ThreadStarterMessage", "21"))
_REPLIES = frozenset(("", "Default", "Reply", "0", "19"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """The channel whose messages are read."""

    source_id: str
    own_id: str
    title: str
    direct: bool
    owner: Owner
    names: Names = field(default_factory=Names)


def is_export(found: str) -> bool:
    """True for text that begins like an exported channel."""
    head = found[:20_000]
    return head.lstrip("\ufeff \t\r\n").startswith("{") and bool(_HEAD.search(head) and _CHANNEL.search(head))


def is_channel(item: object) -> bool:
    """True for a JSON value that is an exported channel."""
    return isinstance(item, dict) and {"guild", "channel", "messages"} <= item.keys()


def read_discord(raw: RawFile, settings: Settings) -> Reading:
    """The messages of a channel in file order, or those of an account's own data package.

    Raises UnreadableSource where the JSON breaks before the first message, SkippedSource for an empty channel.
    """
    if raw.data[:2] == b"PK":
        items = discord_package.read_package(Archive(raw.data), settings)
    elif discord_folder.is_part(raw):
        items = discord_folder.read_part(raw, settings)
    else:
        items = in_time_order(_of_text(decode(raw.data[:]), raw.name, owner_of(settings)))
    return Reading(format="discord", kind="chat", tz="UTC", zone_known=True, items=items)


def _of_text(found: str, name: str, owner: Owner) -> Iterator[SourceItem]:
    room: _Room | None = None
    read = lost = 0
    problem = ""
    try:
        for head, value in _entries(found):
            room = room or _room(head, owner)
            read += 1
            item = _message(value, room)
            lost += item is None
            if item is not None:
                yield item
    except UnreadableSource as error:
        if not read:
            raise
        problem = f"{name}: {error} after {read} messages; these were read; export it again for the rest"
    if not read:
        raise SkippedSource(f"{name}: a channel without messages: nothing to import")
    if lost:
        yield Warn(text=f"{name}: {lost} entries without a time were left out")
    if problem:
        yield Warn(text=problem)


def _entries(found: str) -> Iterator[tuple[Record, object]]:
    """Each message with what the file says of its channel; messages that stand before that wait for it."""
    head: dict[str, object] = {}
    waiting: list[object] = []
    problem: UnreadableSource | None = None
    try:
        for path, value in walk(found, {(), ("messages",)}):
            if path == ("messages", "[]"):
                if {"guild", "channel"} <= head.keys():
                    yield head, value
                else:
                    waiting.append(value)
            elif len(path) == 1 and not isinstance(value, Mark):
                head[path[0]] = value
    except UnreadableSource as error:
        problem = error
    for value in waiting:
        yield head, value
    if problem:
        raise problem


def _room(head: Record, owner: Owner) -> _Room:
    guild, channel = sub(head, "guild"), sub(head, "channel")
    kind = text(channel, "type")
    server = one_line(text(guild, "name")) or ident(guild, "id") or "server"
    name = one_line(text(channel, "name")) or ident(channel, "id") or "channel"
    parent = one_line(text(channel, "category"))
    # Threads of two channels may have one name: their channel tells them apart.
    place = f"{parent}/{name}" if "Thread" in kind and parent else name
    names = Names()
    if ident(channel, "id"):
        names.channels[ident(channel, "id")] = name
    return _Room(
        source_id=f"discord:{server}/{place}",
        own_id=f"discord:{ident(channel, 'id')}" if ident(channel, "id") else "",
        title=f"{server} / {name}",
        direct=kind.startswith("Direct"),
        owner=owner,
        names=names,
    )


def _message(value: object, room: _Room) -> SourceMessage | None:
    """One message; None for an entry that is none, or has no time."""
    record = value if isinstance(value, dict) else {}
    at = instant(record.get("timestamp"))
    if at is None:
        return None
    author = _author(sub(record, "author"))
    people = [sub(record, "author"), *records(record.get("mentions"))]
    learn(room.names, {ident(p, "id"): _author(p) for p in people}, _roles(people))
    system = _kind(record) not in _POSTS
    files = tuple(_files(record))
    return SourceMessage(
        message=Message(
            sent_at=at,
            author="" if system else author,
            text=_event(record, author, room) if system else _body(record, files, room),
        ),
        source_id=room.source_id,
        tree_scope=room.source_id,
        title=room.title,
        provider="discord",
        native_id=ident(record, "id"),
        reply_to=_answered(record),
        edited_at=None if system else instant(record.get("timestampEdited")),
        own_id=room.own_id,
        system=system,
        attachments=files,
        cues=frozenset(cue for cue, holds in _cues(record, room, system=system) if holds),
    )


def _kind(record: Record) -> str:
    return ident(record, "type")


def _author(user: Record) -> str:
    name = text(user, "nickname") or text(user, "name")
    return one_line(name) or ident(user, "id") or "unknown"


def _known_as(user: Record) -> tuple[str, ...]:
    return (text(user, "nickname"), text(user, "name"), ident(user, "id"))


def _roles(people: list[Record]) -> dict[str, str]:
    return {ident(role, "id"): one_line(text(role, "name")) for p in people for role in records(p.get("roles"))}


def _answered(record: Record) -> str:
    """Id of the message this one answers; a forwarded message is referred to as well, but not answered."""
    reference = sub(record, "reference")
    forwarded = text(reference, "type") == "Forward" or "forwardedMessage" in record
    return "" if forwarded or _kind(record) not in _REPLIES else ident(reference, "messageId")


def _cues(record: Record, room: _Room, *, system: bool) -> Iterator[tuple[str, bool]]:
    user = sub(record, "author")
    bot = user.get("isBot") is True
    yield "dm", room.direct
    yield "bot", bot and not system
    # A bot of Discord is a member with a name of its own: it is listed among those who speak.
    yield "member", bot and not system
    yield "edited", bool(record.get("timestampEdited")) and not system
    yield "reply", bool(_answered(record))
    yield "sent", room.owner.is_one_of(_known_as(user)) and not system
    named = [name for person in records(record.get("mentions")) for name in _known_as(person)]
    yield "mention", room.owner.is_one_of(named)


def _event(record: Record, author: str, room: _Room) -> str:
    """What the platform says, with the name of who did it."""
    said = markdown(text(record, "content"), room.names) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", _kind(record)).lower()
    return said if author in said else f"{author}: {said}"


def _body(record: Record, files: tuple[str, ...], room: _Room) -> str:
    """Text, what is forwarded or starts the thread, cards, files."""
    parts = [markdown(text(record, "content"), room.names), poll(record)]
    started = sub(record, "referencedMessage")
    if _kind(record) in _STARTERS and not parts[0]:
        parts.append(joined([markdown(text(started, "content"), room.names), *extras(started, room.names)]))
    forwarded = sub(record, "forwardedMessage")
    if forwarded:
        inner = joined([markdown(text(forwarded, "content"), room.names), *extras(forwarded, room.names)])
        parts.append("\n".join(["> (forwarded)", quoted(inner)]) if inner else "> (forwarded)")
    parts += [*extras(record, room.names), attached(files)]
    return joined(parts)


def _files(record: Record) -> Iterator[str]:
    """Names of attached files, those of the message it carries included."""
    carried = [sub(record, "forwardedMessage")]
    carried += [sub(record, "referencedMessage")] if _kind(record) in _STARTERS else []
    for file in records(record.get("attachments")) + [f for c in carried for f in records(c.get("attachments"))]:
        name = one_line(text(file, "fileName")) or text(file, "url").partition("?")[0].rpartition("/")[2]
        if name:
            yield name
