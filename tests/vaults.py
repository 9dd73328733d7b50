"""Vaults for tests: made in a temporary folder, driven through the public doors only."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from vaultmem.memory import Memory, init_vault, open_vault

REPO = Path(__file__).parent.parent
SAMPLES = REPO.parent / "shared" / "samples"
BENCH = REPO.parent / "shared" / "bench"
NOW = "2026-06-01T12:00:00"


class Box:
    """A vault and its data folder below one temporary folder."""

    def __init__(
        self,
        folder: Path,
        *,
        zone: str = "UTC",
        config: str = "",
        embedder: str = "none",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.root = folder / "vault"
        self.data = folder / "data"
        # the models of whoever runs the tests are none of theirs
        fixed = {"VAULTMEM_DATA": str(self.data), "VAULTMEM_NOW": NOW, "VAULTMEM_CONFIG": os.devnull, "TZ": zone}
        self.environ: Mapping[str, str] = {**fixed, **(environ or {})}
        init_vault(self.root, environ=self.environ)
        with (self.root / ".vaultmem/config.yaml").open("a", encoding="utf-8") as file:
            file.write(f"settle_seconds: 0\nembedder: {embedder}\n{config}")

    def copy(self, folder: Path) -> Self:
        """The same vault below another folder, memory and all, as if it had been made there."""
        other = type(self).__new__(type(self))
        other.root, other.data = folder / "vault", folder / "data"
        other.environ = {**self.environ, "VAULTMEM_DATA": str(other.data)}
        shutil.copytree(self.root, other.root, symlinks=True)
        other.open().close()
        # a data folder is named after the path of its vault
        for mine in other.data.glob("vault-*"):
            for made in self.data.glob("vault-*"):
                shutil.rmtree(mine)
                shutil.copytree(made, mine)
        other.open().close()
        return other

    def open(self) -> Memory:
        return open_vault(self.root, environ=self.environ)

    def drop(self, source: Path, name: str = "") -> Path:
        """Put a file or folder into the inbox as a person would."""
        target = self.root / "inbox" / (name or source.name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy2(source, target)
        return target

    def write(self, name: str, text: str | bytes, at: float = 1_700_000_000) -> Path:
        target = self.root / "inbox" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
        os.utime(target, (at, at))
        return target

    def sync(self) -> list[dict[str, object]]:
        with self.open() as memory:
            return [row.to_dict() for row in memory.sync().files]

    def notes(self) -> dict[str, bytes]:
        """Every note vaultmem made: path -> bytes."""
        found = {}
        for folder in ("wiki", "entities"):
            for path in sorted((self.root / folder).rglob("*")):
                if path.is_file():
                    found[path.relative_to(self.root).as_posix()] = path.read_bytes()
        return found

    def digest(self) -> str:
        with self.open() as memory:
            found = memory.verify()
        assert not found.drift, found.drift
        return found.digest


def raw_notes(box: Box) -> str:
    """The chunk notes of a vault in one text, without the pages and summaries that repeat them."""
    return "\n".join(data.decode() for path, data in box.notes().items() if path.startswith("wiki/raw/"))


def bytes_below(folder: Path) -> bytes:
    """All bytes of all files: what a search for a secret must look through."""
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
