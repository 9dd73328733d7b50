"""Discord: samples, partitions, data packages, broken exports, exports dropped again."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from tests.sources.chat_exports import check_grown, items_of, messages_of, packed, raw_notes, raw_of, warned
from tests.vaults import Box
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.sources import detect
from vaultmem.sources.chat.discord import read_discord
from vaultmem.sources.chat.discord_text import Names, markdown


def post(number: int, content: str = "hi", author: str = "Mo", **more: Any) -> dict[str, Any]:
    user = {"id": str(len(author)), "name": author.lower(), "nickname": author, "isBot": False}
    at = f"2024-05-{1 + number // 24:02d}T{number % 24:02d}:00:00+00:00"
    return {"id": str(number), "type": "Default", "timestamp": at, "content": content, "author": user, **more}


def channel(*messages: Any, **more: Any) -> dict[str, Any]:
    head = {"id": "31", "type": "GuildTextChat", "category": "Text", "name": "logbook"}
    return {
        "guild": {"id": "8", "name": "Birds"},
        "channel": {**head, **more},
        "messages": list(messages),
        "messageCount": len(messages),
    }


@pytest.mark.parametrize("folder", ["chat/discord", "bugs/05-thread-starter-empty"])
def test_samples(folder: str) -> None:
    for entry in expected.entries(folder):
        data = (expected.SAMPLES / folder / entry["file"]).read_bytes()
        assert expected.problems(items_of(data, entry["file"]), entry) == [], entry["file"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("<@1> <@!1> <@&2> <#3> <@9>", "@Ann @Ann @Crew #general @9"),
        ("<:a_b:1> <a:wave:22> :smile:", ":a_b: :wave: :smile:"),
        ("<t:0> <t:1714550400:F> <t:99999999999999>", "<t:0> 2024-05-01 08:00 UTC <t:99999999999999>"),
        ("`<@1>` ```<@1>```", "`<@1>` \n```\n<@1>\n```"),
        ("a```py\nx\n```b", "a\n```py\nx\n```\nb"),
        ("```a``````b```", "```\na\n```\n```\nb\n```"),
        ("```unclosed <@1>", "```unclosed @Ann"),
        ("<script> <@> < @1>", "<script> <@> < @1>"),
        ("\n# h\n\n> q\n", "# h\n\n> q"),
    ],
)
def test_text(said: str, shown: str) -> None:
    names = Names(users={"1": "Ann"}, roles={"2": "Crew"}, channels={"3": "general"})
    assert markdown(said, names) == shown


def test_cues_by_the_names_of_the_owner() -> None:
    ann = {"id": "9", "name": "ann", "nickname": "Ann Lee"}
    found = messages_of(
        channel(post(1, mentions=[ann]), post(2, "mine", "Ann Lee"), post(3), name="Ann", type="DirectTextChat"),
        me=("ann lee",),
    )
    assert [m.cues for m in found] == [{"mention", "dm"}, {"sent", "dm"}, {"dm"}]
    assert {m.cues for m in messages_of(channel(post(1, mentions=[ann])))} == {frozenset()}


def test_a_channel_that_follows_its_messages() -> None:
    whole = channel(post(1), post(2))
    turned = {key: whole[key] for key in ("messages", "channel", "guild")}
    assert messages_of(turned) == messages_of(whole)


def test_newest_first_is_put_in_order() -> None:
    assert messages_of(channel(post(3), post(2), post(1))) == messages_of(channel(post(1), post(2), post(3)))


def test_threads_of_one_name_in_two_channels_are_two() -> None:
    sources = {
        messages_of(channel(post(1), type=kind, category=parent))[0].source_id
        for kind in ("GuildPublicThread", "GuildTextChat")
        for parent in ("help", "talk")
    }
    assert sources == {"discord:Birds/help/logbook", "discord:Birds/talk/logbook", "discord:Birds/logbook"}


def test_an_export_that_breaks_off_is_read_as_far_as_it_goes() -> None:
    text = json.dumps(channel(post(1), post(2)))
    items = items_of(text[: text.index('"id": "2", "type"')])
    assert [getattr(item, "native_id", None) for item in items] == ["1", None]
    assert "breaks off" in warned(items) or "broken" in warned(items)
    with pytest.raises(UnreadableSource):
        items_of(text[: text.index('"id": "1", "type"')])
    with pytest.raises(SkippedSource):
        items_of(channel())


def test_entries_without_a_time_are_counted() -> None:
    items = items_of(channel(post(1), {"id": "2"}, None, post(3, timestamp="soon"), 7))
    assert "4 entries without a time" in warned(items)


def test_deep_cards_and_wrong_types() -> None:
    nested: Any = []
    for _ in range(200):
        nested = [{"components": nested, "label": "x", "url": "y"}]
    odd = post(1, author="A", components=nested, embeds=[None, 3, {"fields": "x"}], attachments={"a": 1}, mentions="no")
    assert messages_of(channel({**odd, "author": None, "type": 0, "content": ["x"]}))[0].message.author == "unknown"


PACKAGE: dict[str, Any] = {
    "README.txt": "Welcome",
    "Account/user.json": {"id": "9", "username": "ann", "global_name": "Ann Lee"},
    "Messages/index.json": {"31": "logbook in Birds", "32": "Direct Message with mo#0", "33": None},
    "Messages/c31/channel.json": {"id": "31", "type": 0, "name": "logbook", "guild": {"id": "8", "name": "Birds"}},
    "Messages/c31/messages.json": [
        {"ID": 2, "Timestamp": "2024-05-01 02:00:00", "Contents": "second", "Attachments": ""},
        {"ID": 1, "Timestamp": "2024-05-01 01:00:00", "Contents": "", "Attachments": "https://cdn.e/1/a.png?ex=1 "},
    ],
    "Messages/c32/channel.json": {"id": "32", "type": "DM", "recipients": ["9", "5"]},
    "Messages/c32/messages.csv": "ID,Timestamp,Contents,Attachments\r\n"
    '7,2021-05-01 01:00:00.123000+00:00,"a, ""b""\nc",\r\n',
    "Messages/c33/channel.json": {"id": "33", "type": 0},
    "Messages/c33/messages.json": "[{",
}


def test_data_package() -> None:
    items = items_of(packed(PACKAGE), "package.zip")
    messages = [item for item in items if hasattr(item, "native_id")]
    assert [(m.source_id, m.native_id, m.message.text, m.attachments) for m in messages] == [  # type: ignore[union-attr]
        ("discord:Birds/logbook", "1", "(attached: a.png)", ("a.png",)),
        ("discord:Birds/logbook", "2", "second", ()),
        ("discord:Direct Messages/mo", "7", 'a, "b"\nc', ()),
    ]
    assert {m.message.author for m in messages} == {"Ann Lee"}  # type: ignore[union-attr]
    assert [m.cues for m in messages] == [{"sent"}, {"sent"}, {"sent", "dm"}]  # type: ignore[union-attr]
    assert "c33" in warned(items)


def test_dropped_again_and_grown(tmp_path: Path) -> None:
    first = channel(post(1, "one"), post(2, "two"))
    grown = channel(post(1, "one"), post(2, "two"), post(3, "three"), post(99, "four"))
    check_grown(tmp_path, first, grown, name="Birds - Text - logbook [31].json", new=["three", "four"])


def test_a_package_dropped_as_a_folder_is_the_package(tmp_path: Path) -> None:
    box = Box(tmp_path)
    for name, content in PACKAGE.items():
        box.write(f"package/{name}", content if isinstance(content, str) else json.dumps(content))
    rows = {row["file"]: row for row in box.sync()}
    said = {str(name): row for name, row in rows.items() if "/Messages/" in str(name)}
    assert [name for name, row in said.items() if row["outcome"] == "failed"] == ["package/Messages/c33/messages.json"]
    assert {row["format"] for row in said.values() if row["outcome"] == "imported"} == {"discord"}
    before = raw_notes(box)
    box.write("package.zip", packed(PACKAGE))
    assert [row["outcome"] for row in box.sync() if row["file"] == "package.zip"] == ["duplicate"]
    assert raw_notes(box) == before


def test_the_messages_of_one_channel_alone() -> None:
    said = [{"ID": 7, "Timestamp": "2024-03-05 09:00:00", "Contents": "terns", "Attachments": ""}]
    assert items_of(json.dumps(said), "messages (1).json")[0].message.text == "terns"  # type: ignore[union-attr]
    table = 'ID,Timestamp,Contents,Attachments\r\n7,2022-03-05 09:00:00.123000+00:00,"two\nlines",\r\n'
    assert items_of(table, "messages.csv")[0].message.text == "two\nlines"  # type: ignore[union-attr]


def test_partitions_and_the_package_are_one_conversation(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("logbook [31].json", bytes(raw_of(channel(post(1, "one"), post(2, "two"))).data[:]))
    box.write("logbook [31] [part 2].json", bytes(raw_of(channel(post(2, "two"), post(3, "three"))).data[:]))
    box.write("package.zip", packed(PACKAGE))
    rows = box.sync()
    assert {source for row in rows for source in row["source_ids"]} == {  # type: ignore[attr-defined]
        "discord:Birds/logbook",
        "discord:Direct Messages/mo",
    }
    notes = "\n".join(raw_notes(box).values())
    assert notes.count("\n^m-") == 4
    assert all(notes.count(f"\n{text}\n") == 1 for text in ("one", "two", "three"))


def test_hostile_names_end_as_notes(tmp_path: Path) -> None:
    bad = '\\ud800 \\u0000 ../[[x]] %% "q" \\n---\\n# h'
    text = json.dumps(channel(post(1, "BAD", "BAD"), post(2, "two"), name="BAD", id="BAD")).replace("BAD", bad)
    text = text.replace(bad, bad.replace('"', '\\"'))
    text = text.replace("Birds", "\\ud83d/" * 50)
    box = Box(tmp_path)
    box.write("x.json", text)
    rows = box.sync()
    assert [(row["outcome"], row["messages"]) for row in rows] == [("imported", 2)]
    box.digest()
    box.write("x.json", text)
    assert [row["outcome"] for row in box.sync()] == ["duplicate"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = ["id", "type", "timestamp", "content", "author", "embeds", "attachments", "mentions", "reference", "components",
        "referencedMessage", "forwardedMessage", "stickers", "poll"]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(KEYS), JSON), max_size=4), JSON, st.integers(0, 400))
def test_mutations_end_in_items_or_a_named_error(changes: list[tuple[str, Any]], head: Any, cut: int) -> None:
    message = copy.deepcopy(post(1, "x ```y``` <@1>"))
    message.update(dict(changes))
    whole = channel(message, post(2))
    whole["guild"] = head
    text = json.dumps(whole)
    for found in (text, text[:cut]):
        raw = raw_of(found)
        detect(raw, Settings())
        try:
            list(read_discord(raw, Settings(me=("Mo",))).items)
        except VaultmemError:
            continue


@given(st.text())
def test_any_text_becomes_markdown(said: str) -> None:
    assert isinstance(markdown(said, Names()), str)


@given(st.binary(max_size=300))
def test_any_bytes_in_a_package(data: bytes) -> None:
    files = {**PACKAGE, "Messages/c31/messages.json": data, "Messages/index.json": data, "Account/user.json": data}
    try:
        items_of(packed(files), "package.zip")
    except VaultmemError:
        return
