"""The registry: which names mean which entity, and where such a name stands in a text.

    registry = build_registry(entities)
    registry.resolve("ann smith")        -> {"person:ann-smith"}; several ids: ambiguous; none: unknown
    registry.find("Ask Ann Smith.")      -> the longest known names, left to right

Surfaces are compared in the form of `ids.fold`. A merged entity (`same_as`) gives its names to its target; a merge that
either side denies by `not_same_as` does not happen.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from vaultmem.core.ingest.correspondents import plan_notes
from vaultmem.core.ingest.headers import normal_email
from vaultmem.core.ingest.merges import read_merges
from vaultmem.core.notes.ids import fold
from vaultmem.core.recall.stopwords import STOP_WORDS
from vaultmem.model import AliasRow, AuthorFact, Entity, EntityKind

#: Scripts without blanks between words: each character is a token of its own.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
#: Signs that belong to the letter before them and that `\w` leaves out.
_SIGNS = "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff\u200c\u200d"
_TOKEN = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[\w{_SIGNS}])+")
_ONE_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]")

_MIN_LETTERS = 3
_MIN_UNSPACED = 2
#: Longer "names" are sentences; the bound keeps `find` linear.
_MAX_TOKENS = 40
_MAX_SEPARATOR = 3
#: First names that are words too; with the stop words they count only when written as in the registry.
_WORDS_TOO_TEXT = """
    art bay bill bob bud chance chase chip cliff dawn dean drew faith frank gene grace grant guy hope hunter iris ivy
    jack jean jewel joy june king lance lane mark mason max may melody miles nick norm olive page pat penny pierce
    pearl ray reed rich rob robin rock rose ruby rusty sandy sky skip star stone sue summer sunny tab ted trip victor
    violet wade will winter woody young april august mai pol sol paz angel cruz leon wolf ernst lieb stern frei
    app core data home hub key lab map model note notion open plan post project signal slack team test tree word work
"""
_WORDS_TOO = frozenset(_WORDS_TOO_TEXT.split())

#: A trie over tokens; the entry "" of a node lists the (surface, written) names that end there.
_Node = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A known name in a text."""

    #: folded, as the registry holds it
    surface: str
    #: as written in the text
    text: str
    #: the entities it may mean; several: ambiguous
    ids: frozenset[str]
    #: first character, and one behind the last
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """All names of the vault's entities. Made by `build_registry`."""

    #: every entity by its id, merged ones too
    entities: Mapping[str, Entity]
    #: one row per name and entity, merges applied, sorted
    rows: tuple[AliasRow, ...]
    #: id -> the id it stands for; its own for an entity that is not merged
    targets: Mapping[str, str]
    #: pairs of ids that a `not_same_as` keeps apart
    apart: frozenset[frozenset[str]]
    #: folded path of a note, without .md -> the id of its entity
    paths: Mapping[str, str]
    #: surface -> ids
    meanings: Mapping[str, frozenset[str]]
    #: first token -> trie of the names that may stand in running text
    names: _Node

    def aliases(self) -> tuple[AliasRow, ...]:
        """Every surface with the entity it means."""
        return self.rows

    def resolve(self, surface: str) -> frozenset[str]:
        """The entities a name, address or handle may mean, whatever its case."""
        folded = fold(surface)
        return self.meanings.get(folded) or self.meanings.get(folded.lstrip("@#"), frozenset())

    def name_at(self, path: str) -> str:
        """A name of the entity whose note stands there, one that means it alone where there is one; "" without it."""
        entity = self.entities.get(self.paths.get(fold(path.removesuffix(".md")), ""))
        names = [name for name, _ in _names_of(entity)] if entity else [""]
        return next((name for name in names if len(self.resolve(name)) == 1), names[0])

    def kind_of(self, ids: Collection[str]) -> EntityKind | None:
        """The kind all these entities share, or None."""
        kinds = {self.entities[i].kind for i in ids if i in self.entities}
        return kinds.pop() if len(kinds) == 1 else None

    def find(self, text: str) -> tuple[Match, ...]:
        """Known names in running text: longest first, at word borders, without overlaps."""
        return tuple(self._matches(text)) if self.names else ()

    def _matches(self, text: str) -> Iterator[Match]:
        tokens = [(m.start(), m.end(), _folded(m.group())) for m in _TOKEN.finditer(text)]
        at = 0
        while at < len(tokens):
            found, last = self._longest(text, tokens, at)
            if found is None:
                at += 1
                continue
            yield found
            at = last + 1

    def _longest(self, text: str, tokens: Sequence[tuple[int, int, str]], at: int) -> tuple[Match | None, int]:
        """The longest name that starts at this token, and its last token."""
        best: Match | None = None
        last, start = at, tokens[at][0]
        node: _Node | None = self.names.get(tokens[at][2])
        for here in range(at, min(at + _MAX_TOKENS, len(tokens))):
            if here > at:
                assert node is not None
                node = node.get(_step(text[tokens[here - 1][1] : tokens[here][0]], tokens[here][2]))
            if node is None:
                break
            end = tokens[here][1]
            for surface, written in node.get("", ()):
                if self._stands(text, surface, written, start, end):
                    best, last = self._match(text, surface, start, end), here
                    break
        return best, last

    def _stands(self, text: str, surface: str, written: str, start: int, end: int) -> bool:
        """Borders of scripts that have some, and the spelling of names that are words too."""
        if _glued(text, start, end):
            return False
        single = _TOKEN.fullmatch(written) is not None
        doubtful = surface in STOP_WORDS or surface in _WORDS_TOO or len(self.meanings[surface]) > 1
        return not (single and doubtful) or text[start:end] == written

    def _match(self, text: str, surface: str, start: int, end: int) -> Match:
        return Match(surface=surface, text=text[start:end], ids=self.meanings[surface], start=start, end=end)


def build_registry(entities: Sequence[Entity]) -> Registry:
    """The registry of these entity notes, in any order."""
    by_id = {entity.id: entity for entity in sorted(entities, key=lambda e: (e.id, e.note_path), reverse=True)}
    merges = read_merges(entities)
    target = merges.targets
    # So that a merged one is still found by its own id.
    rows = {AliasRow(surface=fold(i), entity_id=end, origin="id") for i, end in target.items() if i != end}
    written: set[tuple[str, str]] = set()
    for entity in entities:
        for text, origin in _names_of(entity):
            surface = normal_email(text) if origin == "email" else fold(text).lstrip("@#" if origin == "handle" else "")
            if surface:
                rows.add(AliasRow(surface=surface, entity_id=target[entity.id], origin=origin))
            if surface and origin in ("title", "alias"):
                written.add((surface, text))
    meanings: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        meanings[row.surface].add(row.entity_id)
    return Registry(
        entities=by_id,
        targets=target,
        apart=merges.apart,
        paths={fold(e.note_path.removesuffix(".md")): e.id for e in by_id.values() if e.note_path},
        rows=tuple(sorted(rows, key=lambda r: (r.surface, r.entity_id, r.origin))),
        meanings={surface: frozenset(ids) for surface, ids in meanings.items()},
        names=_trie(written),
    )


def plan_entity_notes(
    facts: Sequence[AuthorFact], registry: Registry, *, own: Sequence[str], taken: Collection[str], now: datetime
) -> tuple[Entity, ...]:
    """The entity notes that should exist and do not: two-way contact, 3 messages on 2 days, or a wikilink.

    `own` are the owner's names and addresses (no note), `taken` the folded titles and aliases of the user's own notes:
    such a note is the entity, none is made beside it. `now` is aware. Lists, no-reply addresses and bots get none.
    """
    known_emails = {row.surface for row in registry.rows if row.origin == "email"}
    paths = {entity.note_path.casefold() for entity in registry.entities.values()}
    return plan_notes(
        facts,
        known=frozenset(registry.entities) | known_emails,
        resolved=frozenset(fact.surface for fact in facts if registry.resolve(fact.surface)),
        own=own,
        taken=frozenset(fold(name) for name in taken),
        paths=frozenset(paths),
        now=now,
    )


def _names_of(entity: Entity) -> Iterator[tuple[str, str]]:
    """(text, origin) of everything that means this entity, its file's own name included."""
    yield entity.display_name, "title"
    if entity.note_path:
        yield _stem(entity.note_path), "title"
    for alias in entity.aliases:
        yield alias, "alias"
    for email in entity.emails:
        yield email, "email"
    for handle in entity.handles:
        yield handle, "handle"


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _trie(written: Collection[tuple[str, str]]) -> _Node:
    """Names long enough to be looked for, by their tokens."""
    root: _Node = {}
    for surface, text in sorted(written):
        spans = list(_TOKEN.finditer(text))
        if not _long_enough(text) or len(spans) > _MAX_TOKENS:
            continue
        node = root.setdefault(_folded(spans[0].group()), {})
        for left, right in pairwise(spans):
            node = node.setdefault(_step(text[left.end() : right.start()], _folded(right.group())), {})
        node.setdefault("", []).append((surface, text))
    return root


def _long_enough(text: str) -> bool:
    letters = "".join(_TOKEN.findall(text))
    return len(letters) >= _MIN_LETTERS or len(_ONE_UNSPACED.findall(letters)) >= _MIN_UNSPACED


def _folded(token: str) -> str:
    return token.casefold() if token.isascii() or len(token) == 1 else fold(token)


def _step(separator: str, token: str) -> str:
    """The trie's key for a token behind another: what stands between them counts, white space as one blank."""
    if len(separator) > _MAX_SEPARATOR or "\n\n" in separator:
        return "\n"
    between = " " if separator.isspace() else separator.replace("’", "'")
    return f"{between}\t{token}"


def _glued(text: str, start: int, end: int) -> bool:
    """A Hangul name inside a longer word (particles may follow), a Katakana name inside a longer run."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if _HANGUL.match(text, start):
        return _HANGUL.match(before) is not None
    inside = _KATAKANA.match(text, start) and _KATAKANA.match(before)
    return bool(inside or (_KATAKANA.match(text, end - 1) and _KATAKANA.match(after)))
