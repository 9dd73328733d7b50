"""Notes that git could not merge, as one: whichever side is "ours", and without a word of a person's lost."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notes.chunknote import parse_chunk_note, render_chunk_note
from vaultmem.core.notes.conflicts import first_marker, has_conflict, joined, sides
from vaultmem.core.notes.ids import body_sha256
from vaultmem.core.notes.summarynote import parse_summary_note, render_summary_note
from vaultmem.core.notes.unite import MERGED, united
from vaultmem.grown import Link, SummaryNode
from vaultmem.model import Chunk

CASES = Path(__file__).parents[1] / "cases/unite"
AT = datetime(2026, 4, 1, 10, tzinfo=UTC)


def other_way_round(text: str) -> str:
    """The same conflict as the other clone sees it."""
    return re.sub(
        r"(<{7} .*\n)((?:.*\n)*?)(={7}\n)((?:.*\n)*?)(>{7} .*\n)",
        lambda m: m[1] + m[4] + m[3] + m[2] + m[5],
        text,
    )


def conflict(one: str, other: str) -> str:
    return f"<<<<<<< HEAD\n{one}=======\n{other}>>>>>>> other\n"


@pytest.mark.parametrize("case", sorted(CASES.glob("*.md")), ids=lambda case: case.stem)
def test_a_note_with_markers_is_one_note(case: Path, update: bool) -> None:
    path, text, expected = re.split(r"\n?=== .*\n", case.read_text(encoding="utf-8"))
    found = united(path, text + "\n")
    if update:
        head = case.read_text(encoding="utf-8").split("=== one note\n")[0]
        case.write_text(f"{head}=== one note\n{found}", encoding="utf-8")
    else:
        assert found == expected
    assert united(path, other_way_round(text + "\n")) == found


def node(**values: object) -> SummaryNode:
    fixed: dict[str, object] = {
        "node_id": "ab" * 16, "tree_kind": "source", "tree_scope": "slack:eng", "tree_level": 1, "children": (),
        "child_ids": (), "time_start": AT, "time_end": AT, "token_count": 0, "sealed_at": AT, "rev": 1,
        "summariser": "facet-2", "title": "Eng", "sentences": (), "inputs": "00",
    }  # fmt: skip
    return SummaryNode(**{**fixed, **values})  # type: ignore[arg-type]


def with_child(*names: str, **values: object) -> str:
    links = tuple(Link(path=f"wiki/raw/chat/{name}.md", alias=name) for name in names)
    return render_summary_note(node(children=links, child_ids=names, **values))


PATH = "wiki/summaries/source/slack-eng/L1/2026-04-01--2026-04-01-ababab.md"


def test_a_summary_has_the_children_of_both_and_is_sealed_again() -> None:
    made = united(PATH, conflict(with_child("a", "b"), with_child("a", "c", rev=2, inputs="11")))

    found = parse_summary_note(made)
    assert set(found.child_ids) == {"a", "b", "c"}
    assert [link.alias for link in found.children] == list(found.child_ids)
    assert (found.inputs, found.rev) == (MERGED, 2)


def test_a_summary_that_a_person_edited_keeps_the_text() -> None:
    edited = with_child("a") + "\nMy own line.\n"

    made = united(PATH, conflict(with_child("a", "b"), edited))

    assert "My own line." in made
    assert parse_summary_note(made).edited
    assert not has_conflict(made)


def chunk(body: str = "# A\n\nText.\n", **values: object) -> Chunk:
    fixed: dict[str, object] = {
        "chunk_id": "cd" * 16, "source_kind": "document", "source_id": "doc:a", "tree_scope": "doc:documents",
        "owner": "", "time_start": AT, "time_end": AT, "seq": 0, "position": "m", "token_count": 3,
        "status": "dropped", "score": 0.2, "signals": {}, "drop_reason": "tiny", "entities": (), "body": body,
        "body_sha256": body_sha256("# A\n\nText.\n"), "source_ref": "a.md", "original": "private", "title": "A",
    }  # fmt: skip
    return Chunk(**{**fixed, **values})  # type: ignore[arg-type]


RAW = "wiki/raw/document/doc-documents/2026-04/A-0000-cdcdcd.md"


def test_a_chunk_that_was_admitted_by_hand_stays_so() -> None:
    kept = render_chunk_note(chunk(status="admitted", entities=("person:ann",)))
    dropped = render_chunk_note(chunk(entities=("person:bob",)))

    found = parse_chunk_note(united(RAW, conflict(kept, dropped)))

    assert found.status == "admitted"
    assert set(found.entities) == {"person:ann", "person:bob"}
    assert not found.edited


def test_an_edited_chunk_stands_before_one_that_is_as_it_was_written() -> None:
    edited = render_chunk_note(chunk("# A\n\nText that I mended.\n")).replace("---\n#", "mine: 1\n---\n#", 1)

    made = united(RAW, conflict(render_chunk_note(chunk()), edited))

    assert "Text that I mended." in made
    assert "mine: 1" in made


def test_two_edits_of_one_chunk_are_left_for_the_person() -> None:
    both = [render_chunk_note(chunk(f"# A\n\nText that {who} mended.\n")) for who in ("I", "you")]

    made = united(RAW, conflict(*both))

    assert has_conflict(made)
    assert "Text that I mended." in made
    assert "Text that you mended." in made
    assert parse_chunk_note(made).chunk_id == "cd" * 16


def test_what_cannot_be_read_stays_as_it_is() -> None:
    text = "---\nid: [\n---\n" + conflict("a\n", "b\n")

    assert united("entities/person/x.md", text) == text


def test_markers_that_do_not_pair_are_text() -> None:
    for text in (
        "<<<<<<< HEAD\na\n",
        "=======\n",
        ">>>>>>> x\n",
        "<<<<<<< a\n=======\n",
        "a <<<<<<< b\n=======\n>>>>>>>\n",
    ):
        assert not has_conflict(text)
        assert sides(text) == (text, text)


def test_the_common_ancestor_is_no_side() -> None:
    text = "a\n<<<<<<< HEAD\nx\n||||||| base\nq\n=======\ny\n>>>>>>> o\nb"

    assert sides(text) == ("a\nx\nb", "a\ny\nb")
    assert first_marker(text) == 2


def test_markers_with_windows_line_ends_are_markers() -> None:
    assert sides("a\r\n<<<<<<< HEAD\r\nx\r\n=======\r\ny\r\n>>>>>>> o\r\n") == ("a\r\nx\r\n", "a\r\ny\r\n")


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "# d"]), max_size=8).map(
    lambda lines: "".join(f"{x}\n" for x in lines)
)


@given(LINES, LINES)
def test_no_line_of_a_person_is_lost(one: str, other: str) -> None:
    made = joined(one, other)

    for text in (one, other):
        rest = iter(made.splitlines())
        assert all(line in rest for line in text.splitlines())
    assert has_conflict(made) or made in (one, other)
