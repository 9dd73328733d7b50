"""Which drop is a version of which note: own ids, addresses, paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vaults import Box, raw_notes


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def clip(url: str, *paragraphs: str, key: str = "source") -> str:
    return "\n\n".join([f'---\n{key}: "{url}"\n---', *paragraphs]) + "\n"


PAGE = ["The ferry to Vis leaves at six.", "Tickets are sold on board.", "Dogs travel free.", "No cars in August."]
URL = "https://ferries.example/vis"


def test_two_notes_about_one_page_both_stay(box: Box) -> None:
    box.write("Clippings/Ferry to Vis.md", clip(URL, *PAGE))
    box.write("Why I hate ferries.md", clip(URL, "Lo was sick all the way.", "Next year we take the plane."))
    assert [row["outcome"] for row in box.sync()] == ["imported", "imported"]
    text = raw_notes(box)
    assert "Dogs travel free." in text
    assert "Lo was sick" in text


def test_a_page_clipped_again_replaces_itself_under_any_name(box: Box) -> None:
    box.write("Clippings/Ferry to Vis.md", clip(URL, *PAGE))
    box.write("mine.md", clip(URL, "Lo was sick all the way.", "Next year we take the plane."))
    box.sync()
    box.write("Clippings/Ferry to Vis (2026).md", clip(URL, *PAGE[:3], "No cars in July."))
    box.write("mine again.md", clip(URL, "Lo was sick all the way.", "Next year we walk."))
    box.sync()
    text = raw_notes(box)
    assert "No cars in July." in text
    assert "No cars in August." not in text
    assert "we walk" in text
    assert "the plane" not in text
    assert text.count("Lo was sick") == 1


def test_a_page_written_anew_replaces_itself_at_its_place(box: Box) -> None:
    box.write("Clippings/Vis.md", clip(URL, *PAGE))
    box.sync()
    box.write("Clippings/Vis.md", clip(URL, "Due to storms there is no ferry.", "Come back in May."))
    box.sync()
    assert "Dogs travel free." not in raw_notes(box)


def test_an_id_of_its_own_names_one_note_whatever_is_in_it(box: Box) -> None:
    box.write("a.md", clip("note-7f3a91", *PAGE, key="id"))
    box.sync()
    box.write("b.md", clip("note-7f3a91", "Something else entirely.", key="id"))
    box.sync()
    assert "Dogs travel free." not in raw_notes(box)
