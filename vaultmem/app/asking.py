"""Asking the language model, and keeping account of it: what was asked, what it cost, how the endpoint was last found.

The account stands in the index beside the clock fields: no part of memory, and kept by a rebuild.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from threading import Lock

from vaultmem.app.engine import Engine
from vaultmem.asked import Completion, LlmState, LlmUse
from vaultmem.core.ingest.redact import redact
from vaultmem.errors import NoAnswer
from vaultmem.ports import Index

#: Names of what the index remembers; those that begin with `llm_` outlive a rebuild.
_USE = "llm_use"
_STATE = "llm_state"


@dataclass(slots=True, kw_only=True)
class Asker:
    """The model for the length of one run. For several threads."""

    engine: Engine
    _lock: Lock = field(default_factory=Lock)
    #: questions sent in this run
    _sent: int = 0

    @property
    def model(self) -> str:
        """Its name; "" where there is none."""
        llm = self.engine.llm()
        return llm.model if llm else ""

    def ask(self, system: str, prompt: str, *, max_tokens: int, json: bool) -> Completion | None:
        """One question; None when there is no whole answer. Everything is counted."""
        llm = self.engine.llm()
        if llm is None:
            return None
        if not self._may_send():
            self.count(LlmUse(unasked=1))
            return None
        try:
            found = llm.complete(system, prompt, max_tokens=max_tokens, json=json)
        except NoAnswer as none:
            self._remember(llm.shown, redact(none.cause).text)
            self.count(LlmUse(calls=int(none.was_sent), unanswered=1))
            return None
        self._remember(llm.shown, "")
        self.count(
            LlmUse(
                calls=1,
                tokens_in=found.tokens_in or self.engine.count(system + prompt),
                tokens_out=found.tokens_out or self.engine.count(found.text),
                unanswered=int(found.truncated),
            )
        )
        return None if found.truncated else found

    def count(self, more: LlmUse) -> None:
        """Add to the account."""
        with self._lock:
            self.engine.index.set_meta(_USE, json.dumps(read_use(self.engine.index).plus(more).to_dict()))

    def _may_send(self) -> bool:
        with self._lock:
            self._sent += 1
            return self._sent <= self.engine.settings.llm_max_calls_per_run

    def _remember(self, endpoint: str, cause: str) -> None:
        with self._lock:
            value = json.dumps({"endpoint": endpoint, "cause": cause})
            if self.engine.index.get_meta(_STATE) != value:
                self.engine.index.set_meta(_STATE, value)


def read_use(index: Index) -> LlmUse:
    """The account so far."""
    found = _fact(index.get_meta(_USE))
    return LlmUse(**{f.name: int(found.get(f.name, 0)) for f in fields(LlmUse)})  # type: ignore[call-overload]


def read_state(engine: Engine) -> LlmState:
    """How the model is; asks nobody."""
    use, llm = read_use(engine.index), engine.llm()
    if llm is None:
        return LlmState(endpoint="", use=use, state="off")
    found = _fact(engine.index.get_meta(_STATE))
    if found.get("endpoint") != llm.shown:
        return LlmState(endpoint=llm.shown, use=use, state="unasked")
    cause = str(found.get("cause", ""))
    return LlmState(endpoint=llm.shown, use=use, state="down" if cause else "ok", cause=cause)


def _fact(text: str) -> Mapping[str, object]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
