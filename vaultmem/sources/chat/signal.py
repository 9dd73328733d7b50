"""Signal, as signal-export writes a chat: `chat.md` in a folder named after it, its `data.json`, older text forms.

Neither holds message ids nor a time zone. What may change between two exports of one message (who reacted) is left out,
so that a message is the same by its time, author and text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import Message, RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.chat.conversation_tree import Record, sub, text
from vaultmem.sources.chat.json_parts import attached, joined, one_line, owner_of, records
from vaultmem.sources.chat.local_time import to_utc
from vaultmem.sources.text import decode

_HEADER = re.compile(r"\[(?P<date>\d{4}-\d\d-\d\d),? (?P<time>\d\d:\d\d(?::\d\d)?)\] (?P<rest>.*)", re.DOTALL)
_OWN = "Me"
_NOBODY = "No-Sender"
_DELETED = "(This message was deleted)"
_CALL = re.compile(
    r"(?:(?:Incoming|Outgoing|Missed) (?:(?:voice|video|audio|group|adhoc) )*call(?: \([^()]{1,60}\))?)", re.IGNORECASE
)
_REACTIONS = re.compile(r"\n\(- .{1,5000} -\)\s*\Z")
_STICKER = re.compile(r"^\(\( ([^()\n]{0,200}) \)\)$", re.MULTILINE)
_MEDIA = re.compile(
    r"!?\[(?P<label>[^\[\]\n]{0,500})\]"
    r"\((?P<path>\.\.?/[^()\n]{1,1000}(?:\([^()\n]{0,500}\)[^()\n]{0,500})?)\)[ ]{0,2}"
)
_QUOTE = re.compile(r"(?:>[^\n]*\n)+(?=[^>\n])")
_PLAIN_NAMES = frozenset(("chat", "data", "index", "messages"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """One message as it is written, its time still local."""

    local: datetime
    author: str
    text: str


def begins_chat(found: str) -> bool:
    """True for text whose first line begins a message as signal-export writes it."""
    head = found[:5000].lstrip("\ufeff \t\n")
    return _header(head.split("\n", 1)[0]) is not None


def is_lines(found: str) -> bool:
    """True for signal-export's `data.json`: one JSON object a line."""
    head = found[:200_000].lstrip("\ufeff \t\n")
    if not head.startswith("{"):
        return False
    first = _object(head.split("\n", 1)[0])
    return {"date", "sender", "body"} <= first.keys() and "quote" in first


def read_signal(raw: RawFile, settings: Settings) -> Reading:
    """The messages of one chat in file order. Raises UnreadableSource where no line begins one."""
    found = decode(raw.data[:]).lstrip("\ufeff")
    lost = 0
    if is_lines(found):
        entries, lost = _of_json(found)
    else:
        entries = _of_text(found)
    if not entries:
        raise UnreadableSource("no line of this file begins a Signal message: export the chat again")
    return Reading(
        format="signal",
        kind="chat",
        tz=f"none in file, assumed {settings.timezone}",
        zone_known=False,
        items=_items(entries, lost, raw.name, settings),
    )


def _of_text(found: str) -> list[_Entry]:
    """Each header with the lines below it; text above the first belongs to nobody and is kept as the platform's."""
    entries: list[_Entry] = []
    block: list[str] = []
    above: list[str] = []
    start: tuple[datetime, str, str] | None = None
    for line in found.split("\n"):
        header = _header(line)
        if header is None:
            (block if start else above).append(line)
            continue
        if start:
            entries.append(_entry(start, block))
        start, block = header, []
    if start:
        entries.append(_entry(start, block))
    lost = "\n".join(above).strip()
    if lost and entries:
        entries.insert(0, _Entry(local=entries[0].local, author=_NOBODY, text=lost))
    return entries


def _entry(start: tuple[datetime, str, str], block: Sequence[str]) -> _Entry:
    local, author, rest = start
    return _Entry(local=local, author=author, text="\n".join([rest, *block]))


def _header(line: str) -> tuple[datetime, str, str] | None:
    """Time, author and the text after them; None for a line that begins no message."""
    match = _HEADER.fullmatch(line) if line.startswith("[") else None
    if match is None:
        return None
    author, colon, said = match["rest"].partition(": ")
    if not colon and match["rest"].rstrip().endswith(":"):
        author, colon = match["rest"].rstrip()[:-1], ":"
    local = _local(f"{match['date']}T{match['time']}")
    if local is None or not colon or not author.strip():
        return None
    return local, one_line(author), said


def _local(stamp: str) -> datetime | None:
    try:
        return datetime.fromisoformat(stamp).replace(tzinfo=None, microsecond=0)
    except ValueError:
        return None


def _object(line: str) -> Record:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _of_json(found: str) -> tuple[list[_Entry], int]:
    """The entries as `chat.md` beside it has them, and how many lines were none."""
    lines = [line for line in found.split("\n") if line.strip()]
    entries = [entry for line in lines if (entry := _of_object(_object(line)))]
    return entries, len(lines) - len(entries)


def _of_object(record: Record) -> _Entry | None:
    local = _local(text(record, "date"))
    if local is None:
        return None
    said = _DELETED if record.get("deleted") is True else text(record, "quote") + text(record, "body")
    label = one_line(text(record, "sticker") or text(sub(record, "sticker"), "emoji"))
    if label:
        said += f"\n(( {label} ))"
    for file in records(record.get("attachments")):
        said += f"[{text(file, 'name')}](./{text(file, 'path').removeprefix('./')})  "
    return _Entry(local=local, author=one_line(text(record, "sender")) or _NOBODY, text=said)


def _items(entries: Sequence[_Entry], lost: int, name: str, settings: Settings) -> Iterator[SourceItem]:
    owner = owner_of(settings)
    others = dict.fromkeys(
        e.author for e in entries if e.author not in (_OWN, _NOBODY) and not owner.is_one_of([e.author])
    )
    title = _title(name, tuple(others))
    last: datetime | None = None
    for entry in entries:
        last = to_utc(entry.local, settings.zone, last)
        own = entry.author == _OWN or owner.is_one_of([entry.author])
        cues = {"sent"} if own else set()
        # A chat with one person is named after that person.
        yield _message(entry, last, title=title, cues=cues | ({"dm"} if title in others else set()))
    if lost:
        yield Warn(text=f"{name}: {lost} lines that hold no message were left out")


def _title(name: str, others: Sequence[str]) -> str:
    """The chat's name: the folder's, else the file's, else the one who is spoken with."""
    folder, _, base = name.rpartition("/")
    stem = re.sub(r" ?\(\d{1,2}\)$", "", base.rsplit(".", 1)[0])
    if stem.casefold() not in _PLAIN_NAMES:
        return one_line(stem) or "chat"
    return one_line(folder.rpartition("/")[2]) or (others[0] if len(others) == 1 else "chat")


def _message(entry: _Entry, at: datetime, *, title: str, cues: set[str]) -> SourceMessage:
    said, files = _said(entry.text)
    system = entry.author == _NOBODY or said == _DELETED or _CALL.fullmatch(said) is not None
    if system:
        cues = cues - {"sent"}
        said = said if entry.author == _NOBODY else f"{entry.author}: {said}"
    elif said.startswith(">"):
        cues = cues | {"reply"}
    source = f"signal:{title}"
    return SourceMessage(
        message=Message(sent_at=at, author="" if system else entry.author, text=said),
        source_id=source,
        tree_scope=source,
        title=title,
        provider="signal",
        system=system,
        attachments=files,
        cues=frozenset(cues),
    )


def _said(written: str) -> tuple[str, tuple[str, ...]]:
    """The words without reactions and media marks, and the names of what is attached."""
    files: list[str] = []

    def taken(match: re.Match[str]) -> str:
        if match["path"].startswith("../"):
            return f"(sticker: {match['label']})" if match["label"] else "(sticker)"
        files.append(match["path"])
        return ""

    said = _REACTIONS.sub("", f"\n{written}".rstrip())
    said = _STICKER.sub(lambda match: f"(sticker: {match[1]})", _MEDIA.sub(taken, said))
    lines = [line.rstrip() for line in said.split("\n")]
    said = joined(["\n".join(lines), attached(files)]).strip()
    quote = _QUOTE.match(said)
    # Without a blank line below it, a quotation would take the answer in.
    return (f"{quote.group()}\n{said[quote.end() :]}" if quote else said), tuple(files)
