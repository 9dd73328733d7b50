"""Commands for what memory tells beyond passages: facts, the context pack, the memory agent."""

from __future__ import annotations

import click

from vaultmem.surfaces.command import common, open_memory, print_result


@click.group()
def facts() -> None:
    """Keys and values by namespace: `user` holds what you said of yourself.

    They are lines of wiki/facts/NAMESPACE.md, yours to edit, or kept by the service that your own config names.
    """


@facts.command("get")
@click.argument("namespace")
@click.argument("key")
@common
def facts_get(namespace: str, key: str) -> None:
    """The value of KEY, since when, from where, and what it was before."""
    from vaultmem.surfaces.show_facts import show_fact

    with open_memory() as memory:
        found = memory.fact(namespace, key)
    print_result(found.to_dict(), lambda: show_fact(found.hits[0].fact))


@facts.command("set")
@click.argument("namespace")
@click.argument("key")
@click.argument("value")
@common
def facts_set(namespace: str, key: str, value: str) -> None:
    """Keep VALUE under KEY. A value that stood there stays, with its dates."""
    from vaultmem.surfaces.show_facts import show_kept

    with open_memory() as memory:
        kept = memory.set_fact(namespace, key, value)
    print_result(kept.to_dict(), lambda: show_kept(kept))


@facts.command("list")
@click.argument("namespace", default="")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1, 1000), help="How many.")
@common
def facts_list(namespace: str, limit: int) -> None:
    """All facts of NAMESPACE, or of every one; newest first."""
    _print_facts(namespace, "", limit)


@facts.command("search")
@click.argument("namespace")
@click.argument("query")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000), help="How many.")
@common
def facts_search(namespace: str, query: str, limit: int) -> None:
    """Facts of NAMESPACE ("" for every one) that hold words of QUERY, best first."""
    _print_facts(namespace, query, limit)


def _print_facts(namespace: str, query: str, limit: int) -> None:
    from vaultmem.surfaces.show_facts import show_facts

    with open_memory() as memory:
        found = memory.facts(namespace, query=query, limit=limit)
    print_result(found.to_dict(), lambda: show_facts(found))


@click.command()
@click.argument("text")
@click.option("--budget", default=2000, show_default=True, type=click.IntRange(200, 100_000), help="Tokens at most.")
@click.option("--session", default="", help="Id of the running session: its own turns are left out.")
@common
def context(text: str, budget: int, session: str) -> None:
    """What memory holds about TEXT, for a model: four sections, cited, fenced as data."""
    with open_memory() as memory:
        found = memory.context(text, budget=budget, session=session)
    print_result(found.to_dict(), lambda: found.text or "nothing found")


@click.command()
@click.argument("text")
@common
def ask(text: str) -> None:
    """Answer TEXT with the language model your own config names; every sentence cites what was found.

    Without a model: what a walk through memory finds.
    """
    from vaultmem.surfaces.show_facts import show_answer

    with open_memory() as memory:
        found = memory.ask(text)
    print_result(found.to_dict(), lambda: show_answer(found))


KNOWING = (context, ask, facts)
