"""The git repository that a vault lies in: `ports.History`, and the way to it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path

from vaultmem.core.notes.conflicts import are_one_note, identity_line
from vaultmem.errors import GitTrouble, NoHistory
from vaultmem.store.git import Git, names
from vaultmem.store.names import key_of

#: Memory's own folders.
OURS = ("wiki", "entities", ".vaultmem")
#: Branches, stashes and commits that were left, looked through for a file at most; the newest first.
_TIPS = 60
_LEFT = 30
_STASHES = 10
#: What names the other side of a merge, a pick or a rebase under way.
_MERGED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD")
#: Commits whose deletions are looked through.
_COMMITS = 5000


class GitHistory:
    """The repository, opened for one pass or command."""

    def __init__(self, root: Path, top: Path, folder: Path, prefix: str) -> None:
        #: the vault's root
        self.root = root
        #: the repository's working tree
        self.top = top
        #: where this working tree's index, HEAD and locks are
        self.folder = folder
        #: the vault's path in the repository, "" or with a slash at its end
        self.prefix = prefix
        self.git = Git(root)
        self._blobs: tuple[object, dict[str, str]] = (None, {})

    @classmethod
    def open(cls, root: Path) -> GitHistory:
        """The repository of a vault. Raises NoHistory, GitTrouble."""
        root = Path(os.path.realpath(root))
        said = Git(root).ask(
            "rev-parse", "--is-inside-work-tree", "--show-prefix", "--absolute-git-dir", "--show-toplevel"
        )
        lines = said.out.decode("utf-8", "surrogateescape").split("\n")
        if said.code and "not a git repository" not in said.error and "must be run in a work tree" not in said.error:
            raise GitTrouble(said.error)
        if said.code or lines[0] != "true":
            raise NoHistory(str(root))
        prefix, folder, top = lines[1:4]
        return cls(root, Path(os.fsdecode(top.encode("utf-8", "surrogateescape"))), Path(folder), prefix)

    @classmethod
    def find(cls, root: Path) -> GitHistory | None:
        """The repository of a vault, where there is one that can be read."""
        if not any((folder / ".git").exists() for folder in (root, *root.parents)):
            return None  # no program is started for a vault that lies in none
        try:
            return cls.open(root)
        except (NoHistory, GitTrouble):
            return None

    def head(self) -> str:
        """The commit that is checked out; "" where there is none."""
        return self.git.ask("rev-parse", "-q", "--verify", "HEAD^{commit}").text

    @property
    def lock(self) -> Path:
        """What a git that writes holds."""
        return self.folder / "index.lock"

    def at_work(self) -> str:
        """The lock that a git holds which writes files; "" for none."""
        return str(self.lock) if self.lock.exists() else ""

    def holds(self, path: str, content: bytes) -> bool:
        """Whether the file is just as git's index has it."""
        return self._staged.get(path) == self.blob_id(content)

    def wrote(self, path: str, content: bytes, since: str) -> bool:
        """Whether a file stands as git has it, and git put it there by more than commits."""
        if not self.holds(path, content):
            return False
        head = self.head()
        return head == since or not self._only_commits(since)

    def _only_commits(self, since: str) -> bool:
        """Whether what was checked out since then was only ever committed here."""
        said = self.git.ask("log", "-g", "-n", "200", "--format=%H %gs", "HEAD")
        for line in said.text.splitlines():
            commit, _, what = line.partition(" ")
            if commit == since:
                return True
            if not what.startswith(("commit", "vaultmem")) or what.startswith("commit (merge)"):
                return False
        return False

    @property
    def _staged(self) -> dict[str, str]:
        """Vault path -> blob, as git's index has it; read again when it changed."""
        try:
            seen = (self.folder / "index").stat()
        except OSError:
            return {}
        stamp = (seen.st_size, seen.st_mtime_ns, seen.st_ino)
        if self._blobs[0] != stamp:
            found = {}
            for entry in self.git.call("ls-files", "-s", "-z", "--", *OURS).out.split(b"\0"):
                about, _, name = entry.partition(b"\t")
                if name and about.endswith(b" 0"):
                    found[key_of(os.fsdecode(name))] = about.split()[1].decode()
            self._blobs = (stamp, found)
        return self._blobs[1]

    @cached_property
    def _hash(self) -> str:
        """The name of the hash that names objects here."""
        found = self.git.ask("rev-parse", "--show-object-format").text
        return found if found in ("sha1", "sha256") else "sha1"

    def blob_id(self, content: bytes) -> str:
        """The name git gives these bytes."""
        digest = hashlib.new(self._hash, b"blob %d\0" % len(content), usedforsecurity=False)
        digest.update(content)
        return digest.hexdigest()

    def resolve(self, revision: str) -> str:
        """The commit that a revision names; "" for none."""
        if not revision or "\0" in revision:
            return ""
        return self.git.ask("rev-parse", "-q", "--verify", "--end-of-options", f"{revision}^{{commit}}").text

    def commit_at(self, moment: datetime) -> str:
        """The last commit that is not younger, from what is checked out along first parents; "" for none."""
        if not self.head():
            return ""
        before = f"--before={int(moment.timestamp())} +0000"
        return self.git.ask("rev-list", "-n", "1", "--first-parent", before, "HEAD").text

    def changed_since(self, commit: str) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
        """Memory's notes that differ, as they stand in that commit, and on the disk now."""
        blobs = self._differing(commit)
        others = names(self.git.call("ls-files", "-z", "--others", "--exclude-standard", "--", *OURS).out)
        before = dict(zip(blobs, self._contents(list(blobs.values())), strict=True))
        after = {name: content for name in {*blobs, *others} if (content := _regular(self.root / name)) is not None}
        return (
            {key_of(name): content for name, content in before.items() if content != after.get(name) and content},
            {key_of(name): content for name, content in after.items() if content != before.get(name)},
        )

    def _differing(self, commit: str) -> dict[str, str]:
        """Path -> blob in that commit ("" where there is none) of the files that may differ from the index or disk."""
        if not commit:
            return dict.fromkeys(names(self.git.call("ls-files", "-z", "--", *OURS).out), "")
        parts = self.git.call(
            "diff-index", "-z", "--raw", "--no-renames", "--relative", "--no-ext-diff", "--ignore-submodules=all",
            commit, "--", *OURS,
        ).out.split(b"\0")  # fmt: skip
        found: dict[str, str] = {}
        for about, name in zip(parts[::2], parts[1::2], strict=False):
            mode, _, blob, *_ = about.decode().lstrip(":").split()
            found[os.fsdecode(name)] = blob if mode.startswith("100") else ""
        return found

    def _contents(self, blobs: Sequence[str]) -> list[bytes]:
        """The bytes of these blobs; b"" for ""."""
        given = "".join(f"{blob}\n" for blob in blobs if blob).encode()
        out = self.git.call("cat-file", "--batch", given=given).out if given else b""
        found, at = [], 0
        for blob in blobs:
            if not blob:
                found.append(b"")
                continue
            end = out.index(b"\n", at)
            words = out[at:end].split()
            size = int(words[2]) if len(words) == 3 else 0
            found.append(out[end + 1 : end + 1 + size])
            at = end + 1 + (size + 1 if len(words) == 3 else 0)
        return found

    def versions(self, path: str, content: bytes) -> tuple[bytes, bytes] | None:
        """The two versions that a file with conflict markers was made of; None where they cannot be found."""
        entries = self.git.ask("ls-files", "-u", "-z", "--", path).out.split(b"\0")
        blobs = [entry.split()[1].decode() for entry in entries if entry.partition(b"\t")[0].endswith((b" 2", b" 3"))]
        found = self._contents(blobs)
        if len(found) != 2 or not are_one_note(*map(_text, found)):
            # What git merged is not always what stood at this path.
            found = self._contents(self._merged_from(path, content))
        return (found[0], found[1]) if len(found) == 2 else None

    def unmerged(self, folder: str) -> Mapping[str, tuple[bytes, bytes]]:
        """Files below a folder that both sides have and git could not merge, by path: as either side has them."""
        sides: dict[str, list[str]] = {}
        for entry in self.git.ask("ls-files", "-u", "-z", "--", folder).out.split(b"\0"):
            about, _, name = entry.partition(b"\t")
            if about.endswith((b" 2", b" 3")) and about.startswith(b"100"):
                sides.setdefault(key_of(os.fsdecode(name)), []).append(about.split()[1].decode())
        both = {path: blobs for path, blobs in sides.items() if len(blobs) == 2}
        contents = self._contents([blob for blobs in both.values() for blob in blobs])
        return dict(zip(both, zip(contents[::2], contents[1::2], strict=True), strict=True))

    def _merged_from(self, path: str, content: bytes) -> list[str]:
        """The blobs of a file that was added or committed as the merge left it."""
        name = f"{self.prefix}{path}"
        parents = ["HEAD", next((head for head in _MERGED if (self.folder / head).exists()), "")]
        if self.git.ask("rev-parse", "-q", "--verify", f"HEAD:{name}").text == self.blob_id(content):
            parents = self.git.ask("log", "-n", "1", "--format=%P", "HEAD", "--", path).text.split()
        if len(parents) != 2 or not all(parents):
            return []
        found = [self.git.ask("rev-parse", "-q", "--verify", f"{parent}:{name}").text for parent in parents]
        if all(found) or not any(found):
            return found if all(found) else []
        lacking = parents[found.index("")]
        there = next(filter(None, found))
        return [there, self._named_in(lacking, self._contents([there])[0]) or there]

    def _named_in(self, commit: str, note: bytes) -> str:
        """The blob of the note of this id, which has another path in that commit; "" for none."""
        line = identity_line(_text(note))
        if not line:
            return ""
        said = self.git.ask("grep", "-l", "-z", "-F", "--full-name", "-e", line, commit, "--", *OURS).out
        for name in said.split(b"\0"):
            blob = self.git.ask("rev-parse", "-q", "--verify", os.fsdecode(name)).text if name else ""
            if blob and are_one_note(_text(self._contents([blob])[0]), _text(note)):
                return blob
        return ""

    def put_away(self, paths: Collection[str]) -> frozenset[str]:
        """Which of these missing files git took off the disk and holds elsewhere."""
        head, folders = self.head(), _folders_of(paths)
        _, lost = self._unstaged(paths, head)
        held: set[str] = set()
        for tip in self._elsewhere(head) if lost else ():
            held |= self._in_tree(tip, folders) & lost
            if held == lost:
                break
        return frozenset(held - self._deleted(folders)) if held else frozenset()

    def took(self, paths: Collection[str], since: str) -> frozenset[str]:
        """Which of these missing files were there in `since` and went by more than commits of this clone, or by the
        merge under way: a person who deletes a file then leaves it in git's index.
        """
        head = self.head()
        removed, lost = self._unstaged(paths, head)
        found = removed if (self.folder / "MERGE_HEAD").exists() else set()
        if since and head != since and not self._only_commits(since):
            found |= lost & self._in_tree(since, _folders_of(paths))
        return frozenset(found)

    def _unstaged(self, paths: Collection[str], head: str) -> tuple[set[str], set[str]]:
        """Of these missing files those that git's index lacks: what is checked out holds the first, not the others."""
        folders = _folders_of(paths)
        lost = set(paths) - _paths(self.git.ask("ls-files", "-z", "--cached", "--", *folders).out)
        removed = lost & (self._in_tree("HEAD", folders) if head else set())
        return removed, lost - removed

    def _elsewhere(self, head: str) -> list[str]:
        """Commits that are not part of what is checked out: branches, stashes, what was left."""
        merged = [f"--no-merged={head}"] if head else []
        refs = self.git.ask(
            "for-each-ref", "--sort=-creatordate", f"--count={_TIPS}", *merged, "--format=%(objectname)"
        )
        stashes = self.git.ask("log", "-g", "-n", str(_STASHES), "--format=%H %P", "refs/stash").text.splitlines()
        untracked = [parents[3] for line in stashes if len(parents := line.split()) == 4]
        left = self.git.ask("log", "-g", "-n", str(_LEFT), "--format=%H", "HEAD").text.split()
        return list(dict.fromkeys([*refs.text.split(), *(line.split()[0] for line in stashes), *untracked, *left]))

    def _in_tree(self, commit: str, folders: Sequence[str]) -> set[str]:
        """Vault paths of the files below these folders in a commit."""
        return _paths(self.git.ask("ls-tree", "-r", "-z", "--name-only", commit, "--", *folders).out)

    def _deleted(self, folders: Sequence[str]) -> set[str]:
        """Vault paths of the files that a commit of the history that is checked out deleted."""
        said = self.git.ask(
            "log", "-n", str(_COMMITS), "--format=", "--no-renames", "--no-ext-diff", "--diff-filter=D", "--name-only",
            "--relative", "-z", "HEAD", "--", *folders,
        )  # fmt: skip
        return _paths(said.out)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _folders_of(paths: Collection[str]) -> list[str]:
    return sorted({path.split("/", maxsplit=1)[0] for path in paths})


def _regular(path: Path) -> bytes | None:
    """The bytes of a plain file; None for anything else."""
    try:
        return path.read_bytes() if path.is_file() and not path.is_symlink() else None
    except OSError:
        return None


def _paths(out: bytes) -> set[str]:
    """Names with NUL between them as vault paths."""
    return {key_of(name.strip("\n")) for name in names(out)}
