"""Tables and graph colours: made once, then a person's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from tests.vaults import Box
from vaultmem.core.notes.bases import base_files

GRAPH = ".obsidian/graph.json"


@pytest.fixture
def box(tmp_path: Path) -> Box:
    box = Box(tmp_path)
    (box.root / ".obsidian").mkdir()
    box.sync()
    return box


@pytest.mark.parametrize("path", base_files())
def test_a_table_is_yaml_that_bases_reads(box: Box, path: str) -> None:
    base = yaml.safe_load((box.root / path).read_text(encoding="utf-8"))
    assert set(base) == {"filters", "properties", "views"}
    for view in base["views"]:
        assert view["type"] == "table"
        assert view["name"]
        assert {"order", "sort"} <= set(view) <= {"type", "name", "filters", "groupBy", "order", "sort", "limit"}
        for holder in (base, view):
            conditions = holder.get("filters", {"and": []})
            assert list(conditions) == ["and"]
            assert all(isinstance(condition, str) for condition in conditions["and"])
        shown = [*view["order"], view["sort"][0]["property"]]
        assert all(name.startswith("file.") or name.isidentifier() for name in shown)


def test_home_links_the_tables(box: Box) -> None:
    home = (box.root / "wiki/Home.md").read_text(encoding="utf-8")
    for path in base_files():
        assert f"- [[{path}|" in home


@pytest.mark.parametrize("path", [*base_files(), GRAPH])
def test_what_a_person_changed_or_deleted_stays_so(box: Box, path: str) -> None:
    file = box.root / path
    file.write_text("mine", encoding="utf-8")
    box.sync()
    assert file.read_text(encoding="utf-8") == "mine"
    file.unlink()
    box.sync()
    with box.open() as memory:
        memory.rebuild()
    box.sync()
    assert not file.exists()
    assert path not in (box.root / "wiki/Home.md").read_text(encoding="utf-8")


def test_the_graph_is_coloured_only_where_obsidian_is_and_has_no_colours(tmp_path: Path, box: Box) -> None:
    graph = json.loads((box.root / GRAPH).read_text(encoding="utf-8"))
    assert {"path:entities", "path:wiki/summaries", "path:wiki/raw"} <= {g["query"] for g in graph["colorGroups"]}
    assert list((box.root / ".obsidian").iterdir()) == [box.root / GRAPH]

    other = Box(tmp_path / "other")
    other.sync()
    assert not (other.root / ".obsidian").exists()
    (other.root / ".obsidian").mkdir()
    (other.root / GRAPH).write_text("{}", encoding="utf-8")
    other.sync()
    assert (other.root / GRAPH).read_text(encoding="utf-8") == "{}"


def test_a_linked_settings_folder_is_not_written_through(tmp_path: Path) -> None:
    box = Box(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (box.root / ".obsidian").symlink_to(tmp_path / "elsewhere")
    box.sync()
    assert list((tmp_path / "elsewhere").iterdir()) == []
