"""Compares what a reader yields with an entry of the samples' expected.yaml (the rules stand in its SCHEMA.md)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from vaultmem.model import Attachment, Document, SourceItem, SourceMessage

SAMPLES = Path(__file__).parents[2] / "../shared/samples"


def entries(folder: str) -> list[dict[str, Any]]:
    """The entries of one folder's expected.yaml; skips the test where the samples are absent."""
    path = SAMPLES / folder / "expected.yaml"
    if not path.exists():
        pytest.skip("the shared samples are not here")
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found if isinstance(found, list) else [found]


def loose(text: str) -> str:
    """The form in which must_contain is compared: NFC, single blanks, no escapes, no emphasis."""
    text = unicodedata.normalize("NFC", text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return " ".join(re.sub(r"[*_~]|==", "", text).split())


def holds(body: str, wanted: str) -> bool:
    if "\n" in wanted or wanted != wanted.lstrip():
        return wanted in body
    return loose(wanted) in loose(body)


def body_of(items: Iterable[SourceItem]) -> str:
    texts = []
    for item in items:
        if isinstance(item, SourceMessage):
            texts.append(item.message.text)
        elif isinstance(item, Document):
            texts.append(item.body)
        elif isinstance(item, Attachment):
            texts.append(item.data.decode("utf-8", "replace"))
    return "\n\n".join(texts)


def problems(items: Iterable[SourceItem], entry: Mapping[str, Any]) -> list[str]:
    """Every difference between the items and the entry, in words; [] when they agree."""
    found = list(items)
    messages = [i for i in found if isinstance(i, SourceMessage)]
    posts = [m for m in messages if not m.system]
    body = body_of(found)
    wrong = [f"misses {text!r}" for text in entry.get("must_contain", ()) if not holds(body, text)]
    wrong += [f"holds {text!r}" for text in entry.get("must_not_contain", ()) if holds(body, text)]
    wrong += _counts(messages, posts, entry)
    wrong += _times(posts, entry)
    if "authors" in entry:
        authors = {m.message.author for m in posts if "bot" not in m.cues or "member" in m.cues} - {""}
        if authors != set(entry["authors"]):
            wrong.append(f"authors {sorted(authors)} != {sorted(entry['authors'])}")
    if "attachments" in entry:
        names = [n for m in messages for n in m.attachments] + [i.name for i in found if isinstance(i, Attachment)]
        wrong += [f"attachment {n!r} missing" for n in entry["attachments"] if n not in names]
    return wrong


def _counts(messages: list[SourceMessage], posts: list[SourceMessage], entry: Mapping[str, Any]) -> list[str]:
    low = entry.get("messages_min", entry.get("messages"))
    high = entry.get("messages_max", entry.get("messages"))
    wrong = []
    said = sum(m.parts for m in posts)
    if low is not None and not low <= said <= high:
        wrong.append(f"messages {said} not in {low}..{high}")
    if "system_messages" in entry and len(messages) - len(posts) != entry["system_messages"]:
        wrong.append(f"system messages {len(messages) - len(posts)} != {entry['system_messages']}")
    sources = {m.source_id for m in messages}
    if "conversations" in entry and len(sources) != entry["conversations"]:
        wrong.append(f"conversations {sorted(sources)}")
    return wrong


def _times(posts: list[SourceMessage], entry: Mapping[str, Any]) -> list[str]:
    times = [m.message.sent_at for m in posts if m.message.sent_at]
    wrong = []
    for key, at in (("first", min(times, default=None)), ("last", max(times, default=None))):
        wanted = entry.get(key)
        # A recording's own times are seen in the report alone: tests/test_samples.py compares them.
        if wanted is not None and "-" in str(wanted) and at != moment(wanted):
            wrong.append(f"{key} {at} != {wanted}")
    return wrong


def moment(value: object) -> datetime:
    """The entry's time with default zone UTC (YAML may already have made it a datetime)."""
    at = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
