"""Frontmatter as vaultmem and Obsidian write it, read by its lines: a tenth of what YAML costs, and most notes are so.

read_flat('id: "a"\\nscore: 0.5\\ntags:\\n  - one\\n')  -> {"id": "a", "score": 0.5, "tags": ["one"]}
read_flat("id: &x a\\n")                             -> None: ask YAML
"""

from __future__ import annotations

import re

#: Words that are no text, or that one of the two YAMLs takes for none.
RESERVED = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"])
#: Words of ASCII letters; later words may hold digits. Nothing that a resolver, a parser or a person could take for
#: a number, a date, a link or an id fits.
PLAIN = r"[A-Za-z][A-Za-z_]*(?:[ -][A-Za-z0-9_.]*[A-Za-z0-9_])*"
# Quoted text without an escape or a character that YAML would not take; a number as it is usually written, and what
# makes it a fraction; words.
_VALUE = (
    r'(?:"([^"\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]*)"'
    rf"|(-?(?:0|[1-9][0-9]{{0,17}})(\.[0-9]{{1,17}})?)|({PLAIN}))"
)
_PROPERTY = re.compile(rf"([A-Za-z_][A-Za-z0-9_-]{{0,99}}):(?: (?:{_VALUE}|(\[\])))?\n")
_ITEM = re.compile(rf"  - {_VALUE}\n")


def read_flat(text: str) -> dict[str, object] | None:
    """What the block says, the same as YAML says of it; None for one that is not plainly of this form."""
    text = text if text.endswith("\n") or not text else f"{text}\n"
    found: dict[str, object] = {}
    at = 0
    while at < len(text):
        line = _PROPERTY.match(text, at)
        if line is None:
            return None
        at = line.end()
        key, quoted, number, point, plain, none = line.groups()
        if key in found:
            return None
        if quoted is not None:
            found[key] = quoted
        elif number or plain:
            found[key] = _value(number, point, plain)
            if found[key] is None:
                return None
        elif none:
            found[key] = []
        else:
            items, at = _items(text, at)
            found[key] = items or None
    return found or None


def _items(text: str, at: int) -> tuple[list[object], int]:
    """The items of a list, and where it ends: where it is not plainly one, no property follows."""
    items: list[object] = []
    while line := _ITEM.match(text, at):
        quoted, number, point, plain = line.groups()
        value = quoted if quoted is not None else _value(number, point, plain)
        if value is None:
            break
        items.append(value)
        at = line.end()
    return items, at


def _value(number: str | None, point: str | None, plain: str) -> str | int | float | None:
    """None for a word that YAML may take for something else."""
    if number:
        return float(number) if point else int(number)
    return None if plain.lower() in RESERVED else plain
