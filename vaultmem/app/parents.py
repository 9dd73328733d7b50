"""What a merge of two clones makes of a tree: a summary that both sealed stands there twice, a leaf has two parents.

A leaf or summary that several summaries of one tree list stays with the one of the smallest node_id; what the others
say is sealed again without it (app/reseal.py). The outcome follows from the notes alone, so that every clone comes to
the same tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vaultmem.app.engine import Engine
from vaultmem.app.grow import Grower, read_node
from vaultmem.app.reconcile import node_drift
from vaultmem.core.notes.summarynote import render_summary_note, summary_path
from vaultmem.core.notes.unite import united_summary
from vaultmem.errors import VaultmemError
from vaultmem.grown import SummaryNode
from vaultmem.model import FileStat, NoteFile


def settle_twins(engine: Engine) -> None:
    """Summaries of one node_id that both clones sealed, over other times and so in two files: one, of all children.

    A copy that a person made bears another name, and is left alone.
    """
    found: dict[str, dict[str, SummaryNode]] = {}
    for path in node_drift(engine).added:
        node = _sealed_at(engine, path)
        if node is not None:
            found.setdefault(node.node_id, {})[path] = node
    for node_id, twins in found.items():
        known = engine.index.node(node_id)
        other = _sealed_at(engine, known[0]) if known and known[0] not in twins else None
        if known and other and other.node_id == node_id:
            twins[known[0]] = other
        if len(twins) > 1:
            _join(engine, twins)


def _sealed_at(engine: Engine, path: str) -> SummaryNode | None:
    """The summary whose note stands there, under the name that its first seal gave it."""
    try:
        node = read_node(engine.vault.read(path).decode(), FileStat(path=path, size=0, mtime_ns=0)).node
    except (VaultmemError, UnicodeDecodeError, FileNotFoundError):
        return None
    name = summary_path(node.tree_kind, node.tree_scope, node.tree_level, node.time_start, node.time_end, node.node_id)
    return node if path.startswith(name[: -len("2026-01-01-123456.md")]) and path[-9:] == name[-9:] else None


def _join(engine: Engine, twins: Mapping[str, SummaryNode]) -> None:
    """The first by path takes the place of all. The index first: a kill in between finds the rest again."""
    paths = sorted(twins)
    made = twins[paths[0]]
    for path in paths[1:]:
        made = united_summary(made, twins[path])
    engine.index.commit_nodes([], removed=paths)
    engine.vault.write([NoteFile(path=paths[0], content=render_summary_note(made).encode())])
    for path in paths[1:]:
        engine.vault.remove(path)
    engine.vault.write(())


def settle_parents(grower: Grower) -> int:
    """Give every child one parent in each tree; how many summaries were changed."""
    losing: dict[str, set[str]] = {}
    for child, parents in grower.engine.index.held.shared_children():
        for parent in parents[1:]:
            losing.setdefault(parent, set()).add(child)
    changed: list[tuple[str, SummaryNode]] = []
    for node_id, children in sorted(losing.items()):
        found = grower.engine.index.node(node_id)
        if found is not None:
            changed.append((found[0], without_children(found[1], children)))
    grower.write(changed)
    return len(changed)


def without_children(node: SummaryNode, children: set[str]) -> SummaryNode:
    """The node without these; its hash no longer fits, so that it is sealed again, or goes when nothing is left."""
    aligned = len(node.children) == len(node.child_ids)
    links = dict(zip(node.child_ids, node.children, strict=True)) if aligned else {}
    kept = tuple(child for child in node.child_ids if child not in children)
    return replace(node, child_ids=kept, children=tuple(links[child] for child in kept if child in links))
