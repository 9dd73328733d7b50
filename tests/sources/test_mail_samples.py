"""The shared samples: every .eml and .mbox agrees with its expected.yaml."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.sources.expected import SAMPLES, problems
from vaultmem.config import Settings
from vaultmem.model import RawFile, Reading, SourceItem, SourceMessage
from vaultmem.sources.mail.mailbox import read_mbox
from vaultmem.sources.mail.message import read_eml

FOLDERS = ("email/eml", "email/reply", "email/mbox", "bugs/15-from-splits-mail", "bugs/19-own-quote-at-end")
Reader = Callable[[RawFile, Settings], Reading]


def cases() -> list[Any]:
    found: list[Any] = []
    for folder in FOLDERS:
        path = SAMPLES / folder / "expected.yaml"
        if not path.exists():
            return [pytest.param(None, None, marks=pytest.mark.skip(reason="the shared samples are not here"))]
        for entry in yaml.safe_load(path.read_text(encoding="utf-8")):
            mail = path.parent / entry.get("file", "")
            if not mail.is_file():
                (mail,) = (p for p in path.parent.iterdir() if p.suffix in (".eml", ".mbox"))
            found.append(pytest.param(mail, entry, id=f"{path.parent.name}-{mail.stem}"))
    return found


def read(path: Path) -> list[SourceItem]:
    reader: Reader = read_mbox if path.suffix == ".mbox" else read_eml
    raw = RawFile(name=path.name, data=path.read_bytes(), modified_at=datetime(2024, 1, 1, tzinfo=UTC))
    return list(reader(raw, Settings(me=("me@example.org",))).items)


@pytest.mark.parametrize(("path", "entry"), cases())
def test_sample(path: Path, entry: dict[str, Any]) -> None:
    items = read(path)
    assert not problems(items, entry)
    first = next(item for item in items if isinstance(item, SourceMessage))
    seen = {
        "from": first.message.author,
        "to": first.message.to,
        "subject": first.message.subject,
        "message_id": first.native_id,
        "date_utc": f"{first.message.sent_at:%Y-%m-%dT%H:%M:%SZ}" if first.message.sent_at else None,
    }
    assert {k: v for k, v in seen.items() if k in entry} == {k: entry[k] for k in seen if k in entry}
    if "date" in entry:
        assert first.message.sent_at is None
    if path.suffix == ".eml":
        assert len(first.attachments) >= len(entry.get("attachments", ()))
