"""AT-5: a note whose properties cannot be read is never written, is found by its body, and is named once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.acceptance.doors import digest, paths, told
from tests.app.test_inplace import ALL, note
from tests.app.test_review import ME, OWNER, Desk
from tests.core.test_edit import BROKEN
from tests.vaults import Box

#: Broken for Obsidian; what is only no frontmatter at all is a body, and nobody need be told.
NAMED = ("unclosed quote", "tab indent", "duplicate keys", "duplicate keys below", "two colons", "text", "list",
         "bom and crlf", "alias bomb")  # fmt: skip


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("yaml"), config=ALL)
    for number, (name, data) in enumerate(BROKEN.items()):
        note(made, f"{name}.md", data + with_word(data, f"\nthe zeppelin of number{number}q\n"))
    told(made, "sync")
    return made


def with_word(data: bytes, text: str) -> bytes:
    """The text as the note is encoded."""
    return text.encode("utf-16-le") if data.startswith(b"\xff\xfe") else text.encode()


def test_bytes_body_and_one_warning(box: Box) -> None:
    problems = told(box, "status")["problems"]
    assert set(problems) == {f"{name}.md" for name in NAMED}
    again = told(box, "sync")["problems"]
    assert again == problems
    for number, (name, data) in enumerate(BROKEN.items()):
        after = (box.root / f"{name}.md").read_bytes()
        assert after == data + with_word(data, f"\nthe zeppelin of number{number}q\n"), name
        assert paths(box, f"number{number}q") == [f"{name}.md"], name
    digest(box)


def test_a_broken_note_that_stands_for_a_person_is_left_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path, config=ME)
    desk.meet("Bob Stone <bob@example.com>", "Robert Stone <robert@example.org>")
    desk.sync()
    path = "entities/person/bob-stone.md"
    for broken in ("aliases: [open", "id: a: b", "\tx: 1", "display_name: Bob\ndisplay_name: Bob"):
        desk.hand(path, lambda text, line=broken: text.replace("kind: person", f"kind: person\n{line}", 1))  # type: ignore[misc]
        kept = (desk.root / path).read_bytes()
        desk.tick()
        told(desk, "sync")
        head = f"From: Bobby Stone <bob@example.com>\nTo: {OWNER}\nSubject: x\nMessage-ID: <{len(broken)}@x>\n"
        desk.write(f"{len(broken)}.eml", f"{head}Date: 15 Mar 2026 09:00:00 +0000\n\nBobby has {broken!r} now.\n")
        assert path in told(desk, "sync")["problems"]
        assert (desk.root / path).read_bytes() == kept
        desk.hand(path, lambda text, line=broken: text.replace(f"\n{line}", "", 1))  # type: ignore[misc]
        told(desk, "sync")
        assert path not in told(desk, "status")["problems"]
    desk.digest()
