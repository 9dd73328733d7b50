"""What every way to compare vectors must give: the same passages, the same cosines, the same filters."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from vaultmem.answers import Filters, Meaning
from vaultmem.core.recall.weights import WEIGHTS
from vaultmem.errors import BadVector
from vaultmem.model import Chunk, Entry, Mention, Passage
from vaultmem.store.index import SqliteIndex, open_index, similarity
from vaultmem.store.index.similarity import NumpySimilarity, SignSimilarity, SqliteVecSimilarity, load_sqlite_vec

START = datetime(2026, 4, 21, 10, tzinfo=UTC)
MODEL = "test/8"


def entry(number: int, texts: list[str], *, source: str = "slack:eng", **changes: object) -> Entry:
    start = START + timedelta(days=number)
    values: dict[str, object] = {
        "chunk_id": f"{number:032x}", "source_kind": "chat", "source_id": source, "tree_scope": source, "owner": "",
        "time_start": start, "time_end": start, "seq": number, "position": f"{number:06d}", "token_count": 10,
        "body": "", "source_ref": "", "original": "private", "title": "", "status": "admitted", "score": 0.5,
        "signals": {}, "tags": (), "body_sha256": "",
    }  # fmt: skip
    passages = tuple(
        Passage(ordinal=n, text=text, author="Ann", sent_at=start, first_line=n, last_line=n)
        for n, text in enumerate(texts)
    )
    mentions = tuple(
        Mention(surface="oslo", text="Oslo", kind="location", passage=p.ordinal, origin="text")
        for p in passages
        if "Oslo" in p.text
    )
    chunk = Chunk(**(values | changes))  # type: ignore[arg-type]
    return Entry(path=f"wiki/{number}.md", chunk=chunk, passages=passages, mentions=mentions, body_line=1)


def direction(text: str, size: int = 8) -> list[float]:
    """Some unit vector of a text, the same on every run."""
    numbers = np.random.default_rng(list(text.encode())).standard_normal(size)
    return list((numbers / np.linalg.norm(numbers)).tolist())


def embed(index: SqliteIndex) -> None:
    index.put_vectors(MODEL, {key: direction(text) for key, text in index.passages_without_vector(MODEL, 10_000)})


@pytest.fixture(params=["numpy", "sqlite-vec", "signs"])
def index(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SqliteIndex]:
    made = open_index(tmp_path / "vault.db")
    if request.param == "numpy":
        monkeypatch.setattr(similarity, "SMALL", similarity.LARGE)
    if request.param == "sqlite-vec":
        if cause := load_sqlite_vec(made._db):
            pytest.skip(f"sqlite-vec does not load here: {cause}")
        monkeypatch.setattr(similarity, "choose", lambda *_, **__: SqliteVecSimilarity(made._db))
    if request.param == "signs":
        monkeypatch.setattr(similarity, "LARGE", -1)
    yield made
    if made.vector_backend:
        assert made.vector_backend == request.param
    made.close()


def nearest(index: SqliteIndex, text: str, limit: int = 3, **filters: object) -> list[tuple[int, int, float]]:
    """(chunk number, ordinal, cosine)."""
    meaning = Meaning(signature=MODEL, vector=direction(text))
    found = index.nearest(meaning, Filters(**filters), limit=limit)  # type: ignore[arg-type]
    return [(int(chunk, 16), ordinal, cosine) for chunk, ordinal, cosine in found]


def said(number: int, text: str) -> str:
    return f"{21 + number} April 2026 Ann: {text}"


def test_the_same_text_is_nearest_with_cosine_one(index: SqliteIndex) -> None:
    index.commit([entry(1, ["alpha", "beta"]), entry(2, ["gamma"])])
    embed(index)
    found = nearest(index, said(1, "beta"))
    assert found[0][:2] == (1, 1)
    assert found[0][2] == pytest.approx(1, abs=1e-6)
    assert len(found) == 3
    assert [c for *_, c in found] == sorted((c for *_, c in found), reverse=True)


def test_no_vectors_no_answers(index: SqliteIndex) -> None:
    assert nearest(index, "anything") == []
    index.commit([entry(1, ["alpha"])])
    assert nearest(index, "anything") == []


def test_filters_come_before_ranking(index: SqliteIndex) -> None:
    index.commit(
        [
            entry(1, ["Oslo one", "two"]),
            entry(2, ["three"], source="mail:x", source_kind="email", tags=("work",)),
            entry(3, ["Oslo four"], status="dropped"),
            entry(4, ["five"], source="slack:other"),
        ]
    )
    embed(index)
    for text in ("Oslo one", "five", "elsewhere"):
        assert {c for c, *_ in nearest(index, text, 99)} == {1, 2, 4}
        assert {c for c, *_ in nearest(index, text, 99, source="slack:")} == {1, 4}
        assert {c for c, *_ in nearest(index, text, 1, kind="email")} == {2}
        assert {c for c, *_ in nearest(index, text, 1, tag="work")} == {2}
        assert [(c, o) for c, o, _ in nearest(index, text, 9, entity="Oslo")] == [(1, 0)]
        assert {c for c, *_ in nearest(index, text, 9, since=START + timedelta(days=2))} == {2, 4}
        assert {c for c, *_ in nearest(index, text, 9, until=START + timedelta(days=1))} == {1}
        assert nearest(index, text, 9, source="slack:none") == []


def test_more_may_be_asked_for_than_any_extension_table_gives(index: SqliteIndex) -> None:
    index.commit([entry(n, [f"text {n} {i}" for i in range(50)]) for n in range(1, 101)])
    embed(index)
    found = nearest(index, "text", 5000)
    assert len(found) == 5000
    assert len(set(found)) == 5000


def test_equal_texts_share_a_vector_and_both_are_found(index: SqliteIndex) -> None:
    index.commit([entry(1, ["same", "same", "other"])])
    assert len(index.passages_without_vector(MODEL, 10)) == 2
    embed(index)
    assert index.vector_counts(MODEL) == (3, 3)
    assert [(c, o) for c, o, _ in nearest(index, said(1, "same"), 2)] == [(1, 0), (1, 1)]


def test_vectors_follow_the_notes(index: SqliteIndex) -> None:
    index.commit([entry(1, ["alpha", "beta"]), entry(2, ["gamma"])])
    embed(index)
    assert nearest(index, said(2, "gamma"), 1)[0][0] == 2
    index.commit([entry(1, ["alpha", "changed"])], removed=["wiki/2.md"])
    assert index.vector_counts(MODEL) == (1, 2)
    assert [text for _, text in index.passages_without_vector(MODEL, 10)] == [said(1, "changed")]
    assert [(c, o) for c, o, _ in nearest(index, said(2, "gamma"), 9)] == [(1, 0)]
    embed(index)
    index.commit([entry(3, ["delta"])])
    embed(index)
    assert nearest(index, said(3, "delta"), 1)[0][:2] == (3, 0)
    assert nearest(index, said(1, "changed"), 1)[0][:2] == (1, 1)


def test_moves_tags_and_rebuilds_embed_nothing(index: SqliteIndex) -> None:
    index.commit([entry(1, ["alpha"]), entry(2, ["beta"])])
    embed(index)
    before = nearest(index, "alpha")
    index.commit([replace(entry(1, ["alpha"]), path="wiki/moved.md")])
    index.commit([entry(2, ["beta"], tags=("new",), title="another title")])
    assert index.vector_counts(MODEL) == (2, 2)
    index.clear()
    assert index.vector_counts(MODEL) == (0, 0)
    index.commit([entry(2, ["beta"]), entry(1, ["alpha"])])
    assert index.vector_counts(MODEL) == (2, 2)
    assert nearest(index, "alpha") == before


def test_vectors_of_other_models_are_not_looked_at(index: SqliteIndex) -> None:
    index.commit([entry(1, ["alpha"])])
    (key, _), *_ = index.passages_without_vector("other/3", 1)
    index.put_vectors("other/3", {key: [1.0, 0.0, 0.0]})
    assert nearest(index, "alpha") == []
    embed(index)
    assert len(nearest(index, "alpha")) == 1
    assert index.drop_stale_vectors(MODEL) == 1
    assert (index.vector_counts("other/3"), index.vector_counts(MODEL)) == ((0, 1), (1, 1))


def test_what_has_no_direction_is_refused(index: SqliteIndex) -> None:
    index.commit([entry(1, ["alpha", "beta"])])
    (one, _), (two, _) = index.passages_without_vector(MODEL, 2)
    for bad in ([0.0] * 8, [math.nan] * 8, [math.inf] + [0.0] * 7, []):
        with pytest.raises(BadVector, match="no direction"):
            index.put_vectors(MODEL, {one: direction("x"), two: bad})
    assert index.vector_counts(MODEL) == (0, 2)
    index.put_vectors(MODEL, {one: direction("x")})
    with pytest.raises(BadVector, match="3 numbers where others have 8"):
        index.put_vectors(MODEL, {two: [1.0, 0.0, 0.0]})


def test_a_text_that_went_away_meanwhile_leaves_no_vector(index: SqliteIndex) -> None:
    index.commit([entry(1, ["alpha"])])
    (key, _), *_ = index.passages_without_vector(MODEL, 1)
    index.commit([], removed=["wiki/1.md"])
    index.put_vectors(MODEL, {key: direction("alpha")})
    assert index.drop_stale_vectors("none") == 0


def test_dropped_chunks_and_wordless_passages_get_none(index: SqliteIndex) -> None:
    index.commit([entry(1, ["👍", "...", "", "a word"]), entry(2, ["dropped words"], status="dropped")])
    assert [text for _, text in index.passages_without_vector(MODEL, 10)] == [said(1, "a word")]
    embed(index)
    assert index.vector_counts(MODEL) == (1, 1)


def test_vectors_are_no_part_of_the_digest(index: SqliteIndex) -> None:
    index.commit([entry(1, ["alpha"])])
    before = index.digest()
    embed(index)
    assert index.digest() == before


def test_candidates_by_meaning_pass_the_filters_and_carry_their_cosine(index: SqliteIndex) -> None:
    index.commit([entry(1, ["alpha", "beta"]), entry(2, ["gamma"], source="slack:other")])
    embed(index)
    meaning = Meaning(signature=MODEL, vector=direction(said(2, "gamma")))
    rows, total = index.candidates(["nothing"], Filters(), limit=5, meaning=meaning)
    assert "gamma" in {row.text for row in rows}
    assert total == len(rows)
    assert all(row.cosine is not None for row in rows)
    rows, _ = index.candidates(["alpha"], Filters(source="slack:eng"), limit=5, meaning=meaning)
    assert "gamma" not in {row.text for row in rows}
    index.commit([entry(3, ["alpha again"])])
    rows, _ = index.candidates(["alpha"], Filters(), limit=5, meaning=meaning)
    assert {row.text: row.cosine is None for row in rows if "again" in row.text} == {"alpha again": True}


def test_what_only_seems_near_is_no_candidate(index: SqliteIndex) -> None:
    """Signs tell a cosine roughly: whatever compares, the exact one decides who comes in."""
    index.commit([entry(n, [f"text {n} {i}" for i in range(40)]) for n in range(1, 10)])
    embed(index)
    asked = direction("question")
    rows, _ = index.candidates([], Filters(), limit=200, meaning=Meaning(signature=MODEL, vector=asked))
    own = [float(np.dot(direction(said(int(row.chunk_id, 16), row.text)), asked)) for row in rows]
    assert len(own) > 20
    assert min(own) >= WEIGHTS.least_cosine


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=20)
@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=4), max_size=12), st.integers(1, 20))
def test_all_agree(tmp_path: Path, chunks: list[list[str]], limit: int) -> None:
    index = open_index(tmp_path / f"{abs(hash((str(chunks), limit)))}.db")
    if load_sqlite_vec(index._db):
        pytest.skip("sqlite-vec does not load here")
    index.commit([entry(n, texts) for n, texts in enumerate(chunks)])
    embed(index)
    meaning = Meaning(signature=MODEL, vector=direction("question"))
    found = []
    for way in (NumpySimilarity(index._db), SqliteVecSimilarity(index._db), SignSimilarity(index._db)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(similarity, "choose", lambda *_, way=way, **__: way)
            found.append((index.nearest(meaning, Filters(), limit=limit), index.vector_backend))
    index.close()
    assert found[0][0] == found[1][0] == found[2][0]
    assert [name for _, name in found] == ["numpy", "sqlite-vec", "signs"]


def test_without_the_extension_numpy_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "SMALL", -1)
    monkeypatch.setitem(sys.modules, "sqlite_vec", None)
    index = open_index(tmp_path / "vault.db")
    index.commit([entry(1, ["alpha"])])
    embed(index)
    assert index.vector_backend == ""
    assert len(nearest(index, "alpha")) == 1
    assert index.vector_backend == "numpy"


def test_a_broken_extension_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sqlite_vec = pytest.importorskip("sqlite_vec")
    (tmp_path / "vec0.so").write_bytes(b"no library")
    monkeypatch.setattr(sqlite_vec, "loadable_path", lambda: str(tmp_path / "vec0"))
    index = open_index(tmp_path / "vault.db")
    assert load_sqlite_vec(index._db) != ""


def test_the_first_of_many_vectors_is_sqlite_vecs_then_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similarity, "SMALL", 0)
    index = open_index(tmp_path / "vault.db")
    if load_sqlite_vec(index._db):
        pytest.skip("sqlite-vec does not load here")
    index.commit([entry(1, ["alpha", "beta", "gamma"])])
    embed(index)
    first = nearest(index, "alpha")
    assert index.vector_backend == "sqlite-vec"
    assert nearest(index, "alpha") == first
    assert index.vector_backend == "numpy"
