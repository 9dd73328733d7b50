"""The Model Context Protocol over stdin and stdout: one message a line. Standard output is the protocol's alone."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, TYPE_CHECKING

from vaultmem.surfaces.mcp import Json, Session, encoded
from vaultmem.surfaces.mcp_tool import Access

if TYPE_CHECKING:
    from vaultmem.surfaces.mcp_tools import Toolbox
    from vaultmem.surfaces.mcp_vault import VaultDoor

#: Seconds calls under way may still take when the client has gone; the process ends within two.
_LAST_SECONDS = 1.3


def serve_pipes(named: str | None, access: Access) -> None:
    """Answer until stdin ends, then end the process within two seconds. `named`: the vault of `--vault`."""
    incoming, outgoing = _own_pipes()
    session = pipe_session(named, access)
    line_out = Lines(outgoing)
    try:
        for line in incoming:
            session.take(line, line_out.send)
    except KeyboardInterrupt:
        pass
    session.finish(_LAST_SECONDS)
    # Threads in the middle of a pass are not waited for: a kill at any moment loses nothing, and locks die with us.
    os._exit(0)


def pipe_session(named: str | None, access: Access) -> Session:
    """One client with a vault of its own, opened by its first call."""

    def toolbox() -> Toolbox:
        from vaultmem.surfaces.mcp_tools import Toolbox

        return Toolbox(lambda: _door(named, access), access)

    return Session(ThreadPoolExecutor(max_workers=1, thread_name_prefix="tools"), toolbox, access)


def _door(named: str | None, access: Access) -> VaultDoor:
    """Everything heavy is imported here."""
    from vaultmem.surfaces.mcp_vault import VaultDoor

    return VaultDoor(named, access.sources)


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Take stdin and stdout away from everybody else: what libraries and children print there goes to stderr."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(nothing, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")


class Lines:
    """Answers as lines, each whole: they come from several threads."""

    def __init__(self, outgoing: IO[bytes]) -> None:
        self._outgoing = outgoing
        self._lock = threading.Lock()

    def send(self, message: Json | Sequence[Json]) -> None:
        """Write one line."""
        with self._lock:
            try:
                self._outgoing.write(encoded(message) + b"\n")
                self._outgoing.flush()
            except (OSError, ValueError):
                os._exit(0)  # nobody listens any more
