"""Changing single properties of a person's note: the lines of these keys, and not one byte more.

edit_properties(b"---\\n# mine\\nid: 007\\ntags: [a]\\n---\\nText", {"tags": ["a", "b"]})
    -> b"---\\n# mine\\nid: 007\\ntags:\\n  - a\\n  - b\\n---\\nText"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import yaml

from vaultmem.core.notes.properties import (
    NoteParts,
    Property,
    compose_properties,
    load_properties,
    property_lines,
    scalar_text,
    split_note,
    utc_text,
)
from vaultmem.errors import BadProperties


def editable_parts(note: bytes) -> NoteParts:
    """The note's parts. Raises BadProperties where a write could do harm: no UTF-8, broken or unclosed YAML."""
    try:
        text = note.decode()
    except UnicodeDecodeError:
        raise BadProperties(1, "the note is not UTF-8") from None
    parts = split_note(text)
    if parts.frontmatter is not None:
        load_properties(parts.frontmatter)
        root = compose_properties(parts.frontmatter)
        if root is not None:
            _refuse_doubles(root)
    elif parts.body.lstrip().startswith("---"):
        # A person meant properties here, or a rule: another block on top would hide or break what they wrote.
        raise BadProperties(1, "the note begins with --- but has no closed block of properties")
    return parts


def _refuse_doubles(node: yaml.Node) -> None:
    """Obsidian reads nothing of a block with equal keys, so it counts as broken."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _refuse_doubles(item)
    elif isinstance(node, yaml.MappingNode):
        names = set()
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in names:
                raise BadProperties(key.start_mark.line + 1, f"{key.value} stands there twice")
            names.add(key.value if isinstance(key, yaml.ScalarNode) else None)
            _refuse_doubles(value)


def edit_properties(note: bytes, changes: Mapping[str, Property]) -> bytes:
    """The note with these properties set (None: removed). A property that already says so is not touched.

    Comments, order, quoting, unknown keys, line breaks and BOM stay byte for byte. Raises BadProperties for a note
    that does not parse or whose layout leaves no safe edit; the result is parsed and compared before it is returned.
    """
    parts = editable_parts(note)
    before = parts.frontmatter or ""
    found = load_properties(before)
    todo = {key: value for key, value in changes.items() if not _says(found, key, value)}
    if not todo:
        return note
    after, expected = before, dict(found)
    for key, value in todo.items():
        after = _changed(after, key, value, parts.newline)
        if value is None:
            del expected[key]
        else:
            expected[key] = _plain(value)
    text = note.decode()
    above = "\ufeff" if parts.bom else ""
    if parts.frontmatter is None:
        head = f"{above}---{parts.newline}{after}---{parts.newline}"
    else:
        opening = len(above) + len("---") + len(parts.newline)
        head = text[:opening] + after + text[opening + len(before) : len(text) - len(parts.body)]
    result = split_note(head + parts.body)
    if result.body != parts.body or not _same(load_properties(result.frontmatter or ""), expected):
        raise BadProperties(1, f"cannot change {', '.join(todo)} without touching other lines")
    return (head + parts.body).encode()


def _says(found: Mapping[str, object], key: str, value: Property) -> bool:
    """True when the note needs no change for this."""
    return key not in found if value is None else key in found and _same(found[key], _plain(value))


def _plain(value: Property) -> object:
    """The value as it is read back."""
    if isinstance(value, datetime):
        return utc_text(value)
    return value if isinstance(value, str | int | float) or value is None else list(value)


def _same(one: object, other: object) -> bool:
    """Equal in value and type, at any depth; the order of keys does not count."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a property stands in the block, as offsets."""

    #: start of its first line, and of the line after its last
    start: int
    end: int
    #: blanks in front of the block's keys
    indent: str
    value: yaml.Node


def _changed(block: str, key: str, value: Property, newline: str) -> str:
    """The block with one property set or removed."""
    root = compose_properties(block)
    if root is not None and root.flow_style:
        raise BadProperties(1, "the properties are written as one { } value")
    place = _find(block, root, key) if root else None
    if place is None:
        if value is None:
            return block
        first = root.value[0][0].start_mark.column if root and root.value else 0
        return block + _lines(key, value, " " * first, newline)
    if value is None:
        return block[: place.start] + block[place.end :]
    grown = _appended(block, key, place, value, newline)
    if grown is not None:
        return grown
    return block[: place.start] + _lines(key, value, place.indent, newline, _comment(block, place)) + block[place.end :]


def _lines(key: str, value: Property, indent: str, newline: str, comment: str = "") -> str:
    first, _, rest = property_lines(key, value).partition("\n")
    lines = [f"{first}{comment}", *rest.splitlines()]
    return "".join(f"{indent}{line}{newline}" for line in lines)


def _find(block: str, root: yaml.MappingNode, key: str) -> _Place | None:
    """The place of a key. Raises BadProperties when it shares its lines with something else."""
    starts = [block.rfind("\n", 0, node.start_mark.index) + 1 for node, _ in root.value]
    number = next((n for n, (node, _) in enumerate(root.value) if node.value == key), None)
    if number is None:
        return None
    node, value = root.value[number]
    indent = block[starts[number] : node.start_mark.index]
    end = starts[number + 1] if number + 1 < len(starts) else len(block)
    if indent.strip(" ") or end <= starts[number]:
        raise BadProperties(node.start_mark.line + 1, f"{key} shares its line with something else")
    return _Place(start=starts[number], end=_own_end(block, node, value, end), indent=indent, value=value)


def _own_end(block: str, key: yaml.Node, value: yaml.Node, end: int) -> int:
    """Comments and blank lines above the next key belong to nobody: the end of the property's own last line."""
    floor = _line_end(block, max(key.end_mark.index, _content_end(block, value)))
    while end > floor:
        above = block.rfind("\n", 0, end - 1) + 1
        line = block[above:end].strip()
        if line and not line.startswith("#"):
            break
        end = above
    return max(end, floor)


def _content_end(block: str, node: yaml.Node) -> int:
    """Offset behind the last character that surely belongs to the value; 0 when there is none."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style:
        return max((_content_end(block, part) for pair in node.value for part in pair), default=0)
    if isinstance(node, yaml.SequenceNode) and not node.flow_style:
        return max((_content_end(block, item) for item in node.value), default=0)
    start, end = node.start_mark.index, node.end_mark.index
    # A block scalar ends where the next token starts; the line breaks in between are not its content.
    return start + len(block[start:end].rstrip()) if end > start else 0


def _line_end(block: str, offset: int) -> int:
    found = block.find("\n", offset)
    return len(block) if found < 0 else found + 1


def _comment(block: str, place: _Place) -> str:
    """The comment behind a value of one line, with the blanks in front of it."""
    if not isinstance(place.value, yaml.ScalarNode) or place.value.style in ("|", ">"):
        return ""
    tail = block[place.value.end_mark.index : place.end].rstrip("\r\n")
    one_line = "\n" not in block[place.start : place.end].rstrip("\r\n")
    return tail if one_line and tail.lstrip(" \t").startswith("#") and tail[0] in " \t" else ""


def _appended(block: str, key: str, place: _Place, value: Property, newline: str) -> str | None:
    """The block with items added to a list that is written one item a line; None where the value is something else."""
    node = place.value
    if not isinstance(node, yaml.SequenceNode) or node.flow_style or not isinstance(value, list | tuple):
        return None
    old, new = load_properties(block)[key], list(value)
    last = node.value[-1]
    line_start = block.rfind("\n", 0, last.start_mark.index) + 1
    dash = block[line_start : last.start_mark.index]
    if not isinstance(old, list) or not _same(old, new[: len(old)]) or dash.strip(" ") != "-":
        return None
    # Where the last item ends is where the property ends: comments below it belong to nobody.
    added = "".join(f"{dash}{scalar_text(item)}{newline}" for item in new[len(old) :])
    return block[: place.end] + added + block[place.end :]
