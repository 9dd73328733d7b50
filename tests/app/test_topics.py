"""Topics through the doors: what becomes one, what stays one, what the owner's hand decides."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from pathlib import Path

from tests.vaults import Box
from vaultmem.core.notes.topicpage import Topic, parse_topic


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
    assert archived.periods[-1].last == date(2026, 8, 1)
    before = {path for path in box.notes() if path.startswith("wiki/summaries/topic/")}
    minutes(box, "Halcyon", "2026-08-01", 1, start=50)
    box.sync()
    assert box.topics()["topic:halcyon"] == archived
    assert {path for path in box.notes() if path.startswith("wiki/summaries/topic/")} == before
    minutes(box, "Halcyon", "2026-07-20", 12, start=60)
    box.sync()
    assert box.topics()["topic:halcyon"].status == "active"


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
