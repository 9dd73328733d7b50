"""Texts of chats and mails that would run, query or fetch when their note is shown."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.scrub import scrub_message
from vaultmem.core.notes.codec import parse_body, render_body
from vaultmem.core.notes.inert import inert, inert_message
from vaultmem.model import Message, SourceKind, SourceMessage

AT = datetime(2024, 3, 5, 9, 1, tzinfo=UTC)
UNSEEN = "\u200b"
KINDS: tuple[SourceKind, ...] = ("chat", "email")

acting = st.sampled_from([
    "```dataviewjs", "```", "~~~", "~~~ tasks", "> ", "- ", "\n", "![a](http://x/y.png)", "`= this.x`", "`$= dv`", "`",
    "``", "<% tp %>", "<img src=http://x>", "<script>", "%%", "$$", "<!--", "[r]: http://x", "![r]", "\\", " ", "\r",
])  # fmt: skip
hostile = st.lists(acting | st.text(max_size=4), max_size=25).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("look:\n```dataviewjs\napp.x()\n```", "look:\n```text\napp.x()\n```"),
        ("~~~ dataview\nLIST\n~~~", "~~~ text\nLIST\n~~~"),
        ("> ```dataviewjs\n> x\n> ```", "> ```text\n> x\n> ```"),
        ("> 1. - ```Meta-Bind-Embed\n> x", "> 1. - ```text\n> x"),
        ("```{.dataview}\nx\n```", "```{.text}\nx\n```"),
        ("```run-python\nx\n```\n```execute\n```", "```text\nx\n```\n```text\n```"),
        ("````\n~~~tasks\nx\n~~~", "````\n~~~text\nx\n~~~"),
        ("```python\ndataview\n```", "```python\ndataview\n```"),
        ("the ```dataview x``` mark", "the ```dataview x``` mark"),
        ("![a](https://x/y.png) ![b](pic.png)", "[a](https://x/y.png) ![b](pic.png)"),
        ("%% ![a](https://x/y.png)", "%% [a](https://x/y.png)"),
        ("```\n![a](https://x/y.png)\n```", "```\n![a](https://x/y.png)\n```"),
        ("`= this.x`, `` $= dv.x ``", f"`{UNSEEN}= this.x`, `` {UNSEEN}$= dv.x ``"),
        ("`\n= x` `x = 1` \\`= x`", f"`\n{UNSEEN}= x` `x = 1` \\`= x`"),
        ("hi <% tp.x() %> `<% y %>`", "hi &lt;% tp.x() %> `<% y %>`"),
        ("from <a@b.example> 3 < 4 <https://x.example>", "from <a@b.example> 3 < 4 <https://x.example>"),
    ],
)  # fmt: skip
def test_a_message_does_nothing_when_it_is_shown(text: str, expected: str) -> None:
    for source in ("slack:x", "mail:<1@x>"):
        message = Message(sent_at=AT, author="Ann", text=text)
        item = SourceMessage(message=message, source_id=source, tree_scope="x", title="x", provider="x")
        assert scrub_message(item)[0].message.text == expected
    assert inert_message("chat", expected) == expected


@given(hostile)
def test_done_again_it_changes_nothing_and_the_note_is_inert(text: str) -> None:
    for kind in KINDS:
        once = inert_message(kind, text)
        assert inert_message(kind, once) == once
        body = render_body(kind, [Message(key="0123456789ab", sent_at=AT, author="Ann", text=once)])
        assert parse_body(kind, body)[0].text == once
        assert inert(body) == body


@pytest.mark.parametrize(
    "text", ["`= " * 30_000, "```dataview\n" * 8_000, "> " * 20_000 + "![", "{" * 50_000 + "~~~", "~~~" + "." * 50_000]
)
def test_hostile_text_takes_no_longer(text: str) -> None:
    started = time.process_time()
    inert_message("chat", text)
    assert time.process_time() - started < 6


def test_plain_text_costs_nothing() -> None:
    started = time.process_time()
    for _ in range(2_000):
        inert_message("email", "Shall we meet at ten <ann@example.com>? I'd say so. " * 10)
    assert time.process_time() - started < 1
