"""The commands about a vault's history: commit and diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.history import counted
from vaultmem.surfaces.command import common, open_memory, print_result

if TYPE_CHECKING:
    from vaultmem.history import Committed


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


HISTORY = (commit,)
