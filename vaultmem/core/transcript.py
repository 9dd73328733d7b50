"""The transcript that a coding agent keeps of a session (JSON lines, as Claude Code writes them) -> turns for memory.

A line is one message: `type`, `message.content` (text, or blocks of text, thinking, tool use and tool results), `uuid`,
`timestamp`. Lines of other kinds, side conversations and what the program itself put in are no turns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>\n?", re.DOTALL)
#: Texts that the program puts into a person's mouth.
_BY_PROGRAM = ("<command-", "<local-command", "<bash-", "[Request interrupted", "Caveat: The messages below")
#: A tool of ours, under whatever name the server was added.
_OURS = re.compile(r"^mcp__[^_].*?__memory_\w+$")

Block = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """What a session said."""

    #: role (user | assistant | tool), text, id and, where known, at
    turns: tuple[Mapping[str, str], ...]
    #: what memory's own tools answered in it
    told: tuple[str, ...]


def read_transcript(lines: Iterable[str]) -> Transcript:
    """Every turn in order; lines that cannot be read are passed over, for the last one may be half written."""
    turns: list[Mapping[str, str]] = []
    told: list[str] = []
    ours: set[str] = set()
    for row in _rows(lines):
        message = row.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else _blocks(content)
        for place, block in enumerate(blocks):
            kind = block.get("type")
            if kind == "tool_use":
                name, identity = str(block.get("name", "")), str(block.get("id", ""))
                if _OURS.match(name):
                    ours.add(identity)
                turns.append(_turn(row, "tool", name, identity or f"{row.get('uuid')}-{place}"))
            elif kind == "tool_result":
                if str(block.get("tool_use_id", "")) in ours:
                    told += [line for text in _texts(block.get("content")) for line in text.split("\n")]
            elif kind == "text" and (text := _said(str(block.get("text", "")), str(row["type"]))):
                turns.append(_turn(row, str(row["type"]), text, f"{row.get('uuid')}-{place}"))
    return Transcript(turns=tuple(turns), told=tuple(told))


def _rows(lines: Iterable[str]) -> Iterator[Mapping[str, object]]:
    for line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(row, dict) or row.get("type") not in ("user", "assistant"):
            continue
        if not (row.get("isMeta") or row.get("isSidechain") or row.get("isCompactSummary")):
            yield row


def _blocks(content: object) -> list[Block]:
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [str(block["text"]) for block in _blocks(content) if "text" in block]


def _said(text: str, role: str) -> str:
    text = _REMINDER.sub("", text).strip()
    return "" if role == "user" and text.startswith(_BY_PROGRAM) else text


def _turn(row: Mapping[str, object], role: str, text: str, identity: str) -> Mapping[str, str]:
    at = row.get("timestamp")
    return {"role": role, "text": text, "id": identity, **({"at": at} if isinstance(at, str) else {})}
