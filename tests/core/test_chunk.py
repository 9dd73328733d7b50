"""Chunks of chats and documents: nothing lost, nothing above the limit, and what did not change stays."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.chunk import Piece, chunk_document, pack_messages
from vaultmem.core.notes.codec import parse_body, render_body
from vaultmem.core.notes.cut import cut_text
from vaultmem.core.notes.markdown import document_passages
from vaultmem.model import Message

SAMPLES = Path(__file__).parents[2] / "../shared/samples"
CASES = Path(__file__).parents[1] / "cases/chunk"
GAP = timedelta(hours=12)
START = datetime(2026, 4, 21, 10, 12, tzinfo=UTC)
#: Never two alike by chance: what the tests look for again must be found where it was.
WORDS = ["harbour", "Ship", "ledger", "größer", "提案", "اجتماع", "naïve", "42", "https://example.org/a_b", "v1.2.3"]


def words(text: str) -> int:
    """A counter as coarse as tokens: words, and one for each 12 characters of a long one."""
    return sum(1 + len(word) // 12 for word in text.split())


def pieces_of(body: str, limit: int = 40, kept: tuple[str, ...] = ()) -> tuple[Piece, ...]:
    return chunk_document(body, count=words, max_tokens=limit, kept=kept)


def notes_of(pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    return tuple(piece.repeat + piece.text for piece in pieces)


def document(paragraphs: int, seed: int = 7) -> list[str]:
    rng = random.Random(seed)
    made = []
    for number in range(paragraphs):
        text = " ".join(rng.choices(WORDS, k=rng.randint(4, 15)))
        made.append(f"## Part {number}" if number % 9 == 4 else f"{number} {text}.")
    return made


lines = st.one_of(
    st.sampled_from(
        [
            *(
                "",
                "",
                "# A",
                "## B > c",
                "- item",
                "  - inner",
                "1. one",
                "> quote",
                "```",
                "```py",
                "~~~",
                "$$",
                "%%",
                "---",
            ),
            *(
                "===",
                "|a|b|",
                "|-|-|",
                "| x | y |",
                "<div>",
                "<!-- x",
                "-->",
                "    code",
                "\tcode",
                "[[a]]",
                "word " * 60,
            ),
            *(
                "x" * 700,
                "👨‍👩‍👧‍👦" * 90,
                "e\u0301" * 300,
                "Ends. Begins! Really? Yes.",
                "\u3000",
                "\r",
                "\u2028",
                "^id",
            ),
            "🇩🇪🇫🇷" * 80,
        ]
    ),
    st.text(max_size=30),
)
bodies = st.lists(lines, max_size=40).map("\n".join)


@given(bodies, st.integers(1, 60))
def test_pieces_join_to_the_body_and_keep_the_limit(body: str, limit: int) -> None:
    pieces = pieces_of(body, limit)
    assert "".join(piece.text for piece in pieces) == body
    for piece in pieces:
        assert words(piece.repeat + piece.text) <= limit or len(regex.findall(r"\X", piece.text)) == 1


@given(bodies, bodies, st.integers(5, 60))
def test_pieces_join_whatever_was_there_before(old: str, new: str, limit: int) -> None:
    kept = notes_of(pieces_of(old, limit))
    pieces = pieces_of(new, limit, kept)
    assert "".join(piece.text for piece in pieces) == new
    used = [piece.kept for piece in pieces if piece.kept is not None]
    assert len(used) == len(set(used))
    for piece in pieces:
        if piece.kept is not None:
            assert (piece.repeat + piece.text).strip("\n\t ") == kept[piece.kept].strip("\n\t ")


@given(st.text(st.sampled_from("ab \n.!。é👍🏽👨‍👩‍👧🇩🇪\u0301\u200d漢"), max_size=400), st.integers(1, 30))
def test_no_cut_inside_a_character(text: str, limit: int) -> None:
    parts = cut_text(text, limit, len)
    assert "".join(parts) == text
    borders = {match.end() for match in regex.finditer(r"\X", text)} | {0}
    at = 0
    for part in parts:
        at += len(part)
        assert at in borders
        assert len(part) <= limit or len(regex.findall(r"\X", part)) == 1


@pytest.mark.parametrize("where", [0, 1, 50, 333, 699, 700])
def test_a_paragraph_inserted_costs_at_most_two_pieces(where: int) -> None:
    paragraphs = document(700)
    before = pieces_of("# T\n\n" + "\n\n".join(paragraphs) + "\n", 80)
    assert len(before) >= 90
    changed = [*paragraphs[:where], "A quite new paragraph.", *paragraphs[where:]]
    after = pieces_of("# T\n\n" + "\n\n".join(changed) + "\n", 80, notes_of(before))
    assert 1 <= sum(note not in notes_of(before) for note in notes_of(after)) <= 2
    assert len(set(notes_of(before)) - set(notes_of(after))) <= 1


@pytest.mark.parametrize("where", [0, 1, 50, 333, 698])
def test_a_paragraph_deleted_costs_at_most_two_pieces(where: int) -> None:
    paragraphs = document(700)
    before = pieces_of("# T\n\n" + "\n\n".join(paragraphs) + "\n", 80)
    changed = paragraphs[:where] + paragraphs[where + 1 :]
    after = pieces_of("# T\n\n" + "\n\n".join(changed) + "\n", 80, notes_of(before))
    assert sum(note not in notes_of(before) for note in notes_of(after)) <= 2


def test_pieces_that_moved_are_kept() -> None:
    parts = [f"## Part {n}\n\n" + f"Sentence {n}. " * 30 + "\n\n" for n in range(8)]
    before = pieces_of("".join(parts), 70)
    after = pieces_of("".join(reversed(parts)), 70, notes_of(before))
    assert {piece.kept for piece in after} == set(range(len(before)))


def test_a_lower_limit_cuts_old_chunks_anew() -> None:
    body = "\n\n".join(document(40))
    old = notes_of(pieces_of(body, 90))
    assert all(words(note) <= 30 for note in notes_of(pieces_of(body, 30, old)))


def test_a_row_added_to_a_cut_table_keeps_the_other_pieces() -> None:
    rows = [f"| fruit {n} | {n} |" for n in range(80)]
    head = "# P\n\n| Fruit | Cents |\n|---|---|\n"
    before = pieces_of(head + "\n".join(rows) + "\n", 50)
    after = pieces_of(head + "\n".join([*rows[:40], "| new | 1 |", *rows[40:]]) + "\n", 50, notes_of(before))
    assert sum(piece.kept is None for piece in after) <= 2
    assert len(before) - sum(piece.kept is not None for piece in after) <= 1


def test_a_heading_is_never_left_alone_at_the_end() -> None:
    body = "\n\n".join(text for n in range(12) for text in (f"## Part {n}", "word " * 17))
    for piece in pieces_of(body, 50):
        assert piece.text.strip().splitlines()[0].startswith("## ")
        assert not piece.text.strip().splitlines()[-1].startswith("## ")


def test_a_table_larger_than_a_chunk_repeats_its_header() -> None:
    path = SAMPLES / "bugs/17-table-header-lost/prices.md"
    if not path.exists():
        pytest.skip("the shared samples are not here")
    pieces = pieces_of(path.read_text(encoding="utf-8"), 60)
    with_rows = [note for note in notes_of(pieces) if "| fruit" in note]
    assert len(with_rows) > 5
    for note in with_rows:
        assert note.count("| Fruit | Cents | Origin |\n| --- | ---: | --- |\n| fruit") == 1
        assert note.count("Cents") == 1
    assert all("fruit" not in piece.text or piece.heading in {"", "Prices"} for piece in pieces)


def test_a_comment_in_a_fence_is_no_heading() -> None:
    path = SAMPLES / "bugs/07-hash-in-fence/recipe.md"
    if not path.exists():
        pytest.skip("the shared samples are not here")
    pieces = pieces_of(path.read_text(encoding="utf-8"), 9)
    holder = next(piece for piece in pieces if "scale --grams" in piece.text)
    assert holder.text.count("~~~") == 2
    passage = next(p for p in document_passages(holder.text, holder.heading) if "scale" in p.text)
    assert passage.heading == "Bread"


def test_a_fence_larger_than_a_chunk_stays_code_in_each_piece() -> None:
    body = "Intro.\n\n```py\n" + "\n".join(f"x_{n} = {n}  # [[no link]]" for n in range(60)) + "\n```\n\nAfter.\n"
    notes = notes_of(pieces_of(body, 50))
    assert len(notes) > 3
    assert all(note.startswith("```py\n") for note in notes if "x_" in note and "Intro" not in note)


def test_huge_lines_are_cut_fast() -> None:
    for line in ("word " * 24_000, "a" * 120_000, "漢字" * 60_000, "x\n" * 20_000, "| a |\n" * 20_000):
        started = time.process_time()
        pieces = pieces_of(line, 500)
        assert time.process_time() - started < 5
        assert "".join(piece.text for piece in pieces) == line
        assert all(words(piece.text) <= 500 for piece in pieces)


def message(number: int, text: str, *, hours: float = 0) -> Message:
    return Message(
        key=f"{number:012x}", sent_at=START + timedelta(hours=hours, minutes=number), author="Alice", text=text
    )


@given(
    st.lists(st.tuples(st.text(max_size=80) | st.just("word " * 90), st.integers(0, 40)), max_size=20),
    st.integers(12, 60),
)
def test_messages_are_neither_lost_nor_reordered(made: list[tuple[str, int]], limit: int) -> None:
    hours = 0
    messages = []
    for number, (text, wait) in enumerate(made):
        hours += wait
        messages.append(message(number, text, hours=hours))
    groups = pack_messages(messages, "chat", count=words, max_tokens=limit, gap=GAP)
    joined: dict[tuple[datetime | None, str], str] = {}
    for part in (m for group in groups for m in group):
        joined[part.sent_at, part.author] = joined.get((part.sent_at, part.author), "") + part.text
    assert list(joined.values()) == [text for text, _ in made]
    keys = [m.key for group in groups for m in group]
    assert len(keys) == len(set(keys))
    assert {m.key for m in messages} <= set(keys)
    for group in groups:
        assert parse_body("chat", render_body("chat", group)) == group
        assert words(render_body("chat", group)) <= limit or len(group) == 1


def test_a_chat_breaks_where_it_fell_silent_and_a_thread_does_not() -> None:
    messages = [message(0, "a"), message(1, "b"), message(2, "c", hours=13), message(3, "d", hours=13)]
    packed = {k: pack_messages(messages, k, count=words, max_tokens=500, gap=GAP) for k in ("chat", "email")}
    assert [len(group) for group in packed["chat"]] == [2, 2]
    assert [len(group) for group in packed["email"]] == [4]


def test_a_message_above_the_limit_is_cut_at_its_sentences() -> None:
    long = " ".join(f"This is sentence number {n} of the plan." for n in range(40))
    groups = pack_messages([message(7, long)], "chat", count=words, max_tokens=60, gap=GAP)
    parts = [m for group in groups for m in group]
    assert parts[0].key == f"{7:012x}"
    assert "".join(m.text for m in parts) == long
    assert all(m.text.rstrip().endswith(".") for m in parts)


@pytest.mark.parametrize("path", sorted(CASES.glob("*.md")), ids=lambda p: p.stem)
def test_case(path: Path, update: bool) -> None:
    """The file's pieces at 40 words each, with what is repeated and the headings above, as a reader would mark them."""
    pieces = pieces_of(path.read_text(encoding="utf-8"))
    shown = "".join(
        f"=== {'under ' + p.heading if p.heading else 'top'}{', repeats ' + repr(p.repeat) if p.repeat else ''}\n"
        f"{p.text.rstrip()}\n\n"
        for p in pieces
    )
    expected = path.with_suffix(".expected.txt")
    if update:
        expected.write_text(shown, encoding="utf-8")
    assert shown == expected.read_text(encoding="utf-8")
