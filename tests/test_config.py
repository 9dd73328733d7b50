"""A config file that cannot be understood is one clear line, whatever is wrong with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from vaultmem.config import DEFAULTS, Settings, parse_settings, render_settings
from vaultmem.core.recall.weights import NAMES, WEIGHTS, shown
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
        (b"max_file_mb: 1" + b"0" * 400, "max_file_mb"),
        (b"ranking: [vector]", "ranking"),
        (b"ranking: fast", "ranking"),
        (b"ranking: {vectr: 1}", "ranking.vectr"),
        (b"ranking: {7: 1}", "ranking.7"),
        (b"ranking: {[a]: 1}", "(file)"),
        (b"ranking: {vector: much}", "ranking.vector"),
        (b"ranking: {vector: true}", "ranking.vector"),
        (b"ranking: {vector: [1]}", "ranking.vector"),
        (b"ranking: {vector: .nan}", "ranking.vector"),
        (b"ranking: {vector: 1.1}", "ranking.vector"),
        (b"ranking: {k1: .inf}", "ranking.k1"),
        (b"ranking: {k1: 1" + b"0" * 400 + b"}", "ranking.k1"),
        (b"ranking: {unrelated: 0}", "ranking.unrelated"),
        (b"ranking: {candidates: 12.5}", "ranking.candidates"),
        (b"ranking: {recency_half_life: 30 days}", "ranking.recency_half_life"),
        (b"ranking: {time_fade: 0}", "ranking.time_fade"),
    ],
)
def test_a_wrong_setting_is_named(text: bytes, key: str) -> None:
    with pytest.raises(BadConfig, match=r"config\.yaml") as caught:
        parse_settings(text)

    assert f"'{key}'" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_constants_of_ranking_are_set_by_name_and_durations_are_days() -> None:
    assert parse_settings(b"ranking:").ranking == WEIGHTS
    assert parse_settings(b"ranking: {}").ranking == WEIGHTS
    found = parse_settings(b"ranking:\n  vector: 0.25\n  recency_half_life: 60\n  candidates: 50.0\n  title:\n").ranking
    assert found == replace(WEIGHTS, vector=0.25, recency_half_life=timedelta(days=60), candidates=50)
    assert isinstance(found.candidates, int)
    assert parse_settings(f"ranking: {{{', '.join(f'{n}: {shown(n)}' for n in NAMES)}}}".encode()).ranking == WEIGHTS


def test_an_unknown_constant_is_told_the_known_ones() -> None:
    with pytest.raises(BadConfig) as caught:
        parse_settings(b"ranking: {weight: 1}")
    assert all(name in str(caught.value) for name in NAMES)


def test_families_of_personal_numbers_are_named_once_and_wrong_ones_are_told_the_right_ones() -> None:
    assert parse_settings(b"redact_pii: []").redact_pii == ()
    assert parse_settings(b"redact_pii: iban").redact_pii == ("iban",)
    assert parse_settings(b"redact_pii: [iban, card, iban]").redact_pii == ("card", "iban")
    with pytest.raises(BadConfig, match=r"'ssn' \(there are card, iban, national-id\)"):
        parse_settings(b"redact_pii: [card, ssn]")
