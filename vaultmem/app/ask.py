"""The memory agent: a language model that looks things up in memory, a few steps at most, and answers with citations.

It chooses; memory answers. Hits are numbered as they are found, and only their numbers count in an answer. Without a
model, or when it says nothing that can be used, what a walk finds is given back instead, and why is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vaultmem.answers import Filters, QueryResponse, RetrievalHit
from vaultmem.app.asker import Asker
from vaultmem.app.asking import Asker as ModelAsker
from vaultmem.app.tree import tree
from vaultmem.core.ingest.redact import redact
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.recall.agent import STEPS, SYSTEM, Action, check_answer, read_action, renumbered
from vaultmem.core.recall.excerpt import excerpt
from vaultmem.core.recall.window import read_ends
from vaultmem.core.recall.words import query_words
from vaultmem.errors import BadQuery, NotFound
from vaultmem.queries import check_question
from vaultmem.told import Answer, AskStep

#: Hits one look-up shows, tokens of each, and tokens of all that a model is shown.
_HITS = 8
_HIT_TOKENS = 160
_SHOWN_TOKENS = 6000
_ANSWER_TOKENS = 900
_ALLOWED = ("query", "since", "until", "entity", "source", "kind", "tag")
_NO_MODEL = "no language model is configured (llm: in your own config): what a walk finds"
_NO_EVIDENCE = "memory holds nothing that answers this"
_NEAREST = ", which only come nearest: none is a good answer"


@dataclass(slots=True, kw_only=True)
class _Talk:
    """One question on its way: what was found, and what was done."""

    asker: Asker
    model: ModelAsker
    question: str
    hits: list[RetrievalHit] = field(default_factory=list)
    steps: list[AskStep] = field(default_factory=list)
    #: what the model is told after the question
    told: list[str] = field(default_factory=list)
    #: a look-up found more than what merely comes nearest
    has_evidence: bool = False
    missing: list[str] = field(default_factory=list)


def ask(asker: Asker, question: str) -> Answer:
    """Answer a question. Raises BadQuery for one without words."""
    if not question.strip():
        raise BadQuery("text", question, "a question")
    check_question("text", question)
    model = ModelAsker(engine=asker.engine)
    talk = _Talk(asker=asker, model=model, question=redact(question, asker.engine.settings.redact_pii).text)
    _look_up(talk, Action(name="walk", arguments={"query": question, "limit": _HITS}))
    if not model.model:
        return _walked(talk, _NO_MODEL)
    problem = ""
    for _ in range(STEPS):
        reply = model.ask(SYSTEM, _prompt(talk), max_tokens=_ANSWER_TOKENS, json=True)
        if reply is None:
            return _walked(talk, "the language model gave no answer: what a walk finds")
        action = read_action(reply.text)
        if isinstance(action, str):
            problem = action
            talk.steps.append(AskStep(action="?", arguments={}, found=-1, problem=action))
            talk.told.append(f"That was not understood: {action}.")
        elif action.name in ("answer", "refuse"):
            return _answered(talk, action)
        else:
            _look_up(talk, action)
    return _walked(talk, f"the language model came to no answer in {STEPS} steps{f' ({problem})' if problem else ''}")


def _look_up(talk: _Talk, action: Action) -> None:
    """Carry out one action; what goes wrong is told to the model, never raised."""
    try:
        found = _carried_out(talk.asker, action)
    except (BadQuery, NotFound) as wrong:
        talk.steps.append(AskStep(action=action.name, arguments=action.arguments, found=-1, problem=str(wrong)))
        talk.told.append(f"{action.name} could not be done: {wrong}")
        return
    fresh = found.hits[:_HITS]
    known = {_place(hit): number for number, hit in enumerate(talk.hits, start=1)}
    numbers = []
    for hit in fresh:
        if _place(hit) not in known:
            talk.hits.append(hit)
            known[_place(hit)] = len(talk.hits)
        numbers.append(known[_place(hit)])
    talk.steps.append(AskStep(action=action.name, arguments=action.arguments, found=len(fresh)))
    talk.missing += [found.degraded] if found.degraded and found.degraded not in talk.missing else []
    talk.has_evidence |= bool(fresh) and not found.no_good_answer
    listed = ", ".join(f"[{number}]" for number in numbers) or "nothing"
    talk.told.append(f"{action.name} found {listed}{_NEAREST if fresh and found.no_good_answer else ''}.")


def _carried_out(asker: Asker, action: Action) -> QueryResponse:
    """Raises BadQuery, NotFound."""
    arguments = {name: value for name, value in action.arguments.items() if value not in ("", None)}
    if action.name == "recall":
        return _recalled(asker, arguments)
    found = tree(asker, action.name, {"limit": _HITS, **arguments} if action.name != "fetch_leaves" else arguments)
    return found if isinstance(found, QueryResponse) else QueryResponse(hits=(), total=0, truncated=False)


def _recalled(asker: Asker, arguments: Mapping[str, object]) -> QueryResponse:
    unknown = [name for name in arguments if name not in _ALLOWED]
    if unknown:
        raise BadQuery("argument", unknown[0], f"one of {', '.join(_ALLOWED)}")
    texts = {name: str(arguments.get(name, "")) for name in _ALLOWED}
    window = read_ends(texts["since"], texts["until"], asker.engine.settings.zone)
    filters = Filters(
        source=texts["source"],
        kind=texts["kind"],
        since=window.since,
        until=window.until,
        entity=texts["entity"],
        tag=texts["tag"],
    )
    return asker.recall(texts["query"], _HITS, filters)


def _prompt(talk: _Talk) -> str:
    """The question, all hits so far between marks, and what was done."""
    left = STEPS - sum(1 for step in talk.steps[1:])
    words = frozenset(query_words(talk.question))
    rows: list[str] = []
    used = 0
    for number, hit in enumerate(talk.hits, start=1):
        row = _row(number, hit, words, talk)
        used += talk.asker.engine.count(row)
        if used > _SHOWN_TOKENS:
            break
        rows.append(row)
    inner = "\n".join(rows) or "(nothing yet)"
    mark = sha256_hex(inner.encode("utf-8", "surrogatepass"))[:8]
    told = "\n".join(talk.told[-STEPS:])
    return (
        f"Question: {talk.question}\n\ndata {mark}\n{inner}\nend {mark}\n\n{told}\n"
        f"You may take {left} more steps. Reply with one JSON object."
    )


def _row(number: int, hit: RetrievalHit, words: frozenset[str], talk: _Talk) -> str:
    shown = excerpt(hit.content, words, most=_HIT_TOKENS, count=talk.asker.engine.count).text
    who = " ".join((hit.author or hit.heading).split())[:60]
    return f"[{number}] {hit.time_range_start[:16]} {who} ({hit.node_kind} {hit.node_id[:12]}): {shown}"


def _answered(talk: _Talk, action: Action) -> Answer:
    """What the model says, as far as it cites what was found."""
    checked = check_answer(action.text, range(1, len(talk.hits) + 1))
    if not checked.text:
        cause = _NO_EVIDENCE if not checked.dropped else f"{_NO_EVIDENCE}: what the model said cites nothing found"
        return _told(talk, "", (), cause, dropped=checked.dropped, refused=True)
    return _told(talk, renumbered(checked.text, checked.cited), checked.cited, "", dropped=checked.dropped)


def _walked(talk: _Talk, cause: str) -> Answer:
    """The hits themselves, without a text; a refusal when they are only what comes nearest."""
    lacking = "" if talk.has_evidence else f"; {_NO_EVIDENCE}"
    return _told(talk, "", tuple(range(1, len(talk.hits) + 1)), cause + lacking, refused=not talk.has_evidence)


def _told(
    talk: _Talk, text: str, cited: tuple[int, ...], cause: str, *, dropped: int = 0, refused: bool = False
) -> Answer:
    return Answer(
        text=text,
        hits=tuple(talk.hits[number - 1] for number in cited),
        steps=tuple(talk.steps),
        model=talk.model.model,
        dropped=dropped,
        refused=refused,
        degraded="; ".join(part for part in (cause, *talk.missing) if part),
    )


def _place(hit: RetrievalHit) -> tuple[str, tuple[int, int], str]:
    return hit.note_path, hit.lines, hit.content
