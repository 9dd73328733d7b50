"""What conversations with an assistant have in common, whoever exported them: two speakers, one of them the owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Message, SourceItem, SourceMessage, Warn


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """What a conversation takes from the vault and the file around it."""

    #: what the person who asks is called
    name: str
    #: the time where the export has none at all
    modified_at: datetime


def of_members(names: Sequence[str], read: Callable[[str], Iterator[SourceItem]]) -> Iterator[SourceItem]:
    """All that the files of an archive hold: one that is empty or broken does not take the others with it.

    Raises the SkippedSource or UnreadableSource of the first when none of them holds anything.
    """
    wrong: list[SkippedSource | UnreadableSource] = []
    found = False
    for name in names:
        try:
            for item in read(name):
                found = True
                yield item
        except (SkippedSource, UnreadableSource) as problem:
            wrong.append(problem)
    if wrong and not found:
        raise wrong[0]
    for broken in wrong:
        if isinstance(broken, UnreadableSource):
            yield Warn(text=f"{broken}; the other files of the archive were read")


def posted(
    *,
    own_id: str,
    at: datetime,
    body: str,
    source: str,
    title: str,
    asker: str | None,
    attachments: tuple[str, ...],
    changed_at: datetime | None = None,
) -> SourceMessage:
    """One turn. `asker`: what the person is called whose turn it is, None for the assistant's.

    `changed_at`: when the export says that it was changed; no edit unless that is later than `at`.
    """
    return SourceMessage(
        message=Message(sent_at=at, author="assistant" if asker is None else asker, text=body),
        source_id=source,
        tree_scope=source,
        title=title,
        provider="conversation",
        native_id=own_id,
        edited_at=changed_at if changed_at and changed_at > at else None,
        attachments=attachments,
        cues=frozenset() if asker is None else frozenset({"sent"}),
    )


def counted(source: str, title: str, at: datetime) -> SourceMessage:
    """A line without text: the conversation counts as one of the file's, and nothing of it is stored."""
    return SourceMessage(
        message=Message(sent_at=at, author="", text=""),
        source_id=source,
        tree_scope=source,
        title=title,
        provider="conversation",
        system=True,
    )
