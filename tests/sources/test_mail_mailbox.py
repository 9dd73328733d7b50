"""Mailbox files: which "From " line is a border, and what a broken mail does to the rest."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import RawFile, SourceItem, SourceMessage, Warn
from vaultmem.sources.mail.mailbox import mail_spans, mailbox_scope, read_mbox

DATED = "From a@example.com Tue Mar  5 10:00:00 2024"


def items(data: str | bytes, name: str = "box.mbox") -> list[SourceItem]:
    content = data if isinstance(data, bytes) else data.encode()
    raw = RawFile(name=name, data=content, modified_at=datetime(2024, 1, 1, tzinfo=UTC))
    return list(read_mbox(raw, Settings()).items)


def texts(data: str | bytes) -> list[str]:
    return [i.message.text for i in items(data) if isinstance(i, SourceMessage)]


def mail(n: int, body: str, border: str = DATED, more: str = "") -> str:
    return f"{border}\nFrom: A <a@example.com>\nSubject: {n}\nMessage-ID: <{n}@x>\n{more}\n{body}\n\n"


@pytest.mark.parametrize(
    "border",
    [
        DATED,
        "From - Tue Mar 05 10:00:00 2024",
        "From MAILER-DAEMON Fri Jul  8 12:08:34 2011",
        "From a@example.com Tue Mar 05 10:00:00 +0000 2024",
        "From a@example.com Tue Mar 05 10:00:00 CET 2024",
        "From ???@??? Tue Mar 05 10:00:00 2024",
        'From "a b"@example.com Tue, 05 Mar 2024 10:00:00 +0100',
        "From a@example.com 2024-03-05 10:00:00",
        "From 1844347792267117879@xxx",
    ],
)
def test_borders(border: str) -> None:
    assert texts(mail(1, "one", border) + mail(2, "two", border)) == ["one", "two"]
    crlf = (mail(1, "one", border) + mail(2, "two", border)).replace("\n", "\r\n")
    assert texts(crlf) == ["one", "two"]


@pytest.mark.parametrize(
    "line",
    [
        "From my side two things:",
        "From Monday on it rains.",
        "From: the beginning",
        "From ann@example.com we heard nothing.",
        "From 10:00 to 12:00 on Mar 5 2024",
        "From a@example.com Tue Mar  5 10:00:00 2024",  # no header line below it
        "From ann@example.com",
        "From",
    ],
)
def test_lines_that_are_no_border(line: str) -> None:
    for body in (f"hello\n\n{line}\nand more", f"hello\n{line}\n\nand more", f"hello\n\n{line}"):
        assert texts(mail(1, body) + mail(2, "two")) == [body, "two"]


def test_escaped_from_lines() -> None:
    assert texts(mail(1, "x\n>From now on\n>>From then on")) == ["x\nFrom now on\n>From then on"]


def test_a_mailbox_line_inside_an_attached_mail_is_no_border() -> None:
    inner = f"{DATED}\nReturn-Path: <x@y>\nFrom: Lo <lo@example.com>\nSubject: Keys\n\nthe key\n"
    body = f"--b\nContent-Type: text/plain\n\nsee\n--b\nContent-Type: message/rfc822\n\n{inner}--b--\n"
    found = texts(mail(1, body, more='Content-Type: multipart/mixed;\n boundary="b"\n') + mail(2, "two"))
    assert len(found) == 2
    assert "the key" in found[0]


def test_a_cut_multipart_does_not_swallow_the_next_mail() -> None:
    body = "--b\nContent-Type: text/plain\n\nsee"
    assert texts(mail(1, body, more="Content-Type: multipart/mixed; boundary=b\n") + mail(2, "two")) == ["see", "two"]


def test_a_broken_mail_is_a_warning_and_the_rest_is_read() -> None:
    broken = f"{DATED}\nNonsense: x\n\nno header that mails have\n\n"
    found = items(mail(1, "one") + broken + mail(3, "three"))
    assert [i.message.text for i in found if isinstance(i, SourceMessage)] == ["one", "three"]
    assert [i.text.startswith("mail 2 (byte ") for i in found if isinstance(i, Warn)] == [True]


def test_what_is_no_mailbox_is_refused() -> None:
    for data in (b"", b"\n\n", b"words", b"From here on\nwords\n"):
        with pytest.raises(UnreadableSource):
            items(data)


def test_scope_is_the_mailbox() -> None:
    assert mailbox_scope("takeout/Mail/All mail.mbox") == "mail:All mail"
    assert mailbox_scope("Inbox") == "mail:Inbox"
    assert mailbox_scope("a.b.mbox") == "mail:a.b"
    assert {i.tree_scope for i in items(mail(1, "x"), "work.mbox") if isinstance(i, SourceMessage)} == {"mail:work"}


def test_the_file_is_never_read_whole() -> None:
    class Watched(bytes):
        largest = 0

        def __getitem__(self, key: slice) -> bytes:  # type: ignore[override]
            found = super().__getitem__(key)
            Watched.largest = max(Watched.largest, len(found))
            return found

    data = Watched("".join(mail(n, "words " * 50) for n in range(2000)).encode())
    assert len(data) > 500_000
    raw = RawFile(name="b.mbox", data=data, modified_at=datetime(2024, 1, 1, tzinfo=UTC))
    assert sum(isinstance(i, SourceMessage) for i in read_mbox(raw, Settings()).items) == 2000
    assert Watched.largest < 10_000


def test_spans_cover_the_file() -> None:
    data = ("\n" + mail(1, "one") + mail(2, "two")).encode()
    spans = list(mail_spans(data))
    assert [data[a:b][:5] for a, b in spans] == [b"From ", b"From "]
    assert spans[0][1] == spans[1][0]
    assert spans[-1][1] == len(data)
