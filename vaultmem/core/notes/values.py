"""Properties of our own notes as the types we meant, after a person, Obsidian or another tool has had them.

texts({"tags": "a, b"}, "tags")   -> ("a", "b")
text({"owner": None}, "owner")    -> ""
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vaultmem.errors import BadNote


def text(found: Mapping[str, object], key: str, *, required: bool = False) -> str:
    """A text; numbers and booleans as written in YAML. Raises BadNote for a list, a map, or a required one missing."""
    value = found.get(key)
    if isinstance(value, list | dict):
        raise BadNote(f"{key}: is no text")
    if required and value in (None, ""):
        raise BadNote(f"{key}: is missing")
    return _as_text(value)


def whole(found: Mapping[str, object], key: str, *, least: int | None = None) -> int:
    """A required whole number that fits 64 bits; `3.0` and `"3"` are 3. Raises BadNote."""
    value = number(found, key)
    if value != int(value) or abs(value) >= 2**63 or (least is not None and value < least):
        raise BadNote(f"{key}: {found[key]!r} is no whole number{'' if least is None else f' from {least}'}")
    exact = found[key]
    return exact if isinstance(exact, int) else int(value)


def number(found: Mapping[str, object], key: str) -> float:
    """A required number, quoted or not. Raises BadNote."""
    value = found.get(key)
    if value is None:
        raise BadNote(f"{key}: is missing")
    try:
        result = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None
    except (ValueError, OverflowError):
        result = None
    if result is None or result - result != 0:
        raise BadNote(f"{key}: {value!r} is no number")
    return result


def texts(found: Mapping[str, object], key: str) -> tuple[str, ...]:
    """A list of texts: a list, one text, or texts with commas between. Unquoted wikilinks come back as links."""
    value = found.get(key)
    if isinstance(value, list):
        return named([_item(one) for one in value])
    return named([one.strip() for one in _split(_as_text(value))])


def named(items: Sequence[str]) -> tuple[str, ...]:
    """The items that say something."""
    return tuple(item for item in items if item.strip())


def _split(value: str) -> list[str]:
    """The texts of a comma list; a comma inside a link's alias is none."""
    return [value] if "[[" in value else value.split(",")


def _item(value: object) -> str:
    # `same_as: [[Alice]]` and `- [[Alice]]` are nested lists to YAML, and links to the person who wrote them.
    if isinstance(value, list):
        inner = value
        while len(inner) == 1 and isinstance(inner[0], list):
            inner = inner[0]
        return f"[[{', '.join(map(_as_text, inner))}]]"
    return _as_text(value)


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None or isinstance(value, dict | list) else str(value)
