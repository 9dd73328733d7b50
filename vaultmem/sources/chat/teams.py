"""Microsoft Teams: chat messages as the Graph API gives them, in its own spelling or in PowerShell's.

A list of messages, the API's pages (`{"value": […]}`), or an object with `messages`; replies beside their message or in
its `replies`. The API gives the newest first; they are read in time order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.chat.conversation_tree import Record
from vaultmem.sources.chat.json_parts import Owner, ident, instant, of_epoch, one_line, owner_of, records
from vaultmem.sources.chat.json_stream import Mark, walk
from vaultmem.sources.chat.teams_text import body, event, field, file_names, part, quoted_ids, string
from vaultmem.sources.text import decode

_HEAD = 20_000
_SIGNS = tuple(
    re.compile(pattern)
    for pattern in (r'"[Mm]essageType"\s*:', r'"[Bb]ody"\s*:\s*(?:\{|null)', r'"[Cc]reatedDateTime"\s*:')
)
_LISTS = ("value", "messages", "Value", "Messages")
#: How PowerShell 5 writes a date: milliseconds since 1970.
_TICKS = re.compile(r"/Date\((\d{1,15})(?:[+-]\d{4})?\)/")
_DIRECT = "@unq.gbl.spaces"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What a message needs to know of the file around it."""

    #: names that stand beside the list, where the export has them
    head: Record
    #: what to call a conversation without any id
    fallback: str
    owner: Owner


def is_export(found: str) -> bool:
    """True for text that begins like a list of messages of Teams."""
    head = found[:_HEAD]
    return head.lstrip("\ufeff \t\r\n").startswith(("[", "{")) and all(sign.search(head) for sign in _SIGNS)


def is_whole(item: object) -> bool:
    """True for a JSON value that is a list of messages of Teams, or holds one."""
    return any(_is_message(found) for found in _flat(item, 0))


def read_teams(raw: RawFile, settings: Settings) -> Reading:
    """All messages in time order.

    Raises UnreadableSource where the JSON breaks before the first message, SkippedSource for an export without any.
    """
    items = _items(decode(raw.data[:]), raw.name, owner_of(settings))
    return Reading(format="teams", kind="chat", tz="UTC", zone_known=True, items=items)


def _items(found: str, name: str, owner: Owner) -> Iterator[SourceItem]:
    head: dict[str, object] = {}
    messages: list[Record] = []
    problem = ""
    try:
        for path, value in walk(found, {(), *((key,) for key in _LISTS)}):
            if path[-1:] == ("[]",):
                messages += _flat(value, 0)
            elif len(path) == 1 and not isinstance(value, Mark):
                head[path[0]] = value
    except UnreadableSource as error:
        if not messages:
            raise
        problem = f"{name}: {error} after {len(messages)} messages; these were read; export it again for the rest"
    # One message alone stands where the list would.
    messages = messages or ([head] if _is_message(head) else [])
    if not messages:
        raise SkippedSource(f"{name}: a Teams export without messages: nothing to import")
    stem = name.rpartition("/")[2].rsplit(".", 1)[0]
    scene = _Scene(head=head, fallback=one_line(stem) or "chat", owner=owner)
    read = [item for record in messages if (item := _message(record, scene))]
    yield from sorted(read, key=lambda item: item.message.sent_at or datetime.min.replace(tzinfo=UTC))
    if len(read) < len(messages):
        yield Warn(text=f"{name}: {len(messages) - len(read)} entries without a time were left out")
    if problem:
        yield Warn(text=problem)


def _flat(value: object, depth: int) -> list[Record]:
    """The messages in a value: itself, the items of a page, and the replies below each."""
    if depth > 4:
        return []
    if isinstance(value, list):
        return [found for item in value for found in _flat(item, depth + 1)]
    if not isinstance(value, dict):
        return []
    for key in _LISTS:
        if isinstance(value.get(key), list):
            return _flat(value[key], depth + 1)
    # A reply stands where the message above it stands, whether it says so or not.
    place = {key: value[key] for key in ("channelIdentity", "chatId") if value.get(key)}
    return [value, *({**place, **reply} for reply in _flat(field(value, "replies") or [], depth + 1))]


def _is_message(record: Record) -> bool:
    return (
        bool(string(record, "createdDateTime"))
        and isinstance(field(record, "body"), dict)
        and (bool(string(record, "messageType") or string(record, "chatId")) or bool(part(record, "channelIdentity")))
    )


def _message(record: Record, scene: _Scene) -> SourceMessage | None:
    """One message; None for an entry that is none, or has no time."""
    at = _time(field(record, "createdDateTime"))
    if at is None:
        return None
    deleted = bool(field(record, "deletedDateTime"))
    system = deleted or string(record, "messageType") not in ("message", "")
    author = _author(record)
    files = () if system else tuple(file_names(record))
    source, title = _place(record, scene)
    return SourceMessage(
        message=Message(
            sent_at=at,
            author="" if system else author,
            text=_notice(record, author, deleted=deleted) if system else body(record, files),
        ),
        source_id=source,
        tree_scope=source,
        title=title,
        provider="teams",
        native_id=_id(record, "id"),
        reply_to=_answered(record),
        edited_at=None if system else _time(field(record, "lastEditedDateTime")),
        own_id=_own_id(record, scene),
        system=system,
        attachments=files,
        cues=frozenset(cue for cue, holds in _cues(record, scene, system=system) if holds),
    )


def _id(record: Record, key: str) -> str:
    return ident({key: field(record, key)}, key)


def _time(value: object) -> datetime | None:
    ticks = _TICKS.fullmatch(value) if isinstance(value, str) else None
    return of_epoch(int(ticks[1]) / 1000) if ticks else instant(value)


def _place(record: Record, scene: _Scene) -> tuple[str, str]:
    """Source id and title of the conversation, by names where the export has them, else by ids."""
    channel = part(record, "channelIdentity")
    team = _named(scene.head, "teamName", "teamDisplayName") or one_line(string(channel, "teamId"))
    room = _named(scene.head, "channelName", "channelDisplayName") or one_line(string(channel, "channelId"))
    if room:
        return f"teams:{team or 'team'}/{room}", f"{team} / {room}" if team else room
    chat = one_line(string(record, "chatId")) or _named(scene.head, "chatId", "id") or scene.fallback
    return f"teams:{chat}", _named(scene.head, "topic", "chatName", "displayName") or chat


def _own_id(record: Record, scene: _Scene) -> str:
    """The channel's or the chat's id, which a new name leaves as it is."""
    own = one_line(string(part(record, "channelIdentity"), "channelId")) or one_line(string(record, "chatId"))
    own = own or _named(scene.head, "channelId", "chatId")
    return f"teams:{own}" if own else ""


def _named(head: Record, *keys: str) -> str:
    return next((name for key in keys if (name := one_line(string(head, key)))), "")


def _author(record: Record) -> str:
    sender = part(record, "from")
    for kind in ("user", "application", "device", "conversation"):
        name = one_line(string(part(sender, kind), "displayName"))
        if name:
            return name
    return next((found for kind in ("user", "application") if (found := _id(part(sender, kind), "id"))), "unknown")


def _notice(record: Record, author: str, *, deleted: bool) -> str:
    if not deleted:
        return "" if string(record, "messageType") == "typing" else event(record)
    return "message deleted" if author == "unknown" else f"{author}: message deleted"


def _answered(record: Record) -> str:
    return _id(record, "replyToId") or next(quoted_ids(record), "")


def _cues(record: Record, scene: _Scene, *, system: bool) -> Iterator[tuple[str, bool]]:
    sender = part(record, "from")
    user = part(sender, "user")
    bot = not user and bool(part(sender, "application")) and not system
    yield "dm", string(record, "chatId").endswith(_DIRECT) or string(scene.head, "chatType") == "oneOnOne"
    yield "bot", bot
    # An app of Teams posts under a name of its own: it is listed among those who speak.
    yield "member", bot
    yield "edited", bool(field(record, "lastEditedDateTime")) and not system
    yield "reply", bool(_answered(record)) and not system
    yield "priority_high", string(record, "importance").lower() in ("high", "urgent") and not system
    yield "sent", scene.owner.is_one_of(_known_as(user)) and not system
    yield "mention", scene.owner.is_one_of(_mentioned(record))


def _known_as(user: Record) -> tuple[str, ...]:
    return (string(user, "displayName"), _id(user, "id"), string(user, "userPrincipalName"), string(user, "email"))


def _mentioned(record: Record) -> Iterator[str]:
    for mention in records(field(record, "mentions")):
        yield string(mention, "mentionText")
        yield from _known_as(part(part(mention, "mentioned"), "user"))
