"""Signal: samples, `chat.md` beside its `data.json`, odd lines, exports dropped again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from tests.sources.chat_exports import check_grown, items_of, messages_of, raw_of, warned
from vaultmem.config import Settings
from vaultmem.errors import VaultmemError
from vaultmem.sources import detect
from vaultmem.sources.chat.signal import read_signal

CHAT = "[2024-02-28 10:00:00] Me: one  \n\n[2024-02-28 10:01:00] Ada: two  \n\n"


def said(*lines: str, name: str = "Ada/chat.md") -> list[str]:
    text = "\n".join(f"[2024-02-28 10:00:0{number}] {line}" for number, line in enumerate(lines))
    return [m.message.text for m in messages_of(text, name)]


def test_samples() -> None:
    for entry in expected.entries("chat/signal"):
        data = (expected.SAMPLES / "chat/signal" / entry["file"]).read_bytes()
        assert expected.problems(items_of(data, entry["file"]), entry) == [], entry["file"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Ada: \n\n> a\n> b\n\nyes  ", "> a\n> b\n\nyes"),
        ("Ada: > a\nyes", "> a\n\nyes"),
        ("Ada: hi  \n(- Me: 👍, Bo: 😂 -)", "hi"),
        ("Ada: hi\n(- not a reaction", "hi\n(- not a reaction"),
        ("Ada: hi  \n(( 🎉 ))", "hi\n(sticker: 🎉)"),
        ("Ada: [🎉](../exported_stickers/p/1.webp)  ", "(sticker: 🎉)"),
        ("Ada: ![a](./media/a.png)  [b](./media/b.pdf)  ", "(attached: ./media/a.png)\n(attached: ./media/b.pdf)"),
        ("Ada: [x](https://e.org) [y", "[x](https://e.org) [y"),
        ("Ada: Missed voice call", "Ada: Missed voice call"),
        ("Ada: I missed a call", "I missed a call"),
        ("Ada:", ""),
        ("Ada: a: b", "a: b"),
    ],
)
def test_text(line: str, text: str) -> None:
    assert said("Me: first", line)[1] == text


def test_who_and_where() -> None:
    found = messages_of(CHAT, "Ada/chat.md")
    assert [(m.source_id, m.message.author, m.cues) for m in found] == [
        ("signal:Ada", "Me", {"sent", "dm"}), ("signal:Ada", "Ada", {"dm"}),
    ]  # fmt: skip
    assert {m.title for m in messages_of(CHAT, "Book club/chat.md")} == {"Book club"}
    assert {m.title for m in messages_of(CHAT, "chat.md")} == {"Ada"}
    assert {m.title for m in messages_of(CHAT, "Bo (1).md")} == {"Bo"}
    assert [m.cues for m in messages_of(CHAT, "Club/chat.md", me=("ada",))] == [{"sent"}, {"sent"}]


def test_a_chat_without_the_owner_is_known_by_its_name() -> None:
    text = "[2024-02-28 10:00:00] Ada: one\n\n[2024-02-28 10:01:00] Bo: two\n"
    assert detect(raw_of(text, "Club/chat.md"), Settings()) == "signal"


def test_data_json_is_the_same_chat() -> None:
    head = {"sticker": None, "reactions": [["Me", "👍"]], "attachments": [], "quote": ""}
    lines: list[dict[str, Any]] = [
        {**head, "date": "2024-02-28T10:00:00.123000", "sender": "Me", "body": "one  "},
        {**head, "date": "2024-02-28T10:01:00", "sender": "Ada", "body": "yes  ", "quote": "\n\n> one\n\n",
         "attachments": [{"name": "a", "path": "media/a.png"}], "sticker": {"emoji": "🎉"}},
        {**head, "date": "2024-02-28T10:02:00", "sender": "Ada", "body": "", "deleted": True},
    ]  # fmt: skip
    text = (
        "[2024-02-28 10:00:00] Me: one  \n(- Me: 👍 -)\n\n"
        "[2024-02-28 10:01:00] Ada: \n\n> one\n\nyes  \n(( 🎉 ))[a](./media/a.png)  \n\n"
        "[2024-02-28 10:02:00] Ada: (This message was deleted)\n"
    )
    written = "\n".join(map(json.dumps, lines))
    assert messages_of(written, "Ada/data.json") == messages_of(text, "Ada/chat.md")
    assert "1 lines" in warned(items_of(f"{written}\nnone", "Ada/data.json"))


def test_lines_above_the_first_message_are_kept() -> None:
    found = list(read_signal(raw_of(f"Chat with Ada\n\n{CHAT}", "Ada/chat.md"), Settings()).items)
    assert [getattr(item, "system", None) for item in found] == [True, False, False]


def test_dropped_again_and_grown(tmp_path: Path) -> None:
    first = f"{CHAT}[2024-02-28 10:02:00] Ada: three  \n\n"
    grown = first.replace("one  \n", "one  \n(- Ada: 👍 -)\n") + "[2024-02-29 10:00:00] Me: four  \n\n"
    check_grown(tmp_path, first, grown, name="Ada/chat.md", new=["four"])


def test_long_lines_take_linear_time() -> None:
    for unit in ("[", "![a](", "[a](./", "\n(- ", "\n> ", "\n(( "):
        assert said(f"Ada: {unit * 40_000}")


@given(st.text(alphabet=st.sampled_from("[]()0123456789-: \nMeAda>!./"), max_size=80) | st.text())
def test_any_text_ends_in_items_or_a_named_error(text: str) -> None:
    for found in (text, CHAT + text, '{"date": "2024", "sender": 1, "body": 2, "quote": 3}\n' + text):
        raw = raw_of(found, "Ada/chat.md")
        detect(raw, Settings())
        try:
            list(read_signal(raw, Settings(timezone="Pacific/Apia", me=("Ada",))).items)
        except VaultmemError:
            continue
