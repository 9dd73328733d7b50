"""The modes of `tree`: from a name to its entity, from a summary down to its leaves, from ids to whole chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import cast

from vaultmem.answers import EntityHit, EntityResponse, Filters, QueryResponse, RetrievalHit, SourceResponse
from vaultmem.app.asker import Arguments, Asker, by_rank
from vaultmem.app.engine import Engine
from vaultmem.app.hits import LeafNote, node_hits, passage_hits, read_leaf
from vaultmem.app.modes_global import query_global
from vaultmem.app.modes_source import cover_window, query_source, sync_status_list
from vaultmem.app.modes_topic import query_topic
from vaultmem.app.walk import walk
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.notes.ids import entity_id
from vaultmem.core.recall.lookup import Named, look_up, spelt
from vaultmem.errors import BadQuery, NotFound
from vaultmem.grown import REGISTRY_STAMP
from vaultmem.model import Entity, RegistryNote
from vaultmem.queries import MOST_LEAVES, read_arguments, read_mode

TreeAnswer = QueryResponse | EntityResponse | SourceResponse

#: What a name without a note may still be: an address or a link is no entity of its own.
_UNREGISTERED = ("person", "organization", "project", "topic", "location", "event", "handle", "hashtag")
#: Passages of a leaf's source and time that are looked through for the leaf's own.
_LOOKED_AT = 100
#: Digits of an id that are enough to name it.
_SHORTEST_ID = 6


def tree(asker: Asker, mode: str, arguments: Mapping[str, object]) -> TreeAnswer:
    """Answer one mode. Raises BadQuery for what cannot be understood, NotFound for an id that names nothing."""
    values = read_arguments(mode, read_mode(mode).parameters, arguments)
    return _MODES[mode](asker, values)


def search_entities(asker: Asker, arguments: Arguments) -> EntityResponse:
    """Entities whose names hold the query."""
    engine = asker.engine
    kinds = cast("tuple[str, ...]", arguments["kinds"])
    limit = cast(int, arguments["limit"])
    found, guessed = look_up(str(arguments["query"]), _named(engine), kinds)
    hits = tuple(
        EntityHit(
            id=item.id,
            kind=item.kind,
            display_name=item.display_name,
            aliases=item.aliases,
            mentions=item.mentions,
            note_path=item.note_path,
        )
        for item in found[:limit]
    )
    return EntityResponse(
        hits=hits,
        total=len(found),
        truncated=len(found) > len(hits),
        degraded="no name holds these words: names spelt alike" if guessed else "",
    )


def _named(engine: Engine) -> list[Named]:
    """The registry, merged entities as one, and every name without a note."""
    counts = engine.index.entity_counts()
    registered = _registered(engine)
    named = [item._replace(mentions=counts[item.id]) if item.id in counts else item for item in registered]
    return named + _without_note(engine, {item.id for item in registered})


def _registered(engine: Engine) -> tuple[Named, ...]:
    """The registry's entities, their mentions not counted; made once for each state of the registry."""
    stamp = engine.index.get_meta(REGISTRY_STAMP)
    if not stamp:  # nothing was ever given
        return _all_of(engine.index.registry())
    found = _KEPT.get(stamp)
    if found is None:
        found = _all_of(engine.index.registry())
        while len(_KEPT) >= _MOST_KEPT:
            _KEPT.pop(next(iter(_KEPT)), None)
        _KEPT[stamp] = found
    return found


def _all_of(notes: Sequence[RegistryNote]) -> tuple[Named, ...]:
    registry = build_registry([note.entity for note in notes])
    surfaces: dict[str, list[str]] = {}
    for row in registry.aliases():
        surfaces.setdefault(row.entity_id, []).append(row.surface)
    return tuple(_of_note(registry.entities[identity], names) for identity, names in surfaces.items())


def _of_note(entity: Entity, names: Sequence[str]) -> Named:
    item = Named(
        id=entity.id, kind=entity.kind, display_name=entity.display_name, aliases=entity.aliases, mentions=0,
        note_path=entity.note_path, also=tuple(names),
    )  # fmt: skip
    return spelt(item)


#: Stamp of a registry -> its entities; a server of several vaults has several.
_KEPT: dict[str, tuple[Named, ...]] = {}
_MOST_KEPT = 4


def _without_note(engine: Engine, taken: set[str]) -> list[Named]:
    """Names that no note claims, those of one id together."""
    found: dict[str, tuple[str, list[str], int]] = {}
    for kind, _, text, passages in engine.index.unregistered():
        if kind in _UNREGISTERED:
            identity = _entity_id(kind, text)
            _, texts, count = found.get(identity, (kind, [], 0))
            found[identity] = (kind, [*texts, text], count + passages)
    return [
        _spelt_loose(i, kind, tuple(texts))._replace(mentions=count)
        for i, (kind, texts, count) in found.items()
        if i not in taken
    ]


#: The same names are there at the next question.
_entity_id = lru_cache(maxsize=1 << 16)(entity_id)


@lru_cache(maxsize=1 << 16)
def _spelt_loose(identity: str, kind: str, texts: tuple[str, ...]) -> Named:
    """A name without a note, its mentions not counted."""
    item = Named(id=identity, kind=kind, display_name=texts[0], aliases=texts[1:], mentions=0, note_path="")
    return spelt(item)


def drill_down(asker: Asker, arguments: Arguments) -> QueryResponse:
    """Breadth first below a summary, or what is below it ranked by a question; the passages of a leaf."""
    engine, text = asker.engine, str(arguments["query"])
    identity = full_id(engine, str(arguments["node_id"]))
    limit = cast(int, arguments["limit"])
    found = engine.index.node(identity)
    if found is None:
        leaf = _leaf(engine, identity)
        hits = passage_hits(engine.index, leaf)
        lacking = ""
        if text:
            hits, lacking = _ranked_passages(asker, leaf, hits, text)
        return _response(hits[:limit], len(hits), [lacking] if lacking else [])
    node = found[1]
    below = _ids_below(engine, node.child_ids, cast(int, arguments["max_depth"]))
    if not text:
        return asker.answer(below, limit)
    scope = None if node.tree_kind == "global" else node.tree_scope
    filters = Filters(since=node.time_start, until=node.time_end)
    scores, lacking = asker.ranked(below, text, filters, node.tree_kind, scope)
    return asker.answer(by_rank(below, scores), limit, scores=scores, degraded=[lacking])


def _ranked_passages(
    asker: Asker, leaf: LeafNote, hits: list[RetrievalHit], text: str
) -> tuple[list[RetrievalHit], str]:
    """The passages of a leaf that fit a question first, with their scores; and what recall found wanting."""
    chunk = leaf.chunk
    filters = Filters(source=chunk.source_id, since=chunk.time_start, until=chunk.time_end, dropped=True)
    found = asker.recall(text, _LOOKED_AT, filters)
    scores = {hit.lines: hit for hit in found.hits if hit.node_id == chunk.chunk_id}
    ranked = [
        replace(hit, score=scores[hit.lines].score, score_parts=scores[hit.lines].score_parts)
        for hit in hits
        if hit.lines in scores
    ]
    ranked.sort(key=lambda hit: (-hit.score, hit.lines))
    return [*ranked, *(hit for hit in hits if hit.lines not in scores)], found.degraded


def _ids_below(engine: Engine, children: Sequence[str], max_depth: int) -> list[str]:
    """Ids of all nodes down to that depth, level by level; each once, whatever the notes claim."""
    seen = dict.fromkeys(children)
    level = list(seen)
    for _ in range(1, max_depth):
        found = engine.index.nodes_named(level)
        below = dict.fromkeys(child for node_id in level if node_id in found for child in found[node_id][1].child_ids)
        level = [child for child in below if child not in seen]
        if not level:
            break
        seen |= dict.fromkeys(level)
    return list(seen)


def fetch_leaves(asker: Asker, arguments: Arguments) -> QueryResponse:
    """Whole chunks by id, in the order asked for; those past the cap are counted, those missing are named."""
    engine = asker.engine
    asked = tuple(dict.fromkeys(cast("tuple[str, ...]", arguments["chunk_ids"])))
    wanted = asked[:MOST_LEAVES]
    hits, missing = node_hits(engine.index, engine.vault, wanted)
    if len(asked) > MOST_LEAVES:
        missing.append(f"only {MOST_LEAVES} chunks a call: ask again for the other {len(asked) - MOST_LEAVES}")
    return _response(hits, len(hits) + len(asked) - len(wanted), missing)


def _leaf(engine: Engine, identity: str) -> LeafNote:
    leaf = read_leaf(engine.index, engine.vault, identity)
    if isinstance(leaf, str):
        raise NotFound(identity, f"memory ({leaf.partition(': ')[2]})")
    return leaf


def full_id(engine: Engine, identity: str) -> str:
    """The id that begins so, when only one does; links and notes show six digits. Raises NotFound, BadQuery."""
    found = engine.index.ids_beginning(identity) if len(identity) >= _SHORTEST_ID else ()
    if not found:
        raise NotFound(identity, "memory: node_id of a hit is what is asked for")
    if len(found) > 1 and identity not in found:
        raise BadQuery("id", identity, "more digits: several ids begin so")
    return identity if identity in found else found[0]


def _response(hits: Sequence[RetrievalHit], total: int, missing: Sequence[str]) -> QueryResponse:
    return QueryResponse(hits=tuple(hits), total=total, truncated=total > len(hits), degraded="; ".join(missing))


_MODES: Mapping[str, Callable[[Asker, Arguments], TreeAnswer]] = {
    "search_entities": search_entities,
    "query_source": query_source,
    "query_topic": query_topic,
    "query_global": query_global,
    "cover_window": cover_window,
    "walk": walk,
    "smart_walk": walk,
    "drill_down": drill_down,
    "fetch_leaves": fetch_leaves,
    "sync_status_list": sync_status_list,
}
