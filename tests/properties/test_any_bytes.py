"""Whatever is dropped under whatever name ends as imported, duplicate, skipped or failed with a reason; nothing is
lost, and the files after it are read.

A case is one file; several lie in the inbox of one pass, the way people drop things.
"""

from __future__ import annotations

import hashlib
import json
import random
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.papers import docx, packed, paragraph, pdf
from tests.vaults import Box

CASES = Path(__file__).parents[1] / "cases"
_FOLDERS = (
    "whatsapp", "slack", "discord", "telegram", "signal", "teams", "irc", "claude", "transcript", "mail", "documents",
    "html", "exports", "markdown",
)  # fmt: skip
_LARGEST = 20_000
_PER_PASS = 20
_OUTCOMES = {"imported", "duplicate", "skipped", "failed"}
#: read after all the others
_LAST = "\U0010fffd last.md"


def _samples() -> list[tuple[str, bytes]]:
    """(name, content) of at least one real file of every reader."""
    plan = paragraph("<w:r><w:t>The boat leaves on Friday.</w:t></w:r>")
    letter = b"From: ann@example.com\nTo: bo@example.com\nSubject: Boat\nMessage-ID: <1@e.com>\n\nIt floats.\n"
    tree = {
        "title": "Boat", "create_time": 1.7e9, "current_node": "b",
        "mapping": {
            "a": {"id": "a", "parent": None, "children": ["b"], "message": None},
            "b": {"id": "b", "parent": "a", "children": [], "message": {
                "id": "b", "author": {"role": "user"}, "create_time": 1.7e9,
                "content": {"content_type": "text", "parts": ["Does it float?"]}}},
        },
    }  # fmt: skip
    keep = {"title": "Boat", "textContent": "It floats.", "isTrashed": False, "userEditedTimestampUsec": 17 * 10**14}
    calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260301T100000Z\r\n"
    inside = "<content><![CDATA[<en-note>It floats.</en-note>]]></content>"
    note = f"<note><title>Boat</title>{inside}<created>20260301T100000Z</created></note>"
    canvas = {"nodes": [{"id": "1", "type": "text", "text": "It floats", "x": 0, "y": 0, "width": 9, "height": 9}]}
    found = [
        ("lease.pdf", pdf([[("The lease of the boat runs until May.", 30, 400, 12)], []])),
        ("plan.docx", docx(plan)),
        ("boat.eml", letter),
        ("all.mbox", b"From ann@example.com Fri Mar  1 10:00:00 2024\n" + letter + b"\n") ,
        ("conversations.json", json.dumps([tree]).encode()),
        ("chatgpt.zip", packed({"conversations.json": json.dumps([tree])})),
        ("files.zip", packed({
            "a.md": "# A\n\nIt floats.", "b/c.pdf": pdf([[("Boat", 30, 400, 12)]]), "d.zip": packed({"e": "f"}),
        })),
        ("takeout.zip", packed({"Takeout/Keep/Boat.json": json.dumps(keep)})),
        ("slack.zip", packed({
            "users.json": json.dumps([{"id": "U1", "name": "ann"}]),
            "channels.json": json.dumps([{"id": "C1", "name": "crew"}]),
            "crew/2026-03-01.json": json.dumps([{"type": "message", "user": "U1", "text": "hi", "ts": "1772359200.0"}]),
        })),
        ("boat.json", json.dumps(keep).encode()),
        ("board.canvas", json.dumps(canvas).encode()),
        ("days.ics", (calendar + "SUMMARY:Launch\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n").encode()),
        ("table.csv", b"who;when\nAnn;2026-03-01\nBo;2026-03-02\n"),
        ("note.enex", f'<?xml version="1.0"?><en-export>{note}</en-export>'.encode()),
        ("page.html", b"<html><title>Boat</title><body><h1>Boat</h1><p>It floats.<table><tr><td>1</table>"),
        ("chat.txt", "12/03/2026, 10:00 - Ann: it floats\n12/03/2026, 10:01 - Bo: \u200eimage omitted\n".encode()),
        ("wide.txt", "Der Käse schwimmt".encode("utf-16")),
        ("old.txt", "Der Käse schwimmt".encode("cp1252")),
        ("image.png", b"\x89PNG\r\n\x1a\n" + bytes(200)),
    ]  # fmt: skip
    files = (p for folder in _FOLDERS for p in sorted((CASES / folder).rglob("*")))
    read = [(p.name, p.read_bytes()) for p in files if p.is_file() and "expected" not in p.name]
    return found + [(name, content) for name, content in read if len(content) <= _LARGEST]


SAMPLES = _samples()


def _damaged(content: bytes, seed: int) -> bytes:
    """Cut off, torn, mixed with another file, or with bytes that are none of its own."""
    chance = random.Random(seed)
    for _ in range(chance.randrange(1, 4)):
        at, to = sorted((chance.randrange(len(content) + 1), chance.randrange(len(content) + 1)))
        match chance.randrange(7):
            case 0:
                content = content[:at]
            case 1:
                content = content[:at] + content[to:]
            case 2:
                content = content[:at] + chance.randbytes(chance.randrange(1, 30)) + content[at:]
            case 3:
                content = content[:at] + content[at:to] * 3 + content[to:]
            case 4:
                other = chance.choice(SAMPLES)[1]
                content = content[:at] + other[chance.randrange(len(other) + 1) :]
            case 5:
                content = content[:at] + bytes([chance.randrange(256)]) + content[at + 1 :]
            case _:
                odd = (
                    "\x00",
                    "\ufeff",
                    "\u202e",
                    "9" * 400,
                    "[" * 400,
                    "\r",
                    "^m-0123456789ab\n",
                    "\n---\n",
                    "\xff",
                    "%%",
                )
                content = content[:at] + chance.choice(odd).encode("latin-1", "replace") + content[at:]
    return content


_WHOLE = st.integers(0, len(SAMPLES) - 1).map(lambda number: SAMPLES[number][1])
CONTENTS = st.one_of(
    st.binary(max_size=300),
    _WHOLE,
    st.builds(_damaged, _WHOLE, st.integers(0, 2**32)),
    st.builds(_damaged, _WHOLE, st.integers(0, 2**32)),
)
_ODD_NAMES = (
    "CON", "nul.txt", "LPT1.md", "a:b.md", "trailing.", "trailing ", " leading.md", "x" * 252 + ".md",
    "é" * 126 + ".md",
    "😀" * 63, "..md", "...", "~$plan.docx", ".hidden.md", ".DS_Store", "-rf", "a\nb.md", "[[x]]#^|.md", "%% x %%.md",
    "_failed", "x.reason.md", "a.md.icloud", "download.part", "*?.md", "\\back\\slash.md", "<b>.html", "A.MD", "a.md",
    "e\u0301.md", "\u00e9.md", "\u202egpj.md", "tab\t.txt", "\x01.txt", "İ.md", "ß.md", "SS.md", "wiki", "inbox",
    "{{x}}.md",
)  # fmt: skip
_TEXT = st.text(st.characters(exclude_characters="/\0", exclude_categories=("Cs",)), min_size=1, max_size=40)
NAMES = st.one_of(
    st.integers(0, len(SAMPLES) - 1).map(lambda number: SAMPLES[number][0]),
    st.sampled_from(_ODD_NAMES),
    st.builds(
        lambda stem, end: stem + end, _TEXT, st.sampled_from(["", ".md", ".txt", ".zip", ".pdf", ".eml", ".json"])
    ),
    st.builds(lambda folder, name: f"{folder}/{name}", _TEXT, _TEXT),
).filter(lambda name: all(part not in (".", "..", "") and len(part.encode()) <= 255 for part in name.split("/")))
DROPS = st.lists(st.tuples(NAMES, CONTENTS), min_size=_PER_PASS, max_size=_PER_PASS, unique_by=lambda drop: drop[0])


def _drop(inbox: Path, files: list[tuple[str, bytes]]) -> Counter[str]:
    """Write what the disk takes; the hashes of what lies there then."""
    for name, content in files:
        path = inbox / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError:
            continue  # a folder and a file of one name
    return _hashes(inbox)


def _hashes(*folders: Path) -> Counter[str]:
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return Counter(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)


def check(files: list[tuple[str, bytes]]) -> None:
    with tempfile.TemporaryDirectory(prefix="any-bytes-") as folder:
        box = Box(Path(folder))
        inbox = box.root / "inbox"
        dropped = _drop(inbox, [*files, (_LAST, b"# Last\n\nThe very last file says that the boat floats.\n")])
        rows = box.sync()
        assert len(rows) == sum(dropped.values()), "every file has a row"
        assert len({str(row["file"]) for row in rows}) == len(rows), "of its own"
        for row in rows:
            assert row["outcome"] in _OUTCOMES, row
            assert row["outcome"] in ("imported", "duplicate") or row["reason"], row
            assert "please report it" not in str(row.get("reason")), row
            assert row["outcome"] != "skipped" or (inbox / str(row["file"])).exists() or not str(row["file"]).isascii()
        last = next(row for row in rows if row["file"] == _LAST)
        assert last["outcome"] == "imported", last
        kept = _hashes(box.root, box.data)
        assert not dropped.keys() - kept.keys(), [row for row in rows if row["outcome"] != "imported"]
        notes = box.notes()
        again = box.sync()
        assert {row["outcome"] for row in again} <= {"skipped"}, again
        assert box.notes() == notes


_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


@settings(max_examples=6, deadline=None, suppress_health_check=_QUIET)
@given(DROPS)
def test_120_files(files: list[tuple[str, bytes]]) -> None:
    check(files)


@pytest.mark.nightly
@pytest.mark.timeout(7200)
@settings(max_examples=500, deadline=None, suppress_health_check=_QUIET)
@given(DROPS)
def test_10_000_files(files: list[tuple[str, bytes]]) -> None:
    check(files)


def test_every_sample_as_it_is() -> None:
    chosen = dict(reversed(SAMPLES[:19]))
    check(list(chosen.items()))
