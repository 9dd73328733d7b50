"""Every sample of the formats we read, dropped into a vault of its own, against what a person can read off the file."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, time
from pathlib import Path

import pytest
import yaml

from tests.vaults import SAMPLES, Box
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.entry import passages_of

FOLDERS = [
    "chat/whatsapp", "chat/slack", "chat/chatgpt", "chat/discord", "chat/telegram", "chat/signal", "chat/teams",
    "chat/claude", "chat/irc", "chat/transcript",
    "email/eml", "email/reply", "email/mbox", "doc/md", "doc/txt", "doc/clip", "doc/html",
    "doc/pdf", "doc/docx", "doc/csv", "doc/ics",
    "doc/notion", "doc/enex", "doc/apple", "doc/keep", "doc/takeout", "doc/kindle",
]  # fmt: skip
BUGS = ["01", "05", "07", "09", "11", "13", "15", "17", "19", "21", "23", "25", "27", "29"]


def cases() -> list[tuple[Path, dict[str, object]]]:
    folders = [SAMPLES / name for name in FOLDERS]
    folders += [path for number in BUGS for path in SAMPLES.glob(f"bugs/{number}-*")]
    found = []
    for folder in folders:
        if folder.is_dir():
            entries = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))
            found += [(folder, entry) for entry in entries]
    return found


CASES = cases()


def flat(text: str) -> str:
    """The comparison rule of SCHEMA.md."""
    text = unicodedata.normalize("NFC", text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    text = re.sub(r"[*_~]|==", "", text)
    return re.sub(r"\s+", " ", text)


def holds(body: str, wanted: str) -> bool:
    if "\n" in wanted or wanted != wanted.lstrip():
        return wanted in body
    return flat(wanted).strip() in flat(body)


def body_of(box: Box, row: dict[str, object]) -> str:
    """What a reader sees: the text of the passages, with mail subjects left out of it."""
    bodies = []
    for path in row["notes"]:  # type: ignore[attr-defined]
        chunk = parse_chunk_note((box.root / path).read_text(encoding="utf-8"))
        if chunk.source_kind == "document":
            bodies.append(chunk.body)
        else:
            bodies += [passage.text for passage in passages_of(chunk)]
    return "\n".join(bodies)


def moment(text: object) -> datetime | time:
    """A time as written; one without a date is of the day, or from the start of a recording."""
    written = str(text)
    return datetime.fromisoformat(written) if "-" in written else time.fromisoformat(written)


@pytest.mark.skipif(not CASES, reason="the samples are not beside the repository")
@pytest.mark.parametrize(("folder", "entry"), CASES, ids=[f"{f.name}/{e['file']}" for f, e in CASES])
def test_sample(folder: Path, entry: dict[str, object], tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.drop(folder / str(entry["file"]), str(entry["file"]))
    rows = box.sync()
    row = next(r for r in rows if unicodedata.normalize("NFC", str(entry["file"])) == r["file"])

    outcome = str(entry["outcome"])
    if outcome.startswith("skip"):
        assert row["outcome"] == "skipped"
        assert row["reason"]
        return
    if outcome == "quarantine":
        assert row["outcome"] == "failed"
        failed = box.root / "inbox/_failed" / str(row["file"])
        assert failed.read_bytes() == (folder / str(entry["file"])).read_bytes()
        assert failed.with_name(f"{failed.name}.reason.md").exists()
        return
    assert row["outcome"] == "imported", row
    check_facts(entry, row)
    body = body_of(box, row)
    original = b"".join(path.read_bytes() for path in (box.data).rglob("originals/*"))
    for wanted in entry.get("must_contain", []):  # type: ignore[attr-defined]
        assert holds(body, wanted), wanted
    for unwanted in entry.get("must_not_contain", []):  # type: ignore[attr-defined]
        assert not holds(body, unwanted), unwanted
    for kept in entry.get("raw_must_keep", []):  # type: ignore[attr-defined]
        assert kept in body or kept.encode() in original or kept.encode() in decoded(original), kept


def decoded(original: bytes) -> bytes:
    """The original with base64 parts opened."""
    import base64

    found = []
    for block in re.findall(rb"(?:[A-Za-z0-9+/=]{20,}\r?\n?)+", original):
        try:
            found.append(base64.b64decode(block))
        except ValueError:
            continue
    return b"\n".join(found)


def check_facts(entry: dict[str, object], row: dict[str, object]) -> None:
    for key in ("conversations", "messages", "system_messages", "notes_count"):
        if key in entry and not ("ambiguous" in entry and key == "messages" and "deleted" in str(entry["ambiguous"])):
            assert row[key] == entry[key], key
    if "messages_min" in entry:
        assert entry["messages_min"] <= row["messages"] <= entry["messages_max"]  # type: ignore[operator]
    for key in ("first", "last"):
        if key in entry:
            assert moment(row[key]) == moment(entry[key]), key
            assert str(row[key]).endswith("Z") == str(entry[key]).endswith("Z")
    if "authors" in entry:
        assert sorted(row["authors"]) == sorted(entry["authors"])  # type: ignore[call-overload]
    for key in ("from", "to", "subject", "message_id", "title"):
        if key in entry:
            assert row.get(key) == entry[key], key
    if "date_utc" in entry:
        assert moment(row["first"]) == moment(entry["date_utc"])
    if entry["file"] == "notion-testspace.zip":
        assert set(entry["attachments"]) <= set(row["attachments"])  # type: ignore[call-overload]  # names one of five
    elif "attachments" in entry:
        assert sorted(row["attachments"]) == sorted(entry["attachments"])  # type: ignore[call-overload]
    for key in ("tags", "links"):
        if key in entry and entry["file"] == "wide-table.md":
            assert set(entry[key]) <= set(row[key])  # type: ignore[call-overload]  # names the first and last of 120
        elif key in entry:
            assert sorted(row[key]) == sorted(entry[key]), key  # type: ignore[call-overload]
    for key, value in entry.get("frontmatter", {}).items():  # type: ignore[attr-defined]
        assert row["properties"][key] == value, key  # type: ignore[index]
