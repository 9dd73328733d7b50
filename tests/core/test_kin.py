"""Words of other scripts that sound alike: names and loan words, never what only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.recall.scripts import FOREIGN, kin, starts
from vaultmem.core.recall.words import index_words, query_words

#: (as it is asked, as it stands in a text)
SAME = (
    ("граф", "graph"), ("плагины", "plugins"), ("календарь", "calendar"), ("экспорт", "export"), ("формулы", "formula"),
    ("математические", "mathematics"), ("синхронизация", "synchronise"), ("технологии", "technology"),
    ("проекты", "project"), ("команды", "commands"), ("Петров", "Petrov"), ("Иванова", "Ivanov"), ("Москва", "Moscow"),
    ("Чехов", "Chekhov"), ("архив", "archive"), ("Petrov", "Петрова"), ("graph", "графы"), ("calendar", "календарь"),
    ("Παπαδόπουλος", "Papadopoulos"), ("μαθηματικά", "mathematics"), ("Chekhov", "Чехову"),
)  # fmt: skip
OTHER = (("работает", "robot"), ("связей", "swiss"), ("заметки", "semitic"), ("кот", "cat"), ("дом", "dome"),
         ("graph", "graph"), ("граф", "граф"), ("abc123", "абц"), ("東京", "tokyo"), ("", "graph"))  # fmt: skip


@pytest.mark.parametrize(("asked", "told"), SAME)
def test_a_name_or_loan_word_is_found_in_another_script(asked: str, told: str) -> None:
    (word,), [term] = query_words(asked), index_words(told)
    assert kin(word, ["house", "дерево", term]) == (term,)
    assert term[:2] in starts(word)


@pytest.mark.parametrize(("asked", "told"), OTHER)
def test_other_words_are_no_kin(asked: str, told: str) -> None:
    for word in query_words(asked) or ("",):
        assert kin(word, index_words(told)) == ()


@given(st.text(max_size=30), st.lists(st.text(max_size=30), max_size=5))
def test_any_text_has_kin_among_the_terms_given_only(word: str, terms: list[str]) -> None:
    assert set(kin(word, terms)) <= set(terms)
    assert all(len(start) == 2 for start in starts(word))


def test_greek_and_cyrillic_lie_between_the_marks() -> None:
    assert all(FOREIGN[0] <= word < FOREIGN[1] for word in ("граф", "αβγ", "ѣ", "ёж", "ј"))
