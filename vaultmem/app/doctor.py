"""Diagnosis: what is wrong with a vault's memory, and what to do about each thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from vaultmem.app.embed import VectorState
from vaultmem.app.inplace import LINK
from vaultmem.app.rerank import RerankState
from vaultmem.app.status import Status
from vaultmem.config import Settings
from vaultmem.core.recall.weights import changed
from vaultmem.errors import NotHere
from vaultmem.jobs import DeadJob, iso_of

#: fine | worth knowing | needs the user
Level = Literal["ok", "note", "problem"]
#: Files and notes named one by one.
_MOST = 10
#: Where memory's own files stand.
_HIDDEN = ".vaultmem/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at."""

    area: str
    level: Level
    text: str
    #: what to do; "" when nothing is to be done
    fix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """All that was looked at, and the settings in force."""

    findings: tuple[Finding, ...]
    settings: Mapping[str, object]

    @property
    def needs_user(self) -> bool:
        """True when something does not go away by itself."""
        return any(finding.level == "problem" for finding in self.findings)

    def to_dict(self) -> dict[str, object]:
        """The JSON of `doctor`."""
        return {
            "ok": not self.needs_user,
            "findings": [asdict(finding) for finding in self.findings],
            "settings": dict(self.settings),
        }


def diagnose(
    status: Status, settings: Settings, *, damage: str, exposed: Sequence[str], dead: Sequence[DeadJob]
) -> Diagnosis:
    """What `status` and two further looks say together.

    `damage`: SQLite's own check, "" when whole; `exposed`: files outside the vault that others may read;
    `dead`: jobs that gave up.
    """
    findings = (
        *_index(status, damage),
        *_inbox(status),
        *_notes(status),
        *_jobs(status, dead),
        *_doors(status, exposed),
        *_vectors(status.vectors),
        *_reranker(status.reranker),
        *(Finding(area="recall", level="note", text=f"lacking: {text}") for text in status.degraded),
    )
    return Diagnosis(findings=findings, settings={**asdict(settings), "ranking": changed(settings.ranking)})


def _index(status: Status, damage: str) -> Iterator[Finding]:
    if damage:
        yield Finding(
            area="index", level="problem", text=f"the index is damaged: {damage}", fix="run 'vaultmem rebuild'"
        )
    elif status.index_state == "ready":
        yield Finding(area="index", level="ok", text=f"whole, last pass {status.last_pass or 'never'}")
    else:
        yield Finding(
            area="index", level="note", text=f"new at this opening ({status.index_state})", fix="run 'vaultmem sync'"
        )
    if status.stale:
        text = f"{status.stale} notes differ from the index (edited, added or deleted since the last pass)"
        yield Finding(area="index", level="note", text=text, fix="run 'vaultmem sync', or leave 'vaultmem watch' on")


def _inbox(status: Status) -> Iterator[Finding]:
    if status.unfinished:
        text = f"{status.unfinished} files were interrupted on their way in"
        yield Finding(area="inbox", level="note", text=text, fix="run 'vaultmem sync': it finishes them")
    if status.inbox:
        text = f"{len(status.inbox)} files wait ({_some(status.inbox)})"
        yield Finding(area="inbox", level="note", text=text, fix="run 'vaultmem sync', or leave 'vaultmem watch' on")
    for name in status.failed[:_MOST]:
        fix = f"read '{name}.reason.md' beside it; mend the file and move it back into the inbox, or delete both"
        yield Finding(area="inbox", level="problem", text=f"{name} could not be read", fix=fix)
    if len(status.failed) > _MOST:
        text = f"{len(status.failed) - _MOST} more files could not be read"
        yield Finding(area="inbox", level="problem", text=text, fix="see 'vaultmem status --json'")
    for name, reason in list(status.skipped.items())[:_MOST]:
        yield Finding(area="inbox", level="note", text=f"{name} is left alone: {reason}")
    if not (status.unfinished or status.inbox or status.failed):
        yield Finding(area="inbox", level="ok", text="nothing waits, nothing failed")


def _notes(status: Status) -> Iterator[Finding]:
    problems = sorted(status.problems.items())
    for path, text in problems[:_MOST]:
        yield Finding(area="notes", level="problem", text=f"{path}: {text}", fix=_mended(path, text))
    if len(problems) > _MOST:
        text = f"{len(problems) - _MOST} more notes have problems"
        yield Finding(area="notes", level="problem", text=text, fix="see 'vaultmem status --json'")
    if not problems:
        yield Finding(area="notes", level="ok", text=f"{status.counts['notes']} notes, no problem")


def _mended(path: str, problem: str) -> str:
    """What to do about a problem there."""
    if path == "(vault)":
        return (
            "if you deleted them, run 'vaultmem sync --accept-deletions'; else bring the folder back, from the trash, "
            "a backup or git, then run 'vaultmem sync'"
        )
    if path.startswith(_HIDDEN):
        return (
            "Obsidian does not show this folder: open it elsewhere, take over what the copy has more, delete the copy"
        )
    if problem == LINK:
        return "move what it leads to into the vault, or name it in 'notes_exclude'"
    if problem == NotHere.cause:
        return "open it once, so that the cloud brings it back"
    return "open the note and mend what is named, or undo your last edit there"


def _jobs(status: Status, dead: Sequence[DeadJob]) -> Iterator[Finding]:
    again = "run 'vaultmem doctor --retry-jobs', then 'vaultmem sync'"
    for found in dead[:_MOST]:
        what = f"{found.job.kind} of {found.job.subject}"
        text = f"{what} gave up after {found.attempts} attempts: {found.reason}"
        fix = again
        if found.parked:
            text = f"{what} is laid aside: {found.reason}"
            fix = (
                f"free memory, look at what it is about, then {again}: it gets one more try; the others go on meanwhile"
            )
        yield Finding(area="jobs", level="problem", text=text, fix=fix)
    if len(dead) > _MOST:
        yield Finding(area="jobs", level="problem", text=f"{len(dead) - _MOST} more jobs gave up", fix=again)
    for kind in status.background:
        if kind.until_ms is not None:
            text = f"{kind.waiting} {kind.kind} wait until {iso_of(kind.until_ms)}: {'; '.join(kind.reasons)}"
            fix = "leave 'vaultmem watch' on, or run 'vaultmem sync' after that time"
            yield Finding(area="jobs", level="note", text=text, fix=fix)
    ready = sum(kind.ready for kind in status.background)
    if ready and not status.writer:
        oldest = min(kind.oldest_ms for kind in status.background if kind.oldest_ms is not None)
        text = f"{ready} are ready and nobody does them, the oldest since {iso_of(oldest)}"
        yield Finding(area="jobs", level="note", text=text, fix="run 'vaultmem sync', or leave 'vaultmem watch' on")
    if not dead:
        yield Finding(area="jobs", level="ok", text=f"{status.jobs['ready']} wait, none gave up")


def _vectors(found: VectorState) -> Iterator[Finding]:
    whose = f"{found.signature or found.embedder}, {found.embedded:,} of {found.passages:,} passages"
    compared = f", compared by {found.backend}" if found.backend else ""
    if found.state == "down":
        fix = "start that server or mend the 'embedder' of your own config, then run 'vaultmem sync'"
        yield Finding(area="vectors", level="problem", text=f"{whose}: {found.cause}", fix=fix)
    elif found.state == "off":
        yield Finding(area="vectors", level="note", text=f"no embedder: {found.cause}")
    elif found.state == "filling":
        fix = "run 'vaultmem sync', or leave 'vaultmem watch' on"
        yield Finding(area="vectors", level="note", text=f"{whose}{compared}", fix=fix)
    else:
        yield Finding(area="vectors", level="ok", text=f"{whose}{compared}")
    if found.refused:
        text = f"{found.refused:,} texts are refused by {found.embedder}: they are found by their words alone"
        fix = "run 'vaultmem doctor --retry-jobs', then 'vaultmem sync', once the server was changed"
        yield Finding(area="vectors", level="note", text=text, fix=fix)


def _reranker(found: RerankState) -> Iterator[Finding]:
    """Nothing where none was named: none is needed."""
    if found.state == "down":
        fix = "start that server or mend the 'reranker' of your own config: it is asked again with the next questions"
        yield Finding(area="reranker", level="problem", text=f"{found.endpoint}: {found.cause}", fix=fix)
    elif found.state == "ready":
        yield Finding(area="reranker", level="ok", text=f"{found.endpoint}, asked with every question")


def _doors(status: Status, exposed: Sequence[str]) -> Iterator[Finding]:
    if status.writer:
        yield Finding(area="writer", level="ok", text=status.writer)
    else:
        text = "nobody watches the inbox"
        yield Finding(area="writer", level="note", text=text, fix="leave 'vaultmem watch' on to file what is dropped")
    if exposed:
        text = f"others on this computer may read {_some(exposed)} below {status.data}"
        yield Finding(area="data", level="problem", text=text, fix=f"run: chmod -R go= '{status.data}'")
    else:
        yield Finding(area="data", level="ok", text=f"{status.data} is readable by you alone")


def _some(names: Sequence[str]) -> str:
    more = len(names) - 3
    return ", ".join(names[:3]) + (f" and {more} more" if more > 0 else "")
