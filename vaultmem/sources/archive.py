"""ZIP archives in memory: members are read on demand, never extracted, and a bomb is refused before it unfolds."""

from __future__ import annotations

import lzma
import stat
import zipfile
import zlib

from vaultmem.errors import UnreadableSource
from vaultmem.model import Bytes

#: Bytes one member may unfold to. A day of the busiest channel has a few MB.
MAX_MEMBER = 512 * 1024 * 1024
#: Text packs 5 to 50 times, JSON of one shape up to 100; a bomb 1,000 times.
MAX_RATIO = 200
#: Below this size no ratio is suspicious.
SMALL = 16 * 1024 * 1024
MAX_MEMBERS = 500_000

_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, EOFError, OSError, ValueError,
    OverflowError,
)  # fmt: skip


class Window:
    """A seekable view of a file's bytes, as `zipfile` and readers of documents want it; a memory map is not copied."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._at = 0

    def seekable(self) -> bool:
        """Always True."""
        return True

    def tell(self) -> int:
        """Where the next read begins."""
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to an offset, which may lie behind the end; never before the beginning."""
        self._at = max(0, offset + (0, self._at, len(self._data))[whence])
        return self._at

    def read(self, size: int = -1) -> bytes:
        """The next `size` bytes, all to the end where it is negative."""
        end = len(self._data) if size < 0 else self._at + size
        found = self._data[self._at : end]
        self._at += len(found)
        return found


class Archive:
    """The files of a ZIP by name. Raises UnreadableSource when it is broken, or unfolds beyond reason."""

    def __init__(self, data: Bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(Window(data))
        except _BROKEN as error:
            raise UnreadableSource(
                f"a ZIP archive that cannot be opened: {_one_line(error)}; download it again"
            ) from None
        infos = self._zip.infolist()
        if len(infos) > MAX_MEMBERS:
            raise UnreadableSource(f"a ZIP archive with {len(infos)} files: more than {MAX_MEMBERS} are not read")
        _refuse_bomb("the archive", sum(i.file_size for i in infos), len(data))
        self._infos: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            if not info.is_dir() and not _is_litter(info.filename):
                self._infos[self._free_name(info)] = info

    def _free_name(self, info: zipfile.ZipInfo) -> str:
        """The path, with a number where the archive holds another file of that very path."""
        name = info.filename.replace("\\", "/")
        if name not in self._infos or self._infos[name].CRC == info.CRC:
            return name
        stem, dot, suffix = name.rpartition(".")
        return next(
            free
            for number in range(2, MAX_MEMBERS)
            if (free := f"{stem} ({number}){dot}{suffix}" if dot else f"{name} ({number})") not in self._infos
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Paths of the files in archive order, without folders and the litter of operating systems."""
        return tuple(self._infos)

    def is_link(self, name: str) -> bool:
        """True for a symbolic link: its content is the path it leads to."""
        return stat.S_ISLNK(self._infos[name].external_attr >> 16)

    def read(self, name: str) -> bytes:
        """One file's bytes. Raises UnreadableSource when this member is broken, encrypted or too large."""
        info = self._infos[name]
        _refuse_bomb(name, info.file_size, info.compress_size)
        if info.file_size > MAX_MEMBER:
            raise UnreadableSource(f"{name} in the archive unfolds to more than {MAX_MEMBER // 1024**2} MB")
        try:
            with self._zip.open(info) as member:
                return member.read(MAX_MEMBER)
        except _BROKEN as error:
            raise UnreadableSource(f"{name} in the archive cannot be read: {_one_line(error)}") from None


def _refuse_bomb(what: str, size: int, packed: int) -> None:
    if size > SMALL and size > MAX_RATIO * max(packed, 1):
        raise UnreadableSource(
            f"{what} unfolds to {size // 1024**2} MB from {packed // 1024} kB: refused as a ZIP bomb"
        )


def _is_litter(name: str) -> bool:
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1] in (".DS_Store", "Thumbs.db")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
