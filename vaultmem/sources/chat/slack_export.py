"""The layout of a Slack export: which file holds which channel, who the users are, what a day file is.

users.json channels.json groups.json dms.json mpims.json
general/2024-03-05.json      a day of a channel, by the workspace's local date (times are in `ts`)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vaultmem.errors import UnreadableSource
from vaultmem.sources.archive import Archive
from vaultmem.sources.text import decode

#: JSON objects as Slack writes them; every value is checked where it is used.
Record = Mapping[str, object]

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}[^/]*\.json")
_LISTS = ("channels.json", "groups.json", "mpims.json", "dms.json")
INDEXES = ("users.json", *_LISTS)
_TS = re.compile(r"\d{1,11}(?:\.\d{1,9})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One conversation of the export."""

    id: str
    #: what people call it; for direct messages the names of those in it
    name: str
    #: a direct message, of two or more
    direct: bool
    #: members of the archive that hold its days, in order of their names
    days: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """User id -> name, and what else a reader of messages must resolve."""

    #: id -> display name, else real name, else account name
    names: Mapping[str, str]
    #: id -> every name, address and account name, to find the owner by
    known_as: Mapping[str, frozenset[str]] = field(default_factory=dict)
    #: channel id -> name
    channels: Mapping[str, str] = field(default_factory=dict)

    def name(self, user: str) -> str:
        """The name of a user id, or the id where the export does not tell."""
        return self.names.get(user, user)


def looks_like_export(archive: Archive) -> bool:
    """True for the layout of a Slack export, also without its lists or one folder down."""
    root = _root(archive.names)
    names = {name[len(root) :] for name in archive.names if name.startswith(root)}
    days = [n for n in archive.names if is_day(n[len(root) :])]
    if not days:
        return "users.json" in names and "channels.json" in names
    if names & {"users.json", *_LISTS}:
        return True
    return any(looks_like_day(_try_load(archive, day)) for day in days[:3])


def looks_like_day(found: object) -> bool:
    """True for a day file's content: a list of objects with a `ts` and what a message has."""
    if not isinstance(found, list) or not found:
        return False
    good = sum(1 for item in found if isinstance(item, dict) and _is_message(item))
    return good * 10 >= len(found) * 9


def _is_message(item: Record) -> bool:
    return bool(_TS.fullmatch(str(item.get("ts", "")))) and (
        item.get("type") == "message" or bool({"user", "bot_id", "username", "subtype"} & set(item))
    )


def load(data: bytes, name: str) -> object:
    """The JSON of a file. Raises UnreadableSource with the file's name."""
    try:
        found: object = json.loads(decode(data))
    except (ValueError, RecursionError) as error:
        raise UnreadableSource(f"{name}: broken JSON: {str(error)[:120]}") from None
    return found


def records(found: object) -> list[Record]:
    """The objects of a list; anything else in it is no record."""
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def read_lists(archive: Archive) -> tuple[dict[str, list[Record]], list[str]]:
    """The index files by name, and what was wrong with those that could not be read."""
    root, lists, wrong = _root(archive.names), {}, []
    for name in INDEXES:
        if root + name in archive.names:
            try:
                lists[name] = records(load(archive.read(root + name), name))
            except UnreadableSource as error:
                wrong.append(f"{error}; read without it")
    return lists, wrong


def people_of(users: Iterable[Record], channels: Iterable[Record] = ()) -> People:
    """The users of users.json, with the names of the channels."""
    # The platform's own account stands in no list.
    names: dict[str, str] = {"USLACKBOT": "Slackbot"}
    known: dict[str, frozenset[str]] = {}
    for user in users:
        profile = sub(user, "profile")
        own = [
            text(profile, "display_name"), text(user, "real_name"), text(profile, "real_name"), text(user, "name"),
        ]  # fmt: skip
        best = next((n for n in own if n), "")
        if text(user, "id") and best:
            names[text(user, "id")] = best
            known[text(user, "id")] = frozenset(n for n in (*own, text(profile, "email")) if n)
    return People(names=names, known_as=known, channels={text(c, "id"): text(c, "name") for c in channels})


def channels_of(archive: Archive, lists: Mapping[str, Sequence[Record]], people: People) -> list[Channel]:
    """Every conversation with a folder in the archive, in the archive's order."""
    root = _root(archive.names)
    days: dict[str, list[str]] = {}
    for name in archive.names:
        if name.startswith(root) and is_day(name[len(root) :]):
            days.setdefault(name[len(root) :].rpartition("/")[0], []).append(name)
    found: list[Channel] = []
    taken: set[str] = set()
    for folder, files in days.items():
        found.append(channel_of(folder, tuple(sorted(files)), lists, people, taken))
        taken.add(found[-1].name)
    return found


def other_members(archive: Archive, channels: Sequence[Channel]) -> int:
    """How many files of the archive are neither lists nor days: canvases, uploads, logs."""
    root = _root(archive.names)
    used = {day for channel in channels for day in channel.days} | {root + name for name in INDEXES}
    return sum(1 for name in archive.names if name not in used)


def channel_of(
    folder: str, days: tuple[str, ...], lists: Mapping[str, Sequence[Record]], people: People, taken: set[str]
) -> Channel:
    """The conversation whose days lie in this folder, as the lists name it. `taken`: names given before."""
    for kind in _LISTS:
        for record in lists.get(kind, ()):
            if folder in (text(record, "name"), text(record, "id")):
                direct = kind in ("dms.json", "mpims.json")
                name = _members(record, people) if direct else text(record, "name")
                name = name or folder
                # Two people may share a display name; their conversations are two all the same.
                name = f"{name} ({text(record, 'id')})" if direct and name in taken else name
                return Channel(id=text(record, "id"), name=name, direct=direct, days=days)
    direct = bool(re.fullmatch(r"D[A-Z0-9]{7,}", folder)) or folder.startswith("mpdm-")
    return Channel(id="", name=folder, direct=direct, days=days)


def _members(record: Record, people: People) -> str:
    members = record.get("members")
    ids = [m for m in members if isinstance(m, str)] if isinstance(members, list) else []
    return ", ".join(sorted({people.name(member) for member in ids}))


def _root(names: Sequence[str]) -> str:
    """The folder the export lies in: "" or, where someone packed the unpacked folder, its name with a slash."""
    marks = [n for n in names if n.rsplit("/", 1)[-1] in INDEXES]
    shallow = min(marks, key=lambda n: n.count("/"), default="")
    if shallow:
        return shallow.rpartition("/")[0] + "/" if "/" in shallow else ""
    tops = {n.split("/", 1)[0] for n in names}
    return f"{next(iter(tops))}/" if len(tops) == 1 and all(n.count("/") >= 2 for n in names) else ""


def is_day(name: str) -> bool:
    """True for the path of a day file: a channel's folder, then a date."""
    folder, _, base = name.rpartition("/")
    return bool(folder) and _DAY.fullmatch(base) is not None


def _try_load(archive: Archive, name: str) -> object:
    try:
        return load(archive.read(name), name)
    except UnreadableSource:
        return None


def sub(record: Record, key: str) -> Record:
    """The object under a key, or an empty one."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def text(record: Record, key: str) -> str:
    """The text under a key, "" where there is none; halves of surrogate pairs that JSON can hold are replaced."""
    value = record.get(key)
    return whole(value) if isinstance(value, str) else ""


def whole(value: str) -> str:
    """Text that can be written as UTF-8."""
    if value.isascii():
        return value.replace("\0", "\ufffd")
    clean = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return clean.replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")


def walk(value: object) -> Iterator[Record]:
    """Every object inside a JSON value, itself included, without recursion."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack += item.values()
        elif isinstance(item, list):
            stack += item
