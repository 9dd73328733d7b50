"""Seal planning: the same leaves give the same tree, whatever the workers do."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.grow.tree import Seal, node_id, plan_seals
from vaultmem.grown import Leaf, Node
from vaultmem.model import MemoryStatus

NOW = datetime(2026, 6, 1, tzinfo=UTC)
OLD = datetime(2026, 1, 1, tzinfo=UTC)


def leaf(number: int, *, minute: int | None = None, tokens: int = 100, status: MemoryStatus = "admitted") -> Leaf:
    start = OLD + timedelta(minutes=number if minute is None else minute)
    return Leaf(
        chunk_id=f"{number:032x}",
        start=start,
        end=start + timedelta(seconds=30),
        seq=number,
        tokens=tokens,
        status=status,
    )


def plan(leaves: Sequence[Leaf], nodes: Sequence[Node], now: datetime = NOW) -> tuple[Seal, ...]:
    return plan_seals(leaves, nodes, now=now, kind="source", scope="slack:eng")


def sealed(seal: Seal) -> Node:
    return Node(node_id=seal.node_id, level=seal.level, child_ids=seal.child_ids, start=seal.start, end=seal.end)


def grown(
    leaves: Sequence[Leaf], nodes: Sequence[Node] = (), now: datetime = NOW, seed: int | None = None
) -> list[Node]:
    """Carry plans out to the end: all at once, or with a seed one at a time in any order with everything shuffled."""
    nodes = list(nodes)
    dice = random.Random(seed)
    for _ in range(10_000):
        if seed is not None:
            leaves, nodes = dice.sample(leaves, len(leaves)), dice.sample(nodes, len(nodes))
        due = plan(leaves, nodes, now)
        if not due:
            return sorted(nodes, key=lambda node: (node.level, node.start, node.node_id))
        nodes += [sealed(seal) for seal in (due if seed is None else [dice.choice(due)])]
    raise AssertionError("the tree never came to rest")


@st.composite
def forests(draw: st.DrawFn) -> list[Leaf]:
    tokens = st.sampled_from([1, 100, 3000, 20_000, 60_000])
    minutes = draw(st.lists(st.tuples(st.integers(0, 300), tokens), max_size=140))
    return [leaf(n, minute=minute, tokens=size) for n, (minute, size) in enumerate(minutes)]


def check_tree(leaves: Sequence[Leaf], nodes: Sequence[Node]) -> None:
    listed = [child for node in nodes for child in node.child_ids]
    assert len(listed) == len(set(listed)), "a child in two parents"
    assert len({node.node_id for node in nodes}) == len(nodes)
    levels = {leaf.chunk_id: 0 for leaf in leaves} | {node.node_id: node.level for node in nodes}
    for node in nodes:
        assert all(levels[child] == node.level - 1 for child in node.child_ids)
        assert node.node_id == node_id("source", "slack:eng", node.level, node.child_ids[0])


@given(forests(), st.integers(0, 2**16))
def test_any_order_and_any_pace_give_the_same_tree(leaves: list[Leaf], seed: int) -> None:
    nodes = grown(leaves)
    assert grown(leaves, seed=seed) == nodes
    check_tree(leaves, nodes)


@given(forests(), st.integers(11, 40))
def test_the_open_frontier_alone_gives_the_same_tree(leaves: list[Leaf], limit: int) -> None:
    """What the index hands out: a few of the open leaves, and open nodes without their children."""
    waiting = sorted(leaves, key=lambda entry: (entry.start, entry.seq, entry.chunk_id))
    nodes: list[Node] = []
    made: list[Node] = []
    while due := plan_seals(
        waiting[:limit], nodes, now=NOW, kind="source", scope="slack:eng", more=len(waiting) > limit
    ):
        seal = due[0]
        waiting = [entry for entry in waiting if entry.chunk_id not in seal.child_ids]
        made.append(sealed(seal))
        nodes = [node for node in nodes if node.node_id not in seal.child_ids]
        nodes.append(replace(made[-1], child_ids=(), position=seal.position))
    assert sorted(made, key=lambda node: (node.level, node.start, node.node_id)) == grown(leaves)


@given(forests())
def test_an_idle_tree_holds_every_leaf_in_order(leaves: list[Leaf]) -> None:
    nodes = grown(leaves)
    order = [entry.chunk_id for entry in sorted(leaves, key=lambda entry: (entry.start, entry.seq))]
    parents = sorted((n for n in nodes if n.level == 1), key=lambda n: order.index(n.child_ids[0]))
    assert [child for node in parents for child in node.child_ids] == order


@given(forests())
def test_a_seal_is_a_full_prefix_and_no_longer(leaves: list[Leaf]) -> None:
    tokens = {entry.chunk_id: entry.tokens for entry in leaves}
    recent = OLD + timedelta(hours=6)
    for seal in plan(leaves, [], now=recent):
        sizes = [tokens[child] for child in seal.child_ids]
        assert len(sizes) == 10 or sum(sizes) >= 50_000
        assert len(sizes) <= 10
        assert sum(sizes[:-1]) < 50_000


@given(forests(), st.data())
def test_judging_in_any_order_gives_the_tree_of_judging_first(leaves: list[Leaf], data: st.DataObject) -> None:
    """Leaves wait for their judgement while older and younger ones are sealed."""
    waiting = data.draw(st.lists(st.sampled_from(leaves), unique=True, max_size=8)) if leaves else []
    dropped = {entry.chunk_id for entry in waiting if data.draw(st.booleans())}
    settled = [replace(e, status="dropped" if e.chunk_id in dropped else "admitted") for e in leaves]
    now_ids = {entry.chunk_id for entry in waiting}
    nodes: list[Node] = []
    for done in range(len(waiting) + 1):
        judged = {entry.chunk_id for entry in waiting[:done]}
        seen = [replace(e, status="pending") if e.chunk_id in now_ids - judged else e for e in settled]
        nodes = grown(seen, nodes)
    assert nodes == grown(settled)


@given(forests(), forests(), st.integers(0, 2**16))
def test_late_older_leaves_are_taken_up_once(first: list[Leaf], late: list[Leaf], seed: int) -> None:
    late = [replace(e, chunk_id=f"{n + 5000:032x}", seq=n + 5000) for n, e in enumerate(late)]
    early_nodes = grown(first)
    nodes = grown([*first, *late], early_nodes)
    assert grown([*late, *first], early_nodes, seed=seed) == nodes
    check_tree([*first, *late], nodes)
    assert {c for n in nodes if n.level == 1 for c in n.child_ids} == {e.chunk_id for e in [*first, *late]}
    assert {node.node_id for node in early_nodes} <= {node.node_id for node in nodes}


@given(forests(), st.data())
def test_a_lost_note_is_sealed_again_under_its_old_name(leaves: list[Leaf], data: st.DataObject) -> None:
    nodes = grown(leaves)
    if nodes:
        lost = data.draw(st.sampled_from(nodes))
        kept = [node for node in nodes if node.node_id != lost.node_id]
        assert lost in [sealed(seal) for seal in plan(leaves, kept)] or lost.level > 1
        assert grown(leaves, kept) == nodes


def test_a_hundred_leaves_make_ten_nodes_and_one_above() -> None:
    nodes = grown([leaf(n) for n in range(100)])
    assert [node.level for node in nodes] == [1] * 10 + [2]
    assert nodes[-1].child_ids == tuple(node.node_id for node in nodes[:10])


def test_only_leaves_are_flushed() -> None:
    nodes = grown([leaf(n) for n in range(13)])
    assert [(node.level, len(node.child_ids)) for node in nodes] == [(1, 10), (1, 3)]


def test_a_buffer_is_flushed_when_its_newest_leaf_is_seven_days_old() -> None:
    leaves = [leaf(n) for n in range(3)]
    newest = leaves[-1].end
    assert plan(leaves, [], newest + timedelta(days=7, seconds=-1)) == ()
    assert len(plan(leaves, [], newest + timedelta(days=7))) == 1


def test_a_pending_leaf_holds_up_what_stands_behind_it() -> None:
    leaves = [leaf(n, status="pending" if n == 12 else "admitted") for n in range(30)]
    assert [seal.child_ids[0] for seal in plan(leaves, [])] == [leaves[0].chunk_id]
    assert len(grown(leaves)) == 1


def test_dropped_leaves_are_in_no_buffer() -> None:
    assert plan([leaf(n, status="dropped") for n in range(20)], []) == ()


def test_planning_is_linear_enough() -> None:
    leaves = [leaf(n) for n in range(20_000)]
    assert len(plan(leaves, [])) == 2000
