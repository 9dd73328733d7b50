"""ChatGPT exports: the samples, trees that are broken, marks of the product, and mutations."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.model import RawFile, SourceItem, SourceMessage, Warn
from vaultmem.sources import read
from vaultmem.sources.chat.chatgpt import read_chatgpt
from vaultmem.sources.chat.chatgpt_text import markdown

FOLDERS = ("chat/chatgpt", "bugs/21-hidden-context")
MODIFIED = datetime(2025, 6, 1, tzinfo=UTC)


def raw_of(data: bytes | str, name: str = "conversations.json") -> RawFile:
    return RawFile(name=name, data=data.encode() if isinstance(data, str) else data, modified_at=MODIFIED)


def node(
    name: str, parent: str | None, role: str = "user", said: str = "", at: float | None = None, **more: Any
) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [said]}
    message = {
        "id": name,
        "author": {"role": role},
        "create_time": at,
        "content": content,
        "weight": 1,
        "recipient": "all",
    }
    return {"id": name, "parent": parent, "children": [], "message": {**message, **more}}


def talk(*nodes: dict[str, Any], current: str | None = None, **more: Any) -> dict[str, Any]:
    mapping = {n["id"]: n for n in nodes}
    return {
        "title": "Lamps",
        "id": "c1",
        "create_time": 1700000000,
        "mapping": mapping,
        "current_node": current,
        **more,
    }


def items(found: object, me: tuple[str, ...] = ()) -> list[SourceItem]:
    return list(read_chatgpt(raw_of(json.dumps(found)), Settings(me=me)).items)


def said(found: object) -> list[str]:
    return [item.message.text for item in items(found) if isinstance(item, SourceMessage) and not item.system]


def warned(found: object) -> str:
    return " ".join(item.text for item in items(found) if isinstance(item, Warn))


def test_samples() -> None:
    for folder in FOLDERS:
        for entry in expected.entries(folder):
            reading = read(raw_of((expected.SAMPLES / folder / entry["file"]).read_bytes(), entry["file"]), Settings())
            assert reading.format == "chatgpt"
            assert expected.problems(reading.items, entry) == [], entry["file"]


def test_the_owner_and_the_cue() -> None:
    found = items(talk(node("a", None, said="on?"), node("b", "a", "assistant", "yes"), current="b"), me=("Mia",))
    messages = [item for item in found if isinstance(item, SourceMessage)]
    assert [(m.message.author, m.cues, m.native_id) for m in messages] == [
        ("Mia", frozenset({"sent"}), "a"), ("assistant", frozenset(), "b"),
    ]  # fmt: skip
    assert {(m.source_id, m.title, m.provider) for m in messages} == {("chatgpt:c1", "Lamps", "conversation")}


def test_the_newest_leaf_where_no_node_is_current() -> None:
    tree = (
        node("a", None, said="on?"),
        node("b", "a", "assistant", "new", 9.0),
        node("c", "a", "assistant", "old", 5.0),
    )
    assert said(talk(*tree)) == ["on?", "new"]
    assert said(talk(*tree, current="gone")) == ["on?", "new"]
    assert said(talk(*tree, current="c")) == ["on?", "old"]


@pytest.mark.parametrize(
    "broken",
    [
        talk(node("a", "b", said="x"), node("b", "a", said="y"), current="a"),
        talk(node("a", "a"), current="a"),
        talk(node("a", "gone", said="x"), current="a"),
        {"title": "Lamps"},
        {"title": "Lamps", "mapping": []},
        {"title": "Lamps", "mapping": {"a": None}, "current_node": "a"},
        talk(node("a", None, said=" "), current="a"),
    ],
)
def test_a_broken_conversation_is_named_and_the_others_are_read(broken: dict[str, Any]) -> None:
    both = [broken, talk(node("z", None, said="whole"), current="z", id="c2")]
    assert said(both)[-1] == "whole"
    assert "'Lamps'" in warned(both)


@pytest.mark.parametrize(
    "message",
    [
        node("x", "a", said="no", metadata={"is_visually_hidden_from_conversation": True}),
        node("x", "a", said="no", weight=0),
        node("x", "a", "system", "no"),
        node("x", "a", "tool", "no"),
        node("x", "a", "assistant", "no", recipient="browser"),
        node("x", "a", "assistant", content={"content_type": "thoughts", "thoughts": [{"content": "no"}]}),
        node("x", "a", content={"content_type": "user_editable_context", "user_profile": "no", "parts": ["no"]}),
        node("x", "a", content=None),
        node("x", "a", author=None),
    ],
)
def test_what_nobody_saw_is_left_out(message: dict[str, Any]) -> None:
    assert said(talk(node("a", None, said="on?"), message, current="x")) == ["on?"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"content_type": "code", "language": "python", "text": "1 + 1"}, "```python\n1 + 1\n```"),
        ({"content_type": "code", "language": "unknown", "text": "a\n```\nb"}, "````\na\n```\nb\n````"),
        ({"content_type": "text", "parts": ["a", {"content_type": "image_asset_pointer"}, "b"]}, "a\n\n(image)\n\nb"),
        ({"content_type": "text", "parts": [{"content_type": "audio_transcription", "text": "said"}]}, "said"),
        ({"content_type": "text", "parts": ["It is so \ue200cite\ue202turn0search1\ue201."]}, "It is so."),
        ({"content_type": "text", "parts": ["\ue200entity\ue202[\"city\",\"Kiel\"]\ue201 【12†source】."]}, "Kiel."),
        ({"content_type": "text", "parts": ["\ue200url\ue202Pier\ue202https://e.de\ue201"]}, "[Pier](https://e.de)"),
        ({"content_type": "text", "parts": ["\\(x^2\\) **b**\n\n| a |\n|---|"]}, "\\(x^2\\) **b**\n\n| a |\n|---|"),
    ],
)  # fmt: skip
def test_content(content: dict[str, Any], text: str) -> None:
    assert markdown({"content": content, "author": {"role": "assistant"}}, assistant=True) == text


def test_what_a_person_wrote_keeps_its_signs() -> None:
    assert said(talk(node("a", None, said="【1†x】 \ue200"), current="a")) == ["【1†x】 \ue200"]


def test_a_canvas_is_the_page_it_holds() -> None:
    call = json.dumps({"name": "plan", "type": "document", "content": "# Plan"})
    page = node("b", "a", "assistant", call, recipient="canmore.create_textdoc")
    assert said(talk(node("a", None, said="write"), page, current="b")) == ["write", "# Plan"]


def test_times_fall_back_to_what_is_near() -> None:
    tree = talk(
        node("a", None, said="1"), node("b", "a", said="2", at=1700000005.5), node("c", "b", said="3"), current="c"
    )
    times = [i.message.sent_at for i in items(tree) if isinstance(i, SourceMessage)]
    assert [at.timestamp() for at in times if at] == [1700000000, 1700000005.5, 1700000005.5]
    assert [
        i.message.sent_at
        for i in items(talk(node("a", None, said="1"), current="a", create_time=None))
        if isinstance(i, SourceMessage)
    ] == [MODIFIED]


def test_a_cut_file_gives_what_came_before() -> None:
    text = json.dumps(
        [talk(node("a", None, said="whole"), current="a"), talk(node("b", None, said="cut"), current="b")]
    )
    found = list(read_chatgpt(raw_of(text[:-60]), Settings()).items)
    assert [i.message.text for i in found if isinstance(i, SourceMessage)] == ["whole"]
    assert "after 1 conversations" in found[-1].text  # type: ignore[union-attr]
    with pytest.raises(UnreadableSource):
        list(read_chatgpt(raw_of(text[:40]), Settings()).items)
    with pytest.raises(SkippedSource):
        list(read_chatgpt(raw_of("[]"), Settings()).items)


def test_numbered_files_of_an_archive_and_uploads() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number, name in enumerate(("b", "a")):
            found = [talk(node(name, None, said=name), current=name, id=name)]
            archive.writestr(f"x/conversations-00{1 - number}.json", json.dumps(found))
        archive.writestr("x/file-1-lamp.jpg", b"")
    found = list(read(raw_of(out.getvalue(), "export.zip"), Settings()).items)
    assert [i.message.text for i in found if isinstance(i, SourceMessage)] == ["a", "b"]
    assert "1 uploaded" in found[-1].text  # type: ignore[union-attr]


def test_an_empty_or_broken_file_of_an_archive_does_not_take_the_others_with_it() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("conversations-000.json", "[]")
        archive.writestr("conversations-001.json", json.dumps([talk(node("a", None, said="kept"), current="a")]))
        archive.writestr("conversations-002.json", "[{broken")
    items_read = list(read(raw_of(out.getvalue(), "export.zip"), Settings()).items)
    assert [i.message.text for i in items_read if isinstance(i, SourceMessage)] == ["kept"]
    assert "the other files of the archive were read" in items_read[-1].text  # type: ignore[union-attr]


BASE = [talk(node("a", None, said="on?", at=1.5), node("b", "a", "assistant", "yes"), current="b")]
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


@given(st.integers(0, 2000), st.binary(max_size=3))
def test_damaged_bytes(at: int, junk: bytes) -> None:
    data = json.dumps(BASE).encode()
    at %= len(data)
    try:
        list(read(raw_of(data[:at] + junk + data[at + 1 :]), Settings()).items)
    except VaultmemError:
        return
