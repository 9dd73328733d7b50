"""The command line. Each command opens the vault, asks memory, and prints: tables for people, one JSON document for
programs. Heavy modules are imported inside the commands, so that `vaultmem --help` is there at once.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from vaultmem import __version__
from vaultmem.errors import VaultmemError
from vaultmem.surfaces.cli_doors import DOORS
from vaultmem.surfaces.cli_forget import forget
from vaultmem.surfaces.cli_history import HISTORY
from vaultmem.surfaces.cli_knowing import KNOWING
from vaultmem.surfaces.cli_obsidian import obsidian
from vaultmem.surfaces.cli_views import VIEWS
from vaultmem.surfaces.command import common, named_vault, note, open_memory, print_result, say
from vaultmem.surfaces.completion import completion
from vaultmem.surfaces.examples import example

if TYPE_CHECKING:
    from vaultmem.memory import SyncReport


class _Group(click.Group):
    """Lists commands in the order of work, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click passes it
        """The order in which they were added."""
        return list(self.commands)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@common
@click.version_option(__version__, prog_name="vaultmem")
def cli() -> None:
    """A memory inside your Obsidian vault.

    Drop chats, mails and documents into the inbox folder; ask, and every answer names the line it comes from.
    """


@cli.command()
@click.argument("path", required=False, type=click.Path(file_okay=False))
@click.option("--inbox", default=None, help="Folder to drop files into (default: inbox).")
@common
def init(path: str | None, inbox: str | None) -> None:
    """Make PATH (default: the vault named, or this folder) a vault with memory.

    Safe on a vault in use: nothing that exists is changed.
    """
    from vaultmem.memory import init_vault

    made = init_vault(Path(path or named_vault() or "."), inbox=inbox)
    print_result(made.to_dict(), made.text)


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@common
def ingest(paths: tuple[str, ...]) -> None:
    """Copy files or folders into the inbox and take them all the way."""
    from vaultmem.surfaces.progress import long_work

    with long_work() as told, open_memory(told) as memory:
        report = memory.ingest(paths)
    _print_sync(report, named=True)


@cli.command()
@click.option(
    "--accept-deletions", is_flag=True, help="However many notes are missing: they were deleted, and stay deleted."
)
@common
def sync(accept_deletions: bool) -> None:
    """Once: take over edits made by hand, empty the inbox, bring the registry up to date."""
    from vaultmem.surfaces.progress import long_work

    with long_work() as told, open_memory(told) as memory:
        report = memory.sync(accept_deletions=accept_deletions)
    _print_sync(report, named=False)


@cli.command()
@common
def watch() -> None:
    """The same, live, until stopped with Ctrl-C."""
    with open_memory() as memory:
        memory.watch(note)


@cli.command()
@click.argument("text")
@click.option("-k", "k", default=10, show_default=True, type=click.IntRange(1, 1000), help="How many passages.")
@click.option("--source", default="", help="Only this source, or a prefix like 'slack:'.")
@click.option(
    "--kind",
    default=None,
    type=click.Choice(["chat", "email", "document"], case_sensitive=False),
    help="Only this kind.",
)
@click.option("--since", default="", help="Only from this day or time on (ISO).")
@click.option("--until", default="", help="Only up to this day or time (ISO), the day included.")
@click.option("--entity", default="", help="Only passages that name this person, project, topic (name, alias or id).")
@click.option("--tag", default="", help="Only passages of notes with this tag.")
@click.option("--dropped", is_flag=True, help="Also what the gate dropped.")
@common
def recall(
    text: str, k: int, source: str, kind: str | None, since: str, until: str, entity: str, tag: str, dropped: bool
) -> None:
    """Find passages that answer TEXT, best first, each with the line it stands in."""
    from vaultmem.surfaces.show import Page, show_hits

    with open_memory() as memory:
        found = memory.recall(
            text, k=k, source=source, kind=kind or "", since=since, until=until, entity=entity, tag=tag, dropped=dropped
        )
    page = Page(
        zone=memory.settings.zone,
        vault=memory.name,
        spans=lambda content: memory.marked(text, content),
        is_terminal=sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb",
    )
    print_result(found.to_dict(), lambda: show_hits(found, page))


@cli.command()
@common
def status() -> None:
    """What memory holds, what waits, what is stale, and what is wrong."""
    from vaultmem.surfaces.show import show_status

    with open_memory() as memory:
        state = memory.status()
    print_result(state.to_dict(), lambda: show_status(state))


@cli.command()
@common
def rebuild() -> None:
    """Make the index anew from the notes. Writes no note."""
    from vaultmem.surfaces.progress import long_work

    with long_work() as told, open_memory(told) as memory:
        done = memory.rebuild()
    print_result(done.to_dict(), lambda: f"index rebuilt from {done.notes} notes, digest {done.digest[:16]}")


@cli.command()
@common
def verify() -> None:
    """Compare the index with the notes: digest and drift. Ends 1 on drift."""
    from vaultmem.surfaces.show import show_verify

    with open_memory() as memory:
        found = memory.verify()
    print_result(found.to_dict(), lambda: show_verify(found))
    if found.drift:
        sys.exit(1)


for _view in (forget, *KNOWING, *VIEWS, *HISTORY, *DOORS, obsidian, completion):
    cli.add_command(_view)
for _name, _command in cli.commands.items():
    _command.epilog = example(_name)


def _print_sync(report: SyncReport, *, named: bool) -> None:
    from vaultmem.surfaces.show import show_sync

    print_result(report.to_dict(), lambda: show_sync(report))
    if named and any(row.outcome == "failed" for row in report.files):
        sys.exit(1)


def main() -> NoReturn:
    """The console script: a named problem is one line and exit code 1; no traceback reaches a user."""
    _speak_utf8()
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as wrong:
        wrong.show()
        _say_error(wrong.format_message())
        sys.exit(wrong.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except VaultmemError as problem:
        _fail(str(problem))
    except OSError as problem:
        _fail(f"{problem.filename or 'system'}: {problem.strerror or problem}")
    except Exception as bug:  # noqa: BLE001 - no traceback reaches a user
        _fail(f"a fault of vaultmem ({type(bug).__name__}: {bug}); nothing was lost, please report it")
    sys.exit(0)


def _fail(message: str) -> NoReturn:
    line = " ".join(message.split())
    _say_error(line)
    note(f"vaultmem: {line}")
    sys.exit(1)


def _say_error(line: str) -> None:
    """What a program that asked for JSON gets instead of a result."""
    if "--json" in sys.argv[1:]:
        from vaultmem.surfaces.wire import error

        say(error(" ".join(line.split())))


def _speak_utf8() -> None:
    """Notes hold every script; a terminal or pipe in another code page gets what it can show."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(encoding="utf-8", errors="replace")
