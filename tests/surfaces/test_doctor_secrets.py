"""`doctor --secrets`: path, line and family of what stands in a vault, never the secret; nothing is changed."""

from __future__ import annotations

import json
import random
from pathlib import Path

from click.testing import CliRunner, Result

from tests.core.secret_tokens import TOKENS, pem
from tests.vaults import Box
from vaultmem.surfaces.cli import cli

NPM = TOKENS["npm"](random.Random(1))
PASSWORD = "Tr0ub4dor&3"


def run(box: Box, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--vault", str(box.root), "doctor", "--secrets", *arguments], env=dict(box.environ))


def write(box: Box, path: str, content: str | bytes) -> None:
    target = box.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content if isinstance(content, bytes) else content.encode())


def state(box: Box) -> dict[str, tuple[bytes, int]]:
    found = [path for path in sorted(box.root.rglob("*")) if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}


def test_it_names_path_line_and_family_and_ends_1(tmp_path: Path) -> None:
    box = Box(tmp_path, config="redact_pii: [iban]\n")
    write(box, "My notes/Router.md", f"---\ntags: [home]\n---\n# Router\n\npassword: {PASSWORD}\n\nand\n{NPM}\n")
    write(box, "My notes/keys.TXT", f"one\r\n{pem(random.Random(2))}\r\nthree\r\ntoken: {NPM}\r\n".encode("utf-16"))
    write(box, "Board.canvas", json.dumps({"nodes": [{"type": "text", "text": f"the key\n{NPM}"}]}, indent=1))
    write(box, "data.json", '{\n "max_tokens": 5,\n "api_key": "blue"\n}')
    write(box, "bank.md", "DE89 3704 0044 0532 0130 00")
    write(box, f"inbox/{NPM}.md", "nothing inside")
    write(box, ".obsidian/plugins/x/data.json", json.dumps({"token": NPM}))
    write(box, "picture.png", NPM)
    write(box, "plain.md", "a token budget and a password policy, see the secret garden")
    write(box, "broken.md", bytes(range(256)))
    before = state(box)
    result = run(box, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [(row["path"], row["line"], row["family"]) for row in found["secrets"]] == [
        ("Board.canvas", 5, "npm"),
        ("My notes/Router.md", 6, "keyword-assignment"),
        ("My notes/Router.md", 9, "npm"),
        ("My notes/keys.TXT", 2, "private-key-pem"),
        ("My notes/keys.TXT", 3 + len(pem(random.Random(2)).split("\n")), "npm"),
        ("bank.md", 1, "iban"),
        ("data.json", 3, "keyword-assignment"),
        ("inbox/[redacted:npm].md", 0, "npm"),
    ]
    assert found["ok"] is False
    assert list(found["unreadable"]) == ["broken.md"]
    told = run(box)
    assert told.exit_code == 1
    assert "My notes/Router.md:6  keyword-assignment" in told.output
    for output in (result.output, told.output):
        assert PASSWORD not in output
        assert NPM not in output
        assert "blue" not in output
    assert state(box) == before


def test_a_clean_vault_ends_0_even_with_what_vaultmem_wrote(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write(
        "WhatsApp Chat with House.txt", f"12/03/2026, 10:00 - Al: token = {NPM}\n12/03/2026, 10:01 - Bo: api_key:\n"
    )
    box.write("a.md", f"# Router\n\npassword: {PASSWORD}\n")
    box.sync()
    result = run(box, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["ok"] is True
    assert found["secrets"] == []
    assert found["files"] > 2
    assert run(box).output.strip().endswith("nothing was changed")
