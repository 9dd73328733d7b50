"""A dropped file becomes notes and rows (DESIGN §3, order).

claim -> read -> canonicalise -> redact -> skip known -> chunk -> extract -> score -> compose -> write the batch's
notes -> index -> archive the original -> release the claim. A kill between any two of these, then a restart, ends as if
nothing had happened: the claim names the notes that may be half there, and doing it again writes the same bytes.
"""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from vaultmem import sources
from vaultmem.app.conversations import Conversations
from vaultmem.app.documents import Copies, take_document
from vaultmem.app.engine import Engine
from vaultmem.app.notes import free_path, write_notes
from vaultmem.app.originals import plan_original, with_picture
from vaultmem.app.reconcile import settle
from vaultmem.app.revise import Edits, take_edits
from vaultmem.app.statements import learn
from vaultmem.core.ingest.compose import Composer, message_chunks
from vaultmem.core.ingest.entities import Registry
from vaultmem.core.ingest.messages import edited_messages, new_messages, with_keys
from vaultmem.core.ingest.redact import redact
from vaultmem.core.ingest.report import FileReport, Tally
from vaultmem.core.ingest.scrub import scrub_document, scrub_message
from vaultmem.core.ingest.split_keys import without_split_keys
from vaultmem.core.notes.broken import Broken
from vaultmem.core.notes.tombstones import Tombstones
from vaultmem.errors import CannotWrite, IndexTrouble, SkippedSource, UnreadableSource, UnreadableVault, VaultmemError
from vaultmem.model import (
    Attachment,
    Bytes,
    Chunk,
    Claim,
    Document,
    RawFile,
    Reading,
    SourceItem,
    SourceKind,
    SourceMessage,
    Warn,
)
from vaultmem.sources.chat.session import SCOPE

# They log pieces of the files they read: no log is a place for them.
for _library in ("pypdf", "exifread", "tnefparse"):
    logging.getLogger(_library).addHandler(logging.NullHandler())
    logging.getLogger(_library).propagate = False

#: Messages taken together: memory and transactions stay small, fsyncs are shared.
BATCH = 500
#: Characters of text after which a batch is full, however few messages it has.
BATCH_CHARS = 2_000_000
_SLICE = 1 << 20
#: A mail may carry a text file; what that carries in turn is not unpacked.
_MAX_NESTING = 1


@dataclass(slots=True, kw_only=True)
class _Progress:
    """What one file has brought so far."""

    engine: Engine
    registry: Registry
    tombstones: Tombstones
    broken: Broken
    copies: Copies
    raw: RawFile
    claim: Claim
    tally: Tally
    composer: Composer
    conversations: Conversations
    seen: Counter[str] = field(default_factory=Counter)
    open_keys: set[str] = field(default_factory=set)
    #: keys of messages that a person deleted earlier
    buried: set[str] = field(default_factory=set)
    #: keys of messages whose authors changed them: taken over, and left as a person wrote them
    edited: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    #: keys of messages that stand in notes which cannot be read
    unread: set[str] = field(default_factory=set)
    #: new turns of agents' sessions, all of them when this file was begun before: their facts are yet to be taken
    said: list[SourceMessage] = field(default_factory=list)
    is_redone: bool = False
    #: earlier names of the very same file
    twins: dict[str, None] = field(default_factory=dict)
    messages: int = 0
    chunks: int = 0
    notes: dict[str, None] = field(default_factory=dict)


def ingest_file(
    engine: Engine, registry: Registry, tombstones: Tombstones, name: str, broken: Broken, copies: Copies
) -> FileReport:
    """Take one settled file of the inbox all the way. Never raises for what is in the file.

    `broken`: what stands in chunk notes that the index could not read.
    """
    earlier = [claim for claim in engine.intake.claims() if claim.file == name]
    claim: Claim | None = None
    try:
        with engine.intake.load(name) as raw:
            claim = _claim(name, _digest(raw.data), earlier)
            engine.intake.open_claim(claim)
            report, archived = _take(engine, registry, tombstones, raw, claim, broken, copies, is_redone=bool(earlier))
    except SkippedSource as skipped:
        report = FileReport(file=name, outcome="skipped", reason=redact(str(skipped), engine.settings.redact_pii).text)
    except (CannotWrite, IndexTrouble, UnreadableVault):
        raise  # the disk's trouble, not the file's: it stays in the inbox, and its claim open
    except VaultmemError as problem:
        report = _set_aside(engine, name, str(problem))
    except OSError:
        raise
    except Exception as bug:  # noqa: BLE001 - a reader's bug must cost one file its import, never the run
        report = _set_aside(engine, name, f"vaultmem could not read this file ({type(bug).__name__}): please report it")
    else:
        assert claim is not None
        engine.intake.keep(name, claim.sha256, archived=archived)
    if claim and earlier:
        settle(engine, registry, claim)
    for done in [*earlier, *([claim] if claim else [])]:
        engine.intake.close_claim(done.sha256)
    return report


def _claim(name: str, sha256: str, earlier: Sequence[Claim]) -> Claim:
    """The claim of this ingest; what an interrupted one had planned stays named until this one is through."""
    return Claim(
        sha256=sha256,
        file=name,
        planned=tuple(path for claim in earlier for path in claim.planned),
        removing=tuple(path for claim in earlier for path in claim.removing),
    )


def _set_aside(engine: Engine, name: str, reason: str) -> FileReport:
    """Move the file to `_failed/` with a reason that holds no secret."""
    clean = redact(reason, engine.settings.redact_pii).text
    engine.intake.fail(name, clean)
    return FileReport(file=name, outcome="failed", reason=clean)


def _digest(data: Bytes) -> str:
    digest = hashlib.sha256()
    for start in range(0, len(data), _SLICE):
        digest.update(data[start : start + _SLICE])
    return digest.hexdigest()


def _take(
    engine: Engine,
    registry: Registry,
    tombstones: Tombstones,
    raw: RawFile,
    claim: Claim,
    broken: Broken,
    copies: Copies,
    *,
    is_redone: bool,
) -> tuple[FileReport, str]:
    """Read the file and bring in what is new, batch by batch; and where its original goes in the archive, or ""."""
    reading, archived = plan_original(engine, raw, sources.read(raw, engine.settings), claim.sha256)
    progress = _Progress(
        engine=engine,
        registry=registry,
        tombstones=tombstones,
        broken=broken,
        copies=copies,
        raw=raw,
        is_redone=is_redone,
        claim=replace(claim, original=archived),
        tally=Tally(reading, engine.settings.zone),
        conversations=Conversations(held=engine.index.held, known_keys=engine.index.known_keys),
        composer=Composer(
            settings=engine.settings,
            registry=registry,
            count=engine.count,
            file=redact(raw.name, engine.settings.redact_pii).text,
            original=f"[[{archived}|{archived.rpartition('/')[2]}]]" if archived else "private",
            fallback_at=raw.modified_at,
            asks=engine.llm() is not None,
        ),
    )
    _take_items(progress, reading.items, nesting=0)
    tally = progress.tally
    learned = learn(engine, progress.said)
    for notice in (*_notices(progress), *learned.problems):
        tally.add(Warn(text=notice))
    facts = {**tally.facts(), **learned.row}
    report = FileReport(
        file=raw.name,
        # A list that others are read with holds nothing of its own: nothing in it was known before.
        outcome="imported" if progress.chunks or not facts["source_ids"] else "duplicate",
        reason="" if progress.chunks else _sameness(progress),
        facts=facts,
        chunks=progress.chunks,
        notes=tuple(progress.notes),
        redacted=dict(tally.redacted),
        warnings=tuple(redact(warning, engine.settings.redact_pii).text for warning in tally.warnings),
    )
    # What held a secret after all is never shown: better a link that leads nowhere.
    return report, "" if report.redacted else archived


def _sameness(progress: _Progress) -> str:
    """Of what earlier file this one is a copy; "" for none."""
    return f"the same file as {', '.join(progress.twins)}" if progress.twins else ""


def _notices(progress: _Progress) -> Iterator[str]:
    """What a person should know of messages that were known before."""
    if progress.buried:
        yield f"{len(progress.buried)} messages of it were deleted by hand earlier and stay deleted"
    if progress.edited:
        yield f"{len(progress.edited)} messages were edited since they were filed: their notes hold the new text"
    if progress.unread:
        yield f"{len(progress.unread)} messages of it stand in notes that cannot be read: mend those notes"
    if progress.kept:
        yield f"{len(progress.kept)} edited messages stand in notes that you edited: your text stays"


def _take_items(progress: _Progress, items: Iterable[SourceItem], nesting: int) -> None:
    for is_message, run in groupby(items, key=lambda item: isinstance(item, SourceMessage)):
        if is_message:
            for batch in _batches(item for item in run if isinstance(item, SourceMessage)):
                progress.messages += len(batch)
                progress.engine.progress(f"{progress.raw.name}: {progress.messages:,} messages")
                _take_messages(progress, batch)
        else:
            for item in run:
                _take_other(progress, item, nesting)


def _batches(items: Iterable[SourceMessage]) -> Iterator[list[SourceMessage]]:
    batch: list[SourceMessage] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.message.text)
        if len(batch) == BATCH or size >= BATCH_CHARS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _take_messages(progress: _Progress, batch: Sequence[SourceMessage]) -> None:
    """Redact, identify, and write what is new of up to BATCH messages."""
    clean: list[SourceMessage] = []
    progress.conversations.meet(batch)
    for item in without_split_keys(batch, progress.open_keys):
        scrubbed, removed = scrub_message(item, progress.engine.settings.redact_pii)
        scrubbed = progress.conversations.filed(scrubbed)
        progress.tally.redacted.update(removed)
        clean.append(scrubbed)
        progress.tally.add(scrubbed)
    keyed = with_keys([item for item in clean if not _is_bare_notice(item)], progress.seen)
    by_source: dict[str, list[SourceMessage]] = {}
    for item in keyed:
        by_source.setdefault(item.source_id, []).append(item)
    chunks: list[Chunk] = []
    edits = Edits()
    for source_id, items in by_source.items():
        chunks += _take_source(progress, source_id, items, edits)
    if chunks or edits.rewritten:
        engine = progress.engine
        placed = [*edits.added, *((free_path(engine, chunk), chunk) for chunk in chunks)]
        claim = replace(progress.claim, planned=(*progress.claim.planned, *edits.together))
        # Edited notes are written with the batch: one barrier, whatever is new in it.
        write_notes(engine, progress.registry, placed, claim=claim, rewritten=edits.rewritten, removing=edits.removing)
        progress.chunks += len(chunks) + edits.chunks
        progress.notes.update(dict.fromkeys(path for path, _ in placed))
    progress.edited |= edits.taken
    progress.kept |= edits.kept


def _take_source(
    progress: _Progress, source_id: str, items: Sequence[SourceMessage], edits: Edits
) -> tuple[Chunk, ...]:
    """The chunks of what one source lacks of these messages; what their authors changed goes to `edits`."""
    engine = progress.engine
    keys = [item.message.key for item in items]
    known = engine.index.known_keys(source_id, keys)
    progress.notes.update(dict.fromkeys(known[key] for key in keys if key in known))
    seen = dict(zip(keys, items, strict=True))
    before = len(edits.added)
    take_edits(engine, source_id, edited_messages(items, known), seen, edits, known=known, by=progress.composer)
    unread = progress.broken.known(source_id, keys)
    progress.unread |= unread.keys() - known.keys()
    progress.notes.update(dict.fromkeys(unread.values()))
    fresh = _fresh(progress, source_id, items, {**unread, **known})
    if source_id.startswith(SCOPE):
        progress.said += items if progress.is_redone else fresh
    seq = engine.index.next_seq(source_id) + len(edits.added) - before
    return message_chunks(fresh, kind=_kind(fresh), first_seq=seq, by=progress.composer)


def _is_bare_notice(item: SourceMessage) -> bool:
    """A system line that says nothing about the conversation (encryption notices): counted, never stored."""
    return item.system and not item.message.text.strip()


def _fresh(
    progress: _Progress, source_id: str, items: Sequence[SourceMessage], known: Mapping[str, str]
) -> tuple[SourceMessage, ...]:
    """The messages the source does not hold and nobody deleted."""
    buried = progress.tombstones.buried(source_id, [item.message.key for item in items])
    progress.buried |= buried - known.keys()
    return new_messages(items, known.keys() | buried)


def _kind(items: Sequence[SourceMessage]) -> SourceKind:
    return "email" if items and items[0].source_id.startswith("mail:") else "chat"


def _take_other(progress: _Progress, item: SourceItem, nesting: int) -> None:
    match item:
        case Document():
            scrubbed, removed = scrub_document(item, progress.engine.settings.redact_pii)
            progress.tally.redacted.update(removed)
            if nesting == 0:
                progress.tally.add(scrubbed)
            _take_document(progress, with_picture(scrubbed, progress.claim.original))
        case Attachment() if nesting < _MAX_NESTING:
            progress.tally.add(item)
            _take_attachment(progress, item, nesting)
        case Warn():
            progress.tally.add(item)
        case _:
            progress.tally.add(item)


def _take_document(progress: _Progress, document: Document) -> None:
    taken = take_document(
        progress.engine,
        progress.registry,
        document,
        buried=progress.tombstones,
        broken=progress.broken,
        copies=progress.copies,
        by=progress.composer,
        claim=progress.claim,
    )
    progress.tally.rename_source(document.source_id, taken.source_id)
    progress.twins.update({taken.same_as: None} if taken.same_as else {})
    progress.chunks += taken.chunks
    progress.notes.update(dict.fromkeys(taken.notes))


def _take_attachment(progress: _Progress, item: Attachment, nesting: int) -> None:
    """A text attachment becomes a document of its own; one that cannot be read is named and passed over."""
    raw = RawFile(name=f"{progress.raw.name}/{item.name}", data=item.data, modified_at=progress.raw.modified_at)
    try:
        inner: Reading = sources.read(raw, progress.engine.settings)
    except (UnreadableSource, SkippedSource) as problem:
        progress.tally.add(Warn(text=f"attachment {item.name}: {problem}"))
        return
    _take_items(progress, inner.items, nesting + 1)
