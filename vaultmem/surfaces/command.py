"""What every command shares: `--vault` and `--json` in any place, opening the vault, printing the result."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec

import click

if TYPE_CHECKING:
    from vaultmem.memory import Memory

P = ParamSpec("P")

_VAULT_HELP = "The vault. Default: VAULTMEM_VAULT, else the nearest parent that holds .vaultmem/."


def common(command: Callable[P, None]) -> Callable[P, None]:
    """`--vault` and `--json` work before and after the command."""

    @click.option("--vault", "vault", default=None, help=_VAULT_HELP, expose_value=False, callback=_remember)
    @click.option(
        "--json", "json", is_flag=True, help="One JSON document on stdout.", expose_value=False, callback=_remember
    )
    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        command(*args, **kwargs)

    return wrapped


def _remember(ctx: click.Context, param: click.Parameter, value: object) -> object:
    options = ctx.find_root().ensure_object(dict)
    if value and param.name:
        options[param.name] = value
    return value


def named_vault() -> str | None:
    """The vault of `--vault`."""
    found = click.get_current_context().find_root().ensure_object(dict).get("vault")
    return None if found is None else str(found)


def open_memory(progress: Callable[[str], None] = lambda _: None) -> Memory:
    """The vault named, opened for the command that runs; `progress` is told what it does. Raises NoVault, BadConfig.

    What is about to cost money is said to a person at a terminal.
    """
    from vaultmem.memory import find_vault, open_vault

    command = click.get_current_context().info_name or ""
    return open_vault(
        find_vault(named_vault()), command=command, progress=progress, notice=_say_at_terminal, warning=_say
    )


def _say_at_terminal(text: str) -> None:
    if sys.stderr.isatty():
        _say(text)


def _say(text: str) -> None:
    note(f"vaultmem: {text}")


def say(text: str = "") -> None:
    """A result."""
    click.echo(text)


def note(text: str) -> None:
    """For people, beside the result: never on stdout."""
    click.echo(text, err=True)


def print_result(value: dict[str, object], text: Callable[[], str]) -> None:
    """One JSON document, or text for people."""
    if click.get_current_context().find_root().ensure_object(dict).get("json"):
        from vaultmem.surfaces.wire import dumps

        say(dumps(value))
    else:
        say(text())
