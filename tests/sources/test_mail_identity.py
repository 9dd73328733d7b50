"""Who wrote to whom, in which thread, with which signs of interest."""

from __future__ import annotations

import pytest

from vaultmem.model import SourceMessage
from vaultmem.sources.mail.cues import Owner, bare_subject, is_forward
from vaultmem.sources.mail.message import read_mail

ME = ("me@example.org", "Kim Doe")


def message(head: str, body: str = "words") -> SourceMessage:
    found = read_mail(f"{head}\n\n{body}".encode(), owner=Owner(ME), scope="mail:test")
    return next(i for i in found if isinstance(i, SourceMessage))


ANN = "From: Ann <ann@example.com>\nTo: me@example.org"


@pytest.mark.parametrize(
    ("head", "cues"),
    [
        (ANN, {"dm"}),
        (f"{ANN}, bo@example.com", set()),
        (f"{ANN}\nCc: bo@example.com", set()),
        ("From: Kim Doe <kim@elsewhere.example>\nTo: ann@example.com", {"sent"}),
        ("From: ME+tag@Example.org\nTo: ann@example.com", {"sent"}),
        ("From: x@example.com\nTo: ann@example.com\nX-Gmail-Labels: =?utf-8?q?Gesendet?=,Wichtig", {"sent"}),
        (f"{ANN}\nIn-Reply-To: <a@x>", {"dm", "reply"}),
        (f"{ANN}\nSubject: AW: Plan", {"dm", "reply"}),
        (f"{ANN}\nSubject: Fwd: Plan", {"dm"}),
        (f"{ANN}\nX-Priority: 1 (Highest)", {"dm", "priority_high"}),
        (f"{ANN}\nImportance: High", {"dm", "priority_high"}),
        (f"{ANN}\nX-Gmail-Labels: Starred", {"dm", "priority_high"}),
        (f"{ANN}\nX-Mozilla-Status: 0005", {"dm", "priority_high"}),
        (f"{ANN}\nX-Priority: 3", {"dm"}),
        (f"{ANN}\nAuto-Submitted: auto-replied; owner-email=x", {"dm", "auto"}),
        (f"{ANN}\nAuto-Submitted: no", {"dm"}),
        (f"{ANN}\nPrecedence: auto_reply", {"dm", "auto"}),
        ("From: MAILER-DAEMON@example.com\nTo: me@example.org", {"dm", "auto"}),
        (f"{ANN}\nList-Id: <boats.example.com>", {"list"}),
        (f"{ANN}\nList-Unsubscribe: <https://example.com/u>", {"list"}),
        (f"{ANN}\nPrecedence: bulk", {"list"}),
    ],
)
def test_cues(head: str, cues: set[str]) -> None:
    assert message(head).cues == cues


def test_mention() -> None:
    assert "mention" in message(f"{ANN}, b@x", "Ask Kim Doe, please.").cues
    assert "mention" in message(f"{ANN}, b@x", "Write to ME@example.org").cues
    assert "mention" not in message(f"{ANN}, b@x", "Ask Kim Doenitz").cues


def test_thread_root() -> None:
    assert message(f"{ANN}\nMessage-ID: <a@x>").source_id == "mail:a@x"
    reply = message(f"{ANN}\nMessage-ID: <c@x>\nIn-Reply-To: <b@x>\nReferences: <a@x>\n <b@x>")
    assert (reply.source_id, reply.native_id, reply.reply_to) == ("mail:a@x", "<c@x>", "<b@x>")
    assert message(f"{ANN}\nMessage-ID: <c@x>\nIn-Reply-To: <b@x>").source_id == "mail:b@x"
    nameless = message(ANN)
    assert nameless.native_id == ""
    assert nameless.source_id == message(ANN).source_id != message(ANN, "other words").source_id


def test_parties_and_provider() -> None:
    found = message(f'{ANN}\nCc: "Lee, Bo" <bo@example.com>\nX-GM-THRID: 1')
    assert found.parties == (
        ("Ann", "ann@example.com", "from"),
        ("", "me@example.org", "to"),
        ("Lee, Bo", "bo@example.com", "cc"),
    )
    assert found.message.cc == '"Lee, Bo" <bo@example.com>'
    assert found.provider == "gmail"
    assert message(ANN).provider == "other_email"


@pytest.mark.parametrize(
    ("subject", "bare"),
    [
        ("Re: Plan", "Plan"),
        ("RE: AW: Fwd: Plan", "Plan"),
        ("Re[2]: Plan", "Plan"),
        ("[boats] Re: Plan", "Plan"),
        ("[boats] Plan", "[boats] Plan"),
        ("回复：计划", "计划"),
        ("Re:", "Re:"),
        ("Result: Plan", "Result: Plan"),
        ("Re: " * 15 + "Plan", "Plan"),
    ],
)
def test_bare_subject(subject: str, bare: str) -> None:
    assert bare_subject(subject) == bare


def test_forward_subjects() -> None:
    assert [is_forward(s) for s in ("Fwd: x", "WG: x", "TR : x", "Re: Fwd: x", "x")] == [True, True, True, False, False]
