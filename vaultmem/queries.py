"""The nouns of asking: the modes of `tree` and their arguments, as every door offers them.

read_arguments("fetch_leaves", FETCH_LEAVES, {"chunk_ids": "a, b"}) -> {"chunk_ids": ("a", "b")}
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vaultmem.errors import BadQuery

#: Leaves one call gives back whole (DESIGN §6).
MOST_LEAVES = 20
_MOST_HITS = 100
#: Characters of a question: beyond, it is a file, and each door would look at all of it before it answers.
MOST_QUESTION = 100_000
#: What a moment in milliseconds is when none was given: no date lies there.
NO_TIME = -(1 << 62)
_EARLIEST_MS, _LATEST_MS = -62_135_596_800_000, 253_402_300_799_999


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of a mode or a tool."""

    name: str
    kind: Literal["text", "number", "list", "flag"]
    #: for people and for agents
    about: str
    required: bool = False
    #: number only: what holds when it is not given, and the limits
    default: int = 0
    least: int = 1
    most: int = _MOST_HITS
    #: text only: what it may be; empty: anything
    choices: tuple[str, ...] = ()
    #: text only: it is a question, and bounded as such
    is_question: bool = False
    #: names that people and agents give it by mistake
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """One way of asking the tree."""

    about: str
    parameters: tuple[Parameter, ...]


_SINCE = Parameter(name="since", kind="text", about="From this day or time on (ISO).", also=("after", "from"))
_UNTIL = Parameter(name="until", kind="text", about="Up to this day (it counts whole) or time (ISO).", also=("before",))
_SINCE_MS = Parameter(
    name="since_ms", kind="number", about="The same in epoch milliseconds.", default=NO_TIME, least=_EARLIEST_MS,
    most=_LATEST_MS,
)  # fmt: skip
_UNTIL_MS = Parameter(
    name="until_ms", kind="number", about="The same in epoch milliseconds.", default=NO_TIME, least=_EARLIEST_MS,
    most=_LATEST_MS,
)  # fmt: skip
_BACK = Parameter(name="window", kind="text", about="Or a look back from 'until' or now: 24h, 7d, 2w, 3m, 1y.")
WINDOW = (_SINCE, _UNTIL, _SINCE_MS, _UNTIL_MS, _BACK)
_SOURCE = Parameter(
    name="source",
    kind="text",
    about="Only this source: its source_id, what it begins with ('slack:'), its tree_scope, or a document's own id.",
    also=("source_id", "tree_scope", "source_scope"),
)
_KIND = Parameter(
    name="kind", kind="text", about="Only this kind.", choices=("chat", "email", "document"), also=("source_kind",)
)
_RERANK = Parameter(
    name="query", kind="text", about="Rank by this question; else as told above.", also=("text",), is_question=True
)
_LIMIT = Parameter(name="limit", kind="number", about="How many at most.", default=20, also=("k", "top_k"))
_WALK = Mode(
    about=(
        "Answer a question in one step, without a model: by the entities it names and how they hang together, "
        "else by its words. 'route' says which way was taken."
    ),
    parameters=(
        Parameter(
            name="query", kind="text", about="The question.", required=True, also=("text", "question", "q"),
            is_question=True,
        ),
        replace(_LIMIT, default=10),
        Parameter(
            name="max_hops", kind="number", about="How far apart entities may stand.", default=2, most=4, also=("hops",)
        ),
        Parameter(
            name="time_window_days", kind="number", about="Only so many days back; 0: all.", least=0, most=36_500,
        ),
        *WINDOW,
        _SOURCE,
        _KIND,
    ),
)  # fmt: skip

TREE_MODES: Mapping[str, Mode] = {
    "search_entities": Mode(
        about="Who or what a name means: canonical ids with all their names, most mentioned first. Call it first.",
        parameters=(
            Parameter(
                name="query",
                kind="text",
                about="Part of a name, alias, address or handle; empty lists the most mentioned.",
                also=("text", "name", "entity"),
                is_question=True,
            ),
            Parameter(name="kinds", kind="list", about="Only these kinds, like person or project.", also=("kind",)),
            Parameter(name="limit", kind="number", about="How many at most.", default=10, also=("k",)),
        ),
    ),
    "query_source": Mode(
        about="What one or several sources say, as few summaries as possible and what none holds yet: newest first.",
        parameters=(_SOURCE, _KIND, *WINDOW, _RERANK, _LIMIT),
    ),
    "query_topic": Mode(
        about="What is known of a person, project or other entity: summaries of its topic and passages: newest first.",
        parameters=(
            Parameter(
                name="entity",
                kind="text",
                about="Its id, name or alias.",
                required=True,
                also=("entity_id", "topic", "name", "id"),
            ),
            *WINDOW,
            _RERANK,
            _LIMIT,
        ),
    ),
    "query_global": Mode(
        about="Digests over all sources (by default of the last 7 days), by day, week, month or year: newest first.",
        parameters=(*WINDOW, _RERANK, _LIMIT),
    ),
    "cover_window": Mode(
        about=(
            "The fewest nodes that stand for all of a time and nothing else, in time order, every source among them; "
            "'omitted' counts by source what the limit left out."
        ),
        parameters=(*WINDOW, _SOURCE, _KIND, _LIMIT),
    ),
    "walk": _WALK,
    "smart_walk": _WALK,
    "drill_down": Mode(
        about="What stands below a summary (node_id of a summary), or the passages of a chunk (node_id of a leaf).",
        parameters=(
            Parameter(
                name="node_id",
                kind="text",
                about="node_id of a hit.",
                required=True,
                also=("id", "chunk_id", "node"),
            ),
            Parameter(name="max_depth", kind="number", about="Levels to go down.", default=1, most=10, also=("depth",)),
            _RERANK,
            Parameter(name="limit", kind="number", about="How many nodes at most.", default=20, also=("k",)),
        ),
    ),
    "fetch_leaves": Mode(
        about=f"Whole chunks by their ids, in the order asked for, at most {MOST_LEAVES}: exact text for citation.",
        parameters=(
            Parameter(
                name="chunk_ids",
                kind="list",
                about=f"node_id of up to {MOST_LEAVES} leaves.",
                required=True,
                also=("chunk_id", "ids", "id", "node_ids", "node_id"),
            ),
        ),
    ),
    "ingest_document": Mode(
        about="Write a document into memory; the same source_id again replaces what was there.",
        parameters=(
            Parameter(name="source_id", kind="text", about="What it is known by.", required=True, also=("id", "url")),
            Parameter(
                name="content", kind="text", about="The document, as Markdown.", required=True, also=("text", "body")
            ),
            Parameter(name="title", kind="text", about="Its title; else its first line."),
        ),
    ),
    "sync_status_list": Mode(
        about="Every source with its counts, and whether it is active (news of the last day), recent (7 days) or idle.",
        parameters=(_SOURCE, _KIND, replace(_LIMIT, default=100, most=10_000)),
    ),
}

Value = str | int | bool | tuple[str, ...]


def read_mode(name: str) -> Mode:
    """The mode of that name. Raises BadQuery naming those that exist."""
    if name not in TREE_MODES:
        raise BadQuery("mode", str(name), f"one of {', '.join(TREE_MODES)}")
    return TREE_MODES[name]


def read_arguments(
    where: str, parameters: Sequence[Parameter], given: Mapping[str, object]
) -> dict[str, str | int | bool | tuple[str, ...]]:
    """Every parameter's value, defaults filled in. `where` is the mode or tool, for the error.

    Lists may come as JSON text or divided by commas, numbers as text, one name for another that is often mistaken for
    it. Raises BadQuery, which says what is expected.
    """
    named = _named(where, parameters, given)
    return {p.name: _value(where, p, named.get(p.name)) for p in parameters}


def _named(where: str, parameters: Sequence[Parameter], given: Mapping[str, object]) -> dict[str, object]:
    """The arguments under their true names."""
    true_names = {also: p.name for p in parameters for also in p.also} | {p.name: p.name for p in parameters}
    found: dict[str, object] = {}
    for name, value in given.items():
        true = true_names.get(name, "")
        if not true:
            raise BadQuery("argument", name, _known(where, parameters, name))
        if true in found:
            raise BadQuery(name, str(value), f"'{true}' only once for {where}")
        if value is not None:
            found[true] = value
    return found


def _known(where: str, parameters: Sequence[Parameter], name: str) -> str:
    names = [p.name for p in parameters]
    near = difflib.get_close_matches(name, names, n=1)
    return f"{f'{near[0]!r}, or ' if near else ''}one of {', '.join(names) or 'none'} for {where}"


def _value(where: str, parameter: Parameter, value: object) -> Value:
    if value is None and parameter.required:
        raise BadQuery(parameter.name, "", f"a value: {where} needs it ({parameter.about})")
    if parameter.kind == "number":
        return parameter.default if value is None else _number(parameter, value)
    if parameter.kind == "list":
        return _list(parameter, value)
    if parameter.kind == "flag":
        return _flag(parameter, value)
    return _text(parameter, value)


def _text(parameter: Parameter, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadQuery(parameter.name, str(value), "text")
    text = _held(str(value).strip())
    if parameter.required and not text:
        raise BadQuery(parameter.name, text, f"some text ({parameter.about})")
    if parameter.choices and text and text not in parameter.choices:
        raise BadQuery(parameter.name, text, f"one of {', '.join(parameter.choices)}")
    if parameter.is_question:
        check_question(parameter.name, text)
    return text


def check_question(name: str, text: str) -> None:
    """Raises BadQuery, which names the argument, for a question that is too long for one."""
    if len(text) > MOST_QUESTION:
        expected = (
            f"a question of {MOST_QUESTION:,} characters at most; it has {len(text):,}: ask by what matters in it"
        )
        raise BadQuery(name, f"{text[:40]}…", expected)


def _number(parameter: Parameter, value: object) -> int:
    expected = f"a whole number from {parameter.least} to {parameter.most}"
    try:
        number = int(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        number = None
    if number is None or number != (float(value) if isinstance(value, float) else number):
        raise BadQuery(parameter.name, str(value), expected)
    if not parameter.least <= number <= parameter.most:
        raise BadQuery(parameter.name, str(value), expected)
    return number


def _flag(parameter: Parameter, value: object) -> bool:
    if isinstance(value, bool) or value is None:
        return bool(value)
    word = str(value).casefold()
    if word not in {"true", "false", "1", "0", "yes", "no"}:
        raise BadQuery(parameter.name, str(value), "true or false")
    return word in {"true", "1", "yes"}


def _list(parameter: Parameter, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = _listed(value)
    if value is None:
        value = ()
    if not isinstance(value, Sequence) or not all(isinstance(item, str) for item in value):
        raise BadQuery(parameter.name, str(value), "a list of text")
    items = tuple(_held(item.strip()) for item in value if item.strip())
    if parameter.required and not items:
        raise BadQuery(parameter.name, "", f"at least one ({parameter.about})")
    return items


def _listed(text: str) -> object:
    """A list in one text: JSON, or divided by commas."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, list) else text.split(",")


def _held(text: str) -> str:
    """Text that UTF-8 can hold: JSON may carry halves of characters."""
    return text.encode("utf-8", "replace").decode("utf-8")
