"""Secrets in strings inside strings, and tokens that one line end cuts."""

from __future__ import annotations

import json
import time

import pytest

from vaultmem.core.ingest.redact import redact

HEX = "0123456789abcdef"
#: tokens without a beginning of their own, put together here
TAILED = {
    "mailchimp": (HEX[::-1] * 2) + "-u" + "s12",
    "telegram-bot": "712345678:A" + "Bc1" * 11 + "d",
    "discord-bot": "MTE" + "yMzQ1Njc4OTAxMjM0NTY3" + "OA" + ".Ga1" + "bC2." + "dE3fG4hI5jK6lM7nO8pQ9rS0tU1vW2xY3zA4b5",
    "azure-ad-client-secret": "a1B8" + "Q~" + "cD2eF" * 6 + "g3",
}


@pytest.mark.parametrize("depth", range(9))
@pytest.mark.parametrize("value", ["hunter2", "correct horse", "x1", "a\\b"])
def test_a_field_in_a_string_in_a_string_loses_its_value(depth: int, value: str) -> None:
    text = json.dumps({"api_key": value, "model": "small"})
    for _ in range(depth):
        text = json.dumps({"body": text})
    clean = redact(text)
    assert "hunter2" not in clean.text
    assert "horse" not in clean.text
    assert "small" in clean.text
    assert sum(clean.removed.values()) == 1
    assert redact(clean.text).text == clean.text


@pytest.mark.parametrize("family", TAILED)
@pytest.mark.parametrize("between", ["\n", "\r\n", "\n> ", "=\n", " \n    "])
def test_a_token_that_a_line_end_cuts_in_its_middle_goes_whole(family: str, between: str) -> None:
    token = TAILED[family]
    half = len(token) // 2
    clean = redact(f"the one we use:\n{token[:half]}{between}{token[half:]}\nthat is all")
    assert clean.removed == {family: 1}
    assert clean.text == f"the one we use:\n[redacted:{family}]\nthat is all"


def test_a_token_in_the_name_of_a_file_goes() -> None:
    assert redact(f"notes-{TAILED['discord-bot']}.md").text == "notes-[redacted:discord-bot].md"


def test_words_at_the_ends_of_lines_are_no_token() -> None:
    text = "see release-notes-for-version-2.0.1-beta\nand migration-guide.v2.0-final-revised-2024-03-05.pdf\n" * 50
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text", ["\\" * 200_000, '\\"' * 100_000, "a" * 200_000 + "\n" + "b" * 200_000, "ab1.\n" * 60_000]
)
def test_time_is_linear(text: str) -> None:
    start = time.process_time()
    redact(text)
    assert time.process_time() - start < 6
