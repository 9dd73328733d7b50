# ruff: noqa: E501 - lines of XML
"""Presentations, workbooks, OpenDocument, rich text and e-books: made here, as small as their programs allow."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource, VaultmemError
from vaultmem.model import Document, RawFile, Reading, Warn
from vaultmem.sources import read
from vaultmem.sources.identify import identify

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
CORE = (
    '<cp:coreProperties xmlns:cp="x" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="y">'
    "<dc:title>Ferry plan</dc:title><dc:creator>Inês</dc:creator>"
    "<dcterms:created>2024-03-05T10:12:00Z</dcterms:created></cp:coreProperties>"
)


def packed(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def taken(data: bytes, name: str) -> tuple[Reading, Document]:
    raw = RawFile(name=name, data=data, modified_at=datetime(2025, 1, 1, tzinfo=UTC))
    reading = read(raw, Settings())
    return reading, next(item for item in reading.items if isinstance(item, Document))


def relations(*pairs: tuple[str, str]) -> str:
    rows = "".join(
        f'<Relationship Id="rId{n}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(pairs, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{rows}</Relationships>'


def types(main: str, kind: str) -> str:
    return (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/{main}" ContentType="application/vnd.openxmlformats-officedocument.{kind}.main+xml"/></Types>'
    )


def workbook(cells: str) -> bytes:
    sheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return packed(
        {
            "[Content_Types].xml": types("xl/workbook.xml", "spreadsheetml.sheet"),
            "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
            "docProps/core.xml": CORE,
            "xl/workbook.xml": f'<workbook xmlns="{sheet}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="Crossings" sheetId="1" r:id="rId1"/><sheet name="Notes" sheetId="2" r:id="rId2"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                ("worksheet", "worksheets/sheet1.xml"), ("worksheet", "worksheets/sheet2.xml")
            ),
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{sheet}"><sheetData>{cells}</sheetData></worksheet>',
            "xl/worksheets/sheet2.xml": f'<worksheet xmlns="{sheet}"><sheetData><row r="1"><c r="A1" t="inlineStr">'
            "<is><t>[[no link]] and #no-tag</t></is></c></row></sheetData></worksheet>",
        }
    )


def row(number: int, *texts: str) -> str:
    cells = "".join(
        f'<c r="{"ABC"[at]}{number}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
        for at, text in enumerate(texts)
    )
    return f'<row r="{number}">{cells}</row>'


def test_each_sheet_of_a_workbook_is_a_table_under_its_name() -> None:
    reading, found = taken(workbook(row(1, "Boat", "Leaves") + row(2, "Aurora | night", "21:40")), "plan.xlsx")
    assert reading.format == "xlsx"
    assert found.body == (
        "# Ferry plan\n\n## Crossings\n\n| Boat | Leaves |\n| --- | --- |\n| Aurora \\| night | 21:40 |\n\n"
        "## Notes\n\n| A |\n| --- |\n| \\[\\[no link]] and \\#no-tag |\n"
    )
    assert (found.author, found.time_from) == ("Inês", "metadata")
    assert found.created_at == datetime(2024, 3, 5, 10, 12, tzinfo=UTC)


def open_document(kind: str, content: str, more: Mapping[str, str] | None = None) -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table", "draw", "meta")
    )
    head = f'<?xml version="1.0" encoding="UTF-8"?><office:{{0}} {spaces} xmlns:dc="http://purl.org/dc/elements/1.1/">'
    return packed(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "META-INF/manifest.xml": '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
            "content.xml": f"{head.format('document-content')}<office:body>{content}</office:body></office:document-content>",
            "meta.xml": f"{head.format('document-meta')}<office:meta><meta:creation-date>2024-03-05T09:00:00</meta:creation-date>"
            "<dc:creator>Jan</dc:creator></office:meta></office:document-meta>",
            **(more or {}),
        }
    )


def test_an_open_document_keeps_headings_lists_tables_and_notes() -> None:
    note = (
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>'
        "<text:p>Ask Lo.</text:p></text:note-body></text:note>"
    )
    table = "".join(
        f"<table:table-row>{''.join(f'<table:table-cell><text:p>{t}</text:p></table:table-cell>' for t in cells)}</table:table-row>"
        for cells in (("What", "Cost"), ("Train", "40"))
    )
    content = (
        '<office:text><text:h text:outline-level="1">Reise</text:h>'
        f"<text:p>Wir fahren am 5. März.{note} Mit Jan.</text:p>"
        "<text:list><text:list-item><text:p>Pass</text:p></text:list-item><text:list-item><text:p>Karte</text:p>"
        f"</text:list-item></text:list><table:table>{table}</table:table></office:text>"
    )
    reading, found = taken(open_document("text", content), "trip/Wien.odt")
    assert (reading.format, found.title, found.author, found.tree_scope) == ("odt", "Wien", "Jan", "doc:trip")
    assert found.body == (
        "# Wien\n\n# Reise\n\nWir fahren am 5. März.[^1] Mit Jan.\n\n- Pass\n- Karte\n\n"
        "| What  | Cost |\n| ----- | ---- |\n| Train | 40   |\n\n[^1]: Ask Lo.\n"
    )


def test_rich_text_says_who_wrote_it_and_when() -> None:
    data = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title Brief an \'dcbung}{\author Jo}"
        rb"{\creatim\yr2024\mo3\dy5\hr9\min30}}\pard Sch\'f6ne Gr\'fc\'dfe \u8364? 20.\par %% not hidden %%\par}"
    )
    reading, found = taken(data, "a.doc")
    assert (reading.format, found.title, found.author) == ("rtf", "Brief an Übung", "Jo")
    assert found.created_at == datetime(2024, 3, 5, 9, 30, tzinfo=UTC)
    assert found.body == "# Brief an Übung\n\nSchöne Grüße € 20.\n\n\\%\\% not hidden \\%\\%\n"


def test_an_e_book_is_read_in_the_order_of_its_spine() -> None:
    chapter = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>{0}</h1><p>It was <b>cold</b> in {0}.</p></body></html>'
    )
    data = packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            "b.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
            'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>North</dc:title><dc:creator>R. Olsen</dc:creator></metadata>'
            '<manifest><item id="x" href="x.xhtml" media-type="application/xhtml+xml"/>'
            '<item id="y" href="y.xhtml" media-type="application/xhtml+xml"/></manifest>'
            '<spine><itemref idref="y"/><itemref idref="x"/></spine></package>',
            "x.xhtml": chapter.format("Bodø"),
            "y.xhtml": chapter.format("Oslo"),
        }
    )
    reading, found = taken(data, "download")
    assert (reading.format, found.title, found.author) == ("epub", "North", "R. Olsen")
    assert found.body == "# North\n\n# Oslo\n\nIt was **cold** in Oslo.\n\n# Bodø\n\nIt was **cold** in Bodø.\n"


def test_a_document_of_pictures_is_kept_and_says_so() -> None:
    raw = RawFile(
        name="p.odp",
        data=open_document("presentation", "<office:presentation/>"),
        modified_at=datetime(2025, 1, 1, tzinfo=UTC),
    )
    items = list(read(raw, Settings()).items)
    assert isinstance(items[0], Document)
    assert "No text" in items[0].body
    assert items[1] == Warn(text="no text in the document")


@pytest.mark.parametrize("name", ["ppt/presentation.xml", "xl/workbook.xml", "META-INF/container.xml"])
def test_a_broken_one_fails_with_what_to_do(name: str) -> None:
    with pytest.raises(UnreadableSource, match="open it and save a copy"):
        taken(packed({name: "<broken"}), "x")


@given(st.integers(0, 400), st.binary(max_size=8))
def test_damage_ends_in_a_document_or_a_reason(at: int, junk: bytes) -> None:
    whole = workbook(row(1, "a", "b"))
    broken = RawFile(
        name="x", data=whole[:at] + junk + whole[at + len(junk) :], modified_at=datetime(2025, 1, 1, tzinfo=UTC)
    )
    try:
        identify(broken)
        list(read(broken, Settings()).items)
    except VaultmemError:
        pass
