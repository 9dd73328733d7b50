"""What the tests of layers and sizes ask of a module: read once, and no tree is kept."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path


@dataclass(slots=True, kw_only=True)
class Parsed:
    imports: set[str] = field(default_factory=set)
    #: (name, whether it is called by that bare name)
    calls: set[tuple[str, bool]] = field(default_factory=set)
    #: (name, whether it has bases)
    classes: list[tuple[str, bool]] = field(default_factory=list)
    #: (name, lines without its docstring)
    functions: list[tuple[str, int]] = field(default_factory=list)
    #: functions that do not say what they return
    silent: list[str] = field(default_factory=list)


@cache
def parsed(path: Path) -> Parsed:
    made = Parsed()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                made.imports |= {alias.name for alias in node.names}
            case ast.ImportFrom():
                assert node.level == 0, f"{path}: relative import"
                made.imports.add(node.module or "")
                made.imports |= {f"{node.module}.{alias.name}" for alias in node.names}
            case ast.Call():
                bare = isinstance(node.func, ast.Name)
                made.calls.add((node.func.id if bare else getattr(node.func, "attr", ""), bare))
            case ast.ClassDef():
                made.classes.append((node.name, bool(node.bases)))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                made.functions.append((node.name, _lines(node)))
                if node.returns is None and isinstance(node, ast.FunctionDef):
                    made.silent.append(node.name)
    return made


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    start = node.body[1].lineno if documented and len(node.body) > 1 else first.lineno
    return (node.end_lineno or start) - start + 2
