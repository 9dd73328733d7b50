"""The data folder outside the vault, and the look at the inbox."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from vaultmem.errors import BadConfig, CannotWrite, UnreadableVault
from vaultmem.model import Claim
from vaultmem.store import atomic
from vaultmem.store.data import DataFolder, data_folder
from vaultmem.store.inbox import list_inbox

SHA = "ab" * 32


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    (tmp_path / "My Vault").mkdir()
    return data_folder(tmp_path / "My Vault", environ={"VAULTMEM_DATA": str(tmp_path / "data")})


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_is_private_and_says_whose_it_is(data: DataFolder, tmp_path: Path) -> None:
    assert data.path.parent == tmp_path / "data"
    assert data.path.name.startswith("my-vault-")
    assert (data.path / "vault.txt").read_text() == f"{tmp_path / 'My Vault'}\n"
    assert {p.name: mode(p) for p in data.path.iterdir() if p.is_dir()} == dict.fromkeys(
        ("index", "originals", "claims", "logs"), 0o700
    )
    assert mode(data.path) == 0o700
    assert data.index_path.parent.is_dir()


def test_one_folder_per_vault_path(tmp_path: Path) -> None:
    environ = {"VAULTMEM_DATA": str(tmp_path / "data")}
    for name in ("a/notes", "b/notes", "日本語"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "a" / "notes")

    def where(name: str) -> Path:
        return data_folder(tmp_path / name, environ=environ).path

    assert where("a/notes") != where("b/notes")
    assert where("a/notes") == where("a/notes") == where("link") == where("b/../a/notes")
    assert where("日本語").name.startswith("日本語-")


def test_without_the_variable_it_is_the_platform_s_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_dir", lambda name, **_: str(tmp_path / "user" / name))
    (tmp_path / "v").mkdir()
    for environ in ({}, {"VAULTMEM_DATA": ""}):
        assert data_folder(tmp_path / "v", environ=environ).path.parent == tmp_path / "user" / "vaultmem"


def test_it_never_lies_inside_the_vault(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "v")
    for inside in ("v", "v/.vaultmem/data", "link/data"):
        with pytest.raises(BadConfig, match="VAULTMEM_DATA"):
            data_folder(tmp_path / "v", environ={"VAULTMEM_DATA": str(tmp_path / inside)})
    assert list((tmp_path / "v").iterdir()) == []


def test_a_folder_that_cannot_be_made_is_a_named_problem(tmp_path: Path) -> None:
    (tmp_path / "v").mkdir()
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CannotWrite):
        data_folder(tmp_path / "v", environ={"VAULTMEM_DATA": str(tmp_path / "file")})


# --- originals -------------------------------------------------------------------------------------------------------


def test_an_original_is_kept_once_and_privately(data: DataFolder, tmp_path: Path) -> None:
    source = tmp_path / 'WhatsApp: "Anna" #1.txt'
    source.write_bytes(b"hello" * 500_000)
    sha256 = hashlib.sha256(source.read_bytes()).hexdigest()

    assert data.keep_original(f"sub/{source.name}", source) == sha256
    assert data.keep_original("another name.txt", source) == sha256

    kept = data.original_path(sha256)
    assert kept is not None
    assert kept.name == f"{sha256[:16]}-WhatsApp Anna 1.txt"
    assert kept.read_bytes() == source.read_bytes()
    assert mode(kept) == 0o600
    assert [p.name for p in kept.parent.iterdir()] == [kept.name]
    assert source.exists()


@pytest.mark.parametrize("sha256", ["", "0" * 64, "*", "../x", SHA.upper(), SHA[:16]])
def test_what_is_not_kept_is_none(data: DataFolder, sha256: str) -> None:
    assert data.original_path(sha256) is None


def test_a_full_disk_keeps_no_half_original(data: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a.txt").write_text("hello")
    monkeypatch.setattr(atomic, "flush_file", full)
    with pytest.raises(CannotWrite, match="No space left"):
        data.keep_original("a.txt", tmp_path / "a.txt")
    assert list((data.path / "originals").iterdir()) == []


def test_leftovers_are_swept(data: DataFolder) -> None:
    (data.path / "originals" / ".original.0123abcd.tmp").write_text("half")
    assert data.sweep_temporaries(older_than=datetime.now(UTC) - timedelta(hours=1)) == 0
    assert data.sweep_temporaries(older_than=datetime.now(UTC) + timedelta(hours=1)) == 1


# --- claims ----------------------------------------------------------------------------------------------------------


def test_claims_are_found_again_until_closed(data: DataFolder) -> None:
    first = Claim(sha256=SHA, file="sub/Chat.txt", planned=("wiki/a.md",))
    second = Claim(sha256="0" * 64, file="\udce9\ud800.txt", removing=("wiki/日本.md",))
    data.open_claim(first)
    data.open_claim(second)
    again = DataFolder(data.path)
    assert again.claims() == (second, first)

    grown = Claim(sha256=SHA, file="sub/Chat.txt", planned=("wiki/a.md", "wiki/b.md"))
    data.open_claim(grown)
    assert again.claims() == (second, grown)

    data.close_claim(SHA)
    data.close_claim(SHA)
    assert again.claims() == (second,)


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", '"x"', "{}", '{"sha256": 1}', "\xff", "[" * 100_000,
     json.dumps({"sha256": "other", "file": "", "planned": [], "removing": []}),
     json.dumps({"sha256": SHA, "file": "", "planned": [1], "removing": []}),
     json.dumps({"sha256": SHA, "file": "", "planned": None, "removing": []})],
)  # fmt: skip
def test_a_broken_claim_is_listed_as_such(data: DataFolder, content: str) -> None:
    whole = Claim(sha256="0" * 64, file="a.txt")
    data.open_claim(whole)
    (data.path / "claims" / f"{SHA}.json").write_text(content, encoding="latin-1")

    healthy, broken = data.claims()

    assert healthy == whole
    assert (broken.sha256, broken.file, broken.planned) == (SHA, "", ())
    assert broken.problem.startswith(f"{SHA}.json: ")
    data.close_claim(broken.sha256)
    assert data.claims() == (whole,)


def test_a_claim_that_was_being_written_is_no_claim(data: DataFolder) -> None:
    (data.path / "claims" / f".{SHA}.json.0123abcd.tmp").write_text("{")
    assert data.claims() == ()


# --- log -------------------------------------------------------------------------------------------------------------


def test_a_log_line_is_one_line(data: DataFolder) -> None:
    data.log("one\ntwo\u2028three\x1b[31m \ud800 ü")
    data.log("next")
    assert data.log_path.read_text(encoding="utf-8").splitlines() == [
        "one\\ntwo\\u2028three\\x1b[31m \\ud800 ü",
        "next",
    ]
    assert mode(data.log_path) == 0o600


def test_the_log_turns_over_at_a_megabyte(data: DataFolder) -> None:
    for _ in range(2500):
        data.log("x" * 999)
    sizes = {p.name: p.stat().st_size for p in data.log_path.parent.iterdir()}
    assert sizes == {"vaultmem.log": 500_000, "vaultmem.log.1": 1_000_000}


# --- inbox -----------------------------------------------------------------------------------------------------------


def test_every_file_of_the_inbox_is_a_row(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    for name in ("b.txt", "a/deep/c.md", ".hidden.md", ".git/config", "_failed/x.md", "a/Ju\u0308rgen.md", "empty.md"):
        (inbox / name).parent.mkdir(parents=True, exist_ok=True)
        (inbox / name).write_text("" if name == "empty.md" else "content")
    (inbox / "link.md").symlink_to(inbox / "b.txt")
    (inbox / "dangling.md").symlink_to("nowhere")
    (inbox / "loop").symlink_to(inbox)
    os.mkfifo(inbox / "pipe")
    with (inbox / "offloaded.md").open("wb") as file:
        file.truncate(100_000)
    os.utime(inbox / "b.txt", (1000, 1000))

    rows = {row.name: row for row in list_inbox(inbox)}

    assert list(rows) == sorted([
        ".git/config", ".hidden.md", "_failed/x.md", "a/J\u00fcrgen.md", "a/deep/c.md", "b.txt", "dangling.md",
        "empty.md", "link.md", "loop", "offloaded.md", "pipe",
    ])  # fmt: skip
    assert {name for name, row in rows.items() if row.is_link} == {"link.md", "dangling.md", "loop"}
    assert {name for name, row in rows.items() if row.problem} == {"pipe"}
    assert rows["offloaded.md"].blocks == 0
    assert rows["b.txt"].blocks != 0
    assert rows["b.txt"].mtime_ns == 1000 * 10**9
    assert rows["b.txt"].changed_ns > 1000 * 10**9
    assert (inbox / rows["a/J\u00fcrgen.md"].disk_name).read_text() == "content"


def test_an_inbox_that_is_not_there_is_empty_and_a_link_is_refused(tmp_path: Path) -> None:
    assert list_inbox(tmp_path / "inbox") == ()
    (tmp_path / "real").mkdir()
    (tmp_path / "inbox").symlink_to(tmp_path / "real")
    with pytest.raises(UnreadableVault, match="link"):
        list_inbox(tmp_path / "inbox")


def test_a_folder_that_cannot_be_listed_is_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inbox" / "closed").mkdir(parents=True)
    (tmp_path / "inbox" / "a.md").write_text("x")
    closed = {str(tmp_path / "inbox" / "closed")}
    real = os.scandir

    def scandir(path: str | Path) -> object:
        if str(path) in closed:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    rows = list_inbox(tmp_path / "inbox")
    assert [(row.name, row.problem) for row in rows] == [
        ("a.md", ""),
        ("closed", "the folder cannot be listed: Permission denied"),
    ]
    closed.add(str(tmp_path / "inbox"))
    with pytest.raises(UnreadableVault, match="Permission denied"):
        list_inbox(tmp_path / "inbox")
