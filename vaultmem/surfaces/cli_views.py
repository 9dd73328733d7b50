"""Commands that look into memory: tree, entities, explain, dropped, doctor; and the door for agents, mcp."""

from __future__ import annotations

import sys

import click

from vaultmem.surfaces.command import common, named_vault, note, open_memory, print_result


@click.command()
@click.argument("mode")
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]...")
@common
def tree(mode: str, arguments: tuple[str, ...]) -> None:
    """Ask the tree of memory, as agents do.

    \b
    search_entities query=NAME [kinds=person,topic] [limit=10]
    drill_down node_id=ID [max_depth=1] [limit=20]
    fetch_leaves chunk_ids=ID,ID,...
    """
    from vaultmem.surfaces.show_views import show_tree

    given: dict[str, object] = {}
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if not equals or not key:
            raise click.UsageError(f"{argument!r}: arguments are given as KEY=VALUE")
        if key in given:
            raise click.UsageError(f"{key!r} is given twice; a list is one value: {key}=a,b")
        given[key] = value
    with open_memory() as memory:
        found = memory.tree(mode, **given)
    print_result(found.to_dict(), lambda: show_tree(found))


@click.command()
@click.argument("text", default="")
@click.option("--kind", "kinds", multiple=True, help="Only this kind, like person or project; may be given again.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 100), help="How many.")
@common
def entities(text: str, kinds: tuple[str, ...], limit: int) -> None:
    """Who or what a name means: ids, other names, how often mentioned. Without TEXT: the most mentioned."""
    from vaultmem.surfaces.show_views import show_tree

    with open_memory() as memory:
        found = memory.tree("search_entities", query=text, kinds=kinds, limit=limit)
    print_result(found.to_dict(), lambda: show_tree(found))


@click.command()
@click.argument("identity", metavar="ID")
@click.option("--query", default="", help="Also how its passages fared as an answer to this question.")
@common
def explain(identity: str, query: str) -> None:
    """Why this chunk or summary: signals, score, decision, where it comes from. Six digits of ID are enough."""
    from vaultmem.surfaces.show_views import show_explained

    with open_memory() as memory:
        found = memory.explain(identity, query=query)
    print_result(found.to_dict(), lambda: show_explained(found))


@click.command()
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 10_000), help="How many, newest first.")
@common
def dropped(limit: int) -> None:
    """What was not kept, and why. Write `memory_status: admitted` into a note to keep it for good."""
    from vaultmem.surfaces.show_views import show_dropped

    with open_memory() as memory:
        found = memory.dropped(limit)
    print_result(found.to_dict(), lambda: show_dropped(found))


@click.command()
@click.option("--retry-jobs", is_flag=True, help="First give jobs that gave up another try: the next sync does them.")
@click.option("--secrets", is_flag=True, help="Instead: where passwords, keys and tokens stand in the vault's texts.")
@common
def doctor(retry_jobs: bool, secrets: bool) -> None:
    """What is wrong and what to do about it. Ends 1 when something needs you."""
    from vaultmem.surfaces.show_views import show_diagnosis

    if secrets:
        _secrets()
        return
    with open_memory() as memory:
        if retry_jobs:
            note(f"{memory.retry_jobs()} jobs are tried again by the next 'vaultmem sync'")
        found = memory.doctor()
    print_result(found.to_dict(), lambda: show_diagnosis(found))
    if found.needs_user:
        sys.exit(1)


def _secrets() -> None:
    """Path, line and family of each; ends 1 when there are some."""
    from vaultmem.surfaces.progress import long_work
    from vaultmem.surfaces.show_views import show_secrets

    with long_work() as told, open_memory(told) as memory:
        found = memory.secrets()
    print_result(found.to_dict(), lambda: show_secrets(found))
    if found.secrets:
        sys.exit(1)


@click.command()
@common
def mcp() -> None:
    """Serve agents over stdin and stdout (Model Context Protocol), until stdin ends."""
    from vaultmem.surfaces.mcp import serve

    serve(named_vault())


VIEWS = (tree, entities, explain, dropped, doctor, mcp)
