"""A ChatGPT export: `conversations.json`, the archive that holds it, or one conversation as JSON.

Only what a person saw is read: their words and the answers on the path shown last. System prompts, hidden context,
tools' output and abandoned branches are left out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.chat.assistant import Owner, counted, of_members, posted
from vaultmem.sources.chat.chatgpt_text import attachments, markdown
from vaultmem.sources.chat.conversation_tree import Record, number, objects, shown_path, sub, text
from vaultmem.sources.text import decode

#: Newer exports cut the list into numbered files.
_MEMBER = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")
_NODE = re.compile(r'"mapping"\s*:\s*\{\s*"[^"]{1,100}"\s*:\s*\{\s*"(?:id|message|parent|children)"\s*:')
#: Characters in which the first conversation shows itself; where it does not, the whole JSON is read.
_HEAD = 20_000
#: Files of the archive that hold no conversation of their own.
_BESIDE = re.compile(r".*\.(?:json|html|txt)", re.IGNORECASE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HIDDEN = frozenset((
    "user_editable_context", "model_editable_context", "thoughts", "reasoning_recap", "system_error",
    "execution_output", "tether_browsing_display", "tether_quote", "computer_output", "app_pairing_content",
    "citable_code_output",
))  # fmt: skip
#: Who an assistant's message may speak to and still be content: everybody, the code it runs, the page it writes.
_HEARD = re.compile(r"all|python.*|canmore\.create_textdoc")


def is_export(found: str) -> bool:
    """True for text that begins like a list of conversations, or like one."""
    return found.lstrip("\ufeff \t\r\n").startswith(("[", "{")) and _NODE.search(found, 0, _HEAD) is not None


def is_conversation(item: object) -> bool:
    """True for a JSON value that is a conversation with its tree."""
    return isinstance(item, dict) and isinstance(item.get("mapping"), dict)


def members(archive: Archive) -> tuple[str, ...]:
    """The files of an archive that hold conversations, in order of their names; () when they are not ChatGPT's."""
    names = sorted(name for name in archive.names if _MEMBER.fullmatch(name))
    return tuple(names) if any(b'"mapping"' in archive.read(name) for name in names) else ()


def read_chatgpt(raw: RawFile, settings: Settings) -> Reading:
    """All conversations of an export. A broken one is warned of by its title; the others are read.

    Raises UnreadableSource when none can be read, SkippedSource for an export without conversations.
    """
    owner = Owner(name=settings.me[0] if settings.me else "user", modified_at=raw.modified_at)
    packed = raw.data[:2] == b"PK"
    items = _of_archive(Archive(raw.data), owner) if packed else _of_text(decode(raw.data[:]), raw.name, owner)
    return Reading(format="chatgpt", kind="chat", tz="UTC", zone_known=True, items=items)


def _of_archive(archive: Archive, owner: Owner) -> Iterator[SourceItem]:
    yield from of_members(members(archive), lambda name: _of_text(decode(archive.read(name)), name, owner))
    left = sum(1 for name in archive.names if not _BESIDE.fullmatch(name))
    if left:
        yield Warn(
            text=f"{left} uploaded or generated files of the archive were left out; their names stand in the text"
        )


def _of_text(found: str, name: str, owner: Owner) -> Iterator[SourceItem]:
    read = 0
    try:
        for item in objects(found):
            read += 1
            yield from _conversation(item, read, owner)
    except UnreadableSource as problem:
        if not read:
            raise
        yield Warn(text=f"{name}: {problem} after {read} conversations; these were read; export it again for the rest")
    if not read:
        raise SkippedSource(f"{name}: an export without conversations")


def _conversation(item: object, place: int, owner: Owner) -> Iterator[SourceItem]:
    if not isinstance(item, dict):
        yield Warn(text=f"conversation {place} is no conversation; left out")
        return
    path = shown_path(item)
    seen = [(node, message) for node, message in path.messages if _is_shown(message)]
    bodies = [markdown(message, assistant=_role(message) == "assistant") for _, message in seen]
    times = _times([message for _, message in seen], item, owner.modified_at)
    title = _title(item, bodies, place)
    source = _source_id(item, seen)
    said = sum(1 for body in bodies if body)
    if path.problem:
        yield Warn(text=f"conversation '{title}' is broken: {path.problem}; {said} of its messages were read")
    elif not said:
        yield Warn(text=f"conversation '{title}' holds no message that is shown; nothing to import from it")
    if not said:
        yield counted(source, title, _conversation_time(item) or owner.modified_at)
    for (node, message), at, body in zip(seen, times, bodies, strict=True):
        if body:
            yield _post(message, node, at, body, source=source, title=title, owner=owner)


def _post(
    message: Record, node: str, at: datetime, body: str, *, source: str, title: str, owner: Owner
) -> SourceMessage:
    return posted(
        own_id=node,
        at=at,
        body=body,
        source=source,
        title=title,
        asker=owner.name if _role(message) == "user" else None,
        attachments=attachments(message),
        changed_at=_moment(number(message, "update_time")) if number(message, "create_time") else None,
    )


def _role(message: Record) -> str:
    return text(sub(message, "author"), "role")


def _is_shown(message: Record) -> bool:
    """What a person typed or was answered; not the context, the tools and the thoughts around it."""
    metadata = sub(message, "metadata")
    if metadata.get("is_visually_hidden_from_conversation") is True or message.get("weight") == 0:
        return False
    if text(sub(message, "content"), "content_type") in _HIDDEN:
        return False
    if _role(message) == "user":
        return True
    return _role(message) == "assistant" and _HEARD.fullmatch(text(message, "recipient") or "all") is not None


def _title(item: Record, bodies: Sequence[str], place: int) -> str:
    """The conversation's title, else its first line, else its place in the file."""
    title = " ".join(text(item, "title").split())
    first = next((" ".join(line.split()) for body in bodies for line in body.split("\n") if line.strip()), "")
    return (title or first)[:120].strip() or f"Conversation {place}"


def _source_id(item: Record, seen: Sequence[tuple[str, Record]]) -> str:
    """By the conversation's own id; one without is known by its title, time and first message."""
    own = text(item, "conversation_id") or text(item, "id")
    if not own:
        first = seen[0][0] if seen else ""
        parts = [text(item, "title"), str(item.get("create_time")), first]
        own = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
    return f"chatgpt:{' '.join(own.split())}"


def _times(messages: Sequence[Record], item: Record, modified_at: datetime) -> list[datetime]:
    """Every message's time: its own, else the one before it, else the conversation's or the next, else the file's."""
    own = [_moment(number(message, "create_time")) for message in messages]
    after = next((at for at in own if at), None)
    start = _conversation_time(item)
    last = min(start, after) if start and after else start or after or modified_at
    found: list[datetime] = []
    for at in own:
        last = at or last
        found.append(last)
    return found


def _conversation_time(item: Record) -> datetime | None:
    return _moment(number(item, "create_time")) or _moment(number(item, "update_time"))


def _moment(seconds: float | None) -> datetime | None:
    """Aware UTC of seconds since 1970, to the microsecond; None for a number that is no time."""
    try:
        return _EPOCH + timedelta(microseconds=round(seconds * 1e6)) if seconds and seconds > 0 else None
    except OverflowError:
        return None
