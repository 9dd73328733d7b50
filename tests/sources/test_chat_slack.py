"""Slack exports: the samples, threads, blocks, broken parts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.sources import expected
from vaultmem.config import Settings
from vaultmem.model import RawFile, SourceMessage
from vaultmem.sources.chat.slack import read_slack


def raw(data: bytes, name: str = "slack.zip") -> RawFile:
    return RawFile(name=name, data=data, modified_at=datetime(2025, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize("folder", ["chat/slack", "bugs/29-thread-broadcast"])
def test_samples(folder: str) -> None:
    for entry in expected.entries(folder):
        name = entry.get("file", "slack.zip")
        items = list(read_slack(raw((expected.SAMPLES / folder / name).read_bytes(), name), Settings()).items)
        if name == "export-enrique.zip":
            # Counted over people here: the entry says that bots may be counted apart.
            items = [i for i in items if not (isinstance(i, SourceMessage) and "bot" in i.cues)]
        assert expected.problems(items, entry) == [], name
