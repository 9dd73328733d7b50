"""kill -9 at every write while edited messages are taken over: the same notes and digest as an undisturbed run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.app.test_edits import OLD, crew, slack
from tests.crash.test_kill_ingest import check_every_kill
from tests.vaults import Box

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def edited(box: Box) -> None:
    """One message says something else, in a note that a summary quotes."""
    config = box.root / ".vaultmem/config.yaml"
    config.write_text(config.read_text() + "chat_gap_hours: 1\n")
    box.write("crew.zip", crew(11))
    box.sync()
    box.write("crew.zip", crew(11, changed=1), at=1_700_000_100)


def overgrown(box: Box) -> None:
    """One message no longer fits into its note, which goes on in new ones."""
    box.write("crew.zip", slack(OLD, 0))
    box.sync()
    long = " ".join(f"On day {day} the boat goes to island number {day * 7}." for day in range(30))
    box.write("crew.zip", slack(long, 1), at=1_700_000_100)


@pytest.mark.parametrize("before", [edited, overgrown])
def test_a_kill_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: object) -> None:
    assert callable(before)
    check_every_kill(tmp_path, monkeypatch, before, points=2)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("before", [edited, overgrown])
def test_a_kill_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: object) -> None:
    assert callable(before)
    check_every_kill(tmp_path, monkeypatch, before)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_a_kill_at_every_step_and_the_index_is_lost_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_every_kill(tmp_path, monkeypatch, edited, lose_index=True)
