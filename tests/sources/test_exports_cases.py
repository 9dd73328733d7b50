"""Every file and folder of tests/cases/exports (a folder is zipped) beside what is read of it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vaultmem.config import Settings
from vaultmem.model import Attachment, Document, RawFile, SourceItem, SourceMessage, Warn
from vaultmem.sources import detect, read

FOLDER = Path(__file__).parents[1] / "cases/exports"
CASES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".expected")
NAMES = {"notion": "Export-11111111-2222-3333-4444-555555555555.zip", "takeout": "takeout-1.zip"}


def zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def raw_of(path: Path) -> RawFile:
    data = path.read_bytes() if path.is_file() else zipped(
        {p.relative_to(path).as_posix(): p.read_bytes() for p in sorted(path.rglob("*")) if p.is_file()}
    )  # fmt: skip
    return RawFile(name=NAMES.get(path.name, path.name), data=data, modified_at=datetime(2025, 6, 1, tzinfo=UTC))


def lines(item: SourceItem) -> Iterator[str]:
    match item:
        case Document():
            last = f" .. {item.last_at:%Y-%m-%dT%H:%M:%SZ}" if item.last_at else ""
            yield f"=== {item.source_id} | {item.tree_scope} | {item.own_id}"
            yield f"time: {item.created_at:%Y-%m-%dT%H:%M:%SZ}{last} ({item.time_from})"
            for key in ("author", "properties", "tags", "links", "attachments", "facts"):
                if getattr(item, key):
                    yield f"{key}: {getattr(item, key)}"
            yield from ("cues: priority" for _ in item.cues)
            yield f"---\n{item.body}"
        case Warn():
            yield f"! {item.text}"
        case Attachment():
            yield f"+ {item.name}: {item.data.decode()}"
        case SourceMessage():
            yield f"> {item.source_id} {item.message.author}: {item.message.text}"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_case(path: Path, update: bool) -> None:
    raw = raw_of(path)
    assert detect(raw, Settings()) == read(raw, Settings()).format
    reading = read(raw, Settings(timezone="Europe/Berlin"))
    found = "\n".join([f"{reading.format}, {reading.tz}", *(line for item in reading.items for line in lines(item))])
    beside = path.with_name(f"{path.name}.expected")
    if update:
        beside.write_text(found, encoding="utf-8")
    assert beside.read_text(encoding="utf-8") == found
