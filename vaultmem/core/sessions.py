"""An agent's session on its way into memory: when it is time to write it, and which of its text is memory's own.

Not at every turn: only when tokens, tool calls and turns have ALL grown by enough since the last time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from vaultmem.core.notes.ids import fold, sha256_hex

#: What must have been added since the last writing, all three of them (design document 004).
TOKENS = 4000
TOOLS = 8
TURNS = 4

_FIELDS = ("tokens", "tools", "turns", "written_tokens", "written_tools", "written_turns")
_FENCE = re.compile(r"^data (?P<mark>[0-9a-f]{8})[ \t]*$.*?^end (?P=mark)[ \t]*$\n?", re.MULTILINE | re.DOTALL)
#: A line that names a note of this memory, or a node, was read out of it.
_CITES = re.compile(r"wiki/(?:raw|summaries|facts|sources|topics)/|node_id: [0-9a-f]{12,64}")
#: Shorter lines are said twice by chance.
_SHORTEST_ECHO = 20
_MARKUP = re.compile(r"^[\s>*+#-]+|[\s\"“”'.!]+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMemoryState:
    """How far a session has come, and how far it had come when it was last written to memory."""

    tokens: int = 0
    tools: int = 0
    turns: int = 0
    written_tokens: int = 0
    written_tools: int = 0
    written_turns: int = 0

    def grown(self, *, tokens: int = 0, tools: int = 0, turns: int = 0) -> SessionMemoryState:
        """The state after so much more."""
        return replace(self, tokens=self.tokens + tokens, tools=self.tools + tools, turns=self.turns + turns)

    def written(self) -> SessionMemoryState:
        """The state after the session was written to memory as it is now."""
        return replace(self, written_tokens=self.tokens, written_tools=self.tools, written_turns=self.turns)

    @property
    def deltas(self) -> Mapping[str, int]:
        """What came since the last writing."""
        return {
            "tokens": self.tokens - self.written_tokens,
            "tools": self.tools - self.written_tools,
            "turns": self.turns - self.written_turns,
        }

    @property
    def is_due(self) -> bool:
        """Whether all three have crossed their thresholds together."""
        deltas = self.deltas
        return deltas["tokens"] >= TOKENS and deltas["tools"] >= TOOLS and deltas["turns"] >= TURNS

    def to_dict(self) -> dict[str, int]:
        """By name; `read_state` gives it back."""
        return {name: getattr(self, name) for name in _FIELDS}


def read_state(found: Mapping[str, object]) -> SessionMemoryState:
    """A state as it was kept; what is missing or no number counts as 0."""
    values = {name: found.get(name) for name in _FIELDS}
    return SessionMemoryState(**{n: v for n, v in values.items() if isinstance(v, int) and not isinstance(v, bool)})


def without_recalled(text: str, told: Collection[str] = (), *, by_assistant: bool) -> str:
    """A turn's text without what memory itself gave: or an answer would become a memory and be found as its own proof.

    Fenced data goes from every turn. Of an assistant's turns, lines that cite a note go too, and lines that memory told
    in this session word for word (`told`: their `echo_mark`s); what a person says again, they say again.
    """
    left = _FENCE.sub("", text)
    if not by_assistant:
        return left.strip("\n") if left != text else text
    lines = [line for line in left.split("\n") if not _CITES.search(line) and echo_mark(line) not in told]
    kept = "\n".join(lines)
    return kept.strip("\n") if kept != text else text


def echo_marks(text: str) -> frozenset[str]:
    """The marks of all lines of a text that memory gave."""
    return frozenset(mark for line in text.split("\n") if (mark := echo_mark(line)))


def echo_mark(line: str) -> str:
    """A hash of what the line says, whatever list or quotation it stands in; "" for a short one."""
    said = _MARKUP.sub("", fold(line))
    return sha256_hex(said.encode("utf-8", "surrogatepass"))[:16] if len(said) >= _SHORTEST_ECHO else ""
