"""Mentions: readable cases (tests/cases/extract), isolation of extractors, odd and huge input."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest import extract
from vaultmem.core.ingest.entities import Registry, build_registry
from vaultmem.core.ingest.extract import ExtractorFailed, find_mentions
from vaultmem.core.ingest.headers import parse_parties
from vaultmem.model import Entity, Mention, Passage, SourceKind

CASES = Path(__file__).parents[1] / "cases" / "extract"
NONE = build_registry([])


def passage(text: str, ordinal: int = 0, **more: str) -> Passage:
    return Passage(ordinal=ordinal, text=text, first_line=0, last_line=0, **more)


def entity(line: str) -> Entity:
    """`person Alice Smith | aliases: Ali | emails: a@example.com | handles: @ali`."""
    head, *lists = (part.strip() for part in line.split("|"))
    kind, _, name = head.partition(" ")
    values = {
        key: tuple(v.strip() for v in rest.split(",") if v.strip())
        for key, _, rest in (x.partition(":") for x in lists)
    }
    return Entity(id=f"{kind}:{name}", kind=kind, display_name=name, **values)  # type: ignore[arg-type]


def case_passages(kind: str, text: str) -> list[Passage]:
    found = []
    for ordinal, block in enumerate(text.strip("\n").split("\n~~\n")):
        lines, more = block.split("\n"), {}
        if kind == "chat":
            more["author"] = lines.pop(0).removeprefix("Author: ")
        if kind == "email":
            more["author"] = lines.pop(0).removeprefix("From: ")
            more["addressed"] = lines.pop(0).removeprefix("To: ")
            more["heading"] = lines.pop(0)
        found.append(passage("\n".join(lines), ordinal, **more))
    return found


def shown(mentions: tuple[Mention, ...]) -> str:
    return "".join(f"{m.passage} {m.origin} {m.kind} | {m.surface} | {m.text}\n" for m in mentions)


@pytest.mark.parametrize("path", sorted(CASES.glob("*.txt")), ids=lambda path: path.stem)
def test_cases(path: Path, update: bool) -> None:
    registry, answer = NONE, ""
    for section in path.read_text(encoding="utf-8").split("=== ")[1:]:
        title, _, text = section.partition("\n")
        if title == "entities":
            registry = build_registry([entity(line) for line in text.splitlines() if line])
        elif title.startswith("passages "):
            kind: SourceKind = title.split()[1]  # type: ignore[assignment]
            answer += f"--- {kind}\n" + shown(find_mentions(case_passages(kind, text), kind=kind, registry=registry))
    expected = path.with_suffix(".expected")
    if update:
        expected.write_text(answer, encoding="utf-8")
    assert answer == expected.read_text(encoding="utf-8")


def test_a_failing_extractor_is_reported_and_loses_no_other_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(texts: object) -> list[Mention]:
        raise ZeroDivisionError

    monkeypatch.setattr(extract, "EXTRACTORS", (broken, *extract.EXTRACTORS))
    with pytest.warns(ExtractorFailed, match="broken: ZeroDivisionError"):
        found = find_mentions([passage("mail ann@example.com")], kind="document", registry=NONE)
    assert [m.surface for m in found] == ["ann@example.com"]


def test_a_url_keeps_its_own_brackets_and_no_others() -> None:
    text = "(https://x.org/a_(b)) [t](https://x.org/c(d)e) https://x.org/f, „https://x.org/g“ 见https://x.org/h。"
    urls = [m.text for m in find_mentions([passage(text)], kind="chat", registry=NONE) if m.kind == "url"]
    assert urls == [
        "https://x.org/a_(b)",
        "https://x.org/c(d)e",
        "https://x.org/f",
        "https://x.org/g",
        "https://x.org/h",
    ]


@pytest.mark.parametrize(
    ("line", "parties"),
    [
        ("Ann <ann@x.org>", [("Ann", "ann@x.org")]),
        ("Müller, Jörg <j@x.org>, bo@y.org", [("Jörg Müller", "j@x.org"), ("", "bo@y.org")]),
        ('"Lee, Bo" <bo@y.org>; Cy <cy@z.org>', [("Bo Lee", "bo@y.org"), ("Cy", "cy@z.org")]),
        ("ann@x.org (Ann Smith)", [("Ann Smith", "ann@x.org")]),
        ("'Ann' via Team <team@x.org>", [("", "team@x.org")]),
        ("ann@x.org <ann@x.org>", [("", "ann@x.org")]),
        ("undisclosed-recipients:;", []),
        ("Acme, Inc. <hi@acme.org>", [("Acme, Inc.", "hi@acme.org")]),
        ("", []),
    ],
)
def test_address_lines(line: str, parties: list[tuple[str, str]]) -> None:
    assert [(p.name, p.address) for p in parse_parties(line)] == parties


HUGE = {
    "letters": "a", "names": "Ab ", "ats": "@", "half addresses": "a@", "links": "https://", "brackets": "https://x/)",
    "ticks": "`", "open code": "`a ", "hashes": "#", "tags": "#a ", "wikilinks": "[[", "dots": "a.", "fences": "```\n",
    "isolates": "@\u2068", "han": "好", "known": "alice ", "mails": "a@b.co ", "dashes": "a-", "nul": "\0",
    "numbers": "a#1234 ",
}  # fmt: skip


@pytest.mark.parametrize("unit", HUGE.values(), ids=HUGE)
def test_a_huge_line_takes_linear_time(unit: str) -> None:
    registry = build_registry([entity("person Alice Alice Bob | aliases: 好好")])
    small, large = (timed(unit * (size // len(unit)), registry) for size in (30_000, 120_000))
    # Four times the text may take four times as long, and some noise of a busy machine; quadratic would be sixteen.
    assert large < 1.0 or large < 9 * small


def timed(text: str, registry: Registry) -> float:
    start = time.process_time()
    find_mentions([passage(text)], kind="document", registry=registry)
    return time.process_time() - start


ODD = st.lists(
    st.sampled_from(
        [
            "[[",
            "]]",
            "@",
            "#",
            "http://",
            "`",
            "```\n",
            "\ud800",
            "\0",
            "A",
            "Bo ",
            "\u2068",
            ". ",
            "好",
            "\u202e",
            "a@b.co",
        ]
    )
)


@given(ODD.map("".join) | st.text())
def test_odd_text_never_raises_and_is_sorted_once(text: str) -> None:
    passages = [passage(text, 0, author=text, addressed=text, heading=text), passage(text, 1)]
    for kind in ("chat", "email", "document"):
        found = find_mentions(passages, kind=kind, registry=build_registry([entity("topic Bo Bo")]))
        keys = [(m.passage, m.surface, m.kind) for m in found]
        assert keys == sorted(set(keys))
        assert found == find_mentions(passages, kind=kind, registry=build_registry([entity("topic Bo Bo")]))


def test_a_redaction_mark_names_nobody() -> None:
    text = "See [[redacted:aws-access-key-id]], [[[redacted:aws-access-key-id]]] and [[Boiler]]."
    assert {m.text for m in find_mentions([passage(text)], kind="document", registry=NONE)} == {"Boiler"}
    (author,) = find_mentions([passage("hm", author="Bob")], kind="chat", registry=NONE)
    assert author.text == "Bob"
    assert not find_mentions([passage("hm", author="[redacted:phone]")], kind="chat", registry=NONE)


def test_a_link_into_our_own_folders_makes_no_topic() -> None:
    ann = Entity(id="person:ann", kind="person", display_name="Ann Lee", note_path="entities/person/ann.md")
    other = Entity(id="topic:ann", kind="topic", display_name="ann", note_path="entities/topic/ann.md")
    text = "[[wiki/raw/chat/x|y]] [[Wiki/Home]] [[.vaultmem/a]] [[entities/person/bob|Bob]] [[../wiki/raw/z.md#a|z]]"
    assert not [m for m in find_mentions([passage(text)], kind="document", registry=NONE) if m.origin == "link"]
    registry = build_registry([ann, other])
    for link in ("entities/person/ann|A", "/Entities/Person/Ann.md", "../entities/person/ann#x"):
        mentions = find_mentions([passage(f"ask [[{link}]]")], kind="document", registry=registry)
        (found,) = [m for m in mentions if m.origin == "link"]
        assert (found.kind, registry.resolve(found.surface)) == ("person", {"person:ann"}), link


def test_labels_around_a_name_are_nobody_by_themselves() -> None:
    whole = 'Ann "Q" O\'Neil: [x] #1'
    for line in (f"{whole} ‹ann@x.org>", f"{whole} <ann@x.org>"):
        assert [(p.name, p.address) for p in parse_parties(line)] == [(whole, "ann@x.org")]
    assert [(p.name, p.address) for p in parse_parties("[x] #1 <ann@x.org>")] == [("", "ann@x.org")]
