"""What is read by its lines is what YAML says; everything else is left to YAML."""

from __future__ import annotations

import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vaults import REPO
from vaultmem.core.notes.flat import read_flat
from vaultmem.core.notes.properties import _read, dump_properties, load_properties, split_note
from vaultmem.errors import BadProperties

_SCALAR = st.one_of(
    st.text(max_size=20),
    st.text(alphabet=string.ascii_letters + string.digits + " -_.:#'\"\\{}[]&*!|>%@`,?~", max_size=12),
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.sampled_from(["null", "Yes", "~", "1e5", "0x1f", "007", "-0", "1.", ".5", "a: b", "a #b", "---", "...", "- a"]),
)
_KEYS = st.text(alphabet=string.ascii_letters + "_-0123456789 :", min_size=1, max_size=8)


def by_yaml(text: str) -> object:
    """What YAML alone says; the fault in words where it is one."""
    try:
        return _read(text, lambda loader: loader.get_single_data())
    except BadProperties:
        return "a fault"


def agrees(text: str) -> bool:
    found = read_flat(text)
    if found is None:
        return False
    told = by_yaml(text)
    assert repr(found) == repr(told), text
    return True


@given(st.dictionaries(_KEYS, st.one_of(st.none(), _SCALAR, st.lists(_SCALAR, max_size=4)), max_size=6))
@settings(max_examples=300, deadline=None)
def test_what_we_write_is_read_alike(properties: dict[str, object]) -> None:
    agrees(dump_properties(properties))  # type: ignore[arg-type]


_STARTS = ["", "  - ", "- ", "    - ", " ", "\t", "a: ", "b:", "b: ", "c: []", '"d": ']
_RESTS = st.one_of(_SCALAR.map(str), _SCALAR.map(lambda value: f'"{value}"'), st.just(""))


@given(st.lists(st.tuples(st.sampled_from(_STARTS), _RESTS), max_size=6))
@settings(max_examples=600, deadline=None)
def test_what_people_write_is_read_alike_or_left_to_yaml(lines: list[tuple[str, str]]) -> None:
    agrees("".join(f"{start}{rest}\n" for start, rest in lines))


_OTHER = [
    'a: "b"\na: c\n', "a: [1]\n", "a: {}\n", "a: b # c\n", "a: yes\n", "a: Null\n", "a: 0x1f\n", "a: 1e3\n",
    "a: 007\n", "a: b\n  c\n", 'a: "b\\n"\n', "a: &x b\n", "a: *x\n", "a: !t b\n", "a: |\n  b\n", "? a\n: b\n",
    "a:\n- b\n", "a: []\n  - b\n", "a: b\n  - c\n", "a:\r\n", "# a\n", "a:  b\n", "a: b \n", "a:\n  - b\n   - c\n",
    "--- \na: b\n", "a: 2026-01-01\n", "",
]  # fmt: skip


@pytest.mark.parametrize("text", _OTHER)
def test_other_forms_are_left_to_yaml(text: str) -> None:
    assert read_flat(text) is None


def test_a_note_of_ours_is_read_by_its_lines() -> None:
    notes = sorted((REPO / "sample_vault").rglob("*.md"))
    read = [agrees(front) for note in notes if (front := split_note(note.read_text("utf-8")).frontmatter)]
    assert sum(read) > 0.9 * len(read) > 5, Path("sample_vault")


def test_equal_keys_stay_a_fault_where_they_are_one() -> None:
    with pytest.raises(BadProperties):
        load_properties('a: "b"\na: "c"\n', strict=True)
    assert load_properties('a: "b"\na: "c"\n') == {"a": "c"}
