"""The syscalls that change a disk, one small function per step.

Everything the store writes goes through the functions of the first part, always called as `atomic.<name>`, so that a
crash test can wrap them and kill the process before or after each step. The second part puts them together.

A write is: temporary dot-file of unique name in the target's own folder -> its bytes flushed -> rename -> the folder
flushed. A reader therefore sees the old bytes or the new, and after the flush of the folder a power cut does too.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TypeVar

Item = TypeVar("Item")

#: What a file system allows in one name.
MAX_NAME_BYTES = 255
#: More threads do not shorten the barrier: concurrent flushes share the journal's commits.
_FLUSHERS = 8
#: Our own leftovers, and nothing a person or another tool would make.
_TEMPORARY = re.compile(r"\..+\.[0-9a-f]{8}\.tmp", re.DOTALL)
#: What a folder that cannot be flushed says (network file systems); the rename has happened all the same.
_NO_FLUSH = {errno.EINVAL, errno.ENOTSUP, errno.EBADF}
#: File systems without hard links (exFAT, some network mounts).
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
#: Bytes asked for at once where a file is longer than it was said to be.
_AT_ONCE = 1 << 20
_BINARY = getattr(os, "O_BINARY", 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)


# --- the steps -------------------------------------------------------------------------------------------------------


def write_new(
    path: Path, data: Iterable[bytes], *, mode: int = 0o666, like: Path | None = None, mtime_ns: int | None = None
) -> None:
    """Make a file that is not there yet, and flush its bytes. Raises FileExistsError; never follows a link.

    `mode` is cut by the umask; the mode of `like`, when that is a file, is taken as it is.
    """
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY | _NO_FOLLOW, mode)
    try:
        for block in data:
            _write_all(fd, block)
        if like is not None and os.chmod in os.supports_fd:
            _copy_mode(like, fd)
        if mtime_ns is not None:
            os.utime(fd if os.utime in os.supports_fd else path, ns=(mtime_ns, mtime_ns))
        flush_file(fd)
    finally:
        os.close(fd)


def flush_file(fd: int) -> None:
    """Wait until the open file's bytes are on the disk."""
    os.fsync(fd)


def flush_folder(path: Path) -> None:
    """Wait until a folder's names are on the disk. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in _NO_FLUSH:
            raise
    finally:
        os.close(fd)


def replace(src: Path, dst: Path) -> None:
    """Rename over whatever is at `dst`. Windows refuses while another program reads it: tried for half a second."""
    for pause in (0.02, 0.05, 0.1, 0.3):
        try:
            src.replace(dst)
        except PermissionError:
            if os.name != "nt":
                raise
            time.sleep(pause)
        else:
            return
    src.replace(dst)


def link_new(src: Path, dst: Path) -> None:
    """Give the file at `src` a second name. Raises FileExistsError when `dst` is taken."""
    os.link(src, dst, follow_symlinks=False)


def unlink(path: Path) -> None:
    """Remove a name; FileNotFoundError when it is gone."""
    path.unlink()


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Make one folder; its parent must exist. Raises FileExistsError."""
    path.mkdir(mode=mode)


# --- put together ----------------------------------------------------------------------------------------------------


def temporary(path: Path) -> Path:
    """A dot-file name of our own pattern beside `path`, at most 255 bytes."""
    ending = f".{secrets.token_hex(4)}.tmp"
    return path.with_name(f".{cut(path.name, MAX_NAME_BYTES - 1 - len(ending))}{ending}")


def is_temporary(name: str) -> bool:
    """True for the name of a file only a killed run of ours leaves behind."""
    return _TEMPORARY.fullmatch(name) is not None


def cut(text: str, max_bytes: int) -> str:
    """The longest beginning within `max_bytes` of the file system's encoding that ends between two characters."""
    data = os.fsencode(text)
    return text if len(data) <= max_bytes else data[:max_bytes].decode("utf-8", "ignore").rstrip(" .")


def replace_with(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write one file durably over whatever was there."""
    fresh = temporary(path)
    try:
        write_new(fresh, [data], mode=mode)
        replace(fresh, path)
    except OSError:
        discard([fresh])
        raise
    flush_folder(path.parent)


def move_new(src: Path, dst: Path) -> None:
    """Rename without replacing: FileExistsError when `dst` is taken, whoever took it in the meantime."""
    if os.name == "nt":
        src.rename(dst)
        return
    try:
        link_new(src, dst)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # Without hard links the name is reserved by an empty file, and only that file is replaced.
        write_new(dst, [])
        replace(src, dst)
    else:
        unlink(src)


def make_folders(path: Path, *, above: Path, mode: int = 0o777) -> list[Path]:
    """Make `path` and the missing folders between it and `above`; the ones made, outermost first."""
    missing = []
    while path != above and not path.is_dir():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        try:
            make_folder(folder, mode)
        except FileExistsError:
            if not folder.is_dir():
                raise
    return missing[::-1]


def flush_folders(folders: Collection[Path]) -> None:
    """Flush each folder once, side by side."""
    in_parallel(flush_folder, sorted(set(folders)))


def in_parallel(step: Callable[[Item], None], items: Collection[Item]) -> None:
    """Run a step that waits for the disk on all items; the first error is raised when no step runs any more."""
    if len(items) < 2:
        for item in items:
            step(item)
        return
    from concurrent.futures import ThreadPoolExecutor  # a question writes nothing

    with ThreadPoolExecutor(min(_FLUSHERS, len(items)), thread_name_prefix="flush") as pool:
        for _ in pool.map(step, items):
            pass


def discard(paths: Iterable[Path]) -> None:
    """Remove temporaries after a failed write; what cannot be removed is swept at the next start."""
    for path in paths:
        try:
            unlink(path)
        except OSError:
            continue


def sweep(folder: Path, *, older_than_ns: int) -> list[Path]:
    """Remove our leftovers directly in a folder when untouched since then (epoch ns); the ones removed."""
    found = []
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if is_temporary(entry.name)]
    except OSError:
        return []
    for name in names:
        path = folder / name
        try:
            seen = path.lstat()
            # mtime alone may be old: `put` gives a temporary the time of the file it copies.
            if max(seen.st_mtime_ns, seen.st_ctime_ns) < older_than_ns:
                unlink(path)
                found.append(path)
        except OSError:
            continue
    return found


def read_regular(path: Path | str) -> bytes:
    """The bytes of a regular file; FileNotFoundError for a link, a folder or a pipe (which would block)."""
    try:
        fd = os.open(path, os.O_RDONLY | _BINARY | _NO_FOLLOW | _NO_WAIT)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ENXIO}:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from None
        raise
    try:
        seen = os.fstat(fd)
        if not stat.S_ISREG(seen.st_mode):
            raise FileNotFoundError(errno.ENOENT, "no regular file", str(path))
        return _read_all(fd, seen.st_size)
    finally:
        os.close(fd)


def _read_all(fd: int, size: int) -> bytes:
    """os.read may give less than it is asked for; `size` is what the file had a moment ago."""
    data = os.read(fd, size + 1)
    if len(data) == size:
        return data
    parts = [data]
    while data:
        data = os.read(fd, _AT_ONCE)
        parts.append(data)
    return b"".join(parts)


def _copy_mode(like: Path, fd: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        found = like.lstat()
        if stat.S_ISREG(found.st_mode):
            os.chmod(fd, stat.S_IMODE(found.st_mode))


def _write_all(fd: int, data: bytes) -> None:
    """os.write may take less than it is given (2 GB at a time on Linux)."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
