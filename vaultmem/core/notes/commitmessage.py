"""What a commit of memory says: a subject for people, trailers for programs (`git interpret-trailers --parse`). Pure.

memory: 12 notes added, 3 changed

Vaultmem-Added: 12 notes, 2 summaries
Vaultmem-Changed: 3 notes
Vaultmem-Sources: 2
Vaultmem-Source: slack:eng
Vaultmem-Source: whatsapp:Rowing
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from vaultmem.history import DONE, KINDS, counted

#: Sources named; all are counted.
_NAMED = 20
_MOST_CHARS = 200
_TRAILER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*: \S.*")


def kind_of(path: str) -> str:
    """What a file of memory is, by its vault path: one of KINDS."""
    if path.startswith("wiki/raw/"):
        return "notes"
    if path.startswith("wiki/summaries/"):
        return "summaries"
    if path.startswith("entities/"):
        return "entities"
    return "pages" if path.startswith("wiki/") and path.endswith(".md") else "files"


def message(text: str, counts: Mapping[str, Mapping[str, int]], sources: Sequence[str]) -> str:
    """The whole message. `text`: what the user wants to say, "" for none; trailers at its end stay trailers."""
    said = "\n".join(line.rstrip() for line in text.strip().splitlines()) or subject(counts)
    paragraphs = said.split("\n\n")
    goes_on = len(paragraphs) > 1 and all(map(_TRAILER.fullmatch, paragraphs[-1].splitlines()))
    return said + ("\n" if goes_on else "\n\n") + "".join(f"{line}\n" for line in trailers(counts, sources))


def subject(counts: Mapping[str, Mapping[str, int]]) -> str:
    """In a few words: of notes, else of whatever there is."""
    has_notes = any("notes" in counts.get(done, {}) for done in DONE)
    parts: list[str] = []
    for done in DONE:
        found = counts.get(done, {})
        kind, number = ("notes", found.get("notes", 0)) if has_notes else _whole(found)
        if number:
            parts.append(f"{number} {done}" if parts and kind == "notes" else f"{counted(number, kind)} {done}")
    return f"memory: {', '.join(parts)}"


def _whole(found: Mapping[str, int]) -> tuple[str, int]:
    """Files of one kind by its name, of several as files."""
    return (next(iter(found)) if len(found) == 1 else "files", sum(found.values()))


def trailers(counts: Mapping[str, Mapping[str, int]], sources: Sequence[str]) -> list[str]:
    """One line each."""
    lines = []
    for done in DONE:
        found = [counted(number, kind) for kind in KINDS if (number := counts.get(done, {}).get(kind, 0))]
        lines += [f"Vaultmem-{done.title()}: {', '.join(found)}"] if found else []
    lines += [f"Vaultmem-Sources: {len(sources)}"] if sources else []
    return lines + [f"Vaultmem-Source: {' '.join(source.split())[:_MOST_CHARS]}" for source in sources[:_NAMED]]
