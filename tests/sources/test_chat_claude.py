"""Claude exports: the samples, broken trees, what was attached, exports that overlap, mutations."""

from __future__ import annotations

import copy
import io
import json
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from tests.vaults import Box, raw_notes
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.model import RawFile, SourceItem, SourceMessage, Warn
from vaultmem.sources import detect, read
from vaultmem.sources.chat.claude import read_claude
from vaultmem.sources.chat.claude_text import markdown

MODIFIED = datetime(2025, 6, 1, tzinfo=UTC)
ROOT = "00000000-0000-4000-8000-000000000000"


def raw(data: bytes | str, name: str = "conversations.json") -> RawFile:
    return RawFile(name=name, data=data.encode() if isinstance(data, str) else data, modified_at=MODIFIED)


def turn(name: str, said: str, parent: str | None = None, at: str = "", sender: str = "human") -> dict[str, Any]:
    found: dict[str, Any] = {"uuid": name, "sender": sender, "text": said, "content": [{"type": "text", "text": said}]}
    if parent is not None:
        found["parent_message_uuid"] = parent
    return {**found, "created_at": at} if at else found


def talk(*turns: Any, **more: Any) -> dict[str, Any]:
    return {"uuid": "c1", "name": "Lamps", "created_at": "2025-01-01T10:00:00Z", "chat_messages": list(turns), **more}


def items(found: object, me: tuple[str, ...] = ()) -> list[SourceItem]:
    return list(read_claude(raw(json.dumps(found)), Settings(me=me)).items)


def said(found: object) -> list[str]:
    return [i.message.text for i in items(found) if isinstance(i, SourceMessage) and not i.system]


def warned(found: object) -> str:
    return " ".join(item.text for item in items(found) if isinstance(item, Warn))


def zipped(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def test_samples() -> None:
    for entry in expected.entries("chat/claude"):
        data = (expected.SAMPLES / "chat/claude" / entry["file"]).read_bytes()
        reading = read(raw(data, entry["file"]), Settings())
        assert reading.format == "claude"
        assert expected.problems(reading.items, entry) == [], entry["file"]


TREE = (
    turn("a", "on?", ROOT, "2025-01-01T10:00:00Z"),
    turn("b", "old", "a", "2025-01-01T10:00:01Z", "assistant"),
    turn("c", "new", "a", "2025-01-01T10:00:02Z", "assistant"),
    turn("d", "more", "b", "2025-01-01T10:00:01.500Z"),
)


def test_the_path_to_the_newest_leaf_or_the_one_shown() -> None:
    assert said(talk(*TREE)) == ["on?", "new"]
    assert said(talk(*TREE, current_leaf_message_uuid="d")) == ["on?", "old", "more"]
    # The named message is no leaf: what follows it is shown too.
    assert said(talk(*TREE, current_leaf_message_uuid="b")) == ["on?", "old", "more"]
    assert said(talk(*TREE, current_leaf_message_uuid="gone")) == ["on?", "new"]


def test_a_list_without_parents_is_read_whole() -> None:
    assert said(talk(turn("a", "1"), turn("b", "2"), turn("c", "3"), current_leaf_message_uuid="b")) == ["1", "2", "3"]


@pytest.mark.parametrize(
    "turns",
    [
        (turn("a", "x", "b"), turn("b", "y", "a")),
        (turn("a", "x", "a"),),
        (turn("a", "x", "gone"), turn("b", "y", "lost")),
        (turn("a", "x", ROOT), turn("a", "y", "a")),
    ],
)
def test_broken_trees_still_say_something(turns: tuple[Any, ...]) -> None:
    assert "x" in said(talk(*turns))


def test_a_broken_conversation_is_named_and_the_others_are_read() -> None:
    for broken in (talk(chat_messages=None), talk(), talk(turn("a", " "))):
        both = [broken, talk(turn("z", "whole"), uuid="c2")]
        assert said(both) == ["whole"]
        assert "'Lamps'" in warned(both)
    assert "conversation 1" in warned([7, talk(turn("z", "whole"))])


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (
            [{"type": "text", "text": "a"}, {"type": "thinking", "thinking": "no"}, {"type": "text", "text": "b"}],
            "a\n\nb",
        ),
        ([{"type": "tool_result", "content": [{"type": "text", "text": "no"}]}], "plain"),
        ([{"type": "tool_use", "name": "repl", "input": {"code": "no"}}], "plain"),
        (None, "plain"),
        ("said", "said"),
        (["said"], "said"),
        ([{"type": "text", "text": "<antThinking>no</antThinking>yes <antThinking>open"}], "yes <antThinking>open"),
        (
            [{"type": "text", "text": 'x <antArtifact title="T" type="text/html"><p></antArtifact> y'}],
            "x (artifact: T)\n\n```html\n<p>\n``` y",
        ),
        (
            [
                {"type": "text", "text": "done"},
                {"type": "tool_use", "name": "artifacts", "input": {"command": "update", "id": "plan", "old_str": "a"}},
            ],
            "done\n\n(artifact changed: plan)",
        ),
    ],
)
def test_content(content: object, text: str) -> None:
    assert markdown({"content": content, "text": "plain"}) == text


def test_the_owner_the_names_and_the_share_form() -> None:
    share = {**talk(turn("a", "hi\nthere")), "snapshot_name": "Snap"}
    del share["name"]
    (message,) = [i for i in items(share, ("Mia",)) if isinstance(i, SourceMessage)]
    assert (message.message.author, message.title, message.provider) == ("Mia", "Snap", "conversation")
    assert (message.source_id, message.native_id, message.cues) == ("claude:c1", "a", frozenset({"sent"}))
    (first,) = [i for i in items(talk(turn("a", "hi\nthere"), name="")) if isinstance(i, SourceMessage)]
    assert first.title == "hi"


def test_archives_and_wrappers() -> None:
    text = json.dumps([talk(turn("a", "x"))])
    data = zipped({"data/conversations.json": text, "data/users.json": "[]", "data/projects.json": "[]"})
    found = list(read(raw(data, "data-2025.zip"), Settings()).items)
    assert [i.message.text for i in found if isinstance(i, SourceMessage)] == ["x"]
    assert "projects.json" in found[-1].text  # type: ignore[union-attr]
    wrapped = json.dumps({"account": {}, "conversations": [talk(turn("a", "x"))]})
    assert detect(raw(wrapped), Settings()) == "claude"
    assert said(json.loads(wrapped)) == ["x"]


def test_a_cut_file_gives_what_came_before() -> None:
    text = json.dumps([talk(turn("a", "whole")), talk(turn("b", "cut"))])
    found = list(read_claude(raw(text[:-60]), Settings()).items)
    assert [i.message.text for i in found if isinstance(i, SourceMessage)] == ["whole"]
    assert "after 1 conversations" in found[-1].text  # type: ignore[union-attr]
    with pytest.raises(UnreadableSource):
        list(read_claude(raw(text[:40]), Settings()).items)
    with pytest.raises(SkippedSource):
        list(read_claude(raw("[]"), Settings()).items)


def test_a_later_export_brings_only_what_is_new(tmp_path: Path) -> None:
    box = Box(tmp_path)
    turns = [turn(f"m{n}", f"plank {n} is {n * 7} cm long") for n in range(6)]
    box.write("conversations.json", json.dumps([talk(*turns[:4])]))
    assert [r["chunks"] for r in box.sync()] == [1]
    box.write("data-2025.zip", zipped({"conversations.json": json.dumps([talk(*turns, name="Renamed")])}))
    assert [(r["outcome"], r["messages"]) for r in box.sync()] == [("imported", 6)]
    box.write("one.json", json.dumps(talk(*turns)))
    assert [r["outcome"] for r in box.sync()] == ["duplicate"]
    body = raw_notes(box)
    assert [body.count(f"plank {n} is") for n in range(6)] == [1] * 6
    assert box.digest()


BASE = [
    talk(
        {**turn("a", "on?", ROOT), "attachments": [{"file_name": "x", "extracted_content": "y"}]},
        turn("b", "yes", "a", "2025-01-01T10:00:00Z", "assistant"),
    )
]
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.just([]), st.just({}))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(p for key, item in inner for p in places(item, (*path, key)))]


@given(st.lists(st.tuples(st.sampled_from(places(BASE)[1:]), LEAVES), min_size=1, max_size=3))
def test_mutated_exports_raise_nothing_but_named_problems(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    found = copy.deepcopy(BASE)
    for path, value in changes:
        target: Any = found
        try:
            for key in path[:-1]:
                target = target[key]
            target[path[-1]] = copy.deepcopy(value)
        except (KeyError, IndexError, TypeError):
            continue
    try:
        read_items = items(found)
    except VaultmemError:
        return
    assert all(i.message.sent_at for i in read_items if isinstance(i, SourceMessage))


@pytest.mark.parametrize(
    "said_text",
    [
        "<antThinking>" * 20_000,
        "<antArtifact " * 20_000,
        "<antArtifact>" * 20_000,
        "`" * 200_000,
        "This block " * 20_000,
    ],
)
def test_time_is_linear(said_text: str) -> None:
    start = time.process_time()
    items(talk(turn("a", said_text)))
    items(talk(*(turn(f"m{n}", "x", f"m{n - 1}") for n in range(5000))))
    assert time.process_time() - start < 4
