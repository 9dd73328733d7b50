"""Vaults in git: two clones of one vault, each with a memory of its own, merged by plain `git merge`."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.vaults import Box

_CONFLICT = re.compile(rb"^(<{7}|>{7}|\|{7})( |$)", re.MULTILINE)
#: Nothing of whoever runs the tests: no identity, no signing, no hooks.
GIT_ENVIRON = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
    "GIT_TERMINAL_PROMPT": "0",
}


def git(root: Path, *arguments: str, ok: bool = True, environ: dict[str, str] | None = None) -> str:
    """Run git in a folder; what it says. `ok`: it must end 0."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    done = subprocess.run(
        ["git", "-c", "gc.auto=0", *arguments],
        cwd=root,
        env={**kept, **GIT_ENVIRON, **(environ or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not ok or done.returncode == 0, f"git {arguments}: {done.stdout}{done.stderr}"
    return done.stdout


class Clone(Box):
    """A vault that is a git repository."""

    @classmethod
    def first(cls, folder: Path, config: str = "") -> Clone:
        """A new vault with a first commit."""
        made = cls(folder, config=config)
        git(made.root, "init", "-q", "-b", "main")
        made.save("start")
        return made

    def clone(self, folder: Path) -> Clone:
        """Another one, of the same history, with no memory outside its vault."""
        made = Clone.__new__(Clone)
        made.root, made.data = folder / "vault", folder / "data"
        made.environ = {**self.environ, "VAULTMEM_DATA": str(made.data)}
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "clone", "-q", str(self.root), "vault")
        (made.root / "inbox").mkdir(exist_ok=True)
        return made

    def save(self, text: str = "work") -> None:
        """Commit everything as it is, markers and all: what a person in a hurry does."""
        git(self.root, "add", "-A")
        git(self.root, "commit", "-q", "--allow-empty", "-m", text)

    def merge(self, other: Clone) -> str:
        """Plain `git merge` of the other's branch; conflicts stay where they are. What git says."""
        git(self.root, "fetch", "-q", str(other.root), "main:refs/remotes/other/main", "-f")
        return git(self.root, "merge", "-q", "--no-edit", "refs/remotes/other/main", ok=False)

    def merge_across(self, other: Clone) -> None:
        """Each merges what the other had before: the same merge from both ends."""
        git(self.root, "branch", "-f", "before")
        self.merge(other)
        git(other.root, "fetch", "-q", str(self.root), "before")
        git(other.root, "merge", "-q", "--no-edit", "FETCH_HEAD", ok=False)

    def marked(self) -> list[str]:
        """Notes of memory in which conflict markers stand."""
        paths = [path for path, data in self.notes().items() if _CONFLICT.search(data)]
        hidden = (self.root / ".vaultmem").rglob("*")
        return paths + [str(path) for path in hidden if path.is_file() and _CONFLICT.search(path.read_bytes())]

    def state(self) -> str:
        """The digest of what memory holds, with no drift."""
        return self.digest()
