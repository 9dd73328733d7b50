"""Chats made up for the benches: sentences with names, days, sums, links and now and then a secret."""

from __future__ import annotations

import io
import json
import random
import zipfile
from datetime import UTC, datetime, timedelta

PEOPLE = ("Ann Lee", "Bo Lind", "Chidi Eze", "Dora Kovács", "Emre Aydın", "Fay Wong", "Gil Moreau", "Hana Sato")
_WHAT = ("crane", "lens", "poster", "budget", "invoice", "server", "contract", "floor plan", "catering", "insurance")
_FIRMS = ("Lumen", "Northwind GmbH", "Harbour Museum", "Atlas Freight", "Brightside Studio")
_LINES = (
    "{who}, the {what} from {firm} costs {n} euros, I will send the signed offer on {day}.",
    "We decided on {day} to move the {what} to room {n}; {firm} delivers it at {n2}:30.",
    "Can somebody confirm that {firm} has changed the {what}? See https://example.com/{n}/{n2}",
    "ok",
    "thanks!",
    "The {what} is {n} cm long and weighs {n2} kg. {who} measured it twice, because the first list was wrong.",
    "I talked to {who} about the {what}: they want it before {day}, else we lose the discount of {n2} percent.",
    "@{who} please write to desk{n}@example.com, the password is tide-{n}-harbour-{n2}",
    "Nothing new about the {what} so far. I will call {firm} again tomorrow and tell you what they say about {day}.",
)


def sentence(chance: random.Random) -> str:
    """One message's text."""
    day = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=chance.randrange(700))
    return chance.choice(_LINES).format(
        who=chance.choice(PEOPLE), what=chance.choice(_WHAT), firm=chance.choice(_FIRMS),
        n=chance.randrange(10, 900), n2=chance.randrange(10, 60), day=f"{day:%d %B %Y}",
    )  # fmt: skip


def slack_export(messages: int, *, channels: int = 5, seed: int = 3) -> bytes:
    """A workspace's export: a zip with a file for every channel and day; ten minutes between messages."""
    chance = random.Random(seed)
    users = [{"id": f"U{n}", "name": name.split()[0].lower(), "real_name": name} for n, name in enumerate(PEOPLE)]
    days: dict[str, list[dict[str, str]]] = {}
    for number in range(messages):
        at = datetime(2024, 1, 8, 9, tzinfo=UTC) + timedelta(minutes=10 * (number // channels))
        name = f"team-{number % channels}/{at:%Y-%m-%d}.json"
        post = {"type": "message", "user": chance.choice(users)["id"], "text": " ".join(texts(chance))}
        days.setdefault(name, []).append({**post, "ts": f"{at.timestamp():.0f}.{number:06d}"})
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("users.json", json.dumps(users))
        archive.writestr("channels.json", json.dumps([{"id": f"C{n}", "name": f"team-{n}"} for n in range(channels)]))
        for name, posts in days.items():
            archive.writestr(name, json.dumps(posts))
    return out.getvalue()


def texts(chance: random.Random) -> list[str]:
    """One to three sentences."""
    return [sentence(chance) for _ in range(chance.randint(1, 3))]


def whatsapp_lines(messages: int, *, seed: int = 5) -> list[str]:
    """Lines of an Android export, three minutes between them."""
    chance = random.Random(seed)
    start = datetime(2026, 3, 12, 10, tzinfo=UTC)
    return [
        f"{start + timedelta(minutes=3 * n):%d/%m/%Y, %H:%M} - {chance.choice(PEOPLE)}: {sentence(chance)}\n"
        for n in range(messages)
    ]
