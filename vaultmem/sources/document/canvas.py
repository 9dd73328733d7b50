"""Drawings with words in them: JSON Canvas (.canvas) and Excalidraw (.excalidraw, .excalidraw.md).

A canvas becomes its cards, under their groups, and a list of its arrows; a drawing becomes its words. Where a thing
stands on the sheet says nothing but the order: from top to bottom, then from left to right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from vaultmem.config import Settings
from vaultmem.core.notes.markdown import inert, tags, unique_tags, wikilinks
from vaultmem.core.notes.properties import split_note
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Document, RawFile, Reading
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

_Node = Mapping[str, object]
_EXCALIDRAW_TITLE = re.compile(r"\.excalidraw$", re.IGNORECASE)
#: What the plugin writes between the words and the drawing itself.
_TEXTS = re.compile(r"^#{1,2} Text Elements[ \t]*\n(.*?)(?=^(?:#{1,2} |%%)|\Z)", re.MULTILINE | re.DOTALL)
_OWN_ID = re.compile(r"[ \t]+\^[A-Za-z0-9_-]{1,40}[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}[ \t]+(?=\S)", re.MULTILINE)
_PLUGIN = re.compile(r"^excalidraw-plugin[ \t]*:", re.MULTILINE)


def is_canvas(found: object) -> bool:
    """True for parsed JSON that is a canvas; an empty one too."""
    return (
        isinstance(found, dict)
        and set(found) <= {"nodes", "edges", "metadata", "version"}
        and all(isinstance(found.get(key, []), list) for key in ("nodes", "edges"))
        and (not found or bool(set(found) & {"nodes", "edges"}))
        and all(isinstance(node, dict) and "id" in node for node in found.get("nodes", []))
    )


def is_drawing(found: object) -> bool:
    """True for parsed JSON that is an Excalidraw drawing."""
    return isinstance(found, dict) and found.get("type") == "excalidraw" and isinstance(found.get("elements"), list)


def is_drawing_note(text: str) -> bool:
    """True for a Markdown note in which the plugin keeps a drawing."""
    if not text.startswith(("---", "\ufeff---")):
        return False
    return _PLUGIN.search(split_note(text[:20_000]).frontmatter or "") is not None


def read_canvas(raw: RawFile, settings: Settings) -> Reading:
    """A canvas as one document. Raises SkippedSource without a card, UnreadableSource when it is no canvas."""
    found = _json(decode(raw.data[:]))
    if not is_canvas(found):
        raise UnreadableSource("a canvas that is no JSON Canvas: open it in Obsidian and save it again")
    assert isinstance(found, dict)
    nodes = [node for node in found.get("nodes", []) if isinstance(node, dict)]
    parts = [*_cards(nodes), *_arrows(nodes, [edge for edge in found.get("edges", []) if isinstance(edge, dict)])]
    if not parts:
        raise SkippedSource("a canvas without a card: nothing to import")
    return _reading(raw, settings, "canvas", title_from_name(raw.name), "\n\n".join(parts))


def read_excalidraw(raw: RawFile, settings: Settings) -> Reading:
    """The words of a drawing as one document. Raises SkippedSource without any."""
    text = decode(raw.data[:])
    words = _note_words(text) if is_drawing_note(text) else _drawing_words(_json(text))
    if not words.strip():
        raise SkippedSource("a drawing without words: nothing to import")
    title = _EXCALIDRAW_TITLE.sub("", title_from_name(raw.name)) or "untitled"
    return _reading(raw, settings, "excalidraw", title, words.strip("\n"))


def _reading(raw: RawFile, settings: Settings, format_: str, title: str, text: str) -> Reading:
    moment = own_time({}, raw, settings.zone)
    body = inert(f"# {as_markdown(title)}\n\n{text}\n")
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=body,
        provider="document",
        created_at=moment.at,
        time_from=moment.source,
        tags=unique_tags(tags(text)),
        links=tuple(dict.fromkeys(link.target for link in wikilinks(text) if link.target)),
    )
    return Reading(format=format_, kind="document", tz=moment.tz, zone_known=moment.zone_known, items=iter([document]))


def _json(text: str) -> object:
    try:
        return json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise UnreadableSource(f"a drawing whose JSON is broken: {str(error)[:120]}; save it again") from None


def _cards(nodes: Sequence[_Node]) -> Iterator[str]:
    """Cards outside any group first, then each group under its label."""
    groups = sorted((node for node in nodes if node.get("type") == "group"), key=_area)
    inside: dict[int, list[_Node]] = {}
    for node in sorted(nodes, key=_place):
        if node.get("type") != "group":
            home = next((n for n, group in enumerate(groups) if _holds(group, node)), -1)
            inside.setdefault(home, []).append(node)
    yield from filter(None, map(_card, inside.get(-1, [])))
    for group in sorted(groups, key=_place):
        label = _text(group, "label")
        if label:
            yield f"## {as_markdown(label)}"
        yield from filter(None, map(_card, inside.get(groups.index(group), [])))


def _card(node: _Node) -> str:
    """One card's text; a file is a link to it, with the heading it shows."""
    kind = node.get("type")
    if kind == "file":
        target = _text(node, "file")
        heading = str(node.get("subpath") or "")
        return (
            f"[[{target.removesuffix('.md')}{heading}]]" if target and not re.search(r"[\[\]|\n]", target) else target
        )
    if kind == "link":
        url = _text(node, "url")
        return f"<{url}>" if re.fullmatch(r"https?://[^\s<>]+", url) else as_markdown(url)
    # A heading on a card must not become the parent of the cards below it.
    return _HEADING.sub(
        lambda match: "#" * min(6, match.group().count("#") + 2) + " ", str(node.get("text") or "")
    ).strip("\n")


def _arrows(nodes: Sequence[_Node], edges: Sequence[_Node]) -> Iterator[str]:
    """Every arrow between two cards that exist, in one list."""
    names = {str(node.get("id")): _name(node) for node in nodes}
    lines = []
    for edge in edges:
        ends = [names.get(str(edge.get(key)), "") for key in ("fromNode", "toNode")]
        if all(ends):
            label = _text(edge, "label")
            lines.append(f"- {ends[0]} → {ends[1]}" + (f": {as_markdown(label)}" if label else ""))
    if lines:
        yield "## Connections"
        yield "\n".join(lines)


def _name(node: _Node) -> str:
    """What an arrow calls a card: its label, its file, or the first words of its text."""
    kind = node.get("type")
    if kind == "file":
        return _card(node)
    text = _text(node, "label") if kind == "group" else _text(node, "url") if kind == "link" else _text(node, "text")
    first = next((line for line in str(node.get("text") or text).split("\n") if line.strip()), text)
    return as_markdown(" ".join(first.lstrip("#").split())[:80])


def _text(node: _Node, key: str) -> str:
    """A property in one line."""
    value = node.get(key)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _number(node: _Node, key: str) -> float:
    value = node.get(key)
    return float(value) if isinstance(value, int | float) and abs(value) < 1e12 else 0.0


def _place(node: _Node) -> tuple[float, float]:
    return _number(node, "y"), _number(node, "x")


def _area(group: _Node) -> float:
    return _number(group, "width") * _number(group, "height")


def _holds(group: _Node, node: _Node) -> bool:
    """True when the middle of the card lies inside the group."""
    x = _number(node, "x") + _number(node, "width") / 2 - _number(group, "x")
    y = _number(node, "y") + _number(node, "height") / 2 - _number(group, "y")
    return 0 <= x <= _number(group, "width") and 0 <= y <= _number(group, "height")


def _drawing_words(found: object) -> str:
    """The text elements that were not deleted, one paragraph each."""
    if not is_drawing(found):
        raise UnreadableSource("a drawing that is no Excalidraw file: open it there and save it again")
    assert isinstance(found, dict)
    texts = [
        element
        for element in found["elements"]
        if isinstance(element, dict) and element.get("type") == "text" and not element.get("isDeleted")
    ]
    found_words = (
        str(e.get("originalText") or e.get("rawText") or e.get("text") or "") for e in sorted(texts, key=_place)
    )
    return "\n\n".join(as_markdown(words.strip("\n")) for words in found_words if words.strip())


def _note_words(text: str) -> str:
    """What a person wrote above the drawing, and the words in it; the drawing's data stay in the original."""
    body = split_note(text).body
    written = re.split(
        r"^#{1,2} (?:Excalidraw Data|Text Elements|Drawing)[ \t]*$|^%%", body, maxsplit=1, flags=re.MULTILINE
    )[0]
    written = re.sub(r"^==⚠.*$", "", written, flags=re.MULTILINE)
    match = _TEXTS.search(body)
    elements = _OWN_ID.sub("\n", match[1]) if match else ""
    return re.sub(r"\n{3,}", "\n\n", f"{written.strip()}\n\n{elements.strip()}").strip()
