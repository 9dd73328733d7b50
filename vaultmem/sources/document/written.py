"""Dates as devices write them out in their language -> local times.

`Dienstag, 5. März 2024 21:07:33`, `Thursday, July 29, 2021 10:37:23 PM`, `2024年3月5日星期二 下午9:07:33`.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

#: One row a month: what the names of all languages begin with, without accents.
_MONTHS = (
    "jan jän gen ene sty янв leden ocak tammi ιαν", "feb fév fev lut фев únor şub subat helmi φεβ",
    "mar mär mär mrt maa мар mär břez maalis μαρ", "apr avr abr kwi апр dub nisan huhti απρ",
    "may mai mag mei maj ма květ mayıs touko μαι", "jun jui giu июн cze czerw haziran kesä ιουν",
    "jul juil lug lip июл červenec temmuz heinä ιουλ", "aug aoû aou ago sie авг srp ağu elo αυγ",
    "sep set wrz сен zář eyl syys σεπ", "oct okt ott out paź окт říj ekim loka οκτ",
    "nov noi lis ноя listop kas marras νοε", "dec dez déc dic gru дек pros ara joulu δεκ",
)  # fmt: skip
#: Names that begin like the name of another month.
_WHOLE = {
    "juillet": 7, "juil": 7, "marzec": 3, "maart": 3, "maaliskuu": 3, "mart": 3, "listopad": 11, "cerven": 6,
    "cervence": 7, "cervenec": 7, "cervna": 6, "kasım": 11, "kasim": 11, "agustos": 8, "aralık": 12, "aralik": 12,
    "марта": 3, "март": 3, "мая": 5, "май": 5,
}  # fmt: skip
_TIME = re.compile(
    r"(?<!\d)(?:(?P<before>上午|下午|午前|午後|오전|오후|凌晨|中午|晚上)\s*)?"
    r"(?P<hour>\d{1,2})(?::|\.|h|時|时|시|點|点)\s?(?P<minute>\d{2})(?:\s?(?::|\.|m|分|분)\s?(?P<second>\d{2}))?"
    r"(?:\s*(?P<after>[ap])\.?\s?m\b)?",
    re.IGNORECASE,
)
_CJK = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]?")
_NUMERIC = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_NIGHT = frozenset(("下午", "午後", "오후", "晚上", "p"))
_MORNING = frozenset(("上午", "午前", "오전", "凌晨", "a"))


def parse_written(text: str) -> datetime | None:
    """The local time a text holds, without zone; None where it holds no whole date. A date alone is midnight."""
    text = _DOTTED.sub(r"\3-\2-\1 ", text)
    time = next((m for m in _TIME.finditer(text) if int(m["hour"]) < 24 and int(m["minute"]) < 60), None)
    rest = text[: time.start()] + " " + text[time.end() :] if time else text
    day = _numeric(rest) or _worded(rest)
    if day is None:
        return None
    try:
        return datetime(*day, *(_clock(time) if time else (0, 0, 0)))  # noqa: DTZ001 - no zone is written
    except ValueError:
        return None


def _clock(match: re.Match[str]) -> tuple[int, int, int]:
    half = (match["before"] or match["after"] or "").lower()
    hour = int(match["hour"])
    if half in _NIGHT or half in _MORNING:
        hour = hour % 12 + (12 if half in _NIGHT else 0)
    return hour, int(match["minute"]), int(match["second"] or 0)


def _numeric(text: str) -> tuple[int, int, int] | None:
    match = _CJK.search(text) or _NUMERIC.search(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def _worded(text: str) -> tuple[int, int, int] | None:
    """A month's name, the year in four digits and the day beside it."""
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)
    months = (found for word in _WORD.findall(text) if (found := month_of(word)))
    month = next(months, 0)
    if not year or not month:
        return None
    day = re.search(r"(?<!\d)(\d{1,2})(?!\d)", text[: year.start()] + " " + text[year.end() :])
    return (int(year[0]), month, int(day[1])) if day else None


def month_of(word: str) -> int:
    """1 to 12, or 0 for a word that is no month: days of the week begin like none of them but `mar`."""
    folded = unicodedata.normalize("NFC", word.casefold())
    bare = "".join(c for c in unicodedata.normalize("NFD", folded) if not unicodedata.combining(c))
    whole = _WHOLE.get(folded) or _WHOLE.get(bare)
    if whole or folded in _WEEKDAYS:
        return whole or 0
    for number, starts in enumerate(_MONTHS, 1):
        if any(folded.startswith(start) for start in starts.split()):
            return number
    return 0


_WEEKDAYS = frozenset((
    "mardi", "martes", "martedì", "martedi", "marți", "mar", "maandag", "lundi", "jueves", "jeudi", "giovedì",
    "giovedi", "maanantai", "cuma", "salı", "pazar", "lis", "środa", "czwartek", "sobota", "sob", "sept",
)) - {"mar", "sept", "lis"}  # fmt: skip
