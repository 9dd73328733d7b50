"""Committing memory's own files, and nothing else, to the branch that is checked out.

The tree is built in an index of our own, so that what the user has staged, of whatever file, stays staged and out of
the commit. Afterwards those entries of the user's index that said what the branch said say what it says now. Hooks of
the repository do not run.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.commitmessage import kind_of, message
from vaultmem.core.notes.conflicts import has_conflict
from vaultmem.core.notes.paths import ARCHIVE
from vaultmem.errors import GitTrouble, VaultmemError
from vaultmem.history import DONE, Committed
from vaultmem.store.git import Git, names
from vaultmem.store.history import OURS, GitHistory

#: What git leaves in its folder while it is in the middle of something: (file, what that is, how to come out of it).
_UNDER_WAY = (
    ("MERGE_HEAD", "a merge", "run 'git add -A' and 'git commit', or 'git merge --abort'"),
    ("rebase-merge", "a rebase", "run 'git rebase --continue' or 'git rebase --abort'"),
    ("rebase-apply", "a rebase", "run 'git rebase --continue' or 'git rebase --abort'"),
    ("CHERRY_PICK_HEAD", "a cherry-pick", "run 'git cherry-pick --continue' or 'git cherry-pick --abort'"),
    ("REVERT_HEAD", "a revert", "run 'git revert --continue' or 'git revert --abort'"),
    ("BISECT_LOG", "a bisect", "run 'git bisect reset'"),
)
_WHO = ("vaultmem", "vaultmem@localhost")
_SOURCE = re.compile(rb'^source_id: "?(.*?)"?\r?$', re.MULTILINE)
#: Of a note, as much as holds its source.
_HEAD_BYTES = 2000
_SUBMODULE = "160000"
_ABSENT = "0" * 6
_LISTED = 5
_DONE_OF = {"A": "added", "M": "changed", "T": "changed", "D": "removed", "R": "renamed"}

_Entries = Mapping[str, tuple[str, str]]


def commit_memory(history: GitHistory, *, text: str, now: datetime) -> Committed:
    """Commit what has changed in memory's files. `now`: aware, the date of the commit. Raises GitTrouble."""
    _refuse_half_done(history)
    with tempfile.TemporaryDirectory(prefix="vaultmem-") as folder:
        return _Committing(history, Path(folder) / "index").run(text, now)


def _refuse_half_done(history: GitHistory) -> None:
    for name, what, way_out in _UNDER_WAY:
        if (history.folder / name).exists():
            raise GitTrouble(f"{what} is under way here: {way_out}, then 'vaultmem commit'")
    if history.lock.exists():
        raise GitTrouble(f"another git is at work here ({history.lock}): try again, or remove that file if none is")


class _Committing:
    """One commit under way. Paths are the repository's, as git spells them."""

    def __init__(self, history: GitHistory, index: Path) -> None:
        self._history = history
        self._git = Git(history.top)
        self._own = {"GIT_INDEX_FILE": str(index)}
        self._index = index
        self._ours = [f"{history.prefix}{folder}" for folder in OURS]
        self._head = history.head()

    def run(self, text: str, now: datetime) -> Committed:
        """The whole of it."""
        theirs = self._entries("ls-files", "-s", "-z")
        self._refuse_unmerged(theirs)
        before = self._entries("ls-tree", "-r", "-z", self._head) if self._head else {}
        changed = self._changed()
        self._refuse_marked(changed)
        tree = self._tree(changed)
        old = (
            self._git.call("rev-parse", f"{self._head}^{{tree}}").text if self._head else self._git.call("mktree").text
        )
        if tree == old:
            return Committed(remarks=self._ignored())
        counts, touched = self._counted(old, tree)
        sources = self._sources(touched)
        branch = self._git.ask("symbolic-ref", "-q", "--short", "HEAD").text
        said = message(text, counts, sources)
        who, remarks = self._identity()
        commit = self._write(tree, said, who | _dates(now))
        remarks += [] if branch else ["HEAD is detached: no branch holds this commit"]
        remarks += self._bring_up_to_date(theirs, before, self._entries("ls-tree", "-r", "-z", tree), changed)
        subject = said.splitlines()[0]
        return Committed(
            commit=commit, branch=branch, subject=subject, counts=counts, sources=sources, remarks=tuple(remarks)
        )

    # --- what has changed -------------------------------------------------------------------------------------------

    def _entries(self, *arguments: str) -> dict[str, tuple[str, str]]:
        """Path -> (mode, blob) of memory's files, of an index or a tree; of what is unmerged the mode is ""."""
        found: dict[str, tuple[str, str]] = {}
        for entry in self._git.call(*arguments, "--", *self._ours).out.split(b"\0"):
            about, _, name = entry.partition(b"\t")
            words = about.decode().split()
            if name and words[1] in ("blob", "commit"):
                found[os.fsdecode(name)] = (words[0], words[2])
            elif name:
                found[os.fsdecode(name)] = (words[0] if words[2] == "0" else "", words[1])
        return found

    def _refuse_unmerged(self, entries: _Entries) -> None:
        own = [path for path, (mode, _) in entries.items() if mode == _SUBMODULE]
        if own:
            raise GitTrouble(f"{_some(own)} is a repository of its own: commit there")
        unmerged = [path for path, (mode, _) in entries.items() if not mode]
        if unmerged:
            raise GitTrouble(f"{_some(unmerged)}: not merged yet; mend them, 'git add' them, then 'vaultmem commit'")

    def _changed(self) -> list[str]:
        """Files of memory that differ from the branch, without those git was told to leave alone."""
        theirs = self._history.git.call("rev-parse", "--git-path", "index").text
        with suppress(FileNotFoundError):  # what it knows of times and sizes saves reading every file
            shutil.copyfile(self._history.root / theirs, self._index)
        self._git.call("read-tree", *(("--reset", self._head) if self._head else ("--empty",)), environ=self._own)
        said = self._git.call(
            "status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all", "--",
            *self._ours, environ=self._own,
        )  # fmt: skip
        tags = self._git.call("ls-files", "-v", "-z", "--", *self._ours).out.split(b"\0")
        apart = {os.fsdecode(entry[2:]) for entry in tags if entry[:1] != b"H" and entry[:1].upper() in (b"S", b"H")}
        changed = [path for entry in names(said.out) if (path := entry[3:]) not in apart]
        nested = [path for path in changed if path.endswith("/")]
        if nested:
            raise GitTrouble(f"{_some(nested)} is a repository of its own: commit there")
        return changed

    def _refuse_marked(self, changed: Sequence[str]) -> None:
        originals = f"{self._history.prefix}{ARCHIVE}/"  # what stands in one may be about git
        notes = [path for path in changed if path.endswith(".md") and not path.startswith(originals)]
        marked = [path for path in notes if _is_marked(self._read(path))]
        if marked:
            raise GitTrouble(
                f"conflict markers stand in {_some(marked)}: run 'vaultmem sync', mend what is left by hand"
            )

    def _read(self, path: str, most: int = -1) -> bytes:
        where = self._history.top / path
        try:
            if where.is_symlink() or not where.is_file():
                return b""
            with where.open("rb") as file:
                return file.read(most)
        except OSError:
            return b""

    def _tree(self, changed: Sequence[str]) -> str:
        given = b"".join(os.fsencode(path) + b"\0" for path in changed)
        self._git.call(
            "-c", "core.safecrlf=false", "update-index", "--add", "--remove", "--replace", "-z", "--stdin",
            given=given, environ=self._own,
        )  # fmt: skip
        return self._git.call("write-tree", environ=self._own).text

    def _counted(self, old: str, tree: str) -> tuple[dict[str, dict[str, int]], list[str]]:
        """What happened to how many files of which kind, and the paths that are there now."""
        parts = self._git.call("diff-tree", "-r", "-M", "-z", "--raw", old, tree).out.split(b"\0")
        found: dict[str, Counter[str]] = {done: Counter() for done in DONE}
        touched: list[str] = []
        at = 0
        while at + 1 < len(parts):
            letter = parts[at].decode().rsplit(" ", 1)[1][0]
            step = 2 if letter in "RC" else 1
            path = os.fsdecode(parts[at + step])
            found[_DONE_OF[letter]][kind_of(path.removeprefix(self._history.prefix))] += 1
            touched += [path] if letter != "D" else []
            at += step + 1
        return {done: dict(kinds) for done, kinds in found.items() if kinds}, touched

    def _sources(self, touched: Collection[str]) -> tuple[str, ...]:
        raw = (path for path in touched if kind_of(path.removeprefix(self._history.prefix)) == "notes")
        heads = (_SOURCE.search(self._read(path, _HEAD_BYTES)) for path in raw)
        return tuple(sorted({head[1].decode("utf-8", "replace") for head in heads if head}))

    def _ignored(self) -> tuple[str, ...]:
        """Folders of memory that git was told to ignore: then nothing in them is ever committed."""
        ignored = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
        found = names(self._git.ask(*ignored, "--", *self._ours).out)
        return tuple(
            f"git ignores {name} here: nothing in it is committed" for name in found if name[:-1] in self._ours
        )

    # --- the commit -------------------------------------------------------------------------------------------------

    def _identity(self) -> tuple[dict[str, str], list[str]]:
        """Who commits, where git does not know; and a word about that."""
        only = ("-c", "user.useConfigOnly=true", "var")
        if all(self._git.ask(*only, f"GIT_{role}_IDENT").code == 0 for role in ("AUTHOR", "COMMITTER")):
            return {}, []
        name, email = (self._git.ask("config", f"user.{key}").text for key in ("name", "email"))
        who = {}
        for role in ("AUTHOR", "COMMITTER"):
            who[f"GIT_{role}_NAME"] = os.environ.get(f"GIT_{role}_NAME") or name or _WHO[0]
            who[f"GIT_{role}_EMAIL"] = os.environ.get(f"GIT_{role}_EMAIL") or email or _WHO[1]
        told = f"{who['GIT_AUTHOR_NAME']} <{who['GIT_AUTHOR_EMAIL']}>"
        return who, [f"git knows no user.name and user.email here: committed as {told}"]

    def _write(self, tree: str, said: str, environ: Mapping[str, str]) -> str:
        parents = ("-p", self._head) if self._head else ()
        commit = self._git.call("commit-tree", tree, *parents, given=said.encode(), environ=environ).text
        before = self._head or "0" * len(commit)
        subject = said.splitlines()[0]
        moved = self._git.ask("update-ref", "-m", f"commit: {subject}", "HEAD", commit, before, environ=environ)
        if moved.code:
            raise GitTrouble(f"the branch could not be moved ({moved.error}): run 'vaultmem commit' again")
        return commit

    def _bring_up_to_date(
        self, theirs: _Entries, before: _Entries, after: _Entries, changed: Sequence[str]
    ) -> list[str]:
        """Entries of the user's index that said what the branch said; what they staged stays as it is."""
        lines = []
        for path in changed:
            if theirs.get(path) == before.get(path) and after.get(path) != before.get(path):
                mode, blob = after.get(path, (_ABSENT, "0" * len(self._head)))
                lines.append(f"{mode} {blob}\t".encode() + os.fsencode(path) + b"\0")
        said = self._git.ask("update-index", "--replace", "-z", "--index-info", given=b"".join(lines))
        if said.code:
            return [f"committed, but git's index could not be brought up to date ({said.error}): run 'git reset'"]
        self._git.ask("update-index", "-q", "--refresh")
        return []


def _dates(now: datetime) -> dict[str, str]:
    when = now.isoformat(timespec="seconds")
    return {f"GIT_{role}_DATE": os.environ.get(f"GIT_{role}_DATE") or when for role in ("AUTHOR", "COMMITTER")}


def _is_marked(data: bytes) -> bool:
    """Whether git's markers stand in a note; one that is as vaultmem wrote it may quote them."""
    text = data.decode("utf-8", "replace") if b"<<<<<<<" in data else ""
    if not has_conflict(text):
        return False
    try:
        return parse_chunk_note(text).edited
    except VaultmemError:
        return True


def _some(paths: Sequence[str]) -> str:
    more = len(paths) - _LISTED
    return ", ".join(paths[:_LISTED]) + (f" and {more} more" if more > 0 else "")
