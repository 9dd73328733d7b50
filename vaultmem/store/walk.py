"""A look at a folder: every file below it with size and time, and what is passed by on the way."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from vaultmem.model import FileStat
from vaultmem.store.away import is_away
from vaultmem.store.names import by_key, is_link, key_of

#: How iCloud calls what stands for a file that is not on this disk.
_OFFLOADED = ".icloud"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskScan:
    """What a look at a folder saw; sorted by path."""

    #: vault path -> what was seen
    files: Mapping[str, FileStat] = field(default_factory=dict)
    #: folders that could not be listed, sorted: nothing may be deleted because of this scan
    unreadable: tuple[str, ...] = ()
    #: links, which are never followed, sorted; those to a folder end in /
    links: tuple[str, ...] = ()
    #: files that a cloud has taken off this disk (iCloud's `.name.icloud`), by the path they come back to, sorted
    offloaded: tuple[str, ...] = ()
    #: those of `files` that have a size and no content on this disk, sorted
    hollow: tuple[str, ...] = ()


class Walk:
    """A folder tree, listed without following links."""

    def __init__(self, suffix: str, *, counts_blocks: bool = True) -> None:
        self.files: dict[str, FileStat] = {}
        self.unreadable: list[str] = []
        self.links: list[str] = []
        self.offloaded: list[str] = []
        self.hollow: list[str] = []
        self._suffix = suffix.casefold()
        self._counts_blocks = counts_blocks

    def enter(self, path: str, start: Path) -> None:
        """List `start`, whose vault path is `path`, and everything below it."""
        waiting = [(path, start)]
        while waiting:
            here, folder = waiting.pop()
            if is_link(folder):
                self.unreadable.append(here)
                continue
            try:
                with os.scandir(folder) as entries:
                    listed = {entry.name: entry for entry in entries}
                waiting += self._take(here, listed)
            except FileNotFoundError:
                continue
            except OSError:
                self.unreadable.append(here)

    def _take(self, here: str, listed: Mapping[str, os.DirEntry[str]]) -> list[tuple[str, Path]]:
        """Remember the files; the folders to enter."""
        folders = []
        for key, name in by_key(listed).items():
            entry = listed[name]
            if name.startswith(".") or entry.is_symlink():
                self._pass_by(here, entry)
                continue
            path = f"{here}/{key}" if here else key
            if entry.is_dir(follow_symlinks=False):
                folders.append((path, Path(entry.path)))
            elif entry.name.casefold().endswith(self._suffix):
                self._remember(path, entry)
        return folders

    def _pass_by(self, here: str, entry: os.DirEntry[str]) -> None:
        """What is not read, but should not be silent about."""
        name = key_of(entry.name)
        if name.startswith("."):
            name = name.removeprefix(".").removesuffix(".icloud") if name.endswith(_OFFLOADED) else ""
        if name:
            path = f"{here}/{name}" if here else name
            if entry.name.startswith("."):
                self.offloaded.append(path)
            else:
                self.links.append(f"{path}/" if _leads_to_folder(entry) else path)

    def _remember(self, path: str, entry: os.DirEntry[str]) -> None:
        try:
            found = entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            return
        if stat.S_ISREG(found.st_mode):
            self.files[path] = FileStat(path=path, size=found.st_size, mtime_ns=found.st_mtime_ns)
            if is_away(found, counts_blocks=self._counts_blocks):
                self.hollow.append(path)


def _leads_to_folder(link: os.DirEntry[str]) -> bool:
    try:
        return link.is_dir()
    except OSError:  # a loop, or a place that is closed
        return False
