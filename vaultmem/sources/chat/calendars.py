"""Dates as phones of other calendars write them -> the common calendar.

    1402/12/15  Iran        1445/8/24  Arabia (Umm al-Qura)      5/3/2567, 5/3/67  Thailand      113/3/5  Taiwan

No calendar is named in an export; its years tell it, for a chat is younger than 2009.
"""

from __future__ import annotations

from datetime import date

#: Years in which an export can have been written; other numbers are something else.
_YEARS = range(2009, 2100)
#: The same span in other calendars, as far as two of them do not share a number.
_PERSIAN, _HIJRI = range(1388, 1430), range(1430, 1501)
_THAI, _TAIWANESE = range(2552, 2643), range(98, 189)
#: From here on two digits are Thai years: 2052 is still to come, 2552 was 2009.
_THAI_SHORT = 52


def common_date(year: int, month: int, day: int, *, digits: int) -> date | None:
    """The date of a year written with so many digits, or None where no calendar has it."""
    try:
        if digits == 4 and year in _PERSIAN:
            return _persian(year, month, day)
        if digits == 4 and year in _HIJRI:
            return _hijri(year, month, day)
        found = _common_year(year, digits)
        return date(found, month, day) if found in _YEARS else None
    except (ValueError, OverflowError):
        return None


def _common_year(year: int, digits: int) -> int:
    """For calendars that differ in the number of the year alone; 0 for no year."""
    if digits == 4:
        return year - 543 if year in _THAI else year
    if digits == 3:
        return year + 1911 if year in _TAIWANESE else 0
    return year + 1957 if year >= _THAI_SHORT else year + 2000


def _persian(year: int, month: int, day: int) -> date:
    from persiantools.jdatetime import JalaliDate

    found: date = JalaliDate(year, month, day).to_gregorian()  # type: ignore[no-untyped-call]
    return found


def _hijri(year: int, month: int, day: int) -> date:
    from hijridate import Hijri

    found = Hijri(year, month, day).to_gregorian()
    return date(found.year, found.month, found.day)
