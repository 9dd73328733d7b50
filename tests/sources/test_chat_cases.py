"""Readable cases: a chat as it is dropped, and beside it (`.expected`) what is read out of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from vaultmem.config import Settings
from vaultmem.model import RawFile, Reading, SourceItem, SourceMessage, Warn
from vaultmem.sources import read

CASES = Path(__file__).parents[1] / "cases"
ROOMS = ("whatsapp", "slack", "irc", "claude", "transcript", "discord", "telegram", "signal", "teams")
FILES = sorted(p for room in ROOMS for p in (CASES / room).rglob("*") if p.is_file() and p.suffix != ".expected")
SETTINGS = Settings(timezone="Europe/Berlin", me=("Mia",))


def shown(item: SourceItem) -> str:
    if isinstance(item, Warn):
        return f"! {item.text}"
    assert isinstance(item, SourceMessage)
    facts = [*sorted(item.cues), *(["system"] if item.system else []), *(f"+{name}" for name in item.attachments)]
    facts += [f"answers {item.reply_to}"] if item.reply_to else []
    head = f"{item.message.sent_at:%Y-%m-%dT%H:%M:%S.%fZ} [{item.message.author}] {' '.join(facts)}".rstrip()
    return "\n".join([head, *(f"    {line}".rstrip() for line in item.message.text.split("\n"))])


def report(reading: Reading) -> str:
    items = list(reading.items)
    sources = sorted({i.source_id for i in items if isinstance(i, SourceMessage)})
    return "\n".join([f"{reading.format}; {reading.tz}; {', '.join(sources)}", *map(shown, items), ""])


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_case(path: Path, update: bool) -> None:
    name = "/".join(path.relative_to(CASES).parts[1:])
    raw = RawFile(name=name, data=path.read_bytes(), modified_at=datetime(2025, 1, 1, tzinfo=UTC))
    found, beside = report(read(raw, SETTINGS)), path.with_name(f"{path.name}.expected")
    if update:
        beside.write_text(found, encoding="utf-8")
    assert beside.read_text(encoding="utf-8") == found
