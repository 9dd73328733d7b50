"""Keys that were pasted line by line into a chat."""

from __future__ import annotations

from datetime import UTC, datetime

from vaultmem.core.ingest.split_keys import MARK, without_split_keys
from vaultmem.model import Message, SourceMessage

AT = datetime(2024, 3, 5, tzinfo=UTC)
BEGIN, END = "-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----"
LINE = "g60y1cmaeW5n" + "DUN79W1v8r43aEnBlBQv6oDWYWrabvdEYyL8X5Ll5mxdU7A7C"


def said(*texts: str, source: str = "whatsapp:x") -> list[SourceMessage]:
    return [
        SourceMessage(
            message=Message(sent_at=AT, author="Ann", text=text),
            source_id=source,
            tree_scope=source,
            title="x",
            provider="whatsapp",
        )
        for text in texts
    ]


def left(*items: SourceMessage) -> list[str]:
    return [item.message.text for item in without_split_keys(items, set())]


def test_lines_between_begin_and_end_go_and_talk_in_between_stays() -> None:
    chat = said(BEGIN, LINE, "thanks, got it", LINE, "QHo==", "==", END, LINE)

    assert left(*chat) == [BEGIN, MARK, "thanks, got it", MARK, MARK, MARK, MARK, LINE]


def test_a_whole_block_is_left_to_the_redactor() -> None:
    assert left(*said(f"{BEGIN}\n{LINE}\n{END}", LINE)) == [f"{BEGIN}\n{LINE}\n{END}", LINE]


def test_another_chat_is_not_concerned_and_the_next_batch_is() -> None:
    opened: set[str] = set()
    without_split_keys(said(BEGIN), opened)

    assert without_split_keys(said(LINE, source="whatsapp:y"), opened)[0].message.text == LINE
    assert without_split_keys(said(LINE), opened)[0].message.text == MARK
