"""sample_vault is what the code makes of its inbox, byte for byte, at a fixed clock (`--update` rewrites it)."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.vaults import REPO, Box

SAMPLE = REPO / "sample_vault"


def made(tmp_path: Path) -> Box:
    box = Box(tmp_path)
    shutil.copy(SAMPLE / ".vaultmem/config.yaml", box.root / ".vaultmem/config.yaml")
    for path in sorted((SAMPLE / "inbox").iterdir()):
        box.drop(path)
    box.sync()
    return box


def test_the_sample_vault_is_what_the_code_makes(tmp_path: Path, update: bool) -> None:
    box = made(tmp_path)
    notes = box.notes()
    if update:
        for folder in ("wiki", "entities"):
            shutil.rmtree(SAMPLE / folder, ignore_errors=True)
        for path, content in notes.items():
            (SAMPLE / path).parent.mkdir(parents=True, exist_ok=True)
            (SAMPLE / path).write_bytes(content)
    committed = {
        path.relative_to(SAMPLE).as_posix(): path.read_bytes()
        for folder in ("wiki", "entities")
        for path in (SAMPLE / folder).rglob("*")
        if path.is_file()
    }

    assert notes == committed
    assert len(notes) > 10
