"""Opening the index file: cold, damaged, of another version, or by many at once."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import apsw

from vaultmem.errors import CannotWrite, IndexTrouble

#: Raised with every change of schema.sql or of what core.recall.words gives: an index of another version is rebuilt.
SCHEMA_VERSION = 12
#: Seconds a connection waits for another's transaction, and an opener for another that makes the tables.
BUSY_SECONDS = 30.0
#: Seconds that one who has the opener's lock waits once more for a file that was locked.
_SHORT_SECONDS = 5.0
#: KiB of the file a connection may keep at hand.
_CACHE_KIB = 16_384
#: Written by a reader that met damage in the middle of a file; the next opener sets the file aside.
DAMAGE_MARK = ".damaged"

_REFUSED = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})
#: SQLite's own words for a disk without room: for the memory that connections share, or for what is written.
_NO_ROOM = frozenset({
    apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMMAP, apsw.SQLITE_IOERR_SHMOPEN, apsw.SQLITE_IOERR_WRITE,
    apsw.SQLITE_IOERR_FSYNC,
})  # fmt: skip
_SIDE_FILES = ("-wal", "-shm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A connection to an index with its tables in place."""

    connection: apsw.Connection
    #: "ready" | "fresh" | "set aside: <cause>"
    state: str
    #: False: the disk is full or closed, so that the file is read as it is and must be opened anew for every look
    is_live: bool = True


def open_connection(path: Path, told: Callable[[str], None]) -> Opened:
    """Connect to the index at `path`, making or replacing the file when needed. Raises IndexTrouble, CannotWrite.

    A file that is ready is only read. Whatever has to be made is made by one process, the others wait for it. `told`:
    in one line, of a file that was set aside; by the process that did so, and once.
    """
    try:
        return _opened(path, told)
    except (apsw.Error, OSError) as error:  # waiting in vain for the lock is an OSError too
        if not refuses(error) or path.is_dir():
            raise IndexTrouble(str(path), _one_line(error)) from error
        found = _as_it_is(path)
        if found is None:
            raise CannotWrite(str(path.parent), getattr(error, "strerror", None) or _one_line(error)) from error
        return Opened(connection=found, state="ready", is_live=False)


def refuses(error: BaseException) -> bool:
    """Whether the disk is full, or does not let us write."""
    if isinstance(error, OSError):
        return error.errno in _REFUSED
    if isinstance(error, apsw.IOError):
        return error.extendedresult in _NO_ROOM  # type: ignore[attr-defined]
    return isinstance(error, apsw.CantOpenError | apsw.FullError | apsw.ReadOnlyError)


def is_damage(error: apsw.Error) -> bool:
    """Whether the file is not what SQLite wrote: overwritten, or cut off under a connection that is open."""
    if isinstance(error, apsw.IOError):
        return bool(error.extendedresult == apsw.SQLITE_IOERR_SHORT_READ)  # type: ignore[attr-defined]
    return isinstance(error, apsw.CorruptError | apsw.NotADBError)


def _as_it_is(path: Path) -> apsw.Connection | None:
    """A connection that makes no file beside the index; None where that would not show all of it."""
    wal = Path(f"{path}-wal")
    if not path.is_file() or (wal.exists() and wal.stat().st_size):
        return None
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    with suppress(apsw.Error, OSError):
        connection = apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)
        if not _fault_inside(connection, path):
            return connection
        connection.close()
    return None


def _opened(path: Path, told: Callable[[str], None]) -> Opened:
    path.parent.mkdir(parents=True, exist_ok=True)
    ready = _connected_if_ready(path)
    if ready is not None:
        return Opened(connection=ready, state="ready")
    from filelock import FileLock  # a file that is ready needs none

    with FileLock(f"{path}.lock", timeout=BUSY_SECONDS):
        return _made(path, told)


def mark_damaged(path: Path, cause: str) -> None:
    """Note beside the file that it is damaged, so that the next opener replaces it."""
    Path(f"{path}{DAMAGE_MARK}").write_text(cause, encoding="utf-8")


def within(db: apsw.Connection, begin: str) -> Iterator[apsw.Connection]:
    """A transaction; wherever Ctrl-C strikes, none is left open."""
    try:
        db.execute(begin)
        yield db
        db.execute("COMMIT")
    except BaseException:
        # what Ctrl-C cut off inside contextlib comes here late, perhaps after close
        with suppress(apsw.ConnectionClosedError):
            if db.in_transaction:  # some errors have rolled back already
                db.execute("ROLLBACK")
        raise


def identity(path: Path) -> tuple[int, int] | None:
    """What tells one file at a path from the next; None: there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _connected_if_ready(path: Path) -> apsw.Connection | None:
    """A connection when the file is whole and of our version; None when something has to be made."""
    try:
        return None if not path.exists() or _fault(path) else _connect(path)
    except apsw.Error:
        return None  # another process is replacing the file: the lock waits for it


def _made(path: Path, told: Callable[[str], None]) -> Opened:
    """The index, made or replaced; called with the lock held, so another process may have been here first."""
    if not path.exists() or path.stat().st_size == 0:
        return Opened(connection=_create(path), state="fresh")
    cause = _fault(path, again=True)
    if not cause:
        return Opened(connection=_connect(path), state="ready")
    aside = _set_aside(path)
    told(f"the index was set aside as {aside.name} ({cause}); it is made anew from the notes")
    return Opened(connection=_create(path), state=f"set aside: {cause}")


def _fault(path: Path, *, again: bool = False) -> str:
    """Why this file cannot serve, or "". `again`: it was tried before, and no lock of ours stands on it for so long."""
    mark = Path(f"{path}{DAMAGE_MARK}")
    if mark.exists():
        return f"damaged ({mark.read_text(encoding='utf-8')})"
    if path.is_file() and not os.access(path, os.R_OK | os.W_OK) and os.access(path.parent, os.W_OK):
        return "no rights to read and write it"
    connection: apsw.Connection | None = None
    try:
        connection = _connect(path, patience=_SHORT_SECONDS if again else BUSY_SECONDS)
        return _fault_inside(connection, path)
    except apsw.BusyError:
        if not again:
            raise
        return f"locked by another program for {BUSY_SECONDS:g} seconds"
    except apsw.Error as error:
        if not is_damage(error):
            raise
        return f"damaged ({_one_line(error)})"
    finally:
        if connection is not None:
            connection.close()


def _fault_inside(connection: apsw.Connection, path: Path) -> str:
    """Wrong version, a file shorter than its header says, or a table that cannot be read."""
    version = connection.pragma("user_version")
    if version != SCHEMA_VERSION:
        return f"version {version}, this is version {SCHEMA_VERSION}"
    # Pages still in the log need not be in the file yet. The count comes first: a writer at work can then only make
    # the log or the file larger than it, never the file look cut off.
    expected = connection.pragma("page_count") * connection.pragma("page_size")
    wal = Path(f"{path}-wal")
    in_log = wal.exists() and wal.stat().st_size > 0
    if not in_log and path.stat().st_size < expected:
        return f"damaged (cut off at {path.stat().st_size} of {expected} bytes)"
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for table in tables:
        connection.execute(f'SELECT * FROM "{table}" LIMIT 1').fetchall()  # noqa: S608 - names from our own schema
    return ""


def _connect(path: Path, *, patience: float | None = None) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(int((BUSY_SECONDS if patience is None else patience) * 1000))
    # A lost last transaction is found again by reconcile; a torn one cannot happen in WAL mode.
    connection.pragma("synchronous", "normal")
    # A question of time seeks all over the file: SQLite's own 2 MB would read the same pages again and again.
    connection.pragma("cache_size", -_CACHE_KIB)
    return connection


def _create(path: Path) -> apsw.Connection:
    """All tables under one immediate transaction: nobody ever sees half a schema."""
    connection = _connect(path)
    connection.pragma("journal_mode", "wal")
    schema = resources.files("vaultmem.store.index").joinpath("schema.sql").read_text(encoding="utf-8")
    connection.execute("BEGIN IMMEDIATE")
    with_tables = connection.pragma("user_version") == SCHEMA_VERSION
    if not with_tables:
        connection.execute(schema)
        connection.pragma("user_version", SCHEMA_VERSION)
    connection.execute("COMMIT")
    return connection


def _set_aside(path: Path) -> Path:
    """Rename the file to `<name>.broken-<n>`; its log goes with it, or a fresh file would replay it."""
    number = 1
    while path.with_name(f"{path.name}.broken-{number}").exists():
        number += 1
    target = path.with_name(f"{path.name}.broken-{number}")
    path.rename(target)
    for suffix in _SIDE_FILES:
        side = Path(f"{path}{suffix}")
        if side.exists():
            side.rename(f"{target}{suffix}")
    Path(f"{path}{DAMAGE_MARK}").unlink(missing_ok=True)
    return target


def _one_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
