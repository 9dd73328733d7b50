"""Results as text for people: what the CLI prints without `--json`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote
from zoneinfo import ZoneInfo

from vaultmem.jobs import Backlog, iso_of

if TYPE_CHECKING:
    from vaultmem.answers import RetrievalHit
    from vaultmem.asked import LlmState
    from vaultmem.memory import QueryResponse, Status, SyncReport, Verified

#: Problems listed one by one; more are counted.
_MOST = 10
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def show_hits(found: QueryResponse, page: Page) -> str:
    """Each passage with who, when (in the vault's zone), its source, the line of its note, and a link that opens it."""
    lines: list[str] = []
    for number, hit in enumerate(found.hits, start=1):
        when = datetime.fromisoformat(hit.time_range_start).astimezone(page.zone).strftime("%Y-%m-%d %H:%M")
        who = f"{hit.author}, {when}" if hit.author else when
        heading = f" · {hit.heading}" if hit.heading else ""
        lines.append(f"{number}. {_indented(page.marked(hit.content))}")
        lines.append(f"   {who}{heading} · score {hit.score:.2f}")
        place, link = f"{hit.note_path}:{hit.lines[0]}", page.link(hit)
        source = f"  (from {hit.source_ref.partition(' # ')[0]})"
        lines += [f"   {_linked(place, link)}{source}"] if page.is_terminal else [f"   {place}{source}", f"   {link}"]
        lines.append("")
    if not found.hits:
        lines.append("nothing found")
    elif found.truncated:
        lines.append(f"{len(found.hits)} of {found.total} passages")
    if found.hits and found.no_good_answer:
        lines.append("none of these is a good answer: they are what comes nearest")
    if found.degraded:
        lines.append(f"({found.degraded})")
    return "\n".join(lines).rstrip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """How hits are shown: where, and to whom."""

    zone: ZoneInfo
    #: the vault's name, as Obsidian knows it
    vault: str
    #: (start, end) of what of a passage answers
    spans: Callable[[str], Sequence[tuple[int, int]]]
    #: what answers is bold, and the place itself can be clicked
    is_terminal: bool

    def marked(self, text: str) -> str:
        """The text; on a terminal with what answers in bold."""
        if not self.is_terminal:
            return text
        for start, end in reversed(self.spans(text)):
            text = f"{text[:start]}{_BOLD}{text[start:end]}{_PLAIN}{text[end:]}"
        return text

    def link(self, hit: RetrievalHit) -> str:
        """The address that opens the note in Obsidian, at its message or heading where it has one."""
        place = f"#^{hit.block}" if hit.block else f"#{hit.heading.rpartition(' > ')[2]}" if hit.heading else ""
        return f"obsidian://open?vault={quote(self.vault, safe='')}&file={quote(hit.note_path + place, safe='')}"


def _linked(text: str, address: str) -> str:
    """A text that terminals open when it is clicked (OSC 8); others show the text alone."""
    return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"


def _indented(text: str) -> str:
    return "\n   ".join(text.strip().splitlines())


def show_sync(report: SyncReport) -> str:
    """A line per file, then what else changed."""
    lines = [_file_line(row.to_dict()) for row in report.files] or ["inbox: nothing new"]
    done = report.reconciled
    if done.added or done.changed or done.forgotten:
        lines.append(f"notes: {done.added} added, {done.changed} changed, {done.forgotten} deleted by hand")
    lines += _problems({**done.problems, **report.entity_problems})
    if done.held_back:
        lines.append(f"! {done.held_back}")
    return "\n".join(lines)


def _file_line(row: Mapping[str, object]) -> str:
    if row["outcome"] in ("skipped", "failed"):
        return f"{row['outcome']}: {row['file']}: {row.get('reason', '')}"
    parts = [str(row.get("format", ""))]
    if "messages" in row:
        parts.append(f"{row['messages']} messages")
    parts.append(f"{row['chunks']} new notes")
    if row.get("reason"):
        parts.append(str(row["reason"]))
    redacted = row.get("redacted")
    if isinstance(redacted, dict) and redacted:
        parts.append(f"{sum(redacted.values())} secrets removed ({', '.join(redacted)})")
    line = f"{row['outcome']}: {row['file']} ({', '.join(parts)})"
    warnings = row.get("warnings")
    extra = [f"  ! {text}" for text in warnings] if isinstance(warnings, list) else []
    return "\n".join([line, *extra])


def show_status(state: Status) -> str:
    """One screen."""
    counts = state.counts
    lines = [
        f"vault    {state.vault}",
        (
            f"memory   {counts['notes']} notes ({counts['admitted']} kept, {counts['dropped']} dropped), "
            f"{counts['passages']} passages, {counts['sources']} sources, {counts['entities']} entities"
        ),
        f"index    {state.index_state}, last pass {state.last_pass or 'never'}, {state.stale} notes stale",
        f"vectors  {_vectors(state)}",
        f"inbox    {len(state.inbox)} waiting, {len(state.skipped)} left alone, {len(state.failed)} failed",
    ]
    if state.unfinished:
        lines.append(f"         {state.unfinished} interrupted: the next 'vaultmem sync' finishes them")
    lines += [f"jobs     {line}" for line in map(_backlog, state.background)]
    if state.writer:
        lines.append(f"writer   {state.writer}")
    if state.reranker.endpoint:
        lines.append(f"rerank   {state.reranker.endpoint}, {state.reranker.cause or state.reranker.state}")
    lines += [f"model    {text}" for text in _llm(state.llm)]
    lines += [f"lacking  {text}" for text in state.degraded]
    lines += [f"waiting  {name}" for name in state.inbox[:_MOST]]
    lines += [f"left     {name}: {reason}" for name, reason in list(state.skipped.items())[:_MOST]]
    lines += [f"failed   {name}" for name in state.failed[:_MOST]]
    lines += _problems(state.problems)
    return "\n".join(lines)


def _vectors(state: Status) -> str:
    """One line: whose, how many, what compares them, and why they are not whole."""
    found = state.vectors
    if not found.embedder:
        return f"{found.state}: {found.cause}"
    parts = [f"{found.embedded:,} of {found.passages:,} passages, {found.signature or found.embedder}"]
    parts += [f"compared by {found.backend}"] if found.backend else []
    parts += [f"{found.refused:,} refused"] if found.refused else []
    parts += [f"{found.state}: {found.cause}" if found.cause else found.state]
    return ", ".join(parts)


def _llm(state: LlmState) -> list[str]:
    """The language model: nothing where none was ever named or asked."""
    use = state.use
    if state.state == "off" and not use.calls:
        return []
    counts = [
        f"{use.calls:,} calls, {use.tokens_in:,} tokens in, {use.tokens_out:,} out",
        f"{use.rejected:,} rejected",
        f"{use.unanswered:,} unanswered",
    ]
    counts += [f"{use.unasked:,} over the limit"] if use.unasked else []
    counts += [f"{use.invented:,} invented names"] if use.invented else []
    endpoint = state.endpoint or "no endpoint"
    how = f"{state.state}: {state.cause}" if state.cause else state.state
    return [f"llm: {', '.join(counts)}, {endpoint}, state {how}"]


def _backlog(found: Backlog) -> str:
    """What is not done of one kind, and why."""
    parts = [f"{found.ready:,} ready"] if found.ready else []
    parts += [f"{found.running:,} running"] if found.running else []
    parts += [f"{found.waiting:,} waiting until {iso_of(found.until_ms)}"] if found.until_ms is not None else []
    parts += [f"{found.dead:,} gave up (see 'vaultmem doctor')"] if found.dead else []
    parts += [f"oldest of {iso_of(found.oldest_ms)}"] if found.oldest_ms is not None else []
    why = "; ".join(reason if n == 1 else f"{reason} ({n:,} times)" for reason, n in found.reasons.items())
    return f"{found.kind}: {', '.join(parts)}" + (f": {why}" if why else "")


def show_verify(found: Verified) -> str:
    """The digest, and each difference."""
    if not found.drift:
        return f"index and notes agree, digest {found.digest[:16]}"
    return "\n".join([f"{len(found.drift)} differences:", *_rows(found.drift)])


def _rows(rows: Iterable[Mapping[str, str]]) -> list[str]:
    return [f"! {row['path']}: {row['problem']}" for row in rows]


def _problems(problems: Mapping[str, str]) -> list[str]:
    shown = [f"! {path}: {text}" for path, text in sorted(problems.items())[:_MOST]]
    more = len(problems) - len(shown)
    return [*shown, f"! and {more} more: see 'vaultmem status --json'"] if more > 0 else shown
