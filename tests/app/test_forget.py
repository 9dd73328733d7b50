"""What is forgotten is found in no file of the vault, the data folder or what the process prints, and stays away."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests import fake_agentmemory
from tests.papers import packed
from tests.vaults import Box
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.summarynote import parse_summary_note
from vaultmem.errors import BadQuery, NotFound
from vaultmem.surfaces.cli import cli

CANARY = "The quixotic walrus pays 7731 guilders to Ottokar at midnight."
WORD = "quixotic"
TOWNS = ("Lisbon", "Bergen", "Genoa", "Cork", "Gdansk", "Malmo", "Brest", "Riga", "Turku", "Porto", "Hobart")


def talk(canary: str = CANARY) -> bytes:
    """A channel of eleven days, a note each; Zoe says the canary on the third, in a note with another message."""
    posts = []
    for day, town in enumerate(TOWNS):
        at = 1704103200 + day * 86400
        said = f"The boat to {town} leaves on pier {day + 3} and carries {day * 70 + 300} sacks of flour for bakers."
        posts.append({"type": "message", "user": "U1", "text": said, "ts": f"{at}.0001"})
        if day == 2:
            posts.append({"type": "message", "user": "U2", "text": canary, "ts": f"{at + 60}.0001"})
    users = [{"id": "U1", "name": "ann"}, {"id": "U2", "name": "zoe"}]
    return packed({
        "users.json": json.dumps(users), "channels.json": json.dumps([{"id": "C1", "name": "crew"}]),
        "crew/2024-01-01.json": json.dumps(posts),
    })  # fmt: skip


def mail() -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "Zoe Quick <zoe@example.com>", "ann@example.com"
    message["Subject"], message["Date"] = "About the money", "Mon, 05 Feb 2024 10:00:00 +0000"
    message["Message-ID"] = "<1@example.com>"
    message.set_content(f"Hello Ann,\n\n{CANARY}\n\nSee you in Lisbon on 14 March.\n")
    return message.as_bytes()


PLAN = f"""# Plan of the year

The harbour office moves to the other side of the river in May 2024, says the city of Lisbon.

## Money

{CANARY}

Nobody else is to know about it before the 4th of June.
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("forget"), config="chat_gap_hours: 1\n")
    drop(made)
    made.sync()
    assert WORD in everything(made)
    return made


@pytest.fixture
def box(made: Box, tmp_path: Path) -> Box:
    return made.copy(tmp_path)


def drop(box: Box, at: float = 1_700_000_000) -> None:
    box.write("crew.zip", talk(), at=at)
    box.write("money.eml", mail(), at=at)
    box.write("Plan.md", PLAN, at=at)


def everything(box: Box) -> str:
    return "\n".join(data.decode("utf-8", "replace") for data in box.notes().values())


def spellings(text: str) -> list[bytes]:
    inner = [base64.b64encode(text.encode()[shift:])[4:-6] for shift in range(3) if len(text) > 20]
    return [text.encode(), text.encode("utf-16-le"), text.encode("utf-16-be"), *inner]


def found(box: Box, *words: str) -> list[str]:
    """Files of the vault and the data folder that hold one of these, in any spelling."""
    hits = []
    for folder in (box.root, box.data):
        for path in sorted(folder.rglob("*")):
            data = path.read_bytes() if path.is_file() else b""
            data += data.lower()
            hits += [f"{path}: {word}" for word in words for s in spellings(word) if s in data]
    return hits


def run(box: Box, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    for name, value in box.environ.items():
        monkeypatch.setenv(name, value)
    done = CliRunner().invoke(cli, ["--vault", str(box.root), *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def note_with(box: Box, folder: str) -> Path:
    [path] = [path for path in (box.root / folder).rglob("*.md") if WORD in path.read_text()]
    return path


def chunk_note(box: Box, kind: str) -> str:
    return note_with(box, f"wiki/raw/{kind}").relative_to(box.root).as_posix()


def key_of(box: Box, kind: str) -> str:
    text = note_with(box, f"wiki/raw/{kind}").read_text()
    return re.search(r"\^(m-\w{12})", text[text.index(WORD) :])[1]  # type: ignore[index]


TARGETS: dict[str, Callable[[Box, str], str]] = {
    "path": chunk_note,
    "id": lambda box, kind: parse_chunk_note((box.root / chunk_note(box, kind)).read_text()).chunk_id[:10],
    "message": key_of,
    "source": lambda box, kind: parse_chunk_note((box.root / chunk_note(box, kind)).read_text()).source_id,
}


def forget_elsewhere(box: Box, kind: str) -> None:
    """The canary stands in three sources: two are forgotten by the way."""
    for other in {"chat", "email", "document"} - {kind}:
        with box.open() as memory:
            memory.forget(chunk_note(box, other))


def check_gone(box: Box) -> None:
    assert found(box, CANARY, WORD, "walrus", "Ottokar") == []
    digest, notes = box.digest(), box.notes()
    assert box.sync() == []
    assert box.notes() == notes
    with box.open() as memory:
        memory.rebuild()
    assert box.digest() == digest
    assert found(box, CANARY, WORD) == []


@pytest.mark.parametrize(
    ("by", "kind"),
    [("path", "chat"), ("id", "email"), ("message", "chat"), ("message", "email"), ("source", "chat"),
     ("source", "document"), ("path", "document")],
)  # fmt: skip
def test_nothing_of_it_is_found(box: Box, monkeypatch: pytest.MonkeyPatch, by: str, kind: str) -> None:
    forget_elsewhere(box, kind)
    printed = run(box, monkeypatch, "forget", TARGETS[by](box, kind), "--json")

    receipt = json.loads(printed)
    assert WORD not in printed
    assert receipt["still_in"] == receipt["problems"] == []
    assert receipt["out_of_reach"]
    assert list(box.data.glob("*/originals/*")) == []
    check_gone(box)


def test_a_message_goes_and_its_neighbours_stay(box: Box) -> None:
    note = note_with(box, "wiki/raw/chat")
    with box.open() as memory:
        receipt = memory.forget(key_of(box, "chat"))

    assert receipt.notes_changed == (note.relative_to(box.root).as_posix(),)
    assert receipt.messages == 1
    chunk = parse_chunk_note(note.read_text())
    assert "The boat to Genoa" in chunk.body
    assert not chunk.edited
    assert WORD not in chunk.body
    with box.open() as memory:
        assert memory.recall("which boat goes to Genoa").hits
        assert not [hit for hit in memory.recall("quixotic walrus").hits if hit.note_path == receipt.notes_changed[0]]


@pytest.mark.parametrize("by", ["message", "path", "source"])
def test_it_stays_forgotten_when_the_export_comes_again(box: Box, by: str) -> None:
    forget_elsewhere(box, "chat")
    with box.open() as memory:
        memory.forget(TARGETS[by](box, "chat"))
    drop(box, at=1_700_000_400)
    box.sync()

    assert WORD not in everything(box)
    assert box.digest()
    with box.open() as memory:
        memory.rebuild()
    box.sync()
    assert WORD not in everything(box)


def test_a_paragraph_stays_forgotten_however_its_document_is_cut(box: Box) -> None:
    with box.open() as memory:
        memory.forget(chunk_note(box, "document"))
    box.write("Plan.md", PLAN.replace("## Money", "A new thought about the river.\n\n## Money"), at=1_700_000_400)
    box.sync()
    text = "\n".join(path.read_text() for path in (box.root / "wiki/raw/document").rglob("*.md"))
    assert "A new thought" in text
    assert WORD not in text


def test_a_person_is_forgotten_with_what_they_wrote(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    box.write("mine.eml", mail().replace(b"<1@", b"<2@").replace(b"Zoe Quick <zoe@", b"Ann <ann@"))
    box.sync()
    with box.open() as memory:
        memory.forget(chunk_note(box, "document"))
    entity = box.root / "entities/person/zoe.md"
    entity.parent.mkdir(parents=True, exist_ok=True)
    entity.write_text(
        "---\nid: person:zoe\nkind: person\ndisplay_name: zoe\naliases: [Zoe Quick]\nemails: [zoe@example.com]\n---\n"
    )
    box.sync()
    printed = run(box, monkeypatch, "forget", "zoe", "--json")

    receipt = json.loads(printed)
    assert receipt["entity"] == "person:zoe"
    assert not entity.exists()
    left = [path for path in (box.root / "wiki/raw").rglob("*.md") if WORD in path.read_text()]
    assert [parse_chunk_note(path.read_text()).source_kind for path in left] == ["email"]  # Ann's own mail says it too
    assert "person:zoe" not in (box.root / ".vaultmem/tombstones.jsonl").read_text()
    box.sync()
    assert not entity.exists()
    assert box.digest()


def test_a_source_that_is_forgotten_leaves_no_page(box: Box) -> None:
    page = box.root / "wiki/sources/chat/slack-crew.md"
    assert page.exists()
    with box.open() as memory:
        memory.forget("slack:crew")
    assert not page.exists()
    assert "crew" not in (box.root / "wiki/Home.md").read_text()


def test_a_persons_own_lines_in_summaries_stay(box: Box) -> None:
    summary = note_with(box, "wiki/summaries/source")
    before = parse_summary_note(summary.read_text())
    summary.write_text(summary.read_text().replace("\n\n- ", "\n\nMy own thought.\n\n- ", 1))
    box.sync()
    forget_elsewhere(box, "chat")
    with box.open() as memory:
        memory.forget(key_of(box, "chat"))

    text = summary.read_text()
    assert "My own thought." in text
    assert parse_summary_note(text).rev > before.rev
    check_gone(box)


def test_a_dry_run_says_the_same_and_writes_nothing(box: Box) -> None:
    before = {path: path.read_bytes() for path in box.root.rglob("*") if path.is_file()}
    with box.open() as memory:
        dry = memory.forget(key_of(box, "chat"), dry_run=True)
    assert {path: path.read_bytes() for path in box.root.rglob("*") if path.is_file()} == before
    with box.open() as memory:
        done = memory.forget(key_of(box, "chat"))
    assert dry.dry_run
    assert (dry.notes_changed, dry.originals_removed, dry.messages) == (
        done.notes_changed,
        done.originals_removed,
        done.messages,
    )


def test_a_summary_is_forgotten_and_its_leaves_stay(box: Box) -> None:
    summary = note_with(box, "wiki/summaries/source")
    with box.open() as memory:
        memory.forget(parse_summary_note(summary.read_text()).node_id)
    box.sync()
    assert not summary.exists()
    assert note_with(box, "wiki/raw/chat")
    assert box.digest()


def test_the_receipt_names_what_is_not_ours(box: Box) -> None:
    config = box.root / ".vaultmem/config.yaml"
    config.write_text(config.read_text() + "notes: ['**/*.md']\n")
    (box.root / "Diary.md").write_text(f"I heard: {CANARY}\n")
    box.sync()
    with box.open() as memory:
        receipt = memory.forget(chunk_note(box, "email"))
        assert "Diary.md" in receipt.still_in
        assert not [name for name in receipt.still_in if name.startswith("data folder: ")]
        with pytest.raises(NotFound):
            memory.forget("slack:nowhere")
        with pytest.raises((NotFound, BadQuery)):
            memory.forget("m-000000000000")
    assert CANARY in (box.root / "Diary.md").read_text()


def test_hidden_leftovers_are_named(box: Box) -> None:
    trash = box.root / ".trash"
    trash.mkdir()
    (trash / "old.md").write_text(CANARY)
    os.utime(trash / "old.md", (1_700_000_000, 1_700_000_000))
    with box.open() as memory:
        assert ".trash/old.md" in memory.forget(chunk_note(box, "email")).still_in


def test_facts_in_a_service_that_agents_share_go_too(tmp_path: Path) -> None:
    turns = [{"role": "user", "text": "My bank is the quixotic walrus."}, {"role": "user", "text": "My boat is Gull."}]
    with fake_agentmemory.serving() as server:
        made = Box(tmp_path, environ=server.environ())
        with made.open() as memory:
            memory.take([memory.drop_session("s1", turns[:1]).name])
            memory.take([memory.drop_session("s2", turns[1:]).name])
            assert WORD in json.dumps(server.memories())
            receipt = memory.forget("session:s1")
        left = json.dumps(server.memories())
        assert (receipt.facts, receipt.problems) == (1, ())
        assert WORD not in left
        assert "Gull" in left
        assert found(made, WORD, "walrus") == []
    with made.open() as memory:  # the service is down now
        receipt = memory.forget("session:s2")
    assert any("agentmemory" in problem and "delete them there" in problem for problem in receipt.problems)


def test_a_greeting_that_stands_in_many_files_costs_no_other_original(tmp_path: Path) -> None:
    """The words stay in the other notes anyway; what another file's note no longer says goes with its original."""
    box = Box(tmp_path)
    greeting = "Kind regards from the harbour office, your Anna Bergqvist"
    for town in TOWNS[:3]:
        box.write(
            f"{town}.md", f"# {town}\n\nThe boat to {town} carries 400 sacks of flour for bakers.\n\n{greeting}\n"
        )
    box.write("Quoted.md", f"# Quoted\n\nShe wrote that {CANARY}\n\nThe bakers of the town are pleased.\n")
    box.write("Secret.md", f"# Secret\n\n{CANARY}\n\n{greeting}\n")
    box.sync()
    quoted = next(box.root / path for path in box.notes() if "Quoted" in path and "/raw/" in path)
    quoted.write_text(quoted.read_text().replace(f"She wrote that {CANARY}\n", ""))
    box.sync()
    secret = next(path for path in box.notes() if "Secret" in path and "/raw/" in path)
    with box.open() as memory:
        planned = memory.forget(secret, dry_run=True)
        done = memory.forget(secret)
    assert sorted(name.partition("-")[2] for name in done.originals_removed) == ["Quoted.md", "Secret.md"]
    assert done.originals_removed == planned.originals_removed
    left = [path.name.partition("-")[2] for path in box.data.glob("vault-*/originals/*")]
    assert sorted(left) == [f"{town}.md" for town in sorted(TOWNS[:3])]
    assert not [path for folder in (box.root, box.data) for path in folder.rglob("*") if holds(path, WORD)]


def holds(path: Path, word: str) -> bool:
    return path.is_file() and word.encode() in path.read_bytes()
