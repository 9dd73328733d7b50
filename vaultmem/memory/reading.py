"""The half of the public face that answers: recall, tree, explain, status, doctor, verify."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.answers import Filters, QueryResponse
from vaultmem.app import recall as app_recall
from vaultmem.app.embed import look_again, vector_state
from vaultmem.app.usage import UsageLog
from vaultmem.errors import BadQuery
from vaultmem.memory.vault import LOOK, Opened
from vaultmem.store.atomic import replace_with, write_new
from vaultmem.store.index import open_index
from vaultmem.store.lock import holder

if TYPE_CHECKING:
    from vaultmem.app.doctor import Diagnosis
    from vaultmem.app.explain import Dropped, Explained
    from vaultmem.app.graph import EntityGraph
    from vaultmem.app.modes_global import DigestView
    from vaultmem.app.modes_topic import TopicList
    from vaultmem.app.secrets import FoundSecrets
    from vaultmem.app.status import Status, Verified
    from vaultmem.app.timeline import Timeline
    from vaultmem.app.tree import TreeAnswer
    from vaultmem.history import Changes

#: Passages among which `explain` looks for the one asked about.
_EXPLAINED = 200


class Reading(Opened):
    """What answers and changes no note."""

    def close(self) -> None:
        """Remember what was asked for, and give the index back."""
        self._usage.close()
        super().close()

    @cached_property
    def _usage(self) -> UsageLog:
        return UsageLog(engine=self._engine)

    def recall(
        self,
        text: str,
        *,
        k: int = 10,
        source: str = "",
        kind: str = "",
        since: str = "",
        until: str = "",
        entity: str = "",
        tag: str = "",
        dropped: bool = False,
    ) -> QueryResponse:
        """Passages that answer `text`, best first. `since`/`until`: ISO day or time. Raises BadQuery."""
        window = app_recall.read_ends(since, until, self._settings.zone)
        filters = Filters(
            source=source,
            kind=kind,
            since=window.since,
            until=window.until,
            entity=entity,
            tag=tag,
            dropped=dropped,
        )
        return self._answer(text, k, filters, self._usage.note)

    def _answer(
        self, text: str, k: int, filters: Filters, named: Callable[[Sequence[str]], None] = lambda _: None
    ) -> QueryResponse:
        found = self._evidence(text, k, filters, named)
        return app_recall.cited(self._index, self._disk, found, k=k, filters=filters)

    def _evidence(
        self, text: str, k: int, filters: Filters, named: Callable[[Sequence[str]], None] = lambda _: None
    ) -> app_recall.Evidence:
        missing = self._catch_up()
        found = app_recall.evidence(
            self._index,
            text,
            k=k,
            filters=replace(filters, within=self._sources),
            now=self._engine.now(),
            zone=self._settings.zone,
            embedders=self._embedders,
            weights=self._settings.ranking,
            named=named,
            reorder=self._reorder,
        )
        return replace(found, lacking=(missing, *found.lacking)) if missing else found

    @cached_property
    def _reorder(self) -> app_recall.Reorder | None:
        """What the user's reranker makes of a ranking."""
        if self._reranker is None:
            return None
        from vaultmem.app.rerank import reorder

        return partial(reorder, self._reranker, self._settings.redact_pii)

    @property
    def name(self) -> str:
        """The vault's name, as Obsidian knows it: its folder's."""
        return self._disk.root.name

    def marked(self, query: str, content: str) -> Sequence[tuple[int, int]]:
        """(start, end) of the words of a passage that stand in the question."""
        from vaultmem.app.readable import marked

        return marked(query, content)

    def tree(self, mode: str, /, **arguments: object) -> TreeAnswer:
        """A mode of the tree, as `queries.TREE_MODES` lists them. Raises BadQuery, NotFound."""
        from vaultmem.app.asker import Asker
        from vaultmem.app.tree import tree

        missing = self._catch_up()
        asker = Asker(engine=self._engine, recall=self._answer, evidence=self._evidence)
        found = tree(asker, mode, arguments)
        if self._sources and isinstance(found, QueryResponse):
            from vaultmem.app.within import held_to

            found = held_to(self._engine, found, self._sources)
        return replace(found, degraded=_joined(missing, found.degraded))

    def digest(self, period: str = "") -> DigestView:
        """The digest of `today`, `yesterday`, a day, week, month or year; "": the newest. Raises BadQuery."""
        from vaultmem.app.modes_global import read_digest

        missing = self._catch_up()
        found = read_digest(self._engine, period)
        return replace(found, degraded=_joined(missing, found.degraded))

    def diff(self, since: str = "") -> Changes:
        """What memory gained, lost and changed since a time or a revision of git; "": since the last look, which this
        one then is. Raises BadQuery, GitTrouble.
        """
        from vaultmem.app.diff import diff

        remember = partial(self._data.remember, LOOK)
        return diff(self._engine, since, look=self._data.remembered(LOOK), remember=remember)

    def topics(self) -> TopicList:
        """Every topic, active and archived, with what makes it hot."""
        from vaultmem.app.modes_topic import list_topics

        self._catch_up()
        return list_topics(self._engine)

    def graph(self, entity: str, *, hops: int = 1, limit: int = 30) -> EntityGraph:
        """An entity (id, name or alias) and who stands beside it. Raises NotFound, BadQuery."""
        from vaultmem.app.graph import entity_graph

        self._catch_up()
        return entity_graph(self._engine, entity, hops=hops, limit=limit)

    def timeline(self, entity: str) -> Timeline:
        """In how many chunks an entity (id, name or alias) is named, by month. Raises NotFound, BadQuery."""
        from vaultmem.app.timeline import read_timeline

        self._catch_up()
        return read_timeline(self._engine, entity)

    def write_canvas(self, graph: EntityGraph, path: str | Path, *, force: bool = False) -> None:
        """Write a graph as an Obsidian canvas. Raises BadQuery for a file that is there, unless `force`."""
        target, data = Path(path).expanduser(), graph.to_canvas().encode("utf-8", "replace")
        if force:
            replace_with(target, data)
            return
        try:
            write_new(target, [data])
        except FileExistsError:
            raise BadQuery("canvas", str(path), "a file that is not there yet, or --force") from None

    def explain(self, identity: str, *, query: str = "") -> Explained:
        """Why this chunk or summary, by its id; with `query`, how it fared as an answer. Raises NotFound, BadQuery."""
        from vaultmem.app.explain import explain

        self._catch_up()
        answer = self._answer(query, _EXPLAINED, Filters(dropped=True)) if query else None
        return explain(self._engine, identity, query=query, answer=answer)

    def pages(self) -> tuple[str, ...]:
        """Paths of the notes to begin reading with."""
        from vaultmem.app.readable import list_pages

        return list_pages(self._engine, self._sources)

    def page(self, path: str) -> str:
        """The text of a note that memory holds, secrets taken out. Raises NotFound."""
        from vaultmem.app.readable import read_page

        return read_page(self._engine, path, self._sources)

    def dropped(self, limit: int = 20) -> Dropped:
        """What the gate did not keep, newest first."""
        from vaultmem.app.explain import list_dropped

        self._catch_up()
        return list_dropped(self._engine, limit)

    def status(self) -> Status:
        """What memory holds, what waits, what is stale, what is wrong."""
        from vaultmem.app.rerank import rerank_state
        from vaultmem.app.status import read_status

        return read_status(
            self._engine,
            data=str(self._data.path),
            writer=holder(self._data),
            index_state=self._index.state,
            vectors=vector_state(self._index, self._embedders),
            reranker=rerank_state(self._reranker),
        )

    def doctor(self) -> Diagnosis:
        """What is wrong, and what to do about it; changes nothing."""
        from vaultmem.app import rerank
        from vaultmem.app.doctor import diagnose

        look_again(self._embedders.current)
        rerank.look_again(self._reranker)
        return diagnose(
            self.status(),
            self._settings,
            damage=self._index.check(),
            exposed=self._data.exposed(),
            dead=self._index.queue.dead(),
        )

    def secrets(self) -> FoundSecrets:
        """Where secrets stand in the vault's texts, the owner's own notes included; changes nothing."""
        return import_module("vaultmem.app.secrets").find_secrets(self._engine)  # type: ignore[no-any-return]

    def verify(self) -> Verified:
        """Compare the index with the notes."""
        from tempfile import TemporaryDirectory

        from vaultmem.app.status import verify

        self._catch_up()
        with TemporaryDirectory(prefix="verify-", dir=self._data.path) as folder:
            second = open_index(Path(folder) / "second.sqlite")
            try:
                return verify(self._engine, replace(self._engine, index=second))
            finally:
                second.close()


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
