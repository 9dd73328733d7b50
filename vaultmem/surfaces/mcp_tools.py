"""The tools agents are offered: their names, arguments and JSON schemas, and what each call gives back."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from vaultmem.errors import BadQuery, VaultmemError
from vaultmem.queries import MOST_QUESTION, TREE_MODES, Parameter, Value, read_arguments
from vaultmem.surfaces.mcp_knowing import KNOWING, SESSION, TURNS, keep_turns, tell
from vaultmem.surfaces.mcp_tool import Access, Json, Tool
from vaultmem.surfaces.mcp_views import VIEWING, view

if TYPE_CHECKING:
    from vaultmem.surfaces.mcp_vault import VaultDoor

Values = Mapping[str, Value]

#: The mode that writes.
_WRITES = "ingest_document"
#: What a client that may see some sources only is offered, and the modes whose answers can be held to them.
_OF_SOURCES = ("memory_search", "memory_tree", "memory_ingest")
_MODES_OF_SOURCES = ("query_source", "cover_window", "fetch_leaves", "drill_down")


def _tree_tool(modes: Collection[str]) -> Tool:
    """The tool of these modes: with every argument of any; which ones a mode takes is checked when it is called."""
    found: dict[str, list[tuple[str, Parameter]]] = {}
    for mode in modes:
        for parameter in TREE_MODES[mode].parameters:
            found.setdefault(parameter.name, []).append((mode, parameter))
    return Tool(
        title="Walk the memory tree",
        about="Several ways into memory by mode. " + " ".join(f"{mode}: {TREE_MODES[mode].about}" for mode in modes),
        parameters=(
            Parameter(name="mode", kind="text", about="What to ask.", required=True, choices=tuple(modes)),
            *(_of_all_modes(own) for own in found.values()),
        ),
        reads_only=_WRITES not in modes,
    )


def _of_all_modes(own: Sequence[tuple[str, Parameter]]) -> Parameter:
    """One argument as all modes that have it take it: what they say of it, each thing once, and the widest limits."""
    modes: dict[str, list[str]] = {}
    for mode, parameter in own:
        modes.setdefault(parameter.about, []).append(f"{mode} (required)" if parameter.required else mode)
    return replace(
        own[0][1],
        required=False,
        about=" ".join(f"{', '.join(names)}: {about}" for about, names in modes.items()),
        least=min(parameter.least for _, parameter in own),
        most=max(parameter.most for _, parameter in own),
        also=(),
    )


_SEARCH = (
    Parameter(
        name="query",
        kind="text",
        about="The question, in plain words: names, times ('last week') and topics all count.",
        required=True,
        also=("text", "q", "question"),
        is_question=True,
    ),
    Parameter(name="k", kind="number", about="How many passages.", default=10, also=("limit", "top_k")),
    Parameter(name="source", kind="text", about="Only this source, or a prefix like 'slack:'."),
    Parameter(name="kind", kind="text", about="Only this kind.", choices=("chat", "email", "document")),
    Parameter(name="since", kind="text", about="Only from this day or time on (ISO).", also=("after",)),
    Parameter(name="until", kind="text", about="Only up to this day or time (ISO).", also=("before",)),
    Parameter(name="entity", kind="text", about="Only passages that name this entity (name, alias or id)."),
    Parameter(name="tag", kind="text", about="Only passages of notes with this tag."),
    Parameter(name="dropped", kind="flag", about="Also what was not thought worth keeping."),
)
_INGEST = (
    Parameter(name="text", kind="text", about="The text to keep, as Markdown. Give this or path.", also=("content",)),
    Parameter(name="title", kind="text", about="With text: what the note is called."),
    Parameter(
        name="path", kind="text", about="A file or folder on this computer. Give this or text.", also=("file", "paths")
    ),
    *SESSION,
)

#: Lines remembered of what memory told in one session.
_TOLD = 20_000

TOOLS: Mapping[str, Tool] = {
    "memory_search": Tool(
        title="Search memory",
        about=(
            "Passages of the user's chats, mails and documents that answer a question, best first, each verbatim with "
            "who said it, when, its note and lines. 'total' counts all that fit; 'degraded' names what was missing."
        ),
        parameters=_SEARCH,
    ),
    "memory_tree": _tree_tool(tuple(TREE_MODES)),
    "memory_ingest": Tool(
        title="Keep in memory",
        about=(
            "Put a text, a file (chat export, mail, document) or turns of this session into the vault's inbox. "
            "Secrets are taken out before it is filed. Filing goes on in the background when it takes long; "
            "memory_status shows what still waits."
        ),
        parameters=_INGEST,
        objects={"turns": TURNS},
        reads_only=False,
    ),
    **KNOWING,
    **VIEWING,
    "memory_status": Tool(
        title="State of memory",
        about="What memory holds, what waits in the inbox, what failed and why, and whether the index is up to date.",
        parameters=(),
    ),
}


@lru_cache(maxsize=8)
def tools_for(access: Access) -> Mapping[str, Tool]:
    """The tools a client may use."""
    modes = [mode for mode in TREE_MODES if not access.sources or mode in _MODES_OF_SOURCES]
    tree = _tree_tool([mode for mode in modes if not (access.reads_only and mode == _WRITES)])
    offered = {name: tree if name == "memory_tree" else tool for name, tool in TOOLS.items()}
    return {
        name: tool
        for name, tool in offered.items()
        if (tool.reads_only or not access.reads_only) and (name in _OF_SOURCES or not access.sources)
    }


def tool_list(access: Access) -> list[Json]:
    """The tools a client may use, with their schemas."""
    return [
        {
            "name": name,
            "title": tool.title,
            "description": tool.about,
            "inputSchema": {
                "type": "object",
                "properties": {**{p.name: _schema(p) for p in tool.parameters}, **tool.objects},
                "required": [p.name for p in tool.parameters if p.required],
                "additionalProperties": False,
            },
            "annotations": {
                "title": tool.title,
                "readOnlyHint": tool.reads_only,
                "destructiveHint": False,
                "idempotentHint": tool.reads_only,
                "openWorldHint": tool.open_world,
            },
        }
        for name, tool in tools_for(access).items()
    ]


def _schema(parameter: Parameter) -> Json:
    described: dict[str, object] = {"description": parameter.about}
    if parameter.kind == "number":
        limits = {"minimum": parameter.least, "maximum": parameter.most}
        return {"type": "integer", **limits, **described}
    if parameter.kind == "list":
        return {"type": "array", "items": {"type": "string"}, **described}
    if parameter.kind == "flag":
        return {"type": "boolean", **described}
    bound = {"maxLength": MOST_QUESTION} if parameter.is_question else {}
    return {"type": "string", **bound, **described, **({"enum": list(parameter.choices)} if parameter.choices else {})}


class Toolbox:
    """Carries out the calls of one client, one after the other, in one thread."""

    def __init__(self, door: Callable[[], VaultDoor], access: Access) -> None:
        """`door`: opens the vault, at the first call that needs it; clients may share it."""
        self._open = door
        self._access = access
        self._door: VaultDoor | None = None
        #: lines that memory told in this session: said again by the agent, they are no memory of it
        self._told: dict[str, None] = {}

    def call(self, name: str, arguments: Json) -> Json:
        """The result of `tools/call`. Trouble is a result too: it says what to do."""
        try:
            text, structured = self._carry_out(name, arguments)
        except (VaultmemError, OSError) as problem:
            return _failed(" ".join(str(problem).split()))
        except Exception as problem:  # noqa: BLE001 - a bug in one call must not end the session
            traceback.print_exc(file=sys.stderr)
            return _failed(f"internal error ({type(problem).__name__}: {problem}); details are in the server's log")
        self._remember(text)
        return {"content": [{"type": "text", "text": text}], "structuredContent": structured, "isError": False}

    def resources(self) -> Json:
        """The result of `resources/list`."""
        from vaultmem.surfaces.mcp_resources import resource_list

        return resource_list(self._vault())

    def resource(self, uri: object) -> Json:
        """The result of `resources/read`. Raises BadQuery, NotFound."""
        from vaultmem.surfaces.mcp_resources import read_resource

        return read_resource(self._vault(), uri)

    def finish(self, seconds: float) -> None:
        """Give background work so many seconds to end."""
        if self._door is not None:
            self._door.finish(seconds)

    def _carry_out(self, name: str, arguments: Json) -> tuple[str, Json]:
        if name == "memory_tree":
            return self._tree(arguments)
        plain = {key: value for key, value in arguments.items() if key not in TOOLS[name].objects}
        values = read_arguments(name, TOOLS[name].parameters, plain)
        if name in KNOWING:
            return tell(self._vault(), name, values)
        if name in VIEWING:
            return view(self._vault(), name, values)
        if arguments.get("turns") is not None:
            return keep_turns(self._vault(), values, arguments["turns"], self._told)
        if name == "memory_search":
            return self._search(values)
        return self._ingest(values) if name == "memory_ingest" else self._status()

    def _remember(self, text: str) -> None:
        """The newest lines that were told; a long session forgets the first."""
        self._told.update(dict.fromkeys(text.split("\n")))
        for old in list(self._told)[:-_TOLD]:
            del self._told[old]

    def _vault(self) -> VaultDoor:
        """Opened by the first call that needs it: everything heavy is imported here."""
        self._door = self._door or self._open()
        return self._door

    def _search(self, values: Values) -> tuple[str, Json]:
        from vaultmem.surfaces.mcp_text import fenced_hits

        filters = {name: value for name, value in values.items() if name not in ("query", "k", "dropped")}
        found = self._vault().ask(
            lambda memory: memory.recall(
                str(values["query"]),
                k=int(str(values["k"])),
                dropped=bool(values["dropped"]),
                **{name: str(value) for name, value in filters.items()},
            )
        )
        return fenced_hits(found), found.to_dict()

    def _tree(self, arguments: Json) -> tuple[str, Json]:
        from vaultmem.surfaces.mcp_text import fenced_hits

        mode = arguments.get("mode")
        modes = tools_for(self._access)["memory_tree"].parameters[0].choices
        if not isinstance(mode, str) or mode not in modes:
            raise BadQuery("mode", "" if mode is None else str(mode), f"one of {', '.join(modes)}")
        rest = {name: value for name, value in arguments.items() if name != "mode"}
        if mode == _WRITES:
            return self._ingest_document(rest)
        found = self._vault().ask(lambda memory: memory.tree(mode, **rest))
        return fenced_hits(found), found.to_dict()

    def _ingest_document(self, arguments: Json) -> tuple[str, Json]:
        """Written like all others; filing that takes long goes on behind, and is said."""
        from vaultmem.surfaces.mcp_text import fenced_hits

        name = self._vault().ask(lambda memory: memory.drop_document(**arguments))
        told, filed = self._vault().take((name,))
        found = self._vault().ask(lambda memory: memory.held_document(**arguments))
        if filed["filed_by"] == "this call" and found.hits:
            return fenced_hits(found), found.to_dict()
        before = ["What memory holds of it until then:", fenced_hits(found)] if found.hits else []
        return "\n\n".join([told, *before]), replace(found, degraded=told).to_dict()

    def _ingest(self, values: Values) -> tuple[str, Json]:
        text, title, path = (str(values[name]) for name in ("text", "title", "path"))
        if bool(text) == bool(path):
            raise BadQuery("text", text[:40], "either 'text' or 'path', and not both")
        names = self._vault().drop_text(text, title or _first_words(text)) if text else self._drop(path)
        return self._vault().take(names)

    def _drop(self, path: str) -> tuple[str, ...]:
        return self._vault().drop(path, within=self._access.own_files)

    def _status(self) -> tuple[str, Json]:
        from vaultmem.surfaces.show import show_status

        state = self._vault().ask(lambda memory: memory.status())
        return show_status(state), state.to_dict()


def _first_words(text: str, most: int = 60) -> str:
    """A title for a text that was given none: its first line that says something."""
    lines: Sequence[str] = [line.strip("#*-_> \t") for line in text.splitlines()]
    first = next((line for line in lines if line), "note")
    return first if len(first) <= most else first[:most].rpartition(" ")[0] or first[:most]


def _failed(text: str) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": True}
