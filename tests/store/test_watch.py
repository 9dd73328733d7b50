"""The watcher: every way of saving is heard, our own writes are not, and what is missed is said."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vaultmem.model import NoteFile
from vaultmem.store import watch as watching
from vaultmem.store.vault import DiskVault
from vaultmem.store.watch import Changes, Watch

ROOT = Path(__file__).parents[2]
#: Longer than any machine needs; a test that waits this long has failed.
LONG = 10.0


@pytest.fixture
def vault(tmp_path: Path) -> DiskVault:
    root = tmp_path / "vault"
    for folder in ("wiki/raw", "inbox", ".git", ".obsidian", ".vaultmem"):
        (root / folder).mkdir(parents=True)
    (root / "note.md").write_text("old")
    return DiskVault(root)


@pytest.fixture(params=["events", "poll"])
def watch(request: pytest.FixtureRequest, vault: DiskVault) -> Iterator[Watch]:
    with Watch(vault.root, written=vault.written, mode=request.param, debounce=0.1, poll_seconds=0.1) as started:
        assert started.mode == request.param
        yield started


@pytest.fixture
def events(vault: DiskVault) -> Iterator[Watch]:
    with Watch(vault.root, written=vault.written, debounce=0.1) as started:
        yield started


def collect(watch: Watch, wanted: set[str]) -> set[str]:
    """What is heard until all that is wanted was."""
    heard: set[str] = set()
    end = time.monotonic() + LONG
    while not wanted <= heard and time.monotonic() < end:
        heard |= set(watch.wait(1).paths)
    return heard


# --- ten ways of saving a note (AT-1) --------------------------------------------------------------------------------


def in_place(note: Path) -> None:
    note.write_text("new")


def append(note: Path) -> None:
    with note.open("a") as file:
        file.write("new")


def truncate_then_write(note: Path) -> None:
    with note.open("w") as file:
        file.flush()
        time.sleep(0.02)
        file.write("new")


def hidden_temporary(note: Path) -> None:
    fresh = note.with_name(".note.tmp")
    fresh.write_text("new")
    fresh.replace(note)


def visible_temporary(note: Path) -> None:
    fresh = note.with_name("note.md~1")
    fresh.write_text("new")
    fresh.replace(note)


def vim(note: Path) -> None:
    backup = note.with_name("note.md~")
    note.rename(backup)
    note.write_text("new")
    backup.unlink()


def moved_in(note: Path) -> None:
    fresh = note.parent.parent / "outside.md"
    fresh.write_text("new")
    fresh.replace(note)


def deleted_and_made(note: Path) -> None:
    note.unlink()
    time.sleep(0.03)
    note.write_text("new")


def linked(note: Path) -> None:
    fresh = note.with_name(".fresh")
    fresh.write_text("new")
    note.unlink()
    os.link(fresh, note)
    fresh.unlink()


def mapped_with_old_time(note: Path) -> None:
    note.write_text("newer")
    os.utime(note, (1_600_000_000, 1_600_000_000))


WAYS = [in_place, append, truncate_then_write, hidden_temporary, visible_temporary, vim, moved_in, deleted_and_made,
        linked, mapped_with_old_time]  # fmt: skip


@pytest.mark.parametrize("save", WAYS)
def test_every_way_of_saving_is_heard(vault: DiskVault, watch: Watch, save: Callable[[Path], None]) -> None:
    started = time.monotonic()
    save(vault.root / "note.md")
    assert "note.md" in collect(watch, {"note.md"})
    assert time.monotonic() - started < 5  # 0.3 s on a quiet machine
    assert vault.read("note.md").startswith((b"new", b"oldnew"))


# --- what else happens -----------------------------------------------------------------------------------------------


def test_new_gone_and_renamed_files_are_heard(vault: DiskVault, watch: Watch) -> None:
    (vault.root / "inbox" / "Chat mit Ju\u0308rgen.txt").write_text("x")
    assert collect(watch, {"inbox/Chat mit J\u00fcrgen.txt"}) == {"inbox/Chat mit J\u00fcrgen.txt"}
    (vault.root / "note.md").rename(vault.root / "wiki" / "note.md")
    assert collect(watch, {"note.md", "wiki/note.md"}) == {"note.md", "wiki/note.md"}
    (vault.root / "wiki" / "note.md").unlink()
    assert collect(watch, {"wiki/note.md"}) == {"wiki/note.md"}


def test_folders_that_come_at_once_are_heard_file_by_file(vault: DiskVault, watch: Watch, tmp_path: Path) -> None:
    deep = vault.root / "inbox" / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "c.md").write_text("x")
    (tmp_path / "export" / "eng").mkdir(parents=True)
    (tmp_path / "export" / "eng" / "1.json").write_text("[]")
    (tmp_path / "export").rename(vault.root / "inbox" / "export")
    wanted = {"inbox/a/b/c.md", "inbox/export/eng/1.json"}
    assert wanted <= collect(watch, wanted)


def test_a_folder_that_goes_asks_for_a_whole_look(vault: DiskVault, watch: Watch, tmp_path: Path) -> None:
    vault.write([NoteFile(path="people/a.md", content=b"x")])
    while watch.wait(0.5) != Changes():
        pass
    (vault.root / "people").rename(tmp_path / "people")
    rescan = False
    end = time.monotonic() + LONG
    while not rescan and time.monotonic() < end:
        rescan = watch.wait(1).rescan
    assert rescan


def test_dot_parts_are_never_heard(vault: DiskVault, watch: Watch) -> None:
    for name in (".git/index", ".obsidian/app.json", ".vaultmem/usage.jsonl", "wiki/.a.md.0123abcd.tmp", ".x"):
        (vault.root / name).write_text("x")
    (vault.root / "wiki" / ".trash").mkdir()
    (vault.root / "wiki" / ".trash" / "b.md").write_text("x")
    assert watch.wait(0.6) == Changes()


def test_our_own_writes_are_not_heard_and_a_persons_after_them_are(vault: DiskVault, watch: Watch) -> None:
    now = datetime.now(UTC) + timedelta(hours=1)
    vault.write([NoteFile(path=f"wiki/raw/{n}.md", content=b"x") for n in range(50)])
    assert vault.edit("note.md", lambda old: old + b"!", now=now)
    vault.put("wiki/archive/a.pdf", b"%PDF")
    vault.move("wiki/archive/a.pdf", "wiki/archive/b.pdf")
    vault.remove("wiki/raw/0.md")
    assert watch.wait(0.8) == Changes()

    (vault.root / "wiki" / "raw" / "7.md").write_text("a person")
    (vault.root / "wiki" / "raw" / "8.md").unlink()
    (vault.root / "wiki" / "raw" / "0.md").write_text("back")
    wanted = {"wiki/raw/0.md", "wiki/raw/7.md", "wiki/raw/8.md"}
    assert collect(watch, wanted) == wanted


def test_our_edit_of_a_note_that_somebody_changed_is_heard(vault: DiskVault, watch: Watch) -> None:
    now = datetime.now(UTC) + timedelta(hours=1)
    assert vault.edit("note.md", lambda old: old + b"!", now=now)
    assert watch.wait(0.8) == Changes()

    (vault.root / "note.md").write_text("a person")
    assert vault.edit("note.md", lambda old: old + b"?", now=now)
    assert collect(watch, {"note.md"}) == {"note.md"}
    assert vault.edit("note.md", lambda old: old + b"!", now=now)
    assert watch.wait(0.8) == Changes()


def test_a_writer_without_a_pause_is_heard_all_the_same(
    vault: DiskVault, events: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LONGEST_SECONDS", 0.5)
    done = threading.Event()

    def write() -> None:
        while not done.wait(0.02):
            append(vault.root / "note.md")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert events.wait(LONG).paths == ("note.md",)
    finally:
        done.set()
        writer.join()


def test_waiting_ends_at_the_timeout_and_at_stop(vault: DiskVault, watch: Watch) -> None:
    started = time.monotonic()
    assert watch.wait(0.2) == Changes()
    assert 0.15 < time.monotonic() - started < 2
    threading.Timer(0.2, watch.stop).start()
    assert watch.wait(LONG) == Changes()
    assert time.monotonic() - started < 5
    watch.stop()
    assert watch.wait(LONG) == Changes()


def test_quiet_costs_nothing(vault: DiskVault, events: Watch) -> None:
    events.wait(0.2)
    before = time.process_time()
    assert events.wait(2) == Changes()
    assert time.process_time() - before < 0.05


def test_watching_stops_its_threads(vault: DiskVault) -> None:
    before = threading.active_count()
    for mode in ("events", "poll"):
        Watch(vault.root, mode=mode).stop()
    assert threading.active_count() == before


# --- when watching fails ---------------------------------------------------------------------------------------------

FLOOD = """
import os, signal, sys
from pathlib import Path
from vaultmem.store.watch import Watch
root = Path(sys.argv[1])
with Watch(root, debounce=0.1) as watch:
    print("ready", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
    rescan = False
    for _ in range(20):
        rescan = rescan or watch.wait(1).rescan
        if rescan:
            break
    print("rescan" if rescan else "silence", flush=True)
    (root / "after.md").write_text("x")
    heard = set()
    for _ in range(10):
        heard |= set(watch.wait(1).paths)
        if "after.md" in heard:
            break
    print("after" if "after.md" in heard else "deaf", flush=True)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel's queue of events is Linux's")
def test_an_overflow_of_the_kernels_queue_asks_for_a_whole_look(tmp_path: Path) -> None:
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 50_000:
        pytest.skip("the queue is too long to fill here")
    process = subprocess.Popen(
        [sys.executable, "-c", FLOOD, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        os.waitpid(process.pid, os.WUNTRACED)
        for number in range(limit // 3 + 500):
            name = tmp_path / f"{number % 50}"
            os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
            name.unlink()
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert out == "rescan\nafter\n"
    assert err == ""


def test_no_watches_left_turns_to_polling_and_says_so_once(vault: DiskVault, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_watches(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "inotify watch limit reached")

    monkeypatch.setattr(watching, "listen", no_watches)
    said: list[str] = []
    with Watch(vault.root, notice=said.append, debounce=0.1, poll_seconds=0.1) as watch:
        assert watch.mode == "poll"
        in_place(vault.root / "note.md")
        assert collect(watch, {"note.md"}) == {"note.md"}
    assert said == ["file events are not to be had (inotify watch limit reached): looking every 0.1 s instead"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="inotify")
def test_a_folder_below_that_gets_no_watch_turns_to_polling(vault: DiskVault, monkeypatch: pytest.MonkeyPatch) -> None:
    from watchdog.observers.inotify_c import InotifyFD

    real = InotifyFD.add_callback

    def limited(self: InotifyFD, path: bytes, *rest: object) -> object:
        if path.endswith(b"late"):
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        return real(self, path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(InotifyFD, "add_callback", limited)
    said: list[str] = []
    with Watch(vault.root, notice=said.append, debounce=0.1, poll_seconds=0.1) as watch:
        assert watch.mode == "events"
        (vault.root / "late").mkdir()
        assert watch.wait(LONG).rescan
        assert watch.mode == "poll"
        (vault.root / "late" / "a.md").write_text("x")
        assert "late/a.md" in collect(watch, {"late/a.md"})
    assert len(said) == 1


def test_a_root_that_comes_back_is_watched_again(
    vault: DiskVault, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "_PULSE_SECONDS", 0.1)
    away = vault.root.with_name("away")
    vault.root.rename(away)
    end = time.monotonic() + LONG
    rescan = False
    while not rescan and time.monotonic() < end:
        rescan = watch.wait(1).rescan
    assert rescan
    shutil.copytree(away, vault.root)
    rescan = False
    while not rescan and time.monotonic() < end:
        rescan = watch.wait(1).rescan
    assert rescan
    in_place(vault.root / "note.md")
    assert "note.md" in collect(watch, {"note.md"})


def test_a_root_that_is_not_there_yet_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_PULSE_SECONDS", 0.1)
    with Watch(tmp_path / "later", debounce=0.1, poll_seconds=0.1) as watch:
        assert watch.wait(0.3) == Changes()
        (tmp_path / "later").mkdir()
        assert watch.wait(LONG).rescan
        (tmp_path / "later" / "a.md").write_text("x")
        assert "a.md" in collect(watch, {"a.md"})


def test_importing_the_watcher_imports_no_watchdog() -> None:
    heavy = ("watchdog", "filelock", "platformdirs")
    code = f"import sys, vaultmem.store.watch, vaultmem.store.lock; print([m for m in {heavy} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"
