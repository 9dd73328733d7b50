"""The index on SQLite: opening in every state, writing, filters, counts, the same answers after a rebuild."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.forked import forked
from vaultmem.answers import Filters, PassageRow
from vaultmem.core.notes.ids import fold
from vaultmem.core.recall.words import query_words
from vaultmem.errors import CannotWrite, IndexTrouble
from vaultmem.model import AliasRow, Chunk, Entity, Entry, Mention, Passage, RegistryNote
from vaultmem.store.index import SqliteIndex, naming, open_index

START = datetime(2026, 4, 21, 10, tzinfo=UTC)


def entry(
    number: int,
    texts: list[str],
    *,
    source: str = "slack:eng",
    authors: tuple[str, ...] = ("Alice", "Bob"),
    seq: int | None = None,
    start: datetime = START,
    mentions: tuple[Mention, ...] = (),
    **changes: object,
) -> Entry:
    passages = tuple(
        Passage(
            ordinal=i, text=text, author=authors[i % len(authors)], sent_at=start + timedelta(minutes=i),
            block=f"m-{number:06x}{i:06x}", first_line=i * 4, last_line=i * 4 + 3,
        )
        for i, text in enumerate(texts)
    )  # fmt: skip
    said = tuple(
        Mention(surface=fold(p.author), text=p.author, kind="person", passage=p.ordinal, origin="author")
        for p in passages
    )
    chunk = Chunk(
        chunk_id=f"{number:032x}", source_kind="chat", source_id=source, tree_scope=source, owner="",
        time_start=start, time_end=start + timedelta(minutes=len(texts)), seq=number if seq is None else seq,
        position=f"{number:06d}", token_count=10, body="\n".join(texts), source_ref="eng.zip # 1", original="private",
        title="Engineering", status="admitted", score=0.5, signals={"token_count": 1.0}, tags=("source/eng",),
        body_sha256=f"{number:064x}",
    )  # fmt: skip
    return Entry(
        path=f"wiki/raw/chat/{number}.md", chunk=replace(chunk, **changes), passages=passages,  # type: ignore[arg-type]
        mentions=(*said, *mentions), body_line=30, size=100, mtime_ns=5,
    )  # fmt: skip


@pytest.fixture
def index(tmp_path: Path) -> SqliteIndex:
    return open_index(tmp_path / "index" / "vault.db")


def find(index: SqliteIndex, text: str, **filters: object) -> list[str]:
    rows, total = index.candidates(query_words(text), Filters(**filters), limit=500)  # type: ignore[arg-type]
    assert total >= len(rows)
    return [r.text for r in sorted(rows, key=order) if r.own > 0]


def order(row: PassageRow) -> tuple[float, int, str, int]:
    return (-(row.own + row.near + row.parent), row.time_ms, row.chunk_id, row.ordinal)


def test_a_new_index_is_fresh_and_then_ready(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "vault.db"
    first = open_index(path)
    assert first.state == "fresh"
    first.commit([entry(1, ["hello"])])
    first.close()
    again = open_index(path)
    assert again.state == "ready"
    assert again.counts()["notes"] == 1
    assert again.check() == ""
    again.close()


@pytest.mark.parametrize("damage", ["zeroed", "text", "cut", "version"])
def test_a_damaged_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "vault.db"
    index = open_index(path)
    index.commit([entry(n, [f"word{n} {i}" for i in range(50)]) for n in range(20)])
    if damage == "version":
        index._db.pragma("user_version", 99)
    index.close()
    data = path.read_bytes()
    if damage == "zeroed":
        path.write_bytes(bytes(len(data)))
    elif damage == "text":
        path.write_text("this is no database, it only has its name")
    elif damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    fresh = open_index(path)
    assert fresh.state.startswith("set aside: "), fresh.state
    assert fresh.counts()["notes"] == 0
    fresh.close()
    assert [p.name for p in tmp_path.glob("vault.db.broken-*") if "-wal" not in p.name] == ["vault.db.broken-1"]


def test_damage_found_later_is_named_and_set_aside_by_the_next_opener(tmp_path: Path) -> None:
    path = tmp_path / "vault.db"
    index = open_index(path)
    index.commit([entry(n, [f"word{n} {i}" for i in range(50)]) for n in range(20)])
    index.close()
    whole = path.read_bytes()
    named = 0
    for page in range(2, len(whole) // 4096, 3):
        path.write_bytes(whole[: page * 4096] + b"\xff" * 4096 + whole[(page + 1) * 4096 :])
        hurt = open_index(path)
        if hurt.state != "ready":
            continue
        try:
            hurt.digest()
            find(hurt, "word1 word2")
        except IndexTrouble:
            named += 1
            hurt.close()
            hurt = open_index(path)
            assert hurt.state.startswith("set aside: damaged")
        hurt.close()
    assert named


OPENER = """
import sys
from pathlib import Path
from vaultmem.store.index import open_index
index = open_index(Path(sys.argv[1]))
index.set_meta(sys.argv[2], "here")
index.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("before", ["nothing", "garbage"])
def test_eight_processes_open_a_cold_index_at_once(tmp_path: Path, before: str) -> None:
    path = tmp_path / "vault.db"
    if before == "garbage":
        path.write_bytes(b"x" * 5000)
    running = [forked(OPENER, [str(path), str(n)], environ={}, said=tmp_path / f"{n}.txt") for n in range(8)]
    assert [child.wait() for child in running] == [(0, "")] * 8
    index = open_index(path)
    assert all(index.get_meta(str(n)) == "here" for n in range(8))
    index.close()


def test_an_unusable_place_is_a_named_trouble(tmp_path: Path) -> None:
    (tmp_path / "vault.db").mkdir()
    with pytest.raises(IndexTrouble, match="delete that file"):
        open_index(tmp_path / "vault.db")


def test_a_full_disk_is_named_and_leaves_the_index_whole(index: SqliteIndex) -> None:
    index.commit([entry(1, ["one"])])
    before = index.digest()
    index._db.pragma("max_page_count", index._db.pragma("page_count"))
    with pytest.raises(CannotWrite, match="full"):
        index.commit([entry(n, ["many words " * 500] * 20) for n in range(2, 9)])
    assert index.digest() == before


def test_a_chunk_comes_back_as_it_went_in(index: SqliteIndex) -> None:
    odd = entry(7, ["a\0b", "emoji 🎉", "x\ud800y"], redacted={"email": 2}, llm_importance=0.25, heading="A > B")
    index.commit([odd])
    found = index.chunk(odd.chunk.chunk_id)
    assert found == (odd.path, replace(odd.chunk, body=odd.chunk.body.replace("\ud800", "?")))
    assert index.chunks_of("slack:eng") == (found,)
    assert index.chunk("no") is None
    held = index.chunks_named([odd.chunk.chunk_id, "no"])[odd.chunk.chunk_id]
    assert (held.path, held.chunk, held.body_line, held.note_hash) == (*found, odd.body_line, odd.note_hash)
    assert [passage.text for passage in held.passages] == ["a\0b", "emoji 🎉", "x?y"]
    assert held.mentions[0].surface == "alice"


def test_commit_replaces_by_id_and_by_path(index: SqliteIndex) -> None:
    index.commit([entry(1, ["the old words"]), entry(2, ["stays"])])
    index.commit([replace(entry(1, ["fresh words"]), path="wiki/raw/chat/moved.md")])
    assert find(index, "old") == []
    assert find(index, "fresh") == ["fresh words"]
    assert set(index.note_stats()) == {"wiki/raw/chat/moved.md", "wiki/raw/chat/2.md"}
    index.commit([replace(entry(9, ["taken over"]), path="wiki/raw/chat/2.md")], removed=["wiki/raw/chat/moved.md"])
    assert index.counts()["passages"] == 1
    assert find(index, "stays") == []
    assert index.counts()["mentions"] == 1


def test_moves_in_a_circle(index: SqliteIndex) -> None:
    index.commit([entry(1, ["one"]), entry(2, ["two"])])
    before = index.digest()
    index.commit(
        [
            replace(entry(1, ["one"]), path="wiki/raw/chat/2.md"),
            replace(entry(2, ["two"]), path="wiki/raw/chat/1.md", size=7),
        ]
    )
    stats = index.note_stats()
    assert stats["wiki/raw/chat/1.md"][1] == entry(2, []).chunk.chunk_id
    assert index.note_stats()["wiki/raw/chat/1.md"][0].size == 7
    assert index.digest() == before, "paths and stats are no part of the digest"


def test_keys_seq_sources(index: SqliteIndex) -> None:
    assert index.next_seq("slack:eng") == 0
    index.commit([entry(0, ["a"]), entry(4, ["b"], status="dropped"), entry(5, ["c"], source="slack:ops")])
    assert index.next_seq("slack:eng") == 5
    assert index.known_keys("slack:eng", ["000000000000", "000005000000", "ffffffffffff"]) == {
        "000000000000": "wiki/raw/chat/0.md"
    }
    rows = index.sources()
    assert [(r["source_id"], r["chunks"], r["dropped"]) for r in rows] == [("slack:eng", 2, 1), ("slack:ops", 1, 0)]
    assert index.source_titles(["slack:ops", "slack:none"]) == {"slack:ops": "Engineering"}
    assert index.counts()["dropped"] == 1
    index.clear()
    assert index.counts()["passages"] == 0
    assert find(index, "a b c") == []


def test_filters_come_before_the_cut(index: SqliteIndex) -> None:
    filler = [entry(n, ["budget talk " * 3] * 5) for n in range(1, 30)]
    later = START + timedelta(days=40)
    wanted = entry(
        99, ["one budget among many other plain words here"], source="mail:x", start=later, source_kind="email",
        tags=("Project/Apollo",),
        mentions=(Mention(surface="zed", text="Zed", kind="person", passage=0, origin="name"),),
    )  # fmt: skip
    index.commit([*filler, wanted, entry(100, ["dropped budget"], status="dropped")])
    text = wanted.passages[0].text
    for filters in (
        {"source": "mail:x"}, {"source": "mail:"}, {"source": "mai*"}, {"kind": "email"}, {"tag": "#project"},
        {"tag": "project/apollo"}, {"since": later}, {"since": later, "until": later}, {"entity": "zed"},
        {"entity": "person:zed"}, {"entity": "@Zed"},
    ):  # fmt: skip
        rows, total = index.candidates(("budget",), Filters(**filters), limit=3)  # type: ignore[arg-type]
        assert [r.text for r in rows] == [text], filters
        assert total == 1
    assert find(index, "budget", tag="proj") == []
    assert find(index, "budget", until=START - timedelta(days=1)) == []
    assert "dropped budget" not in find(index, "budget")
    assert "dropped budget" in find(index, "budget", dropped=True)


def test_entities_and_ambiguous_aliases(index: SqliteIndex) -> None:
    def mention(surface: str) -> tuple[Mention, ...]:
        return (Mention(surface=surface, text=surface, kind="person", passage=0, origin="name"),)

    index.commit([
        entry(1, ["with robert"], mentions=mention("robert miller")), entry(2, ["with bob"], mentions=mention("rob")),
        entry(3, ["with sam"], mentions=mention("sam")),
    ])  # fmt: skip
    people = [Entity(id=f"person:{n}", kind="person", display_name=n) for n in ("miller", "other")]
    index.replace_registry(
        [RegistryNote(entity=e, size=1, mtime_ns=2) for e in people],
        [
            AliasRow(surface=s, entity_id=f"person:{i}", origin="alias")
            for s, i in (("robert miller", "miller"), ("rob", "miller"), ("sam", "miller"), ("sam", "other"))
        ],
    )
    assert index.resolve_each(["sam"])["sam"] == {"person:miller", "person:other"}
    assert [n.entity for n in index.registry()] == people
    assert sorted(find(index, "with", entity="person:miller")) == ["with bob", "with robert"]
    assert find(index, "with", entity="sam") == ["with sam"]
    rows, _ = index.candidates((), Filters(), limit=9, entities=("person:miller",))
    assert {r.text for r in rows} == {"with robert", "with bob"}
    assert all(r.covers == {"person:miller"} for r in rows)
    rows, _ = index.candidates((), Filters(entity="sam"), limit=9, entities=("sam",))
    assert [r.text for r in rows] == ["with sam"]


def test_a_registry_is_read_once_and_anew_when_another_one_is_given(tmp_path: Path) -> None:
    one, other = open_index(tmp_path / "i.db"), open_index(tmp_path / "i.db")
    assert one.registry() == other.registry() == ()
    for writer, name in ((one, "ann"), (other, "bo"), (one, "cy")):
        given = (RegistryNote(entity=Entity(id=f"person:{name}", kind="person", display_name=name), size=1),)
        writer.replace_registry(given, ())
        assert one.registry() == other.registry() == given
        assert other.registry() is other.registry()
    other.clear()
    assert one.registry() == other.registry() == ()


def test_spans_bring_passages_without_the_words(index: SqliteIndex) -> None:
    index.commit([entry(1, ["lunch"]), entry(2, ["dinner"], start=START + timedelta(days=9))])
    day = int(START.timestamp() * 1000)
    rows, total = index.candidates((), Filters(), limit=5, spans_ms=[(day, day + 86_400_000)])
    assert ([r.text for r in rows], total) == (["lunch"], 1)


def test_words_of_every_script(index: SqliteIndex) -> None:
    texts = [
        "我们在東京駅见面", "กินข้าวที่กรุงเทพ", "서울에서 만나요", "Встретимся в кафе у реки", "Ünïcödé straße",
        "نلتقي في المَكتبة", "קפה בבוקר", "नमस्ते दुनिया", "party 🎉 tonight",
    ]  # fmt: skip
    index.commit([entry(1, texts)])
    for asked, where in (
        ("東京", 0), ("東", 0), ("กรุงเทพ", 1), ("서울", 2), ("реке", 3), ("кафе", 3), ("strasse", 4), ("unicode", 4),
        ("المكتبة", 5), ("בבוקר", 6), ("दुनिया", 7), ("🎉", 8), ("parties", 8),
    ):  # fmt: skip
        assert find(index, asked)[:1] == [texts[where]], asked


@pytest.mark.parametrize("kept", [150_000, 3, 0])
def test_names_find_a_superset_of_chunks(index: SqliteIndex, monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    monkeypatch.setattr(naming, "_KEPT", kept)  # a word that stands in more passages is looked for chunk by chunk
    header = (Mention(surface="zoe", text="Zoe", kind="person", passage=0, origin="header"),)
    index.commit([entry(1, ["met Alice Smith there"]), entry(2, ["nothing"], mentions=header), entry(3, ["other"])])
    assert index.chunks_mentioning(["alice smith"]) == {f"{1:032x}"}
    assert index.chunks_mentioning(["zoe"]) == {f"{2:032x}"}
    assert len(index.chunks_mentioning(["!!"])) == 3
    index.commit([entry(n, [f"note {n}", "of the house" if n % 2 else "of the boat"]) for n in range(10, 20)])
    assert index.chunks_mentioning(["note 12", "note 13 house", "note 14 house", "house house 15"]) == {
        f"{n:032x}" for n in (12, 13, 15)
    }
    assert len(index.chunks_mentioning(["note"])) == 10


def test_author_facts(index: SqliteIndex) -> None:
    def mail(number: int, author: str, to: str, day: int) -> Entry:
        base = entry(number, ["text"], source=f"mail:{number}", source_kind="email", start=START + timedelta(days=day))
        found = tuple(
            Mention(surface=who.casefold(), text=who, kind="person", passage=0, origin=origin)
            for who, origin in ((author, "author"), (to, "header"))
        )
        passage = replace(base.passages[0], author=f"{author} <{author}@x.org>", addressed=f"{to} <{to}@x.org>")
        return replace(base, passages=(passage,), mentions=found)

    index.commit([
        mail(1, "Ann", "Me", 0), mail(2, "Me", "Ann", 1), mail(3, "Cara", "Me", 1), mail(4, "Ann", "Cara", 1),
        entry(5, ["hi", "ho"], source="whatsapp:Bob", authors=("Bob", "Me")),
        entry(6, ["hi", "ho", "hu"], source="whatsapp:Club", authors=("Dan", "Me", "Eve")),
    ])  # fmt: skip
    facts = {f.surface: f for f in index.author_facts(own=("me",))}
    assert {name for name, fact in facts.items() if fact.two_way} == {"ann", "bob"}
    assert (facts["ann"].messages, facts["ann"].days, facts["ann"].emails) == (2, 2, ("ann@x.org",))


def test_the_same_answers_whatever_the_order_of_writing(tmp_path: Path) -> None:
    words = [f"w{n}" for n in range(60)]
    chance = random.Random(5)
    entries = [entry(n, [" ".join(chance.choices(words, k=6)) for _ in range(8)]) for n in range(40)]
    one, two = open_index(tmp_path / "1.db"), open_index(tmp_path / "2.db")
    one.commit(entries)
    for shuffled in chance.sample(entries, len(entries)):
        two.commit([shuffled])
    two.commit(entries[3:9])
    assert one.digest() == two.digest()
    for _ in range(50):
        asked = tuple(chance.choices(words, k=3))
        found = [i.candidates(asked, Filters(), limit=20) for i in (one, two)]
        assert sorted(found[0][0], key=order) == sorted(found[1][0], key=order)
        assert found[0][1] == found[1][1]
    two.commit([], removed=["wiki/raw/chat/3.md"])
    assert one.digest() != two.digest()
