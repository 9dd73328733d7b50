"""No bytes make the mail readers raise anything but a named problem, or take long."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.config import Settings
from vaultmem.errors import VaultmemError
from vaultmem.model import RawFile, Reading, SourceMessage
from vaultmem.sources.mail.mailbox import read_mbox
from vaultmem.sources.mail.message import read_eml
from vaultmem.sources.mail.quotes import new_text

Reader = Callable[[RawFile, Settings], Reading]
NOW = datetime(2024, 1, 1, tzinfo=UTC)
#: Seconds; a scan that is not linear would take minutes on these inputs, a busy machine a few seconds.
LIMIT = 12
ME = Settings(me=("me@example.org", "Kim"))

SEED = b"""\
From a@example.com Tue Mar  5 10:00:00 2024
From: =?utf-8?q?Ann?= <a@example.com>
To: me@example.org, "x, y" <z@x>
Subject: =?gb2312?B?xOO6ww==?=
Date: Tue, 05 Mar 2024 10:00:00 +0100
Message-ID: <m@x>
References: <a@x> <b@x>
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: multipart/alternative; boundary=c

--c
Content-Type: text/plain; charset=iso-8859-1; format=flowed
Content-Transfer-Encoding: quoted-printable

caf=E9\x20
words

On Mon, 4 Mar 2024 at 10:00, V <v@example.com> wrote:
> old

--c
Content-Type: text/html

<table><tr><td>caf&eacute;</td></tr></table>
--c--
--b
Content-Type: message/rfc822

From: x@y
Subject: in

in
--b
Content-Type: text/calendar; method="REPLY"

BEGIN:VCALENDAR
--b
Content-Disposition: attachment;
 filename*0*=utf-8''%C3%A9; filename*1="b.txt"
Content-Type: text/plain

file
--b--
"""
PIECES = [
    b"=?", b"?=", b"\r", b"\n\n", b"--b", b"\xff", b"\0", b'"', b"<", b"(", b";", b"charset=utf-16", b"charset=idna",
    b"multipart/report", b"multipart/digest", b"base64", b"uuencode", b"text/enriched", b"*0*=", b"9999", b"boundary=",
]  # fmt: skip
LINES = [
    "> ", ">", "On 3/4/24 10:05, A wrote:", "On Mon", "From: a@x", "Sent: 1 May 2024 10:00", "To: b", "Subject: c",
    "words", "", " ", "-----Original Message-----", "---------- Forwarded message ----------",
    "wrote:", "schrieb",
    "________________", "-- ", "10:05",
]  # fmt: skip


def run(reader: Reader, data: bytes) -> None:
    try:
        for item in reader(RawFile(name="x.eml", data=data, modified_at=NOW), ME).items:
            if isinstance(item, SourceMessage):
                # A note must be writable: no lone surrogate, no NUL, no second line in a header.
                item.message.text.encode()
                assert "\0" not in item.message.text
                assert "\n" not in item.message.author + item.message.subject + item.message.to + item.message.cc
    except VaultmemError:
        pass


@pytest.mark.parametrize("reader", [read_eml, read_mbox])
@given(data=st.binary(max_size=600))
def test_any_bytes(reader: Reader, data: bytes) -> None:
    run(reader, data)
    run(reader, b"From: a@x\n" + data)


EDITS = st.tuples(st.integers(0, len(SEED)), st.integers(0, 40), st.binary(max_size=8) | st.sampled_from(PIECES))


@pytest.mark.parametrize("reader", [read_eml, read_mbox])
@given(edits=st.lists(EDITS, min_size=1, max_size=8))
def test_mutated_mails(reader: Reader, edits: list[tuple[int, int, bytes]]) -> None:
    data = SEED
    for at, cut, put in edits:
        data = data[:at] + put + data[at + cut :]
    run(reader, data)


@given(st.lists(st.sampled_from(LINES), max_size=30).map("\n".join))
def test_quotes_never_empty_a_mail(text: str) -> None:
    left = new_text(text, forwarded=False, reply=True)
    assert bool(left.strip()) == bool(text.strip(" \n_"))
    lines = [line.rstrip() for line in text.split("\n")]
    assert all(line in lines for line in left.split("\n") if line)


HOSTILE = {
    "one long line": "x" * 1_000_000,
    "quote marks": ">" * 500_000,
    "quoted lines": "> a\n" * 40_000,
    "answers": "> a\nb\n" * 20_000,
    "attribution heads": "On 3 May 2024\n" * 10_000,
    "attributions": "On 3 May 2024 at 10:00 A <a@x.org> wrote:\n" * 10_000,
    "labels": "From: a\nTo: b\n" * 10_000,
    "colons": "1. a b c:\n" * 20_000,
    "dashes": "-" * 500_000,
    "rules": "---- x ----\n" * 20_000,
    "addresses": "a@" * 200_000,
    "spaces": " " * 500_000 + "x",
    "blank lines": "\n" * 100_000 + "x",
    "flowed": "a \n" * 40_000,
    "brackets": "<" * 300_000,
    "armour": "-----BEGIN PGP SIGNED MESSAGE-----\n" * 10_000,
}


#: A text cut to a half must be read in a quarter of the time: what takes the square of its length is caught alike.
every_share = pytest.mark.parametrize("share", [2, pytest.param(1, marks=pytest.mark.nightly)])


@every_share
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["text/plain; format=flowed", "text/html"])
def test_hostile_bodies_are_read_in_time(name: str, kind: str, share: int) -> None:
    start = time.process_time()
    body = HOSTILE[name][: len(HOSTILE[name]) // share]
    run(read_eml, f"From: a@x\nSubject: Re: x\nContent-Type: {kind}\n\n{body}".encode())
    assert time.process_time() - start < LIMIT / share**2


VALUES = [
    "=?utf-8?q?" * 9_000, "=?utf-8?q?a?= " * 5_000, "(" * 90_000, '"' * 89_999, "a@x, " * 10_000, "<" * 90_000,
    "a;b=" * 10_000,
    "x*0=" + "a;x*1=b;" * 5_000, "\n " * 40_000, "a" * 200_000, "<a@x> " * 10_000, "Re: " * 20_000, "[a] " * 20_000,
]  # fmt: skip


@every_share
@pytest.mark.parametrize("value", VALUES, ids=lambda value: value[:6] if isinstance(value, str) else value)
def test_hostile_headers_are_read_in_time(value: str, share: int) -> None:
    value = value[: len(value) // share]
    start = time.process_time()
    for name in (
        "From",
        "To",
        "Subject",
        "Date",
        "References",
        "Content-Type",
        "Content-Disposition",
        "X-Gmail-Labels",
    ):
        run(read_eml, f"Message-ID: <a@x>\n{name}: {value}\n\nwords".encode())
    assert time.process_time() - start < LIMIT / share**2


def test_borders_without_end_are_read_in_time() -> None:
    start = time.process_time()
    run(read_mbox, b"From a@x Tue Mar  5 10:00:00 2024\nFrom: a@x\n\n" * 1_000)
    run(read_mbox, b"\nFrom x" * 50_000)
    run(read_mbox, b"From a@x Tue Mar  5 10:00:00 2024\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n" * 500)
    assert time.process_time() - start < LIMIT
