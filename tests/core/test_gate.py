"""The gate on labelled turns and mails (tests/cases/gate), its guards, and its monotonicity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.labelled import (
    CASES,
    HELD_OUT,
    UNGUARDED,
    LabelledMail,
    LabelledTurn,
    judged,
    mails,
    said,
    stopped,
    turns,
)
from vaultmem.core.ingest.gate import judge
from vaultmem.core.ingest.salience import Turn, salient_turns, says_little
from vaultmem.model import Admission, Mention, SourceKind, SourceMessage


def gate(
    *items: SourceMessage, kind: SourceKind = "chat", tokens: int = 40, body: str = "", me: tuple[str, ...] = (),
    cues: frozenset[str] = frozenset(), mentions: tuple[Mention, ...] = (),
) -> Admission:  # fmt: skip
    provider = items[0].provider if items else "document"
    return judge(
        kind=kind, provider=provider, messages=items, body=body, token_count=tokens, mentions=mentions, cues=cues, me=me
    )


def missed(labelled: Sequence[LabelledTurn]) -> tuple[list[str], list[str]]:
    """Turns that should be kept and are not; acknowledgements that should be dropped and are not."""
    lost = [turn.text for turn in labelled if turn.label == "keep" and stopped(turn)]
    return lost, [turn.text for turn in labelled if turn.label == "ack" and not stopped(turn)]


def test_the_set_is_as_large_as_it_has_to_be() -> None:
    assert len(turns()) >= 320
    assert len({turn.language for turn in turns()}) >= 12
    assert len(mails()) >= 120
    assert 6 * len(turns(HELD_OUT)) >= len(turns())


@pytest.mark.parametrize("folder", [CASES, HELD_OUT], ids=["set", "held out"])
def test_every_decisive_turn_is_kept_and_acknowledgements_are_dropped(folder: Path) -> None:
    labelled = turns(folder)
    lost, passed = missed(labelled)
    assert not lost
    assert len(passed) <= 0.1 * sum(1 for turn in labelled if turn.label == "ack"), passed


def test_in_every_language_most_acknowledgements_are_dropped_with_the_reason() -> None:
    for language in {turn.language for turn in turns()}:
        acks = [turn for turn in turns() if turn.language == language and turn.label == "ack"]
        reasons = [stopped(turn) for turn in acks]
        assert set(reasons) <= {"not_salient", "tiny", ""}
        assert reasons.count("") <= 0.2 * len(acks), language


@pytest.mark.parametrize(
    "mail",
    [pytest.param(mail, id=mail.title) for mail in mails() if mail.reason != UNGUARDED],
)
def test_mails(mail: LabelledMail) -> None:
    assert judged("email", mail.item).reason == mail.reason


def test_mails_that_were_held_out() -> None:
    held = [mail for mail in mails(HELD_OUT) if mail.reason != UNGUARDED]
    assert not [mail.title for mail in held if not mail.reason and judged("email", mail.item).reason]
    wrong = [mail.title for mail in held if judged("email", mail.item).reason != mail.reason]
    assert len(wrong) <= 0.1 * len(held), wrong


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
    st.sampled_from([turn.text for turn in turns()]),
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


@example("A00 A00 A00 A00", 1, 0)
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


@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_a_chunk_as_the_pipeline_judges_it_only_gains(texts: list[str], data: st.DataObject) -> None:
    """One more mention, number, reply mark, pin or cue on any message: body, tokens and mentions are made anew."""
    items = [said(text, "Ann" if at % 2 else "Bob") for at, text in enumerate(texts)]
    gains_wherever(data, "chat", items)


@given(st.sampled_from(mails()), st.data())
def test_a_mail_as_the_pipeline_judges_it_only_gains(mail: LabelledMail, data: st.DataObject) -> None:
    gains_wherever(data, "email", [mail.item])


def gains_wherever(data: st.DataObject, kind: SourceKind, items: list[SourceMessage]) -> None:
    at = data.draw(st.integers(0, len(items) - 1))
    item = items[at]
    gain = data.draw(st.sampled_from(["sent", "reply", "dm", "mention", "priority_high", "@zoe", "4711", "answers"]))
    if gain in item.message.text:
        return
    if gain in ("@zoe", "4711"):
        message = replace(item.message, text=f"{item.message.text} {gain}")
        more = replace(item, message=message)
    elif gain == "answers":
        more = replace(item, reply_to=item.reply_to or "unseen")
    else:
        more = replace(item, cues=item.cues | {gain})
    better(judged(kind, *items), judged(kind, *items[:at], more, *items[at + 1 :]))


def better(before: Admission, after: Admission) -> None:
    assert after.score >= before.score - 1e-9
    assert (before.status, after.status) != ("admitted", "dropped")
