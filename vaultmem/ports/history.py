"""The git repository a vault may lie in, as reconciling sees it: what came and went by git's hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol


class History(Protocol):
    """Asked only where something is missing or has changed; it changes nothing."""

    def head(self) -> str:
        """The commit that is checked out; "" where there is none."""
        ...

    def at_work(self) -> str:
        """The lock of another git that is writing files here, so that nothing missing may be believed; "" for none."""
        ...

    def versions(self, path: str, content: bytes) -> tuple[bytes, bytes] | None:
        """The two versions that a file with conflict markers was made of; None where they cannot be found."""
        ...

    def unmerged(self, folder: str) -> Mapping[str, tuple[bytes, bytes]]:
        """Files below a folder that both sides have and git could not merge, by path: as either side has them."""
        ...

    def put_away(self, paths: Collection[str]) -> frozenset[str]:
        """Which of these missing files git took off the disk and holds elsewhere: on a branch that is not checked out,
        in a stash, or in a commit that was left.
        """
        ...

    def took(self, paths: Collection[str], since: str) -> frozenset[str]:
        """Which of these missing files a merge took away, that is under way or was made since the commit `since` was
        checked out: whoever removed them did so elsewhere.
        """
        ...

    def wrote(self, path: str, content: bytes, since: str) -> bool:
        """Whether a file stands as git has it, and git put it there by more than commits since that one was checked
        out: what is not in it was not taken out by a person here.
        """
        ...

    def resolve(self, revision: str) -> str:
        """The commit that a revision names; "" for none."""
        ...

    def commit_at(self, moment: datetime) -> str:
        """The last commit, on the line of what is checked out, that is not younger; "" for none."""
        ...

    def changed_since(self, commit: str) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
        """Memory's notes that differ, by path: as they stand in that commit ("": an empty one), and on the disk now."""
        ...

    def holds(self, path: str, content: bytes) -> bool:
        """Whether the file is just as git's index has it: nobody is typing in it."""
        ...
