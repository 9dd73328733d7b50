"""The notes of `wiki/raw`: a chunk as frontmatter and body, both ways (FORMAT.md).

render_chunk_note(parse_chunk_note(render_chunk_note(chunk))) == render_chunk_note(chunk): whatever the index needs
stands in the note. Reading takes what a person and Obsidian make of it: other order and quoting, added keys, CRLF.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TypeVar, get_args

from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.ids import body_sha256
from vaultmem.core.notes.properties import Property, load_properties, split_note
from vaultmem.core.notes.values import named, number, text, texts, whole
from vaultmem.errors import BadNote
from vaultmem.model import Chunk, MemoryStatus, SourceKind

_Choice = TypeVar("_Choice")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STATUS: Mapping[str, MemoryStatus] = {status: status for status in get_args(MemoryStatus)}
_KINDS: Mapping[str, SourceKind] = {kind: kind for kind in get_args(SourceKind)}
_CHUNK_ID = re.compile(r"[0-9a-f]{32}")
_DECIMAL = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,9})?")
_COUNT = re.compile(r"[0-9]{1,9}")
_EXACT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z")
#: Keys that stand in a note only when they say something.
_OPTIONAL = ("redacted", "own_id", "heading", "revised")
#: The readable title carries the local time; the chunk's title is what stands before it.
_DATED = re.compile(r"(.*) \(\d{4}-\d\d-\d\d \d\d:\d\d\)", re.DOTALL)


def render_chunk_note(chunk: Chunk) -> str:
    """The note's text. The body stands verbatim below the frontmatter."""
    return render_note(_properties(chunk), chunk.body)


def rewrite_chunk_note(note: bytes, chunk: Chunk) -> bytes:
    """The note brought up to date for the chunk: keys, comments and spelling of a person's own stay.

    Raises BadNote or BadProperties for a note that cannot be read, or that no property can be changed in.
    """
    text = note.decode()
    if render_chunk_note(parse_chunk_note(text)) == text:
        return render_chunk_note(chunk).encode()
    said = {key: value for key, value in _properties(chunk).items() if value is not None}
    changed = edit_properties(note, {**dict.fromkeys(_OPTIONAL), **said}).decode()
    parts = split_note(changed)
    body = chunk.body.replace("\n", "\r\n") if parts.newline == "\r\n" else chunk.body
    return (changed[: len(changed) - len(parts.body)] + body).encode()


def _properties(chunk: Chunk) -> dict[str, Property]:
    """What the frontmatter says, in its order."""
    properties: dict[str, Property] = {
        "chunk_id": chunk.chunk_id,
        "source_kind": chunk.source_kind,
        "source_id": chunk.source_id,
        "tree_scope": chunk.tree_scope,
        "owner": chunk.owner,
        "timestamp_ms": (chunk.time_start - _EPOCH) // timedelta(milliseconds=1),
        "time_range_start": chunk.time_start,
        "time_range_end": max(chunk.time_start, chunk.time_end),
        "seq_in_source": chunk.seq,
        "position": chunk.position,
        "token_count": chunk.token_count,
        "memory_status": chunk.status,
        "memory_score": round(float(chunk.score), 4),
        "signals": [f"{name} {value:.4f}" for name, value in chunk.signals.items()],
        "drop_reason": chunk.drop_reason,
        "entities": named(chunk.entities),
        "llm_entities": named(chunk.llm_entities),
        "llm_importance": chunk.llm_importance,
        "source_ref": chunk.source_ref,
        "original": chunk.original,
        "body_sha256": chunk.body_sha256 or body_sha256(chunk.body),
        "aliases": named(chunk.aliases),
        "tags": named(chunk.tags),
    }
    if chunk.redacted:
        properties["redacted"] = [f"{family} {count}" for family, count in chunk.redacted.items()]
    if chunk.own_id:
        properties["own_id"] = chunk.own_id
    if chunk.heading:
        properties["heading"] = chunk.heading
    if chunk.revised:
        properties["revised"] = [f"{key} {_exact_text(at)}" for key, at in chunk.revised.items()]
    return properties


def parse_chunk_note(note: str) -> Chunk:
    """The chunk a note holds; `edited` when its body is not the one that was hashed.

    Raises BadNote for a note that is no chunk note or says something impossible, BadProperties for broken YAML.
    """
    parts = split_note(note)
    if parts.frontmatter is None:
        raise BadNote("it has no properties")
    found = load_properties(parts.frontmatter)
    # Git and some editors turn every line break of a file; that is no edit.
    body = parts.body.replace("\r\n", "\n") if parts.newline == "\r\n" else parts.body
    start = _time_start(found)
    stated = text(found, "body_sha256")
    aliases = texts(found, "aliases")
    source_id = text(found, "source_id", required=True)
    return Chunk(
        chunk_id=_chunk_id(found),
        source_kind=_one_of(_KINDS, text(found, "source_kind", required=True), "source_kind"),
        source_id=source_id,
        tree_scope=text(found, "tree_scope", required=True),
        owner=text(found, "owner"),
        time_start=start,
        time_end=max(start, _moment(found, "time_range_end", start)),
        seq=whole(found, "seq_in_source", least=0),
        position=text(found, "position", required=True),
        token_count=whole(found, "token_count", least=0),
        body=body,
        source_ref=text(found, "source_ref"),
        original=text(found, "original"),
        title=_title(aliases, source_id),
        status=_one_of(_STATUS, text(found, "memory_status", required=True).strip().lower(), "memory_status"),
        score=number(found, "memory_score"),
        signals={name: float(value) for name, value in _counted(found, "signals", _DECIMAL)},
        drop_reason=text(found, "drop_reason"),
        entities=texts(found, "entities"),
        llm_entities=texts(found, "llm_entities"),
        llm_importance=None if found.get("llm_importance") is None else number(found, "llm_importance"),
        body_sha256=stated,
        aliases=aliases,
        tags=texts(found, "tags"),
        edited=body_sha256(body) != stated,
        redacted={family: int(count) for family, count in _counted(found, "redacted", _COUNT)},
        own_id=text(found, "own_id"),
        heading=text(found, "heading"),
        revised={key: _exact(at) for key, at in _counted(found, "revised", _EXACT)},
    )


def _chunk_id(found: Mapping[str, object]) -> str:
    value = text(found, "chunk_id", required=True)
    if not _CHUNK_ID.fullmatch(value):
        raise BadNote(f"chunk_id: {value!r} is not 32 hex digits")
    return value


def _one_of(choices: Mapping[str, _Choice], value: str, key: str) -> _Choice:
    if value not in choices:
        raise BadNote(f"{key}: {value!r} is none of {', '.join(choices)}")
    return choices[value]


def _time_start(found: Mapping[str, object]) -> datetime:
    try:
        return _EPOCH + timedelta(milliseconds=whole(found, "timestamp_ms"))
    except OverflowError:
        raise BadNote("timestamp_ms: out of range") from None


def _moment(found: Mapping[str, object], key: str, missing: datetime) -> datetime:
    """A date-time property: UTC, whatever way a person or a tool wrote it."""
    value = text(found, key)
    if not value:
        return missing
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadNote(f"{key}: {value!r} is no date-time") from None


def _exact_text(moment: datetime) -> str:
    """To the microsecond: edits of one second are told apart."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat()}Z"


def _exact(value: str) -> datetime:
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadNote(f"revised: {value!r} is no date-time") from None


def _title(aliases: tuple[str, ...], source_id: str) -> str:
    """The title of the readable alias, wherever a person's own aliases stand; else the source's name."""
    dated = next((match[1] for alias in aliases if (match := _DATED.fullmatch(alias))), None)
    return dated or (aliases[0] if aliases else source_id.partition(":")[2] or source_id)


def _counted(found: Mapping[str, object], key: str, value: re.Pattern[str]) -> list[tuple[str, str]]:
    """The pairs of a list of "name value" texts."""
    pairs = []
    for item in texts(found, key):
        name, _, stated = item.strip().rpartition(" ")
        if not name or not value.fullmatch(stated):
            raise BadNote(f"{key}: {item!r} is no 'name value'")
        pairs.append((name, stated))
    return pairs
