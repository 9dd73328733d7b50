"""Telegram: samples, entities, whole exports, old exports without `date_unixtime`, exports dropped again."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from tests.sources.chat_exports import check_grown, items_of, messages_of, packed, raw_notes, raw_of, warned
from tests.sources.test_chat_discord import JSON
from tests.vaults import Box
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.sources import detect, read
from vaultmem.sources.chat.telegram import read_telegram
from vaultmem.sources.chat.telegram_text import markdown


def post(number: int, text: Any = "hi", sender: str = "Lena", **more: Any) -> dict[str, Any]:
    at = 1_714_550_400 + 3600 * number
    return {
        "id": number, "type": "message", "date": "2024-05-01T00:00:00", "date_unixtime": str(at),
        "from": sender, "from_id": f"user{len(sender)}", "text": text, **more,
    }  # fmt: skip


def chat(*messages: Any, **more: Any) -> dict[str, Any]:
    return {"name": "Camp", "type": "private_group", "id": 900, **more, "messages": list(messages)}


def account(*chats: dict[str, Any], key: str = "chats", **more: Any) -> dict[str, Any]:
    return {"about": "Here", "personal_information": {"user_id": 4}, **more, key: {"about": "All", "list": list(chats)}}


def test_samples() -> None:
    for entry in expected.entries("chat/telegram"):
        data = (expected.SAMPLES / "chat/telegram" / entry["file"]).read_bytes()
        assert expected.problems(items_of(data, entry["file"]), entry) == [], entry["file"]


@pytest.mark.parametrize(
    ("entities", "shown"),
    [
        ("plain *stays*\n", "plain *stays*"),
        ([{"type": "bold", "text": " a \nb"}, "c"], " **a** \n**b**c"),
        ([{"type": "italic", "text": "i"}, {"type": "strikethrough", "text": "s"}], "*i*~~s~~"),
        (["x ", {"type": "code", "text": "a_b"}, {"type": "code", "text": "a`b"}], "x `a_b`a`b"),
        (["x", {"type": "pre", "language": "c++", "text": "a\nb"}, "y"], "x\n```c++\na\nb\n```\ny"),
        ([{"type": "pre", "language": "a b\n", "text": "```"}], "````````ab\n```\n````````"),
        ([{"type": "blockquote", "text": "q\nr"}, "a"], "> q\n> r\n\na"),
        ([{"type": "text_link", "text": "a [b]", "href": "https://e.org/a b"}], r"[a \[b\]](<https://e.org/a b>)"),
        ([{"type": "link", "text": "https://e.org"}, " ", {"type": "hashtag", "text": "#x"}], "https://e.org #x"),
        ([{"type": "spoiler"}, 3, None, {"text": "t"}], "t"),
        (None, ""),
    ],
)
def test_entities(entities: Any, shown: str) -> None:
    assert markdown(entities) == shown


def test_a_whole_export() -> None:
    first, second = (
        chat(post(1), post(2, sender="Mia!")),
        chat(post(1, "other"), name=None, id=77, type="personal_chat"),
    )
    found = messages_of(account(first, second, chat(post(3), name=None, type="saved_messages", id=4)))
    assert [(m.source_id, m.native_id, m.message.text) for m in found] == [
        ("telegram:Camp", "900/1", "hi"), ("telegram:Camp", "900/2", "hi"),
        ("telegram:77", "77/1", "other"), ("telegram:Saved Messages", "4/3", "hi"),
    ]  # fmt: skip
    assert [m.cues for m in found] == [{"sent"}, {"sent"}, {"sent", "dm"}, {"sent"}]
    assert messages_of(account(first, key="left_chats")) == found[:2]
    long = account(first, contacts={"list": [{"first_name": "x" * 100}] * 400})
    assert messages_of(long) == found[:2]


def test_one_chat_is_the_same_in_both_exports() -> None:
    alone, within = messages_of(chat(post(1)))[0], messages_of(account(chat(post(1)), personal_information=None))[0]
    assert alone == within


def test_groups_of_one_name_keep_their_messages_apart() -> None:
    found = messages_of(account(chat(post(1, "a"), id=1), chat(post(1, "b"), id=2)))
    assert {m.native_id for m in found} == {"1/1", "2/1"}


def test_a_name_that_follows_the_messages() -> None:
    assert messages_of({"messages": [post(1)], "name": "Camp", "id": 900}) == messages_of(chat(post(1)))


def test_times_without_date_unixtime_are_local() -> None:
    times = ["2023-10-29T02:30:00", "2023-10-29T02:05:00", "2023-10-29T09:00:00"]
    messages = [{"id": i, "type": "message", "date": at, "from": "Lena", "text": "x"} for i, at in enumerate(times)]
    reading = read(raw_of(chat(*messages)), Settings(timezone="Europe/Berlin"))
    assert not reading.zone_known
    assert [item.message.sent_at for item in reading.items] == [  # type: ignore[union-attr]
        datetime(2023, 10, 29, 0, 30, tzinfo=UTC),
        datetime(2023, 10, 29, 1, 5, tzinfo=UTC),
        datetime(2023, 10, 29, 8, 0, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    ("more", "text", "files"),
    [
        ({"photo": "photos/p.jpg"}, "(attached: photos/p.jpg)", ("photos/p.jpg",)),
        ({"photo": "(File not included. Change data exporting settings to download.)"}, "(photo)", ()),
        ({"file": "files/r.pdf", "file_name": "report.pdf"}, "(attached: report.pdf)", ("report.pdf",)),
        ({"file": "(File unavailable, please try again later)", "file_name": "r.pdf"}, "(attached: r.pdf)", ("r.pdf",)),
        ({"file": "(File not included.)", "media_type": "voice_message"}, "(voice message)", ()),
        ({"media_type": "animation", "duration_seconds": 12}, "(animation, 12 s)", ()),
        ({"media_type": "audio_file", "title": "T", "file": "a.mp3"}, "(audio, T)\n\n(attached: a.mp3)", ("a.mp3",)),
        ({"media_type": "sticker", "sticker_emoji": "🔥", "file": "stickers/s.webp"}, "(sticker: 🔥)", ()),
        ({"contact_information": {"first_name": "Bo", "phone_number": "+1"}}, "(contact: Bo +1)", ()),
        ({"forwarded_from": "Desk"}, "(forwarded from Desk)\n>", ()),
        ({"photo": 7, "file": ["x"], "poll": "x", "media_type": {}}, "(photo)", ()),
    ],
)  # fmt: skip
def test_media(more: dict[str, Any], text: str, files: tuple[str, ...]) -> None:
    found = messages_of(chat(post(1, "", **more)))[0]
    assert (found.message.text, found.attachments) == (text, files)


def test_topics_are_no_replies() -> None:
    opened = {**post(1, ""), "type": "service", "action": "topic_created", "actor": "Bo", "title": "Food"}
    found = messages_of(chat(opened, post(2, reply_to_message_id=1), post(3, reply_to_message_id=2)))
    assert [(m.message.text, "reply" in m.cues) for m in found] == [
        ("Bo: topic created (Food)", False), ("hi", False), ("hi", True),
    ]  # fmt: skip


def test_broken_and_empty() -> None:
    text = json.dumps(chat(post(1), post(2)))
    items = items_of(text[: text.index('"id": 2')])
    assert len(items) == 2
    assert "export it again" in warned(items)
    with pytest.raises(UnreadableSource):
        items_of(text[: text.index('"id": 1,')])
    with pytest.raises(SkippedSource):
        list(read_telegram(raw_of(chat()), Settings()).items)
    assert "1 entries" in warned(items_of(chat(post(1), post(2, date_unixtime="soon", date="then"))))


def test_the_zip_of_an_export() -> None:
    files = {"ChatExport/photos/p.jpg": b"\xff\xd8", "ChatExport/result.json": chat(post(1))}
    assert messages_of(packed(files), "ChatExport.zip") == messages_of(chat(post(1)))


def test_dropped_again_and_grown(tmp_path: Path) -> None:
    first = chat(post(1, "one"), post(2, "two"))
    grown = account(chat(post(2, "two", edited_unixtime="1"), post(3, "three"), post(50, "four")))
    check_grown(tmp_path, first, grown, name="result.json", new=["three", "four"])


KEYS = ["id", "type", "date", "date_unixtime", "from", "from_id", "text", "text_entities", "photo", "file", "poll",
        "media_type", "reply_to_message_id", "forwarded_from", "action", "members", "location_information"]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(KEYS), JSON), max_size=4), JSON, st.integers(0, 400))
def test_mutations_end_in_items_or_a_named_error(changes: list[tuple[str, Any]], head: Any, cut: int) -> None:
    message = copy.deepcopy(post(1, [{"type": "bold", "text": "x"}]))
    message.update(dict(changes))
    for whole in (chat(message, post(2), name=head), account(chat(message, id=head), about=head)):
        text = json.dumps(whole)
        for found in (text, text[:cut]):
            raw = raw_of(found)
            detect(raw, Settings())
            try:
                list(read_telegram(raw, Settings(me=("Lena",))).items)
            except VaultmemError:
                continue


@given(JSON | st.lists(st.dictionaries(st.sampled_from(["type", "text", "href", "language"]), st.text(), max_size=4)))
def test_any_text_becomes_markdown(said: Any) -> None:
    assert isinstance(markdown(said), str)


def test_pages_of_a_chat_are_one_conversation_and_add_what_is_new(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "cases/telegram/messages.html").read_text(encoding="utf-8")
    box = Box(tmp_path)
    box.write("ChatExport/messages.html", page)
    assert box.sync()[0]["messages"] == 5
    later = page.replace('id="message6"', 'id="message66"').replace("Voice message", "Second page")
    box.write("ChatExport/messages2.html", later)
    row = box.sync()[0]
    assert (row["format"], row["source_ids"]) == ("telegram", ["telegram:Camp crew"])
    notes = "\n".join(raw_notes(box).values())
    assert notes.count("Who brings the") == notes.count("Second page") == notes.count("Voice message") == 1


@given(st.text(alphabet=st.sampled_from(list('<>/="divclasmegbodyft 123')), max_size=200))
def test_any_page_raises_nothing_but_named_problems(tail: str) -> None:
    page = '<div class="page_body chat_page"><div class="message default" id="message1">' + tail
    try:
        list(read_telegram(raw_of(page, "messages.html"), Settings()).items)
    except VaultmemError:
        return
