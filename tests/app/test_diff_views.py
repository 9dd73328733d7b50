"""`vaultmem diff`: since the last look, a revision, a time; with git and without."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.clones import Clone, git
from vaultmem.errors import BadQuery
from vaultmem.history import Changes

CHAT = "wiki/raw/chat/slack-eng/2026-04/0000-aaaaaa.md"
DOC = "wiki/raw/document/doc-documents/2026-04/A-0000-bbbbbb.md"
FRONT = (
    '---\nchunk_id: "{id}"\nsource_kind: {kind}\nsource_id: "{source}"\nmemory_status: {status}\n'
    "aliases:\n  - {title}\n---\n"
)


def message(number: int, text: str) -> str:
    return f"## 2026-04-21T10:{number:02d}:00Z — Alice\n\n{text}\n\n^m-{number:012x}\n\n"


def chat(*texts: str, status: str = "admitted", first: int = 0, name: str = "aa") -> str:
    head = FRONT.format(id=name * 16, kind="chat", source="slack:eng", status=status, title="eng")
    return head + "".join(message(first + number, text) for number, text in enumerate(texts))


def document(*paragraphs: str) -> str:
    head = FRONT.format(id="bb" * 16, kind="document", source="doc:a", status="admitted", title="A")
    return head + "# A\n\n" + "\n\n".join(paragraphs) + "\n"


class Vault(Clone):
    """Memory written by hand: a look asks no index."""

    def put(self, path: str, text: str, at: float | None = None) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        if at is not None:
            os.utime(target, (at, at))

    def diff(self, since: str = "") -> Changes:
        with self.open() as memory:
            return memory.diff(since)


def told(found: Changes) -> list[tuple[Any, ...]]:
    return [
        (note.change, note.kind, [(b.change, b.kind, b.key, b.before, b.after) for b in note.blocks])
        for note in found.notes
    ]


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    made = Vault(tmp_path)
    git(made.root, "init", "-q", "-b", "main")
    made.put(CHAT, chat("We ship on Friday.", "Fine."))
    made.put(DOC, document("One.", "Two.", "Three."))
    made.put(
        "entities/person/alice.md",
        '---\nid: "person:alice"\nkind: person\ndisplay_name: Alice\naliases: []\n---\nHi.\n',
    )
    made.put("wiki/Home.md", "# Home\n\n%% vaultmem:begin %%\nold\n%% vaultmem:end %%\n")
    made.put("wiki/facts/user.md", "# Facts: user\n\n- city: Hamburg\n")
    made.save()
    return made


def test_the_first_look_counts_all_and_the_next_one_what_came(vault: Vault) -> None:
    first = vault.diff()
    assert first.since == ""
    assert first.counts == {"gained": {"entity": 1, "page": 1, "facts": 1, "chat": 1, "document": 1}}
    assert vault.diff().counts == {}

    vault.put(CHAT, chat("We ship on Monday.", "Fine.", "Good."))

    found = vault.diff()
    assert told(found) == [
        ("changed", "chat", [
            ("changed", "message", "m-000000000000", "", "We ship on Monday."),
            ("gained", "message", "m-000000000002", "", "Good."),
        ])
    ]  # fmt: skip
    assert "is not kept" in found.degraded
    assert vault.diff().notes == ()


def test_since_a_revision_by_block(vault: Vault) -> None:
    vault.put(CHAT, chat("We ship on Friday.", status="dropped"))
    vault.put(DOC, document("One.", "Two, mended.", "Three.", "Four."))
    vault.put(
        "entities/person/alice.md",
        '---\nid: "person:alice"\nkind: person\ndisplay_name: Alice\naliases:\n  - Ally\n---\nHi.\n',
    )
    vault.put("wiki/Home.md", "# Home\n\n%% vaultmem:begin %%\nnew\n%% vaultmem:end %%\n")
    vault.put("wiki/facts/user.md", "# Facts: user\n\n- city: Berlin\n- pet: cat\n")

    found = vault.diff("HEAD")

    assert told(found) == [
        ("changed", "entity", [("gained", "property", "aliases", "", "Ally")]),
        ("changed", "facts", [("changed", "fact", "city", "Hamburg", "Berlin"), ("gained", "fact", "pet", "", "cat")]),
        ("changed", "chat", [
            ("changed", "property", "memory_status", "admitted", "dropped"),
            ("lost", "message", "m-000000000001", "Fine.", ""),
        ]),
        ("changed", "document", [
            ("changed", "paragraph", "", "Two.", "Two, mended."),
            ("gained", "paragraph", "", "", "Four."),
        ]),
    ]  # fmt: skip
    assert found.sources == {"doc:a": {"changed": 1}, "slack:eng": {"changed": 1}}
    assert found.degraded == ""


def test_a_note_that_moved_is_no_loss(vault: Vault) -> None:
    (vault.root / DOC).rename(vault.root / "wiki/raw/document/elsewhere.md")
    (vault.root / "entities/person/alice.md").rename(vault.root / "entities/person/Ally.md")

    for found in (vault.diff("HEAD"),):
        assert [(note.change, note.was_path) for note in found.notes] == [
            ("renamed", "entities/person/alice.md"),
            ("renamed", DOC),
        ]


def test_a_message_that_another_note_holds_is_neither_lost_nor_gained(vault: Vault) -> None:
    vault.put(CHAT, chat("We ship on Friday."))
    vault.put("wiki/raw/chat/slack-eng/2026-04/0001-cccccc.md", chat("Fine.", first=1, name="cc"))

    found = vault.diff("HEAD")

    assert [(note.change, note.blocks) for note in found.notes] == [("gained", ())]


def test_an_edited_message_gives_its_note_another_id_and_leaves_it_one_note(vault: Vault) -> None:
    vault.put(CHAT, chat("We ship on Monday.", "Fine.", name="dd"))

    assert told(vault.diff("HEAD")) == [
        ("changed", "chat", [("changed", "message", "m-000000000000", "We ship on Friday.", "We ship on Monday.")])
    ]


def test_what_is_committed_ignored_or_lies_in_a_folder_counts_the_same(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    vault.put(CHAT, chat("One."))
    git(tmp_path, "add", "vault")
    git(tmp_path, "commit", "-q", "-m", "x")
    vault.put(DOC, document("One."))
    (vault.root / CHAT).unlink()
    git(tmp_path, "add", "-A", "vault")
    git(tmp_path, "commit", "-q", "-m", "y")

    assert [note.change for note in vault.diff("HEAD~1").notes] == ["lost", "gained"]
    assert vault.diff("HEAD").notes == ()


def test_since_a_time_is_the_commit_of_that_time(vault: Vault) -> None:
    vault.put(CHAT, chat("We ship on Friday.", "Fine.", "Good."))
    git(vault.root, "add", "-A")
    late = {"GIT_COMMITTER_DATE": "2026-05-31T12:00:00+0000", "GIT_AUTHOR_DATE": "2026-05-31T12:00:00+0000"}
    git(vault.root, "-c", "core.logAllRefUpdates=true", "commit", "-q", "--amend", "-m", "x", environ=late)

    assert vault.diff("2026-05-31T13:00:00").notes == ()
    assert vault.diff("12h").notes == ()
    early = vault.diff("7d")
    assert {note.change for note in early.notes} == {"gained"}
    assert "begins later" in early.degraded


def test_what_is_no_time_and_no_revision_is_said(vault: Vault) -> None:
    for text in ("--output=x", "nothing", "2026-99-99", "HEAD:wiki"):
        with pytest.raises(BadQuery):
            vault.diff(text)


def test_without_git_times_of_files_and_notes_tell_what_they_can(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    may = 1_779_000_000.0
    vault.put(CHAT, chat("Old."), at=may - 90 * 86_400)
    vault.put(DOC, document("New."), at=may)
    stamp = '---\nid: "person:{0}"\nkind: person\ndisplay_name: {0}\ncreated_at: "{1}"\nupdated_at: "{2}"\n---\n'
    vault.put(
        "entities/person/a.md", stamp.format("a", "2026-05-20T00:00:00", "2026-05-20T00:00:00"), at=may + 86_400 * 7
    )
    vault.put(
        "entities/person/b.md", stamp.format("b", "2026-01-01T00:00:00", "2026-05-20T00:00:00"), at=may + 86_400 * 7
    )
    vault.put(
        "entities/person/c.md", stamp.format("c", "2026-01-01T00:00:00", "2026-01-01T00:00:00"), at=may + 86_400 * 7
    )
    vault.put(
        ".vaultmem/tombstones.jsonl",
        '{"at": "2026-05-20T00:00:00", "entity": "person:d"}\n'
        '{"at": "2026-05-20T00:00:00", "key": "0", "source": "1"}\n',
    )

    found = vault.diff("2026-05-10")

    assert [(note.change, note.id) for note in found.notes] == [
        ("gained", "person:a"), ("changed", "person:b"), ("gained", "bb" * 16), ("lost", "person:d"),
    ]  # fmt: skip
    assert "without git" in found.degraded
    assert "1 messages or pieces were deleted" in found.degraded
