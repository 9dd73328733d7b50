"""Frontmatter: read anybody's, write ours so that YAML 1.1 and 1.2 agree, edit a person's by the line."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from vaultmem.core.notes.properties import dump_properties, load_properties, split_note
from vaultmem.errors import BadProperties

NASTY = [
    "",
    " ",
    "yes",
    "No",
    "on",
    "OFF",
    "y",
    "n",
    "12:30",
    "1:2:3",
    "007",
    "1e3",
    "1E3",
    "0x1f",
    "0o17",
    "0b1",
    "2024-01-01",
    "2024-01-01T10:00:00Z",
    "null",
    "Null",
    "~",
    "=",
    "<<",
    "- a",
    "-",
    "?",
    "? a",
    ":",
    "a:",
    "a: b",
    ":a",
    "#x",
    "a #b",
    "[[x]]",
    "![[x]]",
    "@x",
    "`x`",
    "%x",
    "!x",
    "!!int 3",
    "&x",
    "*x",
    "|",
    ">",
    "|-",
    ">2",
    "{a}",
    "{{date}}",
    "'x'",
    '"x"',
    "🎉 party",
    "שלום",
    "\u202eabc",
    "a\x85b",
    "a\u2028b",
    "a\u2029b",
    "\ufeffa",
    "\x00",
    "\x07",
    "\x1b[0m",
    "\x7f",
    "\x9f",
    "\t",
    "a\tb",
    "a ",
    " a",
    "a\nb",
    "a\r\nb",
    "\n",
    "12345678901234567890123456789012",
    "1_000",
    "1,000",
    ".",
    "..",
    "...",
    "---",
    "--- a",
    "...\n",
    ".5",
    "5.",
    "+1",
    "-1",
    "+",
    ".inf",
    "-.INF",
    ".nan",
    "NaN",
    "inf",
    "Infinity",
    "true",
    "TRUE",
    "a" * 5000,
    "word " * 600,
    "\\",
    "\\n",
    'say "hi"',
    "it's",
    "\ud800",
    "a\udfffb",
    "\ud83d\ude00",
    "\ufffe",
    "\uffff",
    "deadbeef",
    "abcdef",
    "1234567e12345678",
    "1e05",
    "e3",
    "slack:eng",
    "person:alice-smith",
    "inbox/chat.txt # line 3",
    "token_count 0.8000",
    "Project Alpha",
    "a, b",
    "a]",
    "a}",
    "日本語",
    "caf\u00e9",
    "cafe\u0301",
    "a\u00a0b",
    "\u00a0",
]


def clean(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def readers(text: str) -> list[Any]:
    return [yaml.load(text, Loader=yaml.SafeLoader), YAML(typ="safe", pure=True).load(text), load_properties(text)]


def agree(values: dict[str, Any]) -> None:
    text = dump_properties(values)
    for read in readers(text):
        assert read == values, text
        assert [type(v) for v in read.values()] == [type(v) for v in values.values()], text
    # One line for a value: nothing is folded, no line break hides in a text.
    assert len(text.splitlines()) == text.count("\n")


@pytest.mark.parametrize("nasty", NASTY)
def test_a_nasty_text_means_itself_in_both_yamls(nasty: str) -> None:
    agree({"one": clean(nasty), "many": [clean(nasty), "x", clean(nasty)], "last": 1})
    assert dump_properties({"one": nasty}) == dump_properties({"one": clean(nasty)})


texts = st.one_of(
    st.sampled_from(NASTY), st.text(st.characters(codec="utf-8")), st.text("-:#[]{}&*!|>'\"%@`0129.eyno \n\t~=?,_xT")
)
numbers = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False))


@given(
    st.dictionaries(
        st.one_of(st.text("abc_x", min_size=1), texts.map(clean).map(lambda t: t[:60])),
        st.one_of(texts.map(clean), numbers, st.none(), st.lists(texts.map(clean))),
    )
)
def test_what_is_written_means_the_same_in_both_yamls(values: dict[str, Any]) -> None:
    if values:
        agree(values)


@pytest.mark.parametrize("number", [0.5, 0.0, -0.0, 1e-05, 1.5e-7, 1e16, 1.5e300, 5e-324, 123456789.125, 1e19, -2.0])
def test_floats_are_floats_in_both_yamls(number: float) -> None:
    agree({"n": number})


def test_the_written_form_is_the_one_people_grep_for() -> None:
    text = dump_properties(
        {
            "chunk_id": "0123456789abcdef0123456789abcdef",
            "source_kind": "chat",
            "at": datetime(2026, 4, 21, 12, 12, 0, 5000, tzinfo=timezone(timedelta(hours=2))),
            "early": datetime(3, 1, 1, tzinfo=UTC),
            "score": 0.00001,
            "tags": ["source/slack-eng", "🎉"],
            "none": None,
            "empty": [],
            "flag": True,
        }
    )
    assert text == (
        'chunk_id: "0123456789abcdef0123456789abcdef"\nsource_kind: chat\nat: "2026-04-21T10:12:00"\n'
        'early: "0003-01-01T00:00:00"\nscore: 0.00001\ntags:\n'
        '  - "source/slack-eng"\n  - "🎉"\nnone:\nempty: []\nflag: true\n'
    )


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("a: yes", "yes"),
        ("a: 12:30", "12:30"),
        ("a: 007", 7),
        ("a: 0o17", 15),
        ("a: 0x1f", 31),
        ("a: 1e3", 1000.0),
        ("a: 1.10", 1.1),
        ("a: 2024-01-01", "2024-01-01"),
        ("a: 2025-13-45", "2025-13-45"),
        ("a: 2024-01-01T10:00:00Z", "2024-01-01T10:00:00Z"),
        ("a:", None),
        ("a: ~", None),
        ("a: TRUE", True),
        ("a: =", "="),
        ("a: 1_000", "1_000"),
        ("a: .inf", ".inf"),
        ("a: .nan", ".nan"),
        ("a: 1e999", "1e999"),
        ("a: -7", -7),
        ("a: .5", 0.5),
        ("a: 12345678901234567890", 12345678901234567890),
        ("a: " + "9" * 6000, "9" * 6000),
        ("a: [[Foo]]", [["Foo"]]),
        ("a: !!int x", "x"),
        ("a: !custom x", "x"),
        ("a: !!binary aGk=", "aGk="),
        ("a: !!timestamp 2024-01-01", "2024-01-01"),
        ("a: !!set {x, y}", {"x": None, "y": None}),
        ("a: {b: {c: 1}}", {"b": {"c": 1}}),
        ("a: {{date}}", {"{date}": None}),
        ("a: {1: x, true: y, null: z}", {"1": "x", "true": "y", "null": "z"}),
        ("a: 1\na: 2", 2),
        ("a: |\n  x\n  y\n", "x\ny\n"),
        ("a: &x 1\nb: *x", 1),
    ],
)
def test_properties_are_read_as_obsidian_reads_them(line: str, value: object) -> None:
    read = load_properties(line)["a"]
    assert read == value
    assert type(read) is type(value)


def test_keys_are_text() -> None:
    assert load_properties("2024: a\ntrue: b\non: c\n~: d\n[x]: e\n? {k: v}\n: f\n") == {
        "2024": "a",
        "true": "b",
        "on": "c",
        "~": "d",
        "[x]": "e",
        "{k: v}": "f",
    }


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "~\n"])
def test_an_empty_block_has_no_properties(text: str) -> None:
    assert load_properties(text) == {}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: 1\ntitle: foo: bar", 2),
        ("x: @y", 1),
        ("cover: ![[img.png]]\n\n", None),
        ("a: 'x", None),
        ("a:\n\t- x", 2),
        ("- a\n- b", 1),
        ("plain", 1),
        ("a: *nobody", 1),
        ("a: &a [*a]", 1),
        ("ok: 1\na: \x07", 2),
        ("a: \ud800", 1),
        ("a: " + "[" * 100_000, 1),
        ("a: 1\n--- \nb: 2", None),
        ("- " * 5000 + "a", 1),
        ("a: " + "[" * 900 + "]" * 900, None),
    ],
)
def test_what_does_not_parse_is_named_with_its_line(text: str, line: int | None) -> None:
    with pytest.raises(BadProperties) as caught:
        load_properties(text)
    assert line is None or caught.value.line == line
    assert "\n" not in str(caught.value)


def test_an_alias_bomb_is_refused_and_honest_aliases_are_followed() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
    )
    with pytest.raises(BadProperties, match="aliases"):
        load_properties(bomb)
    assert load_properties("a: &a [1, 2]\nb: *a\nc: {d: *a}") == {"a": [1, 2], "b": [1, 2], "c": {"d": [1, 2]}}


@given(st.text(st.sampled_from(list("-:#[]{}&*!|>'\"%@` ab1\n\t\r~?,.\\")), max_size=60))
def test_reading_raises_nothing_else(text: str) -> None:
    try:
        load_properties(text)
    except BadProperties:
        return


@pytest.mark.parametrize(
    ("note", "front", "body", "line"),
    [
        ("---\na: 1\n---\nText\n", "a: 1\n", "Text\n", 4),
        ("---\r\na: 1\r\n---\r\nText\r\n", "a: 1\r\n", "Text\r\n", 4),
        ("---\n---\nx", "", "x", 3),
        ("---\na: 1\n---", "a: 1\n", "", 4),
        ("---\na: 1\n", None, "---\na: 1\n", 1),
        ("----\na: 1\n----\n", None, "----\na: 1\n----\n", 1),
        (" ---\na: 1\n---\n", None, " ---\na: 1\n---\n", 1),
        ("--- \na: 1\n---\n", None, "--- \na: 1\n---\n", 1),
        ("---\na: 1\n...\nb", None, "---\na: 1\n...\nb", 1),
        ("---\na: 1\n----\n---\n---\nb", "a: 1\n----\n", "---\nb", 5),
        ("", None, "", 1),
        ("---", None, "---", 1),
        ("text\n---\na\n---\n", None, "text\n---\na\n---\n", 1),
        ("---json\n{}\n---\n", None, "---json\n{}\n---\n", 1),
        ("---\na: ---\n ---\n---\nb\n", "a: ---\n ---\n", "b\n", 5),
    ],
)
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_note_is_cut_at_its_fences(bom: str, note: str, front: str | None, body: str, line: int) -> None:
    parts = split_note(bom + note)
    assert (parts.frontmatter, parts.body, parts.body_line, parts.bom) == (front, body, line, bool(bom))
    assert parts.newline == ("\r\n" if "\r\n" in note else "\n")


@given(st.text(st.sampled_from(list("-\r\n a\ufeff")), max_size=40))
def test_cutting_loses_nothing(note: str) -> None:
    parts = split_note(note)
    assert parts.bom == note.startswith("\ufeff")
    assert note.endswith(parts.body)
    before = note[: len(note) - len(parts.body)].lstrip("\ufeff") if parts.bom else note[: len(note) - len(parts.body)]
    assert parts.body_line == before.count("\n") + (1 if before.endswith("\n") or not before else 2)
    assert parts.frontmatter is None or parts.frontmatter in before
