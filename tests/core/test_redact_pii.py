"""Numbers of cards, accounts and people go only when the settings ask, and only when their own checksum says so.

The numbers are the documented examples of card networks, banks and the `stdnum` library, or made up here.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import iban, luhn, verhoeff
from stdnum.br import cpf
from stdnum.pl import pesel

from tests.core.test_redact import CONTEXTS, kept
from tests.vaults import Box, bytes_below, raw_notes
from vaultmem.config import PII_FAMILIES
from vaultmem.core.ingest.redact import families, redact
from vaultmem.core.ingest.redact_pii import _RULES

CARD = "4242 4242 4242 4242"
ACCOUNT = "DE89 3704 0044 0532 0130 00"
GONE = {
    "card": (
        CARD, "4242424242424242", "4242-4242-4242-4242", "5555 5555 5555 4444", "2223003122003222", "3782 822463 10005",
        "371449635398431", "6011111111111117", "3056 930902 5904", "3566002020360505", "6200000000000005",
        "4242\u00a04242\u00a04242\u00a04242", "4242 4242\n> 4242 4242", "6759649826438453", "2200 0000 0000 0004",
    ),
    "iban": (
        ACCOUNT, "DE89370400440532013000", "de89 3704 0044 0532 0130 00", "GB33BUKB20201555555555", "BE31435411161155",
        "GR16 0110 1050 0000 1054 7023 795", "NO93 8601 1117 947", "DE89 3704 0044\n0532 0130 00",
        "MT84MALT011000012345MTLCAST001S", "FR14 2004 1010 0505 0001 3M02 606",
    ),
    "national-id": (
        "36 574 261 809", "36574261809", "2 95 10 99 126 111 93", "295109912611193", "253072B07300470", "54362315-K",
        "54.362.315-K", "54362315K", "x-2482300w", "X2482300W", "RCCMNL83S18D969H", "RCC MNL 83S18 D969H",
        "44051401359", "390.533.447-05", "2341 2341 2346", "880320-0016", "19880320-0016", "198803200016",
        "880320+0016",
    ),
}  # fmt: skip
NAMED = (
    "SSN 536-90-4399", "social security number: 536904399", "536-90-4399 (SSN)", "BSN: 111222333", "bsn 1112.22.333",
    "Burgerservicenummer is 111 222 333", "CPF 39053344705", "Aadhaar: 234123412346", "आधार 234123412346",
    "personnummer 8803200016",
)  # fmt: skip
STAYS = (
    "4242 4242 4242 4243", "1234 5678 9012 3456", "0.4242424242424242", "a4242424242424242", "4242424242424242b",
    "9999 9999 9999 9999", "1712345678", "1712345678901", "20260301120000", "0000 0000 0000 0000",
    "DE88 3704 0044 0532 0130 00", "XX89 3704 0044 0532 0130 00", "DE89 3704", "call +49 30 901820", "111222333",
    "536-90-4399", "SSN 666-00-0000", "SSN 000-12-3456", "the ssn of a net: 192.168.2.1", "234123412346",
    "54362315Z", "RCCMNL83S18D969X", "8803200016", "550e8400-e29b-41d4-a716-446655440000", "2341 2341 2347",
    "Unbelievableness", "## 2026-04-21T10:12:00Z — Alice", "^m-390533447050", "order 39053344705",
)  # fmt: skip


@pytest.mark.parametrize("family", PII_FAMILIES)
def test_a_number_goes_when_asked_and_stays_by_default(family: str) -> None:
    for number in GONE[family]:
        for text in (
            number,
            f"it is {number}.",
            f"是{number}，谢谢",
            f"({number})",
            f"a {number} and b 12/27",
            f"|{number}|",
        ):
            assert redact(text).text == text
            assert redact(text, (family,)).text == text.replace(number, f"[redacted:{family}]")


@pytest.mark.parametrize(
    "context", sorted(set(CONTEXTS) - {"zero width", "html", "quoted mail", "indented", "json in json"})
)
def test_in_every_context(context: str) -> None:
    for family in PII_FAMILIES:
        number = GONE[family][0]
        text = CONTEXTS[context](number)
        result = redact(text, PII_FAMILIES)
        assert result.removed == {family: 1}, text
        assert re.sub(r"\W", "", number) not in re.sub(r"\W", "", result.text)
        assert redact(result.text, PII_FAMILIES).text == result.text


@pytest.mark.parametrize("text", NAMED)
def test_a_weak_number_goes_beside_its_word(text: str) -> None:
    result = redact(text, ("national-id",))
    assert result.removed == {"national-id": 1}, result.text
    assert not re.search("[0-9]{3}", result.text)


@pytest.mark.parametrize("text", [*STAYS, *(line for line in kept() if CARD not in line)])
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert redact(text, PII_FAMILIES).text == text


def test_only_the_families_asked_for_go() -> None:
    text = f"{CARD} / {ACCOUNT}"
    assert redact(text, ("iban",)).text == f"{CARD} / [redacted:iban]"
    assert redact(f"password: hunter2hunter2 {CARD}", ("card",)).removed == {"card": 1, "keyword-assignment": 1}


def test_every_family_has_a_rule_and_a_name_of_its_own() -> None:
    assert {*_RULES, "iban"} == set(PII_FAMILIES) == set(GONE)
    assert not set(PII_FAMILIES) & set(families())


MAKERS: dict[str, Callable[[random.Random], str]] = {
    "card": lambda r: _checked(f"4{r.randrange(10**14):014}", luhn.calc_check_digit),
    "iban": lambda r: _iban(f"{r.randrange(10**18):018}"),
    "national-id pesel": lambda r: _checked(f"85{r.randrange(1, 13):02}{r.randrange(1, 29):02}{r.randrange(10**4):04}",
                                            pesel.calc_check_digit),
    "national-id aadhaar": lambda r: _grouped(_checked(f"3{r.randrange(10**10):010}", verhoeff.calc_check_digit)),
    "national-id cpf": lambda r: cpf.format(_cpf(f"{r.randrange(10**9):09}")),
}  # fmt: skip


def _checked(number: str, digit: Callable[[str], str]) -> str:
    return number + digit(number)


def _grouped(number: str) -> str:
    return " ".join(number[at : at + 4] for at in range(0, len(number), 4))


def _iban(account: str) -> str:
    return f"DE{iban.calc_check_digits(f'DE00{account}')}{account}"


def _cpf(number: str) -> str:
    return next(f"{number}{end:02}" for end in range(100) if cpf.is_valid(f"{number}{end:02}"))


@pytest.mark.parametrize("maker", MAKERS)
def test_made_up_ones_go_and_a_wrong_digit_keeps_them(maker: str) -> None:
    family, _, kind = maker.partition(" ")
    for seed in range(50):
        number = MAKERS[maker](random.Random(seed))
        assert redact(f"no. {number}!", (family,)).text == f"no. [redacted:{family}]!", number
        wrong = number[:-1] + str((int(number[-1]) + 1) % 10)
        assert kind or redact(f"no. {wrong}!", (family,)).text == f"no. {wrong}!", wrong


PIECES = st.sampled_from([n for numbers in GONE.values() for n in numbers] + [*NAMED, *STAYS, " ", "\n", "-", ".", "1"])


@given(st.lists(PIECES, max_size=8).map("".join))
def test_twice_is_once(text: str) -> None:
    once = redact(text, PII_FAMILIES)
    assert redact(once.text, PII_FAMILIES).text == once.text


def test_nothing_of_it_is_left_in_the_vault(tmp_path: Path) -> None:
    for config, survives in (("", True), ("redact_pii: [card, iban]\n", False)):
        box = Box(tmp_path / str(survives), config=config)
        box.write(
            f"Account {ACCOUNT}.md", f"# Account {ACCOUNT}\n\nPaid with {CARD}, see [x](https://e.org/?c={CARD}).\n"
        )
        box.write("WhatsApp Chat with Bank.txt", f"12/03/2026, 10:00 - Alice: from {ACCOUNT} please\n")
        rows = box.sync()
        assert {row["outcome"] for row in rows} == {"imported"}
        assert (CARD in raw_notes(box)) is survives
        assert (ACCOUNT in raw_notes(box)) is survives
        if not survives:
            written = bytes_below(box.root) + b"".join(p.read_bytes() for p in box.data.rglob("*.log"))
            assert CARD.encode() not in written
            assert ACCOUNT.encode() not in written
            assert [row["redacted"] for row in rows] == [{"card": 2, "iban": 1}, {"iban": 1}]
