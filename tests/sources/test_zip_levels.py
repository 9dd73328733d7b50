"""Archives in archives: one level is opened, the next is named."""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime

import pytest

from vaultmem.config import Settings
from vaultmem.model import Document, RawFile, Warn
from vaultmem.sources import read


def zipped(files: dict[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_one_level_is_opened() -> None:
    deepest = zipped({"c.md": "# C\n\ntoo deep\n"})
    middle = zipped({"notes/b.md": "# B\n\nin the middle\n", "deepest.zip": deepest})
    data = zipped({"a.md": "# A\n\non top\n", "middle.zip": middle})
    raw = RawFile(name="pack.zip", data=data, modified_at=datetime(2025, 1, 1, tzinfo=UTC))
    items = list(read(raw, Settings()).items)
    documents = {item.source_id: item.tree_scope for item in items if isinstance(item, Document)}
    assert documents == {
        "doc:pack.zip/a.md": "doc:pack.zip",
        "doc:pack.zip/middle.zip/notes/b.md": "doc:pack.zip/middle.zip/notes",
    }
    warnings = [item.text for item in items if isinstance(item, Warn)]
    assert warnings == [
        "middle.zip: deepest.zip: an archive in an archive in an archive: unpack it and drop it by itself"
    ]


def test_an_empty_or_broken_one_inside_costs_nothing_else() -> None:
    data = zipped({"bad.zip": b"PK\x03\x04 no", "empty.zip": zipped({}), "a.md": "# A\n\non top\n"})
    raw = RawFile(name="pack.zip", data=data, modified_at=datetime(2025, 1, 1, tzinfo=UTC))
    items = list(read(raw, Settings()).items)
    assert [item.title for item in items if isinstance(item, Document)] == ["A"]
    assert len([item for item in items if isinstance(item, Warn)]) == 2


def test_odd_names_are_read_inside_the_archive_and_links_are_named() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../up.md", "# Up\n\nabove\n")
        archive.writestr("/root/abs.md", "# Abs\n\nabsolute\n")
        archive.writestr(".obsidian/app.json", "{}")
        archive.writestr("twice.md", "# First\n\none\n")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("twice.md", "# Second\n\ntwo\n")
        link = zipfile.ZipInfo("link.md")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "/elsewhere/secret.md")
    raw = RawFile(name="pack.zip", data=out.getvalue(), modified_at=datetime(2025, 1, 1, tzinfo=UTC))
    items = list(read(raw, Settings()).items)
    assert {item.source_id: item.title for item in items if isinstance(item, Document)} == {
        "doc:pack.zip/up.md": "Up",
        "doc:pack.zip/root/abs.md": "Abs",
        "doc:pack.zip/twice.md": "First",
        "doc:pack.zip/twice (2).md": "Second",
    }
    assert [item.text for item in items if isinstance(item, Warn)] == [
        "link.md: symbolic link: links are not followed",
        "1 hidden file of the archive left out",
    ]
