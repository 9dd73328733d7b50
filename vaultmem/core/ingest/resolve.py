"""Which two entities may be one: pairs by blocking, weighed by fixed log-weights. Nothing merges: a person is asked.

pairs = candidate_pairs(registry)
suggest_merges(registry, pairs, appearances=..., verified=...)  -> those with a weight of 3 or more

Two people of one first name stay two: a first name alone counts only when one single person has it in full.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from vaultmem.core.ingest.entities import Registry
from vaultmem.core.ingest.headers import normal_email
from vaultmem.core.ingest.person_names import PersonName, given_roots, name_of_address, read_name, same_given
from vaultmem.core.notes.ids import fold, sha256_hex
from vaultmem.model import Entity

#: From here on a pair is worth a question.
LEAST = 3.0
#: Larger blocks say nothing: a family of fifty, a desk's address on every note.
_MAX_BLOCK = 50
_ALIKE = 0.94
_SHARED_SOURCES = 3
_FREE_MAIL_TEXT = """
    gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com icloud.com me.com mac.com
    aol.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de posteo.de mailbox.org proton.me protonmail.com
    mail.com mail.ru yandex.ru yandex.com qq.com 163.com 126.com orange.fr free.fr laposte.net libero.it zoho.com
    fastmail.com tutanota.com hey.com comcast.net verizon.net naver.com hotmail.co.uk yahoo.co.uk yahoo.co.jp
"""
_FREE_MAIL = frozenset(_FREE_MAIL_TEXT.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """Where an entity stands in memory."""

    #: sources in which it speaks, writes or is written to
    takes_part: frozenset[str] = frozenset()
    #: sources that name it in any way
    named: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """Two entities that may be one."""

    #: the one that would stay, and the one that would say `same_as` of it
    keep: Entity
    merge: Entity
    score: float
    #: in words, the strongest first
    reasons: tuple[str, ...]


def pair_key(one: str, other: str) -> str:
    """The block id of the question whether these two are one."""
    return "ms-" + sha256_hex("\n".join(sorted((one, other))).encode())[:8]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """A group of merged entities as one candidate."""

    entity: Entity
    ids: frozenset[str]
    #: of a person: every name taken apart
    names: tuple[PersonName, ...]
    #: folded names of anything else
    texts: frozenset[str]
    emails: frozenset[str]
    handles: frozenset[str]


def candidate_pairs(registry: Registry) -> tuple[tuple[str, str], ...]:
    """Pairs of ids (of unmerged ones, sorted) that share a block and that no `not_same_as` keeps apart."""
    sides = _sides(registry)
    blocks: dict[str, set[str]] = defaultdict(set)
    for identity, side in sides.items():
        for key in _keys(side):
            blocks[key].add(identity)
    pairs = {pair for block in blocks.values() if len(block) <= _MAX_BLOCK for pair in combinations(sorted(block), 2)}
    return tuple(sorted(pair for pair in pairs if not _apart(registry, sides[pair[0]], sides[pair[1]])))


def suggest_merges(
    registry: Registry,
    pairs: Sequence[tuple[str, str]],
    *,
    appearances: Mapping[str, Appearance],
    verified: Collection[str],
) -> tuple[Suggestion, ...]:
    """The pairs worth a question, the surest first. `verified`: addresses that wrote; `appearances` by unmerged id."""
    sides = _sides(registry)
    weigh = _weighing(sides, appearances, verified)
    found = [_suggestion(sides[one], sides[other], weigh.reasons(one, other)) for one, other in pairs]
    worthy = [suggestion for suggestion in found if suggestion.score >= LEAST]
    return tuple(sorted(worthy, key=lambda s: (-s.score, s.keep.id, s.merge.id)))


def _sides(registry: Registry) -> dict[str, _Side]:
    members: dict[str, list[Entity]] = defaultdict(list)
    for identity, target in registry.targets.items():
        members[target].append(registry.entities[identity])
    return {target: _side(registry.entities[target], group) for target, group in members.items()}


def _side(entity: Entity, group: Sequence[Entity]) -> _Side:
    texts = {name for each in group for name in (each.display_name, *each.aliases)}
    emails = frozenset(normal_email(email) for each in group for email in each.emails)
    names: set[PersonName] = set()
    if entity.kind == "person":
        names = {name for text in texts if (name := read_name(text))}
        names |= set() if names else {name for email in emails if (name := name_of_address(email))}
    return _Side(
        entity=entity,
        ids=frozenset(each.id for each in group),
        names=tuple(sorted(names, key=lambda name: (name.words, sorted(name.suffixes)))),
        texts=frozenset(fold(text) for text in texts),
        emails=emails,
        handles=frozenset(fold(handle).lstrip("@#") for each in group for handle in each.handles),
    )


def _keys(side: _Side) -> Iterator[str]:
    kind = side.entity.kind
    yield from (f"{kind}|mail|{email}" for email in side.emails)
    yield from (f"{kind}|handle|{handle}" for handle in side.handles)
    for name in side.names:
        yield f"words|{' '.join(sorted(name.words))}"
        for root in given_roots(name.given):
            yield f"given|{root}"
            yield f"given and surname|{root}|{name.surname}"
        if name.surname:
            yield f"initial and surname|{name.given[0]}|{name.surname}"
            yield f"beginnings|{name.given[:1]}|{name.surname[:3]}"
            yield f"given and beginning|{name.given}|{name.surname[:1]}"
    if kind != "person":
        yield from (f"{kind}|text|{text[:4]}" for text in side.texts)


def _apart(registry: Registry, one: _Side, other: _Side) -> bool:
    """Of different kinds, or kept apart by a person."""
    if one.entity.kind != other.entity.kind:
        return True
    return any(frozenset((a, b)) in registry.apart for a in one.ids for b in other.ids)


def _suggestion(one: _Side, other: _Side, reasons: Sequence[tuple[float, str]]) -> Suggestion:
    keep, merge = sorted((one.entity, other.entity), key=_standing)
    said = sorted((reason for reason in reasons if reason[0] > 0), reverse=True)
    score = sum(weight for weight, _ in reasons)
    return Suggestion(keep=keep, merge=merge, score=score, reasons=tuple(text for _, text in said))


def _standing(entity: Entity) -> tuple[object, ...]:
    """The one that sorts first stays: a note of the user's own, the fuller name, the older note."""
    is_ours = entity.note_path.startswith("entities/")
    words = 0 if "@" in entity.display_name else len(entity.display_name.split())
    return (is_ours, -words, -len(entity.display_name), entity.created_at or "9999", entity.id)


def _weighing(
    sides: Mapping[str, _Side], appearances: Mapping[str, Appearance], verified: Collection[str]
) -> _Weighing:
    full: Counter[tuple[str, ...]] = Counter()
    initials: Counter[tuple[str, str]] = Counter()
    given: dict[str, set[str]] = defaultdict(set)
    for identity, side in sides.items():
        full.update({tuple(sorted(name.words)) for name in side.names})
        initials.update({(name.given[0], name.surname) for name in side.names})
        for name in side.names:
            for root in given_roots(name.given):
                given[root].add(identity)
    return _Weighing(
        sides=sides, appearances=appearances, verified=frozenset(verified), full=full, initials=initials, given=given
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighing:
    """What two candidates are compared against."""

    sides: Mapping[str, _Side]
    appearances: Mapping[str, Appearance]
    verified: frozenset[str]
    #: how many bear these words as full name, and this initial with this surname
    full: Mapping[tuple[str, ...], int]
    initials: Mapping[tuple[str, str], int]
    #: full form of a first name -> who may have it
    given: Mapping[str, Collection[str]]

    def reasons(self, one: str, other: str) -> list[tuple[float, str]]:
        """(weight, why) of all that speaks for or against; the same whichever comes first."""
        a, b = self.sides[one], self.sides[other]
        return [
            *((8.0, "same address") for _ in range(bool(a.emails & b.emails))),
            *((8.0, "same handle") for _ in range(bool(a.handles & b.handles))),
            *self._names(a, b),
            *self._domains(a, b),
            *self._company(a, b),
        ]

    def _names(self, a: _Side, b: _Side) -> Iterator[tuple[float, str]]:
        if a.entity.kind != "person":
            yield from ((2.0, "names spelt alike") for _ in range(_spelt_alike(a.texts, b.texts)))
            return
        likeness = max((self._likeness(x, y) for x in a.names for y in b.names), default=(0.0, ""))
        if likeness[0]:
            yield likeness
        if a.names and b.names and all(_differ(x, y) for x in a.names for y in b.names):
            yield -3.0, "another middle initial, or Jr and Sr"

    def _likeness(self, x: PersonName, y: PersonName) -> tuple[float, str]:
        """The strongest thing two names have in common."""
        if not x.surname or not y.surname:
            return self._first_name_alone(x, y)
        if sorted(x.words) == sorted(y.words):
            return (4.0 if self.full[tuple(sorted(x.words))] <= 2 else 2.0), "same full name"
        if x.surname == y.surname:
            if 1 in (len(x.given), len(y.given)) and x.given[0] == y.given[0]:
                return (3.0 if self.initials[x.given[0], x.surname] <= 2 else 2.0), "same surname and initial"
            if same_given(x.given, y.given):
                same = x.given == y.given
                return 3.0, "same first name and surname" if same else "nickname and same surname"
        return (2.0, "names spelt alike") if _spelt_alike({x.full}, {y.full}) else (0.0, "")

    def _first_name_alone(self, x: PersonName, y: PersonName) -> tuple[float, str]:
        """A first name alone may be the one person who has it in full; of two such, it is neither."""
        if bool(x.surname) == bool(y.surname) or not same_given(x.given, y.given):
            return 0.0, ""
        bearers = {identity for root in given_roots(x.given) for identity in self.given[root]}
        return (3.0, "nobody else has that first name") if len(bearers) <= 2 else (0.0, "")

    def _domains(self, a: _Side, b: _Side) -> Iterator[tuple[float, str]]:
        """The same house speaks for it; two addresses there that both wrote speak against it more."""
        shared = (_domains(a.emails) & _domains(b.emails)) - _FREE_MAIL
        if not shared or a.emails & b.emails:
            return
        yield 1.5, f"both at {min(shared)}"
        writes = [_domains(side.emails & self.verified) & shared for side in (a, b)]
        if writes[0] & writes[1]:
            yield -3.0, "two addresses in one house"

    def _company(self, a: _Side, b: _Side) -> Iterator[tuple[float, str]]:
        nowhere = Appearance()
        here, there = (self.appearances.get(side.entity.id, nowhere) for side in (a, b))
        if here.takes_part & there.takes_part:
            yield -6.0, "both take part in one conversation"
        elif len(here.named & there.named) >= _SHARED_SOURCES:
            yield 1.0, f"named together in {_SHARED_SOURCES} sources or more"


def _domains(emails: Collection[str]) -> set[str]:
    return {email.rpartition("@")[2] for email in emails if "@" in email}


def _spelt_alike(these: Collection[str], those: Collection[str]) -> bool:
    from jellyfish import jaro_winkler_similarity  # only who has two names to compare pays for it

    return any(jaro_winkler_similarity(x, y) >= _ALIKE for x in these for y in those)


def _differ(x: PersonName, y: PersonName) -> bool:
    """Two middle initials, or a Jr where the other is none."""
    middles = bool(x.middle and y.middle) and not (x.middle.startswith(y.middle) or y.middle.startswith(x.middle))
    return middles or (x.suffixes != y.suffixes and bool(x.surname and y.surname))


def ambiguous_names(registry: Registry) -> tuple[tuple[str, tuple[Entity, ...]], ...]:
    """Names that fit several entities, as one of them writes it, with these entities; sorted by name."""
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for entity in registry.entities.values():
        for text in (entity.display_name, *entity.aliases, *entity.emails, *entity.handles):
            written[fold(text).lstrip("@#")][text] += 1
    found = []
    for surface, ids in sorted(registry.meanings.items()):
        if len(ids) > 1:
            text = min(written[surface], key=lambda each: (-written[surface][each], each), default=surface)
            found.append((text, tuple(registry.entities[identity] for identity in sorted(ids))))
    return tuple(found)
