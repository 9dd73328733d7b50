"""`entities/Review.md`: the open questions of the registry are written there, and a person's answers taken from there.

An answer is carried out in the entity notes (`same_as`, `not_same_as`), which are the truth; the lines only follow. So
every step may be done twice, and a killed run is taken up by the next.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from vaultmem.app.by_git import wrote
from vaultmem.app.engine import Engine
from vaultmem.app.living import edit_living, make_living
from vaultmem.app.registry import what_is_known
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.ingest.resolve import (
    Appearance,
    Suggestion,
    ambiguous_names,
    candidate_pairs,
    pair_key,
    suggest_merges,
)
from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.entitynote import parse_entity_note, stamp
from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.ids import fold
from vaultmem.core.notes.paths import ENTITIES
from vaultmem.core.notes.properties import split_note
from vaultmem.core.notes.region import replace_region
from vaultmem.core.notes.review import (
    REVIEW,
    REVIEW_TITLE,
    Answer,
    Question,
    ReviewNote,
    Several,
    merged_line,
    parse_review,
    render_review,
)
from vaultmem.core.notes.summarynote import wikilink
from vaultmem.errors import VaultmemError
from vaultmem.grown import Link
from vaultmem.model import Entity, NoteFile

#: What the note asked when it was last written: {"pairs": {key: [id, id]}, "names": [...]}.
_ASKED = "review:asked"
#: Keys of ticked lines that were carried out: until the note is written again, the tick is no new answer.
_TAKEN = "review:taken"
#: The questions as they were last weighed, under a hash of what they were weighed from.
_WEIGHED = "review:weighed"
#: Questions and names listed at a time: a page, not a register. The next ones follow when these are answered.
_LISTED = 50


@dataclass(slots=True, kw_only=True)
class Reviewed:
    """What a look at the note brought."""

    #: some entity note says something new
    changed: bool = False
    #: notes that a person had just saved: left for the next pass
    later: list[str] = field(default_factory=list)
    #: path -> what cannot be done
    problems: dict[str, str] = field(default_factory=dict)


def take_answers(engine: Engine, registry: Registry) -> Reviewed:
    """Carry out what a person ticked or deleted in the note."""
    result = Reviewed()
    review = _read(engine, result)
    if not review.whole:
        return result
    ticked = {key: answer for key, answer in review.answers.items() if answer.ticked}
    earlier = _taken(engine) & ticked.keys()
    taken = earlier | {key for key in ticked.keys() - earlier if _merge(engine, registry, ticked[key], result)}
    if taken != _taken(engine):
        engine.index.set_meta(_TAKEN, json.dumps(sorted(taken)))
    if _is_gits(engine):
        return result
    for key, (one, other) in _asked(engine)[0].items():
        if key not in review.present and _is_open(registry, one, other):
            pair = registry.entities[one], registry.entities[other]
            for entity, stranger in (pair, pair[::-1]):
                _say(engine, entity, "not_same_as", stranger, result)
    return result


def _is_gits(engine: Engine) -> bool:
    """Whether git put the note there as it is: a line that it lacks is then no answer."""
    try:
        return wrote(engine, REVIEW, engine.vault.read(REVIEW))
    except (FileNotFoundError, VaultmemError):
        return False


def _taken(engine: Engine) -> frozenset[str]:
    return frozenset(json.loads(engine.index.get_meta(_TAKEN) or "[]"))


def _merge(engine: Engine, registry: Registry, answer: Answer, result: Reviewed) -> bool:
    """Carry out one tick; whether the two are one now. One that a person took back in the note stays taken back."""
    keep, merge = (_entity_at(registry, target) for target in (answer.keep, answer.merge))
    if keep is None or merge is None:
        result.problems[REVIEW] = f"a ticked line links to no entity: {(answer.merge if keep else answer.keep)!r}"
    elif frozenset((keep.id, merge.id)) in registry.apart:
        result.problems[REVIEW] = f"{merge.display_name} is ticked, and a not_same_as stands in one of the two notes"
    elif _is_open(registry, keep.id, merge.id):
        if not _is_ours(merge):  # nothing is ever written into a note of the user's own
            keep, merge = merge, keep
        return _say(engine, merge, "same_as", keep, result)
    return keep is not None and merge is not None and registry.targets[keep.id] == registry.targets[merge.id]


def _say(engine: Engine, entity: Entity, key: str, other: Entity, result: Reviewed) -> bool:
    """Add a link to the other to a property of the entity's note; whether that was written."""
    if not _is_ours(entity):
        return False
    link = wikilink(Link(path=other.note_path, alias=other.display_name))

    def change(note: bytes) -> bytes:
        found = parse_entity_note(entity.note_path, note)
        said = found.same_as if key == "same_as" else found.not_same_as
        if link in said:
            return note
        return edit_properties(note, {key: [*said, link], **stamp(found, engine.now())})

    try:
        done = edit_living(engine, entity.note_path, change)
    except FileNotFoundError:
        return False
    except VaultmemError as problem:
        result.problems[entity.note_path] = str(problem)
        return False
    result.changed |= done
    result.later += [] if done else [entity.note_path]
    return done


def _is_ours(entity: Entity) -> bool:
    return entity.note_path.startswith(f"{ENTITIES}/")


def _is_open(registry: Registry, one: str, other: str) -> bool:
    """Two entities that are neither merged nor kept apart."""
    known = one in registry.entities and other in registry.entities
    return known and registry.targets[one] != registry.targets[other] and frozenset((one, other)) not in registry.apart


def _entity_at(registry: Registry, target: str) -> Entity | None:
    """The entity a line's link means: by path, or by the only name it may have."""
    found = registry.paths.get(fold(target.removesuffix(".md")), "")
    ids = [found] if found else sorted(registry.resolve(target))
    return registry.entities.get(ids[0]) if len(ids) == 1 else None


def refresh_review(engine: Engine, registry: Registry) -> Reviewed:
    """Write the questions that are open now. Lines a person has ticked or deleted meanwhile are not touched."""
    result = Reviewed()
    pairs, names = _asked(engine)
    if pairs and _is_gits(engine):
        pairs = {}
    page = _Page(
        registry=registry,
        questions=_questions(engine, registry),
        several=_several(registry),
        asked=pairs,
        taken=_taken(engine),
    )
    try:
        if engine.vault.stat(REVIEW) is None:
            is_new = {one.key for one in page.questions} - pairs.keys() or {each.name for each in page.several} - names
            if not is_new:
                return result  # there is nothing to ask, or the person has put all of it away
            page = replace(page, asked={})
            empty = render_note({"aliases": ["Open questions"]}, f"# {REVIEW_TITLE}\n").encode()
            make_living(engine, [NoteFile(path=REVIEW, content=page.written(empty))])
        elif not edit_living(engine, REVIEW, page.written):
            result.later.append(REVIEW)
        _remember(engine, page, parse_review(_body(engine.vault.read(REVIEW))))
    except FileNotFoundError:
        return result
    except VaultmemError as problem:
        result.problems[REVIEW] = str(problem)
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """What the note should ask, and how that comes into it."""

    registry: Registry
    questions: Sequence[Question]
    several: Sequence[Several]
    #: key -> pair, as the note asked when it was last written
    asked: Mapping[str, tuple[str, str]]
    #: ticks that were carried out
    taken: frozenset[str]

    def deleted(self, review: ReviewNote) -> set[str]:
        """Questions that a person took away, and whose no stands in no note yet."""
        return {key for key in self.asked.keys() - review.present if review.whole and self.is_open(key)}

    def is_open(self, key: str) -> bool:
        """Whether this question was asked and nobody has answered it in the notes."""
        return key in self.asked and _is_open(self.registry, *self.asked[key])

    def written(self, note: bytes) -> bytes:
        """The note with its region as it should be. Raises BadProperties."""
        review = parse_review(_body(note))
        waiting = {key: one for key, answer in review.answers.items() if answer.ticked and (one := self._asked(answer))}
        gone = self.deleted(review) | review.outside
        merged = self._merged()
        waiting = {key: one for key, one in waiting.items() if key in merged or key not in self.taken}
        questions = [waiting.get(one.key, one) for one in self.questions if one.key not in gone]
        shown = {one.key for one in questions}
        open_ones = {key: one for key, one in waiting.items() if key not in merged}
        questions += [one for key, one in open_ones.items() if key not in shown]
        done = [merged_line(one) for key, one in waiting.items() if key in merged and key not in review.done]
        done += [line for key, line in review.done.items() if key in merged]
        text = render_review(questions, self.several, ticked=open_ones.keys(), done=done)
        return replace_region(note, text)

    def _asked(self, answer: Answer) -> Question | None:
        """A ticked line as the question it answers, as the person turned it; None when it links to no entities."""
        keep, merge = (_entity_at(self.registry, target) for target in (answer.keep, answer.merge))
        if keep is None or merge is None:
            return None
        return Question(key=answer.key, keep=_link(keep), merge=_link(merge), why=answer.why)

    def _merged(self) -> set[str]:
        """Keys of all pairs that are one."""
        groups: dict[str, list[str]] = defaultdict(list)
        for identity, target in self.registry.targets.items():
            groups[target].append(identity)
        return {pair_key(*pair) for group in groups.values() for pair in combinations(group, 2)}


def _remember(engine: Engine, page: _Page, review: ReviewNote) -> None:
    """What the note asks now: a line that is missing next time was deleted by a person."""
    pairs = {one.key: _pair(page.registry, one) for one in page.questions if one.key in review.present}
    pairs |= {key: page.asked[key] for key in (*page.deleted(review), *review.present) if page.is_open(key)}
    asked = {"pairs": pairs, "names": sorted(each.name for each in page.several)}
    text = json.dumps(asked, sort_keys=True)
    if text != engine.index.get_meta(_ASKED):
        engine.index.set_meta(_ASKED, text)


def _pair(registry: Registry, one: Question) -> tuple[str, ...]:
    return tuple(sorted(registry.paths[fold(link.path.removesuffix(".md"))] for link in (one.keep, one.merge)))


def _asked(engine: Engine) -> tuple[dict[str, tuple[str, str]], set[str]]:
    """The questions and the names that the note listed when it was last written."""
    asked = json.loads(engine.index.get_meta(_ASKED) or "{}")
    return {key: (one, other) for key, (one, other) in asked.get("pairs", {}).items()}, set(asked.get("names", ()))


def _questions(engine: Engine, registry: Registry) -> list[Question]:
    """What to ask; weighed anew only when memory holds something else than the last time."""
    state = what_is_known(engine, registry)
    weighed = json.loads(engine.index.get_meta(_WEIGHED) or "{}")
    if weighed.get("state") != state:
        found = [(one.keep.id, one.merge.id, ", ".join(one.reasons)) for one in _suggested(engine, registry)]
        weighed = {"state": state, "found": found}
        engine.index.set_meta(_WEIGHED, json.dumps(weighed))
    return [
        Question(
            key=pair_key(keep, merge),
            keep=_link(registry.entities[keep]),
            merge=_link(registry.entities[merge]),
            why=why,
        )
        for keep, merge, why in weighed["found"]
    ]


def _suggested(engine: Engine, registry: Registry) -> list[Suggestion]:
    pairs = candidate_pairs(registry)
    if not pairs:
        return []
    facts = engine.index.author_facts(own=())
    verified = {fact.surface for fact in facts if fact.kind == "email" and fact.messages}
    appearances = _appearances(engine, {identity for pair in pairs for identity in pair})
    found = suggest_merges(registry, pairs, appearances=appearances, verified=verified)
    return [one for one in found if _is_ours(one.merge)][:_LISTED]


def _appearances(engine: Engine, ids: set[str]) -> dict[str, Appearance]:
    takes_part: dict[str, set[str]] = defaultdict(set)
    named: dict[str, set[str]] = defaultdict(set)
    for identity, source, is_party in engine.index.appearances(sorted(ids)):
        named[identity].add(source)
        if is_party:
            takes_part[identity].add(source)
    return {i: Appearance(takes_part=frozenset(takes_part[i]), named=frozenset(named[i])) for i in named}


def _several(registry: Registry) -> list[Several]:
    found = ambiguous_names(registry)[:_LISTED]
    return [Several(name=name, notes=tuple(_link(entity) for entity in entities)) for name, entities in found]


def _link(entity: Entity) -> Link:
    return Link(path=entity.note_path, alias=entity.display_name)


def _read(engine: Engine, result: Reviewed) -> ReviewNote:
    try:
        return parse_review(_body(engine.vault.read(REVIEW)))
    except FileNotFoundError:
        return ReviewNote()
    except VaultmemError as problem:
        result.problems[REVIEW] = str(problem)
        return ReviewNote()


def _body(note: bytes) -> str:
    """What stands below the properties; of a note that is no text, nothing."""
    return split_note(note.decode("utf-8", "replace")).body
