"""Commands that look into memory: tree, entities, digest, topics, graph and so on."""

from __future__ import annotations

import sys

import click

from vaultmem.surfaces.command import common, note, open_memory, print_result


@click.command()
@click.argument("mode")
@click.argument("arguments", nargs=-1, metavar="[KEY=VALUE]...")
@common
def tree(mode: str, arguments: tuple[str, ...]) -> None:
    """Ask the tree of memory, as agents do.

    \b
    search_entities query=NAME [kinds=person,topic] [limit=10]
    query_source [source=ID] [kind=chat] [query=TEXT] [limit=20]
    query_topic entity=NAME [query=TEXT] [limit=20]
    query_global [query=TEXT] [limit=20]
    cover_window [source=ID] [kind=chat] [limit=20]
    walk query=TEXT [max_hops=2] [source=ID] [kind=chat] [limit=10]
    drill_down node_id=ID [max_depth=1] [query=TEXT] [limit=20]
    fetch_leaves chunk_ids=ID,ID,...
    ingest_document source_id=ID content=TEXT [title=TEXT]
    sync_status_list [source=ID] [kind=chat] [limit=100]

    Times, wherever a mode looks at some: since=DAY until=DAY, since_ms= until_ms=, or window=7d.
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
    none = "nothing of it is in memory yet" if mode == "ingest_document" else "nothing found"
    print_result(found.to_dict(), lambda: show_tree(found, none=none))


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
@click.argument("date", default="")
@common
def digest(date: str) -> None:
    """What a time was about. DATE is a day, week, month or year: 2026-04-21, 2026-W17, 2026-04, 2026, today, yesterday.

    Without DATE: the newest day that has a digest.
    """
    from vaultmem.surfaces.show_views import show_digest

    with open_memory() as memory:
        found = memory.digest(date)
    print_result(found.to_dict(), lambda: show_digest(found))


@click.command()
@common
def topics() -> None:
    """What is and was a topic, the hottest first, and what makes it hot."""
    from vaultmem.surfaces.show_views import show_topics

    with open_memory() as memory:
        found = memory.topics()
    print_result(found.to_dict(), lambda: show_topics(found))


@click.command()
@click.argument("identity", metavar="ID")
@click.option("--hops", default=1, show_default=True, type=click.IntRange(1, 4), help="How far away.")
@click.option("--limit", default=30, show_default=True, type=click.IntRange(1, 200), help="How many entities.")
@click.option("--canvas", default=None, type=click.Path(dir_okay=False), help="Write an Obsidian canvas to this file.")
@click.option("--force", is_flag=True, help="With --canvas: replace a file that is there.")
@common
def graph(identity: str, hops: int, limit: int, canvas: str | None, force: bool) -> None:
    """Who and what stands beside an entity (id, name or alias), and in how many chunks."""
    from vaultmem.surfaces.show_views import show_graph

    with open_memory() as memory:
        found = memory.graph(identity, hops=hops, limit=limit)
        if canvas is not None:
            memory.write_canvas(found, canvas, force=force)
    print_result(found.to_dict(), lambda: show_graph(found))


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


VIEWS = (tree, entities, digest, topics, graph, explain, dropped, doctor)
