"""Slack exports: the ZIP of a workspace, or one day file of it -> messages, channel by channel, in time order.

`ts` is the truth for time, identity and order: day files are cut by the workspace's local date, and replies of later
days lie in later files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation

from vaultmem.config import Settings
from vaultmem.core.notes.ids import fold
from vaultmem.errors import UnreadableSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.chat.slack_export import (
    Channel,
    People,
    Record,
    channels_of,
    load,
    other_members,
    people_of,
    read_lists,
    records,
    sub,
    text,
    walk,
    whole,
)
from vaultmem.sources.chat.slack_folder import is_list, scene_of
from vaultmem.sources.chat.slack_text import (
    attachment_markdown,
    blocks_markdown,
    markdown,
    only_rich_text,
)

#: What the platform says: kept in the body, never counted as a message.
_SYSTEM = frozenset((
    "tombstone", "message_deleted", "pinned_item", "unpinned_item", "reminder_add", "huddle_thread", "bot_add",
    "bot_remove", "bot_enable", "bot_disable", "ekm_access_denied", "sh_room_created", "sh_room_shared",
    "app_conversation_join", "joiner_notification", "joiner_notification_for_inviter", "assistant_app_thread",
))  # fmt: skip
#: channel_join, group_topic, … : events of the room.
_SYSTEM_START = ("channel_", "group_", "mpim_", "im_")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scene:
    """What a message needs to know of the export around it."""

    channel: Channel
    people: People
    #: the owner's user ids
    me: frozenset[str]
    #: the owner's names, folded, for authors without an id
    own: frozenset[str]


def read_slack(raw: RawFile, settings: Settings) -> Reading:
    """The messages of an export. Raises UnreadableSource for a broken archive; broken day files are warned of."""
    packed = raw.data[:2] == b"PK"
    items = _of_archive(Archive(raw.data), settings) if packed else _of_day(raw, settings)
    return Reading(format="slack", kind="chat", tz="UTC", zone_known=True, items=items)


def _of_archive(archive: Archive, settings: Settings) -> Iterator[SourceItem]:
    lists, wrong = read_lists(archive)
    for problem in wrong:
        yield Warn(text=problem)
    everywhere = [c for name in ("channels.json", "groups.json") for c in lists.get(name, ())]
    people = people_of(lists.get("users.json", ()), everywhere)
    channels = channels_of(archive, lists, people)
    for channel in channels:
        found, problems = _days(archive, channel)
        for problem in problems:
            yield Warn(text=problem)
        yield from _messages(found, _scene(channel, _with_profiles(people, found), settings))
    left = other_members(archive, channels)
    if left:
        yield Warn(text=f"{left} other files of the archive were left out: canvases, uploads and logs are not imported")


def _of_day(raw: RawFile, settings: Settings) -> Iterator[SourceItem]:
    if is_list(raw):
        yield Warn(text="a list of a Slack export: read along with the days in the folders beside it")
        return
    found = records(load(raw.data[:], raw.name))
    channel, people, wrong = scene_of(raw)
    for problem in wrong:
        yield Warn(text=problem)
    yield from _messages(found, _scene(channel, _with_profiles(people, found), settings))


def _days(archive: Archive, channel: Channel) -> tuple[list[Record], list[str]]:
    """All records of a channel, and what was wrong with the days that could not be read."""
    found: list[Record] = []
    wrong: list[str] = []
    for day in channel.days:
        try:
            content = load(archive.read(day), day)
        except UnreadableSource as error:
            wrong.append(f"{error}; this day is missing, the others were read")
            continue
        if not isinstance(content, list):
            wrong.append(f"{day}: no list of messages; left out")
        found += records(content)
    return found, wrong


def _with_profiles(people: People, found: Iterable[Record]) -> People:
    """Names of guests and of lone day files stand only in the messages themselves."""
    names: dict[str, str] = {}
    for record in found:
        profile, user = sub(record, "user_profile"), text(record, "user")
        name = text(profile, "display_name") or text(profile, "real_name") or text(profile, "name")
        if user and name:
            names.setdefault(user, name)
    return replace(people, names={**names, **people.names})


def _scene(channel: Channel, people: People, settings: Settings) -> _Scene:
    own = frozenset(fold(name).lstrip("@") for name in settings.me)
    known = {**{user: frozenset((name,)) for user, name in people.names.items()}, **people.known_as}
    me = frozenset(user for user, names in known.items() if user in settings.me or any(fold(n) in own for n in names))
    return _Scene(channel=channel, people=people, me=me, own=own)


def _messages(found: Sequence[Record], scene: _Scene) -> Iterator[SourceItem]:
    """Each `ts` once, in time order."""
    by_time: dict[str, tuple[datetime, Record]] = {}
    lost = 0
    for given in found:
        record = _latest(given)
        stamp = _stamp(record)
        at = _time(stamp)
        if at is None:
            lost += 1
        elif stamp not in by_time or _weight(record) > _weight(by_time[stamp][1]):
            by_time[stamp] = (at, record)
    for stamp, (at, record) in sorted(by_time.items(), key=lambda item: Decimal(item[0])):
        yield _message(record, stamp, at, scene)
    if lost:
        yield Warn(text=f"{scene.channel.name}: {lost} entries without a time were left out")


def _weight(record: Record) -> tuple[datetime, int]:
    """Of two records of one message the one edited last counts, else the one that says more."""
    return _edited(record) or _EPOCH, len(text(record, "text"))


def _edited(record: Record) -> datetime | None:
    """When its author last changed it."""
    edited = sub(record, "edited")
    return _time(_stamp(edited)) if edited else None


def _latest(record: Record) -> Record:
    """The message itself: some exports hold the event of its change instead."""
    if text(record, "subtype") in ("message_changed", "message_replied"):
        return sub(record, "message") or record
    return record


def _stamp(record: Record) -> str:
    stamp = record.get("ts")
    return f"{stamp:.6f}" if isinstance(stamp, float) else str(stamp)


def _time(stamp: str) -> datetime | None:
    """Aware UTC, to the microsecond: a float would round it."""
    try:
        micros = Decimal(stamp) * 1_000_000
        return _EPOCH + timedelta(microseconds=int(micros)) if len(stamp) < 30 and micros >= 0 else None
    except (InvalidOperation, OverflowError, ValueError):
        return None


def _message(record: Record, stamp: str, at: datetime, scene: _Scene) -> SourceMessage:
    system = _is_system(record)
    body = _system_text(record, scene.people) if system else _body(record, scene.people)
    thread = text(record, "thread_ts")
    author = "" if system else _author(record, scene.people)
    prefix = "slack:dm:" if scene.channel.direct else "slack:"
    source = f"{prefix}{whole(scene.channel.name)}"
    return SourceMessage(
        message=Message(sent_at=at, author=author, text=body),
        source_id=source,
        tree_scope=source,
        title=whole(scene.channel.name),
        provider="slack",
        native_id=stamp,
        reply_to=thread if thread != stamp else "",
        edited_at=None if system else _edited(record),
        own_id=f"slack:{scene.channel.id}" if scene.channel.id else "",
        system=system,
        attachments=tuple(_file_names(record)),
        cues=frozenset(cue for cue, holds in _cues(record, stamp, author, scene) if holds),
    )


def _is_system(record: Record) -> bool:
    subtype = text(record, "subtype")
    return subtype in _SYSTEM or (subtype.startswith(_SYSTEM_START))


def _is_bot(record: Record) -> bool:
    return text(record, "subtype") in ("bot_message", "slackbot_response") or bool(text(record, "bot_id"))


def _bot_name(record: Record) -> str:
    return text(record, "username") or text(sub(record, "bot_profile"), "name")


def _author(record: Record, people: People) -> str:
    user = text(record, "user") or text(sub(record, "comment"), "user")
    bot = _bot_name(record)
    name = (bot or people.names.get(user, "")) if _is_bot(record) else (people.names.get(user) or bot)
    found = " ".join((name or user or text(record, "bot_id") or "unknown").split())
    return found or "unknown"


def _cues(record: Record, stamp: str, author: str, scene: _Scene) -> Iterator[tuple[str, bool]]:
    thread = text(record, "thread_ts")
    by_me = text(record, "user") in scene.me or (bool(author) and fold(author) in scene.own)
    yield "reply", bool(thread) and thread != stamp
    yield "dm", scene.channel.direct
    yield "bot", _is_bot(record)
    # An integration posts without a name of its own: its posts are kept, and counted apart from what people said.
    yield "integration", _is_bot(record) and not _bot_name(record)
    yield "edited", bool(sub(record, "edited"))
    yield "sent", by_me and not _is_system(record)
    yield "mention", _mentions_me(record, scene)


def _mentions_me(record: Record, scene: _Scene) -> bool:
    said = text(record, "text")
    if any(f"<@{user}>" in said or f"<@{user}|" in said for user in scene.me):
        return True
    return any(
        text(item, "type") == "user" and text(item, "user_id") in scene.me for item in walk(record.get("blocks"))
    )


def _system_text(record: Record, people: People) -> str:
    """The event's own words, with the name of who did it where they leave it out."""
    said = markdown(text(record, "text"), people) or text(record, "subtype").replace("_", " ")
    who = people.names.get(text(record, "user"), "")
    deleted = text(record, "subtype") in ("tombstone", "message_deleted")
    return f"{who} {said}" if who and not deleted and who not in said else said


def _body(record: Record, people: People) -> str:
    """Text or blocks, then what is attached."""
    said = markdown(text(record, "text"), people)
    blocks = records(record.get("blocks"))
    if blocks and not (said and only_rich_text(blocks)):
        shown = blocks_markdown(blocks, people)
        # An app's text is the notification of its blocks; where it says more, both are kept.
        said = shown if not said or fold(said) in fold(shown) else f"{said}\n\n{shown}".strip()
    parts = [said, *_attached(record, people, said)]
    comment = sub(record, "comment") or sub(sub(record, "file"), "initial_comment")
    parts.append(markdown(text(comment, "comment"), people))
    parts += [_file_text(file) for file in _files(record)]
    return "\n\n".join(dict.fromkeys(part for part in parts if part))


def _attached(record: Record, people: People, said: str) -> Iterator[str]:
    """Attachments of bots and shares. The preview of a link someone posted is no one's words, and is left out."""
    for attachment in records(record.get("attachments")):
        shared = bool(attachment.get("is_share") or attachment.get("is_msg_unfurl"))
        preview = bool(text(attachment, "from_url") or text(attachment, "original_url")) and not shared
        if preview and said and not _is_bot(record):
            continue
        shown = attachment_markdown(attachment, people)
        yield "\n".join(f"> {line}" for line in shown.split("\n")) if shared and shown else shown


def _files(record: Record) -> list[Record]:
    return records(record.get("files")) or [f for f in (sub(record, "file"),) if f]


def _file_names(record: Record) -> Iterator[str]:
    for file in _files(record):
        name = text(file, "name") or text(file, "title") or text(file, "id")
        if name and text(file, "mode") != "tombstone":
            yield " ".join(name.split())


def _file_text(file: Record) -> str:
    """The line that names a file; the text of a snippet is content and stands below it."""
    name = next(_file_names({"files": [file]}), "")
    if not name:
        return "(file deleted)"
    title = " ".join(text(file, "title").split())
    if title and fold(title) not in fold(name.replace("_", " ")):
        name = f"{name}: {title}"
    preview = text(file, "preview") if text(file, "mode") in ("snippet", "post", "email") else ""
    fence = "`" * max(3, _longest_ticks(preview) + 1)
    return f"(attached: {name})" + (f"\n\n{fence}\n{preview.rstrip()}\n{fence}" if preview.strip() else "")


def _longest_ticks(value: str) -> int:
    longest = run = 0
    for char in value:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return longest
