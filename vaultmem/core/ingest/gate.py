"""The gate: admit or drop one chunk, with all signals and a named reason.

Guards come first, because the priors alone can drop next to nothing: `tiny`, `not_salient`, `auto_notification`,
`boilerplate`. Then the bands: at 0.85 and above a chunk is admitted, at 0.15 and below dropped, between them an LLM
may be asked; without one the bands come to one rule, a total under 0.3 drops (`below_threshold`). `priority_high` adds
0.25 and lifts the guards `tiny` and `not_salient`: a pin is a person's word.

How `tiny` (under 10 tokens, no entity) spares "Gate code 4471" and "Use Postgres.": a number, date, amount, address or
decision protects like an entity. A chat turn or a mail is protected by anything that is no mere acknowledgement; a
document of a few words needs one of these, a name, or a script the gate cannot read: "ok" and "a short note" are
tiny, a sentence is not.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from vaultmem.core.ingest.entities import Registry, build_registry
from vaultmem.core.ingest.headers import normal_email
from vaultmem.core.ingest.machine_mail import is_auto_notification, is_boilerplate, is_courtesy
from vaultmem.core.ingest.salience import Turn, salient_turns, says_little
from vaultmem.core.ingest.signals import INTERACTIONS, is_content, measure, weighted_mean
from vaultmem.core.notes.ids import fold
from vaultmem.model import Admission, Entity, Mention, SourceKind, SourceMessage

DROP_BELOW = 0.3
#: Between these a language model is asked, where there is one.
SURELY_KEPT = 0.85
SURELY_DROPPED = 0.15
PRIORITY_BONUS = 0.25
_TINY_TOKENS = 10


def judge(
    *,
    kind: SourceKind,
    provider: str,
    messages: Sequence[SourceMessage],
    body: str,
    token_count: int,
    mentions: Sequence[Mention],
    cues: frozenset[str],
    me: Sequence[str],
    asks: bool = False,
) -> Admission:
    """Decide on one chunk. Documents pass no messages; `me` are the owner's names, addresses and handles.

    `asks`: there is a language model, so what lies between the bands is left `pending` for it.
    """
    texts = [item.message.text for item in messages if not item.system] if messages else [body]
    known = cues.union(*(item.cues for item in messages), _own_cues(messages, mentions, me))
    priority = "priority_high" in known or any(m.kind == "hashtag" and m.surface == "priority" for m in mentions)
    signals = measure(kind=kind, provider=provider, texts=texts, token_count=token_count, mentions=mentions, cues=known)
    signals.update({cue: 1.0 for cue in INTERACTIONS if cue in known})
    cheap = weighted_mean(signals)
    score = min(1.0, cheap + PRIORITY_BONUS) if priority else cheap
    if priority:
        signals["priority_high"] = 1.0
    reason = _guard(kind, messages, body, token_count, mentions, priority=priority, cues=known)
    if asks and not reason and SURELY_DROPPED < cheap < SURELY_KEPT:
        return Admission(status="pending", score=score, signals=signals)
    if not reason and score < DROP_BELOW:
        reason = "below_threshold"
    return Admission(status="dropped" if reason else "admitted", score=score, signals=signals, reason=reason)


def _guard(
    kind: SourceKind,
    messages: Sequence[SourceMessage],
    body: str,
    token_count: int,
    mentions: Sequence[Mention],
    *,
    priority: bool,
    cues: Collection[str],
) -> str:
    """The name of the guard that stops this chunk, or ""."""
    asserted = kind != "chat" or any(salient_turns([_turn(item) for item in messages]))
    if token_count < _TINY_TOKENS and not priority and not any(map(is_content, mentions)):
        little = says_little(body) if kind == "document" else not asserted or not _any_text(messages)
        if little:
            return "tiny"
    if not asserted and not priority:
        return "not_salient"
    if kind != "email":
        return ""
    if is_auto_notification(messages, cues):
        return "auto_notification"
    if is_boilerplate(messages):
        return "boilerplate"
    return "not_salient" if is_courtesy(messages) and not priority else ""


def _any_text(messages: Sequence[SourceMessage]) -> bool:
    return any(item.message.text.strip() or item.message.subject.strip() for item in messages)


def _turn(item: SourceMessage) -> Turn:
    return Turn(
        author=item.message.author,
        text=item.message.text,
        native_id=item.native_id,
        reply_to=item.reply_to,
        system=item.system,
    )


def _own_cues(messages: Sequence[SourceMessage], mentions: Sequence[Mention], me: Sequence[str]) -> set[str]:
    """What the owner's names add to the reader's cues: sent by them, addressed to or naming them; and replies."""
    found = {"reply" for item in messages if item.reply_to}
    mine = {fold(name).lstrip("@") for name in me} | {normal_email(name) for name in me if "@" in name}
    if not mine:
        return found
    sent = [item for item in messages if _senders(item) & mine]
    found |= {"sent"} if sent else set()
    others = [item for item in messages if not item.system and item not in sent]
    names = build_registry([Entity(id="person:me", kind="person", display_name=name) for name in me])
    if any(m.surface in mine for m in mentions if is_content(m)) or any(_addresses(i, mine, names) for i in others):
        found.add("mention")
    return found


def _senders(item: SourceMessage) -> set[str]:
    """The author of a chat message; names and addresses of a mail's From line."""
    found = {fold(item.message.author)}
    for name, address, role in item.parties:
        if role == "from":
            found |= {fold(name), normal_email(address)}
    return found - {""}


def _addresses(item: SourceMessage, mine: Collection[str], names: Registry) -> bool:
    """True when a message of somebody else is addressed to the owner or calls them by name."""
    to = {normal_email(address) for _, address, role in item.parties if role == "to"}
    return not to.isdisjoint(mine) or bool(names.find(item.message.text))
