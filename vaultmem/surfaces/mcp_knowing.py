"""The tools for what memory tells beyond passages: facts, the context pack, the agent; and an agent's own session."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from vaultmem.errors import BadQuery
from vaultmem.queries import Parameter, Value
from vaultmem.surfaces.mcp_tool import Json, Tool

if TYPE_CHECKING:
    from vaultmem.surfaces.mcp_vault import VaultDoor

Values = Mapping[str, Value]

#: Of `memory_ingest`, beside a text or a file.
SESSION = (
    Parameter(
        name="session",
        kind="text",
        about="With turns: an id that stays the same for the whole session.",
        also=("session_id", "conversation_id"),
    ),
    Parameter(
        name="hold",
        kind="flag",
        about="With turns: keep them until the session has grown by 4,000 tokens, 8 tool calls and 4 turns together.",
    ),
)
TURNS: Json = {
    "type": "array",
    "description": (
        "Turns of this session, instead of text or path; those sent before are skipped. What the user states of "
        "themselves becomes facts in the namespace 'user'; what tools said is left out."
    ),
    "items": {
        "type": "object",
        "properties": {
            "role": {"type": "string", "enum": ["user", "assistant", "tool"]},
            "text": {"type": "string"},
            "id": {"type": "string", "description": "The turn's own id, if it has one."},
            "at": {"type": "string", "description": "When, ISO."},
            "name": {"type": "string", "description": "Who, if it was not the owner of this memory."},
        },
        "required": ["role", "text"],
    },
}

KNOWING: Mapping[str, Tool] = {
    "memory_recall": Tool(
        title="Recall facts",
        about="Facts by namespace ('user': the user of themselves), best first, with dates and earlier values.",
        parameters=(
            Parameter(name="namespace", kind="text", about="Like user; empty: all.", also=("ns",)),
            Parameter(name="query", kind="text", about="Words of key or value; empty: all, newest first.", also=("q",),
                      is_question=True),
            Parameter(name="limit", kind="number", about="How many.", default=10, also=("k",)),
        ),
    ),
    "memory_context": Tool(
        title="Context for a turn",
        about=(
            "What memory holds about a text, to be put before an answer: passages, the user's facts, other recent "
            "conversations and earlier sessions, each line cited, within a budget of tokens."
        ),
        parameters=(
            Parameter(name="text", kind="text", about="What the user said.", required=True, also=("query", "q"),
                      is_question=True),
            Parameter(
                name="budget", kind="number", about="Tokens at most.", default=2000, least=200, most=100_000,
                also=("token_budget", "max_tokens"),
            ),
            Parameter(name="session", kind="text", about="Id of this session: its own turns are left out.",
                      also=("session_id",)),
        ),
    ),
    "memory_ask": Tool(
        title="Ask memory",
        about=(
            "An answer in sentences that cite what was found, by the language model the user named; without one, what "
            "a walk finds. It refuses when memory holds no evidence."
        ),
        parameters=(
            Parameter(name="query", kind="text", about="The question.", required=True, also=("text", "question", "q"),
                      is_question=True),
        ),
        open_world=True,
    ),
}  # fmt: skip


def tell(door: VaultDoor, name: str, values: Values) -> tuple[str, Json]:
    """Carry out one of KNOWING."""
    from vaultmem.surfaces.mcp_text import fenced_answer, fenced_facts

    if name == "memory_recall":
        limit = int(str(values["limit"]))
        facts = door.ask(lambda memory: memory.facts(str(values["namespace"]), query=str(values["query"]), limit=limit))
        return fenced_facts(facts), facts.to_dict()
    if name == "memory_context":
        budget, session = int(str(values["budget"])), str(values["session"])
        pack = door.ask(lambda memory: memory.context(str(values["text"]), budget=budget, session=session))
        return pack.text or "Nothing found.", pack.to_dict()
    answer = door.ask(lambda memory: memory.ask(str(values["query"])))
    return fenced_answer(answer), answer.to_dict()


def keep_turns(door: VaultDoor, values: Values, turns: object, told: Collection[str]) -> tuple[str, Json]:
    """`memory_ingest` with turns. `told`: lines that memory told in this session, which are no memory of it."""
    if values["text"] or values["path"]:
        raise BadQuery("turns", "", "turns, or 'text', or 'path': one of them")
    session, title, hold = str(values["session"]), str(values["title"]), bool(values["hold"])
    dropped = door.ask(lambda memory: memory.drop_session(session, turns, title=title, holds=hold, told=told))
    if not dropped.name:
        since = dropped.to_dict()["since_written"]
        return f"Held until the session has grown; since it was last written: {since}.", {"session": dropped.to_dict()}
    text, found = door.take((dropped.name,))
    return text, {**found, "session": dropped.to_dict()}
