"""Vault paths and the names on disk they mean.

A vault path is POSIX, relative, NFC. Disks keep the spelling they were given (or, on old Macs, decomposed), and a name
may even be no UTF-8 at all; `Names` finds the spelling. Lookups list a folder only for names that can be spelled in
several ways, so plain ASCII costs nothing.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from vaultmem.errors import OutsideVault
from vaultmem.store import atomic

#: The one dot-folder of the vault that is ours.
OWN_FOLDER = ".vaultmem"
#: Parts that lead elsewhere.
_NO_NAMES = frozenset({"", ".", ".."})
#: What we may make in the folder of another program, once.
_GUEST = ".obsidian/graph.json"


def key_of(name: str) -> str:
    """The vault path part of a name on disk: NFC; bytes that are no UTF-8 as `\\xff`, so that any index can hold it."""
    if name.isascii():
        return name
    return unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "backslashreplace"))


def by_key(names: Iterable[str]) -> dict[str, str]:
    """Vault path part -> name on disk, of all names of one folder.

    Of twins in several spellings one has the part, that which is spelled like it before others, and the rest go by
    their own names: each stays readable. When the first goes, another has the part, and its own name means nothing.
    """
    found: dict[str, str] = {}
    for name in sorted(names, key=lambda name: (key_of(name) != name, name)):
        key = key_of(name)
        found[name if key in found else key] = name
    return found


def same_name(name: str) -> str:
    """The form in which a case-insensitive disk compares names."""
    return unicodedata.normalize("NFC", key_of(name).casefold())


def parts_of(path: str) -> tuple[str, ...]:
    """The parts of a vault path; () for the root. Raises OutsideVault for anything that could leave the vault."""
    if path in {"", "."}:
        return ()
    if not _is_encodable(path) or (os.name == "nt" and ("\\" in path or ":" in path)):
        raise OutsideVault(path)
    parts = tuple(path.removesuffix("/").split("/"))
    hidden = () if parts[0] == OWN_FOLDER or path == _GUEST else parts
    if not _NO_NAMES.isdisjoint(parts) or (hidden and "/." in f"/{path}"):
        raise OutsideVault(path)
    return parts


def _is_encodable(path: str) -> bool:
    if path.isascii():
        return "\0" not in path
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


class Names:
    """Spellings found on disk, remembered for the length of one operation (another program may rename at any time)."""

    def __init__(self, root: Path) -> None:
        # Folders as text: every look at a note takes a few steps, and one with a `Path` costs ten times as much.
        self._root = str(root)
        self._listed: dict[str, dict[str, str]] = {}
        self._safe = {self._root}

    def locate(self, path: str) -> Path:
        """Where a vault path is, or would be made, on disk. Raises OutsideVault when a linked folder leads out."""
        return Path(self.where(path))

    def where(self, path: str) -> str:
        """`locate` as text, for one who does no more than open it."""
        here = self._root
        for part in parts_of(path):
            self._check_folder(here, path)
            here = self._step(here, part)
        return here

    def target(self, path: str) -> Path:
        """`locate` for a file: the root itself is none."""
        if not parts_of(path):
            raise OutsideVault(path or ".")
        return self.locate(path)

    def holds(self, path: str) -> bool:
        """Whether a look at the folders meets a file or folder by just this path: a disk may find it by others too.

        Raises OSError for a folder that cannot be listed.
        """
        here = self._root
        for part in parts_of(path):
            with os.scandir(here) as entries:
                name = by_key(entry.name for entry in entries).get(part)
            if name is None:
                return False
            here = _below(here, name)
        return True

    def _step(self, folder: str, part: str) -> str:
        exact = _below(folder, part)
        if (part.isascii() and "\\" not in part) or _exists(exact):
            return exact
        return _below(folder, self._spellings(folder).get(key_of(part), unicodedata.normalize("NFC", part)))

    def _spellings(self, folder: str) -> dict[str, str]:
        if folder not in self._listed:
            try:
                with os.scandir(folder) as entries:
                    names = [entry.name for entry in entries if not entry.name.isascii()]
            except OSError:
                names = []
            self._listed[folder] = by_key(names)
        return self._listed[folder]

    def _check_folder(self, folder: str, path: str) -> None:
        """A folder below the root may be a link, but only to somewhere inside the vault."""
        if folder in self._safe:
            return
        if is_link(folder) and not Path(folder).resolve().is_relative_to(self._root):
            raise OutsideVault(path)
        self._safe.add(folder)


def _below(folder: str, name: str) -> str:
    return f"{folder}{name}" if folder.endswith(os.sep) else f"{folder}{os.sep}{name}"


def is_link(path: Path | str) -> bool:
    """False for what cannot be looked at, too: nothing can be opened or made there either."""
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def _exists(path: str) -> bool:
    try:
        os.lstat(path)
    except (OSError, ValueError):
        return False
    return True


def taken_names(folder: Path) -> set[str]:
    """Names in a folder, as a case-insensitive disk compares them."""
    with os.scandir(folder) as entries:
        return {same_name(entry.name) for entry in entries}


def candidates(name: str, taken: Collection[str], *, spare: int = 0) -> Iterator[tuple[str, bool]]:
    """`name`, then `name (2)`, `name (3)`, …, each with whether it is taken; cut to 255 bytes less `spare`, extension
    kept.
    """
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > 16:
        stem, dot, ending = name, "", ""
    number = 1
    while True:
        mark = f"{f' ({number})' if number > 1 else ''}{dot}{ending}"
        candidate = atomic.cut(stem, atomic.MAX_NAME_BYTES - spare - len(os.fsencode(mark))) + mark
        yield candidate, same_name(candidate) in taken
        number += 1
