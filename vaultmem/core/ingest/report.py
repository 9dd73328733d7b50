"""A dropped file's row in `ingest --json`: facts of the whole file, folded while it streams by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from vaultmem.core.ingest.redact import redact
from vaultmem.core.ingest.scrub import scrub_value
from vaultmem.model import Attachment, Document, Outcome, Reading, SourceItem, SourceMessage, Warn


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What became of one file of the inbox."""

    #: inbox-relative, POSIX
    file: str
    outcome: Outcome
    #: why it was skipped or failed; "" otherwise
    reason: str = ""
    #: everything the file says of itself; keys that do not apply are absent
    facts: Mapping[str, object] = field(default_factory=dict)
    #: chunks that are new in memory because of this file
    chunks: int = 0
    #: vault paths of the notes that hold this file's content, old and new
    notes: tuple[str, ...] = ()
    #: family -> count
    redacted: Mapping[str, int] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def line(self, pii: Collection[str] = ()) -> str:
        """The row in one line for a log, without secrets; `pii` as in `redact`."""
        return redact(f"{self.outcome} {self.file} {self.reason or f'{self.chunks} new chunks'}", pii).text

    def to_dict(self) -> dict[str, object]:
        """The JSON row (DESIGN §8): no secret leaves here, whatever the file's headers held."""
        row: dict[str, object] = {"file": self.file, "outcome": self.outcome}
        if self.reason:
            row["reason"] = self.reason
        if self.outcome in ("imported", "duplicate"):
            row |= self.facts
            row |= {"chunks": self.chunks, "notes": list(self.notes), "redacted": dict(self.redacted)}
            row["warnings"] = list(self.warnings)
        scrubbed = scrub_value({key: value for key, value in row.items() if key != "notes"})
        assert isinstance(scrubbed, dict)
        return {key: scrubbed.get(key, value) for key, value in row.items()}


class Tally:
    """The fold: give it every item of a reading, then ask for the facts."""

    def __init__(self, reading: Reading, zone: ZoneInfo) -> None:
        self._reading = reading
        self._zone = zone
        self._sources: dict[str, None] = {}
        self._title = ""
        self._authors: dict[str, None] = {}
        self._attachments: dict[str, None] = {}
        self._messages = 0
        self._system = 0
        self._integrations = 0
        self._first: datetime | None = None
        self._last: datetime | None = None
        self._mail: SourceMessage | None = None
        self._documents: list[Document] = []
        self.redacted: Counter[str] = Counter()
        self.warnings: list[str] = []

    def add(self, item: SourceItem) -> None:
        """Count one item, known or new."""
        match item:
            case SourceMessage():
                self._add_message(item)
            case Document():
                self._documents.append(replace(item, body=""))
                self._sources[item.source_id] = None
            case Attachment():
                self._attachments[item.name] = None
            case Warn():
                self.warnings.append(item.text)

    def _add_message(self, item: SourceMessage) -> None:
        self._sources[item.source_id] = None
        self._title = item.title
        self._attachments.update(dict.fromkeys(item.attachments))
        if item.system:
            self._system += 1
            return
        if "integration" in item.cues:
            self._integrations += 1
            return
        self._messages += item.parts
        if item.message.author and ("bot" not in item.cues or "member" in item.cues):
            self._authors.setdefault(item.message.author)
        self._mail = self._mail or item
        self._span(item.message.sent_at)
        self._span(item.last_part_at)

    def _span(self, at: datetime | None) -> None:
        if at is not None:
            self._first = at if self._first is None else min(self._first, at)
            self._last = at if self._last is None else max(self._last, at)

    def rename_source(self, provisional: str, final: str) -> None:
        """A document's identity was decided after it was counted."""
        self._sources = {final if s == provisional else s: None for s in self._sources}

    def facts(self) -> dict[str, object]:
        """The keys of the row that apply to this kind of file."""
        facts: dict[str, object] = {"format": self._reading.format, "kind": self._reading.kind}
        facts["source_ids"] = list(self._sources)
        facts |= self._document_facts() if self._reading.kind == "document" else self._message_facts()
        if self._attachments:
            facts["attachments"] = list(self._attachments)
        return facts

    def _message_facts(self) -> dict[str, object]:
        facts: dict[str, object] = {"messages": self._messages, "authors": list(self._authors)}
        if self._reading.kind == "chat":
            facts |= {"conversations": len(self._sources), "system_messages": self._system}
        if self._reading.kind == "chat" and len(self._sources) == 1 and self._title:
            facts["title"] = self._title
        if self._integrations:
            facts["integration_messages"] = self._integrations
        if self._first and self._last:
            facts |= {"first": self._iso(self._first), "last": self._iso(self._last)}
        if self._reading.tz:
            facts["tz"] = self._reading.tz
        if self._reading.kind == "email" and self._messages == 1 and self._mail:
            facts |= _mail_facts(self._mail)
        return facts

    def _document_facts(self) -> dict[str, object]:
        facts: dict[str, object] = dict(_counts(self._documents))
        if self._messages:
            facts["messages"] = self._messages
        times = [at for d in self._documents for at in (d.created_at, d.last_at) if at]
        if times:
            facts |= {"first": self._iso(min(times)), "last": self._iso(max(times))}
        if self._reading.tz:
            facts["tz"] = self._reading.tz
        authors = [name for d in self._documents for name in d.author.split("; ") if name]
        if authors:
            facts["authors"] = list(dict.fromkeys(authors))
        for key, values in (("tags", [d.tags for d in self._documents]), ("links", [d.links for d in self._documents])):
            facts[key] = list(dict.fromkeys(value for group in values for value in group))
        self._attachments.update((name, None) for d in self._documents for name in d.attachments)
        return facts | (_one_document(self._documents[0]) if len(self._documents) == 1 else {})

    def _iso(self, at: datetime) -> str:
        """With Z when the file's zone is known; else the local time as the file has it."""
        if self._reading.counts_from:
            return _offset(at - self._reading.counts_from)
        if self._reading.zone_known:
            return at.isoformat().replace("+00:00", "Z")
        local = at.astimezone(self._zone).replace(tzinfo=None)
        return local.isoformat() if self._reading.dated else local.time().isoformat()


def _offset(since: timedelta) -> str:
    """`00:04:46.070`: from the start of a recording."""
    seconds, milliseconds = divmod(since // timedelta(milliseconds=1), 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds:03}"


def _counts(documents: Sequence[Document]) -> Counter[str]:
    """What the documents say they hold, added up."""
    counts: Counter[str] = Counter()
    for document in documents:
        held = {key: value for key, value in document.facts.items() if isinstance(value, int)}
        counts.update({"notes_count": 1} | held)
    return counts


def _one_document(document: Document) -> dict[str, object]:
    """The keys that name a file's only document."""
    facts: dict[str, object] = {
        "title": document.title,
        "properties": dict(document.properties),
        "time_from": document.time_from,
    }
    return facts | {key: value for key, value in document.facts.items() if not isinstance(value, int)}


def _mail_facts(item: SourceMessage) -> dict[str, object]:
    message = item.message
    facts = {
        "subject": message.subject,
        "from": message.author,
        "to": message.to,
        "message_id": item.native_id,
        "title": item.title,
    }
    return {key: value for key, value in facts.items() if value}
