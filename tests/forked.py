"""Processes of one's own that need no second to start: forked from the tests' own, which has imported everything."""

from __future__ import annotations

import os
import sys
import time
import traceback
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Forked:
    """A process that runs a piece of code; what it says goes to a file."""

    pid: int
    said: Path

    def wait(self, seconds: float = 200.0) -> tuple[int, str]:
        """How it ended, and what it said."""
        end = time.monotonic() + seconds
        while (ended := os.waitpid(self.pid, os.WNOHANG)) == (0, 0):
            assert time.monotonic() < end, "it does not come to its end"
            time.sleep(0.02)
        return os.waitstatus_to_exitcode(ended[1]), self.said.read_text(encoding="utf-8")


def forked(code: str, arguments: Sequence[str], *, environ: Mapping[str, str], said: Path) -> Forked:
    """Run the code with these words behind its name in `sys.argv`. No vault may be open when it is called."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads of ours wait for tests, and hold no lock
        pid = os.fork()
    if pid:
        return Forked(pid=pid, said=said)
    status = 1
    try:
        with said.open("w", encoding="utf-8") as out:
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
            sys.stdout = sys.stderr = out
            sys.argv = ["-c", *arguments]
            os.environ.update(environ)
            exec(compile(code, "<forked>", "exec"), {"__name__": "__main__"})
            status = 0
    except BaseException:  # noqa: BLE001 - the child must end here, whatever happened
        said.write_text(traceback.format_exc(), encoding="utf-8")
    finally:
        os._exit(status)
