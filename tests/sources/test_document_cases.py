"""Readable cases: a table, a calendar or a drawing as it is dropped, and beside it (`.expected`) what becomes of it."""

from __future__ import annotations

import contextlib
import random
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.papers import docx, packed, paragraph
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource, VaultmemError
from vaultmem.model import Document, RawFile, Reading, Warn
from vaultmem.sources import detect, read
from vaultmem.sources.document.csv_table import delimiter_of

CASES = Path(__file__).parents[1] / "cases" / "documents"
FILES = sorted(path for path in CASES.iterdir() if path.suffix != ".expected")
SETTINGS = Settings(timezone="Europe/Berlin")
AT = datetime(2025, 1, 1, tzinfo=UTC)
NS = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def raw(data: bytes | str, name: str) -> RawFile:
    return RawFile(name=name, data=data.encode() if isinstance(data, str) else data, modified_at=AT)


def document(data: bytes | str, name: str) -> Document:
    found = next(iter(read(raw(data, name), SETTINGS).items))
    assert isinstance(found, Document)
    return found


def report(reading: Reading) -> str:
    parts = [f"{reading.format}; {reading.tz}"]
    for item in reading.items:
        if isinstance(item, Warn):
            parts.append(f"! {item.text}")
            continue
        assert isinstance(item, Document)
        parts.append(
            f"{item.title}; {item.created_at.isoformat()} from {item.time_from}; own id: {item.own_id or 'none'}"
        )
        parts.append(f"facts {dict(item.facts)}, tags {list(item.tags)}, links {list(item.links)}")
        parts.append(item.body)
    return "\n".join(parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_case(path: Path, update: bool) -> None:
    found = report(read(raw(path.read_bytes(), path.name), SETTINGS))
    beside = path.with_name(f"{path.name}.expected")
    if update:
        beside.write_text(found, encoding="utf-8")
    assert beside.read_text(encoding="utf-8") == found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),
        ("a,b\n1,2\n", ","),
        ("a\tb, c\n1\t2, 3\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ('"x;y",b\n"1;2;3",4\n', ","),
        ("one\ntwo\n", ""),
    ],
)
def test_what_stands_between_the_cells(text: str, wanted: str) -> None:
    assert delimiter_of(text) == wanted


def test_a_long_table_and_a_long_cell() -> None:
    start = time.process_time()
    long = "x" * 300_000
    found = document(
        "id,text,more\n" + "".join(f"{n},some text,more of it\n" for n in range(20_000)) + f"1,{long},z\n", "t.csv"
    )
    assert found.facts == {"notes_count": 20_001}
    assert found.body.count("\n") == 20_001 + 4
    assert long in found.body
    assert time.process_time() - start < 10


def test_kinds_are_told_by_content() -> None:
    assert detect(raw("BEGIN:VCALENDAR\nEND:VCALENDAR", "x.txt"), SETTINGS) == "ics"
    assert detect(raw("a,b,c\n1,2,3\n4,5,6\n", "data.dat"), SETTINGS) == "csv"
    assert detect(raw("One, two, three.\nFour, five, six.\n", "poem.txt"), SETTINGS) == "txt"
    assert detect(raw('{"nodes":[],"edges":[]}', "x.json"), SETTINGS) == "canvas"
    assert detect(raw('{"type":"excalidraw","elements":[]}', "x.json"), SETTINGS) == "excalidraw"
    assert detect(raw(docx(paragraph("x")), "x.bin"), SETTINGS) == "docx"
    assert detect(raw("---\ntags: [a]\n---\ntext", "x.excalidraw.md"), SETTINGS) == "md"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ('{"nodes":[],"edges":[]}', "a.canvas"), ('{"type":"excalidraw","elements":[]}', "a.excalidraw"),
        (",,\n,,\n", "a.csv"),
    ],
)  # fmt: skip
def test_nothing_in_it_is_skipped(data: str, name: str) -> None:
    with pytest.raises(SkippedSource):
        read(raw(data, name), SETTINGS)


def test_a_calendar_of_nothing_fails_with_a_reason() -> None:
    with pytest.raises(UnreadableSource, match="without any event"):
        read(raw("BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR", "a.ics"), SETTINGS)


def test_one_calendar_changes_no_other() -> None:
    """A zone that a file makes up ends with that file."""
    zone = (
        "BEGIN:VTIMEZONE\nTZID:Ship\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:{0}\nTZOFFSETTO:{0}\n"
        "END:STANDARD\nEND:VTIMEZONE\n"
    )
    event = "BEGIN:VEVENT\nUID:1\nDTSTART;TZID=Ship:20240301T120000\nSUMMARY:x\nEND:VEVENT\n"
    for offset, first in (("+0300", "2024-03-01T09:00:00Z"), ("-0500", "2024-03-01T17:00:00Z")):
        text = f"BEGIN:VCALENDAR\n{zone.format(offset)}{event}END:VCALENDAR\n"
        assert document(text, "a.ics").facts["first"] == first


def test_a_zone_that_never_rests_costs_no_time() -> None:
    start = time.process_time()
    text = (
        "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Mad\nBEGIN:STANDARD\nDTSTART:16010101T000000\nRRULE:FREQ=SECONDLY\n"
        "TZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:STANDARD\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:1\n"
        "DTSTART;TZID=Mad:20240301T120000\nRRULE:FREQ=SECONDLY\nSUMMARY:x\nEND:VEVENT\nEND:VCALENDAR\n"
    )
    assert document(text, "a.ics").title == "x"
    assert time.process_time() - start < 5


WORD = docx(
    '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Lease</w:t></w:r></w:p>'
    + paragraph("The boat &amp; [[oars]] # no tag.")
    + "<w:p><w:r><w:t>See the note</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>"
    + "<w:r><w:t>. End.</w:t></w:r></w:p>"
    + "<w:tbl><w:tr><w:tc>" + paragraph("Item") + "</w:tc><w:tc>" + paragraph("Price|EUR") + "</w:tc></w:tr>"
    + "<w:tr><w:tc>" + paragraph("Oars") + "</w:tc><w:tc>" + paragraph("30") + "</w:tc></w:tr></w:tbl>",
    {
        "word/footnotes.xml": f"<w:footnotes {NS}><w:footnote w:id='2'>{paragraph('A footnote.')}</w:footnote>"
        "</w:footnotes>",
        "docProps/core.xml": '<cp:coreProperties xmlns:cp="a" xmlns:dc="b" xmlns:dcterms="c">'
        "<dc:title>Old lease</dc:title><dc:creator>Noor H.</dc:creator>"
        "<dcterms:created>2024-02-29T08:00:00Z</dcterms:created></cp:coreProperties>",
    },
)  # fmt: skip


def test_a_word_document() -> None:
    found = document(WORD, "x.docx")
    assert (found.title, found.author, found.created_at) == (
        "Old lease",
        "Noor H.",
        datetime(2024, 2, 29, 8, tzinfo=UTC),
    )
    assert found.time_from == "metadata"
    assert found.body == (
        "# Old lease\n\n# Lease\n\nThe boat & \\[\\[oars]] # no tag.\n\nSee the note.[^1] End.\n\n"
        "| Item | Price\\|EUR |\n| ---- | ---------- |\n| Oars | 30         |\n\n[^1]: A footnote.\n"
    )


@pytest.mark.parametrize(
    "data",
    [
        packed({"word/document.xml": ""}),
        packed({"word/document.xml": "<w:document/>"}),
        packed({"word/document.xml": "<a>" * 50_000}),
        packed({"word/document.xml": f"<w:document {NS}><w:body>{'<w:p><w:r>' * 3000}</w:body></w:document>"}),
        docx(f"{'<w:tbl><w:tr><w:tc>' * 400}{'</w:tc></w:tr></w:tbl>' * 400}"),
        docx(paragraph("x"), {"docProps/core.xml": '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'}),
        WORD[:-40],
        WORD[:200],
    ],
    ids=["empty", "no body", "open", "unclosed", "deep", "dtd in properties", "cut", "cut short"],
)
def test_damaged_word_documents_end_with_a_reason_or_a_note(data: bytes) -> None:
    with contextlib.suppress(UnreadableSource):
        assert document(data, "x.docx").title


SEEDS = {path.name: path.read_bytes() for path in FILES} | {"x.docx": WORD}


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=st.sampled_from(sorted(SEEDS)), seed=st.integers(0, 2**32), changes=st.integers(1, 20))
def test_damage_raises_nothing_else(name: str, seed: int, changes: int) -> None:
    data, dice = bytearray(SEEDS[name]), random.Random(seed)
    for _ in range(changes):
        at = dice.randrange(len(data)) if data else 0
        match dice.randrange(4):
            case 0 if data:
                data[at] = dice.randrange(256)
            case 1:
                del data[at : at + dice.randrange(1, 60)]
            case 2:
                data[at:at] = data[dice.randrange(len(data) + 1) :][: dice.randrange(80)]
            case _:
                data[at:at] = dice.choice(
                    [b"\n", b"\0", b"\xff\xfe", b'"', b";", b"\\", b"BEGIN:VEVENT\n", b"99999999", b"{"]
                )
    start = time.process_time()
    with contextlib.suppress(VaultmemError):
        list(read(raw(bytes(data), name), SETTINGS).items)
    assert time.process_time() - start < 10
