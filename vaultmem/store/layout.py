"""A vault's folders: made once by `init`, swept of what killed runs left before every write."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from vaultmem.config import CONFIG_PATH, Settings, parse_settings, render_settings
from vaultmem.core.ingest.inbox import FAILED_FOLDER
from vaultmem.core.notes.paths import ENTITIES, RAW
from vaultmem.errors import BadConfig, CannotWrite, NoVault
from vaultmem.store.data import DataFolder
from vaultmem.store.vault import DiskVault

#: For this folder alone: what git leaves out, and files of which both sides' lines count when it merges.
_GIT = {
    ".vaultmem/.gitignore": b"*.tmp\nusage.jsonl\nvault-id\n",
    ".vaultmem/.gitattributes": b"tombstones.jsonl merge=union\nmade.txt merge=union\n",
}
#: Nobody copies into the inbox for longer without writing to the copy.
_STALE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class InitReport:
    """What `init` made."""

    vault: str
    made: tuple[str, ...]
    inbox: str

    def to_dict(self) -> dict[str, object]:
        """The JSON of `init`."""
        return {"vault": self.vault, "made": list(self.made), "inbox": self.inbox}

    def text(self) -> str:
        """What was made, and what to do next."""
        made = f"made {', '.join(self.made)}" if self.made else "everything was there already"
        return (
            f"{self.vault}: {made}\n"
            f"Next: drop chats, mails or notes into '{self.inbox}', then run 'vaultmem sync' (or leave "
            "'vaultmem watch' running), and ask with 'vaultmem recall \"…\"'.\n"
            f"Your own notes are left alone. To have them read where they stand, name them in '{CONFIG_PATH}', like "
            'notes: ["**/*.md"]; nothing is copied, nothing in them is changed.'
        )


def find_vault(named: str | None = None, *, environ: Mapping[str, str] = os.environ, start: Path | None = None) -> Path:
    """The vault: as named, else VAULTMEM_VAULT, else the nearest parent that holds `.vaultmem/`. Raises NoVault."""
    chosen = named or environ.get("VAULTMEM_VAULT", "")
    if chosen:
        return Path(chosen).expanduser()
    here = (start or Path.cwd()).absolute()
    for folder in (here, *here.parents):
        if (folder / ".vaultmem").is_dir():
            return folder
    raise NoVault(str(here))


def make_vault(root: Path, *, inbox: str, zone: str) -> InitReport:
    """Make folders, config and git's own files where they are missing; nothing that exists is changed.

    `inbox`: the folder as named, "" to choose. Raises BadConfig, CannotWrite, OutsideVault.
    """
    try:
        root.mkdir(parents=True, exist_ok=True)
        vault = DiskVault(root)
        settings, made = _config(vault, inbox.strip("/"), zone)
        for path, content in _GIT.items():
            if not (root / path).exists():
                made.append(vault.put(path, content))
        for folder in (settings.inbox, ENTITIES, RAW):
            if not (root / folder).is_dir():
                (root / folder).mkdir(parents=True)
                made.append(f"{folder}/")
    except OSError as error:
        raise CannotWrite(str(error.filename or root), error.strerror or type(error).__name__) from None
    return InitReport(vault=str(root), made=tuple(made), inbox=settings.inbox)


def _config(vault: DiskVault, inbox: str, zone: str) -> tuple[Settings, list[str]]:
    """The settings in force, and the config file when it had to be made."""
    path = vault.root / CONFIG_PATH
    if path.exists():
        settings = parse_settings(path.read_bytes(), str(path))
        if inbox and inbox != settings.inbox:
            raise BadConfig(str(path), "inbox", f"is '{settings.inbox}' already; change it there")
        return settings, []
    text = render_settings(Settings(timezone=zone, inbox=inbox or _free_inbox(vault.root))).encode()
    return parse_settings(text, str(path)), [vault.put(CONFIG_PATH, text)]


def _free_inbox(root: Path) -> str:
    """`inbox`, unless a folder of that name holds something already: then nobody asked to have it emptied."""
    existing = {entry.name.casefold(): entry for entry in root.iterdir()}
    for name in ("inbox", "memory-inbox", "vaultmem-inbox"):
        entry = existing.get(name)
        if entry is None or (entry.is_dir() and not any(entry.iterdir())):
            return entry.name if entry else name
    raise CannotWrite(str(root / "inbox"), "folders of that name hold files: name another one with --inbox")


def keep_inbox(root: Path, inbox: str) -> None:
    """Make the inbox of a vault that is there: git carries no empty folder into a clone.

    A vault out of reach has no `.vaultmem` to be seen; one that cannot be written goes without, and can still be read.
    """
    if (root / ".vaultmem").is_dir() and not os.path.lexists(root / inbox):
        with suppress(OSError):
            (root / inbox).mkdir(parents=True)


def sweep(vault: DiskVault, data: DataFolder, *, inbox: str) -> None:
    """Remove temporary files of killed runs. Under the writer lock, so nobody else is writing the notes."""
    now = datetime.now(UTC)
    vault.sweep_temporaries(["wiki", ENTITIES, ".vaultmem", f"{inbox}/{FAILED_FOLDER}"], older_than=now + _STALE)
    # Into the inbox, and beside the index, others write without the lock.
    vault.sweep_temporaries([inbox], older_than=now - _STALE)
    data.sweep_temporaries(older_than=now - _STALE)
    if vault.stat(f"{inbox}/{FAILED_FOLDER}") is not None:  # a file in the place of the folder
        vault.move(f"{inbox}/{FAILED_FOLDER}", f"{inbox}/{FAILED_FOLDER} (2)")
