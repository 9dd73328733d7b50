"""The source a conversation stands under: the one it was filed as first, whatever its platform calls it now."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vaultmem.core.notes.ids import message_key
from vaultmem.model import SourceMessage
from vaultmem.ports.held import Held


@dataclass(slots=True, kw_only=True)
class Conversations:
    """What one file's conversations are filed as. Notes carry the platform's own id, so a rebuild knows it too."""

    held: Held
    #: which of these keys a source holds
    known_keys: Callable[[str, Collection[str]], Mapping[str, str]]
    #: own id -> source_id, tree_scope and the own id its notes carry
    _filed: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    #: source_id -> own id, of those above
    _named: dict[str, str] = field(default_factory=dict)

    def meet(self, batch: Sequence[SourceMessage]) -> None:
        """Decide where the conversations of a batch belong that were not met before."""
        for own_id in dict.fromkeys(item.own_id for item in batch if item.own_id):
            if own_id not in self._filed:
                self._filed[own_id] = self._place([item for item in batch if item.own_id == own_id])
                self._named.setdefault(self._filed[own_id][0], own_id)

    def filed(self, item: SourceMessage) -> SourceMessage:
        """The message under its conversation's source. One that its platform gives no id is known by its name."""
        if not item.own_id:
            return item
        source_id, tree_scope, own_id = self._filed[item.own_id]
        return replace(item, source_id=source_id, tree_scope=tree_scope, own_id=own_id)

    def _place(self, items: Sequence[SourceMessage]) -> tuple[str, str, str]:
        """As the one of its id was filed, when that has its name or some of its messages.

        Exports made by hand or by a script often count their conversations from 1: an id alone proves nothing.
        """
        first = items[0]
        earlier = self.held.filed_as(first.own_id)
        if earlier is None:
            return self._new(first)
        keys = {message_key(earlier[0], item.native_id) for item in items if item.native_id}
        if earlier[0] == first.source_id or self.known_keys(earlier[0], keys):
            return (*earlier, first.own_id)
        return first.source_id, first.tree_scope, ""

    def _new(self, item: SourceMessage) -> tuple[str, str, str]:
        """By its name; two of one name are two conversations."""
        others = self.held.own_ids(item.source_id) | {self._named.get(item.source_id, item.own_id)}
        if others <= {item.own_id}:
            return item.source_id, item.tree_scope, item.own_id
        told_apart = f"{item.source_id} ({item.own_id.partition(':')[2]})"
        return told_apart, told_apart, item.own_id
