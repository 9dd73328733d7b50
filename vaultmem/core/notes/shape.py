"""A note of memory as its blocks: messages, paragraphs, sentences, facts, properties. Pure, and cheap for many notes.

What vaultmem makes anew (regions between marks, links between summaries, clocks) is no block: it is nobody's news.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vaultmem.core.notes.codec import message_passages
from vaultmem.core.notes.factsnote import FACTS, read_facts
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.properties import load_properties, split_note
from vaultmem.core.notes.region import region_of
from vaultmem.core.notes.summarynote import read_sentences
from vaultmem.errors import VaultmemError

_LINE = re.compile(r"^([a-z_0-9]+):[ \t]*(.*?)[ \t]*\r?$", re.MULTILINE)
_FIRST_ITEM = re.compile(r"^aliases:[ \t]*\r?\n[ \t]*- (.*?)[ \t]*\r?$", re.MULTILINE)
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
#: Properties of an entity note that follow from others, or from the clock.
_CLOCKS = ("id", "kind", "created_at", "updated_at")
_MARKS = ("%% vaultmem:begin %%", "%% vaultmem:end %%")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One of a note's blocks. `text` is "" in a shape that was remembered: then `mark` alone tells it from another."""

    #: message | paragraph | sentence | fact | property
    kind: str
    #: `m-…`, the name of a fact or property; "" for a paragraph or sentence
    key: str
    #: hash of author and text
    mark: str
    author: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a note is, and its blocks in order."""

    #: chat | email | document | summary | entity | facts | page
    kind: str
    #: chunk_id, node_id, entity id; the path of what has none
    id: str
    title: str
    #: source_id of a chunk, tree of a summary, else ""
    source: str
    path: str
    blocks: tuple[Block, ...] = ()


def shape_of(path: str, note: str) -> Shape:
    """The shape of a note. One that cannot be read is a page of paragraphs."""
    parts = split_note(note)
    front, body = parts.frontmatter or "", parts.body.replace("\r\n", "\n")
    said = {key: _plain(value) for key, value in _LINE.findall(front)}
    title = _title(path, front)
    try:
        if said.get("chunk_id") and said.get("source_kind") in ("chat", "email", "document"):
            blocks = (_block("property", "memory_status", said.get("memory_status", "")), *_passages(said, body))
            return Shape(
                kind=said["source_kind"], id=said["chunk_id"], title=title, source=said.get("source_id", ""), path=path,
                blocks=blocks,
            )  # fmt: skip
        if said.get("node_id"):
            lines = (_block("sentence", "", s.text, s.author) for s in read_sentences(body.split("\n")))
            scope = said.get("tree_scope", "")
            return Shape(kind="summary", id=said["node_id"], title=title, source=scope, path=path, blocks=tuple(lines))
        if path.startswith("entities/") and said.get("id"):
            return _entity(path, said, front, body)
        if path.startswith(f"{FACTS}/"):
            namespace = path.removeprefix(f"{FACTS}/").removesuffix(".md")
            facts = (_block("fact", fact.key, fact.value) for fact in read_facts(namespace, path, note))
            return Shape(kind="facts", id=path, title=namespace, source="", path=path, blocks=tuple(facts))
    except (VaultmemError, ValueError):
        pass
    return Shape(kind="page", id=path, title=title, source="", path=path, blocks=tuple(_own_text(body)))


def _passages(said: dict[str, str], body: str) -> Iterator[Block]:
    kind = said["source_kind"]
    if kind == "document":
        yield from (_block("paragraph", "", text) for text in _paragraphs(body))
        return
    for passage in message_passages("email" if kind == "email" else "chat", body):
        yield _block("message", passage.block, passage.text, passage.author)


def _entity(path: str, said: dict[str, str], front: str, body: str) -> Shape:
    found = load_properties(front)
    blocks = [
        _block("property", key, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for key, value in found.items()
        if key not in _CLOCKS and value not in (None, "", [])
    ]
    title = str(found.get("display_name") or said["id"])
    return Shape(kind="entity", id=said["id"], title=title, source="", path=path, blocks=(*blocks, *_own_text(body)))


def _own_text(body: str) -> Iterator[Block]:
    """A person's paragraphs: what stands outside the marks, without the title."""
    found = region_of(body)
    for text in _paragraphs(found[1] if found else body):
        lines = [line for line in text.split("\n") if line.strip() not in _MARKS]
        if any(lines) and not (found and len(lines) == 1 and lines[0].startswith("# ")):
            yield _block("paragraph", "", "\n".join(lines))


def _paragraphs(text: str) -> Iterator[str]:
    """Blocks between blank lines; a fence is one, blank lines and all."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        if line.strip() or fence:
            lines.append(line.rstrip())
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def _block(kind: str, key: str, text: str, author: str = "") -> Block:
    mark = sha256_hex(f"{author}\0{text}".encode("utf-8", "surrogatepass"))[:12]
    return Block(kind=kind, key=key, mark=mark, author=author, text=text)


def _title(path: str, front: str) -> str:
    found = _FIRST_ITEM.search(front)
    return (found and _plain(found[1])) or path.rpartition("/")[2].removesuffix(".md")


def _plain(value: str) -> str:
    """A scalar as vaultmem and Obsidian write it, without its quotes."""
    if len(value) > 1 and value[0] == value[-1] == '"':
        return value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return value[1:-1].replace("''", "'") if len(value) > 1 and value[0] == value[-1] == "'" else value
