"""The tree of a ChatGPT conversation: every edit and second answer is a branch, one path is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vaultmem.errors import UnreadableSource

#: JSON objects as the export writes them; every value is checked where it is used.
Record = Mapping[str, object]

_SPACE = re.compile(r"[\s,\ufeff]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """The nodes of the shown path from the root down, as far as it could be walked."""

    #: (node id, message) of every node that has one
    messages: tuple[tuple[str, Record], ...]
    #: what is wrong with the tree; "" when it is whole
    problem: str = ""


def sub(record: Record, key: str) -> Record:
    """The object under the key, or an empty one."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def text(record: Record, key: str) -> str:
    """The text under the key, or ""."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def number(record: Record, key: str) -> float | None:
    """The number under the key, or None."""
    value = record.get(key)
    return (
        float(value) if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15 else None
    )


def objects(found: str) -> Iterator[object]:
    """The items of a JSON list one by one, or the one object. Raises UnreadableSource where the text breaks off."""
    decoder = json.JSONDecoder()
    at = _skipped(found, 0)
    listed = found.startswith("[", at)
    at = _skipped(found, at + 1) if listed else at
    while at < len(found) and not (listed and found.startswith("]", at)):
        try:
            item, at = decoder.raw_decode(found, at)
        except (ValueError, RecursionError) as error:
            raise UnreadableSource(f"the JSON is broken: {str(error)[:120]}") from None
        yield item
        at = _skipped(found, at)
        if not listed:
            return
    if at >= len(found):
        raise UnreadableSource("the JSON breaks off before its end")


def _skipped(found: str, at: int) -> int:
    match = _SPACE.match(found, at)
    return match.end() if match else at


def shown_path(conversation: Record) -> Path:
    """The path from the root to `current_node`, or to the newest leaf where that is missing."""
    nodes = conversation.get("mapping")
    if not isinstance(nodes, dict) or not nodes:
        return Path(messages=(), problem="it has no messages")
    at = text(conversation, "current_node")
    if at not in nodes:
        at = _newest_leaf(nodes)
    seen: dict[str, None] = {}
    found: list[tuple[str, Record]] = []
    problem = ""
    while at:
        node = nodes.get(at)
        if at in seen or not isinstance(node, dict):
            problem = "its messages run in a circle" if at in seen else "a message in the middle is missing"
            break
        seen[at] = None
        message = sub(node, "message")
        if message:
            found.append((at, message))
        at = text(node, "parent")
    return Path(messages=tuple(reversed(found)), problem=problem)


def _newest_leaf(nodes: Mapping[str, object]) -> str:
    """The leaf with the latest message; of equal ones the last in the file."""
    best, best_at = "", (-1.0, -1)
    parents = {text(node, "parent") for node in nodes.values() if isinstance(node, dict)}
    for order, (name, node) in enumerate(nodes.items()):
        if not isinstance(node, dict) or name in parents:
            continue
        at = (number(sub(node, "message"), "create_time") or 0.0, order)
        if at > best_at:
            best, best_at = name, at
    return best or next(iter(nodes))
