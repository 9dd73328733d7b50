"""Walk: a question answered by the entities it names and how they hang together, without a model.

no entity          -> global: the passages recall finds, and summaries above several of them
one                -> local: passages that name it, ranked by the question
several, related   -> local: the chunks along the ways between them, bridges included; closer ways while they are many
several, unrelated -> global, those that name more of them first
Whatever is short of passages is filled up with what recall finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import combinations, pairwise
from typing import cast

from vaultmem.answers import Filters, QueryResponse, RetrievalHit
from vaultmem.app.asker import Arguments, Asker
from vaultmem.app.graph import Acquaintance
from vaultmem.app.hits import LeafNote, node_hits, read_leaves, some_passages
from vaultmem.core.recall.graph import ways
from vaultmem.core.recall.names import name_candidates
from vaultmem.core.recall.weights import Weights
from vaultmem.core.recall.window import Window
from vaultmem.errors import BadQuery
from vaultmem.forest import About, Asked

#: Passages that are looked for where there are ways: evidence for the chunks that they lead over.
_LEAST = 50
#: What a name without a note may be and still count: tags and handles are words of every question.
_KINDS = ("person", "organization", "project", "topic", "location", "event")
#: Chunks of an entity in which its neighbours are looked for: the newest.
_LOOKED_AT = 500


def walk(asker: Asker, arguments: Arguments) -> QueryResponse:
    """Answer one question. Raises BadQuery."""
    window = _window(asker, arguments)
    asked, filters, problem = asker.asked(arguments, window)
    if asked is None:
        return QueryResponse(hits=(), total=0, truncated=False, degraded=problem, route="none: no such source")
    way = _Walk(
        asker=asker,
        text=str(arguments["query"]),
        limit=cast(int, arguments["limit"]),
        hops=cast(int, arguments["max_hops"]),
        asked=asked,
        filters=filters,
    )
    return way.go(_entities(asker, way.text))


def _window(asker: Asker, arguments: Arguments) -> Window:
    window = asker.window(arguments)
    days = cast(int, arguments["time_window_days"])
    if not days:
        return window
    if window.since is not None:
        raise BadQuery("time_window_days", str(days), "either this or 'since' or 'window'")
    return replace(window, since=(window.until or asker.engine.now()) - timedelta(days=days))


def _entities(asker: Asker, text: str) -> tuple[str, ...]:
    """The entities the question names for sure, in its order; of names within names the longest."""
    found: dict[str, None] = {}
    taken = ""
    for name in name_candidates(text):
        if f" {name} " in f" {taken} ":
            continue
        ids = asker.engine.index.company.meanings(name)
        if len(ids) == 1 and ids[0].partition(":")[0] in _KINDS:
            found[ids[0]] = None
            taken = f"{taken} {name}"
    return tuple(found)[: asker.engine.settings.ranking.walk_entities]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Local:
    """What the ways between a question's entities lead over."""

    #: chunk -> the entities of the ways that it stands on
    chunks: Mapping[str, frozenset[str]]
    #: `person:a - project:b - person:c`
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """One question on its way."""

    asker: Asker
    text: str
    limit: int
    hops: int
    asked: Asked
    filters: Filters

    @property
    def weights(self) -> Weights:
        """The vault's own constants."""
        return self.asker.engine.settings.ranking

    def go(self, entities: Sequence[str]) -> QueryResponse:
        """Choose the route and follow it."""
        wanted = max(_LEAST if len(entities) > 1 else 0, 2 * self.limit)
        found = self.asker.recall(self.text, wanted, self.filters)
        if not entities:
            return self._global(found, "global: no known name in the question")
        if len(entities) == 1:
            return self._about_one(entities[0], found)
        local = self._related(entities)
        if local is None:
            first = sorted(found.hits[: 2 * self.limit], key=lambda hit: -_named(hit, entities))
            ranked = replace(found, hits=(*first, *found.hits[2 * self.limit :]))
            return self._global(ranked, f"global: {', '.join(entities)} are not related")
        return self._local(local, entities, found)

    def _about_one(self, entity_id: str, found: QueryResponse) -> QueryResponse:
        own = self.asker.recall(self.text, self.limit, replace(self.filters, entity=entity_id))
        if not own.hits:
            return self._global(found, f"global: nothing in this time and these sources names {entity_id}")
        return self._cut(_filled(own.hits, found.hits), found, f"local: {entity_id}", max(own.total, found.total))

    def _global(self, found: QueryResponse, route: str) -> QueryResponse:
        """Passages, then the summaries that stand above several of them."""
        room = self.limit // self.weights.walk_summaries
        summaries = self._summaries(found.hits[: 2 * self.limit], room)
        shown = (*found.hits[: self.limit - len(summaries)], *summaries)
        total = found.total + len(summaries)
        return replace(found, hits=shown, total=total, truncated=total > len(shown), route=route)

    def _summaries(self, hits: Sequence[RetrievalHit], room: int) -> list[RetrievalHit]:
        """The lowest summaries above most of these, all of whose leaves were asked for."""
        index = self.asker.engine.index
        chunks = list(dict.fromkeys(hit.node_id for hit in hits))
        above = Counter(index.parents_of(chunks).values())
        ripe = sorted(
            (node for node, count in above.items() if count >= self.weights.walk_above), key=lambda n: (-above[n], n)
        )
        allowed = [node for node in ripe if self.asker.engine.index.forest.holds(node, self.asked)][:room]
        return node_hits(index, self.asker.engine.vault, allowed)[0]

    def _related(self, entities: Sequence[str]) -> _Local | None:
        """The chunks of the shortest ways between these; closer ones while they are more than asked for."""
        a = self.asked
        about = About(
            since_us=a.since_us, until_us=a.until_us, source=a.source, is_prefix=a.is_prefix, scope=a.scope,
            kind=a.kind, most=self.weights.walk_step,
        )  # fmt: skip
        known = Acquaintance(engine=self.asker.engine, about=replace(about, most=_LOOKED_AT))
        routes = {pair: self._ways(pair, known, about) for pair in combinations(entities, 2)}
        routes = {pair: found for pair, found in routes.items() if found}
        best: _Local | None = None
        for hops in range(self.hops, 0, -1):
            kept = [way for found in routes.values() for way in found if len(way) - 1 <= hops]
            if not kept:
                break
            best = self._along(kept, about)
            if len(best.chunks) <= self.limit:
                break
        return best

    def _ways(self, pair: tuple[str, str], known: Acquaintance, about: About) -> list[tuple[str, ...]]:
        if self.asker.engine.index.company.shared(*pair, replace(about, most=1)):
            return [pair]
        return ways(*pair, known.edges, hops=self.hops, weights=self.weights) if self.hops > 1 else []

    def _along(self, found: Sequence[tuple[str, ...]], about: About) -> _Local:
        chunks: dict[str, set[str]] = {}
        for way in found:
            for one, other in pairwise(way):
                for seen in self.asker.engine.index.company.shared(one, other, about):
                    chunks.setdefault(seen.chunk_id, set()).update((one, other))
        told = "; ".join(" - ".join(way) for way in found)
        return _Local(chunks={chunk: frozenset(named) for chunk, named in chunks.items()}, told=told)

    def _local(self, local: _Local, entities: Sequence[str], found: QueryResponse) -> QueryResponse:
        """The passages on the ways: those that name most of the question's entities first, then by rank and time."""
        by_chunk: dict[str, list[RetrievalHit]] = {}
        for hit in found.hits:
            if hit.node_id in local.chunks:
                by_chunk.setdefault(hit.node_id, []).append(hit)
        by_chunk |= self._naming({chunk: named for chunk, named in local.chunks.items() if chunk not in by_chunk})
        ranked: list[tuple[int, RetrievalHit]] = []
        for chunk, named in local.chunks.items():
            ranked += [(len(named.intersection(entities)), hit) for hit in by_chunk.get(chunk, [])[:2]]
        ranked.sort(key=lambda each: each[1].node_id)
        ranked.sort(key=lambda each: each[1].time_range_start, reverse=True)
        ranked.sort(key=lambda each: (-each[0], -each[1].score))
        total = max(len(ranked), found.total)
        return self._cut(_filled([hit for _, hit in ranked], found.hits), found, f"local: {local.told}", total)

    def _naming(self, chunks: Mapping[str, frozenset[str]]) -> dict[str, list[RetrievalHit]]:
        """Of each chunk the passage in the time asked for that names most of its entities; of equals the first."""
        engine = self.asker.engine
        leaves = read_leaves(engine.index, engine.vault, chunks)
        told = engine.index.company.named_in(chunks, sorted(frozenset().union(*chunks.values())))
        chosen: list[tuple[LeafNote, int]] = []
        for chunk_id, leaf in leaves.items():
            if isinstance(leaf, LeafNote):
                named = {at: own & chunks[chunk_id] for at, own in told.get(chunk_id, {}).items()}
                timely = [at for at, own in named.items() if own and self._is_timely(leaf, at)]
                chosen += [(leaf, min(timely, key=lambda at: (-len(named[at]), at)))] if timely else []
        hits = some_passages(engine.index, chosen)
        return {hit.node_id: [hit] for hit in hits}

    def _is_timely(self, leaf: LeafNote, place: int) -> bool:
        if place >= len(leaf.passages):
            return False
        said = leaf.passages[place].sent_at or leaf.chunk.time_start
        return Window(since=self.filters.since, until=self.filters.until).holds(said)

    def _cut(self, hits: Sequence[RetrievalHit], found: QueryResponse, route: str, total: int) -> QueryResponse:
        shown = tuple(hits[: self.limit])
        return replace(found, hits=shown, total=total, truncated=total > len(shown), route=route)


def _named(hit: RetrievalHit, entities: Sequence[str]) -> int:
    """How many of the question's entities a passage names."""
    return len(set(hit.entities).intersection(entities))


def _filled(first: Sequence[RetrievalHit], then: Sequence[RetrievalHit]) -> list[RetrievalHit]:
    """The first ones, then the others that are not among them."""
    seen = {(hit.node_id, hit.lines) for hit in first}
    return [*first, *(hit for hit in then if (hit.node_id, hit.lines) not in seen)]
