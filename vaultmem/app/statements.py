"""Facts that the owner states in an agent's session, put where facts are kept; nothing an assistant or a tool says.

The salience gate stands before it, as in its design document: a turn that asserts nothing states nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vaultmem.app import facts as app_facts
from vaultmem.app.engine import Engine
from vaultmem.app.hits import iso
from vaultmem.core.ingest.salience import Turn, salient_turns
from vaultmem.core.ingest.statements import statements
from vaultmem.core.notes.factsnote import is_key
from vaultmem.errors import BadQuery, FactsTrouble
from vaultmem.facts import Change, NewFact
from vaultmem.model import SourceMessage

#: Readers mark the owner's own turns so (sources.chat.assistant).
_OWN = "sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What became of the statements of one file."""

    changes: tuple[Change, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def row(self) -> Mapping[str, object]:
        """For the file's row: only when something was stated."""
        told = [f"{change.done}: {change.key}: {change.value}" for change in self.changes]
        return {"learned": told} if told else {}


def learn(engine: Engine, items: Sequence[SourceMessage]) -> Learned:
    """Take the facts of these keyed, redacted turns of one session, in their order. A home in trouble is told of."""
    home = engine.facts()
    new = _stated(engine, items)
    if home is None or not new:
        return Learned()
    pii = engine.settings.redact_pii
    try:
        kept = app_facts.put(home, app_facts.USER, new, pii=pii, now=engine.now())
    except (FactsTrouble, BadQuery) as trouble:
        return Learned(problems=(f"{len(new)} facts were not taken: {trouble}",))
    return Learned(changes=kept.changes)


def _stated(engine: Engine, items: Sequence[SourceMessage]) -> list[NewFact]:
    """The owner's statements, each with a link to the turn it was made in."""
    salient = salient_turns([_turn(item) for item in items])
    own = [item for item, asserts in zip(items, salient, strict=True) if asserts and _OWN in item.cues]
    found: list[NewFact] = []
    for item in own:
        stated = [one for one in statements(item.message.text) if is_key(one.key)]
        link = _link(engine, item) if stated else ""
        at = iso(item.message.sent_at) if item.message.sent_at else ""
        found += [NewFact(key=one.key, value=one.value, source=link, at=at) for one in stated]
    return found


def _link(engine: Engine, item: SourceMessage) -> str:
    """The message's own place; "" for one that has no note."""
    key = item.message.key
    path = engine.index.known_keys(item.source_id, [key]).get(key, "")
    return f"[[{path.removesuffix('.md')}#^m-{key}]]" if path else ""


def _turn(item: SourceMessage) -> Turn:
    message = item.message
    return Turn(
        author=message.author, text=message.text, native_id=item.native_id, reply_to=item.reply_to, system=item.system
    )
