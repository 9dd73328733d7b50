"""What vaultmem keeps outside the vault: one private folder per vault path for index, originals, claims and logs.

Sync tools corrupt live databases, and originals may hold secrets: none of this may lie where a vault is synced.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from vaultmem.core.notes.ids import safe_part, sha256_hex, slug
from vaultmem.errors import BadConfig, CannotWrite
from vaultmem.model import Claim
from vaultmem.store import atomic

_FOLDERS = ("index", "originals", "claims", "logs")
_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600
_OTHERS = 0o077
#: Digits of a content hash in a file name: 64 bits tell any number of originals apart.
_HASH_DIGITS = 16
_LOG_BYTES = 1_000_000
_BLOCK = 1 << 20
_SHA256 = re.compile(r"[0-9a-f]{64}")
_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def data_folder(vault_root: Path, *, environ: Mapping[str, str]) -> DataFolder:
    """The data folder of a vault, made when it is missing: below VAULTMEM_DATA, else the platform's user-data folder.

    Raises BadConfig when that lies inside the vault, CannotWrite when it cannot be made.
    """
    root = Path(os.path.realpath(vault_root))
    base = Path(os.path.realpath(data_base(environ)))
    if base.is_relative_to(root):
        raise BadConfig("environment", "VAULTMEM_DATA", f"must lie outside the vault {root}")
    where = unicodedata.normalize("NFC", os.path.normcase(root))
    digest = sha256_hex(os.fsencode(where))[:8]
    data = DataFolder(base / f"{slug(root.name)}-{digest}")
    data.prepare(root)
    return data


def data_base(environ: Mapping[str, str]) -> Path:
    """What holds the data folders of all vaults: VAULTMEM_DATA, else the platform's user-data folder."""
    given = environ.get("VAULTMEM_DATA", "")
    if given:
        return Path(given).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("vaultmem", appauthor=False))


class DataFolder:
    """The private folder of one vault. Everything in it is mode 0700 (folders) or 0600 (files)."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def index_path(self) -> Path:
        """The SQLite file; disposable."""
        return self.path / "index" / "vaultmem.sqlite"

    @property
    def lock_path(self) -> Path:
        """The file that carries the writer lock; it stays when the lock is released."""
        return self.path / "writer.lock"

    @property
    def holder_path(self) -> Path:
        """Who holds the writer lock."""
        return self.path / "writer.json"

    @property
    def log_path(self) -> Path:
        """The log; the generation before it has `.1` at its end."""
        return self.path / "logs" / "vaultmem.log"

    def prepare(self, vault_root: Path) -> None:
        """Make the folders, and the file that says whose they are. Raises CannotWrite."""
        with _named_trouble(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            for folder in (self.path, *(self.path / name for name in _FOLDERS)):
                atomic.make_folders(folder, above=folder.parent, mode=_PRIVATE_FOLDER)
            label = self.path / "vault.txt"
            text = os.fsencode(vault_root) + b"\n"
            if not label.is_file() or label.read_bytes() != text:
                atomic.replace_with(label, text, mode=_PRIVATE_FILE)

    def sweep_temporaries(self, *, older_than: datetime) -> int:
        """Remove what killed runs left here, untouched since then; how many files."""
        moment = int(older_than.timestamp() * 1_000_000_000)
        folders = (self.path, *(self.path / name for name in _FOLDERS))
        return sum(len(atomic.sweep(folder, older_than_ns=moment)) for folder in folders)

    def exposed(self) -> tuple[str, ...]:
        """What other people of this computer may read here: nothing while the folder itself is closed to them.

        Windows keeps a user's data folder to its owner by rules of its own.
        """
        if os.name == "nt" or not self.path.stat().st_mode & _OTHERS:
            return ()
        below = (path for path in sorted(self.path.rglob("*")) if not path.is_symlink() and path.exists())
        return (".", *(path.relative_to(self.path).as_posix() for path in below if path.stat().st_mode & _OTHERS))

    # --- originals -------------------------------------------------------------------------------------------------

    def keep_original(self, name: str, source: Path) -> str:
        """Copy a dropped file durably into `originals/` and return its SHA-256; the caller then removes the source.

        The same content is kept once, under the first name it came with. Raises CannotWrite.
        """
        folder = self.path / "originals"
        with _named_trouble(folder):
            fresh = atomic.temporary(folder / "original")
            digest = hashlib.sha256()
            try:
                atomic.write_new(fresh, _blocks(source, digest), mode=_PRIVATE_FILE)
                sha256 = digest.hexdigest()
                if self.original_path(sha256) is None:
                    atomic.replace(fresh, folder / f"{sha256[:_HASH_DIGITS]}-{safe_part(Path(name).name)}")
            finally:
                atomic.discard([fresh])
            atomic.flush_folder(folder)
        return sha256

    def original_path(self, sha256: str) -> Path | None:
        """Where the original of that content is kept; None when it is not here."""
        if not _SHA256.fullmatch(sha256):
            return None
        found = sorted((self.path / "originals").glob(f"{sha256[:_HASH_DIGITS]}-*"))
        return found[0] if found else None

    # --- claims ----------------------------------------------------------------------------------------------------

    def open_claim(self, claim: Claim) -> None:
        """Write down, durably, which notes a dropped file is about to become; replaces the claim it had.

        Raises CannotWrite.
        """
        path = self._claim_path(claim.sha256)
        fact = {
            "sha256": claim.sha256,
            "file": claim.file,
            "planned": list(claim.planned),
            "removing": list(claim.removing),
            "original": claim.original,
        }
        with _named_trouble(path):
            atomic.replace_with(path, json.dumps(fact, indent=1).encode(), mode=_PRIVATE_FILE)

    def claims(self) -> tuple[Claim, ...]:
        """The open claims, sorted by SHA-256; one that cannot be read is there too, with its problem."""
        return tuple(_read_claim(path) for path in sorted((self.path / "claims").glob("[0-9a-zA-Z]*.json")))

    def close_claim(self, sha256: str) -> None:
        """The file is in: forget its claim. Not flushed: a claim that a power cut brings back is only done again."""
        with _named_trouble(self._claim_path(sha256)):
            try:
                atomic.unlink(self._claim_path(sha256))
            except FileNotFoundError:
                return

    def _claim_path(self, sha256: str) -> Path:
        return self.path / "claims" / f"{safe_part(sha256)}.json"

    # --- what is remembered from one command to the next --------------------------------------------------------------

    def remembered(self, name: str) -> str:
        """The text remembered under this name; "" when there is none, or it cannot be read."""
        try:
            return (self.path / f"{name}.state").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def remember(self, name: str, text: str) -> None:
        """Remember a text in place of the one before. Raises CannotWrite."""
        path = self.path / f"{name}.state"
        with _named_trouble(path):
            atomic.replace_with(path, text.encode(), mode=_PRIVATE_FILE)

    # --- log -------------------------------------------------------------------------------------------------------

    def log(self, line: str) -> None:
        """Append one line (the caller has dated and redacted it); at 1 MB the log moves to `.1`. Raises CannotWrite."""
        with _named_trouble(self.log_path):
            self._rotate()
            fd = os.open(self.log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _PRIVATE_FILE)
            try:
                os.write(fd, _one_line(line))
            finally:
                os.close(fd)

    def _rotate(self) -> None:
        try:
            size = self.log_path.stat().st_size
        except FileNotFoundError:
            return
        if size >= _LOG_BYTES:
            atomic.replace(self.log_path, self.log_path.with_name(f"{self.log_path.name}.1"))


def _one_line(text: str) -> bytes:
    """A log line no text can break out of."""
    return _BREAKS.sub(lambda found: ascii(found[0])[1:-1], text).encode("utf-8", "backslashreplace") + b"\n"


def _blocks(source: Path, digest: hashlib._Hash) -> Iterator[bytes]:
    """A file's bytes, hashed on the way."""
    with source.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            yield block


def _read_claim(path: Path) -> Claim:
    try:
        fact = json.loads(path.read_bytes())
        file, planned, removing = fact["file"], fact["planned"], fact["removing"]
        original = fact.get("original", "")
        if fact["sha256"] == path.stem and all(isinstance(item, str) for item in [file, original, *planned, *removing]):
            return Claim(
                sha256=path.stem, file=file, planned=tuple(planned), removing=tuple(removing), original=original
            )
        problem = "its fields do not fit together"
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        problem = str(error) or type(error).__name__
    return Claim(sha256=path.stem, file="", problem=f"{path.name}: {problem}")


@contextmanager
def _named_trouble(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CannotWrite(str(path), error.strerror or type(error).__name__) from error
