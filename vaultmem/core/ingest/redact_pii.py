"""Finds what names a person to a bank or a state: cards, IBANs, national ids. Looked for only when the settings ask.

A shape alone is any long number, so every find passes the number's own checksum; where chance would pass it too often
a word for the number must stand beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module

from vaultmem.core.ingest.redact_view import View

Span = tuple[int, int, str]

_APART = r"(?<![0-9A-Za-z])(?<![0-9][.,])"
_ENDS = r"(?![0-9A-Za-z])(?![.,][0-9])"
#: what people put between groups; one line end of a wrapped or quoted mail counts
_GAP = r"(?:[ .\u00a0\u2007\u2009\u202f\u2010\u2011\u2013-]{1,2}|[ -]?\n[> ]{0,6})"
_MAYBE = f"{_GAP}?"
#: characters before and after a number in which its word may stand
_BEFORE, _BEHIND = 60, 20
_NO_SIGN = re.compile(r"[^0-9A-Za-z]+")

#: first digits of the networks, with the lengths they issue
_BRANDS = re.compile(
    r"4(?:[0-9]{12}|[0-9]{15}|[0-9]{18})"  # Visa
    r"|(?:5[1-5][0-9]{2}|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}"  # Mastercard
    r"|3[47][0-9]{13}"  # American Express
    r"|3(?:0[0-59]|[689][0-9])[0-9]{11}"  # Diners
    r"|(?:6011|64[4-9][0-9]|6[25][0-9]{2})[0-9]{12}(?:[0-9]{3})?"  # Discover, UnionPay
    r"|35(?:2[89]|[3-8][0-9])[0-9]{12}(?:[0-9]{3})?"  # JCB
    r"|(?:220[0-4]|60[0-9]{2}|8[12][0-9]{2}|508[0-9])[0-9]{12}"  # Mir, RuPay
    r"|(?:5018|5020|5038|5893|6304|6759|676[1-3])[0-9]{9,15}"  # Maestro
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """One way a number is written."""

    #: at any place of a text; group 1 is the number
    shape: re.Pattern[str]
    #: of its letters and digits alone
    is_valid: Callable[[str], bool]
    #: one of these must stand near it; None: the checksum is proof enough
    word: re.Pattern[str] | None = None


def _rule(shape: str, is_valid: Callable[[str], bool], word: str = "") -> _Rule:
    return _Rule(
        shape=re.compile(f"{_APART}(?=({shape}){_ENDS})"),
        is_valid=is_valid,
        word=re.compile(word) if word else None,
    )


def _by(module: str) -> Callable[[str], bool]:
    """The check of a module of stdnum, loaded at its first number."""

    def is_valid(number: str) -> bool:
        return bool(import_module(f"stdnum.{module}").is_valid(number))

    return is_valid


def _is_card(number: str) -> bool:
    return _BRANDS.fullmatch(number) is not None and len(set(number)) > 1 and _by("luhn")(number)


def _is_codice(number: str) -> bool:
    return any(map(str.isdigit, number)) and _by("it.codicefiscale")(number.upper())


def _is_personnummer(number: str) -> bool:
    """With the century written out: without one the library would ask the clock which it is."""
    ways = (number,) if len(number) == 12 else (f"19{number}", f"20{number}")
    return any(_by("se.personnummer")(way) for way in ways)


def _is_ssn(number: str) -> bool:
    return _by("us.ssn")(number) and len(set(number)) > 2


def _digits(*groups: int, gap: str = _GAP) -> str:
    return gap.join(f"[0-9]{{{count}}}" for count in groups)


_CPF = _by("br.cpf")
_BSN = _by("nl.bsn")
_AADHAAR = _by("in_.aadhaar")
_SSN_WORD = r"ssn|social.?sec|soc\.? ?sec"
_BSN_WORD = r"bsn|burgerservice|sofi"
_AADHAAR_WORD = r"a+dh?aa?r|uidai|आधार"
_PNR_WORD = r"person(?:nummer|nr|\.? ?id)|pnr|samordning"

_CARDS = (
    _rule(_digits(4, 4, 4, 4, 3), _is_card),
    _rule(_digits(4, 4, 4, 4), _is_card),
    _rule(_digits(4, 6, 5), _is_card),
    _rule(_digits(4, 6, 4), _is_card),
    _rule(_digits(4, 4, 4, 1), _is_card),
    _rule("[0-9]{13,19}", _is_card),
)
_IDS = (
    _rule(_digits(3, 2, 4), _is_ssn, _SSN_WORD),
    _rule("[0-9]{9}", _is_ssn, _SSN_WORD),
    _rule(_digits(2, 3, 3, 3, gap=_MAYBE), _by("de.idnr")),
    _rule(rf"[1-478]{_MAYBE}{_digits(2, 2, gap=_MAYBE)}{_MAYBE}(?:[0-9]{{2}}|2[ABab]){_MAYBE}"
          rf"{_digits(3, 3, 2, gap=_MAYBE)}", _by("fr.nir")),
    _rule(rf"(?:[0-9]{{8}}|[0-9]{{2}}\.[0-9]{{3}}\.[0-9]{{3}}){_MAYBE}[A-Za-z]", _by("es.dni")),
    _rule(rf"[XYZxyz]{_MAYBE}[0-9]{{7}}{_MAYBE}[A-Za-z]", _by("es.nie")),
    _rule(rf"[A-Za-z]{{3}}{_MAYBE}[A-Za-z]{{3}}{_MAYBE}[0-9L-NP-Vl-np-v]{{2}}[A-EHLMPR-Ta-ehlmpr-t]"
          rf"[0-9L-NP-Vl-np-v]{{2}}{_MAYBE}[A-Za-z][0-9L-NP-Vl-np-v]{{3}}{_MAYBE}[A-Za-z]", _is_codice),
    _rule(_digits(3, 3, 3, gap=_MAYBE), _BSN, _BSN_WORD),
    _rule(r"[0-9]{4}[. ][0-9]{2}[. ][0-9]{3}", _BSN, _BSN_WORD),
    _rule("[0-9]{11}", _by("pl.pesel")),
    _rule(r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", _CPF),
    _rule("[0-9]{9}-?[0-9]{2}", _CPF, "cpf|cadastro"),
    _rule(rf"{_digits(4, 4, 4)}(?!{_GAP}[0-9])", _AADHAAR),
    _rule("[0-9]{12}", _AADHAAR, _AADHAAR_WORD),
    _rule("(?:19|20)[0-9]{6}[-+]?[0-9]{4}", _is_personnummer),
    _rule("[0-9]{6}[-+][0-9]{4}", _is_personnummer),
    _rule("[0-9]{10}", _is_personnummer, _PNR_WORD),
)  # fmt: skip
_RULES: Mapping[str, tuple[_Rule, ...]] = {"card": _CARDS, "national-id": _IDS}
_IBAN = re.compile(rf"{_APART}(?=([A-Za-z]{{2}}[0-9]{{2}}(?:{_MAYBE}[0-9A-Za-z]){{11,30}}))")
#: the shortest number of a bank account that a country gives
_IBAN_LEAST = 15


def find_pii(view: View, families: Collection[str]) -> Iterator[Span]:
    """Every span of `view.text` that is a number of one of these families (`config.PII_FAMILIES`)."""
    if not families or not re.search("[0-9]{2}", view.text):
        return
    if "iban" in families:
        yield from _ibans(view.text)
    for family, rules in _RULES.items():
        for rule in rules if family in families else ():
            yield from ((start, end, family) for start, end in _by_rule(view, rule))


def _by_rule(view: View, rule: _Rule) -> Iterator[tuple[int, int]]:
    for found in rule.shape.finditer(view.text):
        start, end = found.span(1)
        if found[1].count("\n") > 1 or (rule.word and not _is_named(view.lower, start, end, rule.word)):
            continue
        if rule.is_valid(_NO_SIGN.sub("", found[1])):
            yield start, end


def _is_named(lower: str, start: int, end: int, word: re.Pattern[str]) -> bool:
    """A word for the number stands shortly before or behind it."""
    return bool(word.search(lower, max(0, start - _BEFORE), start) or word.search(lower, end, end + _BEHIND))


def _ibans(text: str) -> Iterator[Span]:
    """How long one is depends on its country, and words may follow: every end of a group is tried, the last first."""
    for found in _IBAN.finditer(text):
        start, last = found.span(1)
        for end in range(last, start + _IBAN_LEAST - 1, -1):
            if _ends_group(text, end) and _is_iban(text[start:end]):
                yield start, end, "iban"
                break


def _ends_group(text: str, end: int) -> bool:
    return text[end - 1].isalnum() and not (text[end : end + 1].isascii() and text[end : end + 1].isalnum())


def _is_iban(found: str) -> bool:
    number = _NO_SIGN.sub("", found)
    return found.count("\n") <= 1 and bool(import_module("stdnum.iban").is_valid(number, check_country=False))
