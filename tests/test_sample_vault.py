"""sample_vault is what the code makes of its inbox, byte for byte, at a fixed clock (`--update` rewrites it)."""

from __future__ import annotations

import html
import re
import shutil

import pytest

from tests.pictures import FOLDER, QUESTION
from tests.program import run
from tests.vaults import REPO, Box

SAMPLE = REPO / "sample_vault"


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    box = Box(tmp_path_factory.mktemp("sample"))
    shutil.copy(SAMPLE / ".vaultmem/config.yaml", box.root / ".vaultmem/config.yaml")
    for path in sorted((SAMPLE / "inbox").iterdir()):
        box.drop(path)
    box.sync()
    return box


def test_the_sample_vault_is_what_the_code_makes(box: Box, update: bool) -> None:
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


def test_the_picture_of_the_terminal_shows_what_is_answered(box: Box) -> None:
    """`python -m tests.pictures` makes it anew."""

    def told(text: str) -> tuple[list[str], list[str]]:
        return re.findall(r"score\s(\d\.\d\d)", text), re.findall(r"(wiki/raw/\S+?)/", text)

    drawn = html.unescape(re.sub(r"<[^>]*>", "", (FOLDER / "terminal.svg").read_text(encoding="utf-8")))
    scores, paths = told(drawn)
    assert (len(scores), len(paths)) == (3, 3)
    assert told(run(box, "recall", "-k", "3", QUESTION).stdout) == (scores, paths)
