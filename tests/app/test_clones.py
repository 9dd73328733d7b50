"""Two clones that take in their own things and merge by plain `git merge`; and what git does to a vault by itself."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.clones import Clone, git
from tests.vaults import Box
from vaultmem.errors import VaultmemError

CHAT = "WhatsApp Chat with Rowing.txt"


def export(who: str, day: int, count: int = 12) -> str:
    people = ("Alice Smith", "Bob Stone", who)
    return "".join(
        f"{day:02d}/04/2026, 10:{minute:02d} - {people[minute % 3]}: Phoenix costs {day}{minute} euros, we decided\n"
        for minute in range(count)
    )


def take_in(clone: Clone, who: str, days: range) -> None:
    """An export of the conversation that both have, and a document of its own."""
    clone.write(CHAT, "".join(export(who, day) for day in days))
    clone.write(f"{who}.md", f"# Notes of {who}\n\nWe met [[Phoenix]] and {who} on 2026-04-02.\n")
    clone.sync()
    clone.save(who)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Clone, Clone]:
    """Two clones of one vault that took in different things, and have not merged."""
    folder = tmp_path_factory.mktemp("clones")
    one = Clone.first(folder / "one")
    one.write(CHAT, export("Eve Young", 1))
    one.sync()
    one.save()
    other = one.clone(folder / "other")
    take_in(one, "Cara Jones", range(2, 5))
    take_in(other, "Dan Brown", range(4, 7))
    return one, other


@pytest.fixture
def pair(made: tuple[Clone, Clone], tmp_path: Path) -> tuple[Clone, Clone]:
    one, other = made
    return one.copy(tmp_path / "one"), other.copy(tmp_path / "other")


def settled(*clones: Clone) -> None:
    """The same memory in all of them, without markers, and the same as one made of the notes alone."""
    digests = {clone.digest() for clone in clones}
    assert len(digests) == 1
    for clone in clones:
        assert clone.marked() == []
    with clones[-1].open() as memory:
        assert memory.rebuild().digest in digests


def test_both_merge_and_come_to_the_same_memory(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    one.merge_across(other)
    assert one.marked()

    one.sync()
    other.sync()

    settled(one, other)
    with one.open() as memory:
        assert memory.sync().reconciled.problems == {}
        found = {hit.author for hit in memory.recall("Phoenix costs", k=50).hits}
    assert {"Cara Jones", "Dan Brown"} <= found


def test_markers_that_were_committed_are_mended_too(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    one.merge(other)
    one.save("in a hurry")

    one.sync()
    with one.open() as memory:
        made = memory.commit("merged")
    assert made.commit
    other.merge(one)
    other.sync()

    settled(one, other)


def test_a_persons_two_texts_are_left_to_that_person(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    for clone, text in ((one, "Likes tea."), (other, "Likes coffee.")):
        note = clone.root / "entities/person/alice-smith.md"
        note.write_text(note.read_text(encoding="utf-8") + f"{text}\n", encoding="utf-8")
        clone.save(text)
    one.merge(other)
    one.sync()

    assert one.marked() == ["entities/person/alice-smith.md"]
    text = (one.root / "entities/person/alice-smith.md").read_text(encoding="utf-8")
    assert "Likes tea." in text
    assert "Likes coffee." in text
    with one.open() as memory:
        assert "conflict of git" in memory.sync().reconciled.problems["entities/person/alice-smith.md"]
        assert any("alice-smith" in finding.text for finding in memory.doctor().findings)
    (one.root / "entities/person/alice-smith.md").write_text(
        "".join(line for line in text.splitlines(keepends=True) if line[:7] not in ("<<<<<<<", "=======", ">>>>>>>")),
        encoding="utf-8",
    )
    with one.open() as memory:
        assert memory.sync().reconciled.problems == {}


def test_what_one_clone_deleted_stays_deleted_in_the_other(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    one.merge(other)
    one.sync()
    one.save()
    other.merge(one)
    other.sync()
    gone = next((one.root / "wiki/raw/document").rglob("*Cara*.md"))
    gone.unlink()
    one.sync()
    one.save("deleted")
    other.merge(one)
    other.sync()

    settled(one, other)
    other.write("Cara Jones.md", "# Notes of Cara Jones\n\nWe met [[Phoenix]] and Cara Jones on 2026-04-02.\n")
    other.sync()
    assert not list((other.root / "wiki/raw/document").rglob("*Cara*.md"))


def test_a_checkout_and_a_stash_delete_nothing(tmp_path: Path) -> None:
    clone = Clone.first(tmp_path)
    clone.write("a.md", "# A\n\nThe boat is blue and [[Phoenix]] costs 12 euros.\n")
    clone.sync()
    clone.save("few")
    few = clone.digest()
    for number in range(21):
        clone.write(f"n{number}.md", f"# N{number}\n\nThe boat {number} is green and costs 12{number} euros.\n")
    clone.sync()
    many = clone.digest()
    clone.save("many")

    git(clone.root, "checkout", "-q", "HEAD~1")
    with clone.open() as memory:
        assert memory.sync().reconciled.held_back == ""
    assert clone.digest() == few
    assert git(clone.root, "status", "--porcelain") == ""
    git(clone.root, "checkout", "-q", "main")
    clone.sync()
    assert clone.digest() == many

    git(clone.root, "reset", "-q", "--soft", "HEAD~1")
    git(clone.root, "stash", "-q")
    clone.sync()
    assert clone.digest() == few
    git(clone.root, "stash", "pop", "-q")
    clone.sync()
    settled(clone)
    assert clone.digest() == many
    assert not (clone.root / ".vaultmem/tombstones.jsonl").exists()

    next((clone.root / "wiki/raw").rglob("N3-*.md")).unlink()
    clone.sync()
    assert (clone.root / ".vaultmem/tombstones.jsonl").read_text(encoding="utf-8").count("key") == 1


def test_while_git_writes_nothing_missing_is_believed(tmp_path: Path) -> None:
    clone = Clone.first(tmp_path)
    for number in range(3):
        clone.write(f"n{number}.md", f"# N{number}\n\nThe boat {number} is green and costs 12{number} euros.\n")
    clone.sync()
    clone.save()
    note = next((clone.root / "wiki/raw").rglob("N1-*.md"))
    text = note.read_bytes()
    (clone.root / ".git/index.lock").write_text("")
    note.unlink()
    with clone.open() as memory:
        assert "git is writing files here" in memory.sync().reconciled.held_back
    note.write_bytes(text)
    (clone.root / ".git/index.lock").unlink()
    clone.sync()

    settled(clone)
    assert not (clone.root / ".vaultmem/tombstones.jsonl").exists()


def test_git_pulls_while_watch_runs(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    stop = threading.Event()
    with other.open() as memory:
        watching = threading.Thread(target=memory.watch, args=(lambda _: None,), kwargs={"until": stop.is_set})
        watching.start()
        try:
            time.sleep(1.0)
            other.merge(one)
            end = time.monotonic() + 60
            while other.marked() and time.monotonic() < end:
                time.sleep(0.2)
        finally:
            stop.set()
            watching.join()
    other.sync()
    one.merge(other)
    one.sync()

    git(other.root, "add", "-A")
    settled(other)


def test_a_line_that_git_took_out_of_review_is_no_answer(tmp_path: Path) -> None:
    clone = Clone.first(tmp_path)
    clone.sync()
    clone.save()
    names = ("Robert Stone", "Bob Stone")
    for number, name in enumerate(names):
        clone.write(
            f"Chat{number}.txt".replace("Chat", "WhatsApp Chat with C"),
            "".join(
                f"{day:02d}/04/2026, 10:00 - {name}: the boat of {day} costs {day}0 euros\n" for day in range(1, 5)
            ),
        )
    clone.sync()
    review = clone.root / "entities/Review.md"
    assert "merge" in review.read_text(encoding="utf-8")
    clone.save("asked")
    lines = review.read_text(encoding="utf-8").splitlines(keepends=True)
    git(clone.root, "checkout", "-q", "-b", "other")
    review.write_text("".join(line for line in lines if "] merge " not in line), encoding="utf-8")
    clone.save("the line is gone on another branch")
    git(clone.root, "checkout", "-q", "main")
    clone.sync()
    git(clone.root, "merge", "-q", "other")
    clone.sync()

    notes = "".join(data.decode() for path, data in clone.notes().items() if path.startswith("entities/person/"))
    assert "[[entities/person/robert" not in notes.split("vaultmem:begin")[0]
    assert "] merge " in review.read_text(encoding="utf-8")


@pytest.mark.parametrize("by_hand", [False, True], ids=["by memory", "by a person"])
def test_a_digest_that_one_clone_removed(tmp_path: Path, by_hand: bool) -> None:
    """Where nothing was left to tell it is made again when there is; what a person deleted stays away in both."""
    one = Clone.first(tmp_path / "one")
    at = 1_700_000_000  # in November 2023, of which nothing else tells
    one.write("Old.md", "# Old\n\nThe first paragraph.\n\nThe ferry sank.\n", at=at)
    one.sync()
    one.save()
    other = one.clone(tmp_path / "other")
    other.sync()
    year = "wiki/summaries/global/yearly/2023.md"
    (note,) = other.root.glob("wiki/raw/document/**/Old-*.md")
    (other.root / year if by_hand else note).unlink()
    other.sync()
    other.save()
    one.write("New.md", "# New\n\nThe ferry was raised again.\n", at=at)
    one.sync()
    one.save()

    one.merge(other)
    one.sync()
    one.save("merged")
    other.merge(one)
    other.sync()

    settled(one, other)
    assert [(clone.root / year).exists() for clone in (one, other)] == [not by_hand] * 2


def test_a_leaf_with_two_parents_stays_with_the_smaller_id(tmp_path: Path) -> None:
    clone = Clone(tmp_path)
    clone.write(CHAT, "".join(export("Eve Young", day) for day in (1, 5, 9)))
    clone.sync()
    note = next((clone.root / "wiki/summaries/source").rglob("*.md"))
    text = note.read_text(encoding="utf-8")
    node_id = text.split('node_id: "')[1][:32]
    leaves = text.split("child_ids:\n")[1].split("time_range_start")[0].splitlines()
    for place, (other, taken) in enumerate((("0" * 32, leaves[:1]), ("f" * 32, leaves[1:]))):
        twin = text.replace(node_id, other).replace("\n".join(leaves), "\n".join(taken))
        note.with_name(f"twin{place}.md").write_text(twin, encoding="utf-8")

    clone.sync()

    with clone.open() as memory:
        index = memory._index
        owners = [index.parent_of(leaf.strip(' -"')) for leaf in leaves]
        assert index.held.shared_children() == ()
        assert index.node("f" * 32) is None
    assert len(owners) > 1
    assert owners == ["0" * 32, *[node_id] * (len(owners) - 1)]
    settled(clone)


def test_a_fresh_clone_has_an_inbox_after_its_first_pass(tmp_path: Path) -> None:
    clone = Clone.first(tmp_path / "a").clone(tmp_path / "b")
    (clone.root / "inbox").rmdir()  # as git leaves it
    clone.sync()
    assert (clone.root / "inbox").is_dir()


def test_where_the_vault_is_out_of_reach_no_inbox_is_made(tmp_path: Path) -> None:
    box = Box(tmp_path)
    (box.root / "inbox").rmdir()
    with box.open() as memory:
        box.root.rename(tmp_path / "away")
        box.root.mkdir()  # the place where a disk was mounted
        with suppress(VaultmemError):
            memory.sync()
        assert not (box.root / "inbox").exists()
