"""One writer per vault: an operating-system lock that dies with its process, and a note beside it that says who."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from vaultmem.errors import CannotWrite, VaultBusy
from vaultmem.store import atomic
from vaultmem.store.data import DataFolder

#: `holder` takes the lock for a moment to see whether it is free; nobody shall be refused because of that.
_LEAST_WAIT = 0.2
_POLL = 0.05


@contextmanager
def writer_lock(data: DataFolder, *, holder: str, timeout: float) -> Iterator[None]:
    """Hold the vault's writer lock; `holder` is what others are told ("vaultmem watch").

    Waits up to `timeout` seconds, then raises VaultBusy naming who has it. Excludes other threads and other processes;
    the same thread must not ask twice. Released when the process ends, however it ends.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(data.lock_path, thread_local=False)
    try:
        lock.acquire(timeout=max(timeout, _LEAST_WAIT), poll_interval=_POLL)
    except Timeout:
        raise VaultBusy(_said(data.holder_path) or "another vaultmem process", timeout) from None
    except (OSError, NotImplementedError) as error:
        raise _refused(data, error) from error
    try:
        try:
            _say(data.holder_path, holder)
        except OSError as error:
            raise _refused(data, error) from error
        yield
    finally:
        atomic.discard([data.holder_path])
        lock.release()


def holder(data: DataFolder) -> str:
    """Who writes to the vault now; "" when nobody does, also when a killed holder left its note behind."""
    from filelock import FileLock, Timeout

    if not data.lock_path.exists():
        return ""
    lock = FileLock(data.lock_path, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return _said(data.holder_path) or "another vaultmem process"
    except (OSError, NotImplementedError):  # a folder that lets nobody write
        return ""
    lock.release()
    return ""


def _refused(data: DataFolder, error: Exception) -> CannotWrite:
    return CannotWrite(str(data.lock_path), getattr(error, "strerror", None) or str(error))


def _say(path: Path, holder_text: str) -> None:
    fact = {
        "pid": os.getpid(),
        "command": holder_text,
        "started": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    }
    fresh = atomic.temporary(path)
    fresh.write_text(json.dumps(fact), encoding="ascii")
    atomic.replace(fresh, path)


def _said(path: Path) -> str:
    try:
        fact = json.loads(path.read_bytes())
        return f"{fact['command']} (process {fact['pid']}, since {fact['started']})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
