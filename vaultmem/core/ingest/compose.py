"""Messages and pieces -> chunks ready to be written: id, time, title, tags, entities, score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from vaultmem.config import Settings
from vaultmem.core.ingest.chunk import pack_messages
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.ingest.extract import find_mentions
from vaultmem.core.ingest.gate import judge
from vaultmem.core.ingest.scrub import redaction_marks
from vaultmem.core.notes.codec import render_body
from vaultmem.core.notes.entry import passages_of
from vaultmem.core.notes.ids import body_sha256, chunk_id, entity_id
from vaultmem.core.notes.paths import source_tag
from vaultmem.model import Chunk, Document, Mention, Message, SourceKind, SourceMessage, TokenCounter

#: Kinds that name something a person would look up; addresses and links are found by their words.
_NAMED = ("person", "organization", "project", "topic", "location", "event", "handle", "hashtag")


@dataclass(frozen=True, slots=True, kw_only=True)
class Composer:
    """What every chunk of one file shares."""

    settings: Settings
    registry: Registry
    count: TokenCounter
    #: the dropped file's own name, inbox-relative, without secrets
    file: str
    #: wikilink into the archive, or "private"
    original: str
    #: the file's own time, for mail without a date
    fallback_at: datetime
    #: a language model is to be asked about what the signals leave open
    asks: bool = False


def message_chunks(
    items: Sequence[SourceMessage], *, kind: SourceKind, first_seq: int, by: Composer
) -> tuple[Chunk, ...]:
    """Chunks of new, keyed and redacted messages of ONE source, in order."""
    by_key = {item.message.key: item for item in items}
    gap = timedelta(hours=by.settings.chat_gap_hours)
    packs = pack_messages(
        [item.message for item in items], kind, count=by.count, max_tokens=by.settings.chunk_tokens, gap=gap
    )
    chunks: list[Chunk] = []
    current = items[0] if items else None
    for offset, pack in enumerate(packs):
        members: dict[str, SourceMessage] = {}
        for message in pack:
            # A later part of an over-long message has a key of its own and belongs to the message before it.
            current = by_key.get(message.key, current)
            assert current is not None
            members[current.message.key] = current
        chunks.append(_message_chunk(pack, tuple(members.values()), kind=kind, seq=first_seq + offset, by=by))
    return tuple(chunks)


def _message_chunk(
    pack: Sequence[Message],
    members: Sequence[SourceMessage],
    *,
    kind: SourceKind,
    seq: int,
    by: Composer,
) -> Chunk:
    first = members[0]
    times = [message.sent_at for message in pack if message.sent_at] or [by.fallback_at]
    draft = _draft(
        kind=kind,
        source_id=first.source_id,
        tree_scope=first.tree_scope,
        seq=seq,
        position=f"{seq:08d}",
        body=render_body(kind, pack),
        time_start=min(times),
        time_end=max(times),
        title=first.title,
        locator=_locator(first, pack),
        by=by,
    )
    keys = {message.key for message in pack}
    revised = {i.message.key: i.edited_at for i in members if i.edited_at and i.message.key in keys}
    draft = replace(draft, own_id=first.own_id, revised=revised)
    cues: frozenset[str] = frozenset().union(*(member.cues for member in members))
    return judged(draft, provider=first.provider, messages=members, cues=cues, by=by)


def document_chunk(document: Document, body: str, *, seq: int, position: str, heading: str, by: Composer) -> Chunk:
    """The chunk of one piece of a document."""
    draft = _draft(
        kind="document",
        source_id=document.source_id,
        tree_scope=document.tree_scope,
        seq=seq,
        position=position,
        body=body,
        time_start=document.created_at,
        time_end=document.created_at,
        title=document.title,
        locator=heading or "start",
        by=by,
    )
    tags = tuple(dict.fromkeys([*draft.tags, *document.tags]))
    draft = replace(draft, tags=tags, own_id=document.own_id, heading=heading)
    return judged(draft, provider=document.provider, messages=(), cues=document.cues, by=by)


def _draft(
    *,
    kind: SourceKind,
    source_id: str,
    tree_scope: str,
    seq: int,
    position: str,
    body: str,
    time_start: datetime,
    time_end: datetime,
    title: str,
    locator: str,
    by: Composer,
) -> Chunk:
    """All that does not depend on the gate."""
    return Chunk(
        chunk_id=chunk_id(kind, source_id, seq, body),
        source_kind=kind,
        source_id=source_id,
        tree_scope=tree_scope,
        owner=by.settings.me[0] if by.settings.me else "",
        time_start=time_start.astimezone(UTC),
        time_end=time_end.astimezone(UTC),
        seq=seq,
        position=position,
        token_count=by.count(body),
        body=body,
        source_ref=f"{by.file} # {locator}",
        original=by.original,
        title=title,
        body_sha256=body_sha256(body),
        aliases=(readable_title(title, time_start, by.settings.zone),),
        tags=(source_tag(tree_scope),),
        redacted=redaction_marks(body),
    )


def readable_title(title: str, at: datetime, zone: ZoneInfo) -> str:
    """What a chunk is called, with its local time."""
    return f"{title} ({at.astimezone(zone):%Y-%m-%d %H:%M})"


def _locator(first: SourceMessage, pack: Sequence[Message]) -> str:
    """Where in the dropped file the chunk begins: the message's own id, or its key and time."""
    at = pack[0].sent_at
    when = at.isoformat(timespec="seconds").replace("+00:00", "Z") if at else ""
    return " ".join(part for part in (first.native_id, when) if part) or f"message {pack[0].key}"


def judged(
    draft: Chunk, *, provider: str, messages: Sequence[SourceMessage], cues: frozenset[str], by: Composer
) -> Chunk:
    """The chunk with its mentions looked up and its admission decided."""
    mentions = find_mentions(passages_of(draft), kind=draft.source_kind, registry=by.registry)
    admission = judge(
        kind=draft.source_kind,
        provider=provider,
        messages=messages,
        body=draft.body,
        token_count=draft.token_count,
        mentions=mentions,
        cues=cues,
        me=by.settings.me,
        asks=by.asks,
    )
    return replace(
        draft,
        status=admission.status,
        score=admission.score,
        signals=admission.signals,
        drop_reason=admission.reason,
        entities=entity_ids(mentions, by.registry),
    )


def entity_ids(mentions: Sequence[Mention], registry: Registry) -> tuple[str, ...]:
    """Canonical ids of what is named, in order: the registry's where it is sure, else made from kind and name."""
    ids: dict[str, None] = {}
    for mention in mentions:
        known = registry.resolve(mention.surface)
        if len(known) == 1:
            ids[next(iter(known))] = None
        elif not known and mention.kind in _NAMED:
            ids[entity_id(mention.kind, mention.surface)] = None
    return tuple(ids)
