"""A file that fits in a head: the limits of the house, so that growth is noticed."""

from __future__ import annotations

import ast
import statistics
from pathlib import Path

ROOT = Path(__file__).parent.parent / "vaultmem"


def functions() -> list[tuple[str, int]]:
    found = []
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[0]
                documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
                start = node.body[1].lineno if documented and len(node.body) > 1 else first.lineno
                found.append((f"{path.name}:{node.name}", (node.end_lineno or start) - start + 2))
    return found


def test_files_stay_under_400_lines() -> None:
    long = {str(p.relative_to(ROOT)): n for p in ROOT.rglob("*.py") if (n := len(p.read_text().splitlines())) > 400}
    assert not long


def test_functions_stay_short() -> None:
    sizes = functions()
    assert not [entry for entry in sizes if entry[1] > 60]
    assert statistics.median(size for _, size in sizes) < 10


def test_every_function_is_annotated() -> None:
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                assert node.returns is not None, f"{path.name}:{node.name}"
