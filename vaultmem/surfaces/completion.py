"""Completion of commands and options by the shell."""

from __future__ import annotations

import click

from vaultmem.surfaces.command import say


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete commands and options; put it where your shell starts."""
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root()
    maker = get_completion_class(shell)
    assert maker is not None
    say(maker(root.command, {}, "vaultmem", "_VAULTMEM_COMPLETE").source().rstrip())
