"""What a command shows on a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Mapping, Sequence

from tests.vaults import REPO


def on_terminal(command: Sequence[str], environ: Mapping[str, str]) -> str:
    """All of it, escapes included; what it says on stderr is left out."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=theirs, stdin=theirs, stderr=subprocess.DEVNULL, cwd=REPO, env=dict(environ)):
        os.close(theirs)
        shown = b""
        try:
            while block := os.read(ours, 4096):
                shown += block
        except OSError:  # the other end is closed
            pass
    os.close(ours)
    return shown.decode().replace("\r\n", "\n")
