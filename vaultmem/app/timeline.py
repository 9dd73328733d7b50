"""When an entity was spoken of: chunks that name it, counted by the owner's months."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta

from vaultmem.app.engine import Engine
from vaultmem.app.modes_topic import unclear
from vaultmem.errors import BadQuery, NotFound
from vaultmem.forest import EVER

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """How often an entity is named, month by month."""

    entity: str
    display_name: str
    #: vault path of its note; "" for none
    note_path: str
    #: chunks that name it, dropped ones left out
    chunks: int
    #: (`2026-04`, chunks that begin in it), oldest first; months without one are left out
    months: tuple[tuple[str, int], ...]

    def to_dict(self) -> dict[str, object]:
        """The JSON of `timeline`."""
        return {**asdict(self), "months": [{"month": month, "chunks": count} for month, count in self.months]}


def read_timeline(engine: Engine, name: str) -> Timeline:
    """The months of an entity: id, name or alias. Raises NotFound, BadQuery for a name that several bear."""
    ids = engine.index.company.meanings(name)
    if not ids:
        raise NotFound(name, "memory: search_entities finds names spelt alike")
    if len(ids) > 1:
        raise BadQuery("of", name, unclear(name, ids))
    seen = engine.index.company.seen(ids[0], EVER)
    zone = engine.settings.zone
    months = Counter((_EPOCH + timedelta(microseconds=s.start_us)).astimezone(zone).strftime("%Y-%m") for s in seen)
    known = {note.entity.id: note.entity for note in engine.index.registry()}.get(ids[0])
    return Timeline(
        entity=ids[0],
        display_name=known.display_name if known else ids[0].partition(":")[2],
        note_path=known.note_path if known else "",
        chunks=len(seen),
        months=tuple(sorted(months.items())),
    )
