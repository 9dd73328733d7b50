"""The tools that look at memory itself: why a chunk was kept, what was dropped, whom an entity stands beside; and the
pass that takes over what a person changed. The Obsidian plugin's panes are made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.errors import BadQuery
from vaultmem.queries import Parameter, Value
from vaultmem.surfaces.mcp_tool import Json, Tool

if TYPE_CHECKING:
    from vaultmem.memory import Memory
    from vaultmem.surfaces.mcp_vault import VaultDoor

Values = Mapping[str, Value]

#: Entities of one graph at most: more are a hairball.
_MOST_NODES = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """One view of memory: what it tells, and what it needs."""

    about: str
    needs_of: bool
    #: the view as JSON, and as text
    read: Callable[[Memory, str, Values], tuple[str, Json]]


def _digest(memory: Memory, of: str, _: Values) -> tuple[str, Json]:
    from vaultmem.surfaces.show_views import show_digest

    found = memory.digest(of)
    return show_digest(found), found.to_dict()


def _topics(memory: Memory, _: str, __: Values) -> tuple[str, Json]:
    from vaultmem.surfaces.show_views import show_topics

    found = memory.topics()
    return show_topics(found), found.to_dict()


def _graph(memory: Memory, of: str, values: Values) -> tuple[str, Json]:
    from vaultmem.surfaces.show_views import show_graph

    found = memory.graph(of, hops=int(str(values["hops"])), limit=int(str(values["limit"])) - 1)
    return show_graph(found), found.to_dict()


def _timeline(memory: Memory, of: str, _: Values) -> tuple[str, Json]:
    found = memory.timeline(of)
    lines = [f"{month}: {count}" for month, count in found.months]
    return "\n".join([f"{found.entity}: {found.chunks} chunks", *lines]), found.to_dict()


def _dropped(memory: Memory, _: str, values: Values) -> tuple[str, Json]:
    from vaultmem.surfaces.show_views import show_dropped

    found = memory.dropped(int(str(values["limit"])))
    return show_dropped(found), found.to_dict()


_VIEWS: Mapping[str, _View] = {
    "digest": _View(
        about="what a day, week, month or year was about ('of': 2026-04-21, 2026-W17, today; empty: the newest day)",
        needs_of=False,
        read=_digest,
    ),
    "topics": _View(about="what is and was a topic, and what makes it hot", needs_of=False, read=_topics),
    "graph": _View(about="who and what stands beside an entity ('of')", needs_of=True, read=_graph),
    "timeline": _View(about="in how many chunks an entity ('of') is named, by month", needs_of=True, read=_timeline),
    "dropped": _View(about="what was not thought worth keeping, and why", needs_of=False, read=_dropped),
}

VIEWING: Mapping[str, Tool] = {
    "memory_explain": Tool(
        title="Explain memory",
        about=(
            "Why memory holds a chunk or summary: signals, score, decision, source; with a query also how its passages "
            "fared as an answer, and what their scores are made of."
        ),
        parameters=(
            Parameter(
                name="node_id", kind="text", about="node_id of a hit; six digits are enough.", required=True,
                also=("id", "chunk_id", "node"),
            ),
            Parameter(name="query", kind="text", about="The question it may answer.", also=("text", "q", "question"),
                      is_question=True),
        ),
    ),
    "memory_view": Tool(
        title="View memory",
        about="Views of memory. " + " ".join(f"{name}: {view.about}." for name, view in _VIEWS.items()),
        parameters=(
            Parameter(name="view", kind="text", about="Which.", required=True, choices=tuple(_VIEWS), also=("what",)),
            Parameter(
                name="of", kind="text", about="An entity's id, name or alias; or a time.", also=("entity", "period"),
            ),
            Parameter(
                name="limit", kind="number", about="graph, dropped: how many at most.", default=30, least=2,
                most=_MOST_NODES, also=("k",),
            ),
            Parameter(name="hops", kind="number", about="graph: how far away.", default=1, most=4, also=("max_hops",)),
        ),
    ),
    "memory_sync": Tool(
        title="Bring memory up to date",
        about=(
            "Take over what the user changed by hand (a note edited, a dropped one admitted) and file what waits in "
            "the inbox. A running 'vaultmem watch' does this by itself; a long pass goes on in the background."
        ),
        parameters=(
            Parameter(name="rebuild", kind="flag", about="First make the whole index anew from the notes."),
        ),
        reads_only=False,
    ),
}  # fmt: skip


def view(door: VaultDoor, name: str, values: Values) -> tuple[str, Json]:
    """Carry out one of VIEWING."""
    from vaultmem.surfaces.mcp_text import fenced

    if name == "memory_sync":
        return door.sync(rebuild=bool(values["rebuild"]))
    if name == "memory_explain":
        text, found = door.ask(lambda memory: _explained(memory, values))
        return fenced(text), found
    chosen, of = _VIEWS[str(values["view"])], str(values["of"])
    if chosen.needs_of and not of:
        raise BadQuery("of", "", f"an entity's id, name or alias: {values['view']} needs it")
    text, found = door.ask(lambda memory: chosen.read(memory, of, values))
    return fenced(text), found


def _explained(memory: Memory, values: Values) -> tuple[str, Json]:
    from vaultmem.surfaces.show_views import show_explained

    found = memory.explain(str(values["node_id"]), query=str(values["query"]))
    return show_explained(found), found.to_dict()
