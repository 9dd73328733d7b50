"""Detection by content: the samples, every name for every content, and reasons a person can act on."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import RawFile
from vaultmem.sources import READERS, detect, read
from vaultmem.sources.identify import identify

CHAT = "13.03.24, 21:02 - Ann: hi\n13.03.24, 21:03 - Bo: ho\n"
OLE = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500)
DAY = json.dumps([{"type": "message", "user": "U1", "text": "x", "ts": "1709629200.000100"}])
TALK = json.dumps([{"title": "t", "mapping": {"r": {"id": "r", "message": None, "parent": None, "children": []}}}])
MAIL = "From: Ann <a@example.com>\nTo: b@example.com\nSubject: x\nDate: Tue, 5 Mar 2024 10:00:00 +0000\n\nhello\n"


def raw(data: bytes | str, name: str) -> RawFile:
    content = data.encode() if isinstance(data, str) else data
    return RawFile(name=name, data=content, modified_at=datetime(2025, 1, 1, tzinfo=UTC))


def zipped(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


CONTENTS: list[tuple[str, bytes | str]] = [
    ("whatsapp", CHAT),
    ("whatsapp", "\ufeff" + CHAT.replace("\n", "\r\n")),
    ("whatsapp", CHAT.encode("utf-16")),
    ("whatsapp", zipped({"_chat.txt": CHAT, "a.jpg": ""})),
    ("slack", DAY),
    ("slack", zipped({"users.json": "[]", "channels.json": "[]", "general/2024-03-05.json": DAY})),
    ("slack", zipped({"general/2024-03-05.json": DAY, "random/2024-03-05.json": DAY})),
    ("slack", zipped({"export/users.json": "[]", "export/general/2024-03-05.json": DAY})),
    ("chatgpt", TALK),
    ("chatgpt", "\ufeff" + TALK),
    ("chatgpt", json.dumps(json.loads(TALK)[0])),
    ("chatgpt", json.dumps([{"title": "no tree"}, *json.loads(TALK)])),
    ("chatgpt", zipped({"chat.html": "<html>", "user.json": "{}", "conversations.json": TALK})),
    ("chatgpt", zipped({"export/conversations-000.json": TALK, "export/conversations-001.json": TALK})),
    ("html", "<!DOCTYPE html>\n<html><body>x"),
    ("html", "\ufeff\r\n <HTML lang=en>x"),
    ("html", '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html><html xmlns="x"><body/></html>'),
    ("html", "<!-- saved from url=(0020)https://example.com/ -->\n<html><body>x"),
    ("eml", MAIL),
    ("eml", MAIL.replace("\n", "\r\n")),
    ("eml", "Message-ID: <1@x>\nSubject: only these\n\nbody"),
    ("eml", "MIME-Version: 1.0\nContent-Type: application/octet-stream\n\n\x00\x01\x02"),
    ("mbox", f"From a@example.com Tue Mar  5 10:00:00 2024\n{MAIL}\nFrom b@x Tue Mar  5 11:00:00 2024\n{MAIL}"),
]


@pytest.mark.parametrize(("format_", "data"), CONTENTS)
@pytest.mark.parametrize("name", ["foo", "foo.md", "foo.dat", "foo.txt", "foo.eml", "foo.zip", "foo.png"])
def test_the_name_does_not_matter(format_: str, data: bytes | str, name: str) -> None:
    assert identify(raw(data, name)) == format_


@pytest.mark.parametrize(
    ("name", "text", "format_"),
    [
        ("a.md", "plain words", "md"),
        ("a.txt", "# looks like a heading\n[[x]]", "txt"),
        ("a", "---\ntitle: x\n---\nbody", "md"),
        ("a", "# Title\n\nbody", "md"),
        ("a", "plain words", "txt"),
        ("A.TXT", "x", "txt"),
        ("a.md", "From Monday on it rains.\nSubject to change: no.\n", "md"),
        ("a.md", "title: x\ndate: 2024\n\nno mail", "md"),
        ("a.md", "From: the desk of Ann\n\nA letter.", "md"),
        ("a.txt", "Minutes\n13.03.24, 21:02 - Ann: quoted\n", "txt"),
        ("a.md", "[1] a footnote\n", "md"),
        ("a.md", "{ not json\n", "md"),
        ("a.md", "[link](x)\n", "md"),
        ("a.md", "<div>html inside</div>\n\ntext", "md"),
        ("a.html", "<p>a fragment", "html"),
        ("a.HTM", "<!-- x --><p>a fragment", "html"),
        ("a.html", "plain words", "txt"),
        ("a.md", "[]", "md"),
        ("a.md", "MZ are my initials", "md"),
        ("a.txt", "BZh is short for", "txt"),
    ],
)
def test_prose(name: str, text: str, format_: str) -> None:
    assert identify(raw(text, name)) == format_


@pytest.mark.parametrize(
    "data", [b"", b" \r\n\t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n", b"\xff\xfe", b"\xff\xfe \0\n\0", "\u00a0\u3000"]
)
def test_empty_files_are_skipped(data: bytes | str) -> None:
    with pytest.raises(SkippedSource, match="empty"):
        read(raw(data, "a.md"), Settings())
    assert detect(raw(data, "a.md"), Settings()) is None


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\0\0\0\x18ftypmp42", "a film or sound"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture that is called .md"),
        (b"RIFF\0\0\0\0WAVEfmt ", "a sound or film"),
        (zipped({"Index/Document.iwa": "x", "Metadata/p.plist": "y"}), "Pages, Numbers or Keynote.*export it as"),
        (OLE + "EncryptedPackage".encode("utf-16-le") + bytes(8), "with a password: save a copy without one"),
        (OLE + "__properties_version1.0".encode("utf-16-le") + bytes(8), "an Outlook message.*save it as .eml"),
        (OLE + bytes(600), "an old Office file of unknown kind"),
        (b"PK\x03\x04 broken", "cannot be opened"),
        (b"\0\1\2\3" * 100, "a binary file of unknown kind"),
        (b"\0" * 5000, "a binary file of unknown kind"),
        ("[" * 100_000, None),
    ],
)
def test_what_is_refused_says_what_it_looks_like(data: bytes | str, what: str | None) -> None:
    if what is None:
        assert identify(raw(data, "a.md")) == "md"
        return
    with pytest.raises(UnreadableSource, match=what):
        identify(raw(data, "a.md"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('<?xml version="1.0"?><feed>', "an XML file"),
        ("BEGIN:VCARD\nVERSION:4.0\nFN:Ann\nEND:VCARD\n", "a contact card"),
        ('{"a": 1}', "JSON of an unknown kind"),
        ('[{"a": 1}, [2]]', "JSON of an unknown kind"),
        ('[\n {"ts": "1", "user": "U1",\n', "looks like JSON, but it is broken"),
    ],
)
def test_data_is_refused_unless_its_owner_calls_it_a_note(text: str, what: str) -> None:
    for name in ("a.json", "a.txt", "a", "a.data"):
        with pytest.raises(UnreadableSource, match=what):
            identify(raw(text, name))
    for name in ("a.md", "Notes/A.MD", "a.markdown"):
        assert identify(raw(text, name)) == "md"
        [item] = read(raw(text, name), Settings()).items
        assert text.strip() in getattr(item, "body", "")


def test_an_index_beside_a_mailbox_is_left_alone() -> None:
    with pytest.raises(SkippedSource, match="Thunderbird"):
        identify(raw('// <!-- <mdb:mork:z v="1.4"/> -->\n< <(a=c)> // (f=iso-8859-1)\n', "Inbox.msf"))


def test_a_zip_bomb_is_refused() -> None:
    bomb = zipped({"users.json": "[]", "channels.json": "[]", "general/2024-03-05.json": " " * 40_000_000})
    with pytest.raises(UnreadableSource, match="bomb"):
        read(raw(bomb, "slack.zip"), Settings())


def test_the_samples_of_the_formats_that_are_read() -> None:
    folders = {
        "chat/whatsapp": "",
        "chat/slack": "",
        "chat/chatgpt": "",
        "doc/html": "",
        "email/eml": "",
        "email/mbox": "",
        "doc/md": "md",
        "doc/txt": "",
    }
    for folder in folders:
        for entry in expected.entries(folder):
            if entry["outcome"] == "import":
                path = expected.SAMPLES / folder / entry["file"]
                assert identify(raw(path.read_bytes(), path.name)) == entry["format"], entry["file"]


def test_every_format_has_its_reader() -> None:
    for place in READERS.values():
        module, _, function = place.partition(":")
        assert callable(getattr(import_module(module), function)), place


@given(st.one_of(st.binary(), st.text().map(lambda t: t.encode("utf-8", "replace"))))
def test_any_bytes_get_a_format_or_a_reason(data: bytes) -> None:
    try:
        found = identify(raw(data, "x"))
    except (SkippedSource, UnreadableSource):
        return
    assert found in READERS
