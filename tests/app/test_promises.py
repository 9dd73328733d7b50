"""What the README promises, through the public doors: drop, drop again, lose the index, edit by hand."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
import yaml
from ruamel.yaml import YAML

from tests.forked import forked
from tests.vaults import REPO, Box, bytes_below
from vaultmem.core.notes.properties import split_note

INBOX = REPO / "sample_vault" / "inbox"
SECRETS = ["AKIA" + "IOSFODNN7EXAMPLE", "wJalrXUtnFEMI" + "/K7MDENG/bPxRfiCYEXAMPLEKEY", "St0rm-and" + "-Dusk"]
QUESTIONS = [
    "when does the exhibition open?", "who opens the evening", "what did Lumen charge", "dimmers", "gate code",
    "Tiago", "lens weight", "how heavy is the lens", "ticket price", "children free", "poster",
    "who makes the lighting plan", "budget for the lights", "newsletter pop-up", "room 3 floor", "insurance",
    "Monday 13 April", "vegetarian", "parking", "storm scene", "epilepsy", "Mara", "what did Jonas promise",
    "Amina in March", "delivery", "catering", "crane", "doors", "loan of the lens", "glass", "Cabo Raso",
    "harbour-show", "desk", "yes", "Inês Carvalho", "bread", "Rua do Farol", "400 kg", "1,450 euros",
    "24 April 2026", "last week", "Fresnel", "dusk", "lamps", "colour", "upload key", "rotate", "thanks",
    "poster.pdf", "lighthouse keeper",
]  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("promises"), config="me: [Sam Okafor, Sam, sam@harbourmuseum.example]\n")
    for path in sorted(INBOX.iterdir()):
        made.drop(path)
    made.sync()
    return made


@pytest.fixture
def box(made: Box, tmp_path: Path) -> Box:
    return made.copy(tmp_path)


def raw_notes(box: Box) -> dict[str, bytes]:
    return {path: content for path, content in box.notes().items() if path.startswith("wiki/raw/")}


def answers(box: Box) -> list[list[tuple[object, ...]]]:
    with box.open() as memory:
        found = [memory.recall(question, k=8) for question in QUESTIONS]
    return [[(h.node_id, h.note_path, h.lines, h.content, round(h.score, 6)) for h in one.hits] for one in found]


def test_a_dropped_chat_answers_with_the_line_it_stands_in(box: Box) -> None:
    with box.open() as memory:
        hit = memory.recall("what is the gate code?", k=1).hits[0]

    lines = (box.root / hit.note_path).read_text(encoding="utf-8").splitlines()
    assert "4471" in hit.content
    assert any("4471" in line for line in lines[hit.lines[0] - 1 : hit.lines[1]])


def test_a_lost_index_gives_the_same_digest_and_the_same_answers(box: Box) -> None:
    before = answers(box), box.digest()
    shutil.rmtree(next(box.data.glob("*/index")))
    with box.open() as memory:
        rebuilt = memory.rebuild()

    assert rebuilt.digest == before[1]
    assert (answers(box), box.digest()) == before
    assert sum(bool(one) for one in before[0]) > 40


def test_the_same_files_again_change_no_byte(box: Box) -> None:
    before, digest = box.notes(), box.digest()
    for path in sorted(INBOX.iterdir()):
        box.drop(path)

    rows = box.sync()

    assert {row["outcome"] for row in rows} == {"duplicate"}
    assert all(row["notes"] for row in rows)
    assert (box.notes(), box.digest()) == (before, digest)
    assert not any((box.root / "inbox").iterdir())


def test_a_second_sync_does_nothing(box: Box) -> None:
    before = box.notes()
    times = {path: (box.root / path).stat().st_mtime_ns for path in before}

    with box.open() as memory:
        report = memory.sync()

    assert report.files == ()
    assert (report.reconciled.added, report.reconciled.changed) == (0, 0)
    assert {path: (box.root / path).stat().st_mtime_ns for path in box.notes()} == times


def test_a_grown_export_adds_the_new_messages_and_touches_no_old_note(tmp_path: Path) -> None:
    box = Box(tmp_path)
    lines = [
        f"{1 + n // 40:02d}/03/2024, {9 + n % 40 // 10:02d}:{n % 60:02d} - Ann: line {n} of the log" for n in range(230)
    ]
    box.write("WhatsApp Chat with Log.txt", "\n".join(lines[:200]))
    box.sync()
    before = raw_notes(box)
    box.write("WhatsApp Chat with Log.txt", "\n".join(lines), at=1_700_009_999)

    row = box.sync()[0]

    after = raw_notes(box)
    new = [path for path in after if path not in before]
    assert {path: after[path] for path in before} == before
    assert 1 <= len(new) <= 2
    assert sum(after[path].count(b"\n^m-") for path in new) == 30
    assert row["messages"] == 230


def test_planted_secrets_are_nowhere_but_in_the_private_original(box: Box) -> None:
    with box.open() as memory:
        said = repr([memory.recall(question, k=20).to_dict() for question in QUESTIONS])
    for secret in SECRETS:
        assert secret.encode() not in bytes_below(box.root)
        assert secret not in said
        for folder in ("index", "claims", "logs"):
            assert secret.encode() not in bytes_below(next(box.data.glob(f"*/{folder}")))
    originals = list(box.data.glob("*/originals/*"))
    assert len(originals) == 6
    assert all(path.stat().st_mode & 0o077 == 0 for path in originals)


def test_every_generated_note_means_the_same_under_both_yamls_and_its_links_resolve(box: Box) -> None:
    strict = YAML(typ="safe")
    strict.version = (1, 2)
    paths = {path.relative_to(box.root).as_posix() for path in box.root.rglob("*.md")}
    names = {path.rpartition("/")[2].removesuffix(".md").casefold() for path in paths}
    aliases: set[str] = set()
    linked: set[str] = set()
    tables = {path for path in box.notes() if path.endswith(".base")}
    for path, content in box.notes().items():
        if path in tables:
            continue
        front = split_note(content.decode()).frontmatter
        assert front is not None
        old = yaml.safe_load(front)
        assert old == strict.load(front), path
        aliases |= {alias.casefold() for alias in [*old.get("aliases", []), old.get("display_name", "")]}
        linked |= {m.partition("#")[0] for m in re.findall(r"\[\[([^\]|]+)", content.decode().replace("\\[\\[", ""))}
    assert linked
    for target in linked:
        assert f"{target}.md" in paths or target in tables or target.casefold() in names | aliases, target


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_syncs_and_five_recalls_at_once_on_a_cold_index(box: Box, tmp_path: Path) -> None:
    expected = box.digest()
    shutil.rmtree(next(box.data.glob("*/index")))
    box.write("later.md", "# Later\n\nThe ferry leaves at noon.\n")
    code = (
        "from vaultmem.surfaces.cli import main\ntry:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
    )
    calls = [["sync", "--json"]] * 2 + [["recall", "gate code", "--json"]] * 5
    running = [
        forked(code, ["--vault", str(box.root), *call], environ=box.environ, said=tmp_path / f"{number}.json")
        for number, call in enumerate(calls)
    ]
    for child in running:
        ended, said = child.wait()
        assert ended == 0, said
        assert json.loads(said)
    with box.open() as memory:
        assert memory.recall("ferry", k=1).hits[0].content == "The ferry leaves at noon."
    assert box.digest() != expected


def test_a_note_moved_and_edited_by_hand_is_obeyed(box: Box) -> None:
    with box.open() as memory:
        hit = memory.recall("gate code", k=1).hits[0]
    old = box.root / hit.note_path
    new = box.root / "wiki/raw/chat/codes.md"
    new.write_bytes(old.read_bytes().replace(b"4471", b"9953"))
    old.unlink()
    box.sync()

    with box.open() as memory:
        found = memory.recall("gate code", k=1).hits[0]
    assert found.note_path == "wiki/raw/chat/codes.md"
    assert "9953" in found.content
    box.digest()


def test_a_deleted_note_stays_deleted_when_its_export_comes_again(box: Box) -> None:
    with box.open() as memory:
        hit = memory.recall("gate code", k=1).hits[0]
    (box.root / hit.note_path).unlink()
    box.sync()
    for path in sorted(INBOX.iterdir()):
        box.drop(path)
    box.sync()

    with box.open() as memory:
        assert not any("4471" in h.content for h in memory.recall("gate code 4471", k=20).hits)


def test_an_entity_note_deleted_by_hand_is_not_made_again(box: Box) -> None:
    note = box.root / "entities/person/jonas-petrov.md"
    note.unlink()
    box.sync()
    box.sync()

    assert not note.exists()


def test_an_alias_added_by_hand_finds_what_was_there_before(box: Box) -> None:
    note = box.root / "entities/person/jonas-petrov.md"
    note.write_text(note.read_text(encoding="utf-8").replace("aliases: []", "aliases:\n  - Lumen"), encoding="utf-8")
    box.sync()

    with box.open() as memory:
        found = memory.recall("delivery", entity="Jonas Petrov", k=5).hits
    assert any("1,450" in hit.content for hit in found)
    box.digest()


def test_people_who_write_both_ways_get_one_note_with_their_address(box: Box) -> None:
    notes = [path for path in box.notes() if "rui" in path]

    assert notes == ["entities/person/rui-tavares.md"]
    assert b"rui.tavares@caboraso.example" in box.notes()[notes[0]]


def test_pages_follow_a_pass_at_once_and_wait_only_for_a_persons_own_edit(box: Box) -> None:
    page = box.root / "wiki/Home.md"
    box.write("later.md", "# Later\n\nThe ferry leaves at noon.\n", at=1_790_000_000)
    before = page.read_text(encoding="utf-8")
    box.sync()
    after = page.read_text(encoding="utf-8")
    page.write_text(f"Mine above.\n{after}\nMine below.\n", encoding="utf-8")
    box.write("last.md", "# Last\n\nThe ferry came at four.\n", at=1_800_000_000)
    box.sync()

    assert before != after
    assert page.read_text(encoding="utf-8") == f"Mine above.\n{after}\nMine below.\n"


def test_two_notes_swapped_by_hand_are_no_copies(box: Box) -> None:
    paths = sorted((box.root / "wiki/raw/chat").rglob("*.md"))[:2]
    one, two = (path.read_bytes() for path in paths)
    paths[0].write_bytes(two + b"\n")
    paths[1].write_bytes(one + b"\n\n")
    box.sync()

    with box.open() as memory:
        report = memory.sync()
    assert not report.reconciled.problems
    box.digest()


def test_a_message_deleted_from_its_note_stays_deleted(box: Box) -> None:
    with box.open() as memory:
        hit = memory.recall("gate code", k=1).hits[0]
    path = box.root / hit.note_path
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[: hit.lines[0] - 1] + lines[hit.lines[1] :]), encoding="utf-8")
    box.sync()
    for source in sorted(INBOX.iterdir()):
        box.drop(source)
    rows = box.sync()

    with box.open() as memory:
        assert not any("4471" in h.content for h in memory.recall("gate code 4471", k=20).hits)
    assert any("stay deleted" in str(row["warnings"]) for row in rows)
    box.digest()


def test_a_note_kept_elsewhere_by_hand_is_still_the_same_chunk(box: Box) -> None:
    with box.open() as memory:
        hit = memory.recall("gate code", k=1).hits[0]
    new = box.root / "Projects/Codes.md"
    new.parent.mkdir()
    (box.root / hit.note_path).rename(new)
    box.sync()
    box.digest()
    with box.open() as memory:
        memory.rebuild()
        assert memory.recall("gate code", k=1).hits[0].note_path == "Projects/Codes.md"


def test_a_missing_folder_deletes_nothing(box: Box) -> None:
    for folder in ("wiki", "wiki/raw/chat"):
        (box.root / folder).rename(box.root.parent / "away")
        with box.open() as memory:
            report = memory.sync()
        assert report.reconciled.forgotten == 0
        assert report.reconciled.held_back
        shutil.rmtree(box.root / folder, ignore_errors=True)
        (box.root.parent / "away").rename(box.root / folder)
        box.sync()
        box.digest()


def test_a_copy_counts_once_and_is_named(box: Box) -> None:
    path = next(path for path in box.notes() if path.startswith("wiki/raw/chat"))
    copy = f"{path.removesuffix('.md')} as it was.md"
    (box.root / copy).write_bytes((box.root / path).read_bytes())
    box.sync()
    box.digest()
    with box.open() as memory:
        state = memory.status()
    assert state.stale == 0
    assert "a copy of" in state.problems[copy]


def test_a_note_that_is_broken_for_a_while_costs_no_message(box: Box) -> None:
    path = next(path for path in box.notes() if path.startswith("wiki/raw/chat/whatsapp"))
    whole = (box.root / path).read_bytes()
    (box.root / path).write_bytes(whole.replace(b"chunk_id:", b"chunk_id: [", 1))
    box.sync()
    for source in sorted(INBOX.iterdir()):
        box.drop(source)
    assert {row["outcome"] for row in box.sync()} == {"duplicate"}
    (box.root / path).write_bytes(whole)
    box.sync()
    box.digest()


def test_documents_that_differ_in_a_secret_of_their_url_stay_two(tmp_path: Path) -> None:
    box = Box(tmp_path)
    for name, token in (("a", "abcDEF123456" + "789ghiJKL"), ("b", "zzzYYY987654" + "321xxxWWW")):
        text = "\n\n".join(f"{name} says thing {n} about the harbour." for n in range(6))
        box.write(f"{name}.md", f"---\nurl: https://docs.example.org/share?token={token}\n---\n# {name}\n\n{text}\n")
    box.sync()

    assert sum(path.startswith("wiki/raw/document") for path in box.notes()) == 2
    assert b"abcDEF123456" not in bytes_below(box.root)
