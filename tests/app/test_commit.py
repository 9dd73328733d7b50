"""`vaultmem commit` with real git: memory's own files, and nothing of the user's."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.clones import GIT_ENVIRON, Clone, git
from vaultmem.surfaces.cli import cli

NOTE = "wiki/raw/document/a.md"


class Vault(Clone):
    """A vault whose memory is written by hand: a commit asks no index."""

    def put(self, path: str, text: str = "---\nchunk_id: 1\n---\nText.\n") -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target

    def commit(self, *arguments: str, code: int = 0, environ: dict[str, str] | None = None) -> dict[str, Any]:
        kept = {key: None for key in os.environ if key.startswith("GIT_")}
        done = CliRunner().invoke(
            cli, ["--vault", str(self.root), "--json", "commit", *arguments],
            env={**kept, **self.environ, **GIT_ENVIRON, **(environ or {})},
        )  # fmt: skip
        if code:
            assert done.exit_code, done.output
            return {"error": str(done.exception)}
        assert done.exit_code == 0, done.exception
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def said(self) -> str:
        return git(self.root, "log", "-1", "--format=%B")

    def trailers(self) -> list[str]:
        done = subprocess.run(
            ["git", "interpret-trailers", "--parse"], cwd=self.root, input=self.said(), capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        return done.stdout.splitlines()

    def files(self) -> set[str]:
        return set(git(self.root, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")) - {""}


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    made = Vault(tmp_path)
    git(made.root, "init", "-q", "-b", "main")
    return made


def test_the_first_commit_holds_memory_alone(vault: Vault) -> None:
    vault.put("mine.md")
    vault.put(".vaultmem/usage.jsonl")
    vault.put(NOTE, '---\nchunk_id: 1\nsource_id: "slack:eng, team"\n---\nText.\n')
    vault.put("wiki/raw/b.md", "---\nsource_id: doc:b\n---\n")
    vault.put("entities/person/ann.md")

    made = vault.commit()

    assert made["branch"] == "main"
    assert made["counts"]["added"] == {"files": 3, "entities": 1, "notes": 2}
    assert vault.files() == {
        NOTE, "wiki/raw/b.md", "entities/person/ann.md", ".vaultmem/config.yaml", ".vaultmem/.gitignore",
        ".vaultmem/.gitattributes",
    }  # fmt: skip
    assert vault.said().splitlines()[0] == "memory: 2 notes added"
    assert vault.trailers() == [
        "Vaultmem-Added: 2 notes, 1 entity, 3 files",
        "Vaultmem-Sources: 2",
        "Vaultmem-Source: doc:b",
        "Vaultmem-Source: slack:eng, team",
    ]
    assert git(vault.root, "status", "--porcelain") == "?? mine.md\n"


def test_nothing_new_is_no_commit(vault: Vault) -> None:
    vault.put(NOTE)
    first = vault.commit()["commit"]

    assert vault.commit() == {
        "committed": False, "commit": "", "branch": "", "subject": "", "counts": {}, "sources": [], "remarks": [],
        "version": 1,
    }  # fmt: skip
    assert git(vault.root, "rev-parse", "HEAD").strip() == first


def test_what_the_user_staged_stays_staged_and_out_of_it(vault: Vault) -> None:
    mine = vault.put("mine.md", "one\n")
    note, other, gone = vault.put(NOTE), vault.put("wiki/Home.md", "home\n"), vault.put("wiki/raw/gone.md")
    vault.save()
    mine.write_text("staged\n")
    other.write_text("staged\n")
    git(vault.root, "add", "mine.md", "wiki/Home.md")
    mine.write_text("unstaged\n")
    other.write_text("unstaged\n")
    vault.put("staged.md")
    git(vault.root, "add", "staged.md")
    gone.unlink()
    note.rename(vault.root / "wiki/raw/moved.md")
    before = git(vault.root, "diff", "--cached", "--", "mine.md", "staged.md"), git(vault.root, "diff", "--", "mine.md")

    made = vault.commit("-m", "Mine")

    after = git(vault.root, "diff", "--cached", "--", "mine.md", "staged.md"), git(vault.root, "diff", "--", "mine.md")
    assert before == after
    assert made["counts"] == {"changed": {"pages": 1}, "renamed": {"notes": 1}, "removed": {"notes": 1}}
    assert git(vault.root, "show", "HEAD:wiki/Home.md") == "unstaged\n"
    assert git(vault.root, "show", ":wiki/Home.md") == "staged\n"
    assert git(vault.root, "show", "HEAD:mine.md") == "one\n"
    # git has a line break of its own in front of what is staged and unstaged
    assert git(vault.root, "status", "--porcelain").splitlines() == ["MM mine.md", "A  staged.md", "MM wiki/Home.md"]


def test_a_text_of_the_users_own_with_trailers(vault: Vault) -> None:
    vault.put(NOTE)
    vault.commit("-m", "After the move\n\nIt was long.\n\nSigned-off-by: Ann <ann@example.org>")

    assert vault.said().startswith(
        "After the move\n\nIt was long.\n\nSigned-off-by: Ann <ann@example.org>\nVaultmem-Added"
    )
    assert vault.trailers()[0] == "Signed-off-by: Ann <ann@example.org>"


def test_a_vault_in_a_folder_of_the_repository(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "code.py").write_text("1\n")
    vault.put(NOTE)

    vault.commit()

    assert vault.files() == {NOTE, ".vaultmem/config.yaml", ".vaultmem/.gitignore", ".vaultmem/.gitattributes"}
    assert "vault/wiki/raw/document/a.md" in git(tmp_path, "ls-tree", "-r", "--name-only", "HEAD")
    assert git(tmp_path, "status", "--porcelain", "--", "code.py", "vault") == "?? code.py\n"


def test_no_repository_says_what_to_do(tmp_path: Path) -> None:
    said = Vault(tmp_path).commit(code=1)["error"]

    assert "in no git repository" in said
    assert "git init" in said


def test_half_done_work_of_git_is_refused(vault: Vault) -> None:
    vault.put(NOTE)
    vault.save()
    vault.put("wiki/raw/b.md")
    for name in ("MERGE_HEAD", "rebase-merge", "CHERRY_PICK_HEAD", "index.lock"):
        (vault.root / ".git" / name).write_text("")
        said = vault.commit(code=1)["error"]
        assert "under way" in said or "at work" in said, name
        (vault.root / ".git" / name).unlink()
    assert vault.commit()["committed"]


def test_conflict_markers_are_refused_and_named(vault: Vault) -> None:
    vault.put("entities/person/ann.md", "---\nid: x\n---\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n")

    assert "entities/person/ann.md" in vault.commit(code=1)["error"]


def test_a_detached_head_gets_the_commit_and_a_word(vault: Vault) -> None:
    vault.put(NOTE)
    vault.save()
    git(vault.root, "checkout", "-q", "--detach")
    vault.put("wiki/raw/b.md")

    made = vault.commit()

    assert made["branch"] == ""
    assert "detached" in made["remarks"][0]
    assert (
        git(vault.root, "rev-parse", "HEAD").strip() == made["commit"] != git(vault.root, "rev-parse", "main").strip()
    )


def test_without_an_identity_it_says_whose_name_it_took(vault: Vault, tmp_path: Path) -> None:
    vault.put(NOTE)
    nobody = {f"GIT_{role}_{what}": "" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    made = vault.commit(environ={**nobody, "HOME": str(tmp_path), "EMAIL": ""})

    assert git(vault.root, "log", "-1", "--format=%an <%ae> %cn").strip() == "vaultmem <vaultmem@localhost> vaultmem"
    assert "vaultmem <vaultmem@localhost>" in made["remarks"][0]


def test_programs_of_the_vaults_repository_do_not_run(vault: Vault) -> None:
    ran = vault.root.parent / "ran"
    program = vault.put(".git/hooks/any", f"#!/bin/sh\ntouch '{ran}'\n")
    program.chmod(0o755)
    hooks = (
        "pre-commit",
        "commit-msg",
        "prepare-commit-msg",
        "post-commit",
        "reference-transaction",
        "post-index-change",
    )
    for hook in hooks:
        shutil.copy2(program, program.with_name(hook))
    for key in ("core.fsmonitor", "core.editor", "core.pager", "diff.external", "trailer.x.command", "gpg.program"):
        git(vault.root, "config", key, str(program))
    git(vault.root, "config", "commit.gpgsign", "true")
    ran.unlink(missing_ok=True)
    vault.put(NOTE)

    assert vault.commit()["committed"]
    assert not ran.exists()


@pytest.mark.parametrize(
    "name", ["-dash.md", 'quo"te.md', "tab\tname.md", "ünïcode ✓.md", "star*.md", ":(top)x.md", "a\\b.md"]
)
def test_any_name(vault: Vault, name: str) -> None:
    vault.put(f"wiki/raw/{name}")
    vault.put("top.md")
    vault.commit()

    assert f"wiki/raw/{name}" in vault.files()
    assert "top.md" not in vault.files()
    assert not vault.commit()["committed"]


def test_a_decomposed_name(vault: Vault) -> None:
    name = unicodedata.normalize("NFD", "wiki/raw/é.md")
    vault.put(name)
    vault.commit()
    (vault.root / name).unlink()

    assert vault.commit()["counts"] == {"removed": {"notes": 1}}


def test_line_ends_that_git_converts(vault: Vault) -> None:
    git(vault.root, "config", "core.autocrlf", "true")
    git(vault.root, "config", "core.safecrlf", "true")
    vault.put(NOTE)

    vault.commit()

    assert git(vault.root, "status", "--porcelain") == ""
    assert not vault.commit()["committed"]


def test_files_that_git_left_out_of_the_folder_are_not_deleted(vault: Vault) -> None:
    for name in ("a", "b", "c"):
        vault.put(f"wiki/raw/{name}/n.md")
    vault.save()
    git(vault.root, "sparse-checkout", "set", "--no-cone", "/*", "!/wiki/raw/b/")
    git(vault.root, "update-index", "--assume-unchanged", "wiki/raw/c/n.md")
    (vault.root / "wiki/raw/c/n.md").write_text("changed, but nobody shall know\n")
    assert not (vault.root / "wiki/raw/b").exists()
    vault.put("wiki/raw/d/n.md")

    assert vault.commit()["counts"] == {"added": {"notes": 1}}
    assert "wiki/raw/b/n.md" in vault.files()


def test_another_working_tree_and_a_submodule(vault: Vault, tmp_path: Path) -> None:
    vault.put(NOTE)
    vault.save()
    git(vault.root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = Vault.__new__(Vault)
    side.root, side.data, side.environ = tmp_path / "side", vault.data, vault.environ
    side.put("wiki/raw/b.md")

    assert side.commit()["branch"] == "side"
    assert "wiki/raw/b.md" not in vault.files()

    git(vault.root, "init", "-q", "wiki/own")
    (vault.root / "wiki/own/x.md").write_text("x")
    assert "repository of its own" in vault.commit(code=1)["error"]


def test_a_folder_that_git_ignores_is_said(vault: Vault) -> None:
    vault.put(".gitignore", "wiki/\nentities/\n.vaultmem/\n")
    vault.put(NOTE)
    vault.save()

    made = vault.commit()

    assert not made["committed"]
    assert "git ignores wiki/ here: nothing in it is committed" in made["remarks"]


def test_called_from_a_hook_it_commits_to_its_own_repository(vault: Vault, tmp_path: Path) -> None:
    vault.put(NOTE)
    git(tmp_path, "init", "-q", "other")

    elsewhere = {"GIT_DIR": str(tmp_path / "other/.git"), "GIT_INDEX_FILE": str(tmp_path / "none")}
    vault.commit(environ=elsewhere)

    assert NOTE in vault.files()
