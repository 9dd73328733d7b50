"""`entities/Review.md`: asked, ticked, deleted, moved about, and never written under a person's hands."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.vaults import Box

ME = "me: [Inês Carvalho, ines@example.com]\n"
MAIL = """From: {sender}
To: {to}
Subject: Boiler {number}
Date: 1{number} Mar 2026 09:00:00 +0000
Message-ID: <{name}{number}@example.com>

The boiler of house {number} was repaired by Kwikfix for 12{number} euros on Monday and works again, says {name}.
"""
OWNER = "Inês Carvalho <ines@example.com>"
REVIEW = "entities/Review.md"
BOB, ROBERT = "entities/person/bob-stone.md", "entities/person/robert-stone.md"
LINE = (
    r"- \[ \] merge \[\[entities/person/robert-stone\|Robert Stone\]\] <- \[\[entities/person/bob-stone\|Bob Stone\]\]"
)


class Desk(Box):
    """A vault with a person's hands on its notes."""

    def meet(self, *parties: str) -> None:
        """Mails in both directions with each of these people."""
        for party in parties:
            for number, (sender, to) in enumerate([(party, OWNER), (OWNER, party)], start=1):
                name = re.sub(r"\W", "", party)
                self.write(f"{name}-{number}.eml", MAIL.format(sender=sender, to=to, number=number, name=name))

    def text(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def hand(self, path: str, change: Callable[[str], str], *, ago: float = 60) -> None:
        """A person saves the note so many seconds ago."""
        file = self.root / path
        file.write_bytes(change(self.text(path)).encode())
        at = file.stat().st_mtime - ago
        os.utime(file, (at, at))

    def tick(self, *, ago: float = 60) -> None:
        self.hand(REVIEW, lambda text: text.replace("- [ ] merge", "- [x] merge"), ago=ago)

    def counts(self) -> dict[str, int]:
        with self.open() as memory:
            return {hit.id: hit.mentions for hit in memory.tree("search_entities", query="stone", limit=50).hits}

    def problems(self) -> object:
        with self.open() as memory:
            return memory.sync().to_dict()["problems"]

    def settled(self) -> None:
        """One more pass changes no note."""
        before = self.notes()
        self.sync()
        assert self.notes() == before


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path, config=ME)
    desk.meet("Bob Stone <bob@example.com>", "Robert Stone <robert@example.org>")
    desk.sync()
    return desk


def test_a_question_is_asked_once_and_nothing_is_merged(desk: Desk) -> None:
    asked = LINE + r" \(nickname and same surname\) \^ms-[0-9a-f]{8}$"
    assert len(re.findall(asked, desk.text(REVIEW), re.MULTILINE)) == 1
    assert desk.counts() == {"person:bob-stone": 2, "person:robert-stone": 2}
    desk.settled()


def test_a_tick_merges_and_taking_same_as_out_restores_everything(desk: Desk) -> None:
    counts, digest, note, page = desk.counts(), desk.digest(), desk.text(BOB), desk.text(REVIEW)
    desk.tick()
    desk.sync()
    assert 'same_as:\n  - "[[entities/person/robert-stone|Robert Stone]]"\n' in desk.text(BOB)
    assert desk.text(ROBERT).count("same_as: []") == 2
    assert desk.counts() == {"person:robert-stone": 4}
    assert "[x]" not in desk.text(REVIEW)
    assert "[ ]" not in desk.text(REVIEW)
    assert "## Done\n\n- merged [[entities/person/robert-stone|Robert Stone]] <- [[" in desk.text(REVIEW)
    desk.digest()
    desk.settled()

    desk.hand(BOB, lambda _: note)
    desk.sync()
    assert desk.counts() == counts
    assert desk.digest() == digest
    assert desk.text(REVIEW) == page


def test_a_tick_of_this_very_moment_counts_and_the_line_follows_later(desk: Desk) -> None:
    desk.tick(ago=0)
    with desk.open() as memory:
        assert memory.sync().later == (REVIEW,)
    assert desk.counts() == {"person:robert-stone": 4}
    assert "- [x] merge" in desk.text(REVIEW)
    desk.hand(REVIEW, lambda text: text)
    desk.sync()
    assert "- [x] merge" not in desk.text(REVIEW)
    assert "- merged" in desk.text(REVIEW)
    desk.settled()


def test_the_second_note_being_typed_in_waits_and_the_tick_stays(desk: Desk) -> None:
    desk.tick()
    desk.hand(BOB, lambda text: text + "typing", ago=0)
    with desk.open() as memory:
        assert memory.sync().later == (BOB,)
    assert "- [x] merge" in desk.text(REVIEW)
    desk.hand(BOB, lambda text: text + " more")
    desk.sync()
    assert desk.text(BOB).endswith("typing more")
    assert desk.counts() == {"person:robert-stone": 4}
    assert "- [x] merge" not in desk.text(REVIEW)


def test_a_deleted_line_is_a_no_for_good(desk: Desk) -> None:
    desk.hand(REVIEW, lambda text: re.sub(r"^- \[ \] merge.*\n", "", text, flags=re.MULTILINE))
    desk.sync()
    assert 'not_same_as:\n  - "[[entities/person/robert-stone|Robert Stone]]"' in desk.text(BOB)
    assert 'not_same_as:\n  - "[[entities/person/bob-stone|Bob Stone]]"' in desk.text(ROBERT)
    assert "merge" not in desk.text(REVIEW)
    desk.settled()
    with desk.open() as memory:
        memory.rebuild()
    desk.sync()
    assert "merge" not in desk.text(REVIEW)
    assert desk.counts() == {"person:bob-stone": 2, "person:robert-stone": 2}


@pytest.mark.parametrize("left", ["", "# Review\n", "# Review\n\n%% vaultmem:begin %%\n%% vaultmem:end %%\n", "half"])
def test_a_note_that_lost_its_region_says_no_to_nothing(desk: Desk, left: str) -> None:
    whole = desk.text(REVIEW)
    desk.hand(REVIEW, lambda _: left if left != "half" else whole[: whole.index("[x") if "[x" in whole else 60])
    desk.sync()
    assert desk.text(BOB).count("same_as: []") == 2
    assert re.search(LINE, desk.text(REVIEW))
    desk.settled()


def test_a_review_that_was_put_away_comes_back_with_a_new_question_only(desk: Desk) -> None:
    (desk.root / REVIEW).unlink()
    desk.sync()
    assert not (desk.root / REVIEW).exists()
    assert desk.text(BOB).count("same_as: []") == 2
    desk.meet("Jo Berg <jo@example.com>", "Joanna Berg <joanna@example.org>")
    desk.sync()
    assert desk.text(REVIEW).count("- [ ] merge") == 2


def test_a_line_turned_around_merges_the_other_way(desk: Desk) -> None:
    def turn(text: str) -> str:
        return re.sub(r"- \[ \] merge (\[\[.*?\]\]) <- (\[\[.*?\]\])", r"* [X] merge \2 ← \1", text)

    desk.hand(REVIEW, turn)
    desk.sync()
    assert desk.counts() == {"person:bob-stone": 4}
    assert '"[[entities/person/bob-stone|Bob Stone]]"' in desk.text(ROBERT)
    assert "- merged [[entities/person/bob-stone|Bob Stone]] <- [[" in desk.text(REVIEW)


def test_what_stands_outside_the_region_is_the_persons(desk: Desk) -> None:
    desk.hand(
        REVIEW,
        lambda text: (
            text.replace("aliases:\n", "cssclasses: [x] # mine\naliases:\n").replace(
                "# Review\n", "# Mine\n\nMy own.\r\n"
            )
            + "\n- [ ] merge the lanes\n"
        ),
    )
    desk.tick()
    desk.sync()
    text = desk.text(REVIEW)
    assert text.startswith("---\ncssclasses: [x] # mine\naliases:\n  - Open questions\n---\n# Mine\n\nMy own.\r\n\n%%")
    assert text.endswith("\n- [x] merge the lanes\n")
    assert desk.counts() == {"person:robert-stone": 4}


def test_a_no_beats_a_tick(desk: Desk) -> None:
    desk.tick()
    desk.hand(BOB, lambda text: text.replace("not_same_as: []", 'not_same_as: "[[robert-stone]]"'))
    assert REVIEW in desk.problems()  # type: ignore[operator]
    assert desk.counts() == {"person:bob-stone": 2, "person:robert-stone": 2}


def test_a_name_that_fits_two_is_listed_with_both(desk: Desk) -> None:
    for path in (BOB, ROBERT):
        desk.hand(path, lambda text: text.replace("aliases: []", 'aliases: ["The [[Rock]]"]'))
    desk.sync()
    both = "[[entities/person/bob-stone|Bob Stone]], [[entities/person/robert-stone|Robert Stone]]"
    assert re.search(rf"^- The .*: {re.escape(both)}$", desk.text(REVIEW), re.MULTILINE)
    desk.settled()


def test_a_run_killed_between_the_two_noes_is_taken_up(desk: Desk) -> None:
    desk.hand(REVIEW, lambda text: re.sub(r"^- \[ \] merge.*\n", "", text, flags=re.MULTILINE))
    desk.hand(ROBERT, lambda text: text + "x", ago=0)  # in use: only one of the two can be written
    desk.sync()
    assert desk.text(ROBERT).count("same_as: []") == 2
    assert "robert-stone" in desk.text(BOB).split("not_same_as")[1]
    assert "merge" not in desk.text(REVIEW)
