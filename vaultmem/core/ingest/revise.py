"""A message that was changed on its platform: what its notes say from then on (DESIGN §3, message identity).

    takes_over(item, chunk)                    -> is this text later than the one the note holds?
    revise(group, edits, seen, ...)            -> the chunks of these notes with the new texts

The later edit counts, in whatever order exports come. A text that no platform calls edited never replaces another: it
may be older, or read by an older vaultmem. Notes keep seq, position and place; keys of messages stay.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from vaultmem.core.ingest.chunk import pack_messages
from vaultmem.core.ingest.compose import Composer, judged, readable_title
from vaultmem.core.ingest.identity import position_between
from vaultmem.core.ingest.scrub import redaction_marks
from vaultmem.core.ingest.signals import INTERACTIONS
from vaultmem.core.notes.codec import clean_author, parse_body, render_body
from vaultmem.core.notes.ids import body_sha256, chunk_id, part_key
from vaultmem.model import Chunk, Message, SourceMessage

#: Keys of parts that are looked for at once.
_PARTS = 64


def takes_over(item: SourceMessage, chunk: Chunk) -> bool:
    """True when the platform says that this text is later than the one in the note."""
    if item.edited_at is None or item.system:
        return False
    known = chunk.revised.get(item.message.key)
    return known is None or item.edited_at > known


def part_keys(key: str) -> tuple[str, ...]:
    """Keys that parts of an over-long message may have in later chunks."""
    return tuple(part_key(key, number) for number in range(1, _PARTS + 1))


def changed_keys(group: Sequence[Chunk], edits: Mapping[str, SourceMessage]) -> frozenset[str]:
    """The edits that say something else than the notes do."""
    held: dict[str, Message] = {}
    for message in _messages(group):
        held.setdefault(message.key, message)
    return frozenset(
        key
        for key, item in edits.items()
        if key in held
        and (item.message.text, clean_author(item.message.author))
        != (_whole(key, held), held[key].author)
    )  # fmt: skip


def revise(
    group: Sequence[Chunk],
    edits: Mapping[str, SourceMessage],
    seen: Mapping[str, SourceMessage],
    *,
    free_seq: int,
    positions: Sequence[str],
    by: Composer,
) -> tuple[Chunk, ...]:
    """The chunks that take the place of these neighbours, first to last; what does not fit any more becomes new ones.

    `edits`, `seen`: messages by key, those to be taken over and all that the export holds. `free_seq`: the source's
    next. `positions`: those of all its chunks, in order.
    """
    revised = {key: at for chunk in group for key, at in chunk.revised.items()}
    revised |= {key: item.edited_at for key, item in edits.items() if item.edited_at}
    changed = changed_keys(group, edits)
    if not changed:  # an edit of nothing that is kept (a preview, a reaction) is no reason to write a note
        return tuple(group)
    messages = _with_texts(_messages(group), {key: edits[key] for key in changed})
    packs = pack_messages(messages, "chat", count=by.count, max_tokens=by.settings.chunk_tokens, gap=timedelta.max)
    found: list[Chunk] = []
    for number, pack in enumerate(packs):
        slot = group[number] if number < len(group) else _slot(found[-1], free_seq + number - len(group), positions)
        found.append(_rewritten(slot, pack, seen, by))
    return tuple(replace(chunk, revised=_of(chunk, revised)) for chunk in found)


def _messages(group: Sequence[Chunk]) -> list[Message]:
    return [message for chunk in group for message in parse_body("chat", chunk.body)]


def _of(chunk: Chunk, revised: Mapping[str, datetime]) -> dict[str, datetime]:
    keys = [message.key for message in parse_body("chat", chunk.body)]
    return {key: revised[key] for key in keys if key in revised}


def _whole(key: str, held: Mapping[str, Message]) -> str:
    """The text of a message, its later parts included."""
    texts = [held[key].text]
    while (part := part_key(key, len(texts))) in held:
        texts.append(held[part].text)
    return "".join(texts)


def _with_texts(messages: Sequence[Message], edits: Mapping[str, SourceMessage]) -> list[Message]:
    """The messages with the new texts; parts of the old ones are gone."""
    held = {message.key for message in messages}
    gone: set[str] = set()
    for key in edits:
        number = 1
        while (part := part_key(key, number)) in held:
            gone.add(part)
            number += 1
    found: dict[str, Message] = {}
    lone: list[Message] = []
    for message in messages:
        item = edits.get(message.key)
        if message.key in gone or (item and message.key in found):
            continue
        text = replace(message, author=item.message.author, text=item.message.text) if item else message
        found.setdefault(message.key, text)
        lone.append(text)
    return lone


def _slot(before: Chunk, seq: int, positions: Sequence[str]) -> Chunk:
    """The place of a chunk that comes new behind this one."""
    after = bisect_right(positions, before.position)
    following = positions[after] if after < len(positions) else ""
    return replace(
        before, seq=seq, position=position_between(before.position, following), drop_reason="", status="pending"
    )


def _rewritten(slot: Chunk, pack: Sequence[Message], seen: Mapping[str, SourceMessage], by: Composer) -> Chunk:
    """The chunk of this place with these messages: judged anew, unless a person decided."""
    body = render_body("chat", pack)
    times = [message.sent_at for message in pack if message.sent_at] or [slot.time_start]
    draft = replace(
        slot,
        chunk_id=chunk_id("chat", slot.source_id, slot.seq, body),
        body=body,
        body_sha256=body_sha256(body),
        token_count=by.count(body),
        time_start=min(times),
        time_end=max(times),
        redacted=redaction_marks(body),
        aliases=slot.aliases
        if min(times) == slot.time_start
        else (readable_title(slot.title, min(times), by.settings.zone),),
    )
    members = [member_of(message, slot, seen) for message in pack]
    whole = all(message.key in seen for message in pack)
    cues = frozenset() if whole else frozenset(slot.signals) & {*INTERACTIONS, "priority_high"}
    provider = next((item.provider for item in seen.values()), "")
    done = judged(draft, provider=provider, messages=members, cues=cues, by=by)
    by_hand = slot.status != "pending" and (slot.status == "admitted") == bool(slot.drop_reason)
    return replace(done, status=slot.status, drop_reason=slot.drop_reason) if by_hand else done


def member_of(message: Message, slot: Chunk, seen: Mapping[str, SourceMessage]) -> SourceMessage:
    """The message as the gate wants it; one that the export does not hold is known by its note alone."""
    if message.key in seen:
        return replace(seen[message.key], message=message)
    return SourceMessage(
        message=message,
        source_id=slot.source_id,
        tree_scope=slot.tree_scope,
        title=slot.title,
        provider="",
        system=not message.author,
    )
