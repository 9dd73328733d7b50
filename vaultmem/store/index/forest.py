"""The forest of source trees as questions of time see it: each is one snapshot, and reads what a border cuts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any

import apsw

from vaultmem.core.recall.cover import choice_among, fair_choice, minimal_cover
from vaultmem.forest import Asked, Branch, Choice
from vaultmem.store.index.clumps import Clumps
from vaultmem.store.index.conditions import conditions, values
from vaultmem.store.index.rows import storable
from vaultmem.store.index.spans import BRANCH, LEAF

_Snapshot = Callable[[], AbstractContextManager[apsw.Connection]]
#: What `Branch._make` does, in a third of the time.
_as_branch: Callable[[Iterable[Any]], Branch] = partial(tuple.__new__, Branch)
#: Leaves of one source up to which the cover is found from them upward: the threads of a mailbox lie side by side in
#: its tree, and from above nearly every node would have to be opened.
_FEW = 2000
# The index is named, or SQLite reads all leaves of a source for the few that no node lists.
_TOPS = """
SELECT {span} FROM spans WHERE parent = '' AND {touched}
UNION ALL
SELECT {chunk} FROM chunks c INDEXED BY chunks_loose WHERE listed = 0 AND {leaf}
"""
_BELOW = """
SELECT {chunk} FROM json_each(:ids) w CROSS JOIN chunks c INDEXED BY chunks_below
WHERE c.parent = w.value AND c.parent <> '' AND {leaf}
UNION ALL
SELECT {span} FROM json_each(:ids) w CROSS JOIN spans s WHERE s.parent = w.value AND {touched}
"""
#: The same rows where no source and no kind is asked for: those words of thousands of rows nobody looks at.
_OF_ANY = {
    "span": "node_id, level, tree_scope, first_us, last_us, end_us, '', '', '', '', tokens, leaves, sound",
    "chunk": "c.chunk_id, 0, c.tree_scope, c.start_us, c.start_us, c.end_us, '', '', '', '', c.tokens, 1, 1",
}
_OF_SOURCE = f"SELECT {LEAF} FROM chunks c WHERE {{leaf}} LIMIT {_FEW + 1}"  # noqa: S608 - made of constants
_PARENT_OF_LEAF = "SELECT parent FROM chunks WHERE chunk_id = ?"
_SPAN = f"SELECT parent, {BRANCH} FROM spans WHERE node_id = ?"  # noqa: S608 - made of constants


class SqliteForest:
    """The Forest port on the index's file."""

    def __init__(self, reading: _Snapshot) -> None:
        self._reading = reading

    def cover(self, asked: Asked) -> tuple[Branch, ...]:
        """The fewest nodes that stand for just the leaves asked for."""
        asked = _storable(asked)
        with self._reading() as db:
            return tuple(_cover(db, asked))

    def fair_cover(self, asked: Asked, limit: int) -> Choice:
        """What `fair_choice` shows of the cover, and how many of each tree it leaves out."""
        asked = _storable(asked)
        with self._reading() as db:
            few = _few_of_source(db, asked)
            if few is not None:
                return fair_choice(_cover_of(db, few, asked), limit)
            clumps = Clumps(db, asked, **_columns(asked))
            return choice_among(clumps.found(), lambda ripe: map(_as_branch, clumps.listed(ripe)), limit)

    def holds(self, node_id: str, asked: Asked) -> bool:
        """Whether a summary stands for leaves asked for and for nothing else."""
        asked = _storable(asked)
        with self._reading() as db:
            row = db.execute(_SPAN, (node_id,)).fetchone()
            return row is not None and asked.holds(_as_branch(row[1:]))

    def meaning_of(self, name: str) -> str:
        """What a name is: `source` (a source_id), `scope` (a source tree), or "" for neither."""
        name = storable(name)
        with self._reading() as db:
            for column, meaning in (("source_id", "source"), ("tree_scope", "scope")):
                if db.execute(f"SELECT 1 FROM chunks WHERE {column} = ? LIMIT 1", (name,)).fetchone():  # noqa: S608
                    return meaning
        return ""


def _storable(asked: Asked) -> Asked:
    return replace(asked, source=storable(asked.source), scope=storable(asked.scope))


def _cover(db: apsw.Connection, asked: Asked) -> list[Branch]:
    few = _few_of_source(db, asked)
    if few is not None:
        return _cover_of(db, few, asked)
    words, bound = {**_columns(asked), **conditions(asked)}, values(asked)

    def below(ids: Sequence[str]) -> Iterator[Branch]:
        return _branches(db, _BELOW.format(**words), bound | {"ids": json.dumps(ids)})

    return minimal_cover(_branches(db, _TOPS.format(**words), bound), below, asked)


def _cover_of(db: apsw.Connection, few: Iterable[Branch], asked: Asked) -> list[Branch]:
    """The cover, found from the leaves asked for upward."""
    by_parent: dict[str, list[Branch]] = {}
    for branch, parent in dict(_climb(db, few)).items():
        by_parent.setdefault(parent, []).append(branch)
    return minimal_cover(by_parent.get("", ()), lambda ids: (b for each in ids for b in by_parent.get(each, ())), asked)


def _columns(asked: Asked) -> dict[str, str]:
    return {"chunk": LEAF, "span": BRANCH} if asked.source or asked.kind else _OF_ANY


def _branches(db: apsw.Connection, query: str, bound: Mapping[str, str | int]) -> Iterator[Branch]:
    return map(_as_branch, db.execute(query, bound))


def _few_of_source(db: apsw.Connection, asked: Asked) -> list[Branch] | None:
    """The leaves asked for, when one source is and has few."""
    if not asked.source or asked.is_prefix:
        return None
    found = list(_branches(db, _OF_SOURCE.format(**conditions(asked)), values(asked)))
    return found if len(found) <= _FEW else None


def _climb(db: apsw.Connection, leaves: Iterable[Branch]) -> Iterator[tuple[Branch, str]]:
    """These leaves and every node above one, each once, with its parent."""
    seen: set[str] = set()
    for leaf in leaves:
        parent = str(db.execute(_PARENT_OF_LEAF, (leaf.node_id,)).get or "")
        yield leaf, parent
        while parent and parent not in seen:
            seen.add(parent)
            row = db.execute(_SPAN, (parent,)).fetchone() or ("",)
            if len(row) > 1:
                yield _as_branch(row[1:]), row[0]
            parent = row[0]
