"""Slack exports: the samples, threads, blocks, broken parts."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from vaultmem.config import Settings
from vaultmem.model import RawFile, SourceItem, SourceMessage, Warn
from vaultmem.sources.chat.slack import read_slack


def raw(data: bytes, name: str = "slack.zip") -> RawFile:
    return RawFile(name=name, data=data, modified_at=datetime(2025, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize("folder", ["chat/slack", "bugs/29-thread-broadcast"])
def test_samples(folder: str) -> None:
    for entry in expected.entries(folder):
        name = entry.get("file", "slack.zip")
        items = list(read_slack(raw((expected.SAMPLES / folder / name).read_bytes(), name), Settings()).items)
        if name == "export-enrique.zip":
            # Counted over people here: the entry says that bots may be counted apart.
            items = [i for i in items if not (isinstance(i, SourceMessage) and "bot" in i.cues)]
        assert expected.problems(items, entry) == [], name


USERS = [
    {"id": "U1", "name": "ann", "profile": {"display_name": "Ann", "real_name": "Ann Lee", "email": "ann@example.com"}},
    {"id": "U2", "name": "bo", "real_name": "Bo Lind", "profile": {"display_name": ""}},
]
CHANNELS = [{"id": "C1", "name": "general", "members": ["U1", "U2"]}]


def post(text: str = "", ts: str = "1709629260.000200", user: str = "U1", **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": ts, **more}


def packed(files: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, str | bytes) else json.dumps(content))
    return out.getvalue()


def items_of(files: dict[str, Any], me: tuple[str, ...] = ()) -> list[SourceItem]:
    return list(read_slack(raw(packed(files)), Settings(me=me)).items)


def read_posts(*posts: dict[str, Any], me: tuple[str, ...] = ()) -> list[SourceMessage]:
    files = {"users.json": USERS, "channels.json": CHANNELS, "general/2024-03-05.json": list(posts)}
    return [item for item in items_of(files, me) if isinstance(item, SourceMessage)]


def body(text: str = "", **more: Any) -> str:
    return read_posts(post(text, **more))[0].message.text


@pytest.mark.parametrize(
    ("mrkdwn", "markdown"),
    [
        ("*bold* and _it_ and ~gone~", "**bold** and _it_ and ~~gone~~"),
        ("*a* *b*", "**a** **b**"),
        ("2*3*4 and a*b", "2*3*4 and a*b"),
        ("* list star\n* another", "* list star\n* another"),
        ("*see <https://e.org/a*b|the *x*>*", "**see [the *x*](https://e.org/a*b)**"),
        ("*see <https://e.org/x|this>*", "**see [this](https://e.org/x)**"),
        ("`*code* &lt;b&gt;`", "`*code* <b>`"),
        ("a ```x = *y*\n&amp;``` b", "a \n```\nx = *y*\n&\n```\n b"),
        ("&lt;b&gt; &amp;lt; &copy;", "<b> &lt; &copy;"),
        ("hi <@U1> <@U2|bo> <@U9> <@U8|zed>", "hi @Ann @Bo Lind @U9 @zed"),
        ("<#C1|general> <#C1> <#C9>", "#general #general #C9"),
        ("<!here> <!channel|@channel> <!subteam^S1|@dev> <!subteam^S2>", "@here @channel @dev @S2"),
        ("<!date^1392734382^{date}|18 Feb>", "18 Feb"),
        ("<https://e.org/>", "https://e.org/"),
        ("<http://e.org|e.org>", "http://e.org"),
        ("<mailto:a@e.org|a@e.org>", "a@e.org"),
        ("<https://e.org/x?a=1&amp;b=2|a [b]>", r"[a \[b\]](https://e.org/x?a=1&b=2)"),
        ("<https://e.org/a_(b)|w>", "[w](<https://e.org/a_(b)>)"),
        ("&gt; quoted", "> quoted"),
        ("lone < and > and <not a link", "lone < and > and <not a link"),
    ],
)
def test_mrkdwn(mrkdwn: str, markdown: str) -> None:
    assert body(mrkdwn) == markdown


def rich(*elements: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"type": "rich_text", "elements": list(elements)}]


def run(text: str, **style: bool) -> dict[str, Any]:
    return {"type": "text", "text": text, "style": style}


def test_rich_text_without_text() -> None:
    section = {"type": "rich_text_section", "elements": [run("a "), run("b ", bold=True), run("c", code=True)]}
    quote = {"type": "rich_text_quote", "elements": [run("q1\nq2")]}
    nested = {
        "type": "rich_text_list",
        "style": "bullet",
        "indent": 1,
        "elements": [{"type": "rich_text_section", "elements": [{"type": "user", "user_id": "U2"}]}],
    }
    code = {"type": "rich_text_preformatted", "elements": [run("x *y*")]}
    link = {"type": "link", "url": "https://e.org", "text": "site"}
    last = {"type": "rich_text_section", "elements": [link, {"type": "emoji", "name": "tada"}]}
    shown = body("", blocks=rich(section, quote, nested, code, last))
    assert shown == "a **b** `c`\n> q1\n> q2\n    - @Bo Lind\n```\nx *y*\n```\n[site](https://e.org):tada:"


def test_blocks_of_apps_are_content_and_text_is_their_notification() -> None:
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "Deploy *1*"}},
        {"type": "section", "text": {"type": "mrkdwn", "text": "*ok*"}, "fields": [{"type": "mrkdwn", "text": "f1"}]},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "by <@U1>"}, {"type": "image", "alt_text": "pic"}]},
        {"type": "divider"},
        {"type": "image", "alt_text": "chart", "image_url": "https://e.org/c.png"},
    ]
    assert body("ok", blocks=blocks) == "**Deploy *1***\n\n**ok**\nf1\n\nby @Ann\npic\n\n[chart](https://e.org/c.png)"
    assert body("more than that", blocks=blocks).startswith("more than that\n\n**Deploy")


def test_bots_and_attachments() -> None:
    attachment = {
        "pretext": "CI", "title": "Build #7", "title_link": "https://e.org/7", "text": "passed &amp; *fast*",
        "fields": [{"title": "Branch", "value": "main"}], "fallback": "x",
    }  # fmt: skip
    [found] = read_posts(
        {
            "type": "message",
            "subtype": "bot_message",
            "bot_id": "B1",
            "username": "ci",
            "text": "",
            "ts": "1709629260.1",
        }
        | {"attachments": [attachment, {"fallback": "only this"}]}
    )
    assert found.message.author == "ci"
    assert found.cues == {"bot"}
    assert found.message.text == ("CI\n[Build #7](https://e.org/7)\npassed & **fast**\nBranch: main\n\nonly this")


def test_previews_of_links_are_left_out_and_shares_are_quoted() -> None:
    preview = {"from_url": "https://e.org", "title": "A page", "text": "its words"}
    share = {"is_share": True, "from_url": "https://x.slack.com/p1", "author_name": "Bo", "text": "earlier"}
    assert body("see <https://e.org>", attachments=[preview]) == "see https://e.org"
    assert body("look", attachments=[share]) == "look\n\n> Bo\n> earlier"


def test_files() -> None:
    files = [
        {"id": "F1", "name": "plan.pdf", "mode": "hosted"},
        {"id": "F2", "name": "x.py", "mode": "snippet", "preview": "a = '```'"},
        {"id": "F3", "mode": "tombstone"},
        {"id": "F4", "mode": "hidden_by_limit"},
    ]
    [found] = read_posts(post("here", files=files))
    assert found.attachments == ("plan.pdf", "x.py", "F4")
    assert found.message.text.startswith("here\n\n(attached: plan.pdf)\n\n(attached: x.py)\n\n````\na = '```'\n````")


def test_order_threads_and_copies() -> None:
    found = read_posts(
        post("late", "1709629999.000900"),
        post("root", "1709629260.000200", thread_ts="1709629260.000200"),
        post("reply", "1709629300.000300", user="U2", thread_ts="1709629260.000200"),
        post("told all", "1709629301.000300", subtype="thread_broadcast", thread_ts="1709629260.000200"),
        post("told all", "1709629301.000300", subtype="thread_broadcast", thread_ts="1709629260.000200"),
    )
    assert [m.message.text for m in found] == ["root", "reply", "told all", "late"]
    assert [m.reply_to for m in found] == ["", "1709629260.000200", "1709629260.000200", ""]
    assert [m.native_id for m in found][:2] == ["1709629260.000200", "1709629300.000300"]
    assert found[0].message.sent_at == datetime(2024, 3, 5, 9, 1, 0, 200, tzinfo=UTC)


def test_what_the_platform_says() -> None:
    found = read_posts(
        post("<@U1> has joined the channel", "1.1", subtype="channel_join"),
        post("set the channel topic: tea", "2.1", subtype="channel_topic"),
        post("This message was deleted.", "3.1", user="USLACKBOT", subtype="tombstone", hidden=True),
        post("A huddle started", "4.1", subtype="huddle_thread"),
        post("waves", "5.1", subtype="me_message"),
        post("from later days", "6.1", subtype="some_new_thing"),
    )
    assert [m.system for m in found] == [True, True, True, True, False, False]
    assert [m.message.text for m in found][:4] == [
        "@Ann has joined the channel", "Ann set the channel topic: tea", "This message was deleted.",
        "Ann A huddle started",
    ]  # fmt: skip
    assert {m.message.author for m in found if m.system} == {""}


def test_cues_of_the_owner() -> None:
    for me in (("Ann",), ("@ann",), ("ann@example.com",), ("U1",), ("ANN LEE",)):
        found = read_posts(
            post("mine", "1.1", edited={"user": "U1", "ts": "2"}),
            post("hi <@U1>", "2.1", user="U2"),
            post("", "3.1", user="U2", blocks=rich({"type": "user", "user_id": "U1"})),
            post("hi <@U2>", "4.1", user="U2", thread_ts="1.1"),
            me=me,
        )
        assert [sorted(m.cues) for m in found] == [["edited", "sent"], ["mention"], ["mention"], ["reply"]], me


def test_conversations() -> None:
    day = "2024-03-05.json"
    found = items_of(
        {
            "users.json": USERS,
            "channels.json": CHANNELS,
            "groups.json": [{"id": "G1", "name": "secret"}],
            "dms.json": [{"id": "D1", "members": ["U2", "U1"]}],
            "mpims.json": [{"id": "G2", "name": "mpdm-ann--bo--zed-1", "members": ["U1", "U2", "U3"]}],
            f"general/{day}": [post("a")],
            f"secret/{day}": [post("b")],
            f"D1/{day}": [post("c")],
            f"mpdm-ann--bo--zed-1/{day}": [post("d")],
            f"unlisted/{day}": [post("e")],
        }
    )
    sources = [(i.source_id, i.title, "dm" in i.cues) for i in found if isinstance(i, SourceMessage)]
    assert sources == [
        ("slack:general", "general", False),
        ("slack:secret", "secret", False),
        ("slack:dm:Ann, Bo Lind", "Ann, Bo Lind", True),
        ("slack:dm:Ann, Bo Lind, U3", "Ann, Bo Lind, U3", True),
        ("slack:unlisted", "unlisted", False),
    ]


def test_a_broken_day_loses_no_other() -> None:
    found = items_of(
        {
            "users.json": "[{",
            "general/2024-03-04.json": '[{"type": "message"',
            "general/2024-03-05.json": [post("kept")],
            "general/2024-03-06.json": {"not": "a list"},
            "general/2024-03-07.json": ["x", None, 7, post("no time", "soon"), post("kept too", "1709800000.1")],
            "general/canvas.html": "x",
        }
    )
    assert [i.message.text for i in found if isinstance(i, SourceMessage)] == ["kept", "kept too"]
    warned = [i.text for i in found if isinstance(i, Warn)]
    assert len(warned) == 5
    assert any("2024-03-04.json" in w and "this day is missing" in w for w in warned)


def test_a_damaged_member_loses_no_other() -> None:
    files = {
        "users.json": USERS,
        "general/2024-03-04.json": [post("x" * 500)],
        "general/2024-03-05.json": [post("kept", "9.1")],
    }
    data = bytearray(packed(files))
    at = data.find(b"general/2024-03-04.json") + 40
    data[at : at + 20] = b"\xff" * 20
    found = list(read_slack(raw(bytes(data)), Settings()).items)
    assert [i.message.text for i in found if isinstance(i, SourceMessage)] == ["kept"]
    assert any("2024-03-04.json" in i.text for i in found if isinstance(i, Warn))


def test_hostile_values() -> None:
    found = read_posts(
        post("half \ud83d of a pair \0", "1.1"),
        post("deep", "2.1", blocks=nested_blocks(400)),
        post("*" * 50_000 + "<" * 50_000 + "`" * 50_001, "3.1"),
        {
            "type": "message",
            "user": 7,
            "text": None,
            "ts": 1709629260.5,
            "blocks": "x",
            "files": {"a": 1},
            "attachments": 3,
        },
    )
    for item in found:
        item.message.text.encode()
    assert found[-1].native_id == "1709629260.500000"
    assert found[-1].message.author == "unknown"


def nested_blocks(depth: int) -> list[dict[str, Any]]:
    inner: dict[str, Any] = run("core")
    for _ in range(depth):
        inner = {"type": "rich_text_section", "elements": [inner]}
    return rich(inner)


KEYS = [
    "type", "user", "text", "ts", "thread_ts", "subtype", "blocks", "elements", "attachments", "files", "file", "style",
    "user_profile", "edited", "bot_id", "username", "fields", "title", "name", "url", "indent", "offset", "message",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=8), max_size=4))
def test_any_records_are_read(records: list[dict[str, Any]]) -> None:
    for number, record in enumerate(records):
        record.setdefault("ts", f"{number}.5")
    for item in read_posts(*records):
        item.message.text.encode()
        assert item.system or item.message.author


@given(st.text())
def test_words_survive_the_markup(text: str) -> None:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    kept = re.sub(r"[*~`\s\0\ufffd]", "", body(escaped + "."))
    assert kept == re.sub(r"[*~`\s\0\ufffd]", "", text + ".")
