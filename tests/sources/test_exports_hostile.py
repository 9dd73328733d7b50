"""Exports of notes that are broken, huge or meant to harm end as imported, or with a reason; in linear time."""
# ruff: noqa: E501 (the files of other programs have long lines)

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources.test_exports_cases import zipped
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.model import Document, RawFile, SourceItem, Warn
from vaultmem.sources import READERS, _reader, detect, read
from vaultmem.sources.document.written import parse_written

FORMATS = ("enex", "notion", "keep", "kindle", "apple-notes-html", "mhtml", "textbundle", "takeout", "zip")
HEAD = '<?xml version="1.0"?><!DOCTYPE en-export SYSTEM "e.dtd"><en-export>'
CLIP = "Book (Author)\n- Your Highlight on page 1 | location {}-{} | Added on Tuesday, 5 March 2024 10:00:00\n\n{}\n==========\n"
ID = "0f0e0d0c0b0a09080706050403020100"
PARTS = (
    "<note>", "</note>", "<title>", "</title>", "T", "<content>", "<![CDATA[", "]]>", "</content>", "<en-note>",
    "</en-note>", "<en-todo checked='true'/>", "<en-media hash='x'/>", "<resource>", "<data encoding='base64'>", "####",
    "</data>", "</resource>", "<task>", "</task>", "<created>20240301T080000Z</created>", "<created>99999999T999999Z</created>",
    "&nbsp;", "&#xD800;", "\ufdd0", "\ufdd1", "\0", "[[x]]", "![i](http://e/i)", "<div style='--en-codeblock:true'>", "</div>",
    "<ul style='--en-todo:true'><li>", "\n", "==========\n", "\ufeff", "A (B)\n", "- Your Note on page 1 | location 5 |",
    " Added on 2024年13月40日 25:61", "- Ihre Markierung bei Position 9-3 | x\n", "<Limit>", "```", "# h", "Key: value\n",
    "<aside>\n", "</aside>\n", f"[a](b%20{ID}.md)", f"https://www.notion.so/x-{ID}", "<table><tr><td>", "<object>",
    "<img src='data:image/png;base64,xx'>", "Content-Type: text/html\n\n", "MIME-Version: 1.0\n", "<details>", "%%", "$$",
)  # fmt: skip


def raw(data: bytes | str, name: str = "x") -> RawFile:
    encoded = data if isinstance(data, bytes) else data.encode("utf-8", "replace")
    return RawFile(name=name, data=encoded, modified_at=datetime(2025, 6, 1, tzinfo=UTC))


def items(data: bytes | str, name: str = "x") -> list[SourceItem]:
    return list(read(raw(data, name), Settings()).items)


def documents(data: bytes | str, name: str = "x") -> list[Document]:
    return [item for item in items(data, name) if isinstance(item, Document)]


def note(text: str, title: str = "T") -> str:
    return f"<note><title>{title}</title><content><![CDATA[<en-note>{text}</en-note>]]></content></note>"


@pytest.mark.parametrize(
    ("data", "error", "why"),
    [
        ('<?xml version="1.0"?><!DOCTYPE en-export [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><en-export>' + note("&b;"),
         UnreadableSource, "entities"),
        (f"{HEAD}</en-export>", SkippedSource, "without a note"),
        (zipped({f"A {ID}.md": b" " * 20_000_000}), UnreadableSource, "bomb"),
        (zipped({"Takeout/Keep/a.json": b" " * 20_000_000}), UnreadableSource, "bomb"),
        (zipped({"a.md": b" " * 20_000_000}), UnreadableSource, "bomb"),
        (zipped({}), SkippedSource, "empty ZIP"),
        (zipped({"a.png": b"\x89PNG"}), UnreadableSource, "only pictures"),
        (zipped({"a.zip": zipped({"b.zip": zipped({"a.md": b"# a"})})}), UnreadableSource, "in an archive in an archive"),
        (zipped({"a.zip": zipped({"Takeout/Keep/a.bin": b"\0\1\2\3"})}), UnreadableSource, "unknown kind"),
        (zipped({"Takeout/Photos/a.jpg": b"x"}), UnreadableSource, "without notes"),
        (zipped({"index.html": b"<html>", f"B {ID}/x.png": b"", f"C {ID}.txt": b"",
                 "Export-11111111-2222-3333-4444-555555555555.zip": zipped({})}), SkippedSource, "without a page"),
        ('{"isTrashed": true, "isPinned": false, "title": "t"}', SkippedSource, "bin of Google Keep"),
        ('{"isTrashed": false, "isPinned": false, "textContent": ""}', SkippedSource, "without title or text"),
        ("From: <Saved by Blink>\nMIME-Version: 1.0\nContent-Type: text/plain\n\nx", UnreadableSource, "without any HTML"),
    ],
)  # fmt: skip
def test_refused_with_a_reason(data: bytes | str, error: type[VaultmemError], why: str) -> None:
    with pytest.raises(error, match=why):
        items(data, "x.enex" if isinstance(data, str) else "x.zip")


def test_a_broken_note_costs_no_other() -> None:
    text = f"{HEAD}{note('one')}<note><title>cut<content><![CDATA[<en-note>two{note('three')}<note>"
    bodies = [document.body for document in documents(text)]
    assert any("one" in body for body in bodies)
    assert any("three" in body for body in bodies)


def test_a_note_that_speaks_of_notes_is_one() -> None:
    assert len(documents(f"{HEAD}{note('use </note> to end, <b>x</b>')}{note('b')}</en-export>")) == 2


def test_an_export_in_utf16_is_read() -> None:
    data = f"{HEAD}{note('grün')}</en-export>".encode("utf-16")
    assert detect(raw(data), Settings()) == "enex"
    assert "grün" in documents(data)[0].body


def test_equal_ids_in_one_archive_replace_no_note() -> None:
    found = documents(zipped({f"A {ID}.md": b"# A\n\none", f"B {ID}.md": b"# B\n\ntwo"}))
    assert [bool(document.own_id) for document in found] == [True, False]


def test_a_part_that_cannot_be_read_is_named() -> None:
    found = items(zipped({f"A {ID}.md": b"# A\n\none", f"B {ID}.md": b"\0\1\2" * 99}))
    assert [type(item) for item in found] == [Document, Warn]


@pytest.mark.parametrize(
    "data",
    [
        HEAD + "<note>" * 2_000,
        HEAD + note("<en-todo/>x<br/>" * 5_000),
        HEAD + note("<div><en-todo/>x</div>" * 5_000),
        HEAD + note("<div style='--en-codeblock:true'>" * 3_000 + "x"),
        HEAD + note("<![CDATA[" * 20_000),
        HEAD + f"<note><title>{'x' * 200_000}</title>" + "<tag>t</tag>" * 20_000,
        HEAD + "<note>" + "<resource><data>" * 20_000,
        HEAD + "<note><title>" * 3_000,
        HEAD + "<note>" + "<title><task><content>" * 20_000,
        "".join(CLIP.format(5, 6, f"word {n}") for n in range(1_000)),
        "".join(CLIP.format(n, n + 1, f"word {n}") for n in range(2_000)),
        CLIP.format(1, 2, "x" * 500_000),
        CLIP.format("9" * 10_000, "9" * 10_000, "x"),
        "A " + "(" * 100_000 + "\n" + CLIP.format(1, 2, "x"),
        "==========\n" * 50_000 + CLIP.format(1, 2, "x"),
        zipped({f"A {ID}.md": b"# T\n\n" + b"[a](b" * 50_000}),
        zipped({f"A {ID}.md": b"# T\n\n" + b"<aside>\n" * 50_000}),
        zipped({f"A {ID}.md": b"# T\n\n" + b"https://notion.so/" * 20_000}),
        zipped({f"A {ID}.md": b"# T\n\n" + b"a: b\n" * 20_000}),
        zipped({f"A {ID}.csv": b'"a,' * 50_000}),
        zipped({f"A {ID}.csv": b"a," * 2_000 + b"\n" + b"b\n" * 200}),
        zipped({f"{n} {ID[:-4]}{n:04x}.md": b"# T" for n in range(500)}),
        '<html><body><div class="note"><div class="heading">x</div><div class="content">' + '<div class="listitem">' * 5_000,
        "<html><body><div><object><table>" * 1_000 + "<ul class=\"Apple-dash-list\"><li>" * 1_000,
    ],
    ids=[str(number) for number in range(24)],
)  # fmt: skip
def test_in_linear_time(data: bytes | str) -> None:
    started = time.process_time()
    with suppress(VaultmemError):
        items(data)
    assert time.process_time() - started < 8


@given(st.sampled_from(FORMATS), st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=5)), max_size=40))
def test_any_text_is_read_or_refused(format_: str, parts: list[str]) -> None:
    text = "".join(parts)
    data: dict[str, Any] = {
        "enex": HEAD + "<note>" + text,
        "notion": zipped({f"A {ID}.{end}": text.encode("utf-8", "replace") for end in ("md", "html", "csv")}),
        "keep": '<div class="note"><div class="heading">' + text,
        "kindle": "A (B)\n- " + text,
        "mhtml": "From: <Saved by x>\nContent-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n" + text,
        "textbundle": zipped({"info.json": b"", "text.md": text.encode("utf-8", "replace")}),
        "takeout": zipped({"Takeout/Keep/a.json": b'{"isTrashed":0,"isPinned":1,"title":[]}',
                           "Takeout/Drive/b": text.encode("utf-8", "replace")}),
        "zip": zipped({"a/b": text.encode("utf-8", "replace")}),
    }  # fmt: skip
    try:
        found = list(_reader(format_)(raw(data.get(format_, text)), Settings()).items)
    except VaultmemError:
        return
    for item in found:
        if isinstance(item, Document):
            assert item.body.startswith("# ")
            # The marks that the HTML converter works with never leave it.
            assert format_ not in ("enex", "apple-notes-html", "mhtml") or not set("\ufdd0\ufdd1") & set(item.body)


@given(st.sampled_from([f for f in FORMATS if f in READERS]), st.binary(max_size=200))
def test_any_bytes(format_: str, data: bytes) -> None:
    for content in (data, HEAD.encode() + data, zipped({f"A {ID}.md": data, "Takeout/Keep/x.json": data})):
        try:
            list(_reader(format_)(raw(content), Settings()).items)
        except VaultmemError:
            continue


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4), lambda inner: st.lists(inner, max_size=3)
       | st.dictionaries(st.sampled_from(["text", "name", "url", "filePath", "title", "isChecked"]), inner, max_size=4)),
       st.sampled_from(["title", "textContent", "listContent", "labels", "annotations", "attachments", "sharees",
                        "createdTimestampUsec", "userEditedTimestampUsec", "isTrashed"]))  # fmt: skip
def test_any_keep_json(value: object, key: str) -> None:
    import json

    try:
        items(json.dumps({"isPinned": True, "isArchived": 1, "title": "t", key: value}), "a.json")
    except VaultmemError:
        return


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Added on Sunday, March 3, 2013, 11:21 PM", "2013-03-03T23:21:00"),
        ("Hinzugefügt am Sonntag, 4. März 2012 um 11:12:23 Uhr", "2012-03-04T11:12:23"),
        ("Ajouté le lundi 1 juin 2020 00:00:01", "2020-06-01T00:00:01"),
        ("Ajouté le mercredi 1 juillet 2020 00:00:01", "2020-07-01T00:00:01"),
        ("Aggiunto in data martedì 6 maggio 2014 9:05:00", "2014-05-06T09:05:00"),
        ("Añadido el martes, 7 de octubre de 2014 19:05:00", "2014-10-07T19:05:00"),
        ("Adicionado: terça-feira, 30 de dezembro de 2014 19:05:00", "2014-12-30T19:05:00"),
        ("Toegevoegd op maandag 2 maart 2015 12:00:00", "2015-03-02T12:00:00"),
        ("Добавлено: пятница, 8 мая 2015 г. в 23:59:59", "2015-05-08T23:59:59"),
        ("Dodano: środa, 11 listopada 2015 08:00:00", "2015-11-11T08:00:00"),
        ("5 Mart 2024 Salı 21:07:33", "2024-03-05T21:07:33"),
        ("添加于 2015年8月3日星期一 上午12:07:30", "2015-08-03T00:07:30"),
        ("追加日： 2015年8月3日月曜日 午後12:07:30", "2015-08-03T12:07:30"),
        ("2015년 8월 3일 월요일 오전 11:07:30", "2015-08-03T11:07:30"),
        ("14.11.2023, 23:13:20", "2023-11-14T23:13:20"),
        ("location 12-13", ""),
        ("30 February 2024 10:00", ""),
    ],
)
def test_written_dates(text: str, at: str) -> None:
    found = parse_written(text)
    assert (found.isoformat() if found else "") == at


@given(st.text(alphabet="0123456789年月日:. apmArilMärzмая上午", max_size=30))
def test_any_date(text: str) -> None:
    parse_written(text)
