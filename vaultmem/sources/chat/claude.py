"""A Claude export: `conversations.json`, the archive that holds it, one conversation, or a shared snapshot as JSON.

A conversation is a tree: every edit and second answer is a branch. The path to the leaf that was shown last is read.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.chat.assistant import Owner, counted, of_members, posted
from vaultmem.sources.chat.claude_text import attachments, markdown
from vaultmem.sources.chat.conversation_tree import Record, objects, text
from vaultmem.sources.text import decode

_MEMBER = re.compile(r"(?:.*/)?conversations(?:[-_]\d+)?\.json")
_BEGINS = re.compile(r'"(?:chat_messages)"\s*:\s*\[')
#: Characters in which the first conversation shows itself; where it does not, the whole JSON is read.
_HEAD = 20_000
#: Where a tree begins: the parent of the first message.
_ROOT = "00000000-0000-4000-8000-000000000000"
_NEVER = datetime.min.replace(tzinfo=UTC)
_ASKERS = ("human", "user")


def is_export(found: str) -> bool:
    """True for text that begins like a list of conversations, or like one."""
    return found.lstrip("\ufeff \t\r\n").startswith(("[", "{")) and _BEGINS.search(found, 0, _HEAD) is not None


def is_conversation(item: object) -> bool:
    """True for a JSON value that is a conversation with its messages, or an object that lists such."""
    if not isinstance(item, dict):
        return False
    listed = item.get("conversations")
    found = [item, *listed] if isinstance(listed, list) else [item]
    return any(isinstance(one, dict) and isinstance(one.get("chat_messages"), list) for one in found)


def members(archive: Archive) -> tuple[str, ...]:
    """The files of an archive that hold conversations; () when they are not Claude's."""
    names = sorted(name for name in archive.names if _MEMBER.fullmatch(name))
    return tuple(names) if any(b'"chat_messages"' in archive.read(name) for name in names) else ()


def read_claude(raw: RawFile, settings: Settings) -> Reading:
    """All conversations of an export. A broken one is warned of by its title; the others are read.

    Raises UnreadableSource when none can be read, SkippedSource for an export without conversations.
    """
    owner = Owner(name=settings.me[0] if settings.me else "human", modified_at=raw.modified_at)
    packed = raw.data[:2] == b"PK"
    items = _of_archive(Archive(raw.data), owner) if packed else _of_text(decode(raw.data[:]), raw.name, owner)
    return Reading(format="claude", kind="chat", tz="UTC", zone_known=True, items=items)


def _of_archive(archive: Archive, owner: Owner) -> Iterator[SourceItem]:
    held = members(archive)
    yield from of_members(held, lambda name: _of_text(decode(archive.read(name)), name, owner))
    left = [name for name in archive.names if name not in held and not name.endswith("users.json")]
    if left:
        yield Warn(text=f"{len(left)} other files of the archive were left out: {', '.join(left[:5])[:300]}")


def _of_text(found: str, name: str, owner: Owner) -> Iterator[SourceItem]:
    read = 0
    try:
        for item in _listed(found):
            read += 1
            yield from _conversation(item, read, owner)
    except UnreadableSource as problem:
        if not read:
            raise
        yield Warn(text=f"{name}: {problem} after {read} conversations; these were read; export it again for the rest")
    if not read:
        raise SkippedSource(f"{name}: an export without conversations")


def _listed(found: str) -> Iterator[object]:
    for item in objects(found):
        inner = item.get("conversations") if isinstance(item, dict) and "chat_messages" not in item else None
        yield from inner if isinstance(inner, list) else [item]


def _conversation(item: object, place: int, owner: Owner) -> Iterator[SourceItem]:
    if not isinstance(item, dict):
        yield Warn(text=f"conversation {place} is no conversation; left out")
        return
    listed = item.get("chat_messages")
    whole = [message for message in listed if isinstance(message, dict)] if isinstance(listed, list) else []
    path = _shown(whole, text(item, "current_leaf_message_uuid"))
    bodies = [markdown(message) for message in path]
    title = _title(item, bodies, place)
    source = _source_id(item, path)
    problem = _problem(listed, whole, bodies)
    if problem:
        yield Warn(text=f"conversation '{title}' {problem}")
    if not any(bodies):
        yield counted(source, title, _moment(item) or owner.modified_at)
    times = _times(path, item, owner.modified_at)
    twice: set[str] = set()
    for message, body, at in zip(path, bodies, times, strict=True):
        if body:
            own = text(message, "uuid")
            yield _post(message, "" if own in twice else own, body, at, source=source, title=title, owner=owner)
            twice.add(own)


def _problem(listed: object, whole: Sequence[Record], bodies: Sequence[str]) -> str:
    if not isinstance(listed, list):
        return "is broken: it has no list of messages; nothing was read of it"
    if not any(bodies):
        return "holds no message that is shown; nothing to import from it"
    broken = len(listed) - len(whole)
    return f"is broken: {broken} of its messages are none; the others were read" if broken else ""


def _post(
    message: Record, own_id: str, body: str, at: datetime, *, source: str, title: str, owner: Owner
) -> SourceMessage:
    return posted(
        own_id=own_id,
        at=at,
        body=body,
        source=source,
        title=title,
        asker=owner.name if (text(message, "sender") or text(message, "role")) in _ASKERS else None,
        attachments=attachments(message),
        changed_at=_moment({"updated_at": message.get("updated_at")}) if text(message, "created_at") else None,
    )


def _shown(messages: Sequence[Record], current: str) -> tuple[Record, ...]:
    """The path from the root to the leaf shown last, or the newest; all messages where none names its parent."""
    known = {text(message, "uuid"): place for place, message in reversed(list(enumerate(messages)))}
    if not any(text(message, "parent_message_uuid") for message in messages):
        return tuple(messages)
    parents = [_parent(place, message, known) for place, message in enumerate(messages)]
    children: dict[int, list[int]] = {}
    for place, parent in enumerate(parents):
        if parent is not None:
            children.setdefault(parent, []).append(place)
    ages: list[datetime] = []
    for place, parent in enumerate(parents):
        above = ages[parent] if parent is not None and parent < place else _NEVER
        ages.append(_moment(messages[place]) or above)

    def age(place: int) -> tuple[datetime, int]:
        return ages[place], place

    at: int | None = known.get(current)
    seen: set[int] = set()
    while at is not None and at in children and at not in seen:
        seen.add(at)
        at = max(children[at], key=age)
    if at is None:
        leaves = [place for place in range(len(messages)) if place not in children]
        at = max(leaves or range(len(messages)), key=age)
    found: dict[int, None] = {}
    while at is not None and at not in found:
        found[at] = None
        at = parents[at]
    return tuple(messages[place] for place in reversed(found))


def _parent(place: int, message: Record, known: Mapping[str, int]) -> int | None:
    """The parent's place; a message that names none follows the one above it, one whose parent is lost too."""
    named = text(message, "parent_message_uuid")
    if named == _ROOT or place == 0 or (named and known.get(named) == place):
        return None
    return known.get(named, place - 1)


def _title(item: Record, bodies: Sequence[str], place: int) -> str:
    """The conversation's name, else its first line, else its place in the file."""
    title = next(
        (" ".join(text(item, key).split()) for key in ("name", "snapshot_name", "title") if text(item, key)), ""
    )
    first = next((" ".join(line.split()) for body in bodies for line in body.split("\n") if line.strip()), "")
    return (title or first)[:120].strip() or f"Conversation {place}"


def _source_id(item: Record, path: Sequence[Record]) -> str:
    """By the conversation's own id; one without is known by its name, time and first message."""
    own = text(item, "conversation_uuid") or text(item, "uuid")
    if not own:
        first = text(path[0], "uuid") or text(path[0], "text")[:200] if path else ""
        parts = [text(item, "name"), text(item, "created_at"), first]
        own = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
    return f"claude:{' '.join(own.split())}"


def _times(messages: Sequence[Record], item: Record, modified_at: datetime) -> list[datetime]:
    """Every message's time: its own, else the one before it, else the conversation's or the next, else the file's."""
    own = [_moment(message) for message in messages]
    after = next((at for at in own if at), None)
    start = _moment(item)
    last = min(start, after) if start and after else start or after or modified_at
    found: list[datetime] = []
    for at in own:
        last = at or last
        found.append(last)
    return found


def _moment(record: Record) -> datetime | None:
    """Aware UTC of created_at or updated_at; None where neither is a time."""
    for key in ("created_at", "updated_at"):
        try:
            at = datetime.fromisoformat(text(record, key))
            return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None
