"""Which entities are one: `same_as` joins, `not_same_as` keeps apart and always wins, over any number of steps."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vaultmem.core.notes.ids import fold
from vaultmem.model import Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class Merges:
    """What the notes say of who is who."""

    #: id -> the id it stands for; its own for an entity that is not merged
    targets: Mapping[str, str]
    #: pairs of ids that are not one and the same
    apart: frozenset[frozenset[str]]
    #: (id, the id its `same_as` names): joined by nobody, since a pair of the two groups is to stay apart
    refused: frozenset[tuple[str, str]]


@dataclass(slots=True, kw_only=True)
class _Groups:
    """Disjoint sets of ids, joined one pair at a time."""

    apart: Mapping[str, set[str]]
    of: dict[str, set[str]] = field(default_factory=dict)

    def group(self, identity: str) -> set[str]:
        return self.of.setdefault(identity, {identity})

    def join(self, one: str, other: str) -> bool:
        """False when that would bring together two that are to stay apart."""
        small, large = sorted((self.group(one), self.group(other)), key=len)
        if small is large:
            return True
        if any(not large.isdisjoint(self.apart.get(member, ())) for member in small):
            return False
        large |= small
        for member in small:
            self.of[member] = large
        return True


def read_merges(entities: Sequence[Entity]) -> Merges:
    """Joined in the order of ids, so that any order of notes gives the same groups. A group stands for the member that
    says `same_as` of nobody; a ring of merges for its smallest id.
    """
    by_id = {entity.id: entity for entity in sorted(entities, key=lambda e: (e.id, e.note_path), reverse=True)}
    names = _link_targets(by_id)
    apart: dict[str, set[str]] = defaultdict(set)
    for entity in by_id.values():
        for other in _linked(entity.not_same_as, names):
            if other != entity.id:
                apart[entity.id].add(other)
                apart[other].add(entity.id)
    groups = _Groups(apart=apart)
    joined: set[str] = set()
    refused: set[tuple[str, str]] = set()
    for identity in sorted(by_id):
        for other in _linked(by_id[identity].same_as, names):
            if other != identity and groups.join(identity, other):
                joined.add(identity)
            elif other != identity:
                refused.add((identity, other))
    targets: dict[str, str] = {}
    for identity in sorted(by_id):
        if identity not in targets:
            group = groups.group(identity)
            targets |= dict.fromkeys(group, min(group - joined or group))
    pairs = frozenset(frozenset((one, other)) for one, others in apart.items() for other in others)
    return Merges(targets=targets, apart=pairs, refused=frozenset(refused))


def lost_merges(entities: Sequence[Entity]) -> Mapping[str, str]:
    """path -> what is wrong with its `same_as`: a link to no entity, to the note itself, or over somebody's no."""
    by_id = {entity.id: entity for entity in entities}
    names = _link_targets(by_id)
    merges = read_merges(entities)
    problems: dict[str, str] = {}
    for entity in entities:
        for link in entity.same_as:
            ids = _linked([link], names)
            if not ids or ids == [entity.id]:
                problems[entity.note_path] = f"same_as: {link!r} is {'the note itself' if ids else 'no entity'}"
            elif (entity.id, ids[0]) in merges.refused and frozenset((entity.id, ids[0])) not in merges.apart:
                problems[entity.note_path] = f"same_as: {link!r} would join two that a not_same_as keeps apart"
    return problems


def _link_targets(by_id: Mapping[str, Entity]) -> dict[str, str]:
    """What a `same_as` may say -> the id meant: an id, a note's path or name, a display name."""
    names: dict[str, str] = {}
    for entity in sorted(by_id.values(), key=lambda e: e.id, reverse=True):
        path = entity.note_path.removesuffix(".md")
        stem = path.rpartition("/")[2]
        names |= {fold(name): entity.id for name in (entity.display_name, stem, path) if name}
    return names | {fold(i): i for i in by_id}


def _linked(links: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """ids meant by `[[entities/person/ann|Ann]]`, `[[Ann Smith]]` or a bare id; links to nothing are left out."""
    targets = (re.split(r"[|#]", link.strip().removeprefix("[[").removesuffix("]]"))[0] for link in links)
    return [names[key] for t in targets if (key := fold(t.removesuffix(".md"))) in names]
