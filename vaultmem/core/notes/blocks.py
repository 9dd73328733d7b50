"""The blocks of a Markdown text with their lines, as Obsidian sees them: CommonMark, tables, comments, math."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

BlockKind = Literal["heading", "paragraph", "list", "fence", "table", "quote", "html", "rule", "math", "comment"]

_KINDS: dict[str, BlockKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "fence": "fence",
    "code_block": "fence",
    "table_open": "table",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
    "math_block": "math",
    "comment_block": "comment",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A top-level block."""

    kind: BlockKind
    #: first and last line, 0-based, inclusive; blank lines around it belong to nobody
    first_line: int
    last_line: int
    #: 1 to 6 for headings, else 0
    level: int
    #: the source lines, verbatim
    text: str
    #: headings: the text without marks; else ""
    title: str
    #: texts of the headings above, outermost first
    path: tuple[str, ...]
    #: lists: the first line of each top-level item
    items: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A stretch of lines that holds no blocks: code, or text with inline marks. Any depth (in lists, in quotes)."""

    #: fence | code_block | html_block | math_block | comment_block | inline
    kind: str
    first_line: int
    last_line: int
    #: fences: the word behind the opening marks
    info: str = ""
    #: fences: the opening marks
    markup: str = ""


def blocks(body: str) -> tuple[Block, ...]:
    """The top-level blocks in order. Headings inside code, lists, quotes and comments are none."""
    tokens = _tokens(body)
    lines = body.split("\n")
    found: list[Block] = []
    above: list[tuple[int, str]] = []
    for index, token in enumerate(tokens):
        if token.level or token.map is None or token.nesting < 0:
            continue
        first, last = token.map[0], _last_filled(lines, token.map)
        level = int(token.tag[1]) if token.type == "heading_open" else 0
        title = " ".join(tokens[index + 1].content.split()) if level else ""
        if level:
            above = [entry for entry in above if entry[0] < level]
        found.append(
            Block(
                kind=_KINDS[token.type],
                first_line=first,
                last_line=last,
                level=level,
                text="\n".join(lines[first : last + 1]),
                title=title,
                path=tuple(text for _, text in above),
                items=tuple(_items(tokens, index)),
            )
        )
        if level:
            above.append((level, title))
    return tuple(found)


def regions(body: str) -> tuple[Region, ...]:
    """Every code, math, comment and HTML block and every stretch of inline text, in order."""
    lines = body.split("\n")
    found: list[Region] = []
    for token in _tokens(body):
        if token.map is None or token.type not in _REGIONS:
            continue
        region = Region(
            kind=token.type,
            first_line=token.map[0],
            last_line=_last_filled(lines, token.map),
            info=token.info.strip(),
            markup=token.markup,
        )
        # The cells of a table row share one line: the row is one stretch.
        if not found or found[-1] != region:
            found.append(region)
    return tuple(found)


_REGIONS = frozenset({"fence", "code_block", "html_block", "math_block", "comment_block", "inline"})


def line_starts(body: str) -> list[int]:
    """Offset of each line; one more entry for the end of the text."""
    starts = [0]
    for line in body.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    starts[-1] = len(body)
    return starts


def _last_filled(lines: Sequence[str], span: Sequence[int]) -> int:
    """Last line of the span that is not blank: the parser counts blank lines behind a list into it."""
    last = min(span[1], len(lines)) - 1
    while last > span[0] and not lines[last].strip():
        last -= 1
    return last


def _items(tokens: Sequence[Token], index: int) -> Iterator[int]:
    """First lines of the items of the list that opens at `index`."""
    if not tokens[index].type.endswith("_list_open"):
        return
    for token in tokens[index + 1 :]:
        if token.level == 0:
            return
        if token.level == 1 and token.type == "list_item_open" and token.map:
            yield token.map[0]


@lru_cache(maxsize=4)
def _tokens(body: str) -> tuple[Token, ...]:
    """The block tokens. Cached: links, tags, blocks and passages of one text are asked for one after the other."""
    # The parser takes a lone CR for a line end, which would move every line number behind it.
    return tuple(_parser().parse(body.replace("\r\n", "\n").replace("\r", " ")))


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # lazily: 40 ms that `vaultmem --help` need not pay

    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    # Definitions yield no token; as paragraphs they keep their lines.
    parser.block.ruler.disable("reference")
    alternatives = {"alt": ["paragraph", "blockquote", "list"]}
    parser.block.ruler.before("fence", "comment_block", _comment_rule, alternatives)  # type: ignore[arg-type]
    parser.block.ruler.before("fence", "math_block", _math_rule, alternatives)  # type: ignore[arg-type]
    return parser


def _comment_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`%%` at the start of a line to the line that holds the next `%%`."""
    line = _line(state, start)
    if not line.startswith("%%") or "%%" in line[2:]:
        return False
    return _close(state, "comment_block", start, end, silent)


def _math_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`$$` at the start of a line to the line that ends with `$$`."""
    line = _line(state, start)
    if not line.startswith("$$"):
        return False
    at = line.find("$$", 2)
    if at < 0:
        return _close(state, "math_block", start, end, silent)
    if line[at + 2 :].strip() or at == 2:
        return False
    return _push(state, "math_block", start, start, silent)


def _close(state: StateBlock, kind: str, start: int, end: int, silent: bool) -> bool:
    """Look for the closing mark; without one the line is plain text and nothing below it is swallowed."""
    mark = "%%" if kind == "comment_block" else "$$"
    for line in range(start + 1, end):
        if state.sCount[line] < state.blkIndent and not state.isEmpty(line):
            return False
        if mark in _line(state, line):
            return _push(state, kind, start, line, silent)
    return False


def _push(state: StateBlock, kind: str, start: int, last: int, silent: bool) -> bool:
    if not silent:
        state.line = last + 1
        token = state.push(kind, "", 0)
        token.map = [start, last + 1]
    return True


def _line(state: StateBlock, line: int) -> str:
    """The line's text without indentation and container marks; code (4 blanks) counts as no text."""
    if state.is_code_block(line):
        return ""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
