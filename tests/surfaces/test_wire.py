"""What the tools of `vaultmem mcp` give back, as JSON that the Obsidian plugin's tests read too.

`tests/cases/wire/<name>.json` holds a call and its answer over one small vault; `--update` writes the answers anew.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.vaults import REPO, Box
from vaultmem.surfaces.mcp_tool import Access
from vaultmem.surfaces.mcp_tools import Toolbox
from vaultmem.surfaces.mcp_vault import VaultDoor

CASES = REPO / "tests" / "cases" / "wire"
#: Beside the sample vault's inbox: a chat that asserts nothing, a file that is none, two people who may be one.
GREETING = "[02/03/2026, 09:00:00] Mara Lindqvist: hi\n[02/03/2026, 09:00:10] Jonas Petrov: hello\n"
HTML = (
    "# <img src=x onerror=alert(1)>\n\nThe poster shows <b>a lamp</b> and <script>alert(1)</script> in clear letters.\n"
)
MAIL = (
    "From: {name} <{address}>\nTo: Mara Lindqvist <mara@harbour.example>\nSubject: Posters {n}\n"
    "Date: Mon, 0{n} Mar 2026 10:00:00 +0000\nMessage-ID: <poster-{address}-{n}@harbour.example>\n\n"
    "The printer delivers {n}00 posters on day {n}, as agreed with the harbour office.\n"
)


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    """The vault of all cases."""
    made = Box(tmp_path_factory.mktemp("wire"))
    shutil.copytree(REPO / "sample_vault" / "inbox", made.root / "inbox", dirs_exist_ok=True)
    for file in sorted((made.root / "inbox").iterdir()):
        os.utime(file, (1_700_000_000, 1_700_000_000))
    made.write("WhatsApp Chat with Greetings.txt", GREETING)
    made.write("Poster.md", HTML)
    made.write("broken.pdf", b"%PDF-1.7 nothing follows")
    for name, address in (("Robert Stone", "robert@print.example"), ("Bob Stone", "bob@stone.example")):
        for n in (1, 2, 3):
            made.write(f"{name} {n}.eml", MAIL.format(name=name, address=address, n=n))
    made.sync()
    made.sync()
    return made


@pytest.fixture(scope="module")
def toolbox(box: Box) -> Iterator[Toolbox]:
    """The tools over it, as a session has them."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in box.environ.items():
            patch.setenv(name, value)
        opened = Toolbox(lambda: VaultDoor(str(box.root)), Access())
        yield opened
        opened.finish(5.0)


def answer(toolbox: Toolbox, box: Box, case: Mapping[str, object]) -> object:
    """The answer of a case, with this machine's paths left out."""
    name, arguments = case["tool"], case["arguments"]
    assert isinstance(name, str)
    assert isinstance(arguments, dict)
    found = toolbox.call(name, arguments)
    shown = found["structuredContent"] if not found["isError"] else {"error": found["content"]}
    text = json.dumps(shown, default=str).replace(str(box.root), "/vault")
    return json.loads(re.sub(f"{re.escape(str(box.data))}/vault-[0-9a-f]+", "/data", text))


def shape(value: object) -> object:
    """Without fractions: a score that is weighed anew is no change of the wire."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    return "a fraction" if isinstance(value, float) else value


@pytest.mark.parametrize("path", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_the_wire(path: Path, box: Box, toolbox: Toolbox, update: bool) -> None:
    case = json.loads(path.read_text(encoding="utf-8"))
    found = answer(toolbox, box, case)
    if update:
        text = json.dumps({**case, "answer": found}, ensure_ascii=False, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
    assert shape(found) == shape(case.get("answer")), f"{path.name}: --update writes it anew"


def test_what_a_person_admits_is_found_after_a_pass(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("WhatsApp Chat with Greetings.txt", GREETING)
    box.sync()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in box.environ.items():
            patch.setenv(name, value)
        tools = Toolbox(lambda: VaultDoor(str(box.root)), Access())
        dropped = tools.call("memory_view", {"view": "dropped"})["structuredContent"]
        assert isinstance(dropped, dict)
        row = dropped["dropped"][0]
        why = tools.call("memory_explain", {"node_id": row["chunk_id"][:8], "query": "hello"})["structuredContent"]
        assert isinstance(why, dict)
        assert (why["drop_reason"], why["status"], len(why["answers"])) == ("not_salient", "dropped", 2)
        note = box.root / row["note_path"]
        note.write_text(note.read_text().replace("memory_status: dropped", "memory_status: admitted"))
        done = tools.call("memory_sync", {})
        assert done["structuredContent"] == {"done_by": "this call", "files": []}
        found = tools.call("memory_search", {"query": "hello"})["structuredContent"]
        assert isinstance(found, dict)
        assert found["hits"][0]["note_path"] == row["note_path"]
        assert not tools.call("memory_sync", {"rebuild": True})["isError"]
        wrong = tools.call("memory_view", {"view": "graph"})
        assert wrong["isError"]
        assert "an entity's id" in str(wrong["content"])
        tools.finish(5.0)
