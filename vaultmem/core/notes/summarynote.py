"""The notes of `wiki/summaries`, both ways: parse_summary_note(render_summary_note(node)) says what the node says.

    # Rowing club

    - **Alice:** We moved the boats on Friday. [[wiki/raw/chat/slack-rowing/2026-04/0003-5f0a11#^m-0123456789ab|10:12]]

    ↑ [[…|April]] · ← [[…|Last week]] · → [[…|Next week]]

A digest has its sentences below headings, those of SECTIONS that it needs: `## Decisions`, `## To do`, `## Changed`,
`## Also`. A sentence is found again in its message by its text. A body that a person changed is kept as it is; whatever
sentence lines are left in it are still read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import groupby
from typing import get_args

from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.escape import escape_inline, unescape_inline
from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.ids import body_sha256, slug
from vaultmem.core.notes.links import parse_wikilink, property_links
from vaultmem.core.notes.properties import Property, load_properties, split_note
from vaultmem.core.notes.values import named, number, text, texts, whole
from vaultmem.errors import BadNote, BadProperties
from vaultmem.grown import SECTIONS, Link, Sentence, SummaryNode, TreeKind

SUMMARIES = "wiki/summaries"
#: Notes that stay read: 5 kB each, and four times as much for what they say.
_KEPT = 128

_KINDS: Mapping[str, TreeKind] = {kind: kind for kind in get_args(TreeKind)}
_NODE_ID = re.compile(r"[0-9a-f]{32}")
_SENTENCE = re.compile(r"- (?:\*\*((?:[^*]|\\\*)*):\*\* )?(.*?)((?: \[\[[^\[\]]+\]\])+)$")
_LINK = re.compile(r"\[\[([^\[\]]+)\]\]")
_STEP = re.compile(r"([↑←→]) \[\[([^\[\]]+)\]\]")
_IN_ALIAS = re.compile(r"[\[\]|#^\x00-\x1f\x7f-\x9f\u2028\u2029]+|%%")
_BREAKS = re.compile(r"[ \t]*[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]\s*")
#: What would make a heading, a list, a quote, code or our own author mark of a sentence.
_LEAD = re.compile(r"\\*(?=[#>+*=~`|<-])")
_ESCAPED_STARS = re.compile(r"\\(\\*)(?=\*)")
_STARS = re.compile(r"(?<!\\)\\*(?=\*)")


def summary_path(kind: TreeKind, scope: str, level: int, start: datetime, end: datetime, node_id: str) -> str:
    """Where a node's note stands from its first seal on; the dates are UTC."""
    first, last = (moment.astimezone(UTC).date().isoformat() for moment in (start, end))
    return f"{SUMMARIES}/{kind}/{slug(scope)}/L{level}/{first}--{last}-{node_id[:6]}.md"


def one_line(text: str) -> str:
    """The text as a summary shows it: line breaks are blanks, nothing else changes."""
    return _BREAKS.sub(" ", text)


def wikilink(link: Link) -> str:
    """The link as a note holds it."""
    address = link.path.removesuffix(".md") + (f"#{link.anchor}" if link.anchor else "")
    alias = " ".join(_IN_ALIAS.sub(" ", link.alias).split())
    return f"[[{address}|{alias}]]" if alias else f"[[{address}]]"


def sentence_line(sentence: Sentence) -> str:
    """A sentence as a list item that ends in its link, or its links."""
    author = f"**{_STARS.sub(_one_more, escape_inline(one_line(sentence.author)))}:** " if sentence.author else ""
    links = " ".join(map(wikilink, (sentence.link, *sentence.also)))
    return f"- {author}{_escaped(one_line(sentence.text))} {links}"


def render_summary_note(node: SummaryNode) -> str:
    """The note's text. A body that a person edited stands as they left it, under the hash of what it was."""
    body = node.body if node.edited else body_of(node)
    properties: dict[str, Property] = {
        "node_id": node.node_id,
        "tree_kind": node.tree_kind,
        "tree_scope": node.tree_scope,
        "tree_level": node.tree_level,
        "children": [wikilink(child) for child in node.children],
        "child_ids": list(node.child_ids),
        "time_range_start": node.time_start,
        "time_range_end": node.time_end,
        "token_count": node.token_count,
        "entities": named(node.entities),
        "topics": named(node.topics),
        "score": round(float(node.score), 4),
        "sealed_at": node.sealed_at,
        "rev": node.rev,
        "summariser": node.summariser,
        **({"inputs_sha256": node.inputs} if node.inputs else {}),
        "body_sha256": node.body_sha256 if node.edited else body_sha256(body),
        "aliases": named(node.aliases),
    }
    return render_note(properties, body)


@lru_cache(maxsize=_KEPT)
def parse_summary_note(note: str) -> SummaryNode:
    """The node a note holds; `edited` when its body is not the one that was hashed.

    Remembered by its text: a question reads it from the index and from the disk, and a seal reads what the last one has
    just seen. Raises BadNote for a note that is no summary or says something impossible, BadProperties for broken YAML.
    """
    parts = split_note(note)
    if parts.frontmatter is None:
        raise BadNote("it has no properties")
    found = load_properties(parts.frontmatter)
    body = parts.body.replace("\r\n", "\n") if parts.newline == "\r\n" else parts.body
    stated = text(found, "body_sha256")
    lines = body.split("\n")
    steps = dict(_steps(lines))
    return SummaryNode(
        node_id=_node_id(found),
        tree_kind=_kind(found),
        tree_scope=text(found, "tree_scope", required=True),
        tree_level=whole(found, "tree_level", least=0),
        children=tuple(_child_links(found)),
        child_ids=texts(found, "child_ids"),
        time_start=_moment(found, "time_range_start"),
        time_end=_moment(found, "time_range_end"),
        token_count=whole(found, "token_count", least=0),
        sealed_at=_moment(found, "sealed_at"),
        rev=whole(found, "rev", least=1),
        summariser=text(found, "summariser"),
        title=next((unescape_inline(line[2:]) for line in lines if line.startswith("# ")), ""),
        sentences=tuple(read_sentences(lines)),
        entities=texts(found, "entities"),
        topics=texts(found, "topics"),
        score=number(found, "score"),
        aliases=texts(found, "aliases"),
        up=steps.get("↑"),
        previous=steps.get("←"),
        following=steps.get("→"),
        inputs=text(found, "inputs_sha256"),
        edited=body_sha256(body) != stated,
        body=body,
        body_sha256=stated,
    )


def without_lines(note: str, goes: Callable[[str], bool]) -> str:
    """Any note without these lines. A summary that was memory's own stays so: its hash is that of the new body.

    Without that it would count as a person's text, which is kept whatever becomes of what it was made of.
    """
    after = "\n".join(line for line in note.split("\n") if not goes(line))
    try:
        if parse_summary_note(note).edited:
            return after
        stated = body_sha256(parse_summary_note(after).body)
        return edit_properties(after.encode(), {"body_sha256": stated}).decode()
    except (BadNote, BadProperties):
        return after


def body_of(node: SummaryNode) -> str:
    """The body as vaultmem writes it."""
    blocks = [f"# {escape_inline(one_line(node.title))}".rstrip()]
    for section, sentences in groupby(node.sentences, key=lambda sentence: sentence.section):
        blocks += [f"## {section}"] if section else []
        blocks.append("\n".join(sentence_line(sentence) for sentence in sentences))
    steps = (("↑", node.up), ("←", node.previous), ("→", node.following))
    if any(link for _, link in steps):
        blocks.append(" · ".join(f"{arrow} {wikilink(link)}" for arrow, link in steps if link))
    return "\n\n".join(blocks) + "\n"


def _escaped(value: str) -> str:
    value = escape_inline(value)
    return f"\\{value}" if _LEAD.match(value) else value


def _unescaped(value: str) -> str:
    return unescape_inline(value[1:] if value.startswith("\\") and _LEAD.match(value) else value)


def _one_more(match: re.Match[str]) -> str:
    return match[0] + "\\"


def read_sentences(lines: Sequence[str]) -> Iterator[Sentence]:
    """The sentences among the lines of a summary's body or a living page."""
    section = ""
    for line in lines:
        if line.startswith("## "):
            section = line[3:].strip() if line[3:].strip() in SECTIONS else ""
        elif match := _SENTENCE.match(line):
            author = unescape_inline(_ESCAPED_STARS.sub(r"\1", match[1] or ""))
            first, *more = map(_link, _LINK.findall(match[3]))
            yield Sentence(text=_unescaped(match[2]), link=first, author=author, section=section, also=tuple(more))


def _steps(lines: list[str]) -> Iterator[tuple[str, Link]]:
    for line in lines:
        if line.startswith(("↑ [[", "← [[", "→ [[")):
            yield from ((match[1], _link(match[2])) for match in _STEP.finditer(line))


def _link(inside: str) -> Link:
    found = parse_wikilink(inside)
    path = found.target if found.target.endswith(".md") or not found.target else f"{found.target}.md"
    return Link(path=path, alias=found.alias, anchor=found.heading)


def _child_links(found: Mapping[str, object]) -> Iterator[Link]:
    for item in texts(found, "children"):
        for link in property_links(item):
            yield Link(path=f"{link.target}.md", alias=link.alias, anchor=link.heading)


def _node_id(found: Mapping[str, object]) -> str:
    value = text(found, "node_id", required=True)
    if not _NODE_ID.fullmatch(value):
        raise BadNote(f"node_id: {value!r} is not 32 hex digits")
    return value


def _kind(found: Mapping[str, object]) -> TreeKind:
    value = text(found, "tree_kind", required=True)
    if value not in _KINDS:
        raise BadNote(f"tree_kind: {value!r} is none of {', '.join(_KINDS)}")
    return _KINDS[value]


def _moment(found: Mapping[str, object], key: str) -> datetime:
    value = text(found, key, required=True)
    try:
        moment = datetime.fromisoformat(value)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise BadNote(f"{key}: {value!r} is no date-time") from None
