"""Running the program `git` in a repository that may be anybody's: no shell, no hook, no program named in its config
but the filters that git itself puts a file's bytes through; its answers are bytes with NUL between names.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from vaultmem.errors import GitTrouble

#: What would point git at another repository than the one the vault lies in: a hook that calls vaultmem has them set.
_ELSEWHERE = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_EXTERNAL_DIFF", "GIT_TRACE", "GIT_DIFF_OPTS",
)  # fmt: skip
_FIXED = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C", "GIT_PAGER": "cat"}
_OPTIONS = (
    "--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.quotePath=false", "-c", "advice.detachedHead=false", "-c", "i18n.commitEncoding=UTF-8",
    "-c", "i18n.logOutputEncoding=UTF-8", "-c", "log.showSignature=false", "-c", "core.splitIndex=false",
)  # fmt: skip
#: Seconds after which a call is given up.
_PATIENCE = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """How a call ended."""

    code: int
    out: bytes
    error: str

    @property
    def text(self) -> str:
        """Its answer as one text."""
        return self.out.decode("utf-8", "replace").strip()


class Git:
    """git in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def call(
        self, *arguments: str, given: bytes = b"", environ: Mapping[str, str] | None = None, codes: Sequence[int] = (0,)
    ) -> Said:
        """Run it. Raises GitTrouble when it is not there, takes too long or ends otherwise than with these codes."""
        said = self.ask(*arguments, given=given, environ=environ)
        if said.code not in codes:
            raise GitTrouble(said.error or f"git {arguments[0]} ended with {said.code}")
        return said

    def ask(self, *arguments: str, given: bytes = b"", environ: Mapping[str, str] | None = None) -> Said:
        """Run it, however it ends. Raises GitTrouble when it is not there or takes too long."""
        kept = {key: value for key, value in os.environ.items() if key not in _ELSEWHERE}
        try:
            done = subprocess.run(  # noqa: S603 - no shell, and arguments of our own
                [program(), *_OPTIONS, *arguments],
                cwd=self.folder,
                input=given,
                env={**kept, **_FIXED, **(environ or {})},
                capture_output=True,
                check=False,
                timeout=_PATIENCE,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise GitTrouble(f"git {arguments[0]}: {error}") from None
        lines = [line for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
        told = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
        return Said(code=done.returncode, out=done.stdout, error=told.removeprefix("fatal: ").removeprefix("error: "))


@cache
def program() -> str:
    """Where git is: from the absolute folders of the PATH alone, never from the folder one happens to be in, which may
    be somebody's vault. Raises GitTrouble.
    """
    name = "git.exe" if os.name == "nt" else "git"
    for folder in map(Path, os.get_exec_path()):
        if folder.is_absolute() and os.access(folder / name, os.X_OK):
            return str(folder / name)
    raise GitTrouble("the program 'git' is not installed, or not on the PATH")


def names(out: bytes) -> list[str]:
    """Names with NUL between them, as the disk has them."""
    return [os.fsdecode(name) for name in out.split(b"\0") if name]
