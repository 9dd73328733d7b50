"""The gate on labelled turns and mails (tests/cases/gate), its guards, and its monotonicity."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ingest.gate import judge
from vaultmem.core.ingest.headers import parse_parties
from vaultmem.core.ingest.salience import Turn, salient_turns, says_little
from vaultmem.model import Admission, Mention, Message, SourceKind, SourceMessage

CASES = Path(__file__).parents[1] / "cases" / "gate"
Labelled = tuple[str, str, str]


def turns() -> list[Labelled]:
    """(label, what somebody else said before or "", text)."""
    found: list[Labelled] = []
    for path in sorted(CASES.glob("*.txt")):
        before = ""
        for line in path.read_text(encoding="utf-8").splitlines() if path.name != "mails.txt" else ():
            label, bar, text = (part.strip() for part in line.partition("|"))
            if bar and label == "ask":
                before = text
            elif bar:
                found.append((label, before, text))
                before = ""
    return found


def mails() -> list[tuple[str, str, SourceMessage]]:
    """(wanted reason or "", name, mail)."""
    found = []
    for block in (CASES / "mails.txt").read_text(encoding="utf-8").split("=== ")[1:]:
        title, *lines = block.removesuffix("\n").split("\n")
        heads = {}
        while lines and lines[0].split(":")[0] in ("From", "Subject", "Cues", "Attachment"):
            name, _, value = lines.pop(0).partition(": ")
            heads[name] = value
        verdict, _, rest = title.partition(" ")
        reason = rest.split()[0] if verdict == "drop" else ""
        found.append((reason, title, mail("\n".join(lines), heads)))
    return found


def mail(text: str, heads: dict[str, str]) -> SourceMessage:
    return SourceMessage(
        message=Message(sent_at=None, author=heads["From"], text=text, subject=heads.get("Subject", "")),
        source_id="mail:x", tree_scope="box", title="box", provider="other_email",
        cues=frozenset(heads.get("Cues", "").split()),
        attachments=tuple(heads.get("Attachment", "").split()),
        parties=tuple((p.name, p.address, "from") for p in parse_parties(heads["From"])),
    )  # fmt: skip


def said(text: str, author: str = "Ann", **more: object) -> SourceMessage:
    message = Message(sent_at=None, author=author, text=text)
    fields = {"source_id": "c", "tree_scope": "c", "title": "c", "provider": "whatsapp", **more}
    return SourceMessage(message=message, **fields)  # type: ignore[arg-type]


def gate(
    *items: SourceMessage, kind: SourceKind = "chat", tokens: int = 40, body: str = "", me: tuple[str, ...] = (),
    cues: frozenset[str] = frozenset(), mentions: tuple[Mention, ...] = (),
) -> Admission:  # fmt: skip
    provider = items[0].provider if items else "document"
    return judge(
        kind=kind, provider=provider, messages=items, body=body, token_count=tokens, mentions=mentions, cues=cues, me=me
    )


def is_kept(before: str, text: str) -> bool:
    if not before:
        return gate(said(text)).status == "admitted"
    return salient_turns([Turn(author="Bob", text=before), Turn(author="Ann", text=text)])[1]


def test_every_decisive_turn_is_kept_and_acknowledgements_are_dropped(capsys: pytest.CaptureFixture[str]) -> None:
    labelled = turns()
    assert len(labelled) >= 120
    lost = [text for label, before, text in labelled if label == "keep" and not is_kept(before, text)]
    acks = [(before, text) for label, before, text in labelled if label == "ack"]
    passed = [text for before, text in acks if is_kept(before, text)]
    kept = len(labelled) - len(acks)
    with capsys.disabled():
        print(
            f"\nsalience: {len(labelled)} turns, recall of decisive {(kept - len(lost)) / kept:.3f}, "
            f"precision of keep {(kept - len(lost)) / (kept - len(lost) + len(passed)):.3f}, "
            f"acknowledgements dropped {1 - len(passed) / len(acks):.3f}"
        )
    assert not lost
    assert len(passed) <= 0.1 * len(acks), passed


@pytest.mark.parametrize(("reason", "name", "item"), [pytest.param(*case, id=case[1]) for case in mails()])
def test_mails(reason: str, name: str, item: SourceMessage) -> None:
    assert gate(item, kind="email").reason == reason


@pytest.mark.parametrize(
    "text",
    ["yes, ship it", "Gate code 4471", "Approved.", "budget is $12k", "meeting moved to room 5", "42 Baker Street, NW1",
     "明天下午三点开会", "My flight BA117 lands 18:40", "Use Postgres.", "cancel it", "She said yes", "42"],
)  # fmt: skip
def test_short_decisive_content_is_not_tiny(text: str) -> None:
    assert gate(said(text), tokens=4).status == "admitted"
    assert gate(kind="document", tokens=4, body=text).status == "admitted"
    assert not says_little(text)


@pytest.mark.parametrize("text", ["ok", "a short note", "hello there", "", "thanks!"])
def test_a_tiny_document_is_dropped_unless_it_is_pinned_or_names_something(text: str) -> None:
    assert gate(kind="document", tokens=4, body=text).reason == "tiny"
    assert gate(kind="document", tokens=4, body=text, cues=frozenset({"priority_high"})).status == "admitted"
    assert gate(kind="document", tokens=4, body=text, mentions=(named("tide", "link"),)).status == "admitted"
    assert gate(kind="document", tokens=10, body=text).reason == ""


def test_a_chat_of_nothing_but_greetings_is_not_salient() -> None:
    chat = [said("hi"), said("hello!", "Bob"), said("👍"), said("Ann joined", "", system=True)]
    verdict = gate(*chat, tokens=120, mentions=(named("ann", "author"),))
    assert (verdict.status, verdict.reason) == ("dropped", "not_salient")
    assert set(verdict.signals) >= {"token_count", "unique_words", "interaction", "entity_density"}
    assert verdict.score >= 0.3
    assert gate(*chat, cues=frozenset({"priority_high"})).score == pytest.approx(min(1.0, gate(*chat).score + 0.25))


def test_a_reply_to_something_out_of_sight_may_be_an_answer() -> None:
    assert gate(said("yes", reply_to="17")).status == "admitted"
    assert gate(said("thanks", reply_to="17")).reason == "not_salient"
    assert not salient_turns(
        [Turn(author="Bob", text="It works.", native_id="1"), Turn(author="A", text="ok", reply_to="1")]
    )[1]
    assert not salient_turns([Turn(author="A", text="Shall we?"), Turn(author="A", text="yes")])[1]


def test_the_owners_names_give_cues() -> None:
    plain = gate(said("The boat is blue."), me=("Cleo", "cleo@example.org"))
    assert plain.signals["interaction"] == 0.5
    assert gate(said("The boat is blue.", "cleo"), me=("Cleo",)).signals["interaction"] == pytest.approx(0.8)
    assert gate(said("Cleo, the boat is blue."), me=("Cleo",)).signals["interaction"] == pytest.approx(0.6)


def test_the_priors_alone_drop_nothing() -> None:
    verdict = gate(said("no meat " * 6, provider="other"), tokens=10)
    assert verdict.score > 0.3
    assert verdict.reason == ""


def named(surface: str, origin: str = "name") -> Mention:
    return Mention(surface=surface, text=surface, kind="person", passage=0, origin=origin)


TEXTS = st.one_of(
    st.sampled_from([text for _, _, text in turns()]),
    st.text(max_size=60),
    st.lists(st.sampled_from(["no", "yes", "a", "b"])).map(" ".join),
)
CUES = st.frozensets(st.sampled_from(["sent", "reply", "dm", "mention", "priority_high", "edited"]))


@given(TEXTS, CUES, st.sampled_from(["sent", "reply", "dm", "mention", "priority_high"]), st.integers(1, 2900))
def test_one_more_cue_never_hurts(text: str, cues: frozenset[str], cue: str, tokens: int) -> None:
    better(gate(said(text), cues=cues, tokens=tokens), gate(said(text), cues=cues | {cue}, tokens=tokens))


@given(TEXTS, CUES, st.integers(1000, 9999), st.integers(1, 2900), st.integers(0, 40))
def test_one_more_number_never_hurts(text: str, cues: frozenset[str], number: int, tokens: int, names: int) -> None:
    mentions = tuple(named(f"n{i}") for i in range(names))
    if str(number) in text:
        return
    for kind in ("chat", "document"):
        items = [said(text)] if kind == "chat" else []
        more = [said(f"{text} {number}")] if kind == "chat" else []
        better(
            gate(*items, kind=kind, cues=cues, tokens=tokens, body=text, mentions=mentions),
            gate(*more, kind=kind, cues=cues, tokens=tokens + 3, body=f"{text} {number}", mentions=mentions),
        )


@given(TEXTS, st.integers(1, 2900), st.integers(0, 40))
def test_one_more_mention_never_hurts(text: str, tokens: int, names: int) -> None:
    mentions = tuple(named(f"n{i}") for i in range(names))
    for kind in ("chat", "document"):
        items = [said(text)] if kind == "chat" else []
        more = [said(f"{text} @zoe")] if kind == "chat" else []
        better(
            gate(*items, kind=kind, tokens=tokens, body=text, mentions=mentions),
            gate(
                *more, kind=kind, tokens=tokens + 3, body=f"{text} @zoe", mentions=(*mentions, named("zoe", "handle"))
            ),
        )


@given(TEXTS)
def test_a_reply_mark_never_hurts(text: str) -> None:
    better(gate(said(text)), gate(said(text, reply_to="5")))


def better(before: Admission, after: Admission) -> None:
    assert after.score >= before.score - 1e-9
    assert (before.status, after.status) != ("admitted", "dropped")
