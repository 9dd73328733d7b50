"""The context pack: four sections of what memory holds about a text, each line with the place it stands in.

Memory context is what `recall` answers; user working memory a few facts of the owner; cross-chat context what other
conversations said lately; prior conversations what earlier sessions of agents hold that was thought important.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from vaultmem.answers import Filters, RetrievalHit
from vaultmem.app import facts as app_facts
from vaultmem.app.asker import Asker
from vaultmem.core.recall.pack import pack
from vaultmem.core.recall.words import query_words
from vaultmem.errors import BadQuery, FactsTrouble
from vaultmem.facts import Fact, FactHit
from vaultmem.sources.chat.session import SCOPE, source_of
from vaultmem.told import ContextLine, ContextPack, ContextSection

#: Below this no hit has room beside its path.
LEAST_BUDGET = 200
MOST_BUDGET = 100_000
#: Passages of the first section: as many as `recall` gives by itself.
HITS = 10
_FACTS = 3
_CROSS = 5
_PRIOR = 3
#: What counts as lately.
_RECENT = timedelta(days=30)
#: Hits that are looked through for those of other conversations, where there is one's own.
_LOOKED_AT = 40

_TITLE = "Memory context"
#: So that a model does not take what comes nearest for an answer.
_NO_ANSWER = "Memory context: no good answer, only what comes nearest"

_Place = tuple[str, tuple[int, int], str]


def context(asker: Asker, text: str, *, budget: int, session: str) -> ContextPack:
    """The pack for a text. `session`: id of the running session, whose own turns are no context. Raises BadQuery."""
    if not LEAST_BUDGET <= budget <= MOST_BUDGET:
        raise BadQuery("budget", str(budget), f"tokens from {LEAST_BUDGET} to {MOST_BUDGET:,}")
    own = source_of(session) if session.strip() else ""
    found = asker.recall(text, HITS, Filters())
    taken = {_place(hit) for hit in found.hits}
    facts, trouble = _facts(asker, text)
    cross = _fresh(_recent(asker, text, own), taken, _CROSS)
    prior = _fresh(_prior(asker, text, own), taken, _PRIOR)
    sections = (
        _section("memory_context", _NO_ANSWER if found.no_good_answer else _TITLE, map(_line, found.hits)),
        _section("user_working_memory", "User working memory", map(_fact_line, facts)),
        _section("cross_chat_context", "Cross-chat context", map(_line, cross)),
        _section("prior_conversations", "Prior conversations", map(_line, prior)),
    )
    packed = pack(sections, query_words(text), budget=budget, count=asker.engine.count)
    return ContextPack(
        sections=packed.sections,
        text=packed.text,
        tokens=packed.tokens,
        budget=budget,
        left_out=packed.left_out,
        degraded="; ".join(part for part in (found.degraded, trouble) if part),
        no_good_answer=found.no_good_answer,
    )


def _section(name: str, title: str, lines: Iterable[ContextLine]) -> ContextSection:
    return ContextSection(name=name, title=title, lines=tuple(lines))


def _facts(asker: Asker, text: str) -> tuple[list[FactHit], str]:
    """Facts of the owner that fit the text, then the newest; and what is wrong with their home."""
    home = asker.engine.facts()
    if home is None:
        return [], ""
    try:
        fitting = app_facts.search(home, namespace=app_facts.USER, query=text, limit=_FACTS).hits
        newest = app_facts.search(home, namespace=app_facts.USER, limit=_FACTS).hits
    except FactsTrouble as trouble:
        return [], str(trouble)
    by_key = {hit.fact.key: hit for hit in (*newest[::-1], *fitting[::-1])}
    order = dict.fromkeys(hit.fact.key for hit in (*fitting, *newest))
    return [by_key[key] for key in order][:_FACTS], ""


def _recent(asker: Asker, text: str, own: str) -> list[RetrievalHit]:
    """What other conversations said about it lately, best first."""
    since = asker.engine.now() - _RECENT
    wanted = _LOOKED_AT if own else HITS + _CROSS  # as many as the first section may have taken, and those shown
    found = asker.recall(text, wanted, Filters(kind="chat", since=since)).hits
    return [hit for hit in found if hit.tree_scope != own]


def _prior(asker: Asker, text: str, own: str) -> list[RetrievalHit]:
    """What earlier sessions hold about it: what was marked as important first, then what the gate scored high."""
    found = asker.recall(text, _LOOKED_AT, Filters(source=SCOPE)).hits
    earlier = [hit for hit in found if hit.tree_scope != own]
    return sorted(earlier, key=lambda hit: _priority(asker, hit), reverse=True)


def _priority(asker: Asker, hit: RetrievalHit) -> tuple[float, float, float]:
    found = asker.engine.index.chunk(hit.node_id)
    if found is None:
        return (0.0, 0.0, hit.score)
    _, chunk = found
    return (chunk.signals.get("priority_high", 0.0), round(chunk.score, 1), hit.score)


def _fresh(hits: Iterable[RetrievalHit], taken: set[_Place], most: int) -> list[RetrievalHit]:
    """The first that no section above shows."""
    found: list[RetrievalHit] = []
    for hit in hits:
        if len(found) < most and _place(hit) not in taken:
            taken.add(_place(hit))
            found.append(hit)
    return found


def _place(hit: RetrievalHit) -> _Place:
    """A long paragraph is several passages of the same lines."""
    return hit.note_path, hit.lines, hit.content


def _line(hit: RetrievalHit) -> ContextLine:
    return ContextLine(
        text=hit.content,
        is_whole=True,
        note_path=hit.note_path,
        lines=hit.lines,
        node_id=hit.node_id,
        author=hit.author or hit.heading,
        at=hit.time_range_start,
        trust=hit.trust,
        score=hit.score,
    )


def _fact_line(hit: FactHit) -> ContextLine:
    fact: Fact = hit.fact
    return ContextLine(
        text=fact.value,
        is_whole=True,
        note_path=fact.note_path,
        lines=(fact.line, fact.line),
        node_id=fact.namespace,
        author=fact.key,
        at=fact.since,
        trust="user",
        score=hit.score,
    )
