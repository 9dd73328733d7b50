"""The commands about a vault's history: commit and diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.history import CHANGES, counted
from vaultmem.surfaces.command import common, open_memory, print_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.history import BlockChange, Changes, Committed, NoteChange


@click.command()
@click.option("-m", "text", default="", metavar="TEXT", help="What the commit says, above what vaultmem says.")
@common
def commit(text: str) -> None:
    """Commit memory's own files (wiki/, entities/, .vaultmem/) to the branch that is checked out, and nothing else.

    What you have staged, of whatever file, stays staged and out of it. Trailers say what changed. Hooks do not run.

    \b
    vaultmem commit
    vaultmem commit -m "After the move"
    git log -1 --format=%B | git interpret-trailers --parse
    """
    with open_memory() as memory:
        made = memory.commit(text)
    print_result(made.to_dict(), lambda: show_commit(made))


def show_commit(made: Committed) -> str:
    """The commit in a line, what it took in, and what else should be known."""
    if not made.commit:
        lines = ["nothing of memory has changed since the last commit"]
    else:
        lines = [f"[{made.branch or 'detached HEAD'} {made.commit[:10]}] {made.subject}"]
        for done, kinds in made.counts.items():
            lines.append(f"  {done}: {', '.join(counted(number, kind) for kind, number in kinds.items())}")
        lines += [f"  sources: {len(made.sources)}"] if made.sources else []
    return "\n".join([*lines, *(f"! {remark}" for remark in made.remarks)])


@click.command()
@click.option(
    "--since", default="", metavar="WHEN|REV", help="A time (2026-04-21, 7d, yesterday) or a revision of git."
)
@common
def diff(since: str) -> None:
    """What memory gained, lost and changed, by note and by block; without --since since the last look, which this is.

    \b
    vaultmem diff
    vaultmem diff --since yesterday
    vaultmem diff --since HEAD~3 --json
    """
    with open_memory() as memory:
        found = memory.diff(since)
    print_result(found.to_dict(), lambda: show_changes(found))


def show_changes(found: Changes) -> str:
    """Counts first, then the notes by source."""
    lines = [f"since {found.since}" if found.since else "the first look: everything is new"]
    for change in CHANGES:
        notes, blocks = found.counts.get(change, {}), found.blocks.get(change, {})
        if notes or blocks:
            kinds = ", ".join(counted(number, _PLURAL.get(kind, f"{kind}s")) for kind, number in notes.items())
            inside = ", ".join(counted(number, _PLURAL.get(kind, f"{kind}s")) for kind, number in blocks.items())
            lines.append(f"  {change:8} {kinds or 'no note'}{f' · {inside}' if inside else ''}")
    if not found.counts:
        lines.append("  nothing")
    if found.since:
        lines += _by_source(found.notes)
    return "\n".join([*lines, f"({found.degraded})"] if found.degraded else lines)


def _by_source(notes: Sequence[NoteChange]) -> list[str]:
    sources: dict[str, list[NoteChange]] = {}
    for note in notes:
        sources.setdefault(note.source or f"({note.kind})", []).append(note)
    lines: list[str] = []
    for source, own in sorted(sources.items(), key=lambda item: (item[0].startswith("("), item[0])):
        lines += ["", source]
        for note in own[:_NOTES]:
            where = f" (from {note.was_path})" if note.was_path else ""
            lines.append(f"{_SIGNS[note.change]} {note.title} · {note.path or note.id}{where}")
            lines += [f"    {_block(block)}" for block in note.blocks[:_BLOCKS]]
            more = len(note.blocks) - _BLOCKS
            lines += [f"    … {more} more"] if more > 0 else []
        lines += [f"  … {len(own) - _NOTES} more"] if len(own) > _NOTES else []
    return lines


def _block(block: BlockChange) -> str:
    who = f"{block.author}: " if block.author else ""
    name = f"{block.key}: " if block.kind in ("property", "fact") else ""
    said = [" ".join(text.split())[:_CHARS] for text in (block.before, block.after)]
    text = " -> ".join(said) if block.change == "changed" and said[0] else said[1] or said[0] or block.key
    return f"{_SIGNS[block.change]} {who}{name}{text}"


_SIGNS = {"gained": "+", "lost": "-", "changed": "~", "renamed": ">"}
_PLURAL = {"chat": "chat notes", "email": "email notes", "document": "document notes", "summary": "summaries",
           "entity": "entities", "facts": "notes of facts", "property": "properties"}  # fmt: skip
#: Shown of a source, of a note and of a block; `--json` has all.
_NOTES, _BLOCKS, _CHARS = 20, 6, 100
HISTORY = (diff, commit)
