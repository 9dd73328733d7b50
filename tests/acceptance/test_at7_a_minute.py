"""AT-7 by the clock: ten processes on one vault, and nothing that a writer was told is done is missing afterwards."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, paths
from tests.app.test_inplace import note
from tests.forked import forked
from tests.vaults import Box

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

#: One process until the time is over. A reader asks through a vault that it keeps open, as a server does, or opens it
#: anew each time, as commands do; a writer drops a document, or writes and rewrites notes of its own.
ROLE = """
import json, os, sys, time
from pathlib import Path
from vaultmem.memory import open_vault
role, number, seconds, root = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4])
done, kept, end = 0, None, time.monotonic() + seconds
def opened():
    return open_vault(root, environ=os.environ)
while time.monotonic() < end or not done:
    said = f"The zeppelin of word{number}x{done}y landed."
    if role == "server":
        kept = kept or opened()
        assert kept.recall("zeppelin").hits
        kept.status()
    elif role == "reader":
        with opened() as memory:
            assert memory.recall("zeppelin ferry").hits
            memory.tree("search_entities", query="heron")
    elif role == "dropper":
        paper = root.parent / f"paper{done}.md"
        paper.write_text(f"# Paper {done}\\n\\n{said}\\n")
        with opened() as memory:
            (row,) = memory.ingest([paper]).files
        assert row.outcome == "imported", row
    else:
        (root / f"Own/{number}-{done % 5}.md").write_text(f"# Mine {done}\\n\\n{said}\\n")
        with opened() as memory:
            memory.sync()
            assert memory.recall(f"word{number}x{done}y").hits
    done += 1
if kept:
    kept.close()
print(json.dumps(done))
"""


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.nightly)])
def test_ten_processes(tmp_path: Path, seconds: int) -> None:
    box = Box(tmp_path, config='notes: ["Own/**"]\n')
    for number in range(10):
        note(box, f"Own/first{number}.md", f"# N{number}\n\nThe zeppelin {number} of [[Heron]].\n")
        box.write(f"doc{number}.md", f"# Doc {number}\n\nThe ferry {number} of [[Heron]] and its zeppelin.\n")
    box.sync()
    roles = [*["server"] * 4, *["reader"] * 4, "dropper", "owner"]
    running = [
        forked(
            ROLE, [role, str(number), str(seconds), str(box.root)], environ=box.environ,
            said=tmp_path / f"{role}{number}.txt",
        )
        for number, role in enumerate(roles)
    ]  # fmt: skip
    ended = [child.wait() for child in running]
    assert [code for code, _ in ended] == [0] * 10, [said for code, said in ended if code]
    *_, dropped, written = (json.loads(told) for _, told in ended)
    lost = [done for done in range(dropped) if not paths(box, f"word8x{done}y")]
    lost += [done for done in range(max(0, written - 5), written) if not paths(box, f"word9x{done}y")]
    assert not lost
    digest(box)
