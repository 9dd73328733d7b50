"""Frontmatter: splitting it off, reading anybody's, writing ours.

split_note("---\\ntags: [a]\\n---\\nText\\n").body   -> "Text\\n"
load_properties("due: 2026-06-29\\nok: yes\\n")    -> {"due": "2026-06-29", "ok": "yes"}
dump_properties({"id": "1e3", "tags": ["a"]})     -> 'id: "1e3"\\ntags:\\n  - a\\n'

Read as YAML 1.2 core, the way Obsidian reads; what we write means the same to a YAML 1.1 reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

import yaml

from vaultmem.core.notes.flat import PLAIN, RESERVED, read_flat
from vaultmem.errors import BadProperties

Property = str | int | float | bool | datetime | Sequence[str] | None

#: Nodes a block may have once its aliases are followed. Far above any real note, far below a YAML bomb.
MAX_NODES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteParts:
    """A note's text, cut at its fences. Nothing is normalised: the parts are slices of the text."""

    #: the lines between the fences, line breaks included; None when the note has no frontmatter
    frontmatter: str | None
    #: everything after the closing fence's line break; the whole text (without BOM) when there is no frontmatter
    body: str
    #: line of the note, from 1, on which the body's line 0 stands
    body_line: int
    #: the note's line break, read off its first line
    newline: str
    #: True when the text starts with a byte order mark, which belongs to no part
    bom: bool


_OPEN = re.compile(r"---\r?\n")
_CLOSE = re.compile(r"^---(\r?\n|\r?\Z)", re.MULTILINE)


def split_note(text: str) -> NoteParts:
    """Cut a note at its frontmatter, which is one only if the first line is exactly `---` and a later one closes it."""
    bom = text.startswith("\ufeff")
    start = 1 if bom else 0
    first_break = text.find("\n", start)
    newline = "\r\n" if first_break > start and text[first_break - 1] == "\r" else "\n"
    opening = _OPEN.match(text, start)
    closing = _CLOSE.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return NoteParts(frontmatter=None, body=text[start:], body_line=1, newline=newline, bom=bom)
    return NoteParts(
        frontmatter=text[opening.end() : closing.start()],
        body=text[closing.end() :],
        body_line=text.count("\n", 0, closing.start()) + 2,
        newline=newline,
        bom=bom,
    )


class _CoreLoader(yaml.CSafeLoader):
    """YAML 1.2 core scalars on the C parser; dates stay text, unknown tags are ignored as Obsidian ignores them."""

    def __init__(self, text: str, *, strict: bool = False) -> None:
        super().__init__(text)
        #: equal keys are a fault
        self.strict = strict
        #: complex keys are named by their own source text
        self.source = text


# Emptied so that nothing of PyYAML's YAML 1.1 types is inherited.
_CoreLoader.yaml_implicit_resolvers = {}
_CoreLoader.yaml_constructors = {}

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CORE: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("null", re.compile(r"(~|null|Null|NULL|)$"), "~nN\0"),
    ("bool", re.compile(r"(true|True|TRUE|false|False|FALSE)$"), "tTfF"),
    ("int", re.compile(rf"({_INT.pattern})$"), "-+0123456789"),
    ("float", re.compile(rf"({_FLOAT.pattern})$"), "-+0123456789."),
)
for _tag, _pattern, _firsts in _CORE:
    _CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", _pattern, ["" if c == "\0" else c for c in _firsts])


def _scalar(node: yaml.ScalarNode) -> object:
    """A core scalar as its type, everything else as the text it is written as."""
    text = str(node.value)
    kind = node.tag.rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    # Infinities and integers of thousands of digits are text: JSON and SQLite know no such numbers.
    if kind == "int" and len(text) < 40 and _INT.fullmatch(text):
        return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    if kind in ("int", "float") and _FLOAT.fullmatch(text):
        number = float(text)
        return number if abs(number) != float("inf") else text
    return text


def _key(loader: _CoreLoader, node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    return loader.source[node.start_mark.index : node.end_mark.index]


def _by_shape(loader: _CoreLoader, node: yaml.Node) -> object:
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return [loader.construct_object(item, deep=True) for item in node.value]
    # Keys are the text they are written as, whatever type YAML would give them; the last of equal keys wins.
    found: dict[str, object] = {}
    for key, value in node.value:
        name = _key(loader, key)
        if name in found and loader.strict:
            raise BadProperties(key.start_mark.line + 1, f"{name} stands there twice")
        found[name] = loader.construct_object(value, deep=True)
    return found


_CoreLoader.add_constructor(None, _by_shape)


def load_properties(yaml_text: str, *, strict: bool = False) -> dict[str, object]:
    """The properties of a frontmatter block, anybody's: None, bool, int, float, str, list, dict with text keys.

    `strict`: equal keys are refused, as Obsidian refuses the whole block then; else the last of them counts. Raises
    BadProperties with the line of the block (from 1) for what Obsidian could not read either.
    """
    flat = read_flat(yaml_text)
    if flat is not None:
        return flat
    value = _read(yaml_text, lambda loader: loader.get_single_data(), strict=strict)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadProperties(1, "no list of 'key: value' lines")
    return value


def compose_properties(yaml_text: str) -> yaml.MappingNode | None:
    """The block as nodes with their places in the text; None when it is empty. Raises BadProperties."""
    node = _read(yaml_text, lambda loader: loader.get_single_node())
    if node is not None and not isinstance(node, yaml.MappingNode):
        raise BadProperties(1, "no list of 'key: value' lines")
    return node


def _read(yaml_text: str, how: Callable[[_CoreLoader], object], *, strict: bool = False) -> object:
    try:
        _check_aliases(yaml_text)
        loader = _CoreLoader(yaml_text, strict=strict)
        try:
            return how(loader)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BadProperties(mark.line + 1 if mark else 1, error.problem or error.context or "no YAML") from None
    except yaml.reader.ReaderError as error:
        raise BadProperties(_line_of(yaml_text, error.position), error.reason) from None
    except RecursionError:
        raise BadProperties(1, "nested too deeply") from None
    except (yaml.YAMLError, ValueError) as error:
        raise BadProperties(1, str(error).partition("\n")[0]) from None


def _line_of(text: str, position: object) -> int:
    return text.count("\n", 0, position) + 1 if isinstance(position, int) else 1


def _check_aliases(text: str) -> None:
    """Refuse a block that grows beyond MAX_NODES, or for ever, when its aliases are followed."""
    if "*" not in text or "&" not in text:
        return
    sizes: dict[str, int] = {}
    open_nodes: list[tuple[str | None, int]] = []
    total = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            open_nodes.append((event.anchor, total))
        if isinstance(event, yaml.AliasEvent):
            # An anchor whose node is still open has no size yet: the alias stands inside what it names.
            total += sizes.get(event.anchor or "", MAX_NODES)
        elif isinstance(event, yaml.NodeEvent):
            total += 1
            if isinstance(event, yaml.ScalarEvent) and event.anchor:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_nodes.pop()
            if anchor:
                sizes[anchor] = total - before
        if total > MAX_NODES:
            raise BadProperties(event.start_mark.line + 1 if event.start_mark else 1, "aliases that repeat too much")


def dump_properties(properties: Mapping[str, Property]) -> str:
    """The lines of a frontmatter block, each ending in a line feed; a key order is kept, None is an empty value."""
    return "".join(property_lines(key, value) for key, value in properties.items())


def property_lines(key: str, value: Property) -> str:
    """One property: a line, or for a list a line and one more for each item. Nothing is ever folded."""
    name = key if _PLAIN_KEY.fullmatch(key) and key.lower() not in RESERVED else _quoted(key)
    bare = not _ID_KEY.fullmatch(key)
    if value is None:
        return f"{name}:\n"
    if isinstance(value, str | bool | int | float | datetime):
        return f"{name}: {scalar_text(value, bare=bare)}\n"
    if not value:
        return f"{name}: []\n"
    return f"{name}:\n" + "".join(f"  - {scalar_text(item, bare=bare)}\n" for item in value)


def utc_text(moment: datetime) -> str:
    """`2026-04-21T10:12:00`: UTC without a zone, the only form Obsidian takes for a date-time. Sub-seconds are cut."""
    return moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()


def scalar_text(value: str | int | float | bool | datetime, *, bare: bool = True) -> str:
    """A value as it stands behind its key. `bare`: text may go without quotes where both YAMLs agree on it."""
    if isinstance(value, str):
        return value if bare and _is_plain(value) else _quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return f'"{utc_text(value)}"'
    return _float_text(value) if isinstance(value, float) else str(value)


def _float_text(value: float) -> str:
    """A form with a dot and no exponent where that is short: YAML 1.1 reads `1e-05` as text."""
    text = repr(value)
    if text in ("inf", "-inf", "nan"):
        return text.replace("inf", ".inf").replace("nan", ".nan")
    if "e" not in text:
        return text
    if 1e-12 < abs(value) < 1e20:
        return format(Decimal(text), "f") if "-" in text.partition("e")[2] else format(Decimal(text), ".1f")
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{exponent}"


#: Ids and hashes are quoted whatever they look like: one in a thousand reads as a number, and nobody sees which.
_ID_KEY = re.compile(r"(.*_)?(id|ids|sha256|entities)|position|same_as")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_PLAIN = re.compile(PLAIN)
_HEX = re.compile(r"[0-9a-f]{6,}", re.IGNORECASE)


def _is_plain(text: str) -> bool:
    """True when both YAML versions read the bare text as this very string."""
    return _PLAIN.fullmatch(text) is not None and not _HEX.fullmatch(text) and text.lower() not in RESERVED


# Beyond JSON's: the next-line and separator characters break lines in YAML 1.1, the rest is not printable there.
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _quoted(text: str) -> str:
    clean = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return f'"{_ESCAPED.sub(_escape, clean)}"'


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"
