"""What a person names -> what is to be forgotten: a plan, made by reading alone."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from vaultmem.app.engine import Engine
from vaultmem.app.reconcile import read_tombstones
from vaultmem.app.tree import full_id
from vaultmem.core.grow.inputs import state_of
from vaultmem.core.grow.units import units_of
from vaultmem.core.ingest.entities import Registry, build_registry
from vaultmem.core.ingest.forget import paragraph_keys, worth_finding
from vaultmem.core.ingest.headers import normal_email, parse_parties
from vaultmem.core.ingest.revise import part_keys
from vaultmem.core.notes.entry import passages_of
from vaultmem.core.notes.ids import fold, safe_part
from vaultmem.core.notes.links import property_links
from vaultmem.core.notes.paths import ARCHIVE, ENTITIES
from vaultmem.core.notes.summarynote import one_line
from vaultmem.core.notes.tombstones import (
    keys_of,
    render_deleted,
    render_deleted_node,
    render_forgotten_entity,
)
from vaultmem.core.notes.topicpage import topic_path
from vaultmem.errors import BadQuery, NotFound
from vaultmem.forgetting import Forgetting
from vaultmem.grown import SummaryNode
from vaultmem.model import Chunk, Entity, EntityKind, Passage
from vaultmem.ports.private import Private

_KEY = re.compile(r"\^?m-([0-9a-f]{12})")
_ID = re.compile(r"[0-9a-f]{6,32}")
#: Words looked for in originals and files: the longest ones.
_MOST_NEEDLES = 40
#: Other files that say the same, from which on it is a common thing to say.
_COMMON = 3
#: Bytes of one file inside an archive that are looked through.
_MEMBER_BYTES = 200_000_000

_Note = tuple[str, Chunk]


@dataclass(slots=True, kw_only=True)
class _Draft:
    """What is found to go."""

    what: str
    whole: list[_Note] = field(default_factory=list)
    #: path -> chunk, and keys that go from it
    parts: dict[str, tuple[Chunk, set[str]]] = field(default_factory=dict)
    entity: Entity | None = None
    nodes: list[tuple[str, SummaryNode]] = field(default_factory=list)
    pages: list[str] = field(default_factory=list)
    mentions_left: int = 0


def plan_forgetting(engine: Engine, private: Private, target: str) -> Forgetting:
    """What is to go. Raises NotFound, BadQuery."""
    named = target.strip()
    draft = _find(engine, named)
    return _planned(engine, private, named, draft)


def _find(engine: Engine, target: str) -> _Draft:
    registry = build_registry([note.entity for note in engine.index.registry()])
    if match := _KEY.fullmatch(target):
        return _message(engine, match[1], target)
    finders: Sequence[Callable[[], _Draft | None]] = (
        lambda: _at_path(engine, registry, target),
        lambda: _by_id(engine, target),
        lambda: _by_entity_id(engine, registry, target),
        lambda: _by_source(engine, target),
        lambda: _by_name(engine, registry, target),
    )
    for find in finders:
        if (found := find()) is not None:
            return found
    raise NotFound(target, "memory: name a chunk, a note, a message (m-…), a person or project, or a source")


def _message(engine: Engine, key: str, target: str) -> _Draft:
    held = engine.index.held.holding([key, *part_keys(key)])
    if not held:
        raise NotFound(target, "memory")
    draft = _Draft(what="message")
    for path, chunk in held:
        _take(draft, path, chunk, {key, *part_keys(key)})
    return draft


def _take(draft: _Draft, path: str, chunk: Chunk, keys: Collection[str]) -> None:
    """These messages go from the note, or the note when it holds no other."""
    own = [p.block.removeprefix("m-") for p in passages_of(chunk) if p.block.startswith("m-")]
    if set(own) <= set(keys):
        draft.whole.append((path, chunk))
    else:
        draft.parts[path] = (chunk, set(own) & set(keys))


def _at_path(engine: Engine, registry: Registry, target: str) -> _Draft | None:
    root = engine.vault.root.as_posix()
    path = target.removeprefix(f"{root}/") if target.startswith("/") else target
    for candidate in (path, f"{path}.md"):
        chunk = engine.index.held.chunk_at(candidate)
        if chunk is not None:
            return _whole(candidate, chunk)
        node = engine.index.node_at(candidate)
        if node is not None:
            return _Draft(what="summary", nodes=[(candidate, node)])
        entity = next((e for e in registry.entities.values() if e.note_path == candidate), None)
        if entity is not None:
            return _entity(engine, registry, entity)
    if path.startswith(f"{ARCHIVE}/") and engine.vault.stat(path) is not None:
        made = [(where, chunk) for where, chunk in _all(engine) if path in _original(chunk)]
        return _Draft(what="original", whole=made) if made else None
    return None


def _whole(path: str, chunk: Chunk) -> _Draft:
    if chunk.source_id.startswith("note:"):
        raise BadQuery("forget", path, "no note of your own: delete it, or exclude it with 'notes_exclude'")
    return _Draft(what="chunk", whole=[(path, chunk)])


def _by_id(engine: Engine, target: str) -> _Draft | None:
    if not _ID.fullmatch(target):
        return None
    identity = full_id(engine, target)
    found = engine.index.chunk(identity)
    if found is not None:
        return _whole(*found)
    node = engine.index.node(identity)
    return _Draft(what="summary", nodes=[node]) if node else None


def _by_source(engine: Engine, target: str) -> _Draft | None:
    rows = [row for row in engine.index.sources() if target in (row["source_id"], row["tree_scope"])]
    notes = [note for row in rows for note in engine.index.chunks_of(str(row["source_id"]))]
    if not notes:
        return None
    _whole(*notes[0])
    return _Draft(what="source", whole=notes)


def _by_entity_id(engine: Engine, registry: Registry, target: str) -> _Draft | None:
    kind, colon, name = target.partition(":")
    if not colon or kind not in get_args(EntityKind):
        return None
    entity = registry.entities.get(target)
    if entity is None:
        entity = Entity(id=target, kind=kind, display_name=name.replace("-", " "))  # type: ignore[arg-type]
    draft = _entity(engine, registry, entity)
    return draft if draft.entity or draft.whole or draft.parts else None


def _by_name(engine: Engine, registry: Registry, target: str) -> _Draft | None:
    ids = sorted(registry.resolve(target))
    if len(ids) > 1:
        raise BadQuery("forget", target, f"one of {', '.join(ids)}: this name is that of several")
    if ids:
        return _entity(engine, registry, registry.entities[ids[0]])
    draft = _entity(engine, registry, Entity(id=f"person:{fold(target)}", kind="person", display_name=target))
    return draft if draft.whole or draft.parts else None


def _entity(engine: Engine, registry: Registry, entity: Entity) -> _Draft:
    """The entity's note, its topic, and the messages it wrote. What others say of it stays."""
    draft = _Draft(what="entity", entity=entity if entity.id in registry.entities else None)
    ids = {each for each, to in registry.targets.items() if to == registry.targets.get(entity.id, entity.id)}
    wrote = _Author(registry=registry, ids=frozenset(ids), name=fold(entity.display_name))
    written: set[tuple[str, int]] = set()
    for path, chunk in _all(engine):
        if chunk.source_kind == "document":
            continue
        own = [p for p in passages_of(chunk) if p.author and wrote.is_by(p.author)]
        if own:
            written |= {(chunk.chunk_id, passage.ordinal) for passage in own}
            _take(draft, path, chunk, {p.block.removeprefix("m-") for p in own if p.block})
    for identity in ids or {entity.id}:
        draft.pages += [node.path for node in engine.index.node_lines("topic", identity)]
        page = topic_path(identity)
        draft.pages += [page] if engine.vault.stat(page) else []
        naming = engine.index.passages_naming(identity, [chunk.chunk_id for _, chunk in _all(engine)])
        named = {(chunk_id, ordinal) for chunk_id, own in naming.items() for ordinal in own}
        draft.mentions_left += len(named - written)
    return draft


@dataclass(frozen=True, slots=True, kw_only=True)
class _Author:
    registry: Registry
    ids: frozenset[str]
    name: str

    def is_by(self, author: str) -> bool:
        """Whether this author line is that of the entity."""
        for surface in self._surfaces(author):
            found = self.registry.resolve(surface)
            if (self.ids & found and len(found) == 1) or (not found and surface == self.name):
                return True
        return False

    def _surfaces(self, author: str) -> Iterable[str]:
        yield fold(author)
        if "@" in author:
            for party in parse_parties(author):
                yield fold(party.name)
                yield normal_email(party.address)


def _all(engine: Engine) -> list[_Note]:
    """Every chunk that is not a note of the user's own."""
    rows = engine.index.sources()
    ids = [str(row["source_id"]) for row in rows if not str(row["source_id"]).startswith("note:")]
    return [note for source_id in ids for note in engine.index.chunks_of(source_id)]


def _planned(engine: Engine, private: Private, target: str, draft: _Draft) -> Forgetting:
    gone: list[tuple[Chunk, Sequence[Passage]]] = [(chunk, passages_of(chunk)) for _, chunk in draft.whole]
    gone += [(chunk, _those(chunk, keys)) for chunk, keys in draft.parts.values()]
    texts = worth_finding(text for chunk, passages in gone for text in _texts(engine, chunk, passages))
    plan = Forgetting(
        target=target,
        what=draft.what,
        notes={path: chunk.chunk_id for path, chunk in draft.whole},
        messages={path: tuple(sorted(keys)) for path, (_, keys) in draft.parts.items()},
        entity_id=draft.entity.id if draft.entity else "",
        entity_path=_own_path(draft.entity),
        pages=tuple(dict.fromkeys([*draft.pages, *(path for path, _ in draft.nodes)])),
        texts=texts,
        tombstones=_tombstones(engine, draft, gone),
        mentions_left=draft.mentions_left,
        pieces=sum(len(passages) for _, passages in gone),
    )
    return _with_originals(engine, private, plan, [chunk for chunk, _ in gone])


def _own_path(entity: Entity | None) -> str:
    """A note of the user's own is not ours to delete."""
    return entity.note_path if entity and entity.note_path.startswith(f"{ENTITIES}/") else ""


def _those(chunk: Chunk, keys: Collection[str]) -> list[Passage]:
    return [passage for passage in passages_of(chunk) if passage.block.removeprefix("m-") in keys]


def _texts(engine: Engine, chunk: Chunk, passages: Sequence[Passage]) -> Iterable[str]:
    """The words that go: sentences as summaries show them, and lines as they stand."""
    for unit in units_of(chunk, passages, engine.count):
        yield one_line(unit.text)
    for passage in passages:
        yield from (line.strip() for line in passage.text.splitlines())


def _tombstones(engine: Engine, draft: _Draft, gone: Sequence[tuple[Chunk, Sequence[Passage]]]) -> str:
    now, buried = engine.now(), read_tombstones(engine)
    lines = []
    for chunk, passages in gone:
        keys = list(keys_of(chunk, passages))
        if chunk.source_kind == "document":
            keys += paragraph_keys(chunk.body, passages)
        known = buried.buried(chunk.source_id, keys)
        lines.append(render_deleted(chunk.source_id, set(keys) - known, now))
    if draft.entity is not None:
        lines.append(render_forgotten_entity(draft.entity.id, now))
    for _, node in draft.nodes:
        state = node.inputs
        if node.tree_kind != "global":
            state = state_of(engine.index.held.children(node.child_ids))
        lines.append(render_deleted_node(node.node_id, state, node.child_ids, now))
    return "".join(lines)


def _with_originals(engine: Engine, private: Private, plan: Forgetting, gone: Sequence[Chunk]) -> Forgetting:
    """The plan with the originals that hold what goes: those the notes name, and those in which the words stand."""
    archived = {path for chunk in gone for path in _original(chunk) if engine.vault.stat(path)}
    originals = dict(private.originals())
    touched = {chunk.chunk_id for chunk in gone}
    named, needles = {_own_name(chunk) for chunk in gone}, needles_of(plan.texts)
    kept = {name: own for name, own in originals.items() if own in named}
    found = [name for name in originals if name not in kept and holds_any(private.read_original(name), needles)]
    others = _by_file(engine) if archived or kept or found else {}
    if found:
        untouched = {own: [c for c in chunks if c.chunk_id not in touched] for own, chunks in others.items()}
        rest = _Elsewhere(texts=longest(plan.texts), untouched=untouched)
        kept |= {name: originals[name] for name in found if rest.goes(private.read_original(name), originals[name])}
    ids = touched & set(plan.notes.values())
    staying = [chunk for chunks in others.values() for chunk in chunks if chunk.chunk_id not in ids]
    shared = Counter(path for chunk in staying for path in _original(chunk) if path in archived)
    files = {own: name for name, own in kept.items()}
    shared.update(files[own] for own in map(_own_name, staying) if own in files)
    return replace(plan, archived=tuple(sorted(archived)), private=tuple(sorted(kept)), shared=dict(shared))


def _by_file(engine: Engine) -> dict[str, list[Chunk]]:
    """Every chunk that is not a note of the user's own, by the name of the file it came from."""
    found: dict[str, list[Chunk]] = {}
    for _, chunk in _all(engine):
        found.setdefault(_own_name(chunk), []).append(chunk)
    return found


class _Elsewhere:
    """Words that go, each on one line, in files of which notes stay: a greeting or a signature stands in many, and no
    other original is to be lost for it.
    """

    def __init__(self, *, texts: Sequence[str], untouched: Mapping[str, Sequence[Chunk]]) -> None:
        self._texts = texts
        self._bodies = {own: [one_line(chunk.body) for chunk in chunks] for own, chunks in untouched.items()}
        counts = {text: sum(self._says(own, text) for own in self._bodies) for text in texts}
        self._common = {text for text, files in counts.items() if files >= _COMMON}

    def goes(self, data: bytes, own: str) -> bool:
        """Whether the original must go: it holds words that are not common, or that no note of it says any more."""
        return holds_any(data, needles_of(t for t in self._texts if t not in self._common or not self._says(own, t)))

    def _says(self, own: str, text: str) -> bool:
        return any(text in body for body in self._bodies.get(own, ()))


def _own_name(chunk: Chunk) -> str:
    """The name of the file it came from, as originals are called."""
    return safe_part(_file(chunk).rpartition("/")[2])


def _original(chunk: Chunk) -> list[str]:
    """Paths of the originals in the vault that a chunk was made of."""
    return [link.target for link in property_links(chunk.original)]


def _file(chunk: Chunk) -> str:
    return chunk.source_ref.partition(" # ")[0]


def longest(texts: Iterable[str]) -> list[str]:
    """The words that are looked for."""
    return sorted(texts, key=len, reverse=True)[:_MOST_NEEDLES]


def needles_of(texts: Iterable[str]) -> tuple[bytes, ...]:
    """The longest of these words in the spellings that files have them in."""
    found: dict[bytes, None] = {}
    for text in longest(texts):
        spelt = text.encode("utf-8", "surrogatepass")
        escaped = text.encode("ascii", "backslashreplace")
        for needle in (spelt, escaped, text.encode("utf-16-le", "surrogatepass"), text.encode("latin-1", "ignore")):
            if len(needle) >= len(text):
                found[needle] = None
    return tuple(found)


def holds_any(data: bytes, needles: Collection[bytes]) -> bool:
    """Whether one of these stands in the bytes, or in a file of the archive that they are."""
    if any(needle in data for needle in needles):
        return True
    if not data.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [info for info in archive.infolist() if info.file_size <= _MEMBER_BYTES]
            return any(any(needle in archive.read(info) for needle in needles) for info in members)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        return False
