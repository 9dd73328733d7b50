"""Which heading of a digest a sentence belongs below: decided, to be done, changed, or none of these. Pure.

sections_of(units)  -> unit -> "Decisions" | "To do" | "Changed" | "Also"

A fact has changed where a later message says the same with another number or date ("The demo is at 3." "The demo is at
4."), or where words say so ("no longer", "moved to"). Of a language that is not known only numbers and open tasks tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from vaultmem.core.grow.calendar_words import NUMBER_WORDS, is_calendar_word
from vaultmem.core.grow.change_words import is_open, is_past, says_change, without_change
from vaultmem.core.grow.cues import commits, decides, is_question
from vaultmem.core.grow.units import Unit
from vaultmem.grown import SECTIONS

DECISIONS, TO_DO, CHANGED, ALSO = SECTIONS

_DECISION_TAG = re.compile(r"(?<![\w#/])#decision\b", re.IGNORECASE)
#: Content words a sentence needs to decide, promise or change anything: "Agreed!" alone says nothing.
_LEAST_WORDS = 3
#: Two sentences of one source speak of the same when they share this part of their content words, and at least so many
#: of them, or all. Of two sources they do not: mails of strangers end in the same words above other numbers.
_SAME = 0.5
_LEAST_SHARED = 2
#: Earlier sentences looked at for one word.
_LOOK_BACK = 24


def sections_of(units: Iterable[Unit]) -> dict[Unit, str]:
    """The heading of each unit. Units of one message never change one another."""
    ordered = sorted(units, key=lambda unit: unit.order)
    later = _later_values(ordered)
    return {unit: _section(unit, changed=index in later) for index, unit in enumerate(ordered)}


def _section(unit: Unit, *, changed: bool) -> str:
    text, language = unit.text, unit.language
    if unit.task:
        return TO_DO
    if _DECISION_TAG.search(text):
        return DECISIONS
    concepts = unit.concepts
    short = sum(concept.startswith("w:") for concept in concepts) < _LEAST_WORDS
    if is_question(text) or (short and not changed):
        return ALSO
    if decides(without_change(text, language), language) and not is_open(text):
        return DECISIONS
    if changed or says_change(text, language):
        return CHANGED
    dated = any(concept.startswith("d:") and not is_past(concept[2:]) for concept in concepts)
    return TO_DO if dated and commits(text, language) else ALSO


def _later_values(units: Sequence[Unit]) -> set[int]:
    """Places of the units that give another number or date than an earlier message did for the same thing."""
    subjects, values = [_subject(unit) for unit in units], [_values(unit) for unit in units]
    holders: dict[str, list[int]] = {}
    found: set[int] = set()
    for index, unit in enumerate(units):
        if not values[index] or is_question(unit.text):
            continue
        shared = Counter(other for stem in subjects[index] for other in holders.get(stem, ())[-_LOOK_BACK:])
        for other, common in shared.items():
            union = len(subjects[index]) + len(subjects[other]) - common
            alike = common == union or (common >= _LEAST_SHARED and common >= _SAME * union)
            if alike and _is_later(units[other], unit) and _differ(values[other], values[index]):
                found.add(index)
                break
        for stem in subjects[index]:
            holders.setdefault(stem, []).append(index)
    return found


def _subject(unit: Unit) -> frozenset[str]:
    """What it speaks of, without numbers and dates."""
    stems = (concept[2:] for concept in unit.concepts if concept.startswith("w:"))
    return frozenset(stem for stem in stems if stem not in NUMBER_WORDS and not is_calendar_word(stem))


def _values(unit: Unit) -> frozenset[str]:
    return frozenset(concept for concept in unit.concepts if concept.startswith(("n:", "d:", "o:")))


def _differ(before: frozenset[str], after: frozenset[str]) -> bool:
    """Each says something that the other does not: one that only says less changes nothing."""
    return bool(before - after) and bool(after - before)


def _is_later(earlier: Unit, later: Unit) -> bool:
    return earlier.place[0] == later.place[0] and earlier.sent_at < later.sent_at
