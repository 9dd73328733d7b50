"""Topics through the doors: what becomes one, what stays one, what the owner's hand decides."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.vaults import Box
from vaultmem.app.grow import Grower
from vaultmem.app.grow_topics import ALL, Topics, _Weeks
from vaultmem.core.notes.topicpage import Topic, parse_topic
from vaultmem.jobs import Job


class Later(Box):
    """A vault whose clock a test may set."""

    def at(self, day: str) -> None:
        environ: Mapping[str, str] = {**self.environ, "VAULTMEM_NOW": f"{day}T12:00:00"}
        self.environ = environ

    def topics(self) -> dict[str, Topic]:
        pages = sorted((self.root / "wiki/topics").rglob("*.md"))
        return {topic.entity_id: topic for topic in (parse_topic(page.read_text()) for page in pages)}


def note(day: str, project: str, number: int) -> str:
    return (
        f"---\ncreated: {day}\n---\n# Minutes {number} of {project}\n\n"
        f"Crew {number} measured the hull of [[{project}]] and found {number * 13} dents. "
        f"The yard of [[{project}]] wants {number * 7} planks by noon.\n"
    )


def minutes(box: Box, project: str, first: str, count: int, *, start: int = 0) -> None:
    for number in range(start, start + count):
        day = (datetime.fromisoformat(first) + timedelta(days=number - start)).date().isoformat()
        box.write(f"{project}/Minutes {number}.md", note(day, project, number))


def test_what_is_spoken_of_becomes_a_topic_with_a_tree_and_a_page(tmp_path: Path) -> None:
    box = Later(tmp_path)
    minutes(box, "Halcyon", "2026-05-10", 12)
    minutes(box, "Osprey", "2026-05-10", 1)
    box.sync()
    assert set(box.topics()) == {"topic:halcyon"}
    page = (box.root / "wiki/topics/topic/halcyon.md").read_text()
    assert "## Summaries, level 1" in page
    assert "## Newest" in page
    assert "wiki/topics/topic/halcyon|Halcyon" in (box.root / "wiki/Home.md").read_text()
    box.sync()
    assert (box.root / "wiki/topics/topic/halcyon.md").read_text() == page


def test_a_topic_that_is_not_used_is_archived_and_one_mention_revives_nothing(tmp_path: Path) -> None:
    box = Later(tmp_path)
    minutes(box, "Halcyon", "2026-05-10", 12)
    box.sync()
    box.at("2026-08-01")
    box.sync()
    archived = box.topics()["topic:halcyon"]
    assert archived.status == "archived"
    assert archived.periods[-1].last == date(2026, 6, 14), "its month of silence, not the day of the next pass"
    before = {path for path in box.notes() if path.startswith("wiki/summaries/topic/")}
    minutes(box, "Halcyon", "2026-08-01", 1, start=50)
    box.sync()
    assert box.topics()["topic:halcyon"] == archived
    assert {path for path in box.notes() if path.startswith("wiki/summaries/topic/")} == before
    minutes(box, "Halcyon", "2026-07-20", 12, start=60)
    box.sync()
    assert box.topics()["topic:halcyon"].status == "active"


def test_a_chunk_admitted_while_the_past_is_decided_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model is asked beside the decision: the chunk it admits then was not among what was decided from."""
    box = Later(tmp_path)
    minutes(box, "Halcyon", "2026-03-02", 12)
    put, decided = Topics._put, _Weeks.decided
    anew: list[bool] = []

    def late(topics: Topics, *given: Any) -> bool:
        with topics.engine.index._writing() as db:
            db.execute("UPDATE chunks SET status = 'admitted' WHERE status = 'pending'")
        return put(topics, *given)

    def seen(weeks: _Weeks, topics: Any) -> Any:
        found = decided(weeks, topics)
        anew.append(weeks.is_anew)
        return found

    box.sync()
    with box.open() as memory:
        engine, index = memory._engine, memory._index
        with index._writing() as db:
            db.execute("UPDATE chunks SET status = 'pending' WHERE id = (SELECT max(id) FROM chunks)")
        monkeypatch.setattr(_Weeks, "decided", seen)
        monkeypatch.setattr(Topics, "_put", late)
        for _ in range(3):
            Topics(grower=Grower(engine=engine)).topic_route(Job(kind="topic_route", subject=ALL))
    assert anew == [True, True, False]


def test_a_topic_whose_page_was_deleted_stays_away(tmp_path: Path) -> None:
    box = Later(tmp_path)
    minutes(box, "Halcyon", "2026-05-10", 12)
    box.sync()
    (box.root / "wiki/topics/topic/halcyon.md").unlink()
    minutes(box, "Halcyon", "2026-05-25", 2, start=20)
    box.sync()
    assert box.topics() == {}


def test_the_owner_is_no_topic(tmp_path: Path) -> None:
    box = Later(tmp_path, config="me: [Bo]\n")
    lines = "\n".join(
        f"{20 + n % 9}/05/2026, 10:{n:02d} - {'Ann' if n % 2 else 'Bo'}: Boat {n} got plank {n * 7} of oak."
        for n in range(40)
    )
    box.write("WhatsApp Chat with Ann.txt", lines)
    box.sync()
    assert "person:bo" not in box.topics()


OLD = {"halcyon": ("Halcyon", "2024-02-05", 12, 0), "osprey": ("Osprey", "2024-09-10", 12, 0)}
OLD["again"] = ("Halcyon", "2024-11-04", 8, 20)


def drop_old(box: Later, name: str) -> None:
    """One of three batches about two projects of two years ago."""
    project, first, count, start = OLD[name]
    minutes(box, project, first, count, start=start)


def test_old_notes_that_come_at_once_have_the_topics_they_would_have_had(tmp_path: Path) -> None:
    box = Later(tmp_path / "one")
    for name in OLD:
        drop_old(box, name)
    box.sync()
    topics = box.topics()
    assert {entity: topic.status for entity, topic in topics.items()} == {
        "topic:halcyon": "archived",
        "topic:osprey": "archived",
    }
    assert len(topics["topic:halcyon"].periods) == 2
    trees = [path for path in box.notes() if path.startswith("wiki/summaries/topic/")]
    assert {path.split("/")[3] for path in trees} == {"topic-halcyon", "topic-osprey"}
    before = box.notes()
    box.sync()
    assert box.notes() == before
    for file in box.data.glob("*/index/*"):
        file.unlink()
    box.sync()
    assert box.notes() == before, "what was decided is decided again"
    for order in (["halcyon", "osprey", "again"], ["again", "osprey", "halcyon"]):
        other = Later(tmp_path / order[0])
        for name in order:
            drop_old(other, name)
            other.sync()
        assert other.topics() == topics, order


def test_notes_dated_by_their_files_get_topics(tmp_path: Path) -> None:
    box = Later(tmp_path)
    for number in range(40):
        text = note("", f"Boat {number % 4}", number).partition("---\n# ")[2]
        box.write(f"notes/Note {number}.md", f"# {text}", at=1_700_000_000 + number * 86_400)
    box.sync()
    assert len(box.topics()) == 4
