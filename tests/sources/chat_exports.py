"""What the tests of chat readers share: files in memory, messages out of a reading, exports dropped twice and grown."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.vaults import Box
from vaultmem.config import Settings
from vaultmem.model import RawFile, SourceItem, SourceMessage, Warn
from vaultmem.sources import read


def raw_of(found: object, name: str = "result.json") -> RawFile:
    """Bytes and text as they are, everything else as JSON."""
    data = found if isinstance(found, str | bytes) else json.dumps(found, ensure_ascii=False)
    return RawFile(
        name=name,
        data=data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data,
        modified_at=datetime(2025, 1, 1, tzinfo=UTC),
    )


def packed(files: Mapping[str, Any]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content if isinstance(content, str | bytes) else json.dumps(content))
    return out.getvalue()


def items_of(found: object, name: str = "result.json", **settings: Any) -> list[SourceItem]:
    """All items of a file, through detection."""
    return list(read(raw_of(found, name), Settings(**settings)).items)


def messages_of(found: object, name: str = "result.json", **settings: Any) -> list[SourceMessage]:
    return [item for item in items_of(found, name, **settings) if isinstance(item, SourceMessage)]


def warned(items: list[SourceItem]) -> str:
    return " ".join(item.text for item in items if isinstance(item, Warn))


def check_grown(folder: Path, first: object, grown: object, *, name: str, new: list[str]) -> None:
    """Dropped twice, an export adds nothing; grown, it adds the `new` texts, and no note that was there changes."""
    box = Box(folder)
    for _ in range(2):
        box.write(name, _bytes(first))
        rows = box.sync()
    assert [row["outcome"] for row in rows] == ["duplicate"], rows
    before = raw_notes(box)
    box.write(name, _bytes(grown))
    row = next(row for row in box.sync() if row["file"] == name)
    assert row["outcome"] == "imported", row
    after = raw_notes(box)
    assert {path: after[path] for path in before} == before
    added = "\n".join(text for path, text in after.items() if path not in before)
    assert all(text in added for text in new), added
    assert added.count("\n^m-") == len(new), added
    box.digest()


def raw_notes(box: Box) -> dict[str, str]:
    return {path: data.decode() for path, data in box.notes().items() if path.startswith("wiki/raw/")}


def _bytes(found: object) -> bytes:
    return bytes(raw_of(found).data[:])
