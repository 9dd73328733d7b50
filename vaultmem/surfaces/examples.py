"""An example for each command, as `--help` shows it. A test parses them."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, str] = {
    "init": "vaultmem init ~/Notes",
    "ingest": "vaultmem ingest ~/Downloads/chat.zip",
    "sync": "vaultmem sync",
    "watch": "vaultmem watch",
    "recall": 'vaultmem recall -k 5 "what did Ann say about the ferry?"',
    "status": "vaultmem status",
    "rebuild": "vaultmem rebuild",
    "verify": "vaultmem verify --json",
    "forget": "vaultmem forget --dry-run wiki/raw/chat/crew/0000-7eaddd.md",
    "context": 'vaultmem context --budget 1500 "we meet Ann tomorrow"',
    "ask": 'vaultmem ask "why was the ferry moved?"',
    "facts": "vaultmem facts list user",
    "tree": "vaultmem tree query_source source=whatsapp:Crew window=30d",
    "entities": "vaultmem entities ann",
    "digest": "vaultmem digest yesterday",
    "topics": "vaultmem topics",
    "graph": "vaultmem graph person:ann --canvas Ann.canvas",
    "explain": 'vaultmem explain 7eaddd --query "when does the ferry leave?"',
    "dropped": "vaultmem dropped --limit 50",
    "doctor": "vaultmem doctor",
    "diff": "vaultmem diff --since 7d",
    "commit": 'vaultmem commit -m "memory of the week"',
    "mcp": "vaultmem mcp --print-config claude-code",
    "serve": "vaultmem serve --read-only",
    "hook": "vaultmem hook < event.json",
    "obsidian": "vaultmem obsidian install",
    "completion": 'eval "$(vaultmem completion bash)"',
}


def example(name: str) -> str:
    """The last lines of a command's help; "" where there is no example."""
    return f"Example: {EXAMPLES[name]}" if name in EXAMPLES else ""
