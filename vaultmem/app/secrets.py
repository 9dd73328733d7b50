"""Secrets that stand in a vault already: in people's own notes, in what waits in the inbox, in notes from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from vaultmem.app.engine import Engine
from vaultmem.core.ingest.redact import redact, secrets_in
from vaultmem.errors import UnreadableSource, UnreadableVault
from vaultmem.sources.text import decode

#: what Obsidian shows as text
_TEXTS = (".md", ".txt", ".canvas", ".json")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSecret:
    """Where one stands; never the secret."""

    #: vault path, itself redacted
    path: str
    #: from 1; 0: in the file's name
    line: int
    family: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSecrets:
    """All of them, by path and line."""

    secrets: tuple[FoundSecret, ...]
    #: files looked through
    files: int
    #: vault path -> why it could not be looked through
    unreadable: Mapping[str, str]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `doctor --secrets`."""
        return {
            "ok": not self.secrets,
            "secrets": [asdict(secret) for secret in self.secrets],
            "files": self.files,
            "unreadable": dict(self.unreadable),
        }


def find_secrets(engine: Engine) -> FoundSecrets:
    """Look through every text of the vault, dot-folders and links left out. Changes nothing."""
    scan = engine.vault.scan("", suffix="")
    found: list[FoundSecret] = []
    unreadable = dict.fromkeys(scan.unreadable, "the folder cannot be listed")
    texts = [path for path in scan.files if path.lower().endswith(_TEXTS)]
    for number, path in enumerate(texts, start=1):
        engine.progress(f"looking for secrets: {number:,} of {len(texts):,} files, {len(found)} found")
        try:
            found += _found(engine, path)
        except (UnreadableSource, UnreadableVault, FileNotFoundError) as problem:
            unreadable[redact(path, engine.settings.redact_pii).text] = str(problem)
    return FoundSecrets(secrets=tuple(found), files=len(texts), unreadable=unreadable)


def _found(engine: Engine, path: str) -> Iterator[FoundSecret]:
    families = engine.settings.redact_pii
    named = redact(path, families)
    for family in named.removed:
        yield FoundSecret(path=named.text, line=0, family=family)
    text = decode(engine.vault.read(path))
    line, counted = 1, 0
    for start, _, family in secrets_in(text, families):
        line, counted = line + text.count("\n", counted, start), start
        yield FoundSecret(path=named.text, line=line, family=family)
