"""Random work in two clones, merged in any way, round after round: both end with the same memory."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clones import Clone

PEOPLE = ("Alice Smith", "Bob Stone", "Cara Jones", "Dan Brown", "Eve Young")


def chat(dice: random.Random, who: str) -> str:
    day, month = dice.randint(1, 28), dice.choice((3, 4, 5))
    return "".join(
        f"{day:02d}/{month:02d}/2026, 10:{minute:02d} - {dice.choice(PEOPLE)}: {who} says {dice.randint(0, 10**6)}"
        f" about Phoenix and the {dice.choice(('boat', 'house', 'budget'))}, we decided to ship it\n"
        for minute in range(dice.randint(2, 25))
    )


def drop_chat(dice: random.Random, clone: Clone, who: str) -> None:
    clone.write(f"WhatsApp Chat with {dice.choice(('Rowing', 'Crew', who))}.txt", chat(dice, who))


def drop_document(dice: random.Random, clone: Clone, who: str) -> None:
    more = "".join(f"Paragraph {dice.randint(0, 10**6)} of text.\n\n" for _ in range(dice.randint(0, 5)))
    text = f"# Note {who}\n\nWe met [[Phoenix]] and [[{dice.choice(PEOPLE)}]]: {dice.randint(0, 10**6)}.\n\n{more}"
    clone.write(f"{who}{dice.randint(0, 99)}.md", text, at=1_775_000_000 + dice.randint(0, 60) * 86_400)


def drop_mail(dice: random.Random, clone: Clone, who: str) -> None:
    sender, reader = (f"{name} <{name.split()[0].lower()}@example.org>" for name in dice.sample(PEOPLE, 2))
    clone.write(
        f"{who}{dice.randint(0, 10**6)}.eml",
        f"From: {sender}\nTo: {reader}\nSubject: {dice.choice(('Budget', 'Trip'))} {dice.randint(0, 3)}\n"
        f"Date: Mon, {dice.randint(1, 28)} Apr 2026 10:{dice.randint(10, 59)}:00 +0000\n"
        f"Message-ID: <{who}{dice.randint(0, 10**9)}@example.org>\n\n"
        f"The number is {dice.randint(0, 10**6)}, we agreed.\n",
    )


def drop_the_same(dice: random.Random, clone: Clone, who: str) -> None:
    clone.write("same.md", f"# Same\n\nThe same document of both.\n\nLine {dice.randint(0, 1)} of it.\n")


def delete(dice: random.Random, clone: Clone, who: str) -> None:
    found = sorted(clone.root.glob(dice.choice(("wiki/raw/**/*.md", "wiki/summaries/**/*.md"))))
    if found:
        dice.choice(found).unlink()


def name_somebody(dice: random.Random, clone: Clone, who: str) -> None:
    found = sorted(clone.root.glob("entities/*/*.md"))
    if found:
        note = dice.choice(found)
        text, alias = note.read_text(encoding="utf-8"), f"aliases:\n  - Alias {who} {dice.randint(0, 99)}"
        text = text.replace("aliases: []", alias) if "aliases: []" in text else text.replace("aliases:", alias, 1)
        note.write_text(text, encoding="utf-8")


def keep_a_fact(dice: random.Random, clone: Clone, who: str) -> None:
    with clone.open() as memory:
        memory.set_fact("user", dice.choice(("city", "editor", "pet")), f"{who} {dice.randint(0, 9)}")


ACTS: tuple[Callable[[random.Random, Clone, str], None], ...] = (
    drop_chat, drop_chat, drop_chat, drop_document, drop_document, drop_mail, drop_mail, drop_the_same, delete,
    name_somebody, keep_a_fact,
)  # fmt: skip


def merge(dice: random.Random, one: Clone, other: Clone) -> None:
    """One after the other, or both at once; markers committed as they are, or not."""
    way = dice.choice(("in turn", "both", "hurry"))
    if way == "in turn":
        one.merge(other)
        one.sync()
        one.save("merged")
        other.merge(one)
    else:
        one.merge_across(other)
        for clone in (one, other) if way == "hurry" else ():
            clone.save("in a hurry")
    one.sync()
    other.sync()


def live(folder: Path, seed: int, *, rounds: int, acts: int) -> None:
    dice = random.Random(seed)
    one = Clone.first(folder / "one")
    drop_chat(dice, one, "both")
    one.sync()
    one.save()
    other = one.clone(folder / "other")
    other.sync()
    for number in range(rounds):
        for clone, who in ((one, "A"), (other, "B")):
            for _ in range(acts):
                dice.choice(ACTS)(dice, clone, who)
            clone.sync()
            clone.save(who)
        merge(dice, one, other)
        assert (one.marked(), other.marked()) == ([], []), f"seed {seed}, round {number}"
        assert one.digest() == other.digest(), f"seed {seed}, round {number}"
        one.save("round")
        other.save("round")


def test_two_clones_converge(tmp_path: Path) -> None:
    live(tmp_path, 7, rounds=1, acts=4)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(40))
def test_two_clones_converge_over_many_rounds(tmp_path: Path, seed: int) -> None:
    live(tmp_path, seed, rounds=4, acts=4)
