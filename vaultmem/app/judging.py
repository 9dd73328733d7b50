"""Chunks that the signals left open: the model is asked, the note rewritten. Without an answer the cheap total stands.

A chunk waits as `memory_status: pending`, in its note: a lost queue loses nothing, and what was once decided is never
asked again. A status that a person writes meanwhile stays as they wrote it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from vaultmem.app.asking import Asker
from vaultmem.app.engine import Engine
from vaultmem.app.notes import read_entries
from vaultmem.asked import LlmEstimate, LlmUse
from vaultmem.core.ingest.compose import Composer
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.ingest.importance import ANSWER_TOKENS, FRAME_TOKENS, Judgement, decided, question, read_judgement
from vaultmem.core.ingest.redact import redact
from vaultmem.core.ingest.rescore import is_decided_by_hand, rescored
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.properties import Property
from vaultmem.core.notes.values import named
from vaultmem.model import Chunk

#: So many waiting chunks are asked about without a word before.
UNTOLD = 50
_ALL = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Decides on pending chunks."""

    asker: Asker

    @property
    def engine(self) -> Engine:
        """The vault it works on."""
        return self.asker.engine

    def decide(self, path: str, chunk: Chunk) -> bool:
        """Decide on a pending chunk, in its note and then in the index; False when the note is in use just now."""
        revised = decided(chunk, self._judgement(chunk))

        def change(note: bytes) -> bytes | None:
            now = parse_chunk_note(note.decode())
            if (now.chunk_id, now.status) != (chunk.chunk_id, "pending"):
                return None
            return edit_properties(note, _changes(revised))

        self.engine.vault.edit(path, change, now=self.engine.now())
        return self._reread(path, chunk.chunk_id, lambda now: now.status != "pending")

    def rescore(self, path: str, chunk: Chunk) -> bool:
        """Judge a chunk again whose body a person edited, as `decide` does; what a person decided stays."""
        if is_decided_by_hand(chunk):
            return True
        revised = rescored(chunk, self._composer())
        if _changes(revised) | _read_anew(revised) == _changes(chunk) | _read_anew(chunk):
            return True

        def change(note: bytes) -> bytes | None:
            now = parse_chunk_note(note.decode())
            if replace(now, edited=True) != replace(chunk, edited=True):
                return None
            return edit_properties(note, _changes(revised) | _read_anew(revised))

        self.engine.vault.edit(path, change, now=self.engine.now())
        return self._reread(path, chunk.chunk_id, lambda now: _changes(now) == _changes(revised))

    def _composer(self) -> Composer:
        engine = self.engine
        return Composer(
            settings=engine.settings,
            registry=build_registry([note.entity for note in engine.index.registry()]),
            count=engine.count,
            file="",
            original="",
            fallback_at=engine.now(),
            asks=engine.llm() is not None,
        )

    def _judgement(self, chunk: Chunk) -> Judgement | None:
        # a body that a person edited was never looked through for secrets
        system, prompt = question(redact(chunk.body, self.engine.settings.redact_pii).text)
        answer = self.asker.ask(system, prompt, max_tokens=ANSWER_TOKENS, json=True)
        if answer is None:
            return None
        found = read_judgement(answer.text, chunk.body)
        if found is None:
            self.asker.count(LlmUse(unanswered=1))
        elif found.invented:
            self.asker.count(LlmUse(invented=found.invented))
        return found

    def _reread(self, path: str, chunk_id: str, is_done: Callable[[Chunk], bool]) -> bool:
        """Index the note as it stands, whoever changed it; False when it still waits (one that is gone does not)."""
        stat = self.engine.vault.stat(path)
        registry = build_registry([note.entity for note in self.engine.index.registry()])
        entries, _ = read_entries(self.engine, registry, [stat] if stat else [])
        kept = [entry for entry in entries if entry.chunk.chunk_id == chunk_id]
        self.engine.index.commit(kept)
        return not kept or is_done(kept[0].chunk)


def _changes(chunk: Chunk) -> dict[str, Property]:
    """The properties a decision sets."""
    changes: dict[str, Property] = {
        "memory_status": chunk.status,
        "memory_score": round(float(chunk.score), 4),
        "signals": [f"{name} {value:.4f}" for name, value in chunk.signals.items()],
        "drop_reason": chunk.drop_reason,
    }
    if chunk.llm_importance is not None:
        changes["llm_entities"] = list(chunk.llm_entities)
        changes["llm_importance"] = chunk.llm_importance
    return changes


def _read_anew(chunk: Chunk) -> dict[str, Property]:
    """The properties that a look at an edited body sets beside those."""
    return {"token_count": chunk.token_count, "entities": list(named(chunk.entities))}


def estimate(engine: Engine) -> LlmEstimate | None:
    """What the next run is about to ask; None when that is nothing, or too little to be told."""
    waiting = engine.index.counts()["pending"]
    llm = engine.llm()
    if llm is None or waiting <= UNTOLD:
        return None
    tokens = [
        leaf.tokens
        for scope, _ in engine.index.scopes()
        for leaf in engine.index.open_leaves(scope, _ALL)[0]
        if leaf.status == "pending"
    ]
    calls = min(len(tokens), engine.settings.llm_max_calls_per_run)
    return LlmEstimate(
        calls=calls,
        tokens_in=sum(tokens[:calls]) + calls * FRAME_TOKENS,
        tokens_out=calls * ANSWER_TOKENS,
        endpoint=llm.shown,
    )
