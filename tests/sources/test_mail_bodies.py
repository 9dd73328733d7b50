"""What of a MIME tree is text, what is a file, what is neither."""

from __future__ import annotations

import base64
import struct

import pytest

from vaultmem.errors import UnreadableSource
from vaultmem.model import Attachment, SourceItem, SourceMessage, Warn
from vaultmem.sources.mail.cues import Owner
from vaultmem.sources.mail.html import html_to_text
from vaultmem.sources.mail.message import read_mail
from vaultmem.sources.mail.plain import unflow

HEAD = "From: Ann <ann@example.com>\nTo: me@example.org\nSubject: Plan\nMIME-Version: 1.0\n"


def items(mail: str | bytes) -> list[SourceItem]:
    return read_mail(mail if isinstance(mail, bytes) else mail.encode(), owner=Owner(()), scope="mail:test")


def message(mail: str | bytes) -> SourceMessage:
    return next(i for i in items(mail) if isinstance(i, SourceMessage))


def text(mail: str | bytes) -> str:
    return message(mail).message.text


def part(kind: str, body: str, *more: str) -> str:
    return "\n".join([f"Content-Type: {kind}", *more, "", body])


def multi(subtype: str, *parts: str, boundary: str = "b1") -> str:
    inner = "".join(f"--{boundary}\n{p}\n" for p in parts)
    return f'Content-Type: multipart/{subtype}; boundary="{boundary}"\n\n{inner}--{boundary}--\n'


def test_plain_text_is_preferred_and_html_is_the_fallback() -> None:
    rich = part("text/html", "<p>rich <b>words</b></p>")
    assert text(HEAD + multi("alternative", part("text/plain", "plain"), rich)) == "plain"
    assert text(HEAD + multi("alternative", part("text/plain", " \n"), rich)) == "rich **words**"
    assert text(HEAD + rich) == "rich **words**"


def test_a_plain_part_that_only_asks_for_html_is_no_content() -> None:
    rich = part("text/html", "<p>" + "The boat leaves at nine. " * 20 + "</p>")
    asked = part("text/plain", "Please view this mail in an HTML capable client.")
    assert "The boat leaves" in text(HEAD + multi("alternative", asked, rich))


def test_files_of_an_alternative_that_was_not_chosen_are_named() -> None:
    mixed = multi(
        "mixed",
        part("text/html", "<p>x</p>"),
        part("application/pdf", "JVBE", 'Content-Disposition: inline; filename="plan.pdf"'),
        boundary="b2",
    )
    found = message(HEAD + multi("alternative", part("text/plain", "plain"), mixed))
    assert found.message.text == "plain\n\nAttachments: plan.pdf"
    assert found.attachments == ("plan.pdf",)


def test_text_files_become_attachments_and_are_not_named_in_the_text() -> None:
    note = part("text/plain; charset=utf-8", "# Liste\n", 'Content-Disposition: attachment; filename="liste.md"')
    table = part("application/octet-stream", "a,b\n1,2\n", 'Content-Disposition: attachment; filename="t.csv"')
    found = items(HEAD + "Message-ID: <m@x>\n" + multi("mixed", part("text/plain", "see files"), note, table))
    assert [(i.name, i.data, i.parent) for i in found if isinstance(i, Attachment)] == [
        ("liste.md", b"# Liste\n", "<m@x>"),
        ("t.csv", b"a,b\n1,2\n", "<m@x>"),
    ]
    assert [i.message.text for i in found if isinstance(i, SourceMessage)] == ["see files"]
    assert [i.attachments for i in found if isinstance(i, SourceMessage)] == [("liste.md", "t.csv")]


def test_a_path_in_a_file_name_is_dropped() -> None:
    file = part("application/pdf", "x", 'Content-Disposition: attachment; filename="../../etc/pass wd"')
    assert message(HEAD + multi("mixed", file)).attachments == ("pass wd",)
    file = part("application/pdf", "x", 'Content-Disposition: attachment; filename="C:\\\\tmp\\\\a.pdf"')
    assert message(HEAD + multi("mixed", file)).attachments == ("a.pdf",)


@pytest.mark.parametrize(
    "kind", ["application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"]
)
def test_signatures_are_not_content(kind: str) -> None:
    found = message(HEAD + multi("signed", part("text/plain", "signed words"), part(f'{kind}; name="s"', "zzz")))
    assert found.message.text == "signed words"
    assert found.attachments == ()


def test_inline_armour_is_taken_off() -> None:
    body = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nwords\n- -- \nAnn\n"
        "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n"
    )
    assert text(f"{HEAD}\n{body}") == "words\n--\nAnn"


def test_an_attached_mail_is_read_as_a_forward() -> None:
    inner = "From: Lo <lo@example.com>\nSubject: Keys\nDate: Tue, 05 Mar 2024 10:00:00 +0000\n\nMrs. Lam has the key.\n"
    found = text(HEAD + multi("mixed", part("text/plain", "see below"), f"Content-Type: message/rfc822\n\n{inner}"))
    assert found == (
        "see below\n\n---------- Forwarded message ----------\nFrom: Lo <lo@example.com>\n"
        "Date: 2024-03-05T10:00:00Z\nSubject: Keys\n\nMrs. Lam has the key."
    )


def test_a_report_says_what_it_says_to_people_and_counts_as_automatic() -> None:
    status = part("message/delivery-status", "Reporting-MTA: dns; x\n\nAction: failed\n")
    returned = "Content-Type: message/rfc822\n\nFrom: a@x\nSubject: lost\n\nlost words\n"
    found = message(HEAD + multi("report", part("text/plain", "could not be delivered"), status, returned))
    assert found.message.text == "could not be delivered"
    assert "auto" in found.cues


def test_an_answer_to_an_invitation_is_content_only_when_alone() -> None:
    event = "BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nSUMMARY:Planning\nDTSTART:20240312T150000Z\nEND:VEVENT\n"
    alone = message(HEAD + part("text/calendar; method=REPLY", event))
    assert alone.message.text == "Event: Planning\nWhen: 2024-03-12 15:00 (UTC)"
    assert "auto" in alone.cues
    both = message(HEAD + multi("alternative", part("text/plain", "Please join."), part("text/calendar", event)))
    assert both.message.text == "Please join."


def test_an_invitation_stands_below_its_text_and_above_no_history() -> None:
    event = (
        "BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nSUMMARY:Budget\\, round 2\nLOCATION:Room 4\n"
        "DTSTART;TZID=Europe/Berlin:20240312T150000\nDESCRIPTION:Please join.\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    body = "Please join.\n\nOn Mon, Mar 4, 2024 at 9:00 AM Bo <bo@example.com> wrote:\n> when?\n"
    found = message(HEAD + multi("mixed", part("text/plain", body), part("text/calendar", event)))
    assert found.message.text == (
        "Please join.\n\nEvent: Budget, round 2\nWhen: 2024-03-12 15:00 (Europe/Berlin)\nWhere: Room 4"
    )
    assert "auto" not in found.cues


def _packet(*parts: tuple[int, int, int, bytes]) -> bytes:
    """A TNEF packet of (level, name, type, content)."""
    out = struct.pack("<IH", 0x223E9F78, 1)
    for level, name, kind, content in parts:
        out += struct.pack("<BHHI", level, name, kind, len(content)) + content
        out += struct.pack("<H", sum(content) & 0xFFFF)
    return out


def test_a_winmail_packet_gives_up_its_text_and_files() -> None:
    packet = _packet(
        (1, 0x9006, 8, struct.pack("<I", 0x10000)),
        (1, 0x9007, 6, struct.pack("<II", 1252, 0)),
        (1, 0x800C, 2, b"The contract is signed.\0"),
        (2, 0x9002, 6, bytes(14)),
        (2, 0x8010, 1, b"notes.txt\0"),
        (2, 0x800F, 6, b"bring the key"),
        (2, 0x9002, 6, bytes(14)),
        (2, 0x8010, 1, b"plan.xlsx\0"),
        (2, 0x800F, 6, b"PK.."),
    )
    encoded = base64.encodebytes(packet).decode()
    head = 'Content-Type: application/ms-tnef; name="winmail.dat"\nContent-Transfer-Encoding: base64\n\n'
    alone = items(HEAD + multi("mixed", head + encoded))
    assert isinstance(alone[0], SourceMessage)
    assert alone[0].message.text == "The contract is signed.\n\nAttachments: winmail.dat, plan.xlsx"
    assert alone[1] == Attachment(name="notes.txt", data=b"bring the key", parent=alone[0].native_id)
    both = message(HEAD + multi("mixed", part("text/plain", "Hello."), head + encoded))
    assert both.message.text == "Hello.\n\nAttachments: winmail.dat, plan.xlsx"
    broken = message(HEAD + multi("mixed", part("text/plain", "Hello."), head + encoded[:60]))
    assert broken.message.text == "Hello.\n\nAttachments: winmail.dat"


def test_flowed_lines_are_joined_by_quote_depth() -> None:
    assert unflow("a \nb\n> q \n> r\nc", join=False) == "a b\n> q r\nc"
    assert unflow("a \nb", join=True) == "ab"
    assert unflow("a\n-- \nAnn", join=False) == "a\n-- \nAnn"
    assert unflow(" >not quoted\n From here", join=False) == ">not quoted\nFrom here"


@pytest.mark.parametrize(
    ("label", "data"),
    [
        ("gb2312", "会议改到周五".encode()),  # the label lies
        ("gb2312", "会议改到周五".encode("gb2312")),
        ("iso-2022-jp", "会議は金曜日です".encode("iso-2022-jp")),
        ("shift_jis", "会議は金曜日です。①".encode("cp932")),
        ("iso-8859-1", "“Café” – 9 €".encode("cp1252")),
        ("koi8-r", "Встреча в пятницу".encode("koi8-r")),
        ("unknown-8bit", "Réservé chez Noël".encode("cp1252")),
        ("x-no-such", b"plain words"),
        ("utf-7", b"Caf+AOk-"),
    ],
)
def test_charsets(label: str, data: bytes) -> None:
    head = f"{HEAD}Content-Type: text/plain; charset={label}\nContent-Transfer-Encoding: base64\n\n"
    wanted = "Café" if label == "utf-7" else None
    found = text(head.encode() + base64.encodebytes(data))
    assert "\ufffd" not in found
    assert found == (wanted or found)
    assert any(word in found for word in ("周五", "金曜日", "Café", "пятницу", "Réservé", "plain words"))


def test_broken_transfer_encodings() -> None:
    assert text(f"{HEAD}Content-Transfer-Encoding: base64 \t\n\naGVsbG8gd29ybG") == "hello worl"
    assert text(f"{HEAD}Content-Transfer-Encoding: quoted-printable\n\na=E9b =ZZ c=\nd") == "aéb =ZZ cd"
    assert text(f"{HEAD}Content-Transfer-Encoding: x-what\n\nwords") == "words"


def test_multipart_without_boundary_or_end_is_still_read() -> None:
    assert text(f"{HEAD}Content-Type: multipart/mixed\n\nwords") == "words"
    assert text(f'{HEAD}Content-Type: multipart/mixed; boundary="b"\n\n--b\n\nwords without an end') == (
        "words without an end"
    )


def test_nesting_without_end_is_cut() -> None:
    mail = HEAD + "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(300))
    found = items(mail + "Content-Type: text/plain\n\ndeep\n")
    assert any(isinstance(i, Warn) for i in found)
    assert any(isinstance(i, SourceMessage) for i in found)


def test_no_text_at_all() -> None:
    found = message(HEAD + part("application/gzip", "x", 'Content-Disposition: attachment; filename="blah.gz"'))
    assert found.message.text == "Attachments: blah.gz"
    assert message(HEAD).message.text == ""


def test_what_is_no_mail_is_refused() -> None:
    for data in (b"", b"\0\0\0", b"just words\n", b"Note: nothing\n\nwords", bytes(range(256))):
        with pytest.raises(UnreadableSource):
            items(data)


def test_html_of_mails() -> None:
    assert html_to_text("<table><tr><td>only <b>laid</b> out</td></tr></table>").strip() == "only **laid** out"
    data = "<table><tr><td>Item</td><td>Qty</td></tr><tr><td>Lamp</td><td>2</td></tr></table>"
    assert "| Lamp | 2" in html_to_text(data)
    assert "| Lamp | 2" in html_to_text(f"<table role=presentation><tr><td>{data}</td></tr></table>")
    hidden = '<div style="display:none">pre</div><p hidden>h</p><style>p{}</style><script>x()</script><p>seen</p>'
    assert html_to_text(hidden).strip() == "seen"
    assert html_to_text('<p>a<img src="https://t.example/o.gif" width=1 height=1 alt="">b</p>').strip() == "ab"
    assert html_to_text('<p><img src="cid:1" alt="sales chart"></p>').strip() == "sales chart"
    assert html_to_text("<!--[if mso]><table><tr><td>mso</td></tr></table><![endif]--><p>ok</p>").strip() == "ok"
    assert html_to_text("<div>" * 20_000 + "words").strip() == "words"
