"""How many topics real text makes: the ground of CREATE_AT and ARCHIVE_BELOW in core/grow/hotness.py.

    python -m tests.bench.topics            (a few minutes: three vaults are filled)

Chats (LoCoMo as a Slack export), notes (the Obsidian help vault, its files dated over a year) and mails (AESLC, dated
over a year) go through a vault of their own; then each day is lived through: what the owner would have seen had they
looked every evening. Nobody asks anything, so query hits are 0.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.bench.summaries import sessions
from tests.vaults import Box
from vaultmem.core.grow import hotness as rules
from vaultmem.core.grow.hotness import Sighting, common_entities, decide_topics, heats_of, most_topics, with_decision
from vaultmem.core.notes.topicpage import Topic

BENCH = Path(__file__).parents[2] / "../shared/bench"
LAST = datetime(2026, 5, 31, tzinfo=UTC)
MAILS = 600


def chats(box: Box) -> None:
    """Every conversation a channel, `ts` from the session's date plus 20 s a turn."""
    days: dict[str, list[dict[str, str]]] = {}
    people: set[str] = set()
    for sample in json.loads((BENCH / "locomo/locomo_dev.json").read_text(encoding="utf-8")):
        for session in sessions(sample["conversation"], sample["sample_id"].lower()):
            for number, turn in enumerate(session.turns):
                at = session.at + timedelta(seconds=20 * number)
                row = {"type": "message", "user": turn["speaker"], "text": turn["text"], "ts": f"{at.timestamp():.6f}"}
                days.setdefault(f"{session.name}/{at.date()}.json", []).append(row)
                people.add(turn["speaker"])
    channels = sorted({name.partition("/")[0] for name in days})
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("channels.json", json.dumps([{"id": f"C{c}", "name": c} for c in channels]))
        users = [{"id": p, "name": p.lower(), "profile": {"real_name": p, "display_name": p}} for p in sorted(people)]
        archive.writestr("users.json", json.dumps(users))
        for name, rows in days.items():
            archive.writestr(name, json.dumps(rows))
    box.write("slack.zip", made.getvalue())


def notes(box: Box, span: int) -> None:
    folder = BENCH / "obsidian_help/vault"
    for number, path in enumerate(sorted(folder.rglob("*.md"))):
        at = LAST - timedelta(days=(number * 7919) % span)
        box.write(f"help/{path.relative_to(folder).as_posix()}", path.read_bytes(), at=at.timestamp())


def mails(box: Box) -> None:
    chance = random.Random(5)
    with gzip.open(BENCH / "aeslc/dev.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][::3][:MAILS]
    people = sorted({row["id"].split("_")[0] for row in rows})
    made = []
    for row in rows:
        owner, other = row["id"].split("_")[0], chance.choice(people)
        sender, receiver = (owner, other) if "sent" in row["id"] else (other, owner)
        at = LAST - timedelta(minutes=chance.randrange(365 * 24 * 60))
        body = row["body"].replace("\nFrom ", "\n>From ")
        head = f"From: {address(sender)}\nTo: {address(receiver)}\nSubject: {row['subject']}\n"
        made.append(
            f"From bench {at:%a %b %d %H:%M:%S %Y}\nMessage-ID: <{row['id']}@example.com>\n{head}"
            f"Date: {at:%a, %d %b %Y %H:%M:%S} +0000\nContent-Type: text/plain; charset=utf-8\n\n{body}\n\n"
        )
    box.write("mail.mbox", "".join(made))


def address(person: str) -> str:
    last, _, initial = person.rpartition("-")
    return f"{initial.upper()}. {last.title()} <{initial}.{last}@example.com>"


def sightings(box: Box) -> list[Sighting]:
    found = []
    with box.open() as memory:
        index = memory._index
        for _, chunk_id in index.note_stats().values():
            held = index.chunk(chunk_id)
            if held is None or held[1].status != "admitted":
                continue
            passages: dict[str, set[int]] = {}
            for mention in index.chunks_named([chunk_id])[chunk_id].mentions:
                means = index.resolve_each([mention.surface]).get(mention.surface, frozenset())
                if len(means) == 1:
                    passages.setdefault(next(iter(means)), set()).add(mention.passage)
            found += [
                Sighting(
                    entity_id=entity,
                    chunk_id=chunk_id,
                    source=held[1].tree_scope,
                    at=held[1].time_end,
                    mentions=len(own),
                )
                for entity, own in passages.items()
            ]
    return sorted(found, key=lambda sighting: sighting.at)


@dataclass(frozen=True)
class Lived:
    """A vault's life under one threshold."""

    actions: Counter[str]
    active: list[int]
    topics: dict[str, Topic]


def live(seen: Sequence[Sighting]) -> Lived:
    topics: dict[str, Topic] = {}
    actions: Counter[str] = Counter()
    active = []
    now = seen[0].at + timedelta(days=1)
    while now < seen[-1].at + timedelta(days=60):
        past = [sighting for sighting in seen if sighting.at <= now]
        chunks = len({sighting.chunk_id for sighting in past})
        common = common_entities(Counter(sighting.entity_id for sighting in past), chunks)
        heats = heats_of([s for s in past if s.at > now - timedelta(days=31)], {}, now=now)
        for decision in decide_topics(heats, topics.values(), now=now, excluded=common, most=most_topics(chunks)):
            actions[decision.action] += 1
            topics[decision.entity_id] = with_decision(topics.get(decision.entity_id), decision, today=now.date())
        active.append(sum(topic.status == "active" for topic in topics.values()))
        now += timedelta(days=1)
    return Lived(actions, active, topics)


def row(name: str, seen: Sequence[Sighting], create: float, archive: float) -> str:
    kept = rules.CREATE_AT, rules.ARCHIVE_BELOW
    rules.CREATE_AT, rules.ARCHIVE_BELOW = create, archive
    try:
        lived = live(seen)
    finally:
        rules.CREATE_AT, rules.ARCHIVE_BELOW = kept
    lives = sorted((p.last - p.first).days for t in lived.topics.values() for p in t.periods if p.last)
    mean = sum(lived.active) / len(lived.active)
    return (
        f"{name:<26}{create:>7.1f}{archive:>9.1f}{lived.actions['create']:>7}{lived.actions['revive']:>9}"
        f"{lived.actions['archive']:>10}{mean:>8.1f}{max(lived.active):>6}"
        f"{100 * lived.active.count(0) // len(lived.active):>8} %{lives[len(lives) // 2] if lives else 0:>7}"
    )


SETS: Sequence[tuple[str, Callable[[Box], None]]] = (
    ("LoCoMo chats", chats),
    ("Obsidian help, a year", lambda box: notes(box, 365)),
    ("Obsidian help, ten days", lambda box: notes(box, 10)),
    (f"AESLC, {MAILS} mails", mails),
)


def main(names: Sequence[str]) -> None:
    if not BENCH.exists():
        print(f"skipped: {BENCH.name} is not there")
        return
    print(
        f"{'data':<26}{'create':>7}{'archive':>9}{'made':>7}{'revived':>9}{'archived':>10}{'active':>8}{'most':>6}"
        f"{'none on':>10}{'days':>7}"
    )
    for name, fill in SETS:
        if names and not any(re.search(wanted, name) for wanted in names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            box = Box(Path(folder))
            fill(box)
            box.sync()
            seen = sightings(box)
        for create, archive in ((3.0, 2.0), (3.5, 2.0), (4.0, 2.0), (4.5, 2.0), (3.5, 1.0), (3.5, 3.0)):
            print(row(name, seen, create, archive), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
