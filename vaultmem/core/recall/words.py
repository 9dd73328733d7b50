"""Text -> the words that are indexed and asked for: the same function on both sides, so that they meet.

index_words("Ann's Straße, 東京駅")  -> ["ann", "strass", "東", "京", "駅", "東京", "京駅"]
query_words("where is the 東京駅?")  -> ("東京", "京駅")
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from types import ModuleType
from typing import TYPE_CHECKING

from vaultmem.core.recall.stopwords import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from snowballstemmer.basestemmer import BaseStemmer

_SNOWBALL = "vaultmem_snowball"
#: Longer runs are data (base64, hashes), not words: their head still finds them.
MAX_WORD = 64
#: Such parts of texts whose words are remembered.
_REMEMBERED = 50_000
#: A question has tens of words; a pasted page must not become ten thousand lookups.
MAX_QUERY_WORDS = 256

# Scripts written without blanks (Han, kana, Hangul with its particles, Thai, Lao, Khmer, Myanmar): bigrams find parts
# of a run that no dictionary would cut.
_DENSE = (
    "\u0e01-\u0e4e\u0e81-\u0ede\u1000-\u109f\u1780-\u17dd\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U000323af"
)
# Combining marks are no \w: Latin, Hebrew, Arabic and Indic words hold them all the same.
_MARKS = "\u0300-\u036f\u0590-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff"
_SIGNS = "\u2190-\u2bff\U0001f000-\U0001faff"
_TOKEN = re.compile(
    rf"(?P<word>(?:[a-z0-9]++|[^\W_{_DENSE}]|[{_MARKS}])++)|(?P<dense>[{_DENSE}]+)|(?P<sign>[{_SIGNS}])"
)
_APOSTROPHES = "'’ʼ"
_APOSTROPHE = re.compile(rf"(?<=\w)[{_APOSTROPHES}](?:s|ll|re|ve|d|m|t)\b")
#: Marks that only colour a letter; marks of Indic and Thai scripts are letters and stay.
_COLOURING = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_ENGLISH_LETTERS = re.compile("[a-z]+")
_GREEK = re.compile("[\u0370-\u03ff]")
_ARABIC = re.compile("[\u0620-\u064a]")
#: alef with hamza or madda is alef, alef maqsura is yeh; the lengthening stroke is no letter
_ARABIC_LETTERS = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ـ": None})
_ARABIC_PREFIXES = ("ال", "بال", "كال", "فال", "لل")
_ARABIC_SUFFIXES = ("نا", "هم", "كم", "ها", "ان", "ات", "ون", "ين", "يه", "ية", "ه", "ة", "ي")
_LEAST_ARABIC = 3


def index_words(text: str) -> list[str]:
    """Every word of a text, in order, with repeats: what the full-text index is given, joined by blanks."""
    return list(chain.from_iterable(map(_KNOWN.__getitem__, text.split())))


class _Known(dict[str, tuple[str, ...]]):
    """What stands between two blanks -> its words. Remembered, for texts repeat themselves."""

    def __missing__(self, part: str) -> tuple[str, ...]:
        found = tuple(_words_of(part))
        if len(part) <= MAX_WORD:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[part] = found
        return found


_KNOWN = _Known()


def _words_of(part: str) -> Iterator[str]:
    for match in _TOKEN.finditer(_plain(part)):
        run = match.group()
        if match.lastgroup == "dense":
            yield from run
            yield from _bigrams(run)
        else:
            yield _stem(run)


def query_words(text: str) -> tuple[str, ...]:
    """The distinct words to look for, stop words left out unless there is nothing else. Empty when there is no word."""
    told = _query_tokens(text, keep_stop_words=False)
    return told or _query_tokens(text, keep_stop_words=True)


def _query_tokens(text: str, *, keep_stop_words: bool) -> tuple[str, ...]:
    """Distinct words in order, at most MAX_QUERY_WORDS."""
    found: dict[str, None] = {}
    for match in _TOKEN.finditer(_plain(text)):
        run = match.group()
        if match.lastgroup == "dense":
            pieces = _bigrams(run) if len(run) > 1 else [run]
            found |= dict.fromkeys(piece for piece in pieces if keep_stop_words or piece not in STOP_WORDS)
        elif keep_stop_words or run not in STOP_WORDS:
            found[_stem(run)] = None
        if len(found) >= MAX_QUERY_WORDS:
            break
    return tuple(found)[:MAX_QUERY_WORDS]


def _plain(text: str) -> str:
    """NFKC, case-folded, without English clitics ("Ann's" is about Ann) and soft hyphens."""
    if text.isascii():
        bare = text.lower()
    else:
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        bare = folded.replace("\u00ad", "").replace("\u200b", "")
    return _APOSTROPHE.sub("", bare) if any(mark in bare for mark in _APOSTROPHES) else bare


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    """The word without inflection and colouring marks. The script chooses the stemmer: it needs no language guess."""
    word = word[:MAX_WORD]
    if word.isascii():
        return _stemmed("english", word) if _ENGLISH_LETTERS.fullmatch(word) else word
    if _CYRILLIC.search(word):
        # before the marks go: й without its breve is another letter to the stemmer
        return _uncoloured(_stemmed("russian", word))
    bare = _uncoloured(word)
    if _ENGLISH_LETTERS.fullmatch(bare):
        return _stemmed("english", bare)
    if _GREEK.search(bare):
        return _stemmed("greek", bare)
    return _light_arabic(bare) if _ARABIC.search(bare) else bare


def _light_arabic(word: str) -> str:
    """Without article, conjunction and the common endings, letters that are written in several ways written in one.

    Light stemming (Larkey, Ballesteros and Connell 2007, "light10", and three possessives): a root finder would join
    too much.
    """
    bare = word.translate(_ARABIC_LETTERS)
    if bare.startswith("و") and len(bare) > _LEAST_ARABIC:
        bare = bare[1:]
    for prefix in _ARABIC_PREFIXES:
        if bare.startswith(prefix) and len(bare) >= len(prefix) + 2:
            bare = bare[len(prefix) :]
            break
    for suffix in _ARABIC_SUFFIXES:
        if bare.endswith(suffix) and len(bare) >= len(suffix) + 2:
            bare = bare[: -len(suffix)]
    return bare


def _uncoloured(word: str) -> str:
    if word.isascii():
        return word
    split = _COLOURING.sub("", unicodedata.normalize("NFD", word))
    return unicodedata.normalize("NFC", split) or word


def _stemmed(language: str, word: str) -> str:
    """By a new stemmer for each word, which costs nothing: it holds the word, and three workers stem at once."""
    return str(_stemmer(language)().stemWord(word))


@lru_cache(maxsize=3)
def _stemmer(language: str) -> Callable[[], BaseStemmer]:
    """Snowball's class for one language.

    Its package loads all 35 languages when it is imported, which costs a cold question 45 ms: those in use are loaded
    from its folder as modules of an empty package.
    """
    if _SNOWBALL not in sys.modules:
        found = find_spec("snowballstemmer")
        package = ModuleType(_SNOWBALL)
        package.__path__ = list(found.submodule_search_locations or ()) if found else []
        sys.modules[_SNOWBALL] = package
    module = import_module(f"{_SNOWBALL}.{language}_stemmer")
    found_class: Callable[[], BaseStemmer] = getattr(module, f"{language.capitalize()}Stemmer")
    return found_class
