"""Not one byte of any of the user's own notes changes, whatever stands in it and whatever memory does."""

from __future__ import annotations

import os
import random
import threading
import time
from pathlib import Path

import pytest

from tests.vaults import Box

_HEADS = (
    "", "---\n---\n", "---\ntitle: yes\nid: 007\n~: x\n---\n", "---\ntags: [a, b/c]\naliases: Foo, Bar\n---\n",
    "---\na: [\nb: {\n---\n", "---\na: 1\na: 2\n\tb: 3\n---\n", "---\ndate: 2026-06-29 # why\n---\n",
    "--- \nx: 1\n---\n",
    "---\nx: &a [*a]\n---\n", "---\r\ntags:\r\n- x\r\n---\r\n", "\ufeff---\ncreated: 2024-02-30\n---\n",
    "---\nno end\n",
    "---\nid: \"person:x\"\nkind: person\ndisplay_name: X\n---\n", "---\ndescription: a: b\n---\n",
)  # fmt: skip
_BODIES = (
    "# Title\n\ntext [[Other|name]] ![[pic.png]] #tag/ünï\n", "```\nunclosed\n[[no]]\n", "%% comment\n", "$$\nx\n",
    "- [ ] task ^block\n- [x] done\n", "> [!note] callout\n> text\n", "| a | b |\n| - | - |\n| 1 | [[x\\|y]] |\n",
    "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> x\n", "%% vaultmem:begin %%\nnot ours\n%% vaultmem:end %%\n",
    "lone \r return\rs", "CRLF\r\nlines\r\n", "\u202eRTL\u202c 東京 🐘 e\u0301\n", "no newline at the end",
    "\n\n\n", "   ",
    "x" * 5000 + "\n", "key: AKIA" + "IOSFODNN7EXAMPLE\n", "<div onclick=x>html</div>\n<!-- open\n",
    "[link](Note%201.md)\n",
)  # fmt: skip
_NAMES = ("Note", "Jürgen", "Ju\u0308rgen", "🐘", "°", "a#b^c", "[x]|y", "con", "2026-04-21", "README", "readme", "a 2")


def wild(chance: random.Random) -> bytes:
    """A note as nobody would write it, and somebody did."""
    text = chance.choice(_HEADS) + "".join(chance.choice(_BODIES) for _ in range(chance.randint(0, 4)))
    data = text.encode(chance.choice(["utf-8", "utf-8", "utf-8", "utf-16", "cp1252"]), "replace")
    if chance.random() < 0.05:
        at = chance.randrange(len(data) + 1)
        data = data[:at] + bytes(chance.randrange(256) for _ in range(3)) + data[at:]
    return data


def plant(box: Box, count: int, seed: int) -> dict[Path, tuple[bytes, int]]:
    """That many wild notes: path -> bytes and time."""
    chance = random.Random(seed)
    planted: dict[Path, tuple[bytes, int]] = {}
    for number in range(count):
        folder = box.root / chance.choice(["", "Journal", "a/b/c", "Ünï", "Private"])
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{chance.choice(_NAMES)} {number}{chance.choice(['.md', '.md', '.MD', '.canvas'])}"
        data = wild(chance)
        path.write_bytes(data)
        os.utime(path, (1_750_000_000 + number, 1_750_000_000 + number))
        planted[path] = (data, path.stat().st_mtime_ns)
    return planted


def everything(box: Box) -> None:
    """What memory does to a vault: two passes, questions, a minute of watching in short, a rebuild, a comparison."""
    box.sync()
    with box.open() as memory:
        for question in ("title text", "task", "東京", "AKIA"):
            memory.recall(question, k=20)
        end = time.monotonic() + 1
        memory.watch(lambda _: None, until=lambda: time.monotonic() > end)
        memory.rebuild()
        assert not memory.verify().drift
    box.sync()


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_no_byte_of_a_users_note_changes(tmp_path: Path, count: int) -> None:
    box = Box(tmp_path, config='notes: ["**"]\nnotes_exclude: ["Private"]\n')
    planted = plant(box, count, seed=count)
    before = threading.active_count()
    everything(box)
    assert threading.active_count() <= before + 1
    for path, (data, mtime_ns) in planted.items():
        assert path.read_bytes() == data, path
        assert path.stat().st_mtime_ns == mtime_ns, path
    own = {box.root / name for name in ("wiki", "entities", "inbox", ".vaultmem")}
    strangers = [
        path for path in box.root.rglob("*")
        if path.is_file() and path not in planted and not own & set(path.parents)
    ]  # fmt: skip
    assert not strangers
