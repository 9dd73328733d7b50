"""The data folder, as forgetting sees it (`ports.private`)."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from vaultmem.errors import CannotWrite
from vaultmem.store import atomic
from vaultmem.store.data import DataFolder

_JOURNAL = "forgetting.json"
_MODE = 0o600


class PrivateFiles:
    """`ports.Private` on a data folder."""

    def __init__(self, data: DataFolder, root: Path) -> None:
        self._data = data
        self._root = root

    @property
    def _journal(self) -> Path:
        return self._data.path / _JOURNAL

    def journal(self) -> str:
        """The plan that was begun and is not done; "" for none."""
        try:
            return self._journal.read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def open_journal(self, text: str) -> None:
        """Write the plan down, durable on return. Raises CannotWrite."""
        try:
            atomic.replace_with(self._journal, text.encode(), mode=_MODE)
            atomic.flush_folder(self._journal.parent)
        except OSError as error:
            raise CannotWrite(str(self._journal), error.strerror or type(error).__name__) from error

    def close_journal(self) -> None:
        """The plan is done."""
        if self._journal.exists():
            atomic.unlink(self._journal)
            atomic.flush_folder(self._journal.parent)

    def originals(self) -> tuple[tuple[str, str], ...]:
        """(name here, the dropped file's own name, as far as a name can hold it) of every original."""
        names = sorted(path.name for path in (self._data.path / "originals").glob("[!.]*-*"))
        return tuple((name, name.partition("-")[2]) for name in names)

    def read_original(self, name: str) -> bytes:
        """Its bytes; b"" when it is gone."""
        try:
            return (self._data.path / "originals" / name).read_bytes()
        except FileNotFoundError:
            return b""

    def remove_originals(self, names: Collection[str]) -> None:
        """Delete these for good."""
        folder = self._data.path / "originals"
        for name in sorted(names):
            if (folder / name).exists():
                atomic.unlink(folder / name)
        if names:
            atomic.flush_folder(folder)

    def drop_log_lines(self, is_told: Callable[[str], bool]) -> int:
        """Take these lines out of all logs; how many."""
        dropped = 0
        for path in sorted((self._data.path / "logs").glob("*.log*")):
            lines = path.read_text(encoding="utf-8", errors="backslashreplace").splitlines(keepends=True)
            kept = [line for line in lines if not is_told(line)]
            if len(kept) < len(lines):
                dropped += len(lines) - len(kept)
                atomic.replace_with(path, "".join(kept).encode(), mode=_MODE)
        return dropped

    def drop_leftovers(self) -> None:
        """Databases that were set aside, temporary files and folders of killed runs."""
        for path in sorted((self._data.path / "index").glob("*.broken-*")):
            atomic.unlink(path)
        for path in sorted(self._data.path.glob("verify-*")):
            shutil.rmtree(path, ignore_errors=True)
        for path in sorted(self._data.path.rglob(".*.tmp")):
            atomic.discard([path])

    def still_in(self, needles: Collection[bytes]) -> tuple[str, ...]:
        """Files of the vault (hidden ones too, but git's own) and of this folder that hold one of these.

        The index repeats what notes say: it is named only when no note says it.
        """
        found = [path for path in _files(self._root, skipped={".git"}) if _holds(path, needles)]
        names = [path.relative_to(self._root).as_posix() for path in found]
        said = any(name.endswith(".md") and not name.startswith(".") for name in names)
        skipped = {_JOURNAL, self._data.index_path.parent.name} if said else {_JOURNAL}
        here = [path for path in _files(self._data.path, skipped=skipped) if _holds(path, needles)]
        return (*names, *(f"data folder: {path.relative_to(self._data.path).as_posix()}" for path in here))


def _files(folder: Path, *, skipped: Collection[str]) -> Iterator[Path]:
    for here, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in skipped)
        for name in sorted(files):
            path = Path(here) / name
            if name not in skipped and not path.is_symlink() and path.is_file():
                yield path


def _holds(path: Path, needles: Collection[bytes]) -> bool:
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return any(needle in data for needle in needles)
