"""The tree's modes, explain, dropped and doctor through the public face, on vaults of a few messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.answers import EntityHit, EntityResponse, QueryResponse
from vaultmem.errors import BadQuery, NotFound
from vaultmem.jobs import Fail, Job
from vaultmem.memory import Memory

CHAT = """12/03/2026, 10:0{n} - Alice Smith: The boiler was repaired by Kwikfix on Monday, part {n}
12/03/2026, 10:0{n} - Bob Jones: Thanks, I paid 12{n} euros to them
"""
MAIL = """From: Alice Smith <alice@example.com>
To: Inês Carvalho <ines@example.com>
Subject: Boiler {day}
Date: {day} Mar 2026 09:00:00 +0000
Message-ID: <m{day}@example.com>

The boiler of house {day} was repaired by Kwikfix for 120 euros and works again.
"""


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    box = Box(tmp_path_factory.mktemp("tree"))
    box.write("WhatsApp Chat with House.txt", "".join(CHAT.format(n=n) for n in range(5)))
    for day in range(1, 5):
        box.write(f"{day}.eml", MAIL.format(day=day))
    box.write("WhatsApp Chat with Idle.txt", "12/03/2026, 10:00 - Bob Jones: ok\n12/03/2026, 10:01 - Cleo: thanks\n")
    box.sync()
    with box.open() as opened:
        yield opened


def entities(memory: Memory, query: str, **more: object) -> tuple[EntityHit, ...]:
    found = memory.tree("search_entities", query=query, **more)
    assert isinstance(found, EntityResponse)
    return found.hits


def nodes(memory: Memory, mode: str, **arguments: object) -> QueryResponse:
    found = memory.tree(mode, **arguments)
    assert isinstance(found, QueryResponse)
    return found


def test_a_part_of_a_name_finds_the_entity_with_its_note(memory: Memory) -> None:
    for query in ("alice", "SMITH", "alice smith", "smith alice", "alice@example", "@alice", "person:alice-smith"):
        first = entities(memory, query)[0]
        assert (first.id, first.display_name) == ("person:alice-smith", "Alice Smith"), query
        assert first.note_path.startswith("entities/person/")
        assert first.mentions == 9, query


def test_accents_and_misspellings_are_forgiven_and_said(memory: Memory) -> None:
    assert entities(memory, "ines carvalho")[0].display_name == "Inês Carvalho"
    found = memory.tree("search_entities", query="alise smyth")
    assert found.hits
    assert "spelt alike" in found.degraded
    for nobody in ("zzzzqqq", "\ud800", "%", "\0"):
        assert not memory.tree("search_entities", query=nobody).hits


def test_the_most_mentioned_comes_first_and_total_counts_before_the_cut(memory: Memory) -> None:
    found = memory.tree("search_entities", query="", limit=2)
    assert isinstance(found, EntityResponse)
    counts = [hit.mentions for hit in found.hits]
    assert counts == sorted(counts, reverse=True)
    assert found.truncated
    assert found.total > 2
    assert all(hit.kind == "person" for hit in entities(memory, "", kinds="person"))


def test_a_leaf_opens_into_its_passages(memory: Memory) -> None:
    leaf = memory.recall("boiler part 3").hits[0]
    found = nodes(memory, "drill_down", node_id=leaf.node_id[:8])
    assert found.total == len(found.hits) == 10
    assert any((hit.content, hit.author, hit.lines) == (leaf.content, leaf.author, leaf.lines) for hit in found.hits)
    assert leaf.author == "Alice Smith"
    assert found.hits[1].before == found.hits[0].content
    cut = nodes(memory, "drill_down", node_id=leaf.node_id, limit="3")
    assert (len(cut.hits), cut.total, cut.truncated) == (3, 10, True)


def test_a_summary_opens_into_its_children_and_links_back(memory: Memory) -> None:
    leaf = memory.recall("boiler part 3").hits[0]
    parent = memory.explain(leaf.node_id).parent
    assert parent, "an idle chat is summed up at once"
    found = nodes(memory, "drill_down", node_id=parent, max_depth=3)
    assert leaf.node_id in {hit.node_id for hit in found.hits}
    assert {hit.node_kind for hit in found.hits} == {"leaf"}
    told = memory.explain(parent)
    assert told.node_kind == "summary"
    assert leaf.node_id in told.child_ids
    root = Path(memory.status().vault)
    assert (root / memory.explain(leaf.node_id).parent_path).is_file()


def test_leaves_come_whole_in_the_order_asked_for_and_missing_ones_are_named(memory: Memory) -> None:
    ids = list(dict.fromkeys(hit.node_id for hit in memory.recall("boiler kwikfix", k=50).hits))
    assert len(ids) >= 3
    for given in (ids[::-1], json.dumps(ids[::-1]), ",".join(ids[::-1]), tuple(ids[::-1])):
        assert [hit.node_id for hit in nodes(memory, "fetch_leaves", chunk_ids=given).hits] == ids[::-1]
    found = nodes(memory, "fetch_leaves", chunk_ids=[ids[0], "f" * 32, ids[1]])
    assert [hit.node_id for hit in found.hits] == ids[:2]
    assert f"{'f' * 32}: no such chunk" in found.degraded
    lines = (Path(memory.status().vault) / found.hits[0].note_path).read_text().split("\n")
    first, last = found.hits[0].lines
    assert "\n".join(lines[first - 1 : last]) == found.hits[0].content.rstrip("\n")


def test_more_leaves_than_the_cap_are_counted_and_said(memory: Memory) -> None:
    found = nodes(memory, "fetch_leaves", chunk_ids=[f"{n:032x}" for n in range(25)])
    assert "other 5" in found.degraded
    assert found.truncated


@pytest.mark.parametrize(
    ("mode", "arguments", "said"),
    [
        ("query_everything", {}, "search_entities, query_source, "),
        ("drill_down", {}, "node_id"),
        ("drill_down", {"node_id": "x", "max_dept": 2}, "'max_depth'"),
        ("drill_down", {"node_id": "x", "mode": "y"}, "one of node_id"),
        ("drill_down", {"node_id": "abcdef", "limit": "many"}, "whole number from 1 to 100"),
        ("drill_down", {"node_id": "abcdef", "limit": 0}, "whole number from 1 to 100"),
        ("drill_down", {"node_id": "abcdef", "limit": float("inf")}, "whole number"),
        ("drill_down", {"node_id": ["abcdef"]}, "text"),
        ("fetch_leaves", {"chunk_ids": []}, "at least one"),
        ("fetch_leaves", {"chunk_ids": 7}, "list of text"),
        ("fetch_leaves", {"chunk_ids": "a", "ids": "b"}, "only once"),
    ],
)
def test_what_cannot_be_understood_is_answered_with_what_exists(
    memory: Memory, mode: str, arguments: dict[str, object], said: str
) -> None:
    with pytest.raises(BadQuery) as caught:
        memory.tree(mode, **arguments)
    assert said in str(caught.value)


def test_an_id_that_names_nothing_is_not_found(memory: Memory) -> None:
    for identity in ("f" * 32, "abc", "%", "", "\ud800" * 8, "\0" * 8, "%" * 8):
        with pytest.raises((NotFound, BadQuery)):
            memory.tree("drill_down", node_id=identity)


def test_explain_tells_signals_and_score_parts(memory: Memory) -> None:
    hit = memory.recall("boiler part 3").hits[0]
    told = memory.explain(hit.node_id[:6], query="boiler part 3")
    assert told.status == "admitted"
    assert told.score == pytest.approx(
        sum(v * w for v, w in told.signals.values()) / sum(w for _, w in told.signals.values()), abs=1e-3
    )
    best = told.answers[0]
    assert best["rank"] == 1
    assert best["score_parts"] == hit.score_parts
    assert told.source_ref.startswith("WhatsApp Chat with House.txt # ")
    assert not memory.explain(hit.node_id, query="zebra").answers


def test_dropped_names_the_reason_and_the_text(memory: Memory) -> None:
    found = memory.dropped()
    (row,) = found.dropped
    assert found.total == 1
    assert row.reason in {"tiny", "not_salient"}
    assert row.why
    assert row.text == "ok thanks"
    assert row.note_path.endswith(".md")


def test_doctor_is_content_with_a_healthy_vault_and_names_what_is_not(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("a.md", "# A\n\nThe boiler was repaired on Monday by Kwikfix.\n")
    box.write("b.eml", b"\x00\x01\x02 not a mail")
    box.sync()
    note = next(path for path in box.notes() if path.startswith("wiki/raw"))
    with box.open() as memory:
        found = memory.doctor()
        assert found.needs_user
        (failed,) = [f for f in found.findings if f.level == "problem"]
        assert "b.eml" in failed.text
        assert "reason.md" in failed.fix
        for path in (box.root / "inbox/_failed").iterdir():
            path.unlink()
        assert not memory.doctor().needs_user
        assert found.settings["inbox"] == "inbox"
        (box.root / note).unlink()
        assert any("differ from the index" in f.text for f in memory.doctor().findings)
        Path(memory.status().data).chmod(0o755)
        assert any(f.area == "data" and f.level == "problem" for f in memory.doctor().findings)


def test_doctor_names_jobs_that_gave_up_and_gives_them_another_try(tmp_path: Path) -> None:
    box = Box(tmp_path)
    with box.open() as memory:
        queue = memory._index.queue
        queue.enqueue([Job(kind="seal", subject="slack:eng")])
        claimed = queue.claim(["seal"], lease="test", now_ms=10**13)
        assert claimed
        queue.settle(claimed, Fail(reason="the disk is full", final=True), now_ms=10**13)
        (found,) = [f for f in memory.doctor().findings if f.area == "jobs"]
        assert (found.level, "the disk is full" in found.text) == ("problem", True)
        assert memory.retry_jobs() == 1
        assert not memory.doctor().needs_user
