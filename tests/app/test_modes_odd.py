"""The modes on vaults with nothing in them, with names that mean several, and with input nobody would give."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.errors import BadQuery, NotFound, VaultmemError
from vaultmem.memory import Memory

ODD = ("\ud800", "\0", "%", "*", ":", "a" * 20_000, "名前", "' OR 1=1 --", "[[x]]", "person:", "🦀")


def test_an_empty_vault_has_nothing_to_say_and_says_it(tmp_path: Path) -> None:
    with Box(tmp_path).open() as memory:
        for mode, arguments in (
            ("query_source", {}), ("query_global", {}), ("cover_window", {"window": "99999y"}),
            ("walk", {"query": "x"}),
            ("query_topic", {"entity": "x"}), ("sync_status_list", {}),
        ):  # fmt: skip
            found = memory.tree(mode, **arguments)
            assert (found.hits, found.total, found.truncated) == ((), 0, False), mode
        assert memory.digest().degraded
        assert memory.topics().topics == ()
        with pytest.raises(NotFound):
            memory.graph("x")


def told(memory: Memory, mode: str, arguments: dict[str, object]) -> str:
    """The answer, or why there is none."""
    try:
        return str(memory.tree(mode, **arguments).to_dict())
    except VaultmemError as problem:
        return str(problem)


def test_odd_input_is_answered_or_refused_by_name(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write(
        "WhatsApp Chat with House.txt", "12/03/2026, 10:00 - Alice Smith: The boiler was repaired for 120 euros\n"
    )
    box.sync()
    with box.open() as memory:
        for odd in ODD:
            for mode, arguments in (
                ("query_source", {"source": odd}), ("query_topic", {"entity": odd}), ("cover_window", {"since": odd}),
                ("walk", {"query": odd}), ("walk", {"query": "boiler", "source": odd}),
                ("search_entities", {"query": odd}),
                ("query_global", {"window": odd}), ("sync_status_list", {"source": odd}),
                ("query_source", {"query": odd}),
            ):  # fmt: skip
                assert len(told(memory, mode, arguments)) < 3000, "what was sent is not sent back whole"
            for ask in (memory.digest, memory.graph):
                with pytest.raises(VaultmemError) as refused:
                    ask(odd)
                assert len(str(refused.value)) < 1000
        for since, until in (("0001-01-01", "9999-12-30"), ("0001-01-02", "")):
            assert memory.tree("cover_window", since=since, until=until).total == 1
            assert memory.tree("query_global", since=since, until=until).total >= 1


def test_a_name_that_two_bear_is_said(tmp_path: Path) -> None:
    box = Box(tmp_path)
    for name in ("Alex North", "Alex South"):
        lines = "".join(f"1{n}/03/2026, 10:00 - {name}: The boiler {n} was repaired for 120 euros\n" for n in range(6))
        box.write(f"WhatsApp Chat with {name}.txt", lines)
    box.sync()
    for path in sorted((box.root / "entities/person").glob("*.md")):
        text = path.read_text()
        path.write_text(text.replace("aliases: []", "aliases:\n  - Alex"))
    box.sync()
    with box.open() as memory:
        found = memory.tree("query_topic", entity="Alex")
        assert found.total == 0
        assert "person:alex-north or person:alex-south" in found.degraded
        with pytest.raises(BadQuery, match="person:alex-north"):
            memory.graph("Alex")
        assert (
            memory.tree("query_topic", entity="person:alex-north").total
            == memory.tree("query_topic", entity="alex north").total
            > 0
        )
        assert memory.tree("walk", query="what did Alex say?").route.startswith("global")  # type: ignore[union-attr]


def test_what_was_dropped_or_deleted_is_in_no_answer(tmp_path: Path) -> None:
    box = Box(tmp_path)
    lines = "".join(
        f"{n:02}/03/2026, 10:00 - Alice Smith: The boiler {n} was repaired by Kwikfix for 120 euros\n"
        for n in range(1, 25)
    )
    box.write("WhatsApp Chat with House.txt", lines)
    box.sync()
    raw = sorted((box.root / "wiki/raw").rglob("*.md"))
    gone, dropped = raw[2], raw[12]
    gone_id, dropped_id = (path.read_text().split('chunk_id: "')[1][:32] for path in (gone, dropped))
    gone.unlink()
    dropped.write_text(dropped.read_text().replace("memory_status: admitted", "memory_status: dropped"))
    box.sync()
    with box.open() as memory:
        found = memory.tree("cover_window", window="1y", limit=100)
        ids: list[str] = []
        for hit in found.hits:
            assert not {gone_id, dropped_id} & {hit.node_id, *getattr(hit, "child_ids", ())}
            ids += [hit.node_id] if getattr(hit, "level", 0) == 0 else getattr(hit, "child_ids", ())
        assert len(ids) == len(set(ids))
        everywhere = [
            memory.tree("query_source", limit=100), memory.tree("query_topic", entity="Alice Smith", limit=100),
            memory.tree("walk", query="Alice Smith boiler", limit=100),
        ]  # fmt: skip
        for answer in everywhere:
            assert not {gone_id, dropped_id} & {getattr(hit, "node_id", "") for hit in answer.hits}
    before = found
    with box.open() as memory:
        memory.rebuild()
        assert memory.tree("cover_window", window="1y", limit=100) == before
