"""A look at the inbox: one row per file, hidden ones, links and unreadable ones too. Nothing is opened or followed."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from vaultmem.errors import UnreadableVault
from vaultmem.model import InboxFile
from vaultmem.store.away import blocks_of
from vaultmem.store.names import key_of


def list_inbox(folder: Path) -> tuple[InboxFile, ...]:
    """Every file below the inbox folder, sorted by name; an inbox that does not exist is empty.

    A folder below it that cannot be listed, and whatever is no file (a pipe), is a row with `problem`. Raises
    UnreadableVault when the inbox itself is a link or cannot be listed.
    """
    if folder.is_symlink():
        raise UnreadableVault(str(folder), "the inbox is a link, and links are not followed")
    if not os.path.lexists(folder):
        return ()
    try:
        rows = list(_rows(folder))
    except OSError as error:
        raise UnreadableVault(str(folder), error.strerror or type(error).__name__) from None
    rows.sort(key=lambda row: (row.name, row.name != row.disk_name))
    return tuple(_by_own_spelling(rows))


def _by_own_spelling(rows: Sequence[InboxFile]) -> Iterator[InboxFile]:
    """Of two files whose names differ in nothing but their normal form, the second goes by the name the disk has."""
    before = ""
    for row in rows:
        yield replace(row, name=row.disk_name) if row.name == before else row
        before = row.name


def _rows(inbox: Path) -> Iterator[InboxFile]:
    waiting = [""]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(inbox / here) as entries:
                listed = list(entries)
        except FileNotFoundError:
            continue
        except OSError as error:
            if not here:
                raise
            yield _broken(here, f"the folder cannot be listed: {error.strerror or error}")
            continue
        for entry in listed:
            below = f"{here}/{entry.name}" if here else entry.name
            if entry.is_dir(follow_symlinks=False):
                waiting.append(below)
            else:
                yield from _row(below, entry)


def _row(disk_name: str, entry: os.DirEntry[str]) -> Iterator[InboxFile]:
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return
    except OSError as error:
        yield _broken(disk_name, f"cannot be looked at: {error.strerror or error}")
        return
    is_link = stat.S_ISLNK(found.st_mode)
    yield InboxFile(
        name=_key(disk_name),
        disk_name=disk_name,
        size=found.st_size,
        mtime_ns=found.st_mtime_ns,
        changed_ns=max(found.st_mtime_ns, found.st_ctime_ns),
        is_link=is_link,
        blocks=blocks_of(found),
        problem="" if is_link or stat.S_ISREG(found.st_mode) else "is no file (a pipe, socket or device)",
    )


def _broken(disk_name: str, problem: str) -> InboxFile:
    return InboxFile(name=_key(disk_name), disk_name=disk_name, size=0, mtime_ns=0, changed_ns=0, problem=problem)


def _key(disk_name: str) -> str:
    return "/".join(key_of(part) for part in disk_name.split("/"))
