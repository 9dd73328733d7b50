"""Pictures: what they are told by, and what they say of themselves."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.config import Settings
from vaultmem.model import Document, RawFile
from vaultmem.sources import read

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0"


def jpeg(caption: str = "Sunset over Graz", made: str = "2024:03:05 18:12:33") -> bytes:
    """A JPEG with nothing in it but what its camera says."""
    texts = [(0x010E, caption), (0x010F, "Acme"), (0x0110, "Acme One")]
    exif = [(0x9003, made), (0x9011, "+01:00")]
    start = 8 + 2 + 12 * (len(texts) + 1) + 4
    data = b""

    def entry(tag: int, text: str) -> bytes:
        nonlocal data
        raw = text.encode() + b"\0"
        place = start + 2 + 12 * len(exif) + 4 + len(data)
        data += raw + b"\0" * (-len(raw) % 4) if len(raw) > 4 else b""
        return struct.pack("<HHI", tag, 2, len(raw)) + (
            raw.ljust(4, b"\0") if len(raw) <= 4 else struct.pack("<I", place)
        )

    first = b"".join(entry(*pair) for pair in texts) + struct.pack("<HHII", 0x8769, 4, 1, start)
    second = b"".join(entry(*pair) for pair in exif)
    tiff = b"II*\0\x08\0\0\0" + struct.pack("<H", len(texts) + 1) + first + bytes(4)
    tiff += struct.pack("<H", len(exif)) + second + bytes(4) + data
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff + b"\xff\xda\0\2\xff\xd9"


def taken(data: bytes, name: str) -> Document:
    reading = read(RawFile(name=name, data=data, modified_at=datetime(2025, 1, 1, tzinfo=UTC)), Settings())
    assert reading.format == "image"
    (found,) = reading.items
    assert isinstance(found, Document)
    return found


def test_a_photo_says_when_and_with_what_it_was_taken() -> None:
    found = taken(jpeg(), "IMG_2034.jpg")
    assert found.body == "# IMG_2034\n\nPicture (JPEG), taken 2024-03-05 18:12, with Acme One.\n\nSunset over Graz\n"
    assert (found.created_at, found.time_from) == (datetime(2024, 3, 5, 17, 12, 33, tzinfo=UTC), "metadata")


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("Screenshot 2024-03-06 at 10.11.12.png", "2024-03-06T10:11:12"),
        ("Screenshot 2024-03-06 at 6.11.12 PM.png", "2024-03-06T18:11:12"),
        ("Bildschirmfoto 2024-03-06 um 10.11.12.png", "2024-03-06T10:11:12"),
        ("PXL_20240306_101112345.png", "2024-03-06T10:11:12"),
        ("IMG-20240306-WA0004.png", "2024-03-06T00:00:00"),
        ("Screenshot_20240306-101112_Maps.png", "2024-03-06T10:11:12"),
    ],
)
def test_a_picture_that_says_nothing_has_the_time_of_its_name(name: str, at: str) -> None:
    assert taken(PNG, name).created_at.isoformat() == f"{at}+00:00"


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"RIFF\x10\0\0\0WEBPVP8 ", "WebP"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
        (b"\0\0\0\x18ftypavif\0\0\0\0", "AVIF"),
        (b"GIF89a\1\0\1\0", "GIF"),
        (b"MM\0*\0\0\0\x08", "TIFF"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><text>Kitchen</text></svg>', "SVG"),
        (jpeg()[:90], "JPEG"),
        (b"\xff\xd8\xff" + bytes(range(256)), "JPEG"),
    ],
)
def test_broken_and_bare_ones_are_kept_all_the_same(head: bytes, kind: str) -> None:
    assert f"Picture ({kind})" in taken(head, "x").body


def test_its_note_shows_it_and_dropped_again_it_stands_once(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("IMG_2034.jpg", jpeg())
    (row,) = box.sync()
    assert (row["outcome"], row["format"]) == ("imported", "image")
    kept = [path for path in box.notes() if path.startswith("wiki/archive/")]
    assert len(kept) == 1
    (note,) = [data.decode() for path, data in box.notes().items() if path.startswith("wiki/raw/")]
    assert note.endswith(f"Sunset over Graz\n\n![[{kept[0]}]]\n")
    assert 'memory_status: "admitted"' in note or "memory_status: admitted" in note
    box.write("IMG_2034.jpg", jpeg())
    (again,) = box.sync()
    assert again["outcome"] == "duplicate"
    assert [path for path in box.notes() if path.startswith("wiki/archive/")] == kept


def test_a_caption_with_a_secret_hides_the_picture(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("whiteboard.jpg", jpeg(caption="gh" + "p_" + "a1B2" * 9))
    (row,) = box.sync()
    assert row["redacted"] == {"github-pat-classic": 1}
    assert not [path for path in box.notes() if path.startswith("wiki/archive/")]
    assert not any(b"a1B2a1B2" in data for data in box.notes().values())
