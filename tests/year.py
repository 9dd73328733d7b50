"""A year of mixed input: chats, mails and notes with dates, made of the bench texts where they are there."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from tests.bench.chatter import PEOPLE, sentence
from tests.vaults import BENCH, Box

START = datetime(2025, 6, 2, 7, tzinfo=UTC)
DAYS = 363
_TEAM = ("Tobias Lind", "Marta Reyes", "Yusuf Demir", "Ingrid Sand")
_PROJECTS = ("Halcyon", "Blue Lantern", "Osprey")


def fill(box: Box, *, chats: int, mails: int, notes: int) -> None:
    """Put about so many of each into the inbox, spread over the year."""
    chance = random.Random(7)
    for number, (name, lines) in enumerate(_chats(chats, chance)):
        box.write(f"WhatsApp Chat with {name}.txt", "\n".join(lines), at=1_700_000_000 + number)
    box.write("Everything.mbox", b"".join(_mails(mails, chance)))
    for number in range(notes):
        box.write(f"notes/Note {number}.md", _note(number, notes, chance))


def _chats(count: int, chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    for number in range(count):
        lines = []
        name, turns = _talk(number, chance)
        for step, (who, text) in enumerate(turns):
            at = START + timedelta(minutes=(step * DAYS * 1440) // len(turns) + 17 * number)
            lines.append(f"{at:%d/%m/%Y, %H:%M} - {who}: {' '.join(text.split())}")
        yield name, lines


def _talk(number: int, chance: random.Random) -> tuple[str, list[tuple[str, str]]]:
    """A chat partner, and who said what."""
    path = BENCH / "locomo" / "locomo_dev.json"
    if not path.is_file():
        other = PEOPLE[number % len(PEOPLE)]
        return other, [(chance.choice((other, "Robin Vale")), _say(chance)) for _ in range(160)]
    talk = json.loads(path.read_text(encoding="utf-8"))[number]["conversation"]
    turns = [
        (turn["speaker"], turn["text"])
        for key, session in talk.items()
        if re.fullmatch(r"session_\d+", key)
        for turn in session
    ]
    return talk["speaker_a"], turns[::2]


def _say(chance: random.Random) -> str:
    project = chance.choice(_PROJECTS)
    return f"{sentence(chance)} [[{project}]] needs {chance.randrange(2, 90)} more parts."


def _mails(count: int, chance: random.Random) -> Iterator[bytes]:
    path = BENCH / "aeslc" / "dev.jsonl.gz"
    texts: list[tuple[str, str]] = []
    if path.is_file():
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                row = json.loads(line)
                texts.append(
                    (
                        str(row.get("subject", row.get("subject_line", ""))),
                        str(row.get("body", row.get("email_body", ""))),
                    )
                )
    for number in range(count):
        subject, text = texts[number * 7 % len(texts)] if texts else (f"Plan {number}", _say(chance))
        at = START + timedelta(minutes=number * DAYS * 1440 // count)
        who, to = _TEAM[number % 4], _TEAM[(number + 1 + number // 4 % 3) % 4]
        head = [
            f"From x {at:%a %b %d %H:%M:%S %Y}",
            f"From: {who} <{who.split()[0].lower()}@example.com>",
            f"To: {to} <{to.split()[0].lower()}@example.com>",
            f"Subject: {' '.join(subject.split())[:80]}",
            f"Date: {format_datetime(at)}",
            f"Message-ID: <{number}@year.example.com>",
            "Content-Type: text/plain; charset=utf-8",
        ]
        body = text.replace("\nFrom ", "\n>From ")
        yield ("\n".join([*head, "", body, "", ""])).encode("utf-8", "replace")


def _note(number: int, count: int, chance: random.Random) -> str:
    day = (START + timedelta(days=number * DAYS // count)).date()
    project = _PROJECTS[number % 3]
    said = "\n\n".join(" ".join(sentence(chance) for _ in range(4)) for _ in range(4))
    return (
        f"---\ncreated: {day}\n---\n# {project}, minutes {number}\n\n{said}\n\n"
        f"We decided that [[{project}]] ships on {day + timedelta(days=30)}.\n\n"
        f"- [ ] {_TEAM[number % 4]} calls the yard by {day + timedelta(days=3)}\n"
    )
