"""A word that stands nowhere as it is asked may stand there in another script: names and loan words sound alike. Pure.

kin("граф", ["graph", "grow"])      -> ("graph",)
kin("petrov", ["петров", "пост"])   -> ("петров",)

Both are written by their sound in Latin letters, and compared by their consonants, then letter by letter. Latin,
Cyrillic and Greek: alphabets whose letters stand for about the same sounds.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import lru_cache

_LATIN = {letter: letter for letter in "abcdefghijklmnopqrstuvwxyz"}
_CYRILLIC = dict(
    zip("абвгґдеёєзиіїйјклљмнњопрстуўфыэ", "abvggdeeeziiiiikllmnnoprstuufie", strict=True)
) | {
    "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ћ": "ch", "ђ": "d", "џ": "zh", "ш": "sh", "щ": "sh", "ъ": "",
    "ь": "", "ю": "iu", "я": "ia",
}  # fmt: skip
_GREEK = dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstifo", strict=True)) | {
    "θ": "th", "χ": "kh", "ψ": "ps",
}  # fmt: skip
_SCRIPTS = (_LATIN, _CYRILLIC, _GREEK)
#: Spellings of one sound, in the order in which they are replaced.
_SOUNDS = tuple(
    (re.compile(spelling), sound)
    for spelling, sound in (
        ("sh|zh|ts|tz", "s"), ("ph", "f"), ("th", "t"), ("kh|ch", "h"), ("ck", "k"), ("qu", "kv"), ("x", "ks"),
        ("c(?=[eiy])", "s"), ("[cq]", "k"), ("w", "v"), ("z", "s"), ("[jy]", "i"), (r"(.)\1", r"\1"),
    )
)  # fmt: skip
_VOWEL = re.compile("[aeiou]")
#: Fewer consonants tell too little, and a stem may be a part of the other's only when it has this many.
_LEAST, _LEAST_PART = 3, 4
#: How alike the letters must be (difflib's ratio): of the shortest words, and of others.
_ALIKE_SHORT, _ALIKE = 0.9, 0.7
#: What the Russian stemmer takes off names, as if it were an ending.
_TAKEN_OFF = ("ov", "ev", "in", "iv", "ova", "eva", "ina")
#: Words that one word may stand for.
_MOST = 3
#: Where words in Greek and Cyrillic letters begin and end in the order of words.
FOREIGN = ("\u0370", "\u0530")
_LONGEST = 24


def starts(word: str) -> tuple[str, ...]:
    """The first two letters, in other scripts, of words that may sound like this one; none for a word too short."""
    own = _script(word)
    sound = _sound(word, own) if own is not None else ""
    if len(_consonants(sound)) < _LEAST - 1:  # an ending taken off may have held the last
        return ()
    return tuple(pair for number in range(len(_SCRIPTS)) if number != own for pair in _pairs(number, sound[:2]))


def kin(word: str, terms: Iterable[str]) -> tuple[str, ...]:
    """Those of `terms`, words in another script, that sound like the word; the most alike first."""
    own = _script(word)
    if own is None:
        return ()
    sound = _sound(word, own)
    found = []
    for term in terms:
        script = _script(term)
        if script is not None and script != own and (alike := _alike(sound, _sound(term, script))):
            found.append((-alike, term))
    return tuple(term for _, term in sorted(found)[:_MOST])


def _script(word: str) -> int | None:
    """Whose letters all of the word are; None for another's, or a mixture."""
    if not word or len(word) > _LONGEST:
        return None
    return next((number for number, script in enumerate(_SCRIPTS) if script.keys() >= set(word)), None)


def _sound(word: str, script: int) -> str:
    text = "".join(_SCRIPTS[script][letter] for letter in word)
    for spelling, sound in _SOUNDS:
        text = spelling.sub(sound, text)
    return text


def _consonants(sound: str) -> str:
    return sound[:1] + _VOWEL.sub("", sound[1:])


def _alike(one: str, other: str) -> float:
    """How alike two words sound; 0 when they are not the same word."""
    short, long = sorted((one, other), key=len)
    if any(short + ending == long for ending in _TAKEN_OFF):
        return 1.0
    few, many = sorted((_consonants(one), _consonants(other)), key=len)
    if len(few) < _LEAST or not many.startswith(few) or (few != many and len(few) < _LEAST_PART):
        return 0.0
    ratio = difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
    return ratio if ratio >= (_ALIKE_SHORT if len(few) == _LEAST else _ALIKE) else 0.0


@lru_cache(maxsize=1024)
def _pairs(script: int, sound: str) -> tuple[str, ...]:
    """Two letters of a script that sound as `sound` begins: vowels are not told apart."""
    wanted = _VOWEL.sub("a", sound)
    letters = sorted(_SCRIPTS[script])
    found = []
    for pair in (first + second for first in letters for second in letters):
        begins = _VOWEL.sub("a", _sound(pair, script))
        if begins and (wanted.startswith(begins) or begins.startswith(wanted)):
            found.append(pair)
    return tuple(found)
