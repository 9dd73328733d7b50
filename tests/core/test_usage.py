"""`usage.jsonl`: days, entity ids and counts; whatever stands in the file, reading it never fails."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.notes.usage import KEPT, asked_on, merge_usage, parse_usage, render_usage

DAY = date(2026, 4, 21)
IDS = st.builds(lambda kind, name: f"{kind}:{name}", st.sampled_from(["person", "topic"]), st.text(max_size=12))
USAGE = st.dictionaries(
    IDS, st.dictionaries(st.dates(DAY - KEPT + timedelta(days=1), DAY), st.integers(1, 400), min_size=1), max_size=6
)


@given(USAGE)
def test_what_is_written_reads_back(usage: dict[str, dict[date, int]]) -> None:
    assert parse_usage(render_usage(usage)) == usage


@given(USAGE, USAGE, st.lists(st.text(max_size=30), max_size=4))
def test_files_of_two_devices_are_joined_whatever_a_merge_left_between(
    one: dict[str, dict[date, int]], other: dict[str, dict[date, int]], noise: list[str]
) -> None:
    broken = "".join(f"<<<<<<< {line}\n" for line in noise)
    joined = render_usage(one) + broken + render_usage(other) + '{"day": "2026-'
    assert parse_usage(joined) == merge_usage(one, other, today=DAY) == merge_usage(other, one, today=DAY)


@given(st.text(max_size=200))
def test_reading_never_fails(text: str) -> None:
    parse_usage(text)


@pytest.mark.parametrize(
    "line",
    [
        "null",
        "[]",
        "7",
        '"x"',
        "{}",
        '{"count": 0, "day": "2026-04-21", "entity": "person:ann"}',
        '{"count": true, "day": "2026-04-21", "entity": "person:ann"}',
        '{"count": "3", "day": "2026-04-21", "entity": "person:ann"}',
        '{"count": 3, "day": 20260421, "entity": "person:ann"}',
        '{"count": 3, "day": "2026-04-31", "entity": "person:ann"}',
        '{"count": 3, "day": "2026-04-21", "entity": "ann"}',
        '{"count": 3, "day": "2026-04-21", "entity": ["person:ann"]}',
        "[" * 100_000,
    ],
)
def test_a_broken_line_counts_for_nothing(line: str) -> None:
    whole = render_usage(asked_on(["person:bob"], DAY))
    assert parse_usage(f"{line}\n{whole}{line}\n") == {"person:bob": {DAY: 1}}


def test_no_line_counts_for_more_than_a_thousand() -> None:
    assert parse_usage(json.dumps({"count": 10**9, "day": "2026-04-21", "entity": "person:ann"})) == {
        "person:ann": {DAY: 1000}
    }


def test_what_nobody_looks_at_is_left_out() -> None:
    old = {"person:ann": {DAY - KEPT: 4, DAY: 1}, "person:bob": {DAY - KEPT: 9}}
    assert merge_usage(old, today=DAY) == {"person:ann": {DAY: 1}}
