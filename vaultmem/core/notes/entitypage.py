"""The generated region of an entity note: where it was named last, beside whom, and where to read on.

No count and no relative time stands there: it changes only when memory says something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vaultmem.core.notes.properties import utc_text
from vaultmem.core.notes.summarynote import wikilink
from vaultmem.grown import Link, Named

#: Lines of one list: the note is its reader's, the region a glance.
GLANCE = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityPage:
    """What the region shows. Every link is to a note that exists."""

    #: the entity it was merged into; then nothing else is shown
    one_with: Link | None = None
    #: its living page
    topic: Link | None = None
    #: newest first
    newest: Sequence[Named] = ()
    #: notes of those named in the same passages, the most frequent first
    beside: Sequence[Link] = ()


def render_entity_page(page: EntityPage) -> str:
    """The region's text; "" when there is nothing to say."""
    if page.one_with is not None:
        return f"The same as {wikilink(page.one_with)}.\n"
    blocks = [f"Read on: {wikilink(page.topic)}"] if page.topic else []
    if page.newest:
        blocks += ["## Newest mentions", "\n".join(map(_line, page.newest[:GLANCE]))]
    if page.beside:
        blocks += ["## Named together with", "\n".join(f"- {wikilink(link)}" for link in page.beside[:GLANCE])]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _line(named: Named) -> str:
    anchor = f"^{named.block}" if named.block else ""
    return f"- {utc_text(named.at)[:10]} {wikilink(Link(path=named.path, alias=named.title, anchor=anchor))}"
