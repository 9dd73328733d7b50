"""The regions of entity notes: written when what they show has changed, and only where the marks still stand.

A note without marks was written by hand, or its reader took them out: it is left as it is. So are notes outside
`entities/`: they are the user's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from vaultmem.app.engine import Engine
from vaultmem.app.living import edit_living, forget_shown
from vaultmem.app.registry import what_is_known
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.notes.entitypage import GLANCE, EntityPage, render_entity_page
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.core.notes.paths import ENTITIES
from vaultmem.core.notes.properties import split_note
from vaultmem.core.notes.region import region_of, replace_region
from vaultmem.core.notes.topicpage import topic_path
from vaultmem.errors import BadProperties
from vaultmem.grown import Link, Named
from vaultmem.model import Entity

#: A hash of all that the regions were made of.
_STATE = "entity_pages"
#: Raised when the regions' own text changes, so that existing ones are written again.
_LAYOUT = "1"


def refresh_entity_pages(engine: Engine, registry: Registry) -> tuple[str, ...]:
    """Bring the regions up to date; the notes that were left for later, because a person had just saved them."""
    state = _state(engine, registry)
    if engine.index.get_meta(_STATE) == state:
        return ()
    forget_entity_pages(engine)
    later = tuple(path for path, text in _texts(engine, registry) if not _write(engine, path, text))
    if not later:
        engine.index.set_meta(_STATE, state)
    return later


def forget_entity_pages(engine: Engine) -> None:
    """The regions are to be written again."""
    forget_shown(engine, _STATE)


def _state(engine: Engine, registry: Registry) -> str:
    topics = sorted(e.id for e in registry.entities.values() if engine.vault.stat(_topic(e)) is not None)
    return sha256_hex(" ".join([_LAYOUT, what_is_known(engine, registry), *topics]).encode())


def _texts(engine: Engine, registry: Registry) -> Iterator[tuple[str, str]]:
    """(path, region) of every entity note."""
    newest: dict[str, list[Named]] = defaultdict(list)
    for identity, named in engine.index.newest_named(GLANCE):
        newest[identity].append(named)
    beside: dict[str, list[Link]] = defaultdict(list)
    for identity, other in engine.index.named_beside(GLANCE):
        if registry.entities[other].note_path:
            beside[identity].append(_link(registry.entities[other]))
    for identity, entity in sorted(registry.entities.items()):
        if not entity.note_path.startswith(f"{ENTITIES}/"):
            continue
        target = registry.targets[identity]
        topic = Link(path=_topic(entity), alias=entity.display_name)
        page = EntityPage(
            one_with=_link(registry.entities[target]) if target != identity else None,
            topic=topic if engine.vault.stat(topic.path) else None,
            newest=newest[identity],
            beside=beside[identity],
        )
        yield entity.note_path, render_entity_page(page)


def _topic(entity: Entity) -> str:
    return topic_path(entity.id)


def _link(entity: Entity) -> Link:
    return Link(path=entity.note_path, alias=entity.display_name)


def _write(engine: Engine, path: str, text: str) -> bool:
    """False when the note is left for later. A broken note is named elsewhere, and waits for its reader."""

    def change(note: bytes) -> bytes:
        has_marks = region_of(split_note(note.decode("utf-8", "replace")).body) is not None
        return replace_region(note, text) if has_marks else note

    try:
        return edit_living(engine, path, change)
    except (BadProperties, FileNotFoundError):
        return True
