"""A Markdown note, from Obsidian or anywhere: properties, tags, links, and its body made inert."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from vaultmem.config import Settings
from vaultmem.core.notes.markdown import blocks, inert, property_links, tags, unique_tags, wikilinks
from vaultmem.core.notes.properties import load_properties, split_note
from vaultmem.errors import BadProperties, SkippedSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.document.dates import own_time, utc_text
from vaultmem.sources.document.frontmatter import foreign_head
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

_ID_KEYS = ("id", "uid", "uuid", "guid", "notion-id", "notion_id")
_URL_KEYS = ("url", "source", "link", "permalink", "canonical", "canonical_url", "source_url", "source-url")
_AUTHOR_KEYS = ("author", "authors", "by", "creator")
_URL = re.compile(r"https?://\S+", re.IGNORECASE)
_PROPERTY_LINE = re.compile(r"\s*(?:-(?:\s|$)|#|[\w\"'][^:\n]*:(?:\s|$))|\s*$|\s+\S")
_LETTER = re.compile(r"[^\W\d_]")
#: Folder or property words -> key of the source-weight table.
_PROVIDERS = (("notion", "notion"), ("drive", "drive_docs"), ("gdocs", "drive_docs"), ("meeting", "meeting_notes"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """The frontmatter as far as it can be read."""

    properties: Mapping[str, object]
    #: lines of the block to be kept in the body, because they are no properties
    kept: str = ""
    warning: str = ""


def read_markdown(raw: RawFile, settings: Settings) -> Reading:
    """A note as one document. Raises UnreadableSource when it is no text, SkippedSource when nothing is in it."""
    text = decode(raw.data[:])
    foreign = foreign_head(text)
    parts = split_note(text if foreign is None else "")
    body = parts.body if foreign is None else foreign[1]
    if not foreign and not body.strip() and not (parts.frontmatter or "").strip():
        raise SkippedSource("empty file: only white space")
    head = _Head(properties=foreign[0]) if foreign else _read_head(parts.frontmatter, body)
    moment = own_time(head.properties, raw, settings.zone)
    # One text for every question: parsing it is what a note costs, and the parse of an equal text is remembered.
    text = f"{head.kept}{body}".strip("\n")
    title, body = _titled(head.properties, inert(text), title_from_name(raw.name))
    found = unique_tags([*_property_tags(head.properties), *tags(text)])
    items: list[SourceItem] = [
        Document(
            source_id=document_id(raw.name),
            tree_scope=scope_of(raw.name),
            title=title,
            body=body,
            provider=_provider(raw.name, head.properties),
            created_at=moment.at,
            time_from=moment.source,
            own_id=_own_id(head.properties),
            properties={key: _shown(value) for key, value in head.properties.items()},
            tags=found,
            links=_links(head.properties, text),
            author=_author(head.properties),
            cues=_cues(head.properties, found),
        )
    ]
    if head.warning:
        items.append(Warn(text=head.warning))
    return Reading(format="md", kind="document", tz=moment.tz, zone_known=moment.zone_known, items=iter(items))


def _read_head(frontmatter: str | None, body: str) -> _Head:
    if frontmatter is None:
        return _Head(properties={})
    try:
        return _Head(properties=load_properties(frontmatter))
    except BadProperties as error:
        return _Head(properties={}, kept=_as_text(frontmatter, body), warning=f"properties not read: {error}")


def _as_text(frontmatter: str, body: str) -> str:
    """A block that is no YAML, kept in the body: prose between two rules as it is, broken properties as code."""
    lines = frontmatter.rstrip("\n").split("\n")
    first = next((line for line in lines if line.strip()), "")
    if not (_PROPERTY_LINE.match(first) and all(_PROPERTY_LINE.match(line) for line in lines)):
        return f"---\n{frontmatter}---\n"
    ticks = max((len(run) for run in re.findall(r"`+", frontmatter)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}yaml\n{frontmatter}{fence}\n{'' if body.startswith(chr(10)) else chr(10)}"


def _titled(properties: Mapping[str, object], body: str, stem: str) -> tuple[str, str]:
    """The title and the body that starts with it: the property, else an opening H1, else the file's name."""
    written = properties.get("title")
    title = " ".join(str(written).split()) if isinstance(written, str | int | float) else ""
    first = next(iter(blocks(body)), None)
    opening = first.title if first and first.kind == "heading" and first.level == 1 else ""
    if opening and (not title or _plain(opening) == _plain(title)):
        return title or _plain(opening), body
    title = title or stem
    return title, f"# {as_markdown(title)}\n\n{body}".rstrip("\n") + "\n"


def _plain(heading: str) -> str:
    """A heading's words without links, emphasis and escapes: what a title compares by."""
    text = re.sub(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]", r"\1", heading)
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()\s]*\)", r"\1", text)
    text = re.sub(r"(\*\*|__|~~|==|`|\*|(?<!\w)_(?=\S+_(?!\w)))(\S(?:.*?\S)??)\1", r"\2", text)
    text = re.sub(r"\s\^[A-Za-z0-9-]+$", "", text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return " ".join(text.split()) or heading


def _texts(value: object) -> Iterator[str]:
    """All texts in a property, at any depth."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            stack += reversed(list(item.values()))
        elif isinstance(item, list):
            stack += reversed(item)


def _property(properties: Mapping[str, object], names: tuple[str, ...]) -> Iterator[object]:
    """Values of the properties of these names, in the names' order; case does not count."""
    folded = {key.casefold(): value for key, value in properties.items()}
    for name in names:
        if folded.get(name) is not None:
            yield folded[name]


def _property_tags(properties: Mapping[str, object]) -> Iterator[str]:
    for value in _property(properties, ("tags", "tag")):
        for entry in value if isinstance(value, list) else [value]:
            if isinstance(entry, str):
                # One text may hold several, by comma or blank; so may an entry of a list, by comma.
                yield from re.split(r"[,\s]+" if entry is value else r",", entry)


def _links(properties: Mapping[str, object], body: str) -> tuple[str, ...]:
    """Targets of the frontmatter's and the body's links to notes and files, each once."""
    found = [link.target for value in properties.values() for text in _texts(value) for link in property_links(text)]
    found += [link.target for link in wikilinks(body)]
    return tuple(dict.fromkeys(target for target in found if target))


def _own_id(properties: Mapping[str, object]) -> str:
    """The note's own id or web address. A short number is a counter, not an identity: many notes have `id: 7`."""
    for value in _property(properties, _ID_KEYS):
        text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""
        if len(text) >= 3 and (_LETTER.search(text) or len(text) >= 8):
            return text
    for value in _property(properties, _URL_KEYS):
        if isinstance(value, str) and (match := _URL.fullmatch(value.strip())):
            return match.group()
    return ""


def _author(properties: Mapping[str, object]) -> str:
    """The first author property's names, links as their text."""
    for value in _property(properties, _AUTHOR_KEYS):
        names = [_plain(text) for text in _texts(value) if text.strip()]
        if names:
            return ", ".join(names)
    return ""


def _cues(properties: Mapping[str, object], found: tuple[str, ...]) -> frozenset[str]:
    marks = {tag.casefold() for tag in found}
    pinned = any(value is True for value in _property(properties, ("pinned", "pin", "starred")))
    high = any(str(v).strip().casefold() in {"high", "urgent", "highest"} for v in _property(properties, ("priority",)))
    return frozenset({"priority_high"}) if pinned or high or "priority" in marks else frozenset()


def _provider(name: str, properties: Mapping[str, object]) -> str:
    """Where the note came from, as far as its folder, type or source property says so."""
    folder, _, file = name.rpartition("/")
    said = " ".join(str(value) for value in _property(properties, ("type", "source", "provider", "category")))
    words = f"{folder} {said}".casefold()
    if re.search(r" [0-9a-f]{32}\.md$", file) or "notion-id" in properties:
        return "notion"
    return next((provider for word, provider in _PROVIDERS if re.search(rf"\b{word}", words)), "document")


def _shown(value: object) -> object:
    """A property as reports show it: date-times with an offset in UTC."""
    if isinstance(value, str):
        return utc_text(value)
    if isinstance(value, list):
        return [_shown(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _shown(item) for key, item in value.items()}
    return value
