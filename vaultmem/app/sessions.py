"""Turns of an agent's session on their way to the inbox: at once, or held until enough has come together."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from vaultmem.app.hits import iso
from vaultmem.core.ingest.redact import redact
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.sessions import TOKENS, TOOLS, TURNS, SessionMemoryState, echo_marks, read_state, without_recalled
from vaultmem.core.transcript import Transcript, read_transcript
from vaultmem.errors import BadQuery
from vaultmem.model import TokenCounter
from vaultmem.sources.chat.session import FORMAT

Turn = Mapping[str, object]
_MOST_TURNS = 5000
#: Identities of turns remembered for counting; the notes know them all.
_REMEMBERED = 5000
_KEPT = ("id", "at", "name")
_TOOL = "tool"
_OWNER_ROLES = ("user", "human")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStep:
    """What one call with turns comes to."""

    #: what is to be kept for the next call once the file is in the inbox
    keep: Mapping[str, object]
    #: the inbox file's JSON; "" while the turns are held
    text: str
    state: SessionMemoryState

    def to_dict(self) -> dict[str, object]:
        """How far the session has come, for the caller."""
        limits = {"tokens": TOKENS, "tools": TOOLS, "turns": TURNS}
        return {"held": not self.text, "since_written": dict(self.state.deltas), "written_at": limits}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """An agent's session as one call names it."""

    id: str
    title: str
    #: hold the turns until enough has come together
    waits: bool
    #: lines that memory told in this session
    told: Collection[str] = ()


def step(
    session: Session,
    turns: object,
    *,
    held: Mapping[str, object],
    pii: Collection[str],
    count: TokenCounter,
    now: datetime,
) -> SessionStep:
    """One call: what was held, with these turns. Raises BadQuery naming the turn that cannot be understood."""
    if not session.id.strip():
        raise BadQuery("session", session.id, "an id that stays the same for the whole session")
    told = echo_marks("\n".join(session.told))
    given = [_clean(turn, place, told, pii) for place, turn in enumerate(_listed(turns), start=1)]
    seen = dict.fromkeys(_texts(held.get("seen")))
    before = held.get("state")
    state = read_state(before if isinstance(before, dict) else {})
    waiting = dict(_named(_records(held.get("turns"))))
    for name, turn in _named(given):
        if name not in seen:
            state = _grown(state, turn, count)
        seen[name] = None
        waiting.setdefault(name, turn)
    kept = {"seen": list(seen)[-_REMEMBERED:], "session": session.id}
    if session.waits and not state.is_due:
        return SessionStep(
            keep={**kept, "state": state.to_dict(), "turns": list(waiting.values())}, text="", state=state
        )
    said = list(waiting.values())
    body = {"format": FORMAT, "session": session.id, "title": session.title, "at": iso(now), "turns": said}
    text = json.dumps(body, ensure_ascii=False) if said else ""
    return SessionStep(keep={**kept, "state": state.written().to_dict()}, text=text, state=state)


def last_turns(lines: Iterable[str]) -> Transcript:
    """A coding agent's transcript (JSON lines): of a very long one the last turns that one call may carry."""
    found = read_transcript(lines)
    return replace(found, turns=found.turns[-_MOST_TURNS:])


def _listed(turns: object) -> list[object]:
    """The turns as a list; agents send lists as JSON text too. Raises BadQuery."""
    if isinstance(turns, str):
        try:
            turns = json.loads(turns)
        except (ValueError, RecursionError):
            turns = None
    if not isinstance(turns, list) or len(turns) > _MOST_TURNS:
        raise BadQuery("turns", str(turns)[:40], f"a list of objects with role and text, {_MOST_TURNS} at most")
    return turns


def _clean(turn: object, place: int, told: Collection[str], pii: Collection[str]) -> dict[str, object]:
    """A turn without secrets and without what memory itself told. Raises BadQuery."""
    text = turn.get("text", turn.get("content")) if isinstance(turn, dict) else None
    role = turn.get("role") if isinstance(turn, dict) else None
    if not isinstance(turn, dict) or not isinstance(text, str) or not isinstance(role, str) or not role.strip():
        raise BadQuery(f"turns[{place}]", str(turn)[:40], "an object with role (user, assistant or tool) and text")
    clean = {"role": role.strip().casefold(), "text": redact(text, pii).text}
    if clean["role"] not in _OWNER_ROLES:
        clean["text"] = without_recalled(clean["text"], told, by_assistant=True)
    return {**clean, **{name: turn[name] for name in _KEPT if isinstance(turn.get(name), str | int)}}


def _grown(state: SessionMemoryState, turn: Turn, count: TokenCounter) -> SessionMemoryState:
    role, tokens = turn["role"], count(str(turn["text"]))
    return state.grown(tokens=tokens, tools=int(role == _TOOL), turns=int(role in _OWNER_ROLES))


def _named(turns: Iterable[dict[str, object]]) -> Iterator[tuple[str, dict[str, object]]]:
    """Each turn with its identity: of equal ones without id and time, the first, second … of these turns."""
    seen: Counter[str] = Counter()
    for turn in turns:
        name = _identity(turn)
        yield f"{name}-{seen[name]}", turn
        seen[name] += 1


def _identity(turn: Turn) -> str:
    names = ("id",) if turn.get("id") else ("role", "at", "text")
    parts = [str(turn.get(name, "")) for name in names]
    return sha256_hex("\0".join(parts).encode("utf-8", "surrogatepass"))[:16]


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _records(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
