"""Files that show memory in Obsidian: tables (`.base`) and the colours of the graph. Their reader may change them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache

import yaml

#: Where the tables stand, and what each shows.
ENTITIES_BASE = "wiki/Entities.base"
DIGESTS_BASE = "wiki/Digests.base"
SOURCES_BASE = "wiki/Sources.base"
DROPPED_BASE = "wiki/Dropped.base"
OBSIDIAN = ".obsidian"
GRAPH = f"{OBSIDIAN}/graph.json"

#: Rows of one table: more than one looks through.
_ROWS = 500
_TITLES: Mapping[str, str] = {
    "aliases": "Title",
    "display_name": "Name",
    "drop_reason": "Why dropped",
    "memory_score": "Score",
    "memory_status": "Status",
    "source_ref": "From",
    "time_range_end": "Until",
    "time_range_start": "Since",
    "token_count": "Tokens",
    "tree_kind": "Tree",
    "tree_level": "Level",
    "tree_scope": "Of",
    "updated_at": "Changed",
}


@cache
def base_files() -> Mapping[str, str]:
    """Vault path -> text of every table."""
    return {
        ENTITIES_BASE: _base(
            ['file.inFolder("entities")', 'file.hasProperty("id")'],
            [
                _view("All", ["file.name", "kind", "aliases", "emails", "updated_at"], "file.name"),
                _view("By kind", ["file.name", "aliases", "emails"], "file.name", group="note.kind"),
                _view("Merged", ["file.name", "same_as", "not_same_as"], "file.name", where=["!same_as.isEmpty()"]),
            ],
        ),
        DIGESTS_BASE: _base(
            ['file.inFolder("wiki/summaries")', 'file.hasProperty("node_id")'],
            [
                _view("Days", _DIGEST, "time_range_start", where=['tree_kind == "global"', "tree_level == 0"]),
                _view("Longer", _DIGEST, "time_range_start", where=['tree_kind == "global"', "tree_level > 0"]),
                _view("Sources", [*_DIGEST, "tree_scope"], "time_range_end", where=['tree_kind == "source"']),
                _view("Topics", [*_DIGEST, "tree_scope"], "time_range_end", where=['tree_kind == "topic"']),
            ],
        ),
        SOURCES_BASE: _base(
            ['file.inFolder("wiki/sources")'],
            [_view("Sources", ["aliases", "source_kind", "tree_scope", "file.mtime"], "file.mtime")],
        ),
        DROPPED_BASE: _base(
            ['file.inFolder("wiki/raw")', 'memory_status == "dropped"'],
            [
                _view("Newest", _DROPPED, "time_range_end"),
                _view("By reason", _DROPPED, "time_range_end", group="note.drop_reason"),
            ],
        ),
    }  # fmt: skip


_DIGEST = ["aliases", "time_range_start", "time_range_end", "tree_level", "token_count"]
_DROPPED = ["aliases", "drop_reason", "memory_score", "source_ref", "time_range_end"]


def _base(filters: Sequence[str], views: Sequence[Mapping[str, object]]) -> str:
    shown = sorted({column for view in views for column in _columns(view)} & _TITLES.keys())
    base = {
        "filters": {"and": list(filters)},
        "properties": {f"note.{column}": {"displayName": _TITLES[column]} for column in shown},
        "views": list(views),
    }
    return yaml.safe_dump(base, sort_keys=False, allow_unicode=True, width=1000)


def _columns(view: Mapping[str, object]) -> list[str]:
    columns = view["order"]
    assert isinstance(columns, list)
    return columns


def _view(
    name: str, columns: Sequence[str], newest_by: str, *, where: Sequence[str] = (), group: str = ""
) -> Mapping[str, object]:
    """A table; by name from the first, by anything else from the newest."""
    return {
        "type": "table",
        "name": name,
        **({"filters": {"and": list(where)}} if where else {}),
        **({"groupBy": {"property": group, "direction": "ASC"}} if group else {}),
        "order": list(columns),
        "sort": [{"property": newest_by, "direction": "ASC" if newest_by == "file.name" else "DESC"}],
        "limit": _ROWS,
    }


def graph_settings() -> str:
    """`.obsidian/graph.json`: what memory is made of in colours, its raw notes left out."""
    colours = (
        ("path:entities", 0xE0A030),
        ("path:wiki/summaries", 0x4A90D9),
        ("path:wiki/topics", 0x9B59B6),
        ("path:wiki/sources", 0x27AE60),
        ("path:wiki/raw", 0x95A5A6),
    )
    groups = [{"query": query, "color": {"a": 1, "rgb": rgb}} for query, rgb in colours]
    return json.dumps({"search": "-path:wiki/raw", "colorGroups": groups}, indent=2) + "\n"
