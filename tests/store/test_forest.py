"""Covers through the index: the same as over the forest in memory, whatever order the notes were read in."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.forests import Grove, grow
from tests.store.test_index import entry
from vaultmem.core.notes.summarynote import render_summary_note
from vaultmem.core.recall.cover import fair_choice, minimal_cover
from vaultmem.forest import Asked, Branch
from vaultmem.grown import NodeEntry, SummaryNode
from vaultmem.model import Entry
from vaultmem.store.index import SqliteIndex, forest, open_index

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def at(us: int) -> datetime:
    return EPOCH + timedelta(microseconds=us)


def leaf_entry(leaf: Branch, status: str = "admitted") -> Entry:
    found = entry(
        int(leaf.node_id, 16),
        ["text"],
        source=leaf.least_source,
        source_kind={"mail": "email"}.get(leaf.least_kind, "chat"),
        tree_scope=leaf.scope,
        time_start=at(leaf.first_us),
        time_end=at(leaf.end_us),
        token_count=leaf.tokens,
        status=status,
    )
    return replace(found, path=f"wiki/raw/{leaf.node_id}.md")


def node_entry(node_id: str, scope: str, level: int, child_ids: tuple[str, ...]) -> NodeEntry:
    node = SummaryNode(
        node_id=node_id, tree_kind="source", tree_scope=scope, tree_level=level, children=(), child_ids=child_ids,
        time_start=at(0), time_end=at(0), token_count=1, sealed_at=at(0), rev=1, summariser="test", title="T",
        sentences=(),
    )  # fmt: skip
    text = render_summary_note(node)
    return NodeEntry(path=f"wiki/summaries/{node_id}.md", node=node, text=text, body_sha256="")


def fill(index: SqliteIndex, grove: Grove, chance: random.Random) -> None:
    """All notes in any order, in batches; then what is gone is dropped, removed, or was never there."""
    lost = {node_id for node_id in grove.gone if chance.random() < 0.4}
    work: list[Entry | NodeEntry] = [leaf_entry(leaf) for leaf in grove.leaves.values() if leaf.node_id not in lost]
    for node_id, children in grove.lists.items():
        work.append(node_entry(node_id, grove.scope_of[node_id], grove.level_of[node_id], tuple(children)))
    chance.shuffle(work)
    while work:
        batch, work = work[:5], work[5:]
        index.commit([each for each in batch if isinstance(each, Entry)])
        index.commit_nodes([each for each in batch if isinstance(each, NodeEntry)])
    for node_id in sorted(grove.gone - lost):
        leaf = grove.leaves[node_id]
        if chance.random() < 0.5:
            index.commit([leaf_entry(leaf, "dropped")])
        else:
            index.commit([], removed=[f"wiki/raw/{node_id}.md"])


def named(asked: Asked) -> Asked:
    return replace(asked, kind={"mail": "email"}.get(asked.kind, asked.kind))


def check(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    grove = grow(chance)
    index = open_index(folder / f"{seed}.db")
    fill(index, grove, chance)
    for asked in grove.questions(chance):
        found = index.forest.cover(named(asked))
        wanted = minimal_cover(grove.roots(), grove.below, asked)
        assert {b.node_id for b in found} == {b.node_id for b in wanted}, seed
        assert {(b.tokens, b.leaves, b.first_us, b.last_us, b.end_us) for b in found} == {
            (b.tokens, b.leaves, b.first_us, b.last_us, b.end_us) for b in wanted
        }
        for limit in (1, 2, 3, chance.randint(4, 30)):
            assert index.forest.fair_cover(named(asked), limit) == fair_choice(found, limit), seed
    index.close()


@pytest.fixture(params=["few", "many"])
def leaves_of_a_source(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source's leaves are few enough for its cover to be found from them upward, or too many."""
    if request.param == "many":
        monkeypatch.setattr(forest, "_FEW", -1)


@pytest.mark.usefixtures("leaves_of_a_source")
def test_the_index_covers_as_the_forest_does(tmp_path: Path) -> None:
    for seed in range(25):
        check(tmp_path, seed)


@pytest.mark.nightly
@pytest.mark.usefixtures("leaves_of_a_source")
def test_the_index_covers_many_more_as_the_forest_does(tmp_path: Path) -> None:
    for seed in range(25, 500):
        check(tmp_path, seed)


def test_a_leaf_that_two_nodes_list_is_covered_once(tmp_path: Path) -> None:
    index = open_index(tmp_path / "x.db")
    leaves = [Branch(f"{n:032x}", 0, "t", n, n, n, "chat:t", "chat:t", "chat", "chat", 5, 1, True) for n in range(4)]
    index.commit([leaf_entry(leaf) for leaf in leaves])
    ids = [leaf.node_id for leaf in leaves]
    index.commit_nodes([node_entry("b" * 32, "t", 1, tuple(ids[1:])), node_entry("a" * 32, "t", 1, tuple(ids[:2]))])
    asked = Asked(since_us=0, until_us=10)
    assert {b.node_id for b in index.forest.cover(asked)} == {"a" * 32, ids[2], ids[3]}
    index.commit_nodes([], removed=[f"wiki/summaries/{'a' * 32}.md"])
    assert {b.node_id for b in index.forest.cover(asked)} == {"b" * 32, ids[0]}


def test_notes_that_list_each_other_lose_no_leaf(tmp_path: Path) -> None:
    index = open_index(tmp_path / "x.db")
    leaf = Branch(f"{1:032x}", 0, "t", 1, 1, 1, "chat:t", "chat:t", "chat", "chat", 5, 1, True)
    index.commit([leaf_entry(leaf)])
    index.commit_nodes([node_entry("a" * 32, "t", 1, (leaf.node_id, "b" * 32, "a" * 32))])
    index.commit_nodes([node_entry("b" * 32, "t", 2, ("a" * 32,)), node_entry("c" * 32, "u", 1, (leaf.node_id,))])
    assert [b.node_id for b in index.forest.cover(Asked(since_us=0, until_us=10))] == [leaf.node_id]


def test_a_note_that_calls_itself_a_leaf_is_chosen_as_it_is_covered(tmp_path: Path) -> None:
    index = open_index(tmp_path / "x.db")
    leaves = [Branch(f"{n:032x}", 0, "t", n, n, n, "chat:t", "chat:t", "chat", "chat", 5, 1, True) for n in range(3)]
    index.commit([leaf_entry(leaf) for leaf in leaves])
    ids = tuple(leaf.node_id for leaf in leaves)
    index.commit_nodes([node_entry("a" * 32, "t", 0, ids[:2]), node_entry("b" * 32, "t", 1, ("a" * 32, ids[2]))])
    for until in range(4):
        asked = Asked(since_us=0, until_us=until)
        assert index.forest.fair_cover(asked, 5) == fair_choice(index.forest.cover(asked), 5)
