"""What git made a file with conflict markers of, found again where it took one note for another."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.clones import git
from vaultmem.core.notes.conflicts import has_conflict, is_nested
from vaultmem.core.notes.summarynote import parse_summary_note, render_summary_note
from vaultmem.core.notes.unite import united
from vaultmem.grown import Link, SummaryNode
from vaultmem.store.history import GitHistory

AT = datetime(2026, 4, 1, 10, tzinfo=UTC)
OLD, NEW = "wiki/summaries/topic/a/L1/old.md", "wiki/summaries/topic/b/L1/new.md"


def note(name: str, *children: str, says: str = "") -> str:
    """A summary; most lines of any two are the same, so that git takes one for the other."""
    made = render_summary_note(
        SummaryNode(
            node_id=name * 32,
            tree_kind="topic",
            tree_scope="topic:x",
            tree_level=1,
            time_start=AT,
            time_end=AT,
            token_count=0,
            sealed_at=AT,
            rev=1,
            summariser="facet-2",
            title="Boats",
            sentences=(),
            inputs="00",
            child_ids=children,
            children=tuple(Link(path=f"wiki/raw/{child}.md", alias=child) for child in children),
            entities=tuple(f"person:{n}" for n in range(20)),
        )
    )
    return f"{made}\n{says}\n" if says else made


def put(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)


@pytest.fixture
def merged(tmp_path: Path) -> Path:
    """There a summary went and a new one of much the same lines came; here that new one was made too."""
    git(tmp_path, "init", "-q", "-b", "main")
    put(tmp_path, OLD, note("a", "k"))
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "start")
    git(tmp_path, "checkout", "-q", "-b", "there")
    (tmp_path / OLD).unlink()
    put(tmp_path, NEW, note("b", "k", "m", says="Their own line."))
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "there")
    git(tmp_path, "checkout", "-q", "main")
    put(tmp_path, OLD, note("a", "k", "n", says="Of the old one."))
    put(tmp_path, NEW, note("b", "k", "o", says="My own line."))
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "here")
    git(tmp_path, "merge", "-q", "there", ok=False)
    assert is_nested((tmp_path / NEW).read_text()), "git nested the markers"
    return tmp_path


@pytest.mark.parametrize("hurry", [False, True], ids=["merging", "committed with markers"])
def test_a_new_note_that_git_took_for_a_renamed_one(merged: Path, hurry: bool) -> None:
    if hurry:
        git(merged, "add", "-A")
        git(merged, "commit", "-q", "-m", "in a hurry")
    marked = (merged / NEW).read_bytes()
    found = GitHistory.open(merged).versions(NEW, marked)
    assert found is not None
    one, other = (side.decode() for side in found)
    assert {one, other} == {note("b", "k", "m", says="Their own line."), note("b", "k", "o", says="My own line.")}
    made = united(NEW, marked.decode(), (one, other))
    node = parse_summary_note(made)
    assert (node.node_id, set(node.child_ids)) == ("b" * 32, {"k", "m", "o"})
    assert "Their own line." in made
    assert "My own line." in made, "of two texts of a person's own both stay"
    assert not is_nested(made)
    assert made == united(NEW, marked.decode(), (other, one)), "both clones come to the same"


def test_nested_markers_of_what_nobody_edited_leave_none(merged: Path) -> None:
    marked = (merged / NEW).read_text()
    made = united(NEW, marked, (note("b", "k", "m"), note("b", "k", "o")))
    assert not has_conflict(made)
    assert set(parse_summary_note(made).child_ids) == {"k", "m", "o"}


def one_side_moved(root: Path, made: str, *, here: str, hurry: bool) -> bytes:
    """There the old note got a child; here a note stands at another path in its place. What git leaves there.

    `hurry`: it is committed as git left it.
    """
    git(root, "init", "-q", "-b", "main")
    put(root, OLD, note("a", "k"))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "start")
    git(root, "checkout", "-q", "-b", "there")
    put(root, OLD, note("a", "k", "n"))
    git(root, "commit", "-q", "-a", "-m", "there")
    git(root, "checkout", "-q", "main")
    (root / OLD).unlink()
    put(root, here, made)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "here")
    git(root, "merge", "-q", "there", ok=False)
    marked = (root / here).read_bytes()
    assert b"<<<<<<<" in marked
    if hurry:
        git(root, "add", "-A")
        git(root, "commit", "-q", "-m", "in a hurry")
    return marked


@pytest.mark.parametrize("hurry", [False, True], ids=["merging", "committed with markers"])
def test_a_note_that_only_one_side_has_stands_as_that_side_had_it(tmp_path: Path, hurry: bool) -> None:
    made = note("b", "k", "m")
    marked = one_side_moved(tmp_path, made, here=NEW, hurry=hurry)
    found = GitHistory.open(tmp_path).versions(NEW, marked)
    assert found == (made.encode(), made.encode())
    assert united(NEW, marked.decode(), (made, made)) == made


@pytest.mark.parametrize("hurry", [False, True], ids=["merging", "committed with markers"])
def test_a_note_that_was_moved_is_found_by_its_id(tmp_path: Path, hurry: bool) -> None:
    made = note("a", "k", "m")
    marked = one_side_moved(tmp_path, made, here=NEW, hurry=hurry)
    found = GitHistory.open(tmp_path).versions(NEW, marked)
    assert found is not None
    assert set(found) == {made.encode(), note("a", "k", "n").encode()}
