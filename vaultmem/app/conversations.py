"""The source a conversation stands under: the one it was filed as first, whatever its platform calls it now."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from vaultmem.model import SourceMessage
from vaultmem.ports.held import Held


@dataclass(slots=True, kw_only=True)
class Conversations:
    """What one file's conversations are filed as. Notes carry the platform's own id, so a rebuild knows it too."""

    held: Held
    #: own id -> source_id and tree_scope
    _filed: dict[str, tuple[str, str]] = field(default_factory=dict)
    #: source_id -> own id, of those above
    _named: dict[str, str] = field(default_factory=dict)

    def filed(self, item: SourceMessage) -> SourceMessage:
        """The message under its conversation's source. One that its platform gives no id is known by its name."""
        if not item.own_id:
            return item
        if item.own_id not in self._filed:
            self._filed[item.own_id] = self.held.filed_as(item.own_id) or self._new(item)
            self._named.setdefault(self._filed[item.own_id][0], item.own_id)
        source_id, tree_scope = self._filed[item.own_id]
        return replace(item, source_id=source_id, tree_scope=tree_scope)

    def _new(self, item: SourceMessage) -> tuple[str, str]:
        """By its name; two of one name are two conversations."""
        others = self.held.own_ids(item.source_id) | {self._named.get(item.source_id, item.own_id)}
        if others <= {item.own_id}:
            return item.source_id, item.tree_scope
        told_apart = f"{item.source_id} ({item.own_id.partition(':')[2]})"
        return told_apart, told_apart
