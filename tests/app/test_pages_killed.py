"""A kill between a page and what is remembered of it: the page says what memory holds, also when that is as before."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.app.test_review import ME, Desk
from tests.vaults import Box
from vaultmem.app import entity_pages, pages


@pytest.mark.parametrize(
    ("room", "writes", "shown"),
    [(pages, "_put", "wiki/sources"), (entity_pages, "_write", "entities/person")],
    ids=["source pages", "entity notes"],
)
def test_a_page_goes_back_with_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: ModuleType, writes: str, shown: str
) -> None:
    desk = Desk(tmp_path, config=f'{ME}notes: ["Diary/*.md"]\n')
    desk.meet("Bob Stone <bob@example.com>")
    (desk.root / "Diary").mkdir()
    (desk.root / "Diary/1.md").write_text("A ferry for [[Bob Stone]].\n")
    desk.sync()
    before = texts(desk, shown)
    (desk.root / "Diary/2.md").write_text("Bob Stone bought a boat.\n")
    for number in itertools.count(1):
        with monkeypatch.context() as killing:
            killing.setattr(room, writes, killed_after(number, getattr(room, writes)))
            try:
                desk.sync()
            except KeyboardInterrupt:
                pass
            else:
                break
        if texts(desk, shown) != before:
            break
    assert texts(desk, shown) != before
    (desk.root / "Diary/2.md").unlink()
    everything_gone(desk)
    assert texts(desk, shown) == before


def everything_gone(box: Box) -> None:
    """A pass that believes every deletion."""
    with box.open() as memory:
        memory.sync(accept_deletions=True)


def texts(desk: Desk, folder: str) -> dict[str, str]:
    return {path: text for path, text in desk.notes().items() if path.startswith(folder)}


def killed_after(call: int, work: Callable[..., object]) -> Callable[..., object]:
    calls = itertools.count(1)

    def killed(*arguments: object) -> object:
        done = work(*arguments)
        if next(calls) == call:
            raise KeyboardInterrupt
        return done

    return killed
