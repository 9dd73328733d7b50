"""A file that fits in a head: the limits of the house, so that growth is noticed."""

from __future__ import annotations

import statistics
from pathlib import Path

from tests.parsed import parsed

ROOT = Path(__file__).parent.parent / "vaultmem"


def functions() -> list[tuple[str, int]]:
    return [(f"{path.name}:{name}", lines) for path in ROOT.rglob("*.py") for name, lines in parsed(path).functions]


def test_files_stay_under_400_lines() -> None:
    long = {str(p.relative_to(ROOT)): n for p in ROOT.rglob("*.py") if (n := len(p.read_text().splitlines())) > 400}
    assert not long


def test_functions_stay_short() -> None:
    sizes = functions()
    assert not [entry for entry in sizes if entry[1] > 60]
    assert statistics.median(size for _, size in sizes) < 10


def test_every_function_is_annotated() -> None:
    silent = [f"{path.name}:{name}" for path in ROOT.rglob("*.py") for name in parsed(path).silent]
    assert not silent
