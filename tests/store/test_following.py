"""A reader that keeps what it read of the index follows every change, and knows what one knows that reads all anew."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tests.store.test_index import entry
from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.words import query_words
from vaultmem.model import AliasRow, Entity, Entry, RegistryNote
from vaultmem.store.index import SqliteIndex, changes, layout, open_index
from vaultmem.store.index.layout import Map, read_map
from vaultmem.store.index.nearness import read_vector_map
from vaultmem.store.index.wordlists import WordLists

MODEL = "test/4"
WORDS = [
    "ferry",
    "pier",
    "budget",
    "naïve",
    "東京駅",
    "Straße",
    "приём",
    "α-beta",
    "x_y",
    "🚢",
    "don't",
    "A/B",
    "same",
    "same",
]


class Vault:
    """Random things that writers do to an index."""

    def __init__(self, path: Path, seed: int) -> None:
        self.chance, self.index = random.Random(seed), open_index(path)
        self.there: dict[int, Entry] = {}

    def text(self) -> str:
        return " ".join(self.chance.choices(WORDS, k=self.chance.randint(0, 6)))

    def entry(self, number: int) -> Entry:
        return entry(
            number, [self.text() for _ in range(self.chance.randint(0, 4))],
            source=f"slack:{self.chance.choice('abc')}", title=self.text(), tags=(self.chance.choice(WORDS),),
            status=self.chance.choice(["admitted", "admitted", "dropped"]),
        )  # fmt: skip

    def step(self) -> None:
        self.chance.choice([self.put, self.put, self.put, self.remove, self.embed, self.embed, self.others])()

    def put(self) -> None:
        numbers = self.chance.sample(range(60), self.chance.randint(1, 3))
        entries = [self.entry(number * 7919 % 61) for number in numbers]
        self.index.commit(entries)
        self.there |= {int(each.chunk.chunk_id, 16): each for each in entries}

    def remove(self) -> None:
        gone = self.chance.sample(sorted(self.there), min(len(self.there), self.chance.randint(1, 4)))
        self.index.commit([], removed=[self.there.pop(number).path for number in gone])

    def embed(self) -> None:
        known = self.index.passages_without_vector(MODEL, self.chance.randint(1, 8))
        self.index.put_vectors(MODEL, {key: [self.chance.uniform(-1, 1) for _ in range(4)] for key, _ in known})

    def others(self) -> None:
        """What no passage's place hangs on: a stale signature, the registry, a remembered value."""
        kind = self.chance.randrange(4)
        if kind == 0:
            person = Entity(id="person:al", kind="person", display_name="Al")
            alias = AliasRow(surface=self.chance.choice(["alice", "bob"]), entity_id="person:al", origin="title")
            self.index.replace_registry([RegistryNote(entity=person, size=1, mtime_ns=2)], [alias])
        elif kind == 1:
            self.index.set_meta("anything", str(self.chance.random()))
        elif kind == 2:
            self.index.drop_stale_vectors(MODEL if self.chance.random() < 0.8 else "other/4")
        elif self.chance.random() < 0.1:
            self.index.clear()
            self.there.clear()


def told(index: SqliteIndex) -> list[object]:
    """Answers by words, by filters and by meaning."""
    meaning = Meaning(signature=MODEL, vector=(0.5, -0.5, 0.5, 0.5))
    found: list[object] = []
    for filters in (Filters(), Filters(dropped=True), Filters(source="slack:a"), Filters(entity="person:al")):
        for text in ("ferry pier", "東京駅 Straße", "same budget naïve ship"):
            rows, total = index.candidates(query_words(text), filters, limit=5, meaning=meaning)
            found += [total, sorted((r.chunk_id, r.ordinal, r.own, r.near, r.parent, r.held, r.cosine) for r in rows)]
    return found


def check_equal(kept: Map, fresh: Map) -> None:
    for name in ("starts", "chunk_of", "lengths", "chunk_lengths"):
        np.testing.assert_array_equal(getattr(kept.layout, name), getattr(fresh.layout, name), name)
    np.testing.assert_array_equal(kept.chunks, fresh.chunks)
    np.testing.assert_array_equal(kept.times, fresh.times)
    np.testing.assert_array_equal(kept.chunk_places(kept.chunks), np.arange(len(kept.chunks)))
    assert [kept.sources[n] for n in kept.source_of] == [fresh.sources[n] for n in fresh.source_of]


def check(reader: SqliteIndex) -> None:
    """All that the reader keeps is what stands in the file."""
    with reader._reading() as db:
        sight = reader._sight
        where = sight.map(db)
        check_equal(where, read_map(db))
        kept, anew = sight.words(db), WordLists()
        for word in list(kept._postings):
            posting = kept.posting(db, where, word)
            assert kept.occurrences(db, where, word) == anew.occurrences(db, where, word), word
            fresh = anew.posting(db, where, word)
            np.testing.assert_array_equal(posting.passages, fresh.passages, word)
            np.testing.assert_array_equal(posting.times, fresh.times, word)
            assert sorted(posting.titles.tolist()) == sorted(fresh.titles.tolist()), word
        if sight._vectors:
            vectors = read_vector_map(db, where, MODEL)
            np.testing.assert_array_equal(sight._vectors[1].ids, vectors.ids)
            np.testing.assert_array_equal(sight._vectors[1].row_of, vectors.row_of)


def follow(path: Path, seed: int, steps: int) -> None:
    vault = Vault(path, seed)
    reader = open_index(path)
    for _ in range(steps):
        for _ in range(vault.chance.randint(1, 3)):
            vault.step()
        mine = told(reader)
        check(reader)
        fresh = open_index(path)
        assert mine == told(fresh)
        fresh.close()


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_is_what_stands_there(tmp_path: Path, seed: int) -> None:
    follow(tmp_path / "vault.db", seed, 25)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(100, 130))
def test_what_is_kept_is_what_stands_there_for_long(tmp_path: Path, seed: int) -> None:
    follow(tmp_path / "vault.db", seed, 150)


def test_a_change_is_followed_and_not_all_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "vault.db"
    writer, reader = open_index(path), open_index(path)
    writer.commit([entry(number, ["the ferry leaves"]) for number in range(20)])
    read: list[int] = []
    monkeypatch.setattr(layout, "read_map", lambda db: read.append(1) or read_map(db))
    for number in range(20, 25):
        writer.commit([entry(number, ["the ferry leaves", "at nine"])])
        writer.set_meta("anything", str(number))
        rows, total = reader.candidates(query_words("ferry"), Filters(), limit=50)
        assert len(rows) == total == 2 * number - 18  # what stands beside a ferry counts too
    assert len(read) == 1


@pytest.mark.parametrize(("kept", "most"), [(3, 1000), (4096, 3)], ids=["forgotten", "too many"])
def test_who_was_away_for_long_reads_all_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int, most: int
) -> None:
    monkeypatch.setattr(changes, "_KEPT", kept)
    monkeypatch.setattr(changes, "_MOST", most)
    path = tmp_path / "vault.db"
    writer, reader = open_index(path), open_index(path)
    writer.commit([entry(0, ["the ferry leaves"])])
    assert len(reader.candidates(query_words("ferry"), Filters(), limit=50)[0]) == 1
    for number in range(1, 9):
        writer.commit([entry(number, ["the ferry leaves"])])
    assert len(reader.candidates(query_words("ferry"), Filters(), limit=50)[0]) == 9
    check(reader)
    with writer._reading() as db:
        assert int(db.execute("SELECT count(*) FROM changes").get) <= kept


def test_a_file_that_holds_an_older_state_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    writer, reader = open_index(path), open_index(path)
    writer.commit([entry(number, ["the ferry leaves"]) for number in range(3)])
    assert len(reader.candidates(query_words("ferry"), Filters(), limit=50)[0]) == 3
    with writer._writing() as db:  # as a copy put back over it would
        db.execute("DELETE FROM layout WHERE chunk = 1")
        db.execute("DELETE FROM chunks WHERE id = 1")
        db.execute("DELETE FROM changes WHERE id > 2")
    with reader._reading() as db:
        check_equal(reader._sight.map(db), read_map(db))
