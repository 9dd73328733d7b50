"""Facts and answers as text for people."""

from __future__ import annotations

from vaultmem.facts import Fact, FactResponse, FactsKept
from vaultmem.told import Answer


def show_facts(found: FactResponse) -> str:
    """One fact a line, with the place it stands in."""
    if not found.hits:
        return f"no facts ({found.home})"
    lines = [f"{hit.fact.namespace}  {_line(hit.fact)}" for hit in found.hits]
    more = [f"… {found.total - len(found.hits)} more"] if found.truncated else []
    return "\n".join([*lines, *more])


def show_fact(fact: Fact) -> str:
    """The fact, since when, and what it was before."""
    since = [f"  since {fact.since}{_from(fact.source)}"] if fact.since else ["  written by hand"]
    before = [
        f"  was{f', {e.since}' if e.since else ''} to {e.until}: {_flat(e.value)}{_from(e.source)}"
        for e in fact.earlier
    ]
    return "\n".join([_line(fact), *since, *before])


def show_kept(kept: FactsKept) -> str:
    """What was done."""
    return "\n".join(
        f"{change.done}: {kept.namespace} {change.key}: {_flat(change.value)}"
        + (f" (was: {_flat(change.before)})" if change.done == "superseded" else "")
        for change in kept.changes
    )


def show_answer(found: Answer) -> str:
    """The answer, then what it cites, each with its place."""
    rows = [
        f"[{number}] {hit.note_path}:{hit.lines[0]}-{hit.lines[1]} {hit.author}: {_flat(hit.content)[:200]}"
        for number, hit in enumerate(found.hits, start=1)
    ]
    dropped = f"{found.dropped} sentences that cited nothing were dropped" if found.dropped else ""
    return "\n".join(
        part for part in (found.text, *rows, dropped, f"({found.degraded})" if found.degraded else "") if part
    )


def _line(fact: Fact) -> str:
    place = f"  [{fact.cited}]" if fact.cited else ""
    return f"{fact.key}: {_flat(fact.value)}{place}"


def _from(source: str) -> str:
    return f", from {source}" if source else ""


def _flat(text: str) -> str:
    return " ".join(text.split())
