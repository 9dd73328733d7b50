"""Which documents are the same, and where a piece stands among the others.

paragraph_hashes(body)              -> what of a document is compared
same_document(old, new)             -> True when at least 30 % of the smaller one is in the other
initial_positions(3)                -> ("9", "i", "r"): order keys with room between them
position_between("9", "i")          -> "d": nothing else is renamed when a piece is put between two
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from vaultmem.core.notes.cut import cut_text
from vaultmem.core.notes.ids import fold, sha256_hex
from vaultmem.core.notes.markdown import blocks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from vaultmem.core.notes.markdown import Block

#: Share of the smaller document's paragraphs that must be found in the other one.
SAME_SHARE = 0.3
#: Longer paragraphs are compared by sentences: one word changed in a page without breaks changes one of them.
_LONG = 600

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE = len(_DIGITS)


def paragraph_hashes(body: str) -> frozenset[str]:
    """Hashes of the folded paragraphs, list items, table rows and lines of code.

    Headings count only where there is nothing else: the title, made from the file's name, is no likeness.
    """
    found = blocks(body)
    content = [block for block in found if block.kind not in {"heading", "rule"}] or [
        block for block in found if block.kind == "heading"
    ]
    return frozenset(_hash(folded) for block in content for text in _units(block) if (folded := fold(text)))


def _units(block: Block) -> Iterator[str]:
    """What is compared as one: a paragraph, or a line of anything that is made of lines."""
    for text in [block.text] if block.kind in {"paragraph", "heading"} else block.text.split("\n"):
        yield from cut_text(text, _LONG, len) if len(text) > _LONG else (text,)


def _hash(text: str) -> str:
    # Half a SHA-256 is plenty for a comparison, and a document of 10 MB has many lines.
    return sha256_hex(text.encode("utf-8", "surrogatepass"))[:32]


def same_document(old_paragraphs: Collection[str], new_paragraphs: Collection[str]) -> bool:
    """True when two documents of one inbox path are versions of one: cut short and grown ones too.

    Both arguments are what `paragraph_hashes` gave. An empty document is a version of an empty one only.
    """
    old, new = set(old_paragraphs), set(new_paragraphs)
    if not old or not new:
        return old == new
    return len(old & new) >= SAME_SHARE * min(len(old), len(new))


@lru_cache(maxsize=64)
def initial_positions(count: int) -> tuple[str, ...]:
    """Order keys for `count` pieces, evenly spread, so that many can be put between any two."""
    width = 1
    while _BASE**width < (count + 1) * 4:
        width += 1
    span = _BASE**width
    return tuple(_key((index + 1) * span // (count + 1), width) for index in range(count))


def position_between(left: str, right: str) -> str:
    """A key that sorts behind `left` and before `right`; "" is the open end on either side.

    Keys are fractions in base 36 without trailing zeros. Positions that a person edited into something else, or that
    are out of order, still get an answer: right behind `left`.
    """
    if (right and left >= right) or not _is_key(left) or not _is_key(right):
        return f"{left}i"
    width = max(len(left), len(right), 1)
    low = _number(left, width)
    if left and not right:
        # One step behind the last: 35 pieces can be added for each digit, a half way only five.
        return _key(low + 1, width) if low + 1 < _BASE**width else f"{left}1"
    high = _number(right, width) if right else _BASE**width
    if right and not left:
        return _key(high - 1, width) if high > 1 else _key(_BASE - 1, width + 1)
    return _key((low + high) * _BASE // 2, width + 1)


def _is_key(text: str) -> bool:
    return len(text) < 1000 and all(char in _DIGITS for char in text) and not text.endswith("0")


def _number(key: str, width: int) -> int:
    return int(key.ljust(width, "0"), _BASE)


def _key(number: int, width: int) -> str:
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, _BASE)
        digits = _DIGITS[digit] + digits
    return digits.rstrip("0")
