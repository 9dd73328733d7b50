"""kill -9 while a model is asked: no chunk is lost or waits for ever, and memory is that of the undisturbed run."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from tests.app.test_llm import chat, chunks
from tests.crash.test_kill_grow import kill_after, parents
from tests.fake_llm import FakeLlm, serving
from tests.vaults import Box

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def dropped(folder: Path, server: FakeLlm) -> Box:
    folder.mkdir()
    box = Box(folder, environ=server.environ("ok"))
    box.write("WhatsApp Chat with Boats.txt", chat(5))
    return box


@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.nightly)])
def test_killed_while_asking(tmp_path: Path, kills: int) -> None:
    rng = random.Random(kills)
    with serving(tmp_path) as server:
        calm = dropped(tmp_path / "calm", server)
        before = time.monotonic()
        calm.sync()
        took = time.monotonic() - before
        asked = len(server.requests())
        for number in range(kills):
            box = dropped(tmp_path / f"killed-{number}", server)
            for _ in range(2):
                kill_after(box, rng.uniform(0.2, 1.0) * took)
            box.sync()
            assert {chunk.status for chunk in chunks(box)} == {chunk.status for chunk in chunks(calm)}
            assert all(chunk.llm_importance == 0.9 for chunk in chunks(box))
            assert max(map(len, parents(box).values())) <= max(map(len, parents(calm).values()))
            assert box.digest() == calm.digest()
            # what was under way when the process died is asked once more, and nothing else
            assert len(server.requests()) <= asked * (number + 2) + 6 * (number + 1)
            before = box.notes()
            box.sync()
            assert box.notes() == before
