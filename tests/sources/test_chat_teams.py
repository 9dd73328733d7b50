"""Teams: samples, both spellings, pages and replies, HTML, exports dropped again."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from tests.sources.chat_exports import check_grown, items_of, messages_of, raw_of, warned
from tests.sources.test_chat_discord import JSON
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.sources import detect
from vaultmem.sources.chat.teams import read_teams
from vaultmem.sources.chat.teams_text import converted, html_markdown


def post(number: int, content: str = "<p>hi</p>", author: str = "Ann", **more: Any) -> dict[str, Any]:
    at = f"2025-08-{1 + number // 24:02d}T{number % 24:02d}:00:00Z"
    return {
        "id": str(number), "messageType": "message", "createdDateTime": at, "chatId": None,
        "body": {"contentType": "html", "content": content}, "attachments": [], "mentions": [],
        "from": {"user": {"id": f"u{len(author)}", "displayName": author}},
        "channelIdentity": {"teamId": "t1", "channelId": "c1"}, **more,
    }  # fmt: skip


def shouted(value: Any) -> Any:
    """The value as PowerShell writes it."""
    if isinstance(value, dict):
        return {key[:1].upper() + key[1:]: shouted(inner) for key, inner in value.items()}
    return [shouted(inner) for inner in value] if isinstance(value, list) else value


def test_samples() -> None:
    for entry in expected.entries("chat/teams"):
        data = (expected.SAMPLES / "chat/teams" / entry["file"]).read_bytes()
        assert expected.problems(items_of(data, entry["file"]), entry) == [], entry["file"]


def test_all_containers_hold_the_same_messages() -> None:
    one, two = (
        post(1),
        post(2, "<p>two</p>", replyToId="1", attachments=[{"name": "a.pdf", "contentType": "reference"}]),
    )
    wanted = messages_of([one, two])
    assert [m.native_id for m in wanted] == ["1", "2"]
    for found in (
        [two, one],
        {"@odata.context": "x", "value": [two, one]},
        [{"value": [two]}, {"value": [one]}],
        {"messages": [one, two]},
        {"value": [{**one, "replies": [two]}]},
        shouted([one, two]),
        {"value": [shouted({**one, "replies": [two]})]},
    ):
        assert messages_of(found) == wanted
    assert messages_of(one) == wanted[:1]


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("plain *text*", "plain *text*"),
        ("<p>a&nbsp;&amp; b</p><p>c</p>", "a & b\n\nc"),
        ('<at id="0">Ann Lee</at>, ok', "@Ann Lee, ok"),
        ('<p>x <emoji id="smile" alt="🙂"></emoji></p>', "x 🙂"),
        ('<img itemtype="http://schema.skype.com/Emoji" alt="🙂" src="x">', "🙂"),
        ('<p><img src="https://g/hostedContents/a/$value" alt="image"></p>', "(image: image)"),
        ('<codeblock class="Sql"><code>a<br>&lt;b&gt;</code></codeblock>', "```sql\na\n<b>\n```"),
        ('<blockquote><p>q</p></blockquote><p><a href="https://e.org">e</a></p>', "> q\n\n[e](https://e.org)"),
        ('<script>x</script><attachment id="1"></attachment><systemEventMessage/>', ""),
    ],
)
def test_html(html: str, shown: str) -> None:
    assert html_markdown(html).strip() == shown


def test_chats_by_their_id_and_cues() -> None:
    chat = {"chatId": "19:a_b@unq.gbl.spaces", "channelIdentity": None}
    mention = {"id": 0, "mentionText": "Ann", "mentioned": {"user": {"id": "u3", "displayName": "Ann"}}}
    found = messages_of([post(1, **chat), post(2, author="Bo", mentions=[mention], **chat)], me=("ann",))
    assert [(m.source_id, m.cues) for m in found] == [
        ("teams:19:a_b@unq.gbl.spaces", {"sent", "dm"}), ("teams:19:a_b@unq.gbl.spaces", {"mention", "dm"}),
    ]  # fmt: skip
    named = {"topic": "Lunch", "messages": [post(1, chatId="19:x@thread.v2", channelIdentity=None)]}
    assert messages_of(named)[0].title == "Lunch"
    named = {"teamName": "Ops", "channelName": "General", "value": [post(1)]}
    assert messages_of(named)[0].source_id == "teams:Ops/General"


def test_powershell_dates() -> None:
    found = messages_of(shouted([post(1, createdDateTime="/Date(1755002909712)/")]))
    assert found[0].message.sent_at is not None
    assert found[0].message.sent_at.isoformat() == "2025-08-12T12:48:29.712000+00:00"


def test_broken_and_empty() -> None:
    text = json.dumps([post(1), post(2)])
    items = items_of(text[: text.index('"id": "2"')])
    assert len(items) == 2
    assert "export it again" in warned(items)
    with pytest.raises(UnreadableSource):
        list(read_teams(raw_of(text[:20]), Settings()).items)
    with pytest.raises(SkippedSource):
        list(read_teams(raw_of({"value": []}), Settings()).items)
    assert "1 entries" in warned(items_of([post(1), post(2, createdDateTime="then")]))


def test_dropped_again_and_grown(tmp_path: Path) -> None:
    first = [post(2, "<p>two</p>"), post(1, "<p>one</p>")]
    grown = {"value": [post(50, "<p>four</p>"), {**first[1], "replies": [post(3, "three", replyToId="1")]}, first[0]]}
    check_grown(tmp_path, first, grown, name="messages_t1.json", new=["three", "four"])


KEYS = ["id", "messageType", "createdDateTime", "from", "body", "attachments", "mentions", "eventDetail", "replies",
        "channelIdentity", "chatId", "subject", "deletedDateTime", "importance", "replyToId"]  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(KEYS), JSON), max_size=4), JSON, st.integers(0, 400))
def test_mutations_end_in_items_or_a_named_error(changes: list[tuple[str, Any]], card: Any, cut: int) -> None:
    carried = [
        {"id": "1", "contentType": kind, "content": json.dumps(card)} for kind in ("messageReference", "x.card.y")
    ]
    message = copy.deepcopy(post(1, "<at>x</at><p>", attachments=carried))
    message.update(dict(changes))
    text = json.dumps([message, post(2)])
    for found in (text, text[:cut]):
        raw = raw_of(found)
        detect(raw, Settings())
        try:
            list(read_teams(raw, Settings(me=("Ann",))).items)
        except VaultmemError:
            continue


@given(st.lists(st.text(alphabet=st.sampled_from("ab1 \n-.,:;/()!_>&")), min_size=1, max_size=3))
def test_plain_paragraphs_are_as_the_converter_has_them(texts: list[str]) -> None:
    source = "\n".join(f"<p>{text.replace('>', '&nbsp;')}</p>" for text in texts)
    assert " ".join(html_markdown(source).split()) == " ".join(converted(source).split())


@given(st.text(alphabet=st.sampled_from("<>/=\"'& atemojcdblkpn"), max_size=60) | st.text())
def test_any_html_becomes_markdown(source: str) -> None:
    assert isinstance(html_markdown(source), str)
