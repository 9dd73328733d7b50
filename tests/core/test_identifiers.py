"""Names that are one thing or another: which words of a question are such, and where they stand to the letter."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.recall.identifiers import identifiers, plain


def holds(question: str, text: str) -> bool:
    return all(name.search(plain(text)) for name in identifiers(question))


@pytest.mark.parametrize(
    "name",
    [
        "JIRA-1234", "#4521", "ERR_CONN_42", "ERR_CONN_RESET", "0x80070005", "v2.3.1", "4.2.1", "2026.3.2", "F-0815",
        "GX-200/D", "/srv/backup/weekly", "C:\\Tools\\plan.exe", "plan.exe", "a.b@example.org", "10.20.30.14",
        "4be1f09", "DE44-5001-0517-5407", "RE/2026/0042", "7.340-112", "77-2026-00318", "1EMH0012345678", "v2.4",
        "ORCH-11", "snake_case_name", "ＫＶ-2207-Ｂ",
    ],
)  # fmt: skip
def test_it_is_found_to_the_letter_and_nothing_that_goes_on_from_it(name: str) -> None:
    for question in (name, f"what is {name}?", f"“{name}”, please.", f"({name})", f"{name}とは何ですか", name.lower()):
        assert len(identifiers(question)) == 1, question
        for text in (f"Of {name}: done.", f"it was {name}.", f"[{name}]", f"{name}です", name.upper(), f"x/{name}"):
            assert holds(question, text), (question, text)
        for text in (f"{name}5", f"{name}.9", f"{name}-2", f"{name[:-1]}", "nothing"):
            assert not holds(question, text), (question, text)


@pytest.mark.parametrize(
    "text",
    [
        "what happened on 2026-05-03 at 10:30, 3.5.2026, 11/1/2001 or 2023-24?",
        "the 3rd, 21st, 5km, 2.5GB, 20-year-old, 1990s, '80s, 50%, 4,200, 1.234.567, €12.50, $5k, 10am, Q2, 24/7",
        "and/or he/she e.g. U.S. J.K. Rowling's well-known mid-2023 book No. 7",
        "p53, IL-6, CD4+, MP3, UTF-8, H2O and anti-interleukin-2 in the C64",
        "5月3日に何をしましたか 東京3号",
        "", "...", "#1", "a_", "/",
    ],
)  # fmt: skip
def test_what_is_no_such_name(text: str) -> None:
    assert identifiers(text) == ()


def test_a_pasted_page_costs_little() -> None:
    started = time.process_time()
    assert len(identifiers(" ".join(f"ID-{n}" for n in range(100_000)))) == 8
    for part in ("1-", "a/", "a_", "1.", "a1", "@a", "#1", "-1a"):
        assert len(identifiers(part * 50_000)) <= 1
    assert time.process_time() - started < 1


@given(st.text(max_size=60))
def test_any_text_is_read_and_holds_its_own_names(text: str) -> None:
    for name in identifiers(text):
        assert isinstance(name.search(plain(f"x {text} y")), object)
