"""Commands that open doors: mcp and serve for agents, hook for their sessions."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click

from vaultmem.surfaces.agent_setup import CLIENTS, SKILL, hook_config, server_config
from vaultmem.surfaces.command import common, named_vault, note, open_memory, print_result, say
from vaultmem.surfaces.mcp_tool import Access

_READ_ONLY = click.option("--read-only", is_flag=True, help="Offer nothing that writes.")
_SOURCES = click.option(
    "--source",
    "sources",
    multiple=True,
    help="Answer from this source alone (an id, or a prefix like 'slack:'); may be repeated.",
)


@click.command()
@click.option(
    "--print-config",
    "client",
    type=click.Choice(sorted(CLIENTS)),
    is_flag=False,
    flag_value="",  # no choice, so that the refusal names them all
    help="Print the configuration for this program, and stop.",
)
@click.option("--print-skill", is_flag=True, help="Print a skill file that tells an agent when to ask what, and stop.")
@click.option("--print-hook", is_flag=True, help="Print Claude Code's settings that keep its sessions, and stop.")
@_READ_ONLY
@_SOURCES
@common
def mcp(client: str | None, print_skill: bool, print_hook: bool, read_only: bool, sources: tuple[str, ...]) -> None:
    """Serve agents over stdin and stdout (Model Context Protocol), until stdin ends."""
    if client:
        _print_config(client, read_only, sources)
    elif print_skill:
        note("vaultmem: save this as .claude/skills/vaultmem/SKILL.md, in your home or in a project's folder")
        say(SKILL.rstrip("\n"))
    elif print_hook:
        note("vaultmem: merge this into .claude/settings.json, in your home or in a project's folder")
        say(json.dumps(hook_config(_vault()), indent=2))
    else:
        from vaultmem.surfaces.mcp_stdio import serve_pipes

        serve_pipes(named_vault(), Access(reads_only=read_only, sources=sources))


def _print_config(name: str, read_only: bool, sources: tuple[str, ...]) -> None:
    options = ["--read-only"] if read_only else []
    options += [part for source in sources for part in ("--source", source)]
    config = server_config(CLIENTS[name], _vault(), options, os.environ)
    note(f"vaultmem: for {CLIENTS[name].title}: merge this into {CLIENTS[name].file}")
    say(json.dumps(config, indent=2, ensure_ascii=False))


def _vault() -> Path:
    """Raises NoVault, BadConfig: what would not open is not worth a configuration."""
    from vaultmem.memory import find_vault

    open_memory().close()
    return find_vault(named_vault()).absolute()


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Default: 7391; 0 takes a free one.")
@_READ_ONLY
@_SOURCES
@common
def serve(port: int | None, read_only: bool, sources: tuple[str, ...]) -> None:
    """Serve agents over HTTP to programs of this computer (127.0.0.1), until Ctrl-C. They need the token it shows."""
    from vaultmem.memory.door import door_token
    from vaultmem.surfaces.serve import ADDRESS, PATH, PORT, listening

    token = door_token(_vault())
    server = listening(
        named_vault(),
        Access(reads_only=read_only, sources=sources, own_files=True),
        token=token,
        port=PORT if port is None else port,
    )
    url = f"http://{ADDRESS}:{server.effective_port}{PATH}"
    found: dict[str, object] = {"url": url, "token": token}
    print_result(found, lambda: f"Listening on {url}\nEvery request needs: Authorization: Bearer {token}")
    sys.stdout.flush()
    server.run()


@click.command()
@common
def hook() -> None:
    """Keep an agent's session: reads what Claude Code gives a hook on stdin. See 'mcp --print-hook'."""
    from vaultmem.errors import BadQuery

    try:
        event = json.loads(sys.stdin.buffer.read())
        session, path = str(event["session_id"]), Path(str(event["transcript_path"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadQuery("stdin", "", "what Claude Code gives a hook: JSON with session_id and transcript_path") from None
    is_over = event.get("hook_event_name") in ("SessionEnd", "PreCompact")
    with open_memory() as memory:
        kept = memory.drop_transcript(session, path, holds=not is_over)
        if kept.name and not memory.watched:
            memory.take([kept.name])
    print_result({"session": kept.to_dict()}, lambda: f"in the inbox as {kept.name}" if kept.name else "held")


DOORS = (mcp, serve, hook)
