"""Every file of tests/cases/mail is a mail and, below the mark, the text that is left of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from vaultmem.model import SourceMessage
from vaultmem.sources.mail.cues import Owner
from vaultmem.sources.mail.message import EML_SCOPE, read_mail

CASES = sorted((Path(__file__).parent.parent / "cases/mail").glob("*.txt"))
MARK = "=== expected ===\n"


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_is_left_of_a_mail(path: Path, update: bool) -> None:
    mail, _, expected = path.read_text(encoding="utf-8").partition(MARK)
    items = read_mail(mail.encode(), owner=Owner(()), scope=EML_SCOPE)
    (text,) = (item.message.text for item in items if isinstance(item, SourceMessage))
    if update:
        path.write_text(f"{mail}{MARK}{text}\n", encoding="utf-8")
    assert text == expected.removesuffix("\n")
