r"""Text of a message made inert inside a note, and back: unescape(kind, escape(kind, text)) == text for any text.

escape("chat", "see [[x]]\n## Plan")  -> "see [\[x]]\n\## Plan"
escape("chat", "See you at 10.")      -> "See you at 10."

A message must not link, comment out, or swallow what stands below it. Only backslashes are added, one at a *point*:

- **pairs**: between the two halves of `[[`, `%%`, `$$`, `<!--`, and before `^m-<12 hex>` anywhere in a line;
- **leads**: before a token at the start of a line: a code fence that nothing closes, an HTML block, and what would be a
  boundary of its kind (chat: `#`, `##` and the underline of a heading; mail: `---` above `From:`).

In a closed code fence only lines that equal a boundary are changed.

Why decoding restores: a point is a run of k >= 0 backslashes between a left context and a right token, and neither
holds a backslash. Escaping turns every k into k + 1 and adds nothing elsewhere, so the points of the escaped text are
those of the text, each with k + 1 >= 1, and unescaping turns k + 1 into k. What decides whether a point is one (is the
line above blank, does the next one start with `From:`, is the line inside a closed fence) is the same before and
after: backslashes make no line blank or unblank, an open fence that counts has its closer and keeps its line as it
was, and a fence without a closer gets a backslash and opens nothing. Leads are added before pairs and removed after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.model import SourceKind

#: Obsidian and Markdown end a line at any of these; a lone carriage return must not hide a heading.
_BREAK = re.compile(r"(\r\n|\n|\r)")

_MARK = r"\^m-[0-9a-f]{12}"


def _pairs(run: str) -> re.Pattern[str]:
    """A run of backslashes in the midst of what would act; possessive, so that a long run is looked at once."""
    halves = ((r"\[", r"\["), ("%", "%"), (r"\$", r"\$"), ("<", "!--"))
    points = [f"(?<={left}){run}(?={right})" for left, right in halves]
    return re.compile("|".join([*points, rf"(?<!\\){run}(?={_MARK})"]))


_PAIR = _pairs(r"\\*+")
_ESCAPED_PAIR = _pairs(r"\\++")

_FENCE = r"(?:`{3,}(?=[^`]*$)|~{3,})"
_TAG = r"<(?:[!?]|/?[A-Za-z][A-Za-z0-9-]*(?=[\s/>]|$))"
#: Blanks and list markers: a fence or an HTML block may start after them.
_BEFORE = r"[ \t]*(?:(?:[*+-]|\d{1,9}[.)])[ \t]+)*"
_SWALLOWS = re.compile(rf"(?P<before>{_BEFORE})(?P<run>\\*)(?:{_FENCE}|{_TAG})")
_TITLE = re.compile(r"(?P<before> {0,3})(?P<run>\\*)#{1,2}(?=[ \t]|$)")
_UNDERLINE = re.compile(r"(?P<before> {0,3})(?P<run>\\*)(?:-+|=+)[ \t]*$")
_RULE = re.compile(r"(?P<before>)(?P<run>\\*)---$")
_CHAT_BOUNDARY = re.compile(rf"(?P<before>)(?P<run>\\*)(?:## (?:—|\d{{4}}-\d\d-\d\dT)|{_MARK}[ \t]*$)")
_MAIL_BOUNDARY = re.compile(rf"(?P<before>)(?P<run>\\*){_MARK}[ \t]*$")

_OPENER = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})")
_CLOSER = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*$")


def escape(kind: SourceKind, text: str) -> str:
    """The message text as its note holds it: as many lines, each inert where it stands."""
    return _each_line(kind, text, adding=True)


def unescape(kind: SourceKind, text: str) -> str:
    """The message text from its note."""
    return _each_line(kind, text, adding=False)


def escape_inline(text: str) -> str:
    """A name or header value that stands behind something else on its line."""
    return _PAIR.sub(_one_more, text)


def unescape_inline(text: str) -> str:
    """The inverse of `escape_inline`."""
    # a point bears a backslash, and of many lines none does
    return _ESCAPED_PAIR.sub(_one_less, text) if "\\" in text else text


def _one_more(match: re.Match[str]) -> str:
    return match[0] + "\\"


def _one_less(match: re.Match[str]) -> str:
    return match[0][1:]


def _each_line(kind: SourceKind, text: str, *, adding: bool) -> str:
    parts = _BREAK.split(text)
    lines = parts[::2]
    for number, in_code in _modes(lines):
        line = lines[number]
        if not adding and not in_code:
            line = unescape_inline(line)
        point = _lead(kind, lines, number, line, in_code=in_code)
        if point is not None:
            line = _changed(line, point, adding=adding)
        parts[2 * number] = escape_inline(line) if adding and not in_code else line
    return "".join(parts)


def _changed(line: str, point: int, *, adding: bool) -> str:
    if adding:
        return f"{line[:point]}\\{line[point:]}"
    return line[:point] + line[point + 1 :] if line[point : point + 1] == "\\" else line


def _lead(kind: SourceKind, lines: Sequence[str], number: int, line: str, *, in_code: bool) -> int | None:
    """Where the backslashes before a token at the start of this line begin; None when there is no such token.

    `lines` are only asked for the neighbours.
    """
    if kind == "chat":
        found = _CHAT_BOUNDARY.match(line) if in_code else _TITLE.match(line) or _under_text(lines, number, line)
    else:
        found = _over_headers(lines, number, line) or (_MAIL_BOUNDARY.match(line) if in_code else None)
    if found is None and not in_code:
        found = _SWALLOWS.match(line)
    return found.start("run") if found else None


def _under_text(lines: Sequence[str], number: int, line: str) -> re.Match[str] | None:
    """The underline that would make a heading of the line above."""
    return _UNDERLINE.match(line) if number and lines[number - 1].strip(" \t") else None


def _over_headers(lines: Sequence[str], number: int, line: str) -> re.Match[str] | None:
    """The rule that would start a mail."""
    followed = number + 1 < len(lines) and lines[number + 1].startswith("From:")
    return _RULE.match(line) if followed else None


def _modes(lines: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """Every line's number, and whether it belongs to a closed code fence (its first and last line do)."""
    hopeless: dict[tuple[str, int], tuple[int, int]] = {}
    number = 0
    while number < len(lines):
        opener = _OPENER.match(lines[number])
        last = _closing(lines, number, opener, hopeless) if opener else None
        if last is None:
            yield number, False
            number += 1
        else:
            yield from ((inside, True) for inside in range(number, last + 1))
            number = last + 1


def _closing(
    lines: Sequence[str], number: int, opener: re.Match[str], hopeless: dict[tuple[str, int], tuple[int, int]]
) -> int | None:
    """The line that closes this fence, if every Markdown reader agrees that it does.

    An indented fence may stand in a list item, which ends at a line with less indentation. `hopeless` remembers up to
    which line a fence of this mark, indentation and length found no end, so that many open fences are no quadratic.
    """
    indent, mark = len(opener[1]), opener[2]
    known_length, known_end = hopeless.get((mark[0], indent), (0, -1))
    if known_length and len(mark) >= known_length and number < known_end:
        return None
    end = number + 1
    while end < len(lines):
        line = lines[end]
        if indent and line.strip(" \t") and not line.startswith((" " * indent, "\t")):
            break
        closer = _CLOSER.match(line)
        if closer and closer[2][0] == mark[0] and len(closer[2]) >= len(mark):
            if len(closer[1].expandtabs(4)) <= 3:
                return end
            if indent:
                break
        end += 1
    hopeless[mark[0], indent] = (len(mark), end)
    return None
