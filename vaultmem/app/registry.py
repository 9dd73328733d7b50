"""The registry of entities: read from the notes under `entities/`, grown by the rule, and kept in step with the index.

The notes are the truth. What the index holds of them is only there to see what changed: chunks that contain a changed
name, and no others, are looked at again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from vaultmem.app.buried import append_tombstones, lift_tombstones
from vaultmem.app.by_git import put_away, why_unbelieved, wrote
from vaultmem.app.engine import Engine
from vaultmem.app.inplace import entries_again
from vaultmem.app.living import edit_living, make_living
from vaultmem.app.notes import covered_notes, is_free, read_entries
from vaultmem.config import CONFIG_PATH
from vaultmem.core.ingest.correspondents import note_kind, personal_addresses, plan_names, surfaces_of
from vaultmem.core.ingest.entities import Registry, build_registry, plan_entity_notes
from vaultmem.core.ingest.headers import normal_email
from vaultmem.core.ingest.merges import lost_merges
from vaultmem.core.notes.diff import why_held_back
from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.entitynote import parse_entity_note, render_entity_note, stamp
from vaultmem.core.notes.ids import entity_id, fold, sha256_hex
from vaultmem.core.notes.inplace import is_ours, names_in
from vaultmem.core.notes.paths import ENTITIES, HOME
from vaultmem.core.notes.properties import load_properties, split_note
from vaultmem.core.notes.review import REVIEW
from vaultmem.core.notes.selection import by_right
from vaultmem.core.notes.tombstones import (
    Tombstones,
    render_deleted_entity,
    render_deleted_names,
)
from vaultmem.errors import BadNote, VaultmemError
from vaultmem.model import AuthorFact, Entity, FileStat, NoteFile, RegistryNote
from vaultmem.ports import Scan

#: What each of the user's notes is called and what else it is (_Nature); "4" is the layout of the entries.
_OWN_NOTES = "own_notes_4"
_Nature = Literal["", "chunk", "entity", "made"]
#: Where vaultmem's own notes stand: what is elsewhere is the user's, also below `wiki/`.
_GENERATED = (
    "entities/",
    ".vaultmem/",
    "wiki/raw/",
    "wiki/summaries/",
    "wiki/sources/",
    "wiki/topics/",
    "wiki/archive/",
    HOME,
)
#: Chunks looked at again in one transaction, and where the names stand because of which they are.
_BATCH = 100
_UNDER_WAY = "names_under_way"


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryState:
    """The registry as the vault says it now."""

    registry: Registry
    notes: tuple[RegistryNote, ...]
    #: path -> problem of entity notes
    problems: Mapping[str, str]
    #: folded titles and aliases of the user's own notes -> path
    own_notes: Mapping[str, str]


def read_registry(engine: Engine) -> RegistryState:
    """Read every entity note, and those of the user's own notes whose name memory speaks of."""
    known = {note.entity.note_path: note for note in engine.index.registry()}
    notes: list[RegistryNote] = []
    broken: list[RegistryNote] = []
    problems: dict[str, str] = {}
    own = _own_notes(engine)
    moved = (engine.vault.stat(path) for path in _of_nature(engine, "entity"))
    scan = engine.vault.scan(ENTITIES)
    for stat in (*scan.files.values(), *(stat for stat in moved if stat)):
        if stat.path == REVIEW:
            continue
        before = known.get(stat.path)
        if before and (before.size, before.mtime_ns) == (stat.size, stat.mtime_ns):
            notes.append(before)
            continue
        try:
            entity = parse_entity_note(stat.path, engine.vault.read(stat.path))
            notes.append(RegistryNote(entity=entity, size=stat.size, mtime_ns=stat.mtime_ns))
        except FileNotFoundError:
            continue
        except (VaultmemError, OSError) as problem:
            problems[stat.path] = str(problem)
            # The rule must see that this entity has a note, or it would make a second one beside it.
            stand_in = before or _placeholder(stat.path)
            broken += [stand_in] if stand_in else []
    covered = covered_notes(engine, (path for path in known if path.startswith(f"{ENTITIES}/")), scan.files)
    problems |= covered
    broken += [known[path] for path in covered]
    notes = _one_per_id([*sorted(notes, key=_name_of), *sorted(broken, key=_name_of)], problems)
    notes += _held_back(engine, known.values(), notes, scan, problems)
    notes += _own_entities(engine, own, notes)
    entities = [note.entity for note in notes]
    registry = _registry_of(tuple(entities))
    for path, lost in lost_merges(entities).items():
        problems.setdefault(path, lost)
    return RegistryState(registry=registry, notes=tuple(notes), problems=problems, own_notes=own)


@lru_cache(maxsize=2)
def _registry_of(entities: tuple[Entity, ...]) -> Registry:
    """A pass reads the registry three times and asks what it was before each: nearly always it is the same."""
    return build_registry(entities)


def _held_back(
    engine: Engine,
    known: Collection[RegistryNote],
    notes: Collection[RegistryNote],
    scan: Scan,
    problems: dict[str, str],
) -> list[RegistryNote]:
    """Notes under `entities/` that are missing, and whose deletion is not believed yet (core.notes.diff)."""
    ids = {note.entity.id for note in notes}
    ours = [note for note in known if note.entity.note_path.startswith(f"{ENTITIES}/")]
    missing = [note for note in ours if note.entity.id not in ids]
    if not missing:
        return []
    away = put_away(engine, [note.entity.note_path for note in missing])
    missing = [note for note in missing if note.entity.note_path not in away]
    unreadable = scan.unreadable if engine.vault.stat(CONFIG_PATH) else (*scan.unreadable, ".vaultmem")
    why = why_held_back(len(missing), 0, len(ours), unreadable, accepted=engine.accepts_deletions)
    why = (why_unbelieved(engine) if missing else "") or why
    if why:
        problems[f"{ENTITIES}/"] = why
    return missing if why else []


def _placeholder(path: str) -> RegistryNote | None:
    """For a broken note that the index does not know: what its path says."""
    try:
        return RegistryNote(entity=parse_entity_note(path, b""))
    except BadNote:
        return None


def _name_of(note: RegistryNote) -> tuple[bool, bool, str]:
    return by_right(note.entity.note_path, ENTITIES)


def _one_per_id(notes: list[RegistryNote], problems: dict[str, str]) -> list[RegistryNote]:
    """The first note keeps its id; a later one with the same is named in `problems`."""
    kept: dict[str, RegistryNote] = {}
    for note in notes:
        first = kept.setdefault(note.entity.id, note).entity.note_path
        if first != note.entity.note_path:
            problems.setdefault(note.entity.note_path, f"id: {note.entity.id} is that of {first} already")
    return list(kept.values())


def refresh_registry(engine: Engine, tombstones: Tombstones) -> RegistryState:
    """Bring the index in step with the registry's notes; deletions are remembered so that they stay deletions."""
    state = read_registry(engine)
    before = engine.index.registry()
    _bury_deleted(engine, before, state, tombstones)
    back = [note.entity.id for note in state.notes if tombstones.holds_entity(note.entity.id)]
    if back:
        lift_tombstones(engine, entities=back)
    _apply(engine, before, state)
    return state


def grow_registry(engine: Engine, state: RegistryState, tombstones: Tombstones) -> RegistryState:
    """Write the entity notes that the rule asks for, then index them. Deleted ones are never made again.

    What mail headers say of those that exist comes into their notes, but nothing a person took out of them.
    """
    facts = engine.index.author_facts(own=own_surfaces(engine))
    joined = _join_names(engine, state, tombstones, facts)
    planned = plan_entity_notes(
        facts,
        state.registry,
        own=engine.settings.me,
        taken=state.own_notes.keys(),
        now=engine.now(),
    )
    wanted = [entity for entity in planned if not tombstones.holds_entity(entity.id)]
    if not wanted and not joined:
        return state
    make_living(engine, [_placed(engine, entity) for entity in wanted])
    return refresh_registry(engine, tombstones)


def _join_names(engine: Engine, state: RegistryState, tombstones: Tombstones, facts: Sequence[AuthorFact]) -> bool:
    """Add names and addresses of one and the same to its note; True when one changed. Notes in use wait."""
    changed = False
    for identity, (names, emails) in plan_names(facts, resolve=state.registry.resolve, own=engine.settings.me).items():
        entity = state.registry.entities[identity]
        aliases = [name for name in names if not tombstones.denies(identity, name)]
        addresses = [email for email in emails if not tombstones.denies(identity, email)]
        if entity.note_path in state.problems or not entity.note_path.startswith(f"{ENTITIES}/"):
            continue
        if aliases or addresses:
            changed |= _add_names(engine, entity.note_path, aliases, addresses)
    return changed


def _add_names(engine: Engine, path: str, aliases: Sequence[str], addresses: Sequence[str]) -> bool:
    def change(note: bytes) -> bytes:
        found = parse_entity_note(path, note)
        new = {
            "aliases": [*found.aliases, *(name for name in aliases if name not in found.aliases)],
            "emails": [*found.emails, *(email for email in addresses if email not in found.emails)],
        }
        if new == {"aliases": [*found.aliases], "emails": [*found.emails]}:
            return note
        return edit_properties(note, {**new, **stamp(found, engine.now())})

    try:
        return edit_living(engine, path, change)
    except (VaultmemError, FileNotFoundError):
        return False  # broken or gone in this moment: the next pass names it


def what_is_known(engine: Engine, registry: Registry) -> str:
    """A hash that changes with any chunk note and any entity: what is made of both need not be made again before."""
    parts = [f"{path} {stat.size} {stat.mtime_ns}" for path, (stat, _) in sorted(engine.index.note_stats().items())]
    parts += [f"{path} {stat.size} {stat.mtime_ns}" for path, stat in engine.index.in_place_stats().items()]
    parts += [repr(entity) for _, entity in sorted(registry.entities.items())]
    return sha256_hex("\n".join(parts).encode("utf-8", "surrogatepass"))


def own_surfaces(engine: Engine) -> frozenset[str]:
    """The owner's names as mentions spell them."""
    return frozenset(fold(name) for name in engine.settings.me)


def _placed(engine: Engine, entity: Entity) -> NoteFile:
    """The new note's path: never over a file that stands there already."""
    path = entity.note_path
    number = 1
    while not is_free(engine, path):
        number += 1
        path = entity.note_path.removesuffix(".md") + f" ({number}).md"
    return NoteFile(path=path, content=render_entity_note(replace(entity, note_path=path)).encode())


def _bury_deleted(
    engine: Engine, before: tuple[RegistryNote, ...], state: RegistryState, tombstones: Tombstones
) -> None:
    """Entity notes a person deleted, and names a person took out of one."""
    ids = {note.entity.id for note in state.notes}
    gone = [
        note.entity
        for note in before
        if note.entity.id not in ids
        and note.entity.note_path.startswith(f"{ENTITIES}/")
        and not tombstones.holds_entity(note.entity.id)
    ]
    away = put_away(engine, [entity.note_path for entity in gone])
    lines = "".join(render_deleted_entity(entity.id, engine.now()) for entity in gone if entity.note_path not in away)
    now = {note.entity.id: note.entity for note in state.notes}
    for was in (note.entity for note in before):
        # A note that lost its properties for a moment, under an editor's hand, says nothing about names.
        if was.id in now and was.created_at and now[was.id].created_at == was.created_at:
            lost = {*was.aliases, *was.emails} - {*now[was.id].aliases, *now[was.id].emails}
            lost = set() if lost and _is_gits(engine, now[was.id]) else lost
            lines += render_deleted_names(
                was.id, [name for name in lost if not tombstones.denies(was.id, name)], engine.now()
            )
    if lines:
        append_tombstones(engine, lines)


def _is_gits(engine: Engine, entity: Entity) -> bool:
    """Whether git put the note there as it is: names that it lacks were not taken out by a person here."""
    try:
        return wrote(engine, entity.note_path, engine.vault.read(entity.note_path))
    except (FileNotFoundError, VaultmemError):
        return False


def _apply(engine: Engine, before: tuple[RegistryNote, ...], state: RegistryState) -> None:
    """Re-mention the chunks that hold a changed name, then remember the registry. The names stand in the index
    meanwhile: after a kill some of their chunks were read again, whatever the vault says of the names by then."""
    aliases = state.registry.aliases()
    old = _registry_of(tuple(note.entity for note in before)).aliases()
    changed = {row.surface for row in set(old) ^ set(aliases)}
    changed.update(json.loads(engine.index.get_meta(_UNDER_WAY) or "[]"))
    if changed:
        engine.index.set_meta(_UNDER_WAY, json.dumps(sorted(changed)))
    missed = _mention_again(engine, state.registry, changed) if changed else frozenset[str]()
    if changed or before != state.notes:
        engine.index.replace_registry(state.notes, aliases, unread=missed)
    if changed:
        engine.index.set_meta(_UNDER_WAY, "")


def _mention_again(engine: Engine, registry: Registry, surfaces: set[str]) -> frozenset[str]:
    """By batches: a name may stand in most notes of a vault, and their bodies do not fit in memory together.

    Returns the notes that are not as they were indexed: what changed in them is not for here, and those that are as
    they were a moment later would keep the names of before.
    """
    known = engine.index.note_stats()
    ids = sorted(engine.index.chunks_mentioning(surfaces))
    paths = sorted({hit[0] for chunk_id in ids if (hit := engine.index.chunk(chunk_id))})
    read: set[str] = set()
    for start in range(0, len(paths), _BATCH):
        part = paths[start : start + _BATCH]
        stats = [known[path][0] for path in part if path in known and engine.vault.stat(path) == known[path][0]]
        ours, _ = read_entries(engine, registry, stats)
        entries = (*ours, *entries_again(engine, registry, [path for path in part if path not in known]))
        engine.index.commit(entries)
        read.update(entry.path for entry in entries)
    return frozenset(paths) - read


def _own_notes(engine: Engine) -> dict[str, str]:
    """Folded titles and aliases of the user's notes -> path. Aliases are read once per change of a note."""
    cache: dict[str, list[object]] = json.loads(engine.index.get_meta(_OWN_NOTES) or "{}")
    fresh: dict[str, list[object]] = {}
    names: dict[str, str] = {}
    for stat in engine.vault.scan("").files.values():
        if stat.path.startswith((*_GENERATED, f"{engine.settings.inbox}/")):
            continue
        entry = cache.get(stat.path)
        if not entry or entry[:2] != [stat.size, stat.mtime_ns]:
            entry = [stat.size, stat.mtime_ns, *_name_and_nature(engine, stat)]
        fresh[stat.path] = entry
        aliases, nature = entry[2:]
        assert isinstance(aliases, list)
        if nature:
            continue
        title = stat.path.rpartition("/")[2].removesuffix(".md")
        for name in [title, *aliases]:
            names.setdefault(fold(str(name)), stat.path)
    if fresh != cache:
        engine.index.set_meta(_OWN_NOTES, json.dumps(fresh, sort_keys=True))
    return names


def stray_notes(engine: Engine) -> tuple[str, ...]:
    """Chunk notes that a person moved out of our folders, as the last look at the user's notes saw them."""
    return _of_nature(engine, "chunk")


def _of_nature(engine: Engine, nature: _Nature) -> tuple[str, ...]:
    cache: dict[str, list[object]] = json.loads(engine.index.get_meta(_OWN_NOTES) or "{}")
    return tuple(path for path, entry in sorted(cache.items()) if entry[3] == nature)


def _name_and_nature(engine: Engine, stat: FileStat) -> tuple[list[str], _Nature]:
    """The note's aliases, and whether it is one of ours; ([], "") when it cannot be read: it is the user's."""
    try:
        text = engine.vault.read(stat.path).decode()
        frontmatter = split_note(text).frontmatter
        found = load_properties(frontmatter) if frontmatter else {}
    except (VaultmemError, UnicodeDecodeError, OSError):
        return [], ""
    if "chunk_id" in found and "body_sha256" in found:
        return names_in(found.get("aliases")), "chunk"
    is_entity = str(found.get("id")).startswith(f"{found.get('kind')}:") and "display_name" in found
    if is_entity:
        return names_in(found.get("aliases")), "entity"
    return names_in(found.get("aliases")), "made" if is_ours(found, text) else ""


def _own_entities(engine: Engine, own: Mapping[str, str], notes: list[RegistryNote]) -> list[RegistryNote]:
    """The user's own notes that memory speaks of: the note is the entity."""
    if not own:
        return []
    have = {fold(name) for note in notes for name in (note.entity.display_name, *note.entity.aliases)}
    theirs = {normal_email(email) for note in notes for email in note.entity.emails}
    facts = engine.index.author_facts(own=own_surfaces(engine))
    addresses = personal_addresses(facts)
    spoken: dict[str, list[AuthorFact]] = {}
    for fact in facts:
        path = own.get(fact.surface)
        if path is not None and fact.surface not in have:
            spoken.setdefault(path, []).append(fact)
    theirs |= surfaces_of(engine.settings.me)
    names_at: dict[str, set[str]] = {}
    for name, where in own.items():
        names_at.setdefault(where, set()).add(name)
    found: list[RegistryNote] = []
    for path in sorted(spoken):
        title = path.rpartition("/")[2].removesuffix(".md")
        kind = note_kind(min(spoken[path], key=lambda fact: fact.kind == "email"))
        names = names_at[path] - {fold(title)}
        emails = {email for fact in spoken[path] for email in addresses[fact.surface]} - theirs
        entity = Entity(id=entity_id(kind, title), kind=kind, display_name=title, note_path=path)
        found.append(RegistryNote(entity=replace(entity, aliases=tuple(sorted(names)), emails=tuple(sorted(emails)))))
    return found
