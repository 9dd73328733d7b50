"""A year of mixed input grows all three trees, and every summary keeps the promises that summaries make."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.vaults import Box
from tests.year import fill
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.escape import unescape
from vaultmem.core.notes.summarynote import one_line, parse_summary_note
from vaultmem.grown import SummaryNode
from vaultmem.model import Chunk
from vaultmem.providers.tokens import count_tokens

_LINK = re.compile(r"(?<![\\!])\[\[([^\[\]|#]+)(?:#([^\[\]|]+))?(?:\|[^\[\]]*)?\]\]")
#: Tokens below a summary that leave room for a title, the steps and a few linked lines.
ENOUGH = 2400
_TELLING = re.compile(r"\d[\d.,:]*\d|\d|(?<=[a-z,] )[A-Z]\w+")


class Year:
    """What the vault holds, read from its notes alone."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.notes = {path: data.decode() for path, data in box.notes().items() if path.endswith(".md")}
        self.nodes = {p: parse_summary_note(t) for p, t in self.notes.items() if p.startswith("wiki/summaries/")}
        self.chunks = {p: parse_chunk_note(t) for p, t in self.notes.items() if p.startswith("wiki/raw/")}
        self.by_id: dict[str, SummaryNode | Chunk] = {node.node_id: node for node in self.nodes.values()}
        self.by_id |= {chunk.chunk_id: chunk for chunk in self.chunks.values()}

    def children(self, node: SummaryNode) -> Iterator[SummaryNode | Chunk]:
        for child in node.child_ids:
            yield self.by_id[child]


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Year:
    box = Box(tmp_path_factory.mktemp("year"), config='timezone: "Europe/Berlin"\n'.replace('"', ""))
    fill(box, chats=1, mails=40, notes=20)
    box.sync()
    return Year(box)


def test_all_three_trees_have_grown(year: Year) -> None:
    levels = {(node.tree_kind, node.tree_level) for node in year.nodes.values()}
    assert {("source", 1), ("source", 2), ("topic", 1)} <= levels
    assert {("global", level) for level in range(4)} <= levels
    assert any(path.startswith("wiki/topics/") for path in year.notes)


def test_a_summary_is_at_most_half_of_its_children(year: Year) -> None:
    for path, node in year.nodes.items():
        said = sum(count_tokens(sentence.text) for sentence in node.sentences)
        assert said <= 5000
        assert 2 * said <= sum(tokens(child) for child in year.children(node)), path
        assert [child for child in node.child_ids if child not in year.by_id] == [], path


def test_where_there_is_enough_below_links_and_headings_are_counted_too(year: Year) -> None:
    seen = 0
    for path, node in year.nodes.items():
        below = sum(count_tokens(child.body) for child in year.children(node))
        if below >= ENOUGH:
            seen += 1
            assert 2 * count_tokens(node.body) <= below, path
    assert seen


def tokens(child: SummaryNode | Chunk) -> int:
    if isinstance(child, Chunk):
        return child.token_count
    return sum(count_tokens(sentence.text) for sentence in child.sentences)


def test_a_summary_names_nothing_that_its_children_lack(year: Year) -> None:
    for path, node in year.nodes.items():
        below = "\n".join(texts(child) for child in year.children(node))
        for sentence in node.sentences:
            assert sentence.text in below, f"{path}: {sentence.text}"
            assert sentence.author in below, f"{path}: {sentence.author}"
            assert not [word for word in _TELLING.findall(sentence.text) if word not in below]


def texts(child: SummaryNode | Chunk) -> str:
    if isinstance(child, Chunk):
        return one_line(f"{child.body}\n{meant(child)}")
    return "\n".join(f"{sentence.author} {sentence.text}" for sentence in child.sentences)


def meant(chunk: Chunk) -> str:
    """Its body as it was said: what Obsidian would carry out is escaped in a message."""
    return chunk.body if chunk.source_kind == "document" else unescape(chunk.source_kind, chunk.body)


def test_every_link_resolves(year: Year) -> None:
    for path, text in year.notes.items():
        if path.startswith("wiki/raw/"):
            continue
        for target, anchor in _LINK.findall(text):
            whole = target if target.endswith(".base") else f"{target}.md"
            assert (year.box.root / whole).is_file(), f"{path}: {target}"
            if anchor.startswith("^"):
                assert f"\n{anchor}\n" in f"{year.notes[whole]}\n", f"{path}: {target}#{anchor}"


def test_no_leaf_has_two_parents_in_one_tree(year: Year) -> None:
    seen: set[tuple[str, str, str]] = set()
    for node in year.nodes.values():
        if node.tree_kind == "global" and node.tree_level == 0:
            continue  # a chunk over midnight is a child of both days
        for child in node.child_ids:
            assert (node.tree_kind, node.tree_scope, child) not in seen
            seen.add((node.tree_kind, node.tree_scope, child))


def test_siblings_are_linked_in_order_in_every_tree(year: Year) -> None:
    for path, node in year.nodes.items():
        if node.following:
            after = year.nodes[node.following.path]
            assert (after.tree_kind, after.tree_scope, after.tree_level) == (
                node.tree_kind,
                node.tree_scope,
                node.tree_level,
            )
            assert (node.time_start, node.node_id) < (after.time_start, after.node_id)
            assert after.previous
            assert after.previous.path == path
        if node.up:
            assert node.node_id in year.nodes[node.up.path].child_ids


def test_drill_down_leads_from_a_year_to_a_line(year: Year) -> None:
    top = year.nodes["wiki/summaries/global/yearly/2026.md"]
    with year.box.open() as memory:
        identity = top.node_id
        for kind in ("month", "week", "day", "leaf"):
            hits = memory.tree("drill_down", node_id=identity).hits
            assert hits, kind
            identity = hits[0].node_id
        line = memory.tree("drill_down", node_id=identity).hits[0]
    first, last = line.lines
    shown = "\n".join(year.notes[line.note_path].splitlines()[first - 1 : last])
    kind = year.chunks[line.note_path].source_kind
    shown = shown if kind == "document" else unescape(kind, shown)
    assert line.content.splitlines()[0] in shown


def test_doing_it_again_changes_nothing(year: Year) -> None:
    before = year.box.notes()
    year.box.sync()
    assert year.box.notes() == before
    assert year.box.digest()


def test_an_index_that_was_lost_grows_no_second_tree(year: Year) -> None:
    before = year.box.notes()
    for file in year.box.data.glob("*/index/*"):
        file.unlink()
    year.box.sync()
    assert year.box.notes() == before
