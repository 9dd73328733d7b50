"""The nouns of facts: a key and a value in a namespace, since when, where from, and what stood there before."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

#: What a put did to a key.
Done = Literal["added", "superseded", "same"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A value that was superseded."""

    value: str
    #: ISO, UTC; "" when nobody knows: a person wrote it
    since: str
    #: ISO, UTC; "" when nobody knows
    until: str
    #: where it came from, as `Fact.source`
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is held of one key."""

    namespace: str
    #: as spelt where it is kept; keys are one when they differ in case alone
    key: str
    value: str
    #: ISO, UTC; "" for what a person wrote by hand
    since: str = ""
    #: a wikilink to the message it was said in, or who set it; "" when nobody knows
    source: str = ""
    #: what stood there before, newest first
    earlier: tuple[Earlier, ...] = ()
    #: vault path of its note; "" where facts are kept elsewhere
    note_path: str = ""
    #: its line in that note, 1-based; 0 where there is none
    line: int = 0

    @property
    def cited(self) -> str:
        """Where a reader finds it."""
        return f"{self.note_path}:{self.line}" if self.note_path else self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """A key and a value to be kept."""

    key: str
    value: str
    source: str = ""
    #: ISO, UTC: when it was said; "" for the moment it is kept
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became of a NewFact."""

    key: str
    value: str
    done: Done
    #: the value it took the place of; "" when there was none
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactHit:
    """A fact, and how well it fits what was asked."""

    fact: Fact
    #: from 0 to 1; 1 when every word asked for stands in its key
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FactResponse:
    """Facts, best or newest first; `total` counts before the cut."""

    hits: tuple[FactHit, ...]
    total: int
    truncated: bool
    #: where they are kept: `notes`, or a service and its address
    home: str

    def to_dict(self) -> dict[str, object]:
        """The JSON of `facts list` and `facts search`, and of memory_recall."""
        rows = [{**asdict(hit.fact), "earlier": _rows(hit.fact), "score": hit.score} for hit in self.hits]
        return {"facts": rows, "total": self.total, "truncated": self.truncated, "home": self.home}


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsKept:
    """What `facts set` did."""

    namespace: str
    changes: tuple[Change, ...]
    home: str

    def to_dict(self) -> dict[str, object]:
        """The JSON of `facts set`."""
        return {"namespace": self.namespace, "changes": [asdict(c) for c in self.changes], "home": self.home}


def _rows(fact: Fact) -> list[dict[str, object]]:
    return [asdict(earlier) for earlier in fact.earlier]
