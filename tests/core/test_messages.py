"""How a message is known when it comes again."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from vaultmem.core.ingest.messages import new_messages, with_keys
from vaultmem.model import Message, SourceMessage

AT = datetime(2024, 3, 5, 9, 1, tzinfo=UTC)


def said(text: str, *, native_id: str = "", source: str = "whatsapp:x") -> SourceMessage:
    message = Message(sent_at=AT, author="Ann", text=text)
    return SourceMessage(
        message=message, source_id=source, tree_scope=source, title="x", provider="whatsapp", native_id=native_id
    )


def keys(*items: SourceMessage) -> list[str]:
    return [item.message.key for item in with_keys(items, Counter())]


def test_equal_twins_in_one_minute_are_two_messages_and_stay_two() -> None:
    first = keys(said("ok"), said("ok"))

    assert len(set(first)) == 2
    assert keys(said("ok"), said("ok")) == first


def test_the_platforms_id_outlives_an_edit() -> None:
    assert keys(said("teh boat", native_id="7")) == keys(said("the boat", native_id="7"))


def test_the_same_text_in_another_chat_is_another_message() -> None:
    assert keys(said("ok")) != keys(said("ok", source="whatsapp:y"))


def test_only_unknown_messages_are_new_and_each_once() -> None:
    one, two, again = with_keys([said("a"), said("b"), said("b", native_id="1")], Counter())

    assert new_messages([one, two, two, again], {one.message.key}) == (two, again)
