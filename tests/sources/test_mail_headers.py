"""Headers as mails really have them."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes

import pytest

from vaultmem.config import Settings
from vaultmem.model import RawFile, SourceMessage
from vaultmem.sources import detect, read
from vaultmem.sources.mail.headers import (
    Headers,
    decode_words,
    message_ids,
    parse_addresses,
    parse_date,
    parse_parameters,
)


def headers(data: bytes) -> Headers:
    return Headers(message_from_bytes(data))


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("=?utf-8?q?Caf=C3=A9?=", "Café"),
        ("=?UTF-8?B?w6k=?= =?UTF-8?B?w6g=?=", "éè"),
        ("=?utf-8?q?=C3?= =?utf-8?q?=A9?=", "é"),  # a character cut in two words
        ("a =?iso-8859-1?Q?=E9?= b", "a é b"),
        ("=?utf-8?q?a_b?= c", "a b c"),
        ("=?windows-1252?Q?=93x=94?=", "“x”"),
        ("=?gb2312?B?xOO6ww==?=", "你好"),
        ("=?iso-2022-jp?B?GyRCJCIbKEI=?=", "あ"),
        ("=?utf-8*en?q?hi?=", "hi"),
        ("=?utf-8?q?=3D=3Futf-8=3Fq=3FCaf=3DC3=3DA9=3F=3D?=", "Café"),  # encoded twice
        ("=?no-such-charset?q?abc?=", "abc"),
        ("=?utf-8?q?broken", "=?utf-8?q?broken"),
        ("=?utf-8?x?abc?=", "=?utf-8?x?abc?="),
        ("=?utf-8?q?with blank?=", "with blank"),
        ("1 =?= 2", "1 =?= 2"),
    ],
)
def test_encoded_words(raw: str, text: str) -> None:
    assert decode_words(raw) == text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Ann <ann@example.com>", ["Ann <ann@example.com>"]),
        ('"Ann" <ann@example.com>', ["Ann <ann@example.com>"]),
        ("ann@example.com", ["ann@example.com"]),
        ("<ann@example.com>", ["ann@example.com"]),
        ("ann@example.com (Ann Lee)", ["Ann Lee <ann@example.com>"]),
        ('"Lee, Ann" <ann@example.com>, Bo <bo@example.com>', ['"Lee, Ann" <ann@example.com>', "Bo <bo@example.com>"]),
        ("Lee, Ann <ann@example.com>", ['"Lee, Ann" <ann@example.com>']),
        ("=?utf-8?q?Lee=2C_Ann?= <ann@example.com>", ['"Lee, Ann" <ann@example.com>']),
        ('"=?utf-8?q?Caf=C3=A9?=" <c@example.com>', ["Café <c@example.com>"]),
        ("ann@example.com <ann@example.com>", ["ann@example.com"]),
        ("'Ann' <ann@example.com>", ["Ann <ann@example.com>"]),
        ("Team: ann@example.com, bo@example.com;", ["ann@example.com", "bo@example.com"]),
        ("undisclosed-recipients:;", []),
        ("a@example.com; b@example.com", ["a@example.com", "b@example.com"]),
        ("J. R. Smith <j@example.com>", ["J. R. Smith <j@example.com>"]),
        ('"Ann \\"Bee\\" Lee" <ann@example.com>', ["\"Ann 'Bee' Lee\" <ann@example.com>"]),
        ("Ann", ["Ann"]),
        ("<>", []),
        ("", []),
    ],
)
def test_addresses(raw: str, shown: list[str]) -> None:
    assert [str(a) for a in parse_addresses(raw)] == shown


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Tue, 05 Mar 2024 10:00:00 +0100", (2024, 3, 5, 9)),
        ("5 Mar 2024 10:00 GMT", (2024, 3, 5, 10)),
        ("Tue, 05 Mar 2024 10:00:00 -0000", (2024, 3, 5, 10)),
        ("Tue, 05 Mar 2024 10:00:00", (2024, 3, 5, 10)),
        ("Sun, 05 Mar 2024 10:00:00 +0000", (2024, 3, 5, 10)),  # it was a Tuesday
        ("Tue, 05 Mar 2024 10:00:00 EST", (2024, 3, 5, 15)),
        ("Tue, 05 Mar 2024 10:00:00 +0000 (Quelque chose \ufffd)", (2024, 3, 5, 10)),
        ("2024-03-05T10:00:00Z", (2024, 3, 5, 10)),
    ],
)
def test_dates(raw: str, expected: tuple[int, int, int, int]) -> None:
    assert parse_date(raw) == datetime(*expected, tzinfo=UTC)


@pytest.mark.parametrize("raw", ["", "yesterday", "99 Mar 2024 10:00", "+9999"])
def test_no_date(raw: str) -> None:
    assert parse_date(raw) is None


def test_parameters_in_pieces_and_charsets() -> None:
    raw = "attachment; filename*0*=UTF-8''%C3%9Cber; filename*1*=%20M%C3%A4rz; filename*2=\".xlsx\""
    assert parse_parameters(raw) == ("attachment", {"filename": "Über März.xlsx"})
    assert parse_parameters('text/plain; name="a;b.txt"; charset=x')[1] == {"name": "a;b.txt", "charset": "x"}
    assert parse_parameters("text/plain; name==?utf-8?q?=C3=A9.txt?=")[1] == {"name": "é.txt"}
    assert parse_parameters("") == ("", {})


def test_raw_bytes_in_headers() -> None:
    assert headers("Subject: Säying Hello\n\n".encode()).text("subject") == "Säying Hello"
    assert headers("Subject: Café à 9h\n\n".encode("latin-1")).text("subject") == "Café à 9h"
    assert headers(b"Subject: a\n b\n\tc\n\n").text("subject") == "a b c"
    assert headers(b"Subject: a\x00b\x07\n\n").text("subject") == "a b"


def test_message_ids() -> None:
    assert message_ids("<a@x> <b@x>\t<c@x>") == ("<a@x>", "<b@x>", "<c@x>")
    assert message_ids("a@x") == ("<a@x>",)
    assert message_ids("Your message of Monday") == ()
    assert message_ids("") == ()


def test_a_mail_as_apple_mail_keeps_it() -> None:
    mail = "From: Bo <bo@example.com>\nSubject: Bolts\nMessage-ID: <a@example.com>\n\nBoth boxes.\n"
    data = f"{len(mail)}       \n{mail}<?xml version='1.0'?>\n<plist><dict><key>flags</key></dict></plist>\n".encode()
    raw = RawFile(name="7.emlx", data=data, modified_at=datetime(2025, 1, 1, tzinfo=UTC))
    assert detect(raw, Settings()) == "eml"
    found = [item for item in read(raw, Settings()).items if isinstance(item, SourceMessage)]
    assert [(item.message.subject, item.message.text) for item in found] == [("Bolts", "Both boxes.")]
