"""kill -9 at every write of a forgetting: it ends as if nothing had happened, and nothing of it is found."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.app.test_forget import WORD, chunk_note, found, talk
from tests.crash.test_kill_ingest import check_every_kill
from tests.vaults import Box, raw_notes
from vaultmem.errors import NotFound
from vaultmem.store.vault import DiskVault

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def said(box: Box) -> None:
    config = box.root / ".vaultmem/config.yaml"
    config.write_text(config.read_text() + "chat_gap_hours: 1\n")
    box.write("crew.zip", talk())
    box.sync()


def key() -> str:
    """The message's key, which is the same in every vault."""
    from vaultmem.core.notes.ids import message_key

    return f"m-{message_key('slack:crew', '1704276060.0001')}"


def message(box: Box) -> None:
    with suppress(NotFound), box.open() as memory:
        memory.forget(key())
    assert WORD not in raw_notes(box)
    assert found(box, WORD) == []


def note(box: Box) -> None:
    if WORD in raw_notes(box):
        with box.open() as memory:
            memory.forget(chunk_note(box, "chat"))
    assert found(box, WORD) == []


@pytest.mark.parametrize("work", [message, note])
def test_a_kill_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Box], None]) -> None:
    check_every_kill(tmp_path, monkeypatch, said, points=3, work=work)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("work", [message, note])
def test_a_kill_at_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Box], None]) -> None:
    check_every_kill(tmp_path, monkeypatch, said, work=work)


def test_a_day_that_lost_all_its_messages_leaves_no_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run dies when the index has forgotten the digest and the disk has not."""
    box = Box(tmp_path, config="chunk_tokens: 120\n")
    said(box)
    digest = box.root / "wiki/summaries/global/daily/2024-01-03.md"
    assert digest.exists()
    remove = DiskVault.remove

    def dies(vault: DiskVault, path: str) -> None:
        if path.endswith(digest.name):
            os.kill(os.getpid(), signal.SIGKILL)
        remove(vault, path)

    child = os.fork()
    if child == 0:
        monkeypatch.setattr(DiskVault, "remove", dies)
        note(box)
        os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    assert digest.exists()
    box.sync()
    assert not digest.exists()
    assert box.digest()
