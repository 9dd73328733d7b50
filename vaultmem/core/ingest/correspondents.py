"""Which people and topics get a note of their own (DESIGN §2): facts about names -> new entities."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
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
    theirs = surfaces_of(taken)
    taken = theirs | set(resolved)
    stamp = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    used = {path.casefold() for path in paths}
    plans: list[Entity] = []
    shared = shared_first_names(facts)
    ids = set(known)
    for group in _groups(list(_told_apart([fact for fact in facts if _may_have_note(fact, mine)], shared))):
        surfaces = {fact.surface for fact in group} | {fold(fact.text) for fact in group}
        common = surfaces & shared.keys()
        entity = _entity(group, stamp, used)
        if common and entity.id in ids:  # another one of that first name has it
            entity = _renamed(entity, used)
        if not _earned(group) or entity.id in ids or set(entity.emails) & ids:
            continue
        if (surfaces - common) & taken or common & theirs:
            continue
        used.add(entity.note_path.casefold())
        ids.add(entity.id)
        plans.append(entity)
    return tuple(sorted(plans, key=lambda e: e.id))


def surfaces_of(names: Collection[str]) -> set[str]:
    """The names as mentions spell them, addresses also without `+tag`."""
    return {fold(name).lstrip("@") for name in names} | {normal_email(name) for name in names if "@" in name}


def personal_addresses(facts: Sequence[AuthorFact]) -> Mapping[str, tuple[str, ...]]:
    """surface -> the addresses that stand for it: no machine's, none of a desk that many names use."""
    is_personal = _personal(facts)
    return {fact.surface: tuple(filter(is_personal, map(normal_email, _emails(fact)))) for fact in facts}


def _personal(facts: Sequence[AuthorFact]) -> Callable[[str], bool]:
    names = {(normal_email(email), fact.surface) for fact in facts if fact.kind != "email" for email in fact.emails}
    names_of = Counter(email for email, _ in names)
    return lambda email: names_of[email] <= _MAX_NAMES_PER_ADDRESS and not _is_machine(email)


def plan_names(
    facts: Sequence[AuthorFact], *, resolve: Callable[[str], frozenset[str]], own: Sequence[str]
) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Entity id -> (names, addresses) that mail headers join to it: a new name in the From line of an address it has,
    a new address that wrote under its full name. Nothing that fits two.
    """
    mine, shared, addresses = surfaces_of(own), shared_first_names(facts), personal_addresses(facts)
    wrote = {fact.surface for fact in facts if fact.kind == "email" and fact.messages}
    names: dict[str, set[str]] = defaultdict(set)
    emails: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        if fact.kind != "person" or fact.surface in shared or not fact.messages or not _may_have_note(fact, mine):
            continue
        means = resolve(fact.surface)
        known = {identity for email in addresses[fact.surface] for identity in resolve(email)}
        if not means and len(known) == 1:
            names[known.pop()].add(fact.text)
        elif len(means) == 1 and known <= means and len(fact.text.split()) > 1:
            new = {email for email in addresses[fact.surface] if email in wrote and not resolve(email)}
            emails[next(iter(means))] |= new
    found = {i: (tuple(sorted(names[i])), tuple(sorted(emails[i]))) for i in (*names, *emails)}
    return {identity: both for identity, both in sorted(found.items()) if any(both)}


def shared_first_names(facts: Sequence[AuthorFact]) -> Mapping[str, tuple[str, ...]]:
    """surface -> its personal addresses, for names of one word with several: each may be another person."""
    addresses = personal_addresses(facts)
    return {
        fact.surface: addresses[fact.surface]
        for fact in facts
        if fact.kind == "person" and len(fact.text.split()) == 1 and len(addresses[fact.surface]) > 1
    }


def _told_apart(facts: Sequence[AuthorFact], shared: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, AuthorFact]]:
    """(what makes it one with others, fact): a shared first name as one fact for each address, with its counts."""
    by_address = {fact.surface: fact for fact in facts if fact.kind == "email"}
    for fact in facts:
        if fact.kind != "person" or fact.surface not in shared:
            yield _id_of(fact), fact
            continue
        for email in shared[fact.surface]:
            wrote = by_address.get(email, replace(fact, messages=0, days=0, two_way=False))
            counts = {"messages": wrote.messages, "days": wrote.days, "two_way": wrote.two_way}
            yield f"email:{email}", replace(fact, **counts, linked=False, emails=(email,))  # type: ignore[arg-type]


def _renamed(entity: Entity, used: Collection[str]) -> Entity:
    """The second of a first name: called the same, known by its address."""
    email = min(entity.emails, default="")
    identity = entity_id(entity.kind, f"{entity.display_name} {email.rpartition('@')[2]}")
    return replace(entity, id=identity, note_path=_path(entity.kind, identity, "", used))


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


def _groups(keyed: Sequence[tuple[str, AuthorFact]]) -> Iterator[list[AuthorFact]]:
    """Facts of one and the same: the same key, or a personal address they share."""
    is_personal = _personal([fact for _, fact in keyed])
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while parent.setdefault(key, key) != key:
            parent[key] = key = parent[parent[key]]
        return key

    for key, fact in keyed:
        for email in filter(is_personal, map(normal_email, _emails(fact))):
            left, right = sorted((root(key), root(f"email:{email}")))
            parent[right] = left
    grouped: dict[str, list[AuthorFact]] = {}
    for key, fact in keyed:
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
