"""Two clones merged by plain `git merge`, in the places where both wrote: originals, settings, a person's own text in
entity notes and summaries, facts. Driven by the program's commands.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.app.test_clones import CHAT, export, settled
from tests.clones import Clone
from tests.papers import pdf
from vaultmem.surfaces.cli import cli, main

ALICE = "entities/person/alice-smith.md"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Clone, Clone]:
    """Two clones of one vault with a chat in it, and nothing of their own yet."""
    folder = tmp_path_factory.mktemp("clones")
    one = Clone.first(folder / "one", config="archive: vault\n")
    one.write(CHAT, export("Eve Young", 1) + export("Eve Young", 2))
    one.sync()
    one.save()
    other = one.clone(folder / "other")
    other.sync()
    return one, other


@pytest.fixture
def pair(made: tuple[Clone, Clone], tmp_path: Path) -> tuple[Clone, Clone]:
    one, other = made
    return one.copy(tmp_path / "one"), other.copy(tmp_path / "other")


def run(clone: Clone, *arguments: str, code: int = 0) -> str:
    """One command of the program; what it says."""
    done = CliRunner().invoke(cli, ["--vault", str(clone.root), *arguments], env=dict(clone.environ))
    assert done.exit_code == code, done.output
    return done.output


def both_sync(one: Clone, other: Clone) -> None:
    for clone in (one, other):
        run(clone, "sync")


def own(clone: Clone) -> dict[str, bytes]:
    return {path: data for path, data in clone.notes().items() if path != "wiki/Home.md"}


def archived(clone: Clone) -> dict[str, bytes]:
    return {path: data for path, data in clone.notes().items() if path.startswith("wiki/archive/")}


def edit(clone: Clone, path: str, old: str, new: str) -> None:
    """Replace a text of a note by hand; at the end where `old` is empty."""
    note = clone.root / path
    text = note.read_text(encoding="utf-8")
    assert old in text
    note.write_text(text.replace(old, new, 1) if old else text + new, encoding="utf-8")


# --- originals -------------------------------------------------------------------------------------------------------


def test_two_originals_of_one_name_both_stay_as_they_were(pair: tuple[Clone, Clone]) -> None:
    dropped = {
        who: {
            "chat.txt": export(who, day).encode(),
            "Plan.md": f"# Plan\n\n{who} plans this.\n\n<<<<<<< a\n{who}\n=======\nb\n>>>>>>> c\n".encode(),
            "Lease.pdf": pdf([[(f"The lease of {who} runs until May.", 30, 400, 12)]]),
        }
        for who, day in (("Cara Jones", 3), ("Dan Brown", 5))
    }
    for clone, (who, files) in zip(pair, dropped.items(), strict=True):
        for name, data in files.items():
            clone.write(name, data)
        run(clone, "sync")
        run(clone, "commit", "-m", who)
    pair[0].merge_across(pair[1])
    both_sync(*pair)

    for clone in pair:
        held = archived(clone)
        for files in dropped.values():
            assert set(files.values()) <= set(held.values())
        for path, data in clone.notes().items():
            if path.startswith("wiki/raw/") and b'original: "[[' in data:
                shown = held[data.split(b'original: "[[')[1].split(b"|")[0].decode()]
                who = next((who for who in dropped if who.encode() in data), "Eve Young")
                assert shown in dropped.get(who, {"": export(who, 1).encode() + export(who, 2).encode()}).values()
        assert run(clone, "sync").count("!") == 0
    assert own(pair[0]) == own(pair[1])
    assert pair[0].digest() == pair[1].digest()


def test_originals_that_had_one_name_before_stand_side_by_side(pair: tuple[Clone, Clone]) -> None:
    texts = {
        "a.txt": (b"one\n", b"other\n"),
        "b.pdf": (b"%PDF\x00one", b"%PDF\x00other"),
        "c.md": (b"# C\n1\n", b"# C\n2\n"),
    }
    folder = "wiki/archive/2020/01"
    for side, clone in enumerate(pair):
        (clone.root / folder).mkdir(parents=True)
        for name, versions in texts.items():
            (clone.root / folder / name).write_bytes(versions[side])
        clone.save()
    pair[0].merge_across(pair[1])
    both_sync(*pair)

    for clone in pair:
        held = archived(clone)
        for name, versions in texts.items():
            assert {data for path, data in held.items() if path.rpartition("/")[2][0] == name[0]} == set(versions)
        assert clone.marked() == []
        away = next(path for path in held if "/b-" in path)
        (clone.root / away).unlink()
        run(clone, "sync")
        assert away not in archived(clone)
        clone.save("merged")
        run(clone, "sync")
    assert archived(pair[0]) == archived(pair[1])


# --- settings --------------------------------------------------------------------------------------------------------


def test_settings_with_markers_stop_with_one_line_and_lose_nothing(
    pair: tuple[Clone, Clone], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    for clone, name in zip(pair, ("Ann", "Bob"), strict=True):
        edit(clone, ".vaultmem/config.yaml", "", f"me: [{name}]\n")
        clone.save()
    one.merge(other)
    one.write("n.md", "# N\n\nThe boat is green.\n")
    before = {path: path.read_bytes() for path in one.root.rglob("*") if path.is_file() and ".git" not in path.parts}
    for key, value in one.environ.items():
        monkeypatch.setenv(key, value)
    for command in (
        ["sync"],
        ["recall", "boat"],
        ["watch"],
        ["rebuild"],
        ["commit"],
        ["doctor"],
        ["init", str(one.root)],
    ):
        monkeypatch.setattr("sys.argv", ["vaultmem", "--vault", str(one.root), *command])
        with pytest.raises(SystemExit) as end:
            main()
        told = capfd.readouterr()
        assert end.value.code == 1
        assert told.out == ""
        (line,) = told.err.splitlines()
        assert "config.yaml" in line
        assert "a conflict of git that begins in line" in line
    assert before == {
        path: path.read_bytes() for path in one.root.rglob("*") if path.is_file() and ".git" not in path.parts
    }

    text = (one.root / ".vaultmem/config.yaml").read_text(encoding="utf-8")
    kept = [line for line in text.splitlines(keepends=True) if line[:7] not in ("<<<<<<<", "=======", ">>>>>>>")]
    (one.root / ".vaultmem/config.yaml").write_text("".join(kept).replace("me: [Bob]\n", ""), encoding="utf-8")
    assert "1 imported" in run(one, "sync") or "n.md" in run(one, "recall", "green boat")


# --- a person's own text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("crlf", [False, True], ids=["lf", "crlf"])
def test_an_entity_note_edited_in_both_loses_no_word(pair: tuple[Clone, Clone], crlf: bool) -> None:
    for clone, name, place in ((pair[0], "Ally", "Oslo"), (pair[1], "Lissy", "Bergen")):
        note = clone.root / ALICE
        text = note.read_text(encoding="utf-8")
        head, mark, rest = text.partition("\n---\n")
        text = f"{head}\naliases:\n  - {name}\nhome: {place}{mark}\nMet in {place}.\n{rest}\nLikes {place}, and tea.\n"
        text = text.replace("aliases: []\n", "", 1)
        note.write_bytes(text.replace("\n", "\r\n").encode() if crlf else text.encode())
        run(clone, "sync")
        clone.save(name)
    pair[0].merge_across(pair[1])
    both_sync(*pair)

    for clone in pair:
        text = (clone.root / ALICE).read_text(encoding="utf-8")
        for word in (
            "Ally",
            "Lissy",
            "Met in Oslo.",
            "Met in Bergen.",
            "Likes Oslo, and tea.",
            "Likes Bergen, and tea.",
        ):
            assert text.count(word) == 1, word
        assert "home:\n  - Oslo\n  - Bergen\n" in text
        assert "conflict of git begins in line" in run(clone, "sync")
        assert ALICE in run(clone, "doctor", code=1)
    assert own(pair[0]) == own(pair[1])


def summary(clone: Clone) -> str:
    """The path of the newest digest of a day."""
    return max(path for path in clone.notes() if "/global/daily/" in path)


def test_a_summary_edited_in_one_and_sealed_again_in_the_other_keeps_the_edit(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    path = summary(one)
    edit(one, path, "", "\nMy own word on this day.\n")
    other.write("chat.txt", export("Dan Brown", 2))
    for clone in pair:
        run(clone, "sync")
        clone.save()
    pair[0].merge_across(pair[1])
    both_sync(*pair)

    settled(*pair)
    for clone in pair:
        assert clone.notes()[path].decode().count("My own word on this day.") == 1
    assert own(one) == own(other)


def test_a_summary_edited_in_both_keeps_both_texts(pair: tuple[Clone, Clone]) -> None:
    path = summary(pair[0])
    for clone, word in zip(pair, ("One word of Ann.", "Two words of Bob."), strict=True):
        edit(clone, path, "", f"\n{word}\n")
        run(clone, "sync")
        clone.save()
    pair[0].merge_across(pair[1])
    both_sync(*pair)

    for clone in pair:
        text = clone.notes()[path].decode()
        assert text.count("One word of Ann.") == text.count("Two words of Bob.") == 1
        assert path in run(clone, "doctor", code=1)
        kept = [line for line in text.splitlines(keepends=True) if line[:7] not in ("<<<<<<<", "=======", ">>>>>>>")]
        (clone.root / path).write_text("".join(kept), encoding="utf-8")
        assert "!" not in run(clone, "sync")
    settled(*pair)
    assert own(pair[0]) == own(pair[1])


# --- facts --------------------------------------------------------------------------------------------------------


def test_facts_of_both_stay_and_the_later_value_counts(pair: tuple[Clone, Clone]) -> None:
    one, other = pair
    note = "wiki/facts/user.md"
    run(one, "facts", "set", "user", "city", "Berlin")
    run(one, "sync")
    one.save()
    other.merge(one)
    run(other, "sync")
    os.utime(other.root / note, (1_700_000_000, 1_700_000_000))  # nobody is typing in it
    for clone, at, city, pet in (
        (one, "2026-06-02T08:00:00", "Oslo", "cat"),
        (other, "2026-06-03T08:00:00", "Rome", "dog"),
    ):
        clone.environ = {**clone.environ, "VAULTMEM_NOW": at}
        run(clone, "facts", "set", "user", "city", city)
        run(clone, "facts", "set", "user", f"pet {pet}", pet)
        edit(clone, note, "", f"\nA line of my own about {city}.\n")
        run(clone, "sync")
        clone.save()
    pair[0].merge_across(pair[1])
    both_sync(*pair)

    for clone in pair:
        text = clone.notes()[note].decode()
        assert clone.marked() == [note]
        assert text.count("- city: ") == 1
        assert note in run(clone, "doctor", code=1)
        for word in ("Oslo", "Rome", "Berlin", "pet cat: cat", "pet dog: dog", "about Oslo.", "about Rome."):
            assert word in text
    assert own(one) == own(other)
    assert "Rome" in run(one, "facts", "get", "user", "city").splitlines()[0]
