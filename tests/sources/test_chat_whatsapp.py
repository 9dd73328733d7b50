"""WhatsApp exports: the samples, readable cases, odd headers, and nothing lost."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.sources import expected
from vaultmem.config import Settings
from vaultmem.model import RawFile
from vaultmem.sources.chat.whatsapp import read_whatsapp


def raw(data: bytes | str, name: str = "WhatsApp Chat with X.txt") -> RawFile:
    content = data.encode() if isinstance(data, str) else data
    return RawFile(name=name, data=content, modified_at=datetime(2025, 1, 1, tzinfo=UTC))


SAMPLES = ["chat/whatsapp", "bugs/13-dmy-after-new-year"]


@pytest.mark.parametrize("folder", SAMPLES)
def test_samples(folder: str) -> None:
    for entry in expected.entries(folder):
        name = entry.get("file", "chat.txt")
        path = expected.SAMPLES / folder / name
        reading = read_whatsapp(raw(path.read_bytes(), name), Settings())
        assert expected.problems(list(reading.items), entry) == [], name
