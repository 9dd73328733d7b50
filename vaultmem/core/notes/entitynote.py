"""The notes of `entities/`: a person, project or topic as a note that its reader may edit, both ways (FORMAT.md)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import get_args

from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.ids import entity_id
from vaultmem.core.notes.properties import Property, load_properties, split_note
from vaultmem.core.notes.region import BEGIN, END
from vaultmem.core.notes.values import named, text, texts
from vaultmem.errors import BadNote
from vaultmem.model import Entity, EntityKind

_KINDS: Mapping[str, EntityKind] = {kind: kind for kind in get_args(EntityKind)}


def render_entity_note(entity: Entity) -> str:
    """A new entity note: its properties, its name as title, and an empty region for what vaultmem will say there."""
    properties: dict[str, Property] = {
        "id": entity.id,
        "kind": entity.kind,
        "display_name": entity.display_name,
        "aliases": named(entity.aliases),
        "emails": named(entity.emails),
        "handles": named(entity.handles),
        "created_at": entity.created_at,
        "updated_at": entity.updated_at,
        "same_as": named(entity.same_as),
        "not_same_as": named(entity.not_same_as),
    }
    title = " ".join(entity.display_name.split())
    return render_note(properties, f"# {title}\n\n{BEGIN}\n{END}\n")


def parse_entity_note(path: str, data: bytes) -> Entity:
    """The entity a note in `entities/` stands for, also one that a person wrote by hand.

    What such a note leaves out is read off its path, `entities/<kind>/<name>.md`. Raises BadNote when it stands for
    nothing, BadProperties for broken YAML.
    """
    try:
        parts = split_note(data.decode())
    except UnicodeDecodeError:
        raise BadNote("it is not UTF-8") from None
    found = load_properties(parts.frontmatter or "", strict=True)
    folder, _, file = path.rpartition("/")
    kind = text(found, "kind").strip().lower() or folder.rpartition("/")[2]
    if kind not in _KINDS:
        raise BadNote(f"kind: {kind!r} is none of {', '.join(_KINDS)}")
    name = text(found, "display_name").strip() or file.removesuffix(".md")
    return Entity(
        id=text(found, "id").strip() or entity_id(kind, name),
        kind=_KINDS[kind],
        display_name=name,
        aliases=texts(found, "aliases"),
        emails=texts(found, "emails"),
        handles=texts(found, "handles"),
        note_path=path,
        same_as=texts(found, "same_as"),
        not_same_as=texts(found, "not_same_as"),
        created_at=text(found, "created_at"),
        updated_at=text(found, "updated_at"),
    )


def stamp(entity: Entity, now: datetime) -> dict[str, datetime]:
    """What says that a note was changed: a key that a person left out, or took out, is not put in."""
    return {"updated_at": now.astimezone(UTC)} if entity.updated_at else {}
