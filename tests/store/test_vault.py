"""The vault on a real folder: batches, edits, moves, names, and what it refuses."""

from __future__ import annotations

import errno
import os
import stat
import time
import unicodedata
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vaultmem.errors import CannotWrite, OutsideVault, UnreadableVault
from vaultmem.model import NoteFile
from vaultmem.ports import Vault
from vaultmem.store import atomic
from vaultmem.store.vault import DiskVault

NFC = unicodedata.normalize("NFC", "Jürgen.md")
NFD = unicodedata.normalize("NFD", "Jürgen.md")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


@pytest.fixture
def vault(root: Path) -> DiskVault:
    return DiskVault(root)


def note(path: str, text: str = "text\n") -> NoteFile:
    return NoteFile(path=path, content=text.encode())


def files_below(root: Path) -> list[str]:
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if not p.is_dir())


def age(path: Path, seconds: float = 3600) -> None:
    then = time.time() - seconds
    os.utime(path, (then, then))


def now() -> datetime:
    return datetime.now(UTC)


def test_it_is_the_port(vault: DiskVault) -> None:
    port: Vault = vault
    assert port.root == vault.root


# --- write -----------------------------------------------------------------------------------------------------------


def test_a_batch_is_written_and_leaves_nothing_else(vault: DiskVault, root: Path) -> None:
    paths = [f"wiki/raw/chat/team/2026-0{n % 3 + 1}/{n:04}.md" for n in range(30)]

    assert vault.write([note(p, p) for p in paths]) == tuple(paths)

    assert files_below(root) == sorted(paths)
    assert all((root / p).read_text() == p for p in paths)


def test_equal_bytes_are_not_rewritten(vault: DiskVault, root: Path) -> None:
    vault.write([note("a.md", "same"), note("b.md", "old")])
    age(root / "a.md")
    before = (root / "a.md").stat()

    assert vault.write([note("a.md", "same"), note("b.md", "new")]) == ("b.md",)

    after = (root / "a.md").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert (root / "b.md").read_text() == "new"


def test_the_last_of_two_notes_with_one_path_wins(vault: DiskVault, root: Path) -> None:
    vault.write([note("a.md", "one"), note("a.md", "two")])

    assert (root / "a.md").read_text() == "two"
    assert files_below(root) == ["a.md"]


def test_a_replaced_file_keeps_its_mode(vault: DiskVault, root: Path) -> None:
    vault.write([note("a.md", "one")])
    (root / "a.md").chmod(0o640)

    vault.write([note("a.md", "two")])
    assert vault.edit("a.md", lambda old: old + b"!", now=now())

    assert stat.S_IMODE((root / "a.md").stat().st_mode) == 0o640


def test_a_link_is_replaced_and_never_followed(vault: DiskVault, root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("mine")
    (root / "a.md").symlink_to(outside)

    vault.write([note("a.md", "new")])

    assert outside.read_text() == "mine"
    assert not (root / "a.md").is_symlink()


def test_the_barrier_comes_before_the_first_name(vault: DiskVault, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []
    for name in ("flush_file", "replace", "flush_folder"):
        real = getattr(atomic, name)
        monkeypatch.setattr(atomic, name, lambda *a, _n=name, _r=real: (steps.append(_n), _r(*a))[1])

    vault.write([note(f"wiki/raw/{n}.md") for n in range(20)])

    assert steps[:20] == ["flush_file"] * 20
    assert steps[20:40] == ["replace"] * 20
    # wiki/raw with the notes, wiki with `raw`, the root with `wiki`: each once
    assert steps[40:] == ["flush_folder"] * 3


def test_a_full_disk_is_a_named_problem_and_leaves_no_temporary(
    vault: DiskVault, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.write([note("3.md", "old")])
    real = atomic.flush_file

    def full(fd: int) -> None:
        if os.fstat(fd).st_size == 7:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(fd)

    monkeypatch.setattr(atomic, "flush_file", full)

    with pytest.raises(CannotWrite, match="No space left"):
        vault.write([note(f"{n}.md", "1234567" if n == 3 else "new") for n in range(40)])

    assert files_below(root) == ["3.md"]
    assert (root / "3.md").read_text() == "old"


def test_a_folder_in_the_way_is_a_named_problem(vault: DiskVault, root: Path) -> None:
    (root / "a.md").mkdir()
    with pytest.raises(CannotWrite):
        vault.write([note("a.md")])
    with pytest.raises(CannotWrite):
        vault.write([note("x" * 300 + ".md")])
    assert files_below(root) == []


def test_names_of_255_bytes_fit(vault: DiskVault, root: Path) -> None:
    name = "ü" * 126 + ".md"
    vault.write([note(name)])
    assert files_below(root) == [name]


def test_a_batch_of_200_takes_far_less_than_200_flushes(vault: DiskVault, capsys: pytest.CaptureFixture[str]) -> None:
    text = "x" * 8000
    started = time.perf_counter()
    vault.write([note(f"wiki/raw/chat/s/2026-0{n % 9 + 1}/{n:04}.md", text) for n in range(200)])
    took = time.perf_counter() - started
    started = time.perf_counter()
    for n in range(20):
        vault.write([note(f"wiki/raw/one/{n}.md", text)])
    alone = (time.perf_counter() - started) / 20
    with capsys.disabled():
        print(f"\n200 notes in one batch: {took * 1000:.0f} ms; one note alone: {alone * 1000:.1f} ms")


# --- paths -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    ["", ".", "/etc/passwd", "../a.md", "a/../../b.md", "a//b.md", "a/./b.md", ".obsidian/app.json", "a/.git/x",
     "wiki/.hidden.md", "a\0.md", "a\ud800.md", "//", ".vaultmem/../../x"],
)  # fmt: skip
def test_paths_that_could_leave_the_vault_are_refused(vault: DiskVault, root: Path, path: str) -> None:
    for attempt in (
        lambda: vault.write([note(path)]),
        lambda: vault.edit(path, lambda _: b"x", now=now()),
        lambda: vault.remove(path),
        lambda: vault.put(path, b"x"),
        lambda: vault.move("there.md", path),
    ):
        (root / "there.md").write_text("here")
        with pytest.raises(OutsideVault):
            attempt()
    assert files_below(root) == ["there.md"]


def test_the_folder_of_our_own_may_hold_dot_files(vault: DiskVault, root: Path) -> None:
    vault.write([note(".vaultmem/.gitignore", "*\n")])
    assert vault.read(".vaultmem/.gitignore") == b"*\n"


def test_no_way_out_through_a_linked_folder(vault: DiskVault, root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "secret.md").write_text("secret")
    (root / "out").symlink_to(outside)
    (root / "in").mkdir()
    (root / "alias").symlink_to(root / "in")
    (root / "in" / "hop").symlink_to(outside)

    for path in ("out/secret.md", "out/deep/new.md", "alias/hop/secret.md"):
        for attempt in (lambda p=path: vault.write([note(p)]), lambda p=path: vault.read(p)):
            with pytest.raises(OutsideVault):
                attempt()
    assert sorted(p.name for p in outside.iterdir()) == ["deep", "secret.md"]
    vault.write([note("alias/new.md")])
    assert (root / "in" / "new.md").exists()


# --- reading ---------------------------------------------------------------------------------------------------------


def test_a_scan_leaves_out_dot_parts_links_and_other_suffixes(vault: DiskVault, root: Path) -> None:
    vault.write([note("wiki/b.md"), note("wiki/a/c.md"), note("wiki/a.md"), note("wiki/pic.png"), note("wiki/D.MD")])
    for hidden in ("wiki/.trash/x.md", "wiki/.x.md", ".obsidian/y.md"):
        (root / hidden).parent.mkdir(exist_ok=True)
        (root / hidden).write_text("no")
    (root / "wiki" / "link.md").symlink_to(root / "wiki" / "b.md")
    (root / "wiki" / "loop").symlink_to(root / "wiki")
    os.mkfifo(root / "wiki" / "pipe.md")

    seen = vault.scan("wiki")

    assert list(seen.files) == ["wiki/D.MD", "wiki/a.md", "wiki/a/c.md", "wiki/b.md"]
    assert seen.unreadable == ()
    assert seen.files["wiki/b.md"] == vault.stat("wiki/b.md")
    assert "wiki/pic.png" in vault.scan("wiki", suffix="").files
    assert list(vault.scan("", suffix=".png").files) == ["wiki/pic.png"]
    assert vault.scan("nowhere").files == {}
    assert vault.scan("wiki/").files == seen.files


def test_stat_and_read_know_only_plain_files(vault: DiskVault, root: Path) -> None:
    (root / "folder.md").mkdir()
    (root / "real.md").write_text("x")
    (root / "link.md").symlink_to(root / "real.md")
    os.mkfifo(root / "pipe.md")
    for path in ("folder.md", "link.md", "pipe.md", "gone.md", "real.md/below.md", "x" * 300):
        assert vault.stat(path) is None
        with pytest.raises(FileNotFoundError):
            vault.read(path)


def refuse(monkeypatch: pytest.MonkeyPatch, *folders: Path, after: int = 0) -> None:
    """Make listing these folders fail (the tests may run as root, to whom no folder is closed)."""
    real = os.scandir

    class Broken:
        def __init__(self, path: str) -> None:
            self._entries = real(path)

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            return self._broken()

        def __exit__(self, *_: object) -> None:
            self._entries.close()

        def _broken(self) -> Iterator[os.DirEntry[str]]:
            for _, entry in zip(range(after), self._entries, strict=False):
                yield entry
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def scandir(path: str | Path = ".") -> object:
        if Path(path) in folders:
            if after:
                return Broken(str(path))
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)


def test_an_unreadable_folder_is_named_and_the_rest_is_seen(
    vault: DiskVault, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.write([note(f"wiki/{folder}/{n}.md") for folder in ("a", "b", "c") for n in range(3)])
    whole = vault.scan("wiki")
    refuse(monkeypatch, vault.root / "wiki" / "b")

    partial = vault.scan("wiki")

    assert partial.unreadable == ("wiki/b",)
    assert set(whole.files) - set(partial.files) == {f"wiki/b/{n}.md" for n in range(3)}
    assert vault.scan("wiki/b").unreadable == ("wiki/b",)
    monkeypatch.undo()
    assert vault.scan("wiki") == whole


def test_a_listing_that_breaks_off_is_unreadable(vault: DiskVault, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write([note(f"wiki/{n}.md") for n in range(9)])
    refuse(monkeypatch, vault.root / "wiki", after=4)
    assert vault.scan("wiki").unreadable == ("wiki",)


def test_a_folder_turned_into_a_link_is_unreadable_and_not_empty(vault: DiskVault, root: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (root / "wiki").symlink_to(tmp_path / "elsewhere")
    assert vault.scan("wiki").unreadable == ("wiki",)


def test_a_missing_or_unreadable_root_raises(vault: DiskVault, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write([note("wiki/a.md")])
    root.rename(root.with_name("away"))
    with pytest.raises(UnreadableVault, match="No such file"):
        vault.scan("wiki")
    root.with_name("away").rename(root)
    refuse(monkeypatch, vault.root)
    with pytest.raises(UnreadableVault, match="Permission denied"):
        vault.scan("wiki")


def test_a_file_that_cannot_be_read_is_a_named_problem(vault: DiskVault, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Path) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    vault.write([note("a.md")])
    monkeypatch.setattr(atomic, "read_regular", broken)
    with pytest.raises(UnreadableVault, match=r"a\.md"):
        vault.read("a.md")


# --- names (AT-4) ----------------------------------------------------------------------------------------------------

NAMES = [
    NFC, "🐘.md", "°.md", "----=-.md", "my file.md", "my-file.md", "a_b.md", "a-b.md", "README.md", "readme.md",
    "n" * 197 + ".md", "日本語.md", "עברית.md", "e\u0301\u0301.md", "\u202eevil.md", "back\\slash.md", "new\nline.md",
    "[[x]] #y ^z %%.md", "CON.md", " lead.md", "trail .md",
]  # fmt: skip


def test_every_legal_name_is_distinct_and_read_by_the_path_returned(vault: DiskVault, root: Path) -> None:
    (root / "notes").mkdir()
    for name in NAMES:
        (root / "notes" / name).write_text(name)

    seen = vault.scan("notes")

    assert len(seen.files) == len(NAMES)
    assert sorted(vault.read(path).decode() for path in seen.files) == sorted(NAMES)
    assert all(vault.stat(path) == seen.files[path] for path in seen.files)


def test_a_name_that_is_no_utf8_is_printable_and_readable(vault: DiskVault, root: Path) -> None:
    (root / "notes").mkdir()
    raw = os.fsencode(root / "notes") + b"/caf\xe9.md"
    with open(os.open(raw, os.O_CREAT | os.O_WRONLY), "wb") as file:  # noqa: PTH123
        file.write(b"latin")

    (path,) = vault.scan("notes").files

    assert path == "notes/caf\\xe9.md"
    assert path.encode("utf-8")
    assert vault.read(path) == b"latin"


def test_a_decomposed_name_is_one_entry_and_is_found_composed(vault: DiskVault, root: Path) -> None:
    folder = unicodedata.normalize("NFD", "Fräulein")
    (root / folder).mkdir()
    (root / folder / NFD).write_text("decomposed")
    path = f"{unicodedata.normalize('NFC', folder)}/{NFC}"

    assert list(vault.scan("").files) == [path]
    assert vault.read(path) == b"decomposed"
    vault.write([note(path, "written")])
    assert files_below(root) == [f"{folder}/{NFD}"]
    assert vault.edit(path, lambda old: old + b"!", now=now())
    assert vault.read(path) == b"written!"
    vault.remove(path)
    assert files_below(root) == []


def test_twins_in_both_spellings_stay_apart(vault: DiskVault, root: Path) -> None:
    (root / NFC).write_text("composed")
    (root / NFD).write_text("decomposed")

    seen = vault.scan("")

    assert {path: vault.read(path) for path in seen.files} == {NFC: b"composed", NFD: b"decomposed"}


def test_what_we_write_is_composed(vault: DiskVault, root: Path) -> None:
    vault.write([note(f"{unicodedata.normalize('NFD', 'Fräulein')}/{NFD}")])
    assert files_below(root) == [f"{unicodedata.normalize('NFC', 'Fräulein')}/{NFC}"]


# --- edit ------------------------------------------------------------------------------------------------------------


def test_an_edit_changes_a_quiet_note(vault: DiskVault, root: Path) -> None:
    (root / "a.md").write_bytes(b"\xef\xbb\xbfone\r\n")
    age(root / "a.md")

    assert vault.edit("a.md", lambda old: old + b"two\r\n", now=now())

    assert (root / "a.md").read_bytes() == b"\xef\xbb\xbfone\r\ntwo\r\n"
    assert files_below(root) == ["a.md"]


@pytest.mark.parametrize("change", [lambda _: None, lambda old: old])
def test_no_change_is_no_write(vault: DiskVault, root: Path, change: Callable[[bytes], bytes | None]) -> None:
    (root / "a.md").write_text("one")
    age(root / "a.md")
    before = vault.stat("a.md")
    assert not vault.edit("a.md", change, now=now())
    assert vault.stat("a.md") == before


def test_a_note_a_person_just_changed_is_left_for_later(vault: DiskVault, root: Path) -> None:
    (root / "a.md").write_text("typing")
    assert not vault.edit("a.md", lambda _: b"ours", now=now())
    assert (root / "a.md").read_text() == "typing"
    assert vault.edit("a.md", lambda _: b"ours", now=now() + timedelta(seconds=11))


def test_our_own_write_is_nobody_typing(vault: DiskVault, root: Path) -> None:
    vault.write([note("a.md", "one")])
    assert vault.edit("a.md", lambda old: old + b"1", now=now())
    assert vault.edit("a.md", lambda old: old + b"2", now=now())
    assert (root / "a.md").read_bytes() == b"one12"
    (root / "a.md").write_text("a person")
    assert not vault.edit("a.md", lambda old: old + b"3", now=now())


@pytest.mark.parametrize("clock", [LONG_AGO, datetime(2090, 1, 1, tzinfo=UTC)])
def test_a_fixed_clock_blocks_no_edit(vault: DiskVault, root: Path, clock: datetime) -> None:
    (root / "a.md").write_text("one")
    assert vault.edit("a.md", lambda _: b"two", now=clock)


def test_a_note_that_changes_under_the_edit_is_edited_anew(vault: DiskVault, root: Path) -> None:
    target = root / "a.md"
    target.write_text("old")
    age(target)
    seen: list[bytes] = []

    def change(old: bytes) -> bytes:
        seen.append(old)
        if len(seen) == 1:
            target.write_text("a person's words")
            age(target, 60)
        return old + b" + ours"

    assert vault.edit("a.md", change, now=now())
    assert seen == [b"old", b"a person's words"]
    assert target.read_text() == "a person's words + ours"
    assert files_below(root) == ["a.md"]


def test_a_note_that_never_rests_is_given_up(vault: DiskVault, root: Path) -> None:
    target = root / "a.md"
    target.write_text("0")
    age(target)

    def change(old: bytes) -> bytes:
        target.write_bytes(old + b".")
        age(target, 60 + len(old))
        return b"ours"

    assert not vault.edit("a.md", change, now=now())
    assert b"ours" not in target.read_bytes()
    assert files_below(root) == ["a.md"]


def test_editing_what_is_gone_or_fails_writes_nothing(vault: DiskVault, root: Path) -> None:
    assert not vault.edit("gone.md", lambda _: b"x", now=now())
    (root / "a.md").write_text("one")
    age(root / "a.md")
    with pytest.raises(ZeroDivisionError):
        vault.edit("a.md", lambda _: bytes(1 // 0), now=now())
    assert (root / "a.md").read_text() == "one"


# --- remove, move, put -----------------------------------------------------------------------------------------------


def test_removing_is_durable_with_the_next_barrier(vault: DiskVault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write([note(f"a/{n}.md") for n in range(5)])
    flushed: list[Path] = []
    monkeypatch.setattr(atomic, "flush_folder", flushed.append)
    for n in range(5):
        vault.remove(f"a/{n}.md")
    vault.remove("a/0.md")
    assert flushed == []
    assert vault.write(()) == ()
    assert flushed == [vault.root / "a"]


def test_a_move_replaces_nothing(vault: DiskVault, root: Path) -> None:
    got = []
    for text in ("one", "two", "three", "four"):
        vault.write([note("inbox/Chat.txt", text)])
        got.append(
            vault.move("inbox/Chat.txt", "inbox/_failed/chat.txt" if text == "two" else "inbox/_failed/Chat.txt")
        )

    assert got == [f"inbox/_failed/{n}" for n in ("Chat.txt", "chat (2).txt", "Chat (3).txt", "Chat (4).txt")]
    assert [vault.read(path) for path in got] == [b"one", b"two", b"three", b"four"]
    assert files_below(root) == sorted(got)


def test_a_move_onto_itself_stays(vault: DiskVault, root: Path) -> None:
    vault.write([note("a.md")])
    assert vault.move("a.md", "a.md") == "a.md"
    assert vault.move("a.md", "A.md") == "A.md"
    assert files_below(root) == ["A.md"]


def test_a_move_cut_by_a_kill_ends_where_it_began_to_go(
    vault: DiskVault, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault.write([note("inbox/x.txt", "x"), note("inbox/_failed/x.txt", "another")])
    with monkeypatch.context() as cut:

        def killed(_: Path) -> None:
            raise KeyboardInterrupt

        cut.setattr(atomic, "unlink", killed)
        with pytest.raises(KeyboardInterrupt):
            vault.move("inbox/x.txt", "inbox/_failed/x.txt")

    assert vault.move("inbox/x.txt", "inbox/_failed/x.txt") == "inbox/_failed/x (2).txt"
    assert files_below(root) == ["inbox/_failed/x (2).txt", "inbox/_failed/x.txt"]


def test_a_disk_without_hard_links_replaces_nothing_either(
    vault: DiskVault, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: Path) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(atomic, "link_new", no_links)
    vault.write([note("a.txt", "one"), note("b.txt", "two")])
    assert vault.move("a.txt", "b.txt") == "b (2).txt"
    assert vault.put("b.txt", b"three") == "b (3).txt"
    assert {p: vault.read(p) for p in files_below(root)} == {
        "b.txt": b"two", "b (2).txt": b"one", "b (3).txt": b"three"
    }  # fmt: skip


def test_moving_nothing_says_so(vault: DiskVault) -> None:
    with pytest.raises(FileNotFoundError):
        vault.move("gone.txt", "there.txt")


def test_put_keeps_the_time_it_is_given_and_takes_blocks(vault: DiskVault, root: Path) -> None:
    when = datetime(2026, 4, 21, 10, 12, 3, 456789, tzinfo=UTC)

    assert vault.put("wiki/archive/2026/04/scan.pdf", b"%PDF", modified_at=when) == "wiki/archive/2026/04/scan.pdf"
    assert vault.put("wiki/archive/2026/04/Scan.pdf", (b"%PDF", b" two")) == "wiki/archive/2026/04/Scan (2).pdf"

    seen = vault.stat("wiki/archive/2026/04/scan.pdf")
    assert seen is not None
    assert seen.mtime_ns == 1776766323456789000
    assert vault.read("wiki/archive/2026/04/Scan (2).pdf") == b"%PDF two"


def test_a_block_that_fails_leaves_nothing(vault: DiskVault, root: Path) -> None:
    def blocks() -> Iterator[bytes]:
        yield b"half"
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with pytest.raises(CannotWrite):
        vault.put("a.bin", blocks())
    assert files_below(root) == []


@pytest.mark.parametrize("name", ["x" * 251 + ".txt", "ü" * 125 + ".txt", "🐘" * 62 + "abc.txt", "x" * 255])
def test_a_long_name_is_cut_and_keeps_its_extension(vault: DiskVault, root: Path, name: str) -> None:
    first = vault.put(name, b"1")
    second = vault.put(name, b"2")

    assert first == name
    assert " (2)" in second
    assert second.endswith(Path(name).suffix)
    assert len(os.fsencode(second)) <= 255
    assert vault.read(second) == b"2"


def test_names_longer_than_a_disk_allows_are_cut(vault: DiskVault, root: Path) -> None:
    got = vault.put(f"_failed/{'n' * 300}.reason.md", b"why")
    assert got.endswith(".md")
    assert vault.read(got) == b"why"


# --- leftovers -------------------------------------------------------------------------------------------------------


def test_leftovers_of_a_killed_run_are_swept_and_nothing_else(vault: DiskVault, root: Path) -> None:
    vault.write([note("wiki/a/b.md")])
    left = [".b.md.0123abcd.tmp", "a/.c.md.ffffffff.tmp"]
    kept = ["a/.mine.tmp", "a/x.0123abcd.tmp", ".b.md.0123ABCD.tmp", "a/b.md"]
    for name in left + kept:
        (root / "wiki" / name).write_text("?")
    os.utime(root / "wiki" / left[0], (0, 0))

    assert vault.sweep_temporaries(["wiki", "nowhere"], older_than=now() - timedelta(minutes=1)) == ()
    later = now() + timedelta(minutes=1)
    assert vault.sweep_temporaries(["wiki"], older_than=later) == tuple(f"wiki/{n}" for n in left)

    assert files_below(root) == sorted(f"wiki/{n}" for n in kept)


def test_temporaries_match_our_own_pattern() -> None:
    for name in ("a.md", "x" * 255, "ü" * 127):
        made = atomic.temporary(Path(name)).name
        assert atomic.is_temporary(made)
        assert made.startswith(".")
        assert len(os.fsencode(made)) <= 255
