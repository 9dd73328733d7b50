"""The way of an agent's session into memory: turns are put into the inbox like any other file, or held for a while."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vaultmem.memory.writing import Writing

if TYPE_CHECKING:
    from vaultmem.app.sessions import SessionStep


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedSession:
    """What a call with turns left behind."""

    #: the file's name in the inbox; "" while the turns are held
    name: str
    step: SessionStep

    def to_dict(self) -> dict[str, object]:
        """For the caller: whether it waits, and for what."""
        return self.step.to_dict()


class Sessions(Writing):
    """What changes memory, sessions included."""

    def drop_session(
        self, session: str, turns: object, *, title: str = "", holds: bool = False, told: Collection[str] = ()
    ) -> DroppedSession:
        """Put turns into the inbox, from where `take` files them.

        `turns`: objects with role, text and, if there are, id, at (ISO), name. `holds`: keep them outside the vault
        until the session has grown by enough (core.sessions). `told`: lines that memory told in this session; an
        assistant's that say them again are no memory. Raises BadQuery, CannotWrite, VaultBusy.
        """
        from vaultmem.app.sessions import Session, step
        from vaultmem.store.held_sessions import HeldSessions

        kept = HeldSessions(self._data)
        with kept.changing():
            done = step(
                Session(id=session, title=title, waits=holds, told=told),
                turns,
                held=kept.read(session),
                pii=self._settings.redact_pii,
                count=self._engine.count,
                now=self._engine.now(),
            )
            name = self._intake.put_json(f"session {title or session}", done.text) if done.text else ""
            # Killed before this, the turns are held still and come again: the notes know them by their identity.
            kept.keep(session, done.keep)
        return DroppedSession(name=name, step=done)

    def drop_transcript(self, session: str, path: Path, *, holds: bool) -> DroppedSession:
        """Put the turns of a coding agent's transcript into the inbox, or hold them. Raises OSError for no file."""
        from vaultmem.app.sessions import last_turns

        with path.expanduser().open(encoding="utf-8", errors="replace") as lines:
            found = last_turns(lines)
        return self.drop_session(session, list(found.turns), holds=holds, told=found.told)
