"""A Slack export dropped as a folder: each file comes by itself, and finds the lists of users and channels above it.

Export/users.json Export/channels.json      read along with the days; nothing of their own is imported
Export/general/2024-03-05.json              a day of a channel
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache

from vaultmem.core.ingest.inbox import SLACK_LISTS
from vaultmem.errors import UnreadableSource
from vaultmem.model import RawFile
from vaultmem.sources.chat.slack_export import (
    INDEXES,
    Channel,
    People,
    Record,
    channel_of,
    is_day,
    load,
    people_of,
    records,
)
from vaultmem.sources.text import decode

#: One of these stands in every user, channel or conversation of Slack's lists.
_MARKS = frozenset(("profile", "members", "creator", "team_id"))


def is_part(raw: RawFile) -> bool:
    """True for a list of an unpacked export, and for a day on which nobody wrote."""
    folder, _, base = raw.name.rpartition("/")
    if base in SLACK_LISTS:
        return _is_list(raw, folder, base)
    return is_day(raw.name) and raw.data[:64].strip() == b"[]" and _has_lists(raw, _above(folder), "")


def is_list(raw: RawFile) -> bool:
    """True for a file of an unpacked export that holds no messages."""
    return raw.name.rpartition("/")[2] in SLACK_LISTS


def scene_of(raw: RawFile) -> tuple[Channel, People, list[str]]:
    """The channel of a day file, the people of its export, and what was wrong with the lists."""
    folder = raw.name.rpartition("/")[0]
    lists: dict[str, list[Record]] = {}
    wrong: list[str] = []
    for name in INDEXES if folder else ():
        try:
            content = bytes(raw.siblings[_beside(_above(folder), name)][:])
        except KeyError:
            continue
        found, problem = _listed(content, name)
        lists[name] = list(found)
        wrong += [problem] if problem else []
    people = people_of(
        lists.get("users.json", ()), [c for name in ("channels.json", "groups.json") for c in lists.get(name, ())]
    )
    name = folder.rpartition("/")[2] or raw.name.removesuffix(".json")
    return channel_of(name, (raw.name,), lists, people, set()), people, wrong


@lru_cache(maxsize=8)
def _listed(content: bytes, name: str) -> tuple[Sequence[Record], str]:
    """The records of a list, and what is wrong with it; read once for all days of an export."""
    try:
        return records(load(content, name)), ""
    except UnreadableSource as error:
        return (), f"{error}; read without it"


def _is_list(raw: RawFile, folder: str, base: str) -> bool:
    content = bytes(raw.data[:])
    return (base in INDEXES and _marked(content)) or (_marked(content, lone=False) and _has_lists(raw, folder, base))


def _has_lists(raw: RawFile, folder: str, but: str) -> bool:
    """True when a list of users or channels lies in this folder."""
    names = (_beside(folder, name) for name in INDEXES if name != but)
    return any(_marked(bytes(raw.siblings[name][:])) for name in names if name in raw.siblings)


@lru_cache(maxsize=8)
def _marked(content: bytes, *, lone: bool = True) -> bool:
    """True for a JSON list of what Slack's lists hold; not `lone`: for any list."""
    try:
        found = json.loads(decode(content))
    except (ValueError, RecursionError, UnreadableSource):
        return False
    if not isinstance(found, list) or not lone:
        return isinstance(found, list)
    return bool(found) and all(isinstance(item, dict) and "id" in item and _MARKS & item.keys() for item in found)


def _above(folder: str) -> str:
    return folder.rpartition("/")[0]


def _beside(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
