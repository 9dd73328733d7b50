"""A config file that cannot be understood is one clear line, whatever is wrong with it."""

from __future__ import annotations

import pytest

from vaultmem.config import DEFAULTS, Settings, parse_settings, render_settings
from vaultmem.errors import BadConfig


def test_an_empty_file_means_the_defaults() -> None:
    assert parse_settings(b"") == DEFAULTS


def test_what_init_writes_is_what_was_meant() -> None:
    wanted = Settings(timezone="Asia/Tokyo", inbox='My "inbox"')

    assert parse_settings(render_settings(wanted).encode()) == wanted


def test_a_bom_and_a_single_name_are_fine() -> None:
    assert parse_settings(b"\xef\xbb\xbfme: Ann\n").me == ("Ann",)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (b"\xff\xfe", "(file)"),
        (b"a: [", "(file)"),
        (b"- x", "(file)"),
        (b"when: 2025-13-45", "(file)"),
        (b"colour: red", "colour"),
        (b"timezone: Mars/Olympus", "timezone"),
        (b"timezone: 7", "timezone"),
        (b"inbox: ../out", "inbox"),
        (b"inbox: /etc", "inbox"),
        (b"inbox: wiki/in", "inbox"),
        (b"inbox: .hidden", "inbox"),
        (b'inbox: ""', "inbox"),
        (b"chunk_tokens: 0", "chunk_tokens"),
        (b"settle_seconds: .inf", "settle_seconds"),
        (b"settle_seconds: soon", "settle_seconds"),
        (b"settle_seconds: -1", "settle_seconds"),
        (b"max_file_mb: true", "max_file_mb"),
        (b"archive: cloud", "archive"),
        (b"me: {a: 1}", "me"),
        (b"redact_pii: [card, passport]", "redact_pii"),
        (b"redact_pii: true", "redact_pii"),
    ],
)
def test_a_wrong_setting_is_named(text: bytes, key: str) -> None:
    with pytest.raises(BadConfig, match=r"config\.yaml") as caught:
        parse_settings(text)

    assert f"'{key}'" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_families_of_personal_numbers_are_named_once_and_wrong_ones_are_told_the_right_ones() -> None:
    assert parse_settings(b"redact_pii: []").redact_pii == ()
    assert parse_settings(b"redact_pii: iban").redact_pii == ("iban",)
    assert parse_settings(b"redact_pii: [iban, card, iban]").redact_pii == ("card", "iban")
    with pytest.raises(BadConfig, match=r"'ssn' \(there are card, iban, national-id\)"):
        parse_settings(b"redact_pii: [card, ssn]")
