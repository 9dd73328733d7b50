"""The modes that look at times, sources, topics and days, through the public face of a vault of three sources."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.answers import QueryResponse, SourceResponse
from vaultmem.errors import BadQuery
from vaultmem.memory import Memory

#: May 2026, one conversation a day: the phone of NOW shows the 1st of June.
HOUSE = "".join(
    f"{day:02}/05/2026, 10:00 - Alice Smith: The boiler of house {day} was repaired by Kwikfix for {day}00 euros\n"
    f"{day:02}/05/2026, 10:05 - Bob Jones: I paid invoice INV-{day:03} to them on day {day}\n"
    for day in range(1, 32)
)
BOAT = "".join(
    f"{day:02}/05/2026, 18:00 - Cleo Brandt: The boat Wavelet needs paint number {day} before the regatta\n"
    for day in range(10, 20)
)
MAIL = """From: Dora Lind <dora@example.com>
To: Alice Smith <alice@example.com>
Subject: Offer {day}
Date: {day} May 2026 09:00:00 +0000
Message-ID: <m{day}@example.com>

Kwikfix offers to renew the heating of house {day} for {day}000 euros before winter, please decide.
"""


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("modes"))
    made.write("WhatsApp Chat with House.txt", HOUSE)
    made.write("WhatsApp Chat with Boat.txt", BOAT)
    for day in (3, 12, 25):
        made.write(f"{day}.eml", MAIL.format(day=day))
    made.sync()
    return made


@pytest.fixture(scope="module")
def memory(box: Box) -> Iterator[Memory]:
    with box.open() as opened:
        yield opened


def ask(memory: Memory, mode: str, **arguments: object) -> QueryResponse:
    found = memory.tree(mode, **arguments)
    assert isinstance(found, QueryResponse)
    return found


def leaves_of(memory: Memory, found: QueryResponse) -> list[str]:
    """The chunks that these nodes stand for."""
    ids: list[str] = []
    for hit in found.hits:
        if hit.node_kind == "leaf":
            ids.append(hit.node_id)
        else:
            below = ask(memory, "drill_down", node_id=hit.node_id, max_depth=10, limit=100)
            ids += [each.node_id for each in below.hits if each.node_kind == "leaf"]
    return ids


def every_leaf(memory: Memory) -> dict[str, tuple[str, str]]:
    """chunk -> (start, source tree)."""
    found = ask(memory, "cover_window", window="1y", limit=100)
    leaves = ask(memory, "fetch_leaves", chunk_ids=leaves_of(memory, found)[:20]).hits
    rest = leaves_of(memory, found)[20:]
    while rest:
        leaves = (*leaves, *ask(memory, "fetch_leaves", chunk_ids=rest[:20]).hits)
        rest = rest[20:]
    return {leaf.node_id: (leaf.time_range_start, leaf.tree_scope) for leaf in leaves}


def test_a_cover_stands_for_just_the_leaves_of_the_time(memory: Memory) -> None:
    leaves = every_leaf(memory)
    assert len(leaves) == 31 + 10 + 3
    for since, until in (
        ("2026-05-01", "2026-05-31"),
        ("2026-05-04", "2026-05-13"),
        ("2026-05-12T12:00", "2026-05-12T20:00"),
    ):
        found = ask(memory, "cover_window", since=since, until=until, limit=100)
        last = f"{until}T23:59:59Z" if len(until) == 10 else f"{until}:00Z"
        wanted = sorted(i for i, (start, _) in leaves.items() if since <= start <= last)
        assert sorted(leaves_of(memory, found)) == wanted
        assert found.total == len(found.hits)
        assert found.omitted == {}
        assert [h.time_range_start for h in found.hits] == sorted(h.time_range_start for h in found.hits)
    assert any(h.node_kind == "summary" for h in ask(memory, "cover_window", since="2026-05-01", limit=100).hits)


def test_a_cut_cover_leaves_no_source_out_and_counts_what_it_left(memory: Memory) -> None:
    whole = ask(memory, "cover_window", since="2026-05-02", until="2026-05-30", limit=100)
    scopes = {hit.tree_scope for hit in whole.hits}
    assert len(scopes) == 3
    cut = ask(memory, "cover_window", since="2026-05-02", until="2026-05-30", limit=3)
    assert {hit.tree_scope for hit in cut.hits} == scopes
    assert cut.total == whole.total
    assert cut.truncated
    assert cut.omitted is not None
    assert sum(cut.omitted.values()) == whole.total - 3


def test_a_cover_takes_filters_finer_than_a_tree(memory: Memory) -> None:
    mails = {str(row["source_id"]) for row in listed(memory, kind="email")}
    assert len(mails) == 3
    for source in mails:
        found = ask(memory, "cover_window", window="1y", source=source)
        assert [hit.node_kind for hit in found.hits] == ["leaf"], "the mailbox's summary speaks of other threads too"
    assert {h.tree_scope for h in ask(memory, "cover_window", window="1y", kind="email").hits} <= {
        h.tree_scope for h in ask(memory, "query_source", source="mail:").hits
    }


def listed(memory: Memory, **arguments: object) -> list[dict[str, object]]:
    found = memory.tree("sync_status_list", **arguments)
    assert isinstance(found, SourceResponse)
    return json.loads(json.dumps(found.to_dict()))["hits"]  # type: ignore[no-any-return]


def test_sources_are_active_recent_or_idle(memory: Memory) -> None:
    rows = listed(memory)
    states = {str(row["title"]): row["state"] for row in rows if row["source_kind"] == "chat"}
    assert states == {"House": "recent", "Boat": "idle"}
    assert [row["last"] for row in rows] == sorted((str(row["last"]) for row in rows), reverse=True)
    assert sum(int(str(row["chunks"])) for row in rows) == 44
    found = memory.tree("sync_status_list", limit=1)
    assert (found.total, found.truncated, len(found.hits)) == (5, True, 1)
    assert isinstance(found, SourceResponse)
    assert dict(found.states) == {"active": 0, "recent": 1, "idle": 4}


def test_a_source_is_told_newest_first_or_ranked(memory: Memory) -> None:
    found = ask(memory, "query_source", source="whatsapp:House", limit=100)
    ends = [hit.time_range_end for hit in found.hits]
    assert ends == sorted(ends, reverse=True)
    assert sorted(leaves_of(memory, found)) == sorted(
        i for i, (_, scope) in every_leaf(memory).items() if scope == found.hits[0].tree_scope
    )
    ranked = ask(memory, "query_source", source="whatsapp:House", since="2026-05-05", query="invoice INV-007", limit=50)
    assert (
        "INV-007" in "".join(h.content for h in below(memory, ranked.hits[0].node_id))
        or "INV-007" in ranked.hits[0].content
    )
    assert ranked.hits[0].score > 0
    assert all(hit.time_range_start >= "2026-05-05" for hit in ranked.hits)
    assert not ask(memory, "query_source", source="nobody").hits
    assert "sync_status_list" in ask(memory, "query_source", source="nobody").degraded


def below(memory: Memory, node_id: str) -> tuple[object, ...]:
    return ask(memory, "drill_down", node_id=node_id, max_depth=5, limit=100).hits


def test_drilling_down_can_be_ranked(memory: Memory) -> None:
    top = next(
        h for h in ask(memory, "query_source", source="whatsapp:House", limit=100).hits if h.node_kind == "summary"
    )
    plain = ask(memory, "drill_down", node_id=top.node_id, max_depth=5, limit=100)
    wanted = next(h for h in plain.hits[3:] if h.node_kind == "leaf")
    number = wanted.content.split("invoice INV-")[1][:3]
    ranked = ask(memory, "drill_down", node_id=top.node_id, max_depth=5, limit=100, query=f"who paid INV-{number}?")
    assert ranked.hits[0].node_id == wanted.node_id
    assert ranked.total == plain.total
    inside = ask(memory, "drill_down", node_id=wanted.node_id, query="who paid the invoice")
    assert "I paid" in inside.hits[0].content
    assert inside.total == 2


def test_a_topic_is_resolved_by_any_of_its_names(memory: Memory) -> None:
    found = ask(memory, "query_topic", entity="cleo brandt", limit=100)
    assert len(leaves_of(memory, found)) >= 10
    assert ask(memory, "query_topic", entity="person:cleo-brandt", limit=100) == found
    ends = [hit.time_range_end for hit in found.hits]
    assert ends == sorted(ends, reverse=True)
    narrow = ask(memory, "query_topic", entity="Cleo Brandt", since="2026-05-12", until="2026-05-13", limit=100)
    assert sorted(leaves_of(memory, narrow)) == sorted(
        i
        for i, (at, scope) in every_leaf(memory).items()
        if scope == "whatsapp:Boat" and "2026-05-12" <= at < "2026-05-14"
    )
    assert "search_entities" in ask(memory, "query_topic", entity="Nobody Atall").degraded


def test_days_weeks_and_months_by_the_length_of_the_time(memory: Memory) -> None:
    for since, until, levels in (
        ("2026-05-04", "2026-05-10", {0}), ("2026-04-27", "2026-05-31", {1}), ("2025-05-01", "2026-05-31", {2}),
    ):  # fmt: skip
        found = ask(memory, "query_global", since=since, until=until, limit=100)
        assert {hit.level for hit in found.hits if hit.node_kind == "summary"} == levels, since
        assert found.hits
        starts = [hit.time_range_start for hit in found.hits]
        assert starts == sorted(starts, reverse=True)
    cut = ask(memory, "query_global", since="2026-05-04T10:02", until="2026-05-06", limit=100)
    assert "given themselves" in cut.degraded
    assert {hit.level for hit in cut.hits if hit.node_kind == "summary"} == {0}
    week = ask(memory, "query_global")
    assert week.hits[0].heading == "2026-05-31"
    ranked = ask(memory, "query_global", since="2026-05-04", until="2026-05-10", query="INV-006")
    assert ranked.hits[0].heading == "2026-05-06"


def test_a_walk_takes_the_route_its_entities_allow(memory: Memory) -> None:
    none = ask(memory, "walk", query="what was paid for the boiler?")
    assert none.route.startswith("global")
    one = ask(memory, "walk", query="what did Cleo Brandt say?", limit=5)
    assert one.route == "local: person:cleo-brandt"
    assert all(hit.author == "Cleo Brandt" for hit in one.hits)
    pair = ask(memory, "smart_walk", query="what of Alice Smith and Bob Jones?")
    assert pair.route.startswith("local: person:alice-smith - person:bob-jones")
    apart = ask(memory, "walk", query="what have Cleo Brandt and Bob Jones to do with each other?")
    assert apart.route.startswith("global: person:cleo-brandt, person:bob-jones are not related")
    assert {hit.author for hit in apart.hits} & {"Cleo Brandt", "Bob Jones"}


def test_a_walk_finds_the_bridge_between_two_that_never_meet(memory: Memory) -> None:
    found = ask(memory, "walk", query="How do Dora Lind and Bob Jones hang together?", limit=100)
    assert found.route == "local: person:dora-lind - person:alice-smith - person:bob-jones", found.route
    kinds = {hit.tree_scope for hit in found.hits}
    assert len(kinds) >= 2, "chunks of both steps"
    assert ask(memory, "walk", query="How do Dora Lind and Bob Jones hang together?", max_hops=1).route.startswith(
        "global"
    )


@pytest.mark.parametrize(
    "query", ["paint", "What did Cleo Brandt paint?", "Alice Smith and Bob Jones", "Dora Lind, Bob Jones"]
)
def test_the_time_holds_on_every_route(memory: Memory, query: str) -> None:
    for window in ({"since": "2026-05-11", "until": "2026-05-14"}, {"time_window_days": 20}):
        found = ask(memory, "walk", query=query, limit=100, **window)
        assert found.hits
        first = str(window.get("since", "2026-05-12T12:00"))
        assert all(first <= hit.time_range_start for hit in found.hits), found.route
        if "until" in window:
            assert all(hit.time_range_end < "2026-05-15" for hit in found.hits), found.route


def test_what_cannot_be_a_time_is_said(memory: Memory) -> None:
    for arguments, said in (
        ({}, "a time"),
        ({"since": "yesterdayish"}, "since"),
        ({"since": "2026-05-02", "until": "2026-05-01"}, "until"),
        ({"window": "7 moons"}, "look back"),
        ({"since": "2026-05-01", "window": "7d"}, "either"),
        ({"since": "2026-05-01", "since_ms": 5}, "either"),
        ({"since_ms": 10**18}, "whole number"),
    ):
        with pytest.raises(BadQuery, match=said):
            ask(memory, "cover_window", **arguments)
    exact = ask(memory, "cover_window", since_ms=1_778_144_400_000 - 5, until_ms=1_778_230_800_000, limit=100)
    assert exact.hits


def test_a_digest_is_read_by_its_name(memory: Memory) -> None:
    for name, level in (
        ("2026-05-31", "day"),
        ("yesterday", "day"),
        ("", "day"),
        ("2026-w20", "week"),
        ("2026-05", "month"),
        ("2026", "year"),
    ):
        found = memory.digest(name)
        assert (found.level, found.degraded) == (level, ""), name
        assert found.sections, name
        assert (Path(memory.status().vault) / found.note_path).is_file()
        assert json.dumps(found.to_dict())
    assert memory.digest("yesterday").period == memory.digest("").period == "2026-05-31"
    assert memory.digest("today").degraded == "nothing is known of this time"
    with pytest.raises(BadQuery):
        memory.digest("someday")


def test_topics_tell_what_makes_them_hot(memory: Memory) -> None:
    rows = memory.topics().topics
    assert rows
    for row in rows:
        assert row.hotness == pytest.approx(sum(row.parts.values()), abs=1e-3)
        assert set(row.parts) == {"mentions", "sources", "recency", "centrality", "query_hits"}
        assert (Path(memory.status().vault) / row.note_path).is_file()
    assert [row.hotness for row in rows] == sorted((row.hotness for row in rows), reverse=True)


def test_the_graph_says_how_far_and_how_often(memory: Memory, tmp_path: Path) -> None:
    found = memory.graph("Bob Jones", hops=2)
    assert found == memory.graph("person:bob-jones", hops=2)
    hops = {node.entity_id: node.hops for node in found.nodes}
    assert (hops["person:bob-jones"], hops["person:alice-smith"], hops["person:dora-lind"]) == (0, 1, 2)
    assert "person:cleo-brandt" not in hops
    weights = {(edge.subject, edge.object): edge.weight for edge in found.edges}
    assert weights["person:bob-jones", "person:alice-smith"] == 31
    target = tmp_path / "Bob.canvas"
    memory.write_canvas(found, target)
    canvas = json.loads(target.read_text())
    assert len(canvas["nodes"]) == len(found.nodes)
    assert {node["type"] for node in canvas["nodes"]} <= {"file", "text"}
    ids = [node["id"] for node in canvas["nodes"]]
    assert len(set(ids)) == len(ids)
    assert {edge["fromNode"] for edge in canvas["edges"]} <= set(ids)
    with pytest.raises(BadQuery, match="--force"):
        memory.write_canvas(found, target)
    memory.write_canvas(found, target, force=True)
    assert json.loads(target.read_text()) == canvas
