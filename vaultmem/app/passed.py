"""What a pass says of itself. Apart from the pass: one that finds a vault at rest needs nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.asked import LlmEstimate
    from vaultmem.core.ingest.report import FileReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """What a pass did: of chunk notes, of summary notes, of notes in place, or of several together."""

    added: int = 0
    changed: int = 0
    forgotten: int = 0
    #: path -> what is wrong with the note there
    problems: Mapping[str, str] = field(default_factory=dict)
    #: deletions that were not believed, and why
    held_back: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What `sync` and `ingest` did."""

    files: tuple[FileReport, ...] = ()
    reconciled: Reconciled = field(default_factory=Reconciled)
    #: entity notes that cannot be read: path -> problem
    entity_problems: Mapping[str, str] = field(default_factory=dict)
    #: notes that a person had just saved: their turn comes when they have been quiet for 10 s
    later: tuple[str, ...] = ()
    #: what is left of the background work: ready, running, dead
    jobs: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(("ready", "running", "dead"), 0))
    #: what a language model was about to be asked when that was much
    llm_estimate: LlmEstimate | None = None

    def to_dict(self) -> dict[str, object]:
        """The JSON of DESIGN §8."""
        return {
            "files": [report.to_dict() for report in self.files],
            "jobs": dict(self.jobs),
            "notes": {
                "added": self.reconciled.added,
                "changed": self.reconciled.changed,
                "forgotten": self.reconciled.forgotten,
            },
            "problems": {**self.reconciled.problems, **self.entity_problems},
            "held_back": self.reconciled.held_back,
            **({"llm_estimate": self.llm_estimate.to_dict()} if self.llm_estimate else {}),
        }
