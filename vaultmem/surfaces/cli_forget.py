"""The command that forgets, and what it prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.surfaces.command import common, open_memory, print_result

if TYPE_CHECKING:
    from vaultmem.forgetting import Receipt

#: Paths shown of each kind; `--json` has all.
_MOST = 20


@click.command()
@click.argument("target", metavar="ID|PATH|PERSON|SOURCE")
@click.option("--dry-run", is_flag=True, help="Only what would go; writes nothing.")
@common
def forget(target: str, dry_run: bool) -> None:
    """Forget for good: notes or a message's lines, vectors, summary sentences, originals, log lines.

    \b
    a chunk or summary   its id, or the path of its note
    a message            m-0123456789ab, as its note shows it
    a person, a project  person:alice, or the name: the note, and what they wrote
    a source             slack:eng

    What others said of a person stays; the receipt says how much.
    """
    from vaultmem.surfaces.progress import long_work

    with long_work() as told, open_memory(told) as memory:
        receipt = memory.forget(target, dry_run=dry_run)
    print_result(receipt.to_dict(), lambda: show_receipt(receipt))


def show_receipt(receipt: Receipt) -> str:
    """What went, and what is out of reach."""
    would = "would be " if receipt.dry_run else ""
    lines = [f"{receipt.what}: {receipt.messages} messages or pieces {would}forgotten"]
    lines += _listed(f"notes {would}removed", receipt.notes_removed)
    lines += _listed(f"notes {would}changed", receipt.notes_changed)
    lines += _listed(f"summaries, pages and entity notes {would}removed", receipt.pages_removed)
    lines += _listed(f"originals {would}deleted", receipt.originals_removed)
    if receipt.originals_shared:
        lines.append("of these, other notes were made too, and stay without an original:")
        lines += [f"  {name}: {count} notes" for name, count in sorted(receipt.originals_shared.items())]
    if receipt.mentions_left:
        lines.append(f"{receipt.mentions_left} passages of others name it, and stay")
    if not receipt.dry_run:
        lines.append(f"summaries sealed again: {receipt.sealed_again}; log lines removed: {receipt.log_lines}")
    lines += _listed("the words still stand in these files of yours", receipt.still_in)
    lines += ["out of reach:", *(f"  {place}" for place in receipt.out_of_reach)]
    return "\n".join([*lines, *(f"! {problem}" for problem in receipt.problems)])


def _listed(title: str, paths: tuple[str, ...]) -> list[str]:
    more = [f"  and {len(paths) - _MOST} more"] if len(paths) > _MOST else []
    return [f"{title}: {len(paths)}", *(f"  {path}" for path in paths[:_MOST]), *more] if paths else []
