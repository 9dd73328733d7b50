"""What is kept beside the rows says what counting them would say, whatever came, changed or went."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.bench.asking import entry
from vaultmem.core.notes.ids import entity_id
from vaultmem.model import AliasRow, Entity, Entry, Mention, RegistryNote
from vaultmem.store.index import SqliteIndex, open_index

_NAMES = ("ann", "Ann", "bob", "cleo", "x@example.com", "dora")
_ONE = "SELECT surface, min(entity_id) AS e FROM aliases GROUP BY surface HAVING count(DISTINCT entity_id) = 1"
_SHOWN = "m.passage >> 22 NOT IN (SELECT id FROM chunks WHERE status = 'dropped')"
#: What: the query that counts, and the query that reads what is kept.
_COUNTED = {
    "entities": (
        f"""SELECT a.e, count(DISTINCT m.passage) FROM ({_ONE}) a JOIN mentions m ON m.surface = a.surface
        WHERE {_SHOWN} GROUP BY a.e ORDER BY 1""",
        "SELECT * FROM entity_counts WHERE passages > 0 ORDER BY 1",
    ),
    "names": (
        f"""SELECT m.surface, m.kind, count(DISTINCT m.passage) FROM mentions m
        WHERE {_SHOWN} GROUP BY 1, 2 ORDER BY 1, 2""",
        "SELECT * FROM name_counts ORDER BY 1, 2",
    ),
    "texts": (
        f"""SELECT m.surface, m.kind, m.text, count(DISTINCT m.passage) FROM mentions m
        WHERE {_SHOWN} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3""",
        "SELECT * FROM name_texts ORDER BY 1, 2, 3",
    ),
    "sources": (
        """SELECT source_id, min(source_kind), min(tree_scope), count(*), sum(status = 'dropped'),
        sum(status = 'pending'), min(start_us), max(end_us) FROM chunks GROUP BY 1 ORDER BY 1""",
        """SELECT source_id, min(source_kind), min(tree_scope), sum(chunks), sum(dropped), sum(pending),
        min(first_us), max(last_us) FROM sources GROUP BY 1 ORDER BY 1""",
    ),
    "embedded": (
        """SELECT v.signature, count(DISTINCT v.id), count(p.id) FROM vectors v
        LEFT JOIN passages p ON p.text_hash = v.text_hash GROUP BY 1 ORDER BY 1""",
        "SELECT * FROM embedded WHERE texts > 0 ORDER BY 1",
    ),
    "totals": (
        """SELECT (SELECT count(*) FROM passages), (SELECT count(*) FROM passages WHERE text_hash IS NOT NULL),
        (SELECT count(*) FROM mentions)""",
        """SELECT coalesce(sum(number) FILTER (WHERE name = 'passages'), 0),
        coalesce(sum(number) FILTER (WHERE name = 'with vectors'), 0),
        coalesce(sum(number) FILTER (WHERE name = 'mentions'), 0) FROM totals""",
    ),
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SqliteIndex]:
    opened = open_index(tmp_path / "index.db")
    yield opened
    opened.close()


def made(chance: random.Random, number: int) -> Entry:
    when = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=chance.randrange(500))
    turns = [(chance.choice(_NAMES), f"text {chance.randrange(12)}") for _ in range(chance.randrange(1, 4))]
    found = entry(f"{number:032x}", f"slack:{chance.randrange(3)}", number, when, turns)
    chunk = replace(
        found.chunk,
        status=chance.choice(("admitted", "admitted", "pending", "dropped")),
        source_kind=chance.choice(("chat", "chat", "chat", "email")),
        tree_scope=chance.choice((found.chunk.source_id, "slack:other")),
    )
    mentions = [
        Mention(surface=name.casefold(), text=name, kind=kind, passage=n, origin=origin)
        for n in range(len(turns))
        for origin in ("text", "author")
        for name, kind in [(chance.choice(_NAMES), chance.choice(("person", "email")))]
        if chance.random() < 0.8
    ]
    return replace(found, chunk=chunk, mentions=tuple(mentions), size=chance.choice((-1, 10, 10)))


def registry(chance: random.Random) -> tuple[list[RegistryNote], list[AliasRow]]:
    names = [name for name in ("ann", "bob", "cleo") if chance.random() < 0.7]
    notes = [RegistryNote(entity=Entity(id=entity_id("person", n), kind="person", display_name=n)) for n in names]
    rows = [AliasRow(surface=name, entity_id=entity_id("person", name), origin="title") for name in names]
    if chance.random() < 0.5:
        rows.append(
            AliasRow(surface=chance.choice(("dora", "bob")), entity_id=entity_id("person", "ann"), origin="alias")
        )
    return notes, rows


def agree(index: SqliteIndex) -> None:
    db: Any = index._db
    for name, (counted, kept) in _COUNTED.items():
        assert list(db.execute(kept)) == list(db.execute(counted)), name


@pytest.mark.parametrize("seed", range(12))
def test_tallies_say_what_counting_says(index: SqliteIndex, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        act = chance.randrange(8)
        if act < 4:
            index.commit([made(chance, chance.randrange(12)) for _ in range(chance.randrange(1, 4))])
        elif act == 4:
            index.commit([], removed=[f"{chance.randrange(12):032x}.md"])
        elif act == 5:
            index.replace_registry(*registry(chance))
        elif act == 6:
            model = chance.choice(("one", "two"))
            keys = [key for key, _ in index.passages_without_vector(model, 9)]
            index.put_vectors(model, {key: [1.0, 2.0] for key in keys[::2]}, refused=keys[1::4])
        else:
            index.drop_stale_vectors(chance.choice(("one", "two")))
            index.retry_refused()
        agree(index)
    assert index.counts()["notes"] == len(index.note_stats())
    index.clear()
    assert set(index.counts().values()) == {0}
    index.commit([made(chance, 1)])
    agree(index)


def test_a_name_that_went_is_left_nowhere(index: SqliteIndex) -> None:
    chance = random.Random(3)
    found = made(chance, 1)
    secret = Mention(surface="zebedee", text="Zebedee", kind="person", passage=0, origin="text")
    index.commit([replace(found, mentions=(secret,), chunk=replace(found.chunk, status="admitted"))])
    assert index.unregistered() == (("person", "zebedee", "Zebedee", 1),)
    index.commit([], removed=[found.path])
    db: Any = index._db
    assert not list(db.execute("SELECT * FROM name_texts UNION ALL SELECT *, '' FROM name_counts"))
