"""Messages that were changed on their platform: the later text stands in the note, in whatever order exports come."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.papers import packed
from tests.vaults import Box, raw_notes
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.summarynote import parse_summary_note
from vaultmem.grown import SummaryNode

OLD, NEW, LAST = "The boat leaves on Friday.", "The boat leaves on Saturday.", "The boat leaves on Sunday at nine."
#: an export of one platform, whose second message says `said`, changed for the n-th time
Export = Callable[[str, int], bytes]


def slack(said: str, edit: int, *, name: str = "crew") -> bytes:
    post: dict[str, Any] = {"type": "message", "user": "U1", "text": said, "ts": "1772359260.000200"}
    if edit:
        post["edited"] = {"user": "U1", "ts": f"{1772359300 + edit}.000000"}
    first = {"type": "message", "user": "U2", "text": "When does the boat leave?", "ts": "1772359200.000100"}
    users = [{"id": "U1", "name": "ann"}, {"id": "U2", "name": "bo"}]
    return packed({
        "users.json": json.dumps(users),
        "channels.json": json.dumps([{"id": "C1", "name": name}]),
        f"{name}/2026-03-01.json": json.dumps([first, post]),
    })  # fmt: skip


def discord(said: str, edit: int, *, name: str = "crew") -> bytes:
    def post(number: str, who: str, content: str, changed: str | None = None) -> dict[str, Any]:
        author = {"id": who, "name": who, "isBot": False}
        return {
            "id": number, "type": "Default", "timestamp": f"2026-03-01T10:0{number}:00+00:00",
            "timestampEdited": changed, "content": content, "author": author,
        }  # fmt: skip

    changed = f"2026-03-01T11:0{edit}:00.123+00:00" if edit else None
    channel = {"id": "9", "type": "GuildTextChat", "name": name}
    posts = [post("1", "bo", "When does the boat leave?"), post("2", "ann", said, changed)]
    return json.dumps({"guild": {"id": "8", "name": "Boats"}, "channel": channel, "messages": posts}).encode()


def telegram(said: str, edit: int, *, name: str = "crew") -> bytes:
    def post(number: int, who: str, content: str) -> dict[str, Any]:
        at = 1772359200 + number * 60
        return {
            "id": number, "type": "message", "date": "2026-03-01T10:00:00", "date_unixtime": str(at), "from": who,
            "from_id": f"user{who}", "text": content,
        }  # fmt: skip

    posts = [post(1, "bo", "When does the boat leave?"), post(2, "ann", said)]
    if edit:
        posts[1] |= {"edited": "2026-03-01T11:00:00", "edited_unixtime": str(1772363000 + edit)}
    return json.dumps({"name": name, "type": "private_group", "id": 77, "messages": posts}).encode()


def teams(said: str, edit: int, *, name: str = "crew") -> bytes:
    def post(number: str, who: str, content: str, changed: str | None = None) -> dict[str, Any]:
        return {
            "id": number, "messageType": "message", "createdDateTime": f"2026-03-01T10:0{number}:00Z",
            "lastEditedDateTime": changed, "from": {"user": {"id": who, "displayName": who}},
            "body": {"contentType": "text", "content": content}, "chatId": "19:x@thread.v2",
        }  # fmt: skip

    changed = f"2026-03-01T11:0{edit}:00Z" if edit else None
    posts = [post("1", "bo", "When does the boat leave?"), post("2", "ann", said, changed)]
    return json.dumps({"topic": name, "messages": posts}).encode()


PLATFORMS: dict[str, tuple[str, Export]] = {
    "slack": ("crew.zip", slack), "discord": ("crew.json", discord), "telegram": ("result.json", telegram),
    "teams": ("teams.json", teams),
}  # fmt: skip
ORDERS: list[tuple[int, ...]] = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1), (0, 1, 2, 1, 0)]
every_platform = pytest.mark.parametrize("platform", PLATFORMS)


def drop(box: Box, platform: str, said: str, edit: int) -> dict[str, object]:
    name, export = PLATFORMS[platform]
    box.write(name, export(said, edit))
    [row] = box.sync()
    return row


def note_of(box: Box) -> Path:
    [path] = (box.root / "wiki/raw").rglob("*.md")
    return path


@every_platform
def test_the_later_text_replaces_the_old_one_in_its_note(tmp_path: Path, platform: str) -> None:
    box = Box(tmp_path)
    first = drop(box, platform, OLD, 0)
    path = note_of(box)
    before = parse_chunk_note(path.read_text())
    row = drop(box, platform, NEW, 1)

    assert first["outcome"] == row["outcome"] == "imported"
    assert row["chunks"] == 1
    assert any("1 messages were edited" in str(warning) for warning in row["warnings"])  # type: ignore[attr-defined]
    assert note_of(box) == path
    after = parse_chunk_note(path.read_text())
    assert NEW in after.body
    assert OLD not in after.body
    assert (after.seq, after.position, after.time_start) == (before.seq, before.position, before.time_start)
    assert after.chunk_id != before.chunk_id
    assert re.findall(r"\^m-\w+", after.body) == re.findall(r"\^m-\w+", before.body)
    digest, notes = box.digest(), box.notes()
    assert box.sync() == []
    assert box.notes() == notes
    with box.open() as memory:
        memory.rebuild()
    assert box.digest() == digest


@pytest.mark.parametrize("orders", [ORDERS[::3], pytest.param(ORDERS, marks=pytest.mark.nightly)], ids=["some", "all"])
@every_platform
def test_exports_in_any_order_end_alike(tmp_path: Path, platform: str, orders: list[tuple[int, ...]]) -> None:
    texts = [(OLD, 0), (NEW, 1), (LAST, 2)]
    ends = set()
    for number, order in enumerate(orders):
        box = Box(tmp_path / str(number))
        for place in order:
            drop(box, platform, *texts[place])
            with box.open() as memory:
                memory.rebuild()
        ends.add(raw_notes(box))
    [end] = ends
    assert LAST in end
    assert NEW not in end


@every_platform
def test_a_text_that_no_one_calls_edited_replaces_nothing(tmp_path: Path, platform: str) -> None:
    box = Box(tmp_path)
    drop(box, platform, OLD, 0)
    notes = box.notes()

    assert drop(box, platform, NEW, 0)["outcome"] == "duplicate"
    assert box.notes() == notes


def test_a_persons_text_and_decision_stay(tmp_path: Path) -> None:
    box = Box(tmp_path)
    drop(box, "slack", OLD, 0)
    path = note_of(box)
    path.write_text(path.read_text().replace("Friday", "some day"))

    row = drop(box, "slack", NEW, 1)

    assert row["outcome"] == "duplicate"
    assert any("your text stays" in str(warning) for warning in row["warnings"])  # type: ignore[attr-defined]
    assert "some day" in path.read_text()
    assert box.digest()

    other = Box(tmp_path / "other")
    drop(other, "slack", "ok", 0)
    path = note_of(other)
    text = path.read_text()
    mine = text.replace("memory_status: admitted", "memory_status: dropped").replace("owner:", "mood: good\nowner:")
    path.write_text(mine)
    drop(other, "slack", LAST, 1)
    after = parse_chunk_note(path.read_text())
    assert (LAST in after.body, after.status, after.drop_reason) == (True, "dropped", "")
    assert "mood: good" in path.read_text()


def test_what_was_deleted_by_hand_stays_deleted(tmp_path: Path) -> None:
    box = Box(tmp_path)
    drop(box, "slack", OLD, 0)
    note_of(box).unlink()
    box.sync()

    drop(box, "slack", NEW, 1)

    assert raw_notes(box) == ""


def test_a_text_that_grows_beyond_its_note_goes_on_in_new_ones_and_comes_back(tmp_path: Path) -> None:
    box = Box(tmp_path, config="chunk_tokens: 120\n")
    drop(box, "slack", OLD, 0)
    long = " ".join(f"On day {day} the boat goes to island number {day * 7}." for day in range(60))
    drop(box, "slack", long, 1)

    notes = sorted((box.root / "wiki/raw").rglob("*.md"))
    chunks = sorted((parse_chunk_note(path.read_text()) for path in notes), key=lambda chunk: chunk.position)
    assert len(chunks) > 4
    assert [chunk.seq for chunk in chunks] == list(range(len(chunks)))
    assert all(chunk.token_count <= 120 for chunk in chunks)
    digest = box.digest()
    assert box.sync() == []
    assert drop(box, "slack", long, 1)["outcome"] == "duplicate"
    assert box.digest() == digest

    drop(box, "slack", LAST, 2)
    left = sorted((box.root / "wiki/raw").rglob("*.md"))
    assert len(left) <= 2
    assert raw_notes(box).count(LAST) == 1
    assert "island" not in raw_notes(box)
    assert box.digest()


def crew(days: int, changed: int = -1) -> bytes:
    """A channel with a long gap between its messages, so that each is a note of its own."""
    posts = []
    for day in range(days):
        said = f"On day {day} the boat number {day * 7} got a new coat of red paint."
        post: dict[str, Any] = {"type": "message", "user": "U1", "text": said, "ts": f"{1704103200 + day * 86400}.0001"}
        if day == changed:
            post |= {"text": said.replace("red", "green"), "edited": {"ts": "1772359300.0"}}
        posts.append(post)
    return packed({
        "users.json": json.dumps([{"id": "U1", "name": "ann"}]),
        "channels.json": json.dumps([{"id": "C1", "name": "crew"}]),
        "crew/2024-01-01.json": json.dumps(posts),
    })  # fmt: skip


def tree(box: Box) -> dict[str, SummaryNode]:
    paths = sorted((box.root / "wiki/summaries/source").rglob("*.md"))
    return {path.relative_to(box.root).as_posix(): parse_summary_note(path.read_text()) for path in paths}


def test_summaries_follow_an_edit_up_to_the_root(tmp_path: Path) -> None:
    box = Box(tmp_path, config="chat_gap_hours: 1\n")
    box.write("crew.zip", crew(101))
    box.sync()
    before = tree(box)
    # an early day, which the summary of the second level shows too
    top = next(node for node in before.values() if node.tree_level == 2)
    shown = re.search(r"On day (\d+) the", top.sentences[0].text)
    assert shown
    day = int(shown[1])

    box.write("crew.zip", crew(101, changed=day))
    box.sync()
    after = tree(box)

    assert before.keys() == after.keys()
    changed = {path for path in after if after[path] != before[path]}
    assert sorted(after[path].tree_level for path in changed) == [1, 2]
    assert all(after[path].rev == before[path].rev + 1 for path in changed)
    said = [s.text for path in changed for s in after[path].sentences if f"On day {day} " in s.text]
    assert said == [f"On day {day} the boat number {day * 7} got a new coat of green paint."] * 2
    ids = {parse_chunk_note(path.read_text()).chunk_id for path in (box.root / "wiki/raw").rglob("*.md")}
    listed = [child for node in after.values() if node.tree_level == 1 for child in node.child_ids]
    assert len(listed) == len(set(listed)) == 101
    assert ids == set(listed)
    digest, notes = box.digest(), box.notes()
    assert box.sync() == []
    assert (box.digest(), box.notes()) == (digest, notes)
