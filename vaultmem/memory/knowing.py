"""What the public face tells beyond passages: facts, the context pack, the memory agent's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.memory.reading import Reading

if TYPE_CHECKING:
    from vaultmem.app.asker import Asker
    from vaultmem.facts import FactResponse, FactsKept
    from vaultmem.told import Answer, ContextPack


class Knowing(Reading):
    """What is made of passages and facts."""

    def set_fact(self, namespace: str, key: str, value: str, *, source: str = "") -> FactsKept:
        """Keep a value under a key; the one before stays with its dates. Raises BadQuery, FactsTrouble, CannotWrite."""
        from vaultmem.app.facts import put
        from vaultmem.facts import NewFact

        item = NewFact(key=key, value=value, source=source)
        return put(self._facts, namespace, [item], pii=self._settings.redact_pii, now=self._engine.now())

    def fact(self, namespace: str, key: str) -> FactResponse:
        """One fact, with what stood there before. Raises NotFound, BadQuery, FactsTrouble."""
        from vaultmem.app.facts import get

        return get(self._facts, namespace, key)

    def facts(self, namespace: str = "", *, query: str = "", limit: int = 100) -> FactResponse:
        """Facts that fit a query, best first; without one all, newest first; "" is every namespace.

        Raises BadQuery, FactsTrouble.
        """
        from vaultmem.app.facts import search

        return search(self._facts, namespace=namespace, query=query, limit=limit)

    def context(self, text: str, *, budget: int = 2000, session: str = "") -> ContextPack:
        """What memory holds about a text, in four sections and so many tokens (200 at least). Raises BadQuery."""
        from vaultmem.app.context import context

        return context(self._asker, text, budget=budget, session=session)

    def ask(self, text: str) -> Answer:
        """An answer whose sentences cite what was found, by the model the user named; without one what a walk finds.

        Raises BadQuery.
        """
        from vaultmem.app.ask import ask

        return ask(self._asker, text)

    @property
    def _asker(self) -> Asker:
        from vaultmem.app.asker import Asker

        return Asker(engine=self._engine, recall=self._answer, evidence=self._evidence)
