"""PDF: reading order, words divided at line ends, what repeats on every page, what the file says of itself, damage."""

from __future__ import annotations

import contextlib
import io
import random
import time
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.papers import Placed, pdf
from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource, VaultmemError
from vaultmem.model import Document, RawFile, Warn
from vaultmem.sources import detect, read
from vaultmem.sources.document.pdf import read_pdf
from vaultmem.sources.document.pdf_layout import join_lines

AT = datetime(2024, 3, 5, 12, tzinfo=UTC)
LEFT = ["The left column is read", "first, from its top down to", "its end, and it has more", "than one line of words."]
RIGHT = [
    "Then the right column is",
    "read in the same way, line",
    "by line, until nothing of",
    "it remains to be said.",
]


def raw(data: bytes, name: str = "Paper.pdf") -> RawFile:
    return RawFile(name=name, data=data, modified_at=AT)


def document(data: bytes, name: str = "Paper.pdf") -> Document:
    items = list(read(raw(data, name), Settings()).items)
    assert isinstance(items[0], Document)
    return items[0]


def text(data: bytes) -> str:
    return " ".join(document(data).body.partition("\n\n")[2].split())


def lines(texts: list[str], x: float, y: float = 400, size: float = 10, step: float = 12) -> list[Placed]:
    return [(line, x, y - n * step, size) for n, line in enumerate(texts)]


def test_lines_become_paragraphs() -> None:
    page = [*lines(["One sentence that goes on", "in the next line."], 30), *lines(["Another paragraph."], 30, 350)]
    assert document(pdf([page])).body == (
        "# Paper\n\nOne sentence that goes on in the next line.\n\nAnother paragraph.\n"
    )


@pytest.mark.parametrize("order", ["columns", "rows", "right first"])
def test_two_columns_are_read_one_after_the_other(order: str) -> None:
    left, right = lines(LEFT, 20), lines(RIGHT, 210)
    rows = [line for pair in zip(left, right, strict=True) for line in pair]
    page = {"columns": left + right, "rows": rows, "right first": right + left}[order]
    assert text(pdf([page])) == " ".join([*LEFT, *RIGHT])


def test_a_line_across_both_columns_divides_the_page() -> None:
    rows = [line for pair in zip(lines(LEFT, 20), lines(RIGHT, 210), strict=True) for line in pair]
    across = [("Across both of the columns there is one line that is as wide as the page", 20, 340, 10)]
    below = [line for pair in zip(lines(LEFT, 20, 310), lines(RIGHT, 210, 310), strict=True) for line in pair]
    found = text(pdf([rows + across + below]))
    assert found == " ".join([*LEFT, *RIGHT, across[0][0], *LEFT, *RIGHT])


def test_three_columns() -> None:
    columns = [[f"Column {n} says this", "and then it says that", f"before it ends, {n}."] for n in "ABC"]
    placed = [lines(column, 20 + 190 * n) for n, column in enumerate(columns)]
    rows = [line for row in zip(*placed, strict=True) for line in row]
    assert text(pdf([rows], width=600)) == " ".join(line for column in columns for line in column)


def test_the_cells_of_a_table_stay_in_their_row() -> None:
    rows = [("Oars", "2", "30.00"), ("Rope", "1", "12.50"), ("Paint", "4", "48.00"), ("Sail", "1", "300.00")]
    page = [(cell, 30 + 120 * n, 400 - 14 * y, 10) for y, row in enumerate(rows) for n, cell in enumerate(row)]
    found = text(pdf([page]))
    assert "Oars 2 30.00" in found
    assert "Sail 1 300.00" in found


def test_divided_words() -> None:
    page = lines(["We keep the hyphen of well-known words, and a well-", "known one too, but join what is di-",
                  "vided; Nord-", "Ostsee keeps it."], 30)  # fmt: skip
    found = text(pdf([page]))
    assert "a well-known one too" in found
    assert "what is divided;" in found
    assert "Nord-Ostsee" in found
    assert join_lines("pages 3-", "4", ()) == "pages 3-4"


def test_a_sentence_goes_on_overleaf() -> None:
    first, second = lines(["The sentence is not at its"], 30, 60), lines(["end before this page."], 30, 430)
    assert "not at its end before" in text(pdf([first, second]))


def furnished(pages: int, header: str, footer: str) -> bytes:
    return pdf(
        [
            [
                (header.format(n), 20, 480, 8),
                *lines([f"What page {n} alone says.", "Last line."], 30),
                (footer.format(n), 180, 15, 8),
            ]
            for n in range(1, pages + 1)
        ]
    )


def test_what_repeats_on_every_page_stands_once() -> None:
    found = text(furnished(4, "ACME Quarterly", "Page {} of 4"))
    assert found.count("ACME Quarterly") == 1
    assert "of 4" not in found
    assert found.count("Last line.") == 4, "in the middle of the page nothing is a header"
    assert all(f"page {n} alone" in found for n in range(1, 5))
    footer = text(furnished(3, "{}", "Confidential, ACME"))
    assert footer.endswith("Confidential, ACME")
    assert footer.count("Confidential") == 1


def test_two_pages_prove_nothing() -> None:
    assert text(furnished(2, "ACME Quarterly", "Page {} of 2")).count("ACME Quarterly") == 2


def test_what_is_set_larger_is_a_heading() -> None:
    page = [("The Boat", 30, 450, 24), ("How to mend it", 30, 420, 13), *lines(LEFT, 30), ("Paper", 30, 300, 20)]
    body = document(pdf([page])).body
    assert "## The Boat\n\n### How to mend it\n\nThe left" in body


def test_nothing_in_the_text_acts() -> None:
    body = document(pdf([lines(["# no heading [[no link]] #notag <%no%> `x`"], 30)])).body
    assert body == "# Paper\n\n\\# no heading \\[\\[no link]] \\#notag <\\%no%> \\`x\\`\n"


def test_what_it_says_of_itself() -> None:
    info = {"Title": "Microsoft Word - The Boat", "Author": "Noor H.", "CreationDate": "D:20240229090000+01'00'"}
    found = document(pdf([lines(LEFT, 30)], info=info))
    assert (found.title, found.author, found.time_from) == ("The Boat", "Noor H.", "metadata")
    assert found.created_at == datetime(2024, 2, 29, 8, tzinfo=UTC)
    assert found.facts == {"pages": 1}
    nobody = document(pdf([lines(LEFT, 30)], info={"Title": "untitled", "Author": "anonymous", "CreationDate": "x"}))
    assert (nobody.title, nobody.author, nobody.created_at) == ("Paper", "", AT)
    for title in ("lease_final.docx", "", "   ", "12345"):
        assert document(pdf([lines(LEFT, 30)], info={"Title": title})).title == "Paper"


def test_no_text_layer() -> None:
    reading = read_pdf(raw(pdf([[], [], []])), Settings())
    found, warning = list(reading.items)
    assert isinstance(found, Document)
    assert isinstance(warning, Warn)
    assert found.body == "# Paper\n\nNo text (scan?): this PDF has 3 pages and no text layer.\n"
    assert found.facts == {"pages": 3}


def test_an_encrypted_file_says_so() -> None:
    from pypdf import PdfReader, PdfWriter

    from vaultmem.sources.archive import Window

    writer = PdfWriter(clone_from=PdfReader(Window(pdf([lines(LEFT, 30)]))))  # type: ignore[arg-type]
    writer.encrypt("secret", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(UnreadableSource, match="encrypted PDF"):
        read_pdf(raw(out.getvalue()), Settings())
    writer.encrypt("", owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    assert "left column" in text(out.getvalue()), "a password for changes alone locks nothing"


def test_it_is_told_by_its_content() -> None:
    whole = pdf([lines(LEFT, 30)])
    assert detect(raw(whole, "paper.txt"), Settings()) == "pdf"
    assert detect(raw(b"\n\n" + whole, "paper"), Settings()) == "pdf"
    for data in (b"%PDF-1.7\n", whole[:300], b"%PDF-1.4\n" + b"\0" * 1000):
        with pytest.raises(UnreadableSource):
            read(raw(data), Settings())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), changes=st.integers(1, 30))
def test_damage_raises_nothing_else(seed: int, changes: int) -> None:
    data = bytearray(furnished(3, "ACME", "Page {}"))
    dice = random.Random(seed)
    for _ in range(changes):
        at = dice.randrange(8, len(data))
        match dice.randrange(3):
            case 0:
                data[at] = dice.randrange(256)
            case 1:
                del data[at : at + dice.randrange(1, 40)]
            case _:
                data[at:at] = dice.choice([b"99999999999", b"<<", b">>", b"(", b"/Kids [2 0 R]", b"-1", b"\0\xff"])
    start = time.process_time()
    with contextlib.suppress(VaultmemError):
        list(read_pdf(raw(bytes(data)), Settings()).items)
    assert time.process_time() - start < 10


def test_many_pages_in_linear_time() -> None:
    page = [(f"{line} and more of it, over and over again", 30, 480 - 9 * n, 8) for n, line in enumerate(LEFT * 12)]
    start = time.process_time()
    found = document(pdf([page] * 100))
    assert found.facts == {"pages": 100}
    assert time.process_time() - start < 10
