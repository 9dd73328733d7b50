"""A session of an agent, as `memory_ingest` puts it into the inbox (format `vaultmem-session`).

    {"format": "vaultmem-session", "session": "…", "title": "…", "turns": [
        {"role": "user", "text": "…", "id": "…", "at": "2026-04-21T10:12:00Z", "name": "…"}, …]}

What tools said is not filed: it is a machine's, and often memory's own. A turn is known by its id, else by its time and
text, else by its text and how often that came before.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from vaultmem.config import Settings
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.sessions import without_recalled
from vaultmem.errors import UnreadableSource
from vaultmem.model import RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources.chat.assistant import counted, posted
from vaultmem.sources.chat.conversation_tree import Record, text
from vaultmem.sources.chat.json_parts import ident, instant, one_line, owner_of, records
from vaultmem.sources.chat.slack_export import whole
from vaultmem.sources.text import decode

FORMAT = "vaultmem-session"
SCOPE = "session:"
_HEAD = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*\"format\"\s*:\s*\"vaultmem-session\"")
_ASSISTANT = ("assistant", "agent", "model", "ai")
_OWNER = ("user", "human")


def begins_session(head: bytes) -> bool:
    """True for the first bytes of a session's file."""
    return _HEAD.match(head) is not None


def is_session(found: object) -> bool:
    """True for the JSON of one, in whatever order its keys stand."""
    return isinstance(found, dict) and found.get("format") == FORMAT


def source_of(session: str) -> str:
    """The source of a session: `session:<id>`."""
    return f"{SCOPE}{one_line(session)[:200]}"


def read_session(raw: RawFile, settings: Settings) -> Reading:
    """Its turns, tools left out. Raises UnreadableSource when it is no JSON, or names no session."""
    try:
        found = json.loads(decode(raw.data[:]).lstrip("\ufeff"))
    except (ValueError, RecursionError) as problem:
        raise UnreadableSource(f"a session that is no JSON: {str(problem)[:120]}") from None
    if not is_session(found) or not ident(found, "session"):
        raise UnreadableSource("a session without an id under 'session'")
    return Reading(
        format=FORMAT, kind="chat", tz="UTC", zone_known=True, items=_turns(found, raw.modified_at, settings)
    )


def _turns(found: Record, dropped_at: datetime, settings: Settings) -> Iterator[SourceItem]:
    session = ident(found, "session")
    source = source_of(session)
    title = one_line(text(found, "title"))[:120] or f"Session {session[:60]}"
    last = instant(found.get("at")) or dropped_at
    seen: Counter[str] = Counter()
    said = tools = broken = 0
    for turn in records(found.get("turns")):
        role = text(turn, "role").casefold()
        body = whole(text(turn, "text") or text(turn, "content")).replace("\r\n", "\n").strip("\n")
        if role not in _ASSISTANT and role not in _OWNER:
            tools += bool(role)
            broken += not role
            continue
        kept = without_recalled(body, by_assistant=role in _ASSISTANT)
        at = instant(turn.get("at"))
        last = at or last
        if kept.strip():
            said += 1
            yield _turn(turn, role, kept, last, seen, source=source, title=title, settings=settings)
    if not said:
        yield counted(source, title, last)
    if tools:
        yield Warn(text=f"{tools} turns of tools were left out")
    if broken:
        yield Warn(text=f"{broken} turns without a role were left out")


def _turn(
    turn: Record, role: str, body: str, at: datetime, seen: Counter[str], *, source: str, title: str, settings: Settings
) -> SourceMessage:
    name = one_line(text(turn, "name"))[:120]
    own_id = ident(turn, "id")
    if not own_id:
        stamp = at.isoformat() if instant(turn.get("at")) else ""
        digest = sha256_hex("\0".join((role, stamp, body)).encode("utf-8", "surrogatepass"))[:24]
        own_id = f"{digest}-{seen[digest]}"
        seen[digest] += 1
    asker = None if role in _ASSISTANT else name or (settings.me[0] if settings.me else "user")
    message = posted(own_id=own_id, at=at, body=body, source=source, title=title, asker=asker, attachments=())
    is_guest = asker is not None and name and settings.me and not owner_of(settings).is_one_of([name])
    return replace(message, cues=frozenset()) if is_guest else message
