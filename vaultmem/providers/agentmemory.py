"""Facts in the REST service of agentmemory, which several agents share.

A fact is a memory of type `fact` whose project is the namespace, whose content reads `key: value`, and whose concepts
name the key exactly. The service only ever gets more of them: which one counts is the newest of its key, and the rest
are what stood there before. (The service's own idea of what supersedes what compares wording, so that two keys with
alike values would hide each other.) Memories of other agents in that project are read as facts named by their ids.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from vaultmem.core.notes.ids import fold, slug
from vaultmem.errors import EndpointTrouble, FactsTrouble
from vaultmem.facts import Change, Earlier, Fact, NewFact
from vaultmem.providers.http_json import get_json, post_json
from vaultmem.userconfig import FactsHome

_MARK = "vaultmem-fact"
_KEY = "vaultmem-key:"
_SINCE = "vaultmem-since:"
_SOURCE = "vaultmem-source:"
_NUMBER = "vaultmem-number:"
#: Memories asked for at once, and pages at most: a service that never says it is at its end is left.
_PAGE = 500
_PAGES = 200
_MOST_BYTES = 8_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Memory:
    """One memory of the service, as far as it is a fact."""

    id: str
    project: str
    key: str
    value: str
    since: str
    source: str
    #: how many of this key there were before it
    number: int
    created: str
    #: whether vaultmem wrote it
    own: bool


class AgentMemory:
    """`ports.Facts` on one agentmemory service."""

    def __init__(self, home: FactsHome) -> None:
        self._home = home
        self._base = f"{home.url.removesuffix('/agentmemory')}/agentmemory"

    @property
    def home(self) -> str:
        """The service and its address."""
        return self._home.shown

    def namespaces(self) -> tuple[str, ...]:
        """The projects that hold something, sorted."""
        return tuple(sorted({memory.project for memory in self._all() if memory.project}))

    def read(self, namespace: str) -> tuple[Fact, ...]:
        """The newest memory of each key."""
        found = self._keyed(namespace)
        return tuple(_fact(namespace, memories) for _, memories in sorted(found.items()))

    def put(self, namespace: str, items: Sequence[NewFact], *, now: datetime) -> tuple[Change, ...]:
        """One request for each value that is new."""
        stamp = now.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        held = self._keyed(namespace)
        changes = []
        for item in items:
            before = held.get(fold(item.key), [])
            old = before[-1].value if before else ""
            if before and old == item.value:
                changes.append(Change(key=before[-1].key, value=item.value, done="same", before=old))
                continue
            at = item.at or stamp
            self._remember(namespace, item, at, len(before))
            done = Change(key=item.key, value=item.value, done="superseded" if before else "added", before=old)
            changes.append(done)
            held.setdefault(fold(item.key), before).append(_written(namespace, item, at, len(before)))
        return tuple(changes)

    def forget_shared(self, sources: Collection[str], texts: Collection[str]) -> int:
        """One request for each memory of ours that says where it comes from, or what it says, in these words."""
        gone = [
            memory for memory in self._all()
            if memory.own
            and (any(mark in memory.source for mark in sources) or any(text in memory.value for text in texts))
        ]  # fmt: skip
        for memory in gone:
            answer = self._asked("forget", {"memoryId": memory.id})
            if not isinstance(answer, dict) or answer.get("success") is False:
                raise FactsTrouble(self.home, "it did not forget a fact")
        return len(gone)

    def _remember(self, namespace: str, item: NewFact, stamp: str, number: int) -> None:
        source = [f"{_SOURCE}{item.source}"] if item.source else []
        body = {
            "content": f"{item.key}: {item.value}",
            "type": "fact",
            "project": namespace,
            "concepts": [_MARK, f"{_KEY}{item.key}", f"{_SINCE}{stamp}", f"{_NUMBER}{number}", *source],
        }
        answer = self._asked("remember", body)
        if not isinstance(answer, dict) or answer.get("success") is False:
            told = str(answer.get("error", "")) if isinstance(answer, dict) else ""
            raise FactsTrouble(self.home, f"it did not keep the fact{f': {told[:200]}' if told else ''}")

    def _keyed(self, namespace: str) -> dict[str, list[_Memory]]:
        """Folded key -> its memories, oldest first."""
        found: dict[str, list[_Memory]] = {}
        for memory in self._all():
            if memory.project == namespace:
                found.setdefault(fold(memory.key), []).append(memory)
        for memories in found.values():
            memories.sort(key=lambda m: (m.number, m.created, m.id))
        return found

    def _all(self) -> list[_Memory]:
        """Everything the service holds, each memory once, page by page."""
        found: dict[str, _Memory] = {}
        for page in range(_PAGES):
            answer = self._asked(f"memories?agentId=*&limit={_PAGE}&offset={page * _PAGE}")
            listed = answer.get("memories") if isinstance(answer, dict) else None
            if not isinstance(listed, list):
                raise FactsTrouble(self.home, "its answer is no list of memories")
            before = len(found)
            for raw in listed:
                memory = _read(raw)
                if memory:
                    found[memory.id] = memory
            # Older services know no pages and give everything at once, again and again.
            if len(listed) < _PAGE or len(found) == before:
                break
        return list(found.values())

    def _asked(self, route: str, body: Mapping[str, object] | None = None) -> object:
        url, home = f"{self._base}/{route}", self._home
        try:
            if body is None:
                return get_json(url, key=home.key, seconds=home.timeout, most_bytes=_MOST_BYTES)
            return post_json(url, body, key=home.key, seconds=home.timeout, most_bytes=_MOST_BYTES)
        except EndpointTrouble as trouble:
            raise FactsTrouble(self.home, trouble.cause) from None


def _read(raw: object) -> _Memory | None:
    """None for what is no memory of a project, and for others' memories that are out of date."""
    if not isinstance(raw, dict):
        return None
    texts = {name: raw.get(name) for name in ("id", "project", "content", "createdAt")}
    if not isinstance(texts["id"], str) or not isinstance(texts["content"], str):
        return None
    named = [concept for concept in raw.get("concepts") or () if isinstance(concept, str)]
    key = _named(named, _KEY)
    own = _MARK in named and bool(key)
    if not own and raw.get("isLatest") is False:
        return None
    number = _named(named, _NUMBER)
    created = texts["createdAt"] if isinstance(texts["createdAt"], str) else ""
    return _Memory(
        id=texts["id"],
        project=slug(texts["project"]) if isinstance(texts["project"], str) and texts["project"] else "",
        key=key if own else texts["id"],
        value=texts["content"].removeprefix(f"{key}: ") if own else texts["content"],
        since=_named(named, _SINCE) or created,
        source=_named(named, _SOURCE),
        number=int(number) if number.isdecimal() else 0,
        created=created,
        own=own,
    )


def _named(concepts: Sequence[str], prefix: str) -> str:
    return next((concept.removeprefix(prefix) for concept in concepts if concept.startswith(prefix)), "")


def _written(namespace: str, item: NewFact, stamp: str, number: int) -> _Memory:
    """What was just sent, as it would be read."""
    return _Memory(
        id="", project=namespace, key=item.key, value=item.value, since=stamp, source=item.source, number=number,
        created=stamp, own=True,
    )  # fmt: skip


def _fact(namespace: str, memories: Sequence[_Memory]) -> Fact:
    """Oldest first -> the newest, with what stood there before."""
    newest = memories[-1]
    earlier = tuple(
        Earlier(value=old.value, since=old.since, until=then.since, source=old.source)
        for old, then in pairwise(memories)
    )
    return Fact(
        namespace=namespace,
        key=newest.key,
        value=newest.value,
        since=newest.since,
        source=newest.source,
        earlier=earlier[::-1],
    )
