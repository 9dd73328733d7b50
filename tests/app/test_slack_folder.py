"""A Slack export unpacked and dropped as a folder reads like its ZIP."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.papers import packed
from tests.vaults import SAMPLES, Box, raw_notes

USERS = [
    {"id": "U1", "name": "ann", "profile": {"display_name": "Ann Lee"}},
    {"id": "U2", "name": "bo", "profile": {"real_name": "Bo Lind"}},
]


def post(user: str, text: str, ts: str) -> dict[str, str]:
    return {"type": "message", "user": user, "text": text, "ts": ts}


EXPORT: dict[str, object] = {
    "users.json": USERS,
    "channels.json": [{"id": "C1", "name": "general", "members": ["U1", "U2"]}],
    "dms.json": [{"id": "D1ABCDEFG", "members": ["U1", "U2"]}],
    "mpims.json": [],
    "groups.json": [],
    "integration_logs.json": [{"service_id": "1", "channel": "C1"}],
    "general/2026-03-01.json": [
        post("U1", "The boat leaves on Friday, <@U2>, see <#C1>.", "1772359200.000100"),
        post("U2", "Then I bring the oars.", "1772359260.000100"),
    ],
    "general/2026-03-02.json": [post("U2", "The oars are in the shed.", "1772445600.000100")],
    "general/2026-03-03.json": [],
    "D1ABCDEFG/2026-03-01.json": [post("U1", "The key lies under the third stone.", "1772359300.000100")],
}


def bodies(box: Box) -> set[str]:
    notes = raw_notes(box).split("\n---\n")
    return {line for note in notes for line in note.split("\n") if line.startswith(("## ", "The ", "Then ", "^m-"))}


@pytest.mark.parametrize("top", ["", "Boats Slack export/"])
def test_the_folder_reads_like_the_zip(tmp_path: Path, top: str) -> None:
    zipped, folder = Box(tmp_path / "zip"), Box(tmp_path / "folder")
    zipped.write("boats.zip", packed({name: json.dumps(content) for name, content in EXPORT.items()}))
    for name, content in EXPORT.items():
        folder.write(top + name, json.dumps(content))
    zipped.sync()
    rows = folder.sync()

    assert {str(row["outcome"]) for row in rows} == {"imported"}, rows
    assert bodies(folder) == bodies(zipped)
    assert "Ann Lee" in raw_notes(folder)
    assert "@Bo Lind" in raw_notes(folder)
    assert not list((folder.root / "inbox").rglob("*.json"))
    assert {str(row["source_ids"][0]) for row in rows if row["source_ids"]} == {  # type: ignore[index]
        "slack:general", "slack:dm:Ann Lee, Bo Lind",
    }  # fmt: skip
    assert folder.sync() == []
    for name, content in EXPORT.items():
        zipped.write(top + name, json.dumps(content))
    assert {str(row["outcome"]) for row in zipped.sync() if row.get("messages")} == {"duplicate"}


def test_a_list_of_something_else_is_no_part_of_an_export(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("lists.json", json.dumps([{"title": "Shopping"}]))
    box.write("users.json", json.dumps([{"name": "ann"}]))

    assert {str(row["outcome"]) for row in box.sync()} == {"failed"}


def test_a_sample_unpacked(tmp_path: Path) -> None:
    source = SAMPLES / "chat/slack/slack-threads.zip"
    if not source.exists():
        pytest.skip("the samples are not here")
    with zipfile.ZipFile(source) as archive:
        archive.extractall(tmp_path / "unpacked")
    zipped, folder = Box(tmp_path / "zip"), Box(tmp_path / "folder")
    zipped.drop(source)
    zipped.sync()
    folder.drop(tmp_path / "unpacked", "export")
    rows = folder.sync()

    assert {str(row["outcome"]) for row in rows} <= {"imported", "skipped"}, rows
    keys = {line for line in raw_notes(zipped).split("\n") if line.startswith(("^m-", "## "))}
    assert {line for line in raw_notes(folder).split("\n") if line.startswith(("^m-", "## "))} == keys
