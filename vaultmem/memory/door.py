"""What whoever knocks over HTTP must know."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from vaultmem.store.data import data_folder

_TOKEN = "serve-token"  # noqa: S105 - the name under which it is remembered


def door_token(root: Path, environ: Mapping[str, str] | None = None) -> str:
    """The token of this vault's HTTP door: VAULTMEM_TOKEN, else made once and kept in the private data folder."""
    environ = os.environ if environ is None else environ
    given = environ.get("VAULTMEM_TOKEN", "").strip()
    if given:
        return given
    data = data_folder(root, environ=environ)
    kept = data.remembered(_TOKEN).strip()
    if not kept:
        kept = secrets.token_urlsafe(32)
        data.remember(_TOKEN, kept)
    return kept
