"""Which people and topics get a note of their own (DESIGN §2): facts about names -> new entities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from vaultmem.core.ingest.headers import normal_email
from vaultmem.core.notes.ids import entity_id, fold, safe_part
from vaultmem.model import AuthorFact, Entity, EntityKind

_MIN_MESSAGES = 3
_MIN_DAYS = 2
#: An address used under more names than this is a desk or a service, and joins nobody.
_MAX_NAMES_PER_ADDRESS = 3
_NOTED: tuple[EntityKind, ...] = ("person", "organization", "project", "topic", "location", "event")
_MACHINE = re.compile(
    r"(no|not|non|donot|do-not|dont)[-_.]?(reply|respond|replay|rispondere|responder|repondre)|noreply|mailer-daemon"
    r"|postmaster|bounces?\b|.*[-_.+=](bounces?|request|owner|admin|subscribe|unsubscribe|noreply|no-reply)$|owner-.*"
    r"|(auto)?notif(y|ications?)?\b|alerts?$|newsletter|news$|digest|updates?$|mailman|listserv|majordomo|daemon"
    r"|root$"
    r"|automat|robot|bot$|.*[-_.]bot$",
)
_LIST_DOMAIN = re.compile(r"(^|\.)(lists?|groups?|listserv|mailman|bounces?|noreply|no-reply|reply)\.|googlegroups\.")
_DESK = re.compile(r"(info|support|sales|office|contact|kontakt|hello|help|billing|service|team|press|jobs|hr|admin)$")
_MACHINE_NAME = re.compile(
    r"\bbot\b|bot\]?$|\(?no.?reply\)?|mailer.daemon|\bvia\b|^system$|^whatsapp$|^slackbot$", re.IGNORECASE
)


def plan_notes(
    facts: Sequence[AuthorFact],
    *,
    known: Collection[str],
    resolved: Collection[str],
    own: Sequence[str],
    taken: Collection[str],
    paths: Collection[str],
    now: datetime,
) -> tuple[Entity, ...]:
    """New notes for names that no note has: one surface of a group that the registry or a note of the user's has is
    enough. `known`: ids and addresses of the registry; `resolved`: surfaces it knows; `paths`: folded paths in use.
    """
    mine = surfaces_of(own)
    taken = surfaces_of(taken) | set(resolved)
    stamp = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    used = {path.casefold() for path in paths}
    plans: list[Entity] = []
    for group in _groups([fact for fact in facts if _may_have_note(fact, mine)]):
        surfaces = {fact.surface for fact in group} | {fold(fact.text) for fact in group}
        entity = _entity(group, stamp, used)
        if not _earned(group) or surfaces & taken or entity.id in known or set(entity.emails) & set(known):
            continue
        used.add(entity.note_path.casefold())
        plans.append(entity)
    return tuple(sorted(plans, key=lambda e: e.id))


def surfaces_of(names: Collection[str]) -> set[str]:
    """The names as mentions spell them, addresses also without `+tag`."""
    return {fold(name).lstrip("@") for name in names} | {normal_email(name) for name in names if "@" in name}


def personal_addresses(facts: Sequence[AuthorFact]) -> Mapping[str, tuple[str, ...]]:
    """surface -> the addresses that stand for it: no machine's, none of a desk that many names use."""
    names_of = Counter(normal_email(email) for fact in facts if fact.kind != "email" for email in fact.emails)
    return {
        fact.surface: tuple(
            email
            for email in map(normal_email, _emails(fact))
            if names_of[email] <= _MAX_NAMES_PER_ADDRESS and not _is_machine(email)
        )
        for fact in facts
    }


def _may_have_note(fact: AuthorFact, mine: set[str]) -> bool:
    """Not the owner, no machine, no list, and of a kind that has notes (an address stands for a person)."""
    emails = [normal_email(email) for email in _emails(fact)]
    if not mine.isdisjoint({fact.surface, *emails}):
        return False
    if fact.kind not in _NOTED and fact.kind != "email":
        return False
    return not _MACHINE_NAME.search(fact.text) and not (emails and all(map(_is_machine, emails)))


def _emails(fact: AuthorFact) -> tuple[str, ...]:
    return (*((fact.surface,) if fact.kind == "email" else ()), *fact.emails)


def _is_machine(email: str) -> bool:
    local, _, domain = email.rpartition("@")
    return _MACHINE.match(local) is not None or _LIST_DOMAIN.search(domain) is not None


def _groups(facts: Sequence[AuthorFact]) -> Iterator[list[AuthorFact]]:
    """Facts of one and the same: the same id, or a personal address they share."""
    joining = personal_addresses(facts)
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while parent.setdefault(key, key) != key:
            parent[key] = key = parent[parent[key]]
        return key

    keys = [_id_of(fact) for fact in facts]
    for fact, key in zip(facts, keys, strict=True):
        for email in joining[fact.surface]:
            left, right = sorted((root(key), root(f"email:{email}")))
            parent[right] = left
    grouped: dict[str, list[AuthorFact]] = {}
    for fact, key in zip(facts, keys, strict=True):
        grouped.setdefault(root(key), []).append(fact)
    yield from grouped.values()


def _id_of(fact: AuthorFact) -> str:
    kind = note_kind(fact)
    return entity_id(kind, fact.text)


def note_kind(fact: AuthorFact) -> EntityKind:
    """The kind of the note: an address stands for a person or an office."""
    if fact.kind != "email":
        return fact.kind
    return "organization" if _DESK.match(fact.surface.partition("@")[0]) else "person"


def _earned(group: Sequence[AuthorFact]) -> bool:
    """The rule. A From line counts once for the name and once for the address, so the maximum is taken, not the sum."""
    messages, days = max(fact.messages for fact in group), max(fact.days for fact in group)
    often = messages >= _MIN_MESSAGES and days >= _MIN_DAYS
    return often or any(fact.two_way or fact.linked for fact in group)


def _entity(group: Sequence[AuthorFact], stamp: str, used: Collection[str]) -> Entity:
    """One entity of all these spellings, named by the commonest one that is no address."""
    named = [fact for fact in group if fact.kind != "email"] or list(group)
    best = min(named, key=lambda fact: (-fact.messages, fact.text))
    kind = note_kind(best)
    canonical = entity_id(kind, best.text)
    texts = {fold(fact.text): fact.text for fact in sorted(named, key=lambda fact: fact.text, reverse=True)}
    texts.pop(fold(best.text), None)
    emails = {normal_email(email) for fact in group for email in _emails(fact)}
    return Entity(
        id=canonical,
        kind=kind,
        display_name=best.text,
        aliases=tuple(sorted(texts.values())),
        emails=tuple(sorted(email for email in emails if not _is_machine(email))),
        note_path=_path(kind, canonical, next((fact.text for fact in group if fact.linked), ""), used),
        created_at=stamp,
        updated_at=stamp,
    )


def _path(kind: EntityKind, canonical: str, link: str, used: Collection[str]) -> str:
    """The id's own slug; for a linked name the link's spelling, so that `[[Link]]` finds the file in Obsidian."""
    plain = f"entities/{kind}/{canonical.partition(':')[2]}.md"
    spelled = f"entities/{kind}/{safe_part(link)}.md" if link else plain
    return plain if spelled.casefold() in used else spelled
