"""What reconcile plans from what the disk shows and what the index remembers."""

from __future__ import annotations

from vaultmem.core.notes.diff import Drift, compare
from vaultmem.model import FileStat


def stats(**sizes: int) -> dict[str, FileStat]:
    return {name: FileStat(path=name, size=size, mtime_ns=1) for name, size in sizes.items()}


def test_equal_sides_mean_no_work() -> None:
    assert compare(stats(a=1, b=2), stats(a=1, b=2)) == Drift()


def test_new_changed_and_vanished_notes_are_told_apart() -> None:
    found = compare(stats(new=1, same=1, edited=5), stats(same=1, edited=4, gone=1))

    assert found == Drift(added=("new",), changed=("edited",), vanished=("gone",))


def test_an_older_time_is_a_change_too() -> None:
    older = {"a": FileStat(path="a", size=1, mtime_ns=0)}

    assert compare(older, stats(a=1)).changed == ("a",)


def test_notes_of_an_unfinished_ingest_are_not_adopted() -> None:
    assert compare(stats(half=1), {}, claimed=["half"]) == Drift()


def test_a_partial_scan_deletes_nothing_and_says_so() -> None:
    found = compare({}, stats(a=1), unreadable=["wiki/raw/chat"])

    assert found.vanished == ()
    assert "wiki/raw/chat" in found.held_back


def test_a_mass_deletion_waits_for_a_yes() -> None:
    many = stats(**{f"n{number}": 1 for number in range(100)})
    few = stats(**{f"n{number}": 1 for number in range(50)})

    assert compare(few, many).vanished == ()
    assert "50 of 100 notes" in compare(few, many).held_back


def test_a_memory_that_is_gone_as_a_whole_is_never_believed() -> None:
    assert compare({}, stats(a=1, b=1)).vanished == ()
    assert "all 2 notes" in compare({}, stats(a=1, b=1)).held_back
    assert compare({}, stats(a=1)).vanished == ("a",)


def test_a_renamed_folder_is_no_mass_deletion() -> None:
    before = {f"old/{n}": FileStat(path=f"old/{n}", size=1, mtime_ns=1) for n in range(100)}
    after = {f"new/{n}": FileStat(path=f"new/{n}", size=1, mtime_ns=1) for n in range(100)}

    assert len(compare(after, before).vanished) == 100
