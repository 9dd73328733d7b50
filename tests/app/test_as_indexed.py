"""A hit is the same whether its note was as indexed, and the index told it, or was read anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.vaults import REPO, Box
from vaultmem.memory import Memory

SLACK = json.dumps([
    {"type": "message", "user": "U1", "text": "The <https://example.com|boiler> of *pier*", "ts": "1713693600.123456"},
    {"type": "message", "user": "U2", "text": "[[not a link]] %%no comment%% `code`", "ts": "1713693601.000001"},
])  # fmt: skip
OWN = (
    "---\ntags: [pier/nine]\nstatus: open\n---\n# Pier 9\n\n- [ ] mend the boiler\n- [x] done\n\n```dataview\n"
    "LIST\n```\n\n| a | b |\n|---|---|\n| boiler | 4 |\n\nThe boiler of pier 9 hums. ^hum\n"
)
CANVAS = json.dumps({"nodes": [{"id": "1", "type": "text", "text": "The boiler hums", "x": 0, "y": 0}], "edges": []})
QUESTIONS = (
    "boiler", "pier 9", "who said the boiler hums?", "code", "open", "ferry", "invoice", "what did Inês decide?",
    "meeting", "4200", "hello",
)  # fmt: skip


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    found = Box(tmp_path_factory.mktemp("asked"), config='notes: ["Own/**"]\n')
    for path in sorted((REPO / "sample_vault" / "inbox").iterdir()):
        found.drop(path)
    found.write("team/2024-04-21.json", SLACK)
    for name, text in {"Pier.md": OWN, "Crlf.md": OWN.replace("\n", "\r\n"), "Plan.canvas": CANVAS}.items():
        (found.root / "Own").mkdir(exist_ok=True)
        (found.root / "Own" / name).write_bytes(text.encode())
    found.sync()
    return found


def told(memory: Memory) -> str:
    return json.dumps([memory.recall(text, k=30).to_dict() for text in QUESTIONS], ensure_ascii=False, indent=1)


def test_both_ways_tell_the_same(box: Box, tmp_path: Path) -> None:
    with box.copy(tmp_path).open() as memory:
        as_indexed = told(memory)
        db = memory._index._db
        unknown = db.execute("SELECT count(*) FROM chunks WHERE note_hash = ''").get
        db.execute("UPDATE chunks SET note_hash = ''")
        anew = told(memory)
    assert unknown == 0
    assert as_indexed.count('"node_id"') > 40
    assert anew == as_indexed


def test_a_note_changed_since_is_read_anew(box: Box, tmp_path: Path) -> None:
    other = box.copy(tmp_path)
    note = other.root / "Own/Pier.md"
    note.write_text(OWN.replace("pier 9 hums.", "pier 9 hums loudly.").replace("# Pier 9", "# Pier 9\n\nNew line."))
    with other.open() as memory:
        first = memory.recall("boiler of pier 9 hums", k=30).hits
    assert not any(hit.note_path == "Own/Pier.md" and "hums. " in f"{hit.content} " for hit in first)
    lines = note.read_text().splitlines()
    for hit in first:
        if hit.note_path == "Own/Pier.md":
            assert hit.content.splitlines()[0] in lines[hit.lines[0] - 1]


def test_no_note_is_parsed_that_is_as_indexed(box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import vaultmem.app.recall as module

    other = box.copy(tmp_path)
    parsed: list[bytes] = []
    kept = module._parsed.__wrapped__
    monkeypatch.setattr(module, "_parsed", lambda content: parsed.append(content) or kept(content))
    with other.open() as memory:
        hits = memory.recall("who lends the lens?", k=5).hits
        assert parsed == []
        touched = next(hit.note_path for hit in hits if hit.note_path.startswith("wiki/raw/"))
        with (other.root / touched).open("a", encoding="utf-8") as note:
            note.write("\nA line of mine.\n")
        again = memory.recall("who lends the lens?", k=5).hits
    assert len(parsed) == 1
    assert any("A line of mine." in hit.content for hit in again if hit.note_path == touched)
