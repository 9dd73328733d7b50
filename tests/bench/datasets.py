"""Public data as index entries, read the way a dropped file is read: reader, chunking, note, passages.

The data lies beside the repository (shared/bench) and is not part of it; a set that is not there is left out.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

from tests.bench.asking import Place, entry
from vaultmem import sources
from vaultmem.config import Settings
from vaultmem.core.ingest.chunk import chunk_document
from vaultmem.core.ingest.compose import Composer, document_chunk, message_chunks
from vaultmem.core.ingest.entities import Registry, build_registry
from vaultmem.core.ingest.messages import with_keys
from vaultmem.core.notes.chunknote import render_chunk_note
from vaultmem.core.notes.entry import read_entry
from vaultmem.core.notes.paths import chunk_path
from vaultmem.model import Chunk, Document, Entry, FileStat, RawFile, SourceMessage
from vaultmem.providers.tokens import count_tokens

BENCH = Path(__file__).resolve().parents[2] / "../shared/bench"
_WHEN = datetime(2025, 1, 1, tzinfo=UTC)
_SETTINGS = Settings()


@dataclass(frozen=True, kw_only=True)
class Ask:
    """A question, where it may look ("" = everywhere), and what answers it: unit -> grade."""

    text: str
    kind: str
    gold: Mapping[str, float]
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Entries and questions; `unit_of` says which unit (turn, note, mail) a passage belongs to."""

    name: str
    entries: list[Entry]
    asks: list[Ask]
    unit_of: Callable[[Place], str]


def _registry() -> Registry:
    return build_registry([])


def _composer(file: str) -> Composer:
    return Composer(settings=_SETTINGS, registry=_registry(), count=count_tokens, file=file, original="private",
                    fallback_at=_WHEN)  # fmt: skip


def _entries(chunks: list[Chunk]) -> list[Entry]:
    """Chunks as the notes they become; admitted all, so that the gate is not what is measured."""
    made = []
    for chunk in chunks:
        text = render_chunk_note(replace(chunk, status="admitted", drop_reason=""))
        stat = FileStat(path=chunk_path(chunk, UTC), size=len(text), mtime_ns=0)
        made.append(read_entry(text, _registry(), stat))
    return made


def _rows(file: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in gzip.decompress((BENCH / file).read_bytes()).decode("utf-8").splitlines()]


def _note(name: str, data: bytes) -> list[Chunk]:
    """The chunks of one dropped document."""
    chunks = []
    for item in sources.read(RawFile(name=name, data=data, modified_at=_WHEN), _SETTINGS).items:
        if isinstance(item, Document):
            pieces = chunk_document(item.body, count=count_tokens, max_tokens=_SETTINGS.chunk_tokens)
            chunks += [
                document_chunk(item, p.text, seq=n, position=f"{n:06d}", heading=p.heading, by=_composer(name))
                for n, p in enumerate(pieces)
            ]
    return chunks


def obsidian_help() -> Dataset:
    """The help vault, note by note; a unit is a note."""
    root = BENCH / "obsidian_help/vault"
    chunks = {str(p.relative_to(root)): _note(p.relative_to(root).as_posix(), p.read_bytes())
              for p in sorted(root.rglob("*.md"))}  # fmt: skip
    unit = {chunk.chunk_id: path for path, found in chunks.items() for chunk in found}
    asks = [
        Ask(text=row["query"], kind=row["category"],
            gold={**dict.fromkeys(row["partial_paths"], 0.5), **dict.fromkeys(row["relevant_paths"], 1.0)})
        for row in json.loads((BENCH / "obsidian_help/golden_dev.json").read_text())
    ]  # fmt: skip
    entries = _entries([chunk for found in chunks.values() for chunk in found])
    return Dataset(name="Obsidian help", entries=entries, asks=asks, unit_of=lambda place: unit[place[0]])


def aeslc() -> Dataset:
    """Mails without their subjects; each subject asks for its mail."""
    rows = _rows("aeslc/dev.jsonl.gz")
    unit: dict[str, str] = {}
    chunks: list[Chunk] = []
    for number, row in enumerate(rows):
        mail = EmailMessage()
        mail["From"] = "someone@example.com"
        mail["Date"] = _WHEN
        mail["Message-ID"] = f"<{number}@example.com>"
        mail.set_content(row["body"])
        raw = RawFile(name=f"{number}.eml", data=bytes(mail), modified_at=_WHEN)
        items = [i for i in sources.read(raw, _SETTINGS).items if isinstance(i, SourceMessage)]
        found = message_chunks(with_keys(items, Counter()), kind="email", first_seq=0, by=_composer(raw.name))
        unit |= {chunk.chunk_id: row["id"] for chunk in found}
        chunks += found
    asks = [Ask(text=row["subject"], kind="subject", gold={row["id"]: 1.0}) for row in rows if row["subject"].strip()]
    return Dataset(name="AESLC", entries=_entries(chunks), asks=asks, unit_of=lambda place: unit[place[0]])


def scifact() -> Dataset:
    """Abstracts as notes; claims ask for the abstracts that judge them."""
    unit: dict[str, str] = {}
    chunks: list[Chunk] = []
    for row in _rows("scifact/corpus.jsonl.gz"):
        found = _note(f"{row['_id']}.md", f"# {row['title']}\n\n{row['text']}\n".encode())
        unit |= {chunk.chunk_id: row["_id"] for chunk in found}
        chunks += found
    gold: dict[str, dict[str, float]] = {}
    for line in (BENCH / "scifact/qrels.tsv").read_text().splitlines()[1:]:
        query, doc, score = line.split("\t")
        gold.setdefault(query, {})[doc] = float(score)
    queries = (json.loads(line) for line in (BENCH / "scifact/queries.jsonl").read_text().splitlines())
    asks = [Ask(text=q["text"], kind="claim", gold=gold[q["_id"]]) for q in queries if q["_id"] in gold]
    return Dataset(name="SciFact", entries=_entries(chunks), asks=asks, unit_of=lambda place: unit[place[0]])


def locomo() -> Dataset:
    """One source per conversation, one chunk per session, one passage per turn; a unit is a turn."""
    entries: list[Entry] = []
    asks: list[Ask] = []
    for number, item in enumerate(json.loads((BENCH / "locomo/locomo_dev.json").read_text(encoding="utf-8"))):
        talk, places = item["conversation"], {}
        source = f"slack:conversation-{number}"
        for session in sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key)):
            when = datetime.strptime(talk[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            turns = [(t["speaker"], _said(t), t["dia_id"]) for t in talk[f"session_{session}"]]
            name = f"{number:08x}{session:024x}"
            places |= {dia: f"{name}/{place}" for place, (_, _, dia) in enumerate(turns)}
            entries.append(entry(name, source, session, when, [(who, text) for who, text, _ in turns]))
        for qa in item["qa"]:
            told = {e for part in qa["evidence"] for e in re.findall(r"D\d+:\d+", part)} & places.keys()
            if told:
                gold = {places[e]: 1.0 for e in told}
                asks.append(Ask(source=source, text=qa["question"], kind=str(qa["category"]), gold=gold))
    return Dataset(name="LoCoMo", entries=entries, asks=asks, unit_of=lambda place: f"{place[0]}/{place[1]}")


def _said(turn: dict[str, str]) -> str:
    """A turn's text; a shared picture is told by its caption, as an export would name it."""
    return f"{turn['text']} [image: {turn['blip_caption']}]" if turn.get("blip_caption") else turn["text"]


SETS: Mapping[str, tuple[str, Callable[[], Dataset]]] = {
    "locomo": ("locomo/locomo_dev.json", locomo),
    "help": ("obsidian_help/golden_dev.json", obsidian_help),
    "aeslc": ("aeslc/dev.jsonl.gz", aeslc),
    "scifact": ("scifact/corpus.jsonl.gz", scifact),
}


def load(name: str) -> Dataset | None:
    """The named set; None when its files are not beside the repository."""
    file, read = SETS[name]
    return read() if (BENCH / file).exists() else None
