"""BERT's uncased WordPiece in plain Python: text -> numbers of a vocabulary.

vocabulary = read_vocabulary("[PAD]\\n…")
encode("Zoë's café", vocabulary, limit=256)  -> [101, 11199, 1005, 1055, 7668, 102]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

#: A longer word is not looked up: BERT was trained so, and the look-up of one word stays short.
_LONGEST_WORD = 100
#: No piece of the vocabulary is longer.
_LONGEST_PIECE = 32
#: Characters looked at for each piece wanted. Text has about 5 per piece; a dump of symbols must not be read whole.
_CHARACTERS_PER_PIECE = 80
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


def read_vocabulary(text: str) -> dict[str, int]:
    """One piece a line; its number is its line, from 0."""
    return {piece: number for number, piece in enumerate(text.split("\n")) if piece}


def encode(text: str, vocabulary: Mapping[str, int], *, limit: int) -> list[int]:
    """[CLS], the pieces, [SEP]: at most `limit` numbers. Marks like "[SEP]" inside a text are only text."""
    found = [vocabulary["[CLS]"]]
    for word in _words(text[: limit * _CHARACTERS_PER_PIECE]):
        found += _pieces(word, vocabulary)
        if len(found) >= limit:
            break
    return [*found[: limit - 1], vocabulary["[SEP]"]]


def _words(text: str) -> Iterator[str]:
    """Lower-case words without accents; punctuation marks and ideographs are words of their own."""
    spaced = text.translate(_SPACED)
    yield from unicodedata.normalize("NFD", spaced).translate(_FOLDED).split()


def _pieces(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    """The longest piece that fits, again and again; [UNK] for a word that cannot be laid out whole."""
    whole = vocabulary.get(word)
    if whole is not None and len(word) <= _LONGEST_WORD:
        return [whole]
    unknown = [vocabulary["[UNK]"]]
    if len(word) > _LONGEST_WORD:
        return unknown
    found: list[int] = []
    start = 0
    while start < len(word):
        head = "##" if start else ""
        for end in range(min(len(word), start + _LONGEST_PIECE), start, -1):
            number = vocabulary.get(head + word[start:end])
            if number is not None:
                break
        else:
            return unknown
        found.append(number)
        start = end
    return found


class _Spaced(dict[int, str]):
    """Code point -> what stands for it before accents are split off; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = _spaced(code)
        return self[code]


class _Folded(dict[int, str]):
    """Code point -> its lower case, nothing for an accent, a mark between blanks for punctuation."""

    def __missing__(self, code: int) -> str:
        self[code] = _folded(code)
        return self[code]


def _spaced(code: int) -> str:
    letter = chr(code)
    if letter in "\t\n\r":
        return " "
    if code == 0xFFFD or unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co"):
        return ""
    if letter.isspace():
        return " "
    return f" {letter} " if any(first <= code <= last for first, last in _IDEOGRAPHS) else letter


def _folded(code: int) -> str:
    letter = chr(code)
    kind = unicodedata.category(letter)
    if kind == "Mn":
        return ""
    # ASCII's signs ($ + < = > ^ ` | ~) count as punctuation, other scripts' do not
    if kind.startswith("P") or (code < 0x80 and kind.startswith("S")):
        return f" {letter} "
    return letter.lower()


_SPACED = _Spaced()
_FOLDED = _Folded()
