"""AT-7: eight readers and two writers on a cold index, all at once: no error, no lost write."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.acceptance.doors import digest, paths
from tests.app.test_inplace import note
from tests.forked import forked
from tests.vaults import Box

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

#: One process: so many calls, each opening the vault anew, as one command after the other does.
CALLS = """
import json, os, sys, time
from pathlib import Path
from click.testing import CliRunner
from vaultmem.surfaces.cli import cli
role, number, calls, start, root, outside = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], *sys.argv[5:]
while not Path(start).exists():
    time.sleep(0.005)
for call in range(calls):
    if role == "writer":
        path = Path(outside) / f"w{number}-{call}.md"
        said = f"The zeppelin of word{number}x{call}y landed in {call + 1} parts."
        path.write_text(f"# Paper {number} {call}\\n\\n{said}\\n")
        arguments = ["ingest", str(path)]
    else:
        asked = ["recall", "zeppelin"], ["status"], ["tree", "search_entities", "query=heron"]
        arguments = asked[(call + number) % 3]
    done = CliRunner().invoke(cli, ["--vault", root, *arguments, "--json"])
    assert done.exit_code == 0, (arguments, done.output, repr(done.exception))
    found = json.loads(done.stdout)
    if role == "writer":
        assert found["files"][0]["outcome"] == "imported", found
    elif arguments[0] == "recall":
        assert found["hits"], found
"""


@pytest.mark.parametrize("calls", [1, pytest.param(20, marks=pytest.mark.nightly)])
def test_eight_readers_and_two_writers_on_a_cold_index(tmp_path: Path, calls: int) -> None:
    box = Box(tmp_path, config='notes: ["Own/**"]\n')
    for number in range(10):
        note(box, f"Own/{number}.md", f"# N{number}\n\nThe zeppelin {number} of [[Heron]].\n")
        box.write(f"doc{number}.md", f"# Doc {number}\n\nThe ferry {number} of [[Heron]] and its zeppelin.\n")
    box.sync()
    for file in box.data.glob("*/index/*"):
        file.unlink()
    outside, start = tmp_path / "outside", tmp_path / "start"
    outside.mkdir()
    roles = [("reader", number) for number in range(8)] + [("writer", number) for number in range(2)]
    running = [
        forked(
            CALLS, [role, str(number), str(calls), str(start), str(box.root), str(outside)],
            environ=box.environ, said=tmp_path / f"{role}{number}.txt",
        )
        for role, number in roles
    ]  # fmt: skip
    start.touch()
    ended = [child.wait() for child in running]
    assert [code for code, _ in ended] == [0] * 10, [said for _, said in ended if said]
    for number in range(2):
        for call in range(calls):
            assert paths(box, f"word{number}x{call}y"), (number, call)
    assert paths(box, "ferry")
    digest(box)
