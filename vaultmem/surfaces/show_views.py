"""Views of memory as text for people."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.answers import EntityHit, RetrievalHit, SourceHit, SourceResponse
from vaultmem.memory import (
    Diagnosis,
    DigestView,
    Dropped,
    EntityGraph,
    EntityResponse,
    Explained,
    FoundSecrets,
    QueryResponse,
    TopicList,
)

#: Lines of a node that are shown.
_LINES = 12
_MARKS = {"ok": "ok  ", "note": "note", "problem": "FIX "}


def show_tree(found: QueryResponse | EntityResponse | SourceResponse, *, none: str = "nothing found") -> str:
    """Entities, sources or nodes, then what is missing. `none`: what is said where there are none."""
    lines: list[str] = []
    for hit in found.hits:
        lines += (
            _entity(hit) if isinstance(hit, EntityHit) else _source(hit) if isinstance(hit, SourceHit) else _node(hit)
        )
    if not found.hits:
        lines.append(none)
    elif found.truncated:
        lines.append(f"{len(found.hits)} of {found.total}")
    if isinstance(found, QueryResponse):
        lines += [f"left out: {n} of {scope}" for scope, n in (found.omitted or {}).items()]
        lines += [f"route: {found.route}"] if found.route else []
    if found.degraded:
        lines.append(f"({found.degraded})")
    return "\n".join(lines).rstrip()


def _hit(hit: RetrievalHit | EntityHit | SourceHit) -> list[str]:
    if isinstance(hit, EntityHit):
        return _entity(hit)
    return _source(hit) if isinstance(hit, SourceHit) else _node(hit)


def _entity(hit: EntityHit) -> list[str]:
    also = f" (also {', '.join(hit.aliases)})" if hit.aliases else ""
    return [f"{hit.display_name}{also}", f"   {hit.id} · {hit.mentions} mentions · {hit.note_path or 'no note yet'}"]


def _node(hit: RetrievalHit) -> list[str]:
    what = f"summary of level {hit.level}" if hit.node_kind == "summary" else "chunk"
    when = hit.time_range_start[:16].replace("T", " ")
    text = hit.content.strip().splitlines()
    more = [f"   … {len(text) - _LINES} more lines"] if len(text) > _LINES else []
    who = f" · {hit.author}" if hit.author else ""
    head = f"{hit.node_id[:12]} {what}{who} · {when}" + (f" · {hit.heading}" if hit.heading else "")
    return [head, *(f"   {line}" for line in text[:_LINES]), *more, f"   {hit.note_path}:{hit.lines[0]}", ""]


def _source(hit: SourceHit) -> list[str]:
    return [f"{hit.state:6} {hit.last[:10]} {hit.source_id} · {hit.chunks} chunks, {hit.dropped} dropped · {hit.title}"]


def show_digest(found: DigestView) -> str:
    """The period, what was said below its headings, and where the note stands."""
    lines = [f"{found.title} ({found.period})"]
    for heading, said in found.sections:
        lines += ["", heading] if heading else [""]
        lines += [f"  - {f'{author}: ' if author else ''}{text}" for author, text, _ in said]
    lines += ["", found.note_path] if found.note_path else []
    return "\n".join([*lines, f"({found.degraded})"] if found.degraded else lines)


def show_topics(found: TopicList) -> str:
    """A topic with what makes it hot, and where its page is."""
    lines: list[str] = []
    for row in found.topics:
        parts = " + ".join(f"{name} {value:.2f}" for name, value in row.parts.items() if value)
        lines.append(f"{row.status:8} {row.hotness:5.2f} {row.display_name} ({row.entity_id})")
        lines.append(f"         {parts or 'nothing of the last 30 days'} · {row.summaries} summaries · {row.note_path}")
    return "\n".join(lines) or "no topics yet: what is named often in the last 30 days becomes one"


def show_graph(found: EntityGraph) -> str:
    """Each entity with its distance, and how many chunks it shares with the one nearer."""
    nearer = {edge.object: edge for edge in reversed(found.edges)}
    lines: list[str] = []
    for node in found.nodes:
        edge = nearer.get(node.entity_id)
        beside = f" · {edge.weight} chunks with {edge.subject}" if edge and node.hops else ""
        lines.append(f"{'  ' * node.hops}{node.display_name} ({node.entity_id}) · in {node.chunks} chunks{beside}")
    return "\n".join(lines)


def show_explained(found: Explained) -> str:
    """One screen about one node."""
    lines = [
        f"{found.title or found.node_id}",
        f"note      {found.note_path}",
        f"id        {found.node_id}",
        f"time      {found.time_range_start} to {found.time_range_end}",
        f"decision  {found.band}",
    ]
    if found.why:
        lines.append(f"because   {found.why}")
    lines += _signals(found.signals)
    if found.source_ref:
        lines.append(f"from      {found.source_ref} (original: {found.original})")
    if found.entities:
        lines.append(f"entities  {', '.join(found.entities)}")
    if found.edited:
        lines.append("edited    by hand: the note counts as it stands")
    if found.redacted:
        lines.append(f"redacted  {', '.join(f'{n} x {family}' for family, n in found.redacted.items())}")
    lines.append(f"summary   {found.parent_path or 'none lists it yet'}")
    if found.child_ids:
        lines.append(f"below     {', '.join(child[:12] for child in found.child_ids)}")
    return "\n".join([*lines, *_answers(found)])


def _signals(signals: Mapping[str, tuple[float, float]]) -> list[str]:
    return [f"signal    {name:16} {value:.2f} x {weight}" for name, (value, weight) in signals.items()]


def _answers(found: Explained) -> list[str]:
    if not found.query:
        return []
    if not found.answers:
        return [f"query     none of its passages is among the best {found.looked_at} for {found.query!r}"]
    lines = [f"query     {found.query!r}"]
    for row in found.answers:
        parts = row["score_parts"]
        assert isinstance(parts, Mapping)
        told = " + ".join(f"{name} {value:.2f}" for name, value in parts.items())
        lines.append(f"  no. {row['rank']}: {float(str(row['score'])):.2f} = {told}")
        lines.append(f"    {' '.join(str(row['content']).split())[:100]}")
    return [*lines, f"({found.degraded})"] if found.degraded else lines


def show_dropped(found: Dropped) -> str:
    """Each with its reason and the way to keep it."""
    lines: list[str] = []
    for row in found.dropped:
        when = row.time_range_start[:16].replace("T", " ")
        lines.append(f"{row.reason}: {row.text or '(empty)'}")
        lines.append(f"   {when} · {row.source_id} · score {row.score:.2f}" + (f" · {row.why}" if row.why else ""))
        lines.append(f"   {row.note_path}")
        lines.append("")
    if not found.dropped:
        return "nothing was dropped"
    if found.truncated:
        lines.append(f"{len(found.dropped)} of {found.total}; --limit shows more")
    lines.append("to keep one: write 'memory_status: admitted' into its note")
    return "\n".join(lines)


def show_diagnosis(found: Diagnosis) -> str:
    """A line for each thing looked at, what to do below it, and the settings in force."""
    lines: list[str] = []
    for finding in found.findings:
        lines.append(f"{_MARKS[finding.level]} {finding.area:7} {finding.text}")
        if finding.fix:
            lines.append(f"             -> {finding.fix}")
    told = ", ".join(f"{name} {_setting(value)}" for name, value in found.settings.items())
    return "\n".join([*lines, f"     settings {told}"])


def show_secrets(found: FoundSecrets) -> str:
    """A line for each, then what was looked through and what to do."""
    lines = [f"{row.path}:{row.line or ' its name'}  {row.family}" for row in found.secrets]
    lines += [f"! {path}: {reason}" for path, reason in found.unreadable.items()]
    lines.append(f"{len(found.secrets)} secrets in {found.files} files; nothing was changed")
    if found.secrets:
        lines.append("take them out by hand, and make new ones where others could read them (sync, git, backups)")
    return "\n".join(lines)


def _setting(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number:g}" for name, number in value.items()) or "by default"
    return ", ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)
