"""Which words of a passage are marked for a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.recall.marks import marked


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("when does the exhibition open?", "The [exhibition] [opens] on Friday; doors at 18:30."),
        ("ferries to Ghent", "The [ferry] left, and Ann's [Ghent]-based aunt waved. THE [FERRY]!"),
        ("灯台の展示", "港の[灯台]は[展示]される。"),
        ("выставка", "Завтра открывается [выставка]; о [выставке] писали."),
        ("nothing of it", "Somebody else said this."),
        ("ABC-1234", "Ticket [ABC]-[1234] is closed."),
    ],
)
def test_words_in_whatever_inflection(query: str, shown: str) -> None:
    content = shown.replace("[", "").replace("]", "")
    found = content
    for start, end in reversed(marked(query, content)):
        found = f"{found[:start]}[{found[start:end]}]{found[end:]}"
    assert found == shown


@given(st.text(max_size=60), st.text(max_size=200))
def test_spans_are_in_order_and_apart(query: str, content: str) -> None:
    last = 0
    for start, end in marked(query, content):
        assert last <= start < end <= len(content)
        last = end
