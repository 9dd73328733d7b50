"""Two versions of one note of memory -> one: what git could not merge. Pure.

Both clones of a vault must come to the same note, whichever of the two texts is "ours" there: so the two are put in an
order of their own first, and every choice is made by what they say. What vaultmem wrote is taken from either and made
anew by what follows; what a person wrote is never lost: it stays between markers where nobody can tell what is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from vaultmem.core.notes.chunknote import parse_chunk_note, rewrite_chunk_note
from vaultmem.core.notes.conflicts import Hunk, in_conflict, is_nested, joined, resolved, sides
from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.factsnote import FACTS, facts_end, united_lines
from vaultmem.core.notes.ids import body_sha256, fold, sha256_hex
from vaultmem.core.notes.properties import Property, load_properties, split_note
from vaultmem.core.notes.region import emptied, region_of, replace_region
from vaultmem.core.notes.review import REVIEW
from vaultmem.core.notes.summarynote import SUMMARIES, parse_summary_note, render_summary_note
from vaultmem.core.notes.topicpage import united_periods
from vaultmem.errors import BadNote, BadProperties
from vaultmem.grown import Link, SummaryNode
from vaultmem.model import Chunk

#: The hash of what a summary was made of, where it was made of two: never right, so it is sealed again.
MERGED = "merged"
_STATUS = ("admitted", "dropped", "pending")


def united(path: str, text: str, versions: tuple[str, str] | None = None) -> str:
    """A note with conflict markers, as one. Markers are left where two texts of a person's own stand, or where the
    note cannot be read on one side.

    `versions`: the two whole notes, where git still has them: it merges a body line by line and leaves the hash of it
    in conflict, so that the halves alone do not tell which body was edited.
    """
    if versions and is_nested(text):
        text = in_conflict(*sorted(versions))
    if not path.endswith(".md"):
        return resolved(text, _all_lines) or ""
    if path.startswith(f"{FACTS}/"):
        return resolved(text, _all_facts) or text
    halves = sorted(sides(text))
    try:
        return _united(path, halves, sorted(versions or halves))
    except (BadNote, BadProperties, ValueError):
        return text


def _all_lines(hunk: Hunk) -> Sequence[str]:
    """The lines of both: each says something of its own."""
    return [f"{line.rstrip()}\n" for line in sorted({*hunk.ours, *hunk.theirs}) if line.strip()]


def _all_facts(hunk: Hunk) -> Sequence[str] | None:
    """The facts of both; below them what else a person wrote, and what stands below that."""
    cuts = facts_end(hunk.ours), facts_end(hunk.theirs)
    above = united_lines(hunk.ours[: cuts[0]], hunk.theirs[: cuts[1]])
    below = sorted(("".join(hunk.ours[cuts[0] :]), "".join(hunk.theirs[cuts[1] :])))
    return None if above is None else [*above, joined(*below)]


def _united(path: str, halves: Sequence[str], versions: Sequence[str]) -> str:
    if path.startswith(f"{SUMMARIES}/"):
        return render_summary_note(united_summary(*map(parse_summary_note, versions)))
    keys = load_properties(split_note(halves[0]).frontmatter or "").keys()
    if "chunk_id" in keys and "body_sha256" in keys:
        bodies = (split_note(half).body.replace("\r\n", "\n") for half in halves)
        return _united_chunk(versions[0], versions[1], joined(*bodies))
    return _united_living(path, *halves)


# --- summaries ------------------------------------------------------------------------------------------------------


def united_summary(one: SummaryNode, other: SummaryNode) -> SummaryNode:
    """The node with the children of both, to be sealed again; a body that a person edited stays."""
    if one.node_id != other.node_id:
        return one
    one, other = (replace(a, edited=_is_edited(a, b)) for a, b in ((one, other), (other, one)))
    node, second = (other, one) if other.edited and not one.edited else (one, other)
    if node.edited and second.edited and node.body != second.body:
        node = replace(node, body=joined(node.body, second.body))
    links = {**_by_child(second), **_by_child(node)}
    ids = tuple(dict.fromkeys((*node.child_ids, *second.child_ids)))
    same = (node.inputs, node.child_ids, node.sentences) == (second.inputs, second.child_ids, second.sentences)
    return replace(
        node,
        child_ids=ids,
        children=tuple(links[child] for child in ids if child in links),
        time_start=min(node.time_start, second.time_start),
        time_end=max(node.time_end, second.time_end),
        sealed_at=max(node.sealed_at, second.sealed_at),
        rev=max(node.rev, second.rev),
        inputs=node.inputs if same else MERGED,
    )


def _is_edited(node: SummaryNode, other: SummaryNode) -> bool:
    """Whether a person edited the body: it is neither what this note hashes nor, merged by git, what the other does."""
    return node.edited and body_sha256(node.body) != other.body_sha256


def _by_child(node: SummaryNode) -> dict[str, Link]:
    return dict(zip(node.child_ids, node.children, strict=False)) if len(node.child_ids) == len(node.children) else {}


# --- chunk notes ----------------------------------------------------------------------------------------------------


def _united_chunk(one: str, other: str, body: str) -> str:
    """One chunk: of two revisions the later one; a body that a person edited before one that was not.

    `body`: of two that were edited, as far as git could merge them.
    """
    a, b = parse_chunk_note(one), parse_chunk_note(other)
    if (_rank(b), sha256_hex(other.encode())) > (_rank(a), sha256_hex(one.encode())):
        one, other, a, b = other, one, b, a
    if a.chunk_id != b.chunk_id:
        return one
    decided = min((a, b), key=lambda chunk: _STATUS.index(chunk.status))
    chunk = replace(
        a,
        status=decided.status,
        score=decided.score,
        signals=decided.signals,
        drop_reason=decided.drop_reason,
        entities=_both(a.entities, b.entities),
        llm_entities=_both(a.llm_entities, b.llm_entities),
        llm_importance=a.llm_importance if a.llm_importance is not None else b.llm_importance,
        original=max(a.original, b.original),
        tags=_both(a.tags, b.tags),
        redacted={
            family: max(a.redacted.get(family, 0), count) for family, count in {**a.redacted, **b.redacted}.items()
        },
        body=body if a.edited and b.edited else a.body,
    )
    note = rewrite_chunk_note(one.encode(), chunk)
    return edit_properties(note, _missing(note.decode(), other)).decode()


def _rank(chunk: Chunk) -> tuple[bool, str]:
    return chunk.edited, max((at.isoformat() for at in chunk.revised.values()), default="")


def _both(one: Iterable[str], other: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))


def _missing(note: str, other: str) -> dict[str, Property]:
    """Properties of a person's own that only the other has."""
    have, more = (load_properties(split_note(each).frontmatter or "") for each in (note, other))
    return {key: _property(value) for key, value in more.items() if key not in have and _is_flat(value)}


# --- notes that a person may edit -----------------------------------------------------------------------------------


def _united_living(path: str, one: str, other: str) -> str:
    """Properties of both; what stands outside the marks by a person's rule; nothing between the marks."""
    a, b = (load_properties(split_note(each).frontmatter or "") for each in (one, other))
    if str(b.get("created_at", "")) < str(a.get("created_at", "")):
        one, other, a, b = other, one, b, a
    head = edit_properties(one.encode(), _properties(a, b)).decode() if a or b else one
    parts, second = split_note(head), split_note(other)
    mine, theirs = (text.replace("\r\n", "\n") for text in (parts.body, second.body))
    here, there = region_of(mine), region_of(theirs)
    if here is None or there is None:  # a person took the marks out: nothing is written there
        body = joined(here[1] if here else mine, there[1] if there else theirs)
    else:
        body = joined(emptied(mine), _titled(path, emptied(theirs), emptied(mine)))
    body = body.replace("\n", "\r\n") if parts.newline == "\r\n" else body
    note = head[: len(head) - len(parts.body)] + body
    if here and there and path == REVIEW:
        return replace_region(note.encode(), _all_questions(here[0], there[0])).decode()
    return note


def _titled(path: str, body: str, other: str) -> str:
    """A page of vaultmem's own under the title of the other: what it is called follows from what it lists."""
    titles = [next((line for line in text.split("\n") if line.startswith("# ")), "") for text in (body, other)]
    return body.replace(titles[0], titles[1], 1) if path.startswith("wiki/") and all(titles) else body


def _all_questions(one: str, other: str) -> str:
    """The lines of both: what either asks, a person has not answered."""
    lines = dict.fromkeys((*one.split("\n"), *other.split("\n")))
    ticked = {line.replace("[x]", "[ ]", 1) for line in lines if "[x]" in line}
    kept = [line for line in lines if line.strip() and line not in ticked]
    return "\n".join(kept)


def _properties(a: Mapping[str, object], b: Mapping[str, object]) -> dict[str, Property]:
    """What the first note's properties become."""
    changes: dict[str, Property] = {}
    for key in {**a, **b}:
        if key in a and key in b and a[key] == b[key]:
            continue
        value = _value(key, a.get(key), b.get(key))
        if _is_flat(value) and value != a.get(key):
            changes[key] = _property(value)
    if a.get("display_name") and b.get("display_name") and fold(str(a["display_name"])) != fold(str(b["display_name"])):
        named = changes.get("aliases", a.get("aliases"))
        changes["aliases"] = _property(_list_of_both(named, b["display_name"]))
    return changes


def _value(key: str, one: object, other: object) -> object:
    """One value of two. Of two texts of a person's own both stay, as a list."""
    if key in _CHOICES and one and other:
        return _CHOICES[key](one, other)
    if key == "periods":
        return list(united_periods(_items(one), _items(other)))
    if isinstance(one, list) or isinstance(other, list):
        return _list_of_both(one, other)
    if one in (None, "") or other in (None, "") or key in _FIXED:
        return other if one in (None, "") else one
    return _list_of_both(one, other)


_FIXED = ("id", "kind", "display_name", "entity_id", "tree_scope", "source_kind")
_CHOICES: Mapping[str, Callable[[object, object], object]] = {
    "created_at": lambda one, other: min(str(one), str(other)),
    "updated_at": lambda one, other: max(str(one), str(other)),
    "status": lambda one, other: "active" if "active" in (one, other) else one,
}


def _list_of_both(one: object, other: object) -> list[object]:
    found = [*_items(one), *_items(other)]
    return [item for place, item in enumerate(found) if item not in found[:place]]


def _items(value: object) -> list[object]:
    if value in (None, ""):
        return []
    return list(value) if isinstance(value, list) else [value]


def _is_flat(value: object) -> bool:
    items = value if isinstance(value, list) else [value]
    return all(isinstance(item, str | int | float) for item in items)


def _property(value: object) -> Property:
    """The value as it is written: of a list each item as text."""
    if isinstance(value, list):
        return [item if isinstance(item, str) else str(item) for item in value]
    assert isinstance(value, str | int | float)
    return value
