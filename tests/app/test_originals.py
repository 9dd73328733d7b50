"""Where originals go: shown in the vault when a person looks at them and nothing in them is secret, else private."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.papers import docx, paragraph, pdf
from tests.vaults import Box, bytes_below

LEASE = pdf([[("The lease of the boat runs until May.", 30, 400, 12)]])
SECRET = "gh" + "p_" + "0123456789abcdefghijABCDEFGHIJ012345"


def originals(box: Box) -> set[str]:
    found = [path.read_text(encoding="utf-8") for path in (box.root / "wiki/raw").rglob("*.md")]
    return {match for text in found for match in re.findall(r'^original: "?(.*?)"?$', text, re.MULTILINE)}


def archived(box: Box) -> dict[str, bytes]:
    folder = box.root / "wiki/archive"
    return {p.relative_to(box.root).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_pdf_is_shown_and_its_notes_link_to_it(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("Lease.pdf", LEASE)
    (row,) = box.sync()
    assert row["outcome"] == "imported"
    assert row["pages"] == 1
    assert archived(box) == {"wiki/archive/2023/11/Lease.pdf": LEASE}
    assert originals(box) == {"[[wiki/archive/2023/11/Lease.pdf|Lease.pdf]]"}
    assert not list(box.data.rglob("originals/*"))
    digest = box.digest()
    assert box.sync() == []
    assert box.digest() == digest


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Lease.pdf", pdf([[(f"token {SECRET}", 30, 400, 9)]])),
        ("Lease.pdf", pdf([[("A lease of the boat.", 30, 400, 9)]], info={"Subject": SECRET})),
        (f"Lease {SECRET}.pdf", LEASE),
        ("Lease.docx", docx(paragraph("A lease of the boat.") + paragraph(SECRET))),
        ("Lease.docx", docx(paragraph("A lease."), {"word/header1.xml": f"<w:hdr NS>{paragraph(SECRET)}</w:hdr>"})),
        (
            "Lease.docx",
            docx(f"{paragraph('A lease.')}<w:p><w:del><w:r><w:delText>{SECRET}</w:delText></w:r></w:del></w:p>"),
        ),
        ("Lease.docx", docx(f"{paragraph('A lease.')}<w:p><w:r><w:t>{SECRET[:9]}</w:t></w:r><w:r><w:t>{SECRET[9:]}"
                            "</w:t></w:r></w:p>")),
        ("Lease.pdf", LEASE + b"%" * (5 * 1024 * 1024)),
    ],
    ids=["text", "metadata", "name", "word", "header", "deleted", "split over runs", "too large"],
)  # fmt: skip
def test_what_holds_a_secret_or_is_large_is_kept_privately(tmp_path: Path, name: str, data: bytes) -> None:
    box = Box(tmp_path)
    box.write(name, data)
    (row,) = box.sync()
    assert row["outcome"] == "imported"
    assert archived(box) == {}
    assert originals(box) == {"private"}
    assert [path.read_bytes() for path in box.data.rglob("originals/*")] == [data]
    assert SECRET.encode() not in bytes_below(box.root)


def test_the_setting_decides(tmp_path: Path) -> None:
    for setting, shown in (("private", set()), ("vault", {"Lease.pdf", "Note.md", "Chat.txt"})):
        box = Box(tmp_path / setting, config=f"archive: {setting}\n")
        box.write("Lease.pdf", LEASE)
        box.write("Note.md", "# Note\n\nA plan for the boat.\n")
        box.write("Chat.txt", "01/03/2024, 09:00 - Ann: the boat is ready\n01/03/2024, 09:01 - Bo: fine, tomorrow")
        box.write("Secret.md", f"# Keys\n\n{SECRET} is the one\n")
        assert {row["outcome"] for row in box.sync()} == {"imported"}
        assert {path.rpartition("/")[2] for path in archived(box)} == shown
        assert SECRET.encode() not in bytes_below(box.root)


def test_names_that_clash_and_content_that_comes_again(tmp_path: Path) -> None:
    box = Box(tmp_path)
    other = pdf([[("Another lease, of the house this time.", 30, 400, 12)]])
    box.write("a/Lease.pdf", LEASE)
    box.write("b/LEASE.pdf", other)
    box.write("c/Lease.pdf", LEASE, at=1_710_000_000)
    rows = {row["file"]: row["outcome"] for row in box.sync()}
    assert set(archived(box).values()) == {LEASE, other}
    assert len(archived(box)) == 2
    assert rows["a/Lease.pdf"] == rows["b/LEASE.pdf"] == "imported"
    assert rows["c/Lease.pdf"] == "duplicate"
    links = {f"[[{path}|{path.rpartition('/')[2]}]]" for path in archived(box)}
    assert originals(box) == links
    box.write("a/Lease.pdf", LEASE, at=1_720_000_000)
    assert [row["outcome"] for row in box.sync()] == ["duplicate"]
    assert len(archived(box)) == 2
    assert not [path for path in (box.root / "inbox").rglob("*") if path.is_file()]


LONG = docx(
    "".join(paragraph(f"Clause {n} of the lease. " + f"The boat lies at berth {n} all year. " * 30) for n in range(40))
)


@pytest.mark.parametrize(
    "data", [docx(paragraph("The lease of the boat runs until May.")), LONG], ids=["short", "long"]
)
def test_the_very_file_under_another_name_is_a_duplicate(tmp_path: Path, data: bytes) -> None:
    box = Box(tmp_path)
    box.write("papers/Lease.docx", data)
    (first,) = box.sync()
    before, digest = box.notes(), box.digest()
    box.write("Lease (1).docx", data, at=1_720_000_000)
    (row,) = box.sync()
    assert (row["outcome"], row["reason"]) == ("duplicate", "the same file as papers/Lease.docx")
    assert (row["source_ids"], set(row["notes"])) == (first["source_ids"], set(first["notes"]))  # type: ignore[call-overload]
    assert (box.notes(), box.digest()) == (before, digest)
    assert not [path for path in (box.root / "inbox").rglob("*") if path.is_file()]


def test_it_comes_in_again_where_the_first_no_longer_says_it(tmp_path: Path) -> None:
    """An older version under another name is no duplicate of the newer one; nor of what a person deleted."""
    old = docx(paragraph("The lease runs until May.") + paragraph("The rent is nine guilders."))
    box = Box(tmp_path)
    box.write("Lease.docx", old)
    box.sync()
    box.write("Lease.docx", docx(paragraph("The lease runs until May.")), at=1_720_000_000)
    box.sync()
    assert "guilders" not in "".join(path.read_text() for path in (box.root / "wiki/raw").rglob("*.md"))
    box.write("Lease of last year.docx", old)
    (row,) = box.sync()
    assert row["outcome"] == "imported"
    assert "guilders" in "".join(path.read_text() for path in (box.root / "wiki/raw").rglob("*.md"))


def test_another_file_of_equal_name_stays_beside_it(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("Lease.docx", docx(paragraph("The lease of the boat runs until May.")))
    box.sync()
    box.write("Lease.docx", docx(paragraph("Quite another lease, of the house.")))
    assert [row["outcome"] for row in box.sync()] == ["imported"]
    assert len(list((box.root / "wiki/raw").rglob("*.md"))) == 2
