"""Values <-> versioned JSON: the shapes of DESIGN §8, the same for every door."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Protocol

#: Raised when a key changes its meaning or goes away; new keys do not raise it.
WIRE_VERSION = 1


class Wired(Protocol):
    """A result that knows its JSON."""

    def to_dict(self) -> dict[str, object]:
        """Plain values only."""
        ...


def dumps(value: Wired | Mapping[str, object]) -> str:
    """One JSON document; non-ASCII text stays readable."""
    plain = dict(value) if isinstance(value, Mapping) else value.to_dict()
    return json.dumps({**plain, "version": WIRE_VERSION}, ensure_ascii=False, indent=2)


def error(message: str) -> str:
    """What `--json` says instead of a result."""
    return dumps({"error": message})
