"""What vaultmem writes into entity notes: links that resolve, once, between the marks, and never under a hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.app.test_review import BOB, ME, ROBERT, Desk
from vaultmem.core.notes.links import wikilinks

MARKS = ("%% vaultmem:begin %%\n", "%% vaultmem:end %%\n")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path, config=ME)
    desk.meet("Bob Stone <bob@example.com>", "Robert Stone <robert@example.org>")
    desk.sync()
    return desk


def region(desk: Desk, path: str) -> str:
    return desk.text(path).partition(MARKS[0])[2].partition(MARKS[1])[0]


def test_the_newest_mentions_are_linked_and_every_link_resolves(desk: Desk) -> None:
    text = region(desk, BOB)
    assert text.startswith("## Newest mentions\n\n- 2026-03-12 [[wiki/raw/email/")
    links = wikilinks(text)
    assert len(links) == 2
    for link in links:
        note = desk.text(f"{link.target}.md")
        assert f"\n{link.heading}\n" in note
    desk.settled()


def test_a_merged_note_says_so_and_its_target_has_all(desk: Desk) -> None:
    before = region(desk, BOB), region(desk, ROBERT)
    desk.tick()
    desk.sync()
    assert region(desk, BOB) == "The same as [[entities/person/robert-stone|Robert Stone]].\n"
    assert region(desk, ROBERT).count("[[wiki/raw/") == 4
    desk.hand(BOB, lambda text: re.sub(r"same_as:\n  - .*\n", "same_as: []\n", text, count=1))
    desk.sync()
    assert (region(desk, BOB), region(desk, ROBERT)) == before
    desk.settled()


def test_what_a_person_wrote_stays_to_the_byte_and_their_hand_is_waited_for(desk: Desk) -> None:
    desk.hand(
        BOB, lambda text: text.replace("kind: person", "kind: person # mine\ncity: Porto") + "My friend.\r\n", ago=0
    )
    mine = desk.text(BOB)
    desk.meet("Bob Stone <bob@home.example>")
    with desk.open() as memory:
        assert memory.sync().later == (BOB,)
    assert desk.text(BOB) == mine
    desk.hand(BOB, lambda text: text)
    desk.sync()
    text = desk.text(BOB)
    assert region(desk, BOB).count("[[wiki/raw/") == 4
    assert "kind: person # mine\ncity: Porto\n" in text
    assert text.endswith("%% vaultmem:end %%\nMy friend.\r\n")


def test_without_marks_nothing_is_written(desk: Desk) -> None:
    desk.hand(BOB, lambda text: text.partition(MARKS[0])[0] + "mine alone\n")
    mine = desk.text(BOB)
    (desk.root / "Jo Berg.md").write_text("%% vaultmem:begin %%\n%% vaultmem:end %%\n", encoding="utf-8")
    desk.meet("Jo Berg <jo@example.com>", "Ann Lee <ann@example.com>")
    desk.sync()
    assert desk.text(BOB) == mine
    assert desk.text("Jo Berg.md") == "%% vaultmem:begin %%\n%% vaultmem:end %%\n"
    assert region(desk, "entities/person/ann-lee.md")
    desk.settled()
