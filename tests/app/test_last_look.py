"""What was redacted message by message is looked through once more as the note it became."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.core.secret_tokens import TOKENS
from tests.vaults import Box, bytes_below, raw_notes
from vaultmem.app import ingest
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.codec import parse_body

NPM = TOKENS["npm"](random.Random(8))


def test_a_tag_that_is_a_token_goes(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("a.md", f"---\ntags: [boat, {NPM}]\n---\n# Boat\n\nThe boat is blue and #{NPM} is no tag.\n")
    rows = box.sync()
    assert rows[0]["outcome"] == "imported"
    assert NPM.encode() not in bytes_below(box.root)
    assert "- boat" in raw_notes(box)


def test_a_message_that_announces_a_secret_does_not_cost_the_next_its_key(tmp_path: Path) -> None:
    box = Box(tmp_path)
    lines = "12/03/2026, 10:00 - Al: token =\n12/03/2026, 10:01 - Bo: later\n12/03/2026, 10:02 - Al: my api_key:\n"
    box.write("WhatsApp Chat with House.txt", lines)
    box.sync()
    chunk = parse_chunk_note(raw_notes(box))
    assert [bool(message.key) for message in parse_body("chat", chunk.body)] == [True] * 3
    box.write("WhatsApp Chat with House.txt", f"{lines}12/03/2026, 10:03 - Bo: which one?\n")
    assert box.sync()[0]["chunks"] == 1


def test_what_slipped_through_is_taken_out_of_the_note_and_hashed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if a reader's text had come by another way than the scrubber."""
    monkeypatch.setattr(ingest, "scrub_document", lambda item, pii: (item, {}))
    box = Box(tmp_path, config="redact_pii: [card]\n")
    box.write("a.md", f"---\ntags: [boat]\n---\n# Keys {NPM}\n\nThe key is {NPM}, paid with 4242 4242 4242 4242.\n")
    assert box.sync()[0]["outcome"] == "imported"
    chunk = parse_chunk_note(raw_notes(box))
    assert NPM not in raw_notes(box)
    assert not chunk.edited
    assert chunk.redacted == {"card": 1, "npm": 2}
    assert box.sync() == []
    box.digest()
