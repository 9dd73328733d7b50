"""What git did to the notes since the last pass, as against a person: a checkout of an old revision, a stash, a branch
that was left look like deletions, and are none.
"""

from __future__ import annotations

from collections.abc import Collection

from vaultmem.app.engine import Engine

#: How the reason begins for which nothing missing is believed at the moment.
GIT_AT_WORK = "git is writing files here"
_HEAD = "git:head"


def put_away(engine: Engine, paths: Collection[str]) -> frozenset[str]:
    """Which of these missing notes git took off the disk and would bring back: memory lets them go, for now."""
    history = engine.history() if paths else None
    return history.put_away(paths) if history else frozenset()


def taken_by_merge(engine: Engine, paths: Collection[str]) -> frozenset[str]:
    """Which of these missing summaries a merge took away. In the clone that removed them a person did, and then its
    tombstones say so, or nothing was left that they could tell.
    """
    history = engine.history() if paths else None
    return history.took(paths, engine.index.get_meta(_HEAD)) if history else frozenset()


def why_unbelieved(engine: Engine) -> str:
    """Why nothing that is missing may be believed at this moment; "" when it may."""
    history = engine.history()
    lock = history.at_work() if history else ""
    return f"{GIT_AT_WORK} ({lock}): when it is done, the next pass looks again" if lock else ""


def wrote(engine: Engine, path: str, content: bytes) -> bool:
    """Whether git put this text there since the last pass: what it lacks was not taken out by a person here."""
    history = engine.history()
    return history is not None and history.wrote(path, content, engine.index.get_meta(_HEAD))


def remember_head(engine: Engine) -> None:
    """A pass has seen the notes of this commit."""
    history = engine.history()
    head = history.head() if history else ""
    if head != engine.index.get_meta(_HEAD):
        engine.index.set_meta(_HEAD, head)
