"""The arrows of the house (ARCHITECTURE.md): who may import whom, no cycles, and no I/O in the pure rooms."""

from __future__ import annotations

from pathlib import Path

from tests.parsed import parsed

ROOT = Path(__file__).parent.parent / "vaultmem"
NOUNS = {
    "model",
    "answers",
    "queries",
    "grown",
    "jobs",
    "config",
    "userconfig",
    "asked",
    "forest",
    "facts",
    "told",
    "forgetting",
    "history",
    "errors",
}
ALLOWED: dict[str, set[str]] = {
    "model": set(),
    "answers": set(),
    "grown": set(),
    "jobs": set(),
    "errors": set(),
    "queries": {"errors"},
    "config": {"errors"},
    "userconfig": {"errors"},
    "asked": set(),
    "forest": set(),
    "facts": set(),
    "told": {"answers"},
    "forgetting": set(),
    "history": set(),
    "ports": {"ports"},
    "core": {"core"},
    "sources": {"sources", "core"},
    "store": {"store", "core"},
    "providers": {"providers", "core"},
    "app": {"app", "ports", "core", "sources"},
    "memory": {"memory", "app", "store", "providers", "ports"},
    "surfaces": {"surfaces", "memory", "__init__"},
    "__init__": {"memory"},
    "__main__": {"surfaces"},
}
PURE = (
    "core",
    "sources",
    "model",
    "answers",
    "queries",
    "grown",
    "jobs",
    "userconfig",
    "asked",
    "forest",
    "errors",
    "ports",
)
IMPURE_MODULES = {
    "os", "io", "pathlib", "shutil", "tempfile", "glob", "time", "random", "secrets", "logging",
    "socket", "urllib.request",
    "http", "requests", "httpx", "subprocess", "threading", "multiprocessing",
    "sqlite3", "apsw", "watchdog", "tiktoken",
    "platformdirs", "filelock", "mmap", "uuid",
}  # fmt: skip
#: A path as a mere type in a port's signature reads no disk.
TYPE_ONLY = {("ports", "pathlib")}
#: A table of numbers that is a setting: it stands with what it is for, imports nothing of ours, and is a noun.
VALUES = {"vaultmem.core.recall.weights"}
IMPURE_CALLS = {"open", "print", "input"}


def modules() -> list[Path]:
    return sorted(ROOT.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


MODULES = {name_of(path): path for path in modules()}


def edges(name: str) -> set[str]:
    return {i for i in parsed(MODULES[name]).imports if i in MODULES and i != name}


def test_imports_follow_the_arrows() -> None:
    arrows = ((module, target) for module in MODULES for target in edges(module))
    wrong = [
        f"{module} -> {target}: no such arrow"
        for module, target in arrows
        if room(target) not in ALLOWED[room(module)] | NOUNS and target not in VALUES
    ]
    assert not wrong


def test_pure_rooms_do_no_io() -> None:
    for module in MODULES:
        if room(module) in PURE:
            check_pure(module)


def check_pure(module: str) -> None:
    used = {i for i in parsed(MODULES[module]).imports for bad in IMPURE_MODULES if i == bad or i.startswith(f"{bad}.")}
    used = {i for i in used if (room(module), i.split(".")[0]) not in TYPE_ONLY}
    assert not used, f"{module} imports {sorted(used)}"
    for called, bare in parsed(MODULES[module]).calls:
        assert not (bare and called in IMPURE_CALLS), f"{module}: calls {called}()"
        assert called not in {"now", "utcnow", "today"}, f"{module}: reads the clock"


def test_there_is_no_cycle() -> None:
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path, module])
        if module not in done:
            for target in edges(module):
                visit(target, (*path, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())


def test_no_room_is_a_lumber_room() -> None:
    for path in modules():
        assert path.stem not in {"utils", "helpers", "common", "misc"}, path
        for name, has_bases in parsed(path).classes:
            assert not name.endswith(("Manager", "Service", "Handler")) or has_bases, name
