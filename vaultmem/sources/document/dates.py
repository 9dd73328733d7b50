"""A document's own time: from its properties, else its file's name, else the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from vaultmem.model import RawFile

#: Properties that say when a document was made, the surest first. Compared without case, blanks, `-` and `_`.
CREATED_KEYS = (
    "created", "createdat", "creationdate", "datecreated", "createdon", "createdtime", "creationtime", "ctime", "date",
    "datetime", "published", "publishedat", "publishdate", "datepublished", "publicationdate", "pubdate", "timestamp",
    "day", "erstellt", "datum", "créé", "fecha", "updated", "updatedat", "modified", "lastmodified", "datemodified",
    "mtime",
)  # fmt: skip

_ISO = re.compile(
    r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})"
    r"(?:(?:[Tt]|,? +)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?"
    r"\s*([Zz]|UTC|[+-]\d{2}:?\d{2}|[+-]\d{2})?(?:\s*\[([\w/+-]+)\])?)?"
)
_COMPACT = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)?)?")
_MONTHS = {m: i for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}  # noqa: SIM905
_WRITTEN = re.compile(
    r"(?:\w+day,? )?(?:(?P<day>\d{1,2})(?:st|nd|rd|th)?\.? (?P<month>[A-Za-z]{3,9})\.?,?|(?P<month2>[A-Za-z]{3,9})\.? "
    r"(?P<day2>\d{1,2})(?:st|nd|rd|th)?,?) (?P<year>\d{4})"
    r"(?:,? (?:at )?(?P<hour>\d{1,2}):(?P<minute>\d{2})(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?)?"
)
_IN_NAME = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])"
    # Programs that take pictures of screens write words and half days: `2024-03-05 at 6.12.33 PM`.
    r"(?:(?:[T _-]{0,2}(?=\d\d)| (?:at|um|à|a las|alle|om|kl\.?|в|às) )([01]?\d|2[0-3])"
    r"[-:.h_]?([0-5]\d)(?:[-:._]?([0-5]\d)(?:\d{3})?)?(?:[ \u00a0\u202f]([AaPp])\.?[Mm]\b)?)?(?!\d)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnTime:
    """When a document was made, and how that is known."""

    #: aware UTC
    at: datetime
    #: "frontmatter:<key>" | "name" | "file"
    source: str
    #: what was assumed where no zone is written; "UTC" for the file's own time
    tz: str
    zone_known: bool

    @property
    def as_metadata(self) -> str:
        """`source` of a file whose properties are no frontmatter: "metadata" | "name" | "file"."""
        return "metadata" if self.source.startswith("frontmatter:") else self.source


def own_time(properties: Mapping[str, object], raw: RawFile, zone: ZoneInfo) -> OwnTime:
    """The document's time. Text that is no date (`2024-02-30`) is passed over."""
    by_name = {re.sub(r"[\s_-]", "", key.casefold()): key for key in reversed(list(properties))}
    for name in CREATED_KEYS:
        key = by_name.get(name)
        found = parse_moment(properties[key], zone) if key is not None else None
        if found:
            return _own(found, f"frontmatter:{key}", zone)
    for match in _IN_NAME.finditer(raw.name.rpartition("/")[2]):
        year, _, month, day, hour, minute, second, half = match.groups()
        if half and hour:
            hour = str(int(hour) % 12 + (12 if half in "Pp" else 0))
        found = _moment((year, month, day, hour, minute, second), zone, known=False)
        if found:
            return _own(found, "name", zone)
    return OwnTime(at=raw.modified_at.astimezone(UTC), source="file", tz="UTC", zone_known=True)


def _own(found: tuple[datetime, bool], source: str, zone: ZoneInfo) -> OwnTime:
    at, known = found
    return OwnTime(at=at, source=source, tz="UTC" if known else f"none in file, assumed {zone.key}", zone_known=known)


def parse_moment(value: object, zone: ZoneInfo) -> tuple[datetime, bool] | None:
    """(aware UTC, True when the text carries its zone) of a property's value, or None when it is no date."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value).strip().removeprefix("[[").removesuffix("]]").strip()
    for pattern in (_ISO, _COMPACT):
        match = pattern.fullmatch(text)
        if match:
            return _from_iso(match, zone)
    if isinstance(value, int | float):
        return _epoch(value)
    match = _WRITTEN.fullmatch(text)
    return _from_words(match, zone) if match else None


def utc_text(text: str) -> str:
    """A date-time with an offset as UTC with Z, as reports show it; any other text unchanged."""
    match = _ISO.fullmatch(text)
    if not match or not match.group(8) or match.group(9):
        return text
    found = _from_iso(match, ZoneInfo("UTC"))
    return found[0].isoformat().replace("+00:00", "Z") if found else text


def _from_iso(match: re.Match[str], zone: ZoneInfo) -> tuple[datetime, bool] | None:
    groups = (*match.groups(), None, None, None)
    year, month, day, hour, minute, second, fraction, offset, place = groups[:9]
    where = _zone(offset, place)
    return _moment((year, month, day, hour, minute, second, fraction), where or zone, known=where is not None)


def _zone(offset: str | None, place: str | None) -> tzinfo | None:
    if place:
        try:
            return ZoneInfo(place)
        except (ValueError, OSError, KeyError):
            return None
    if not offset:
        return None
    if offset in "Zz" or offset == "UTC":
        return UTC
    digits = offset[1:].replace(":", "").ljust(4, "0")
    try:
        return datetime.strptime(f"{offset[0]}{digits}", "%z").tzinfo
    except ValueError:
        return None


def _moment(parts: tuple[str | None, ...], zone: tzinfo, *, known: bool) -> tuple[datetime, bool] | None:
    """A real moment, or None: `2024-02-30`, year 0, times before the calendar begins."""
    numbers = [int(part or 0) for part in parts[:6]]
    fraction = int((parts[6] or "0").ljust(6, "0")) if len(parts) > 6 else 0
    try:
        local = datetime(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], fraction, tzinfo=zone)
        return local.astimezone(UTC), known
    except (ValueError, OverflowError):
        return None


def _epoch(number: float) -> tuple[datetime, bool] | None:
    """Seconds or milliseconds since 1970, between 1990 and 2100; other numbers are years, counts, anything."""
    seconds = number / 1000 if number > 1e11 else number
    return (datetime.fromtimestamp(seconds, UTC), True) if 631_152_000 <= seconds < 4_102_444_800 else None


def _from_words(match: re.Match[str], zone: ZoneInfo) -> tuple[datetime, bool] | None:
    """`March 5, 2024 10:12 AM` and `5 March 2024`, as exports of other note programs write them."""
    month = _MONTHS.get((match["month"] or match["month2"])[:3].casefold())
    if month is None:
        return None
    hour = int(match["hour"] or 0)
    if match["half"]:
        hour = hour % 12 + (12 if match["half"] in "Pp" else 0)
    day = match["day"] or match["day2"]
    return _moment((match["year"], str(month), day, str(hour), match["minute"], None), zone, known=False)
