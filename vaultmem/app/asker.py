"""What the modes of the tree share: a window and a source as they were asked for, and nodes ranked by a question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultmem.answers import Filters, QueryResponse, RetrievalHit
from vaultmem.app.engine import Engine
from vaultmem.app.hits import node_hits
from vaultmem.app.recall import Evidence, rounded, rounded_parts
from vaultmem.core.recall.rank import Ranked
from vaultmem.core.recall.window import Window, read_window
from vaultmem.errors import repeated
from vaultmem.forest import Asked
from vaultmem.grown import TreeKind
from vaultmem.queries import Value

Arguments = Mapping[str, Value]
#: Nodes are ranked by all passages that are ranked for so many hits: about twice as many.
_RANKED_FOR = 50
#: Higher than any tree: a note that a person broke may list itself.
_HIGHEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """An open vault that is asked, and how passages are ranked in it."""

    engine: Engine
    #: (question, how many, filters) -> passages, best first
    recall: Callable[[str, int, Filters], QueryResponse]
    #: the same, as the index has it: notes are not looked at
    evidence: Callable[[str, int, Filters], Evidence]

    def window(self, arguments: Arguments) -> Window:
        """The time asked for. Raises BadQuery."""
        return read_window(arguments, self.engine.now(), self.engine.settings.zone)

    def asked(self, arguments: Arguments, window: Window) -> tuple[Asked | None, Filters, str]:
        """Which leaves are asked for, the same as filters of recall, and in words when there is no such source."""
        name, kind = str(arguments["source"]), str(arguments["kind"])
        filters = Filters(kind=kind, since=window.since, until=window.until)
        asked = Asked(since_us=window.since_us, until_us=window.until_us, kind=kind)
        if not name:
            return asked, filters, ""
        if name.endswith((":", "*")):
            return replace(asked, source=name.removesuffix("*"), is_prefix=True), replace(filters, source=name), ""
        meaning = self.engine.index.forest.meaning_of(name)
        if meaning == "scope":
            return replace(asked, scope=name), filters, ""
        source = (
            name
            if meaning
            else next(iter(self.engine.index.documents_with(own_id(name))), "")
            or next(iter(self.engine.index.documents_with(name)), "")
        )
        if source:
            return replace(asked, source=source), replace(filters, source=source), ""
        return None, filters, f"no source is called {repeated(name)!r}: sync_status_list names them"

    def answer(
        self,
        order: Sequence[str],
        limit: int,
        *,
        scores: Mapping[str, Ranked] | None = None,
        degraded: Iterable[str] = (),
    ) -> QueryResponse:
        """The first nodes of this order as hits. `scores`: node -> the passage below it that fits the question best."""
        hits, missing = node_hits(self.engine.index, self.engine.vault, order[:limit])
        if scores:
            hits = [_scored(hit, scores.get(hit.node_id)) for hit in hits]
        total = len(order) - len(missing)
        told = "; ".join(text for text in (*degraded, *missing) if text)
        return QueryResponse(hits=tuple(hits), total=total, truncated=total > len(hits), degraded=told)

    def ranked(
        self, nodes: Collection[str], text: str, filters: Filters, kind: TreeKind, scope: str | None = None
    ) -> tuple[dict[str, Ranked], str]:
        """Node -> the best passage at or below it for this question, best first; nodes without one are left out.

        Also what recall found wanting. `kind`, `scope`: of the tree that the nodes stand in.
        """
        wanted = frozenset(nodes)
        found = self.evidence(text, _RANKED_FOR, filters)
        above = self._above({item.row.chunk_id for item in found.ranked}, wanted, kind, scope)
        best: dict[str, Ranked] = {}
        for item in found.ranked:
            if node := above.get(item.row.chunk_id):
                best.setdefault(node, item)
        return best, "; ".join(found.lacking)

    def _above(
        self, leaves: Collection[str], wanted: frozenset[str], kind: TreeKind, scope: str | None
    ) -> dict[str, str]:
        """Leaf -> the first of the wanted nodes on the way up; those without one are left out."""
        at = {leaf: leaf for leaf in leaves}
        for _ in range(_HIGHEST):
            under = set(at.values()) - wanted
            if not under:
                break
            parents = self.engine.index.parents_of(under, kind, scope)
            at = {leaf: node if node in wanted else parents.get(node, "") for leaf, node in at.items()}
            at = {leaf: node for leaf, node in at.items() if node}
        return {leaf: node for leaf, node in at.items() if node in wanted}


def by_rank(order: Sequence[str], scores: Mapping[str, Ranked]) -> list[str]:
    """The best first, then the others as they stood."""
    return [*scores, *(node for node in order if node not in scores)]


def own_id(source_id: str) -> str:
    """What a document that an agent wrote bears as its own id: an address is a name here, and no page."""
    return f"ingest:{source_id.replace('://', ':')}"


def _scored(hit: RetrievalHit, best: Ranked | None) -> RetrievalHit:
    return hit if best is None else replace(hit, score=rounded(best.score), score_parts=rounded_parts(best))
