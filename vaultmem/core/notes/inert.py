"""Make an imported body harmless when Obsidian shows it: nothing runs, nothing is fetched, the words stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.notes.blocks import Region, line_starts, regions
from vaultmem.core.notes.escape import escape, unescape
from vaultmem.core.notes.opaque import mask, opaque_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.model import SourceKind

#: Fences that a plugin runs, queries or fetches for. Renamed to `text`.
_EXECUTABLE = re.compile(
    r"(?:dataview|datacore|meta-bind|run-|exec)[\w-]*|dv|dvjs|templater|tasks|query|base|buttons?|customjs"
    r"|js-?engine|embed|iframe|sqlseal|apirequest|req",
    re.IGNORECASE,
)
#: The language of a fence: `dataview`, also as `{dataview}` and `{.dataview}`.
_LANGUAGE = re.compile(r"[\s{.]*+([^\s,{}]+)")
#: The line that opens a fence in any list or quote, where no parser says what surrounds it.
_FENCE_LINE = re.compile(
    r"((?:^|(?<=\r))(?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*+(?:`{3,}+(?=[^`\r\n]*+(?:$|\r))|~{3,}+)[ \t{.]*+)"
    r"([^\s,{}`]+)",
    re.MULTILINE,
)
#: Inline code that a plugin runs or draws: Dataview, Meta Bind, Buttons. (At three marks a line end makes a fence.)
_INLINE = re.compile(r"(?:`{1,2}+(?!`)\s*+|`{3,}+[ \t]*+)(?=\$?=|(?:INPUT|VIEW|BUTTON|EMBED)\[|button-)", re.IGNORECASE)
#: Breaks a word unseen. A blank would not do: Dataview trims the code before it looks.
_BREAK = "\u200b"

_REMOTE = r"<?\s*(?:(?!data:)[a-zA-Z][a-zA-Z0-9+.-]+:|//|\\\\|&)"
_ALT = r"\[(?:[^\[\]\\]|\\.|\[(?:[^\[\]\\]|\\.)*+\])*+\]"
_IMAGE = re.compile(rf"!(?={_ALT}\(\s*{_REMOTE})", re.DOTALL)
_NO_WORDS = re.compile(r"!\[[ \t]*\]")
_REFERENCE = re.compile(rf"^ {{0,3}}\[((?:[^\[\]\\\n]|\\.)+)\]:\s*{_REMOTE}", re.MULTILINE)
_IMAGE_BY_REFERENCE = re.compile(r"!(?=\[((?:[^\[\]\\]|\\.)*+)\](?:\[((?:[^\[\]\\]|\\.)*+)\])?(?!\())", re.DOTALL)
_IMG = re.compile(r"<img\b((?:\"[^\"]{0,800}\"|'[^']{0,800}'|[^\"'>]){0,800}+)>", re.IGNORECASE)
_ACTIVE = re.compile(
    r"<(?=/?(?:script|iframe|frame|frameset|object|embed|applet|link|meta|base|style|form|input|video|audio|source|track|image"
    r"|svg|math|template|portal)\b|%)",
    re.IGNORECASE,
)
#: Any other tag with a handler, or with something to load in its attributes.
_LOADING_TAG = re.compile(
    r"<(?=[a-z][^<>]{0,2000}?\s(?:on[a-z]+|style|background|poster|srcset|data)\s*=)", re.IGNORECASE
)
_SRC = re.compile(r"\bsrc\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_ALT_TEXT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_LOCAL = re.compile(r"(?!//)[^:&\\]*|data:image/(?:png|jpe?g|gif|webp);[^&]*", re.IGNORECASE)

#: What a message must hold to be worth a parser.
_SUSPECT = re.compile(rf"!\[|<img\b|{_ACTIVE.pattern}|{_LOADING_TAG.pattern}|{_INLINE.pattern}", re.IGNORECASE)

Edit = tuple[int, int, str]


def is_executable(language: str) -> bool:
    """True for the language of a fence that some plugin runs."""
    return _EXECUTABLE.fullmatch(language) is not None


def inert(body: str) -> str:
    """The body with executable fences as `text`, remote images as links, active HTML as text. Idempotent.

    All other code stays as it is, inline Dataview (`= …`) too: it is shown to be read.
    """
    # Disarming an HTML block can bring a fence to light that stood in it: repeat until nothing is left.
    while (disarmed := _once(body)) != body:
        body = disarmed
    return body


def inert_message(kind: SourceKind, text: str) -> str:
    """The text of a chat message or mail, harmless in the note that holds it. Idempotent.

    As `inert`, and inline queries are broken by a character that is not seen. What the text does is read off its
    escaped form, for only that stands in a note; fences count wherever they stand, for a long message is cut.
    """
    if "```" in text or "~~~" in text:
        text = _FENCE_LINE.sub(_renamed, text)
    while _SUSPECT.search(text):
        shown = escape(kind, text)
        edits = [(at, at, _BREAK) for at in _inline_queries(shown)]
        disarmed = unescape(kind, inert(_applied(shown, edits)))
        if disarmed == text:
            break
        text = disarmed
    return text


def _renamed(match: re.Match[str]) -> str:
    return f"{match[1]}text" if is_executable(match[2]) else match[0]


def _inline_queries(body: str) -> Iterator[int]:
    """Where the query begins in each stretch of inline code that holds one."""
    if not _INLINE.search(body):
        return
    for span in opaque_spans(body):
        match = _INLINE.match(body, span.start) if span.kind == "code" else None
        if match and match.end() < span.end:
            yield match.end()


def _once(body: str) -> str:
    starts = line_starts(body)
    edits = [edit for region in regions(body) if (edit := _fence_edit(region, body, starts))]
    text = mask(body, {"code", "math", "escape"})
    edits += _image_edits(text)
    edits += _html_edits(body, text)
    return _applied(body, edits)


def _applied(body: str, edits: list[Edit]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, new in sorted(edits):
        if start >= done:
            parts += [body[done:start], new]
            done = end
    return "".join([*parts, body[done:]])


def _fence_edit(region: Region, body: str, starts: list[int]) -> Edit | None:
    """The fence's language replaced by `text`."""
    match = _LANGUAGE.match(region.info)
    if region.kind != "fence" or match is None or not is_executable(match[1]):
        return None
    word, line = match[1], starts[region.first_line]
    at = body.index(word, body.index(region.markup, line) + len(region.markup))
    return at, at + len(word), "text"


def _image_edits(text: str) -> Iterator[Edit]:
    remote = {_label(match.group(1)) for match in _REFERENCE.finditer(text)}
    for match in _IMAGE.finditer(text):
        # A link without words shows nothing.
        bare = _NO_WORDS.match(text, match.start())
        before = _instead_of_bang(text, match.start())
        yield match.start(), bare.end() if bare else match.end(), f"{before}[image]" if bare else before
    if not remote:
        return
    for match in _IMAGE_BY_REFERENCE.finditer(text):
        if _label(match.group(2) or match.group(1)) in remote:
            yield match.start(), match.end(), _instead_of_bang(text, match.start())


def _instead_of_bang(text: str, at: int) -> str:
    """Nothing, or a blank where the brackets of a linked image would join to a wikilink."""
    return " " if text[at - 1 : at] == "[" else ""


def _label(text: str) -> str:
    return " ".join(text.casefold().split())


def _html_edits(body: str, text: str) -> Iterator[Edit]:
    seen: set[int] = set()
    for match in _IMG.finditer(text):
        attributes = body[match.start(1) : match.end(1)]
        source = _attribute(_SRC, attributes)
        seen.add(match.start())
        if _is_local(attributes, source):
            continue
        if not source or re.search(r"[\s<>()]", source):
            yield match.start(), match.start() + 1, "&lt;"
        else:
            alt = re.sub(r"[\[\]\n]", " ", _attribute(_ALT_TEXT, attributes)).strip() or "image"
            yield match.start(), match.end(), f"[{alt}]({source})"
    for match in re.finditer(r"<(?=img\b)", text, re.IGNORECASE):
        if match.start() not in seen:
            yield match.start(), match.end(), "&lt;"
    for pattern in (_ACTIVE, _LOADING_TAG):
        for match in pattern.finditer(text):
            if match.start() not in seen:
                yield match.start(), match.end(), "&lt;"


def _is_local(attributes: str, source: str) -> bool:
    """An image of the vault, with nothing else in its tag that could load or run."""
    if re.search(r"\b(?:on[a-z]+|style|srcset)\s*=", attributes, re.IGNORECASE):
        return False
    return len(_SRC.findall(attributes)) == 1 and bool(_LOCAL.fullmatch(source))


def _attribute(pattern: re.Pattern[str], attributes: str) -> str:
    match = pattern.search(attributes)
    return next((group for group in match.groups() if group is not None), "").strip() if match else ""
