"""Telegram: `result.json` of one chat, or of an account's whole export with `chats.list`; or the pages of a chat.

`date_unixtime` is the truth for time: `date` is local and repeats an hour when summer time ends. Only exports of before
2021 lack it; theirs is read in the vault's zone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.chat.conversation_tree import Record, sub, text
from vaultmem.sources.chat.json_parts import Owner, ident, instant, of_epoch, one_line, owner_of, records
from vaultmem.sources.chat.json_stream import Mark, Path, walk
from vaultmem.sources.chat.local_time import to_utc
from vaultmem.sources.chat.telegram_page import entries_of_page, is_page, names_zones
from vaultmem.sources.chat.telegram_text import body, event, file_names
from vaultmem.sources.text import decode

_MESSAGES = re.compile(r'"messages"\s*:\s*\[')
_KIND = re.compile(r'"type"\s*:\s*"(?:message|service)"')
_DATE = re.compile(r'"date(?:_unixtime)?"\s*:\s*"')
_CHATS = re.compile(r'"(?:left_)?chats"\s*:\s*\{\s*(?:"about"\s*:\s*"[^"]{0,1000}"\s*,\s*)?"list"\s*:\s*\[')
_MEMBER = re.compile(r"(?:.*/)?result\.json")
_HEAD = 20_000
#: Where chats stand: the whole file, or the items of two lists.
_LISTS: tuple[Path, ...] = (("chats", "list", "[]"), ("left_chats", "list", "[]"))
_BASES: tuple[Path, ...] = ((), *_LISTS)
_INTO = frozenset(
    [base[:depth] for base in _BASES for depth in range(len(base) + 1)] + [(*base, "messages") for base in _BASES]
)
_GONE = "Deleted Account"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chat:
    """The chat whose messages are read."""

    id: str
    title: str
    direct: bool
    bot: bool
    owner: Owner
    zone: ZoneInfo
    #: ids of the events that opened a topic: what answers them merely stands in the topic
    topics: set[str] = field(default_factory=set)


def is_export(found: str) -> bool:
    """True for text that begins like a chat's export, or holds the list of chats of a whole one."""
    head = found[:_HEAD]
    if not head.lstrip("\ufeff \t\r\n").startswith("{"):
        return is_page(found)
    if _MESSAGES.search(head) and _KIND.search(head) and _DATE.search(head):
        return True
    return '"date_unixtime"' in found and _CHATS.search(found) is not None


def is_whole(item: object) -> bool:
    """True for a JSON value that is a chat's export, or an account's."""
    if not isinstance(item, dict):
        return False
    if isinstance(sub(item, "chats").get("list"), list):
        return True
    messages = records(item.get("messages"))
    return bool(messages) and all(text(m, "type") in ("message", "service") for m in messages[:20])


def member(archive: Archive) -> str | None:
    """The export in an archive, or None where it is something else."""
    for name in archive.names:
        if _MEMBER.fullmatch(name):
            try:
                return name if is_export(decode(archive.read(name))) else None
            except UnreadableSource:
                return None
    return None


def read_telegram(raw: RawFile, settings: Settings) -> Reading:
    """The messages of all chats in file order.

    Raises UnreadableSource where the JSON breaks before the first message, SkippedSource for an export without any.
    """
    found, name = decode(_json_of(raw)), raw.name
    if is_page(found):
        known, entries = names_zones(found), entries_of_page(found)
    else:
        known, entries = '"date_unixtime"' in found or '"date"' not in found, _entries(found)
    return Reading(
        format="telegram",
        kind="chat",
        tz="UTC" if known else f"none in file, assumed {settings.timezone}",
        zone_known=known,
        items=_items(entries, name, settings),
    )


def _json_of(raw: RawFile) -> bytes:
    if raw.data[:2] != b"PK":
        return raw.data[:]
    archive = Archive(raw.data)
    inside = member(archive)
    if inside is None:
        raise UnreadableSource("a ZIP archive without a Telegram export in it")
    return archive.read(inside)


def _items(entries: Iterable[tuple[Record, object]], name: str, settings: Settings) -> Iterator[SourceItem]:
    owner = owner_of(settings)
    chat: _Chat | None = None
    last: datetime | None = None
    of: object = None
    read = lost = 0
    problem = ""
    try:
        for head, value in entries:
            if chat is None or of is not head:
                owner = _with_account(owner, head)
                chat, of, last = _chat(head, name, owner, settings.zone), head, None
            read += 1
            item = _message(value, chat, last)
            lost += item is None
            if item is not None:
                last = item.message.sent_at
                yield item
    except UnreadableSource as error:
        if not read:
            raise
        problem = f"{name}: {error} after {read} messages; these were read; export it again for the rest"
    if not read:
        raise SkippedSource(f"{name}: a Telegram export without messages: nothing to import")
    if lost:
        yield Warn(text=f"{name}: {lost} entries without a time were left out")
    if problem:
        yield Warn(text=problem)


def _entries(found: str) -> Iterator[tuple[Record, object]]:
    """Each message with what the file says of its chat (one object per chat); messages above that wait for it.

    `personal_information`, which stands above all chats, is given along with each.
    """
    account: object = None
    heads: dict[Path, dict[str, object]] = {}
    waiting: list[object] = []
    problem: UnreadableSource | None = None
    try:
        for path, value in walk(found, _INTO):
            if value is Mark.OPEN and path in _BASES:
                heads[path] = {"account": account}
            elif value is Mark.CLOSE and path in _BASES:
                yield from ((heads[path], item) for item in waiting)
                waiting.clear()
            elif path[-2:] == ("messages", "[]"):
                head = heads[path[:-2]]
                if "name" in head or "id" in head:
                    yield head, value
                else:
                    waiting.append(value)
            elif not isinstance(value, Mark) and path[:-1] in heads:
                heads[path[:-1]][path[-1]] = value
                account = value if path == ("personal_information",) else account
    except UnreadableSource as error:
        problem = error
    head = heads[max(heads, key=len)] if heads else {}
    yield from ((head, item) for item in waiting)
    if problem:
        raise problem


def _with_account(owner: Owner, head: Record) -> Owner:
    """The owner as the export itself names the account it is of."""
    account = head.get("account")
    if not isinstance(account, dict) or not ident(account, "user_id"):
        return owner
    return replace(owner, names=owner.names | {fold(f"user{ident(account, 'user_id')}")})


def _chat(head: Record, name: str, owner: Owner, zone: ZoneInfo) -> _Chat:
    kind = text(head, "type")
    title = one_line(text(head, "name")) or ("Saved Messages" if kind == "saved_messages" else "")
    return _Chat(
        id=ident(head, "id"),
        title=title or ident(head, "id") or _of_file(name),
        direct=kind in ("personal_chat", "bot_chat"),
        bot=kind == "bot_chat",
        owner=owner,
        zone=zone,
    )


def _of_file(name: str) -> str:
    """What to call a chat that has neither name nor id: after its file, or that one's folder."""
    folder, _, base = name.rpartition("/")
    stem = base.rsplit(".", 1)[0]
    return (stem if stem != "result" else folder.rpartition("/")[2]) or "chat"


def _message(value: object, chat: _Chat, last: datetime | None) -> SourceMessage | None:
    """One message; None for an entry that is none, or has no time."""
    record = value if isinstance(value, dict) else {}
    at = _time(record, chat.zone, last)
    if at is None:
        return None
    system = text(record, "type") not in ("message", "")
    files = () if system else tuple(file_names(record))
    if text(record, "action") == "topic_created":
        chat.topics.add(ident(record, "id"))
    answered = ident(record, "reply_to_message_id")
    source = f"telegram:{chat.title}"
    return SourceMessage(
        message=Message(
            sent_at=at,
            author="" if system else one_line(text(record, "from")) or _GONE,
            text=event(record) if system else body(record, files),
        ),
        source_id=source,
        tree_scope=source,
        title=chat.title,
        provider="telegram",
        native_id=_native(chat, ident(record, "id")),
        reply_to=_native(chat, answered),
        edited_at=None if system else _edited(record, chat.zone),
        own_id=f"telegram:{chat.id}" if chat.id else "",
        system=system,
        attachments=files,
        cues=frozenset(cue for cue, holds in _cues(record, chat, system=system) if holds),
    )


def _native(chat: _Chat, number: str) -> str:
    """Groups count their messages each for itself: two of one name are told apart by the chat's id."""
    return f"{chat.id}/{number}" if number and chat.id else number


def _edited(record: Record, zone: ZoneInfo) -> datetime | None:
    """When the message was last changed; exports of before 2021 say so in local time only."""
    return _time({"date": record.get("edited"), "date_unixtime": record.get("edited_unixtime")}, zone, None)


def _time(record: Record, zone: ZoneInfo, last: datetime | None) -> datetime | None:
    seconds = ident(record, "date_unixtime")
    if re.fullmatch(r"\d{1,12}", seconds):
        return of_epoch(float(seconds))
    date = text(record, "date").strip()
    if not re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?", date):
        return instant(date)
    try:
        return to_utc(datetime.fromisoformat(date), zone, last)
    except (ValueError, OverflowError):
        return None


def _cues(record: Record, chat: _Chat, *, system: bool) -> Iterator[tuple[str, bool]]:
    sender = text(record, "from_id")
    by = (text(record, "from"), sender, sender.removeprefix("user"))
    yield "dm", chat.direct
    bot = chat.bot and not system and sender.removeprefix("user") == chat.id
    yield "bot", bot
    # A chat with a bot has two sides, and both are listed among those who speak.
    yield "member", bot
    yield "edited", bool(record.get("edited")) and not system
    answered = ident(record, "reply_to_message_id")
    yield "reply", bool(answered) and answered not in chat.topics and not system
    yield "sent", chat.owner.is_one_of(by) and not system
    yield "mention", chat.owner.is_one_of(_mentioned(record))


def _mentioned(record: Record) -> Iterator[str]:
    for key in ("text", "text_entities"):
        for part in records(record.get(key)):
            if text(part, "type") in ("mention", "mention_name"):
                yield from (text(part, "text"), ident(part, "user_id"))
