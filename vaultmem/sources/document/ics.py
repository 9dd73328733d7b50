"""A calendar (.ics) as one document: a section for each event, in the order of time; tasks and journals after them.

Repetitions are described, not unfolded: how often a meeting took place is nothing the file knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from vaultmem.config import Settings
from vaultmem.errors import UnreadableSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.document.ics_words import repeats_in_words, when_in_words
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

if TYPE_CHECKING:
    from icalendar import Component

_FLAGS = re.MULTILINE | re.IGNORECASE
#: One thing in a calendar that is read on its own where the whole cannot be.
_BLOCK = re.compile(r"^BEGIN:(VEVENT|VTODO|VJOURNAL)[ \t]*\n(?:(?!END:\1).*\n)*?END:\1[ \t]*$", _FLAGS)
_ZONES = re.compile(r"^BEGIN:VTIMEZONE[ \t]*\n(?:(?!END:VTIMEZONE).*\n)*?END:VTIMEZONE[ \t]*$", _FLAGS)
#: A zone whose clock changes each second would be computed for hours.
_BUSY_RULE = re.compile(r"^RRULE[^\n]*FREQ=(?!YEARLY|MONTHLY)[^\n]*\n", re.MULTILINE | re.IGNORECASE)
_FOLD = re.compile(r"\n+[ \t]")
#: Zones, alarms and what has no words are no content.
_UNREAD = ("VTIMEZONE", "VALARM", "STANDARD", "DAYLIGHT", "AVAILABLE")
#: What a status means, where it says more than that all is as usual.
_STATUS = {"CONFIRMED": "", "NEEDS-ACTION": "", "FINAL": "", "COMPLETED": "", "IN-PROCESS": "begun"}
_ANSWERS = {"ACCEPTED": "accepted", "DECLINED": "declined", "TENTATIVE": "maybe"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """One event, task or journal."""

    #: VEVENT | VTODO | VJOURNAL | what else has words
    name: str
    part: Component
    #: which calendar of the file it stands in, from 0
    calendar: int
    uid: str
    title: str
    start: date | None
    #: the last moment, or the last day itself of an all-day event
    end: date | None


def read_ics(raw: RawFile, settings: Settings) -> Reading:
    """The file's calendars as one document. Raises UnreadableSource when nothing in it can be read."""
    text = _FOLD.sub("", decode(raw.data[:]).strip() + "\n")
    text = _ZONES.sub(lambda match: _BUSY_RULE.sub("", match.group()), text)
    calendars, warnings = _parsed(text)
    found = [item for n, calendar in enumerate(calendars) for item in _items(calendar, n)]
    if not found:
        raise UnreadableSource("a calendar without any event, task or journal that can be read: export it again")
    moment_of = _clock(settings.zone)
    found.sort(key=lambda item: (item.name != "VEVENT", item.start is None, moment_of(item.start)))
    events = [item for item in found if item.name == "VEVENT"]
    title = _title(events or found, calendars, raw.name)
    own = {item.uid for item in found}
    floating = any(isinstance(item.start, datetime) and item.start.tzinfo is None for item in events)
    dated = [item for item in (events or found) if item.start is not None]
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=_body(title, found, single=len(found) == 1),
        provider="document",
        created_at=moment_of(dated[0].start) if dated else raw.modified_at.astimezone(UTC),
        time_from="metadata" if dated else "file",
        own_id=f"ics:{own.pop()}" if len(own) == 1 and found[0].part.get("UID") else "",
        facts=_facts(events, moment_of),
    )
    items: list[SourceItem] = [document, *(Warn(text=text) for text in warnings)]
    tz = f"none in file, assumed {settings.timezone}" if floating else "UTC"
    return Reading(format="ics", kind="document", tz=tz, zone_known=not floating, items=iter(items))


def events_in_words(text: str) -> str:
    """What the calendar part of a mail says: `Name: value` lines for each event or task, a blank line between two."""
    text = _FOLD.sub("", text.replace("\r\n", "\n").strip() + "\n")
    text = _ZONES.sub(lambda match: _BUSY_RULE.sub("", match.group()), text)
    calendars, _ = _parsed(text)
    parts: list[str] = []
    for item in (item for number, calendar in enumerate(calendars) for item in _items(calendar, number)):
        facts = [("Task" if item.name == "VTODO" else "Event", item.title), *_lines(item)]
        parts.append("\n".join(f"{label}: {said}" for label, said in facts if said))
        description = _text(item.part, "DESCRIPTION")
        parts += [description] if description and description != item.title else []
    return "\n\n".join(parts)


def _parsed(text: str) -> tuple[Sequence[Component], tuple[str, ...]]:
    """The file's calendars; where the whole is broken, each event that can be read on its own."""
    from icalendar import Component
    from icalendar.timezone import tzp

    tzp.use_default()  # forgets the zones that another file made up
    try:
        whole = _components(Component, text)
    except Exception:  # noqa: BLE001 - a library of hundreds of types fails in as many ways
        whole = []
    if whole:  # the library passes over a calendar that is never closed
        return whole, ()
    parts: list[Component] = []
    lost = 0
    for block in [*_ZONES.finditer(text), *_BLOCK.finditer(text)]:
        try:
            parts += _components(Component, block.group() + "\n")
        except Exception:  # noqa: BLE001 - as above
            lost += 1
    told = f"; {lost} of its parts could not be read" if lost else ""
    return parts, (f"the calendar is broken: its events were read one by one{told}",)


def _components(reader: type[Component], text: str) -> list[Component]:
    return reader.from_ical(text, multiple=True)


def _items(calendar: Component, number: int) -> Iterator[_Item]:
    stack = [calendar]
    while stack:
        part = stack.pop()
        name = str(part.name or "").upper()
        if name in _UNREAD:
            continue
        if name != "VCALENDAR" and (_text(part, "SUMMARY") or _text(part, "DESCRIPTION") or name == "VEVENT"):
            yield _item(part, name, number)
        stack += reversed(part.subcomponents)


def _item(part: Component, name: str, calendar: int) -> _Item:
    start, end = _time(part, "DTSTART"), _time(part, "DTEND") or _time(part, "DUE")
    if name == "VTODO":
        start = start or end
    if end is None and start is not None:
        end = _after(start, part)
    elif end is not None and not isinstance(end, datetime) and start is not None and end > _day(start):
        end -= timedelta(days=1)  # the file names the day after
    title = " ".join(_text(part, "SUMMARY").split()) or _first_line(_text(part, "DESCRIPTION")) or "untitled"
    uid = _text(part, "UID") or f"{title}\n{start}"
    return _Item(name=name, part=part, calendar=calendar, uid=uid, title=title, start=start, end=end)


def _after(start: date, part: Component) -> date:
    """The end of what names its duration; else its start."""
    length = _value(part, "DURATION")
    if not isinstance(length, timedelta):
        return start
    try:
        end = start + length
    except OverflowError:
        return start
    return end if isinstance(start, datetime) or length < timedelta(days=1) else end - timedelta(days=1)


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _value(part: Component, name: str) -> object:
    """A property's value as Python has it; None where it is absent or broken."""
    value = part.get(name)
    value = value[0] if isinstance(value, list) and value else value
    try:
        return getattr(value, "dt", None)
    except ValueError:
        return None


def _time(part: Component, name: str) -> date | None:
    value = _value(part, name)
    return value if isinstance(value, date) else None


def _text(part: Component, name: str) -> str:
    """A property's text, lines as they are; several of the same name one below the other."""
    value = part.get(name)
    values = value if isinstance(value, list) else [value]
    return "\n".join(_words(one) for one in values if one is not None).replace("\r\n", "\n").replace("\r", "\n").strip()


def _words(value: object) -> str:
    try:
        return str(value)
    except (ValueError, TypeError, AttributeError):
        return ""


def _first_line(text: str) -> str:
    return next((line.strip()[:80] for line in text.split("\n") if line.strip()), "")


def _clock(zone: ZoneInfo) -> Callable[[date | None], datetime]:
    """date or time -> aware UTC: what has no zone is the owner's; what has no time, or lies beyond the years, too."""

    def moment_of(moment: date | None) -> datetime:
        if moment is None:
            return datetime.max.replace(tzinfo=UTC)
        full = moment if isinstance(moment, datetime) else datetime.combine(moment, time())
        try:
            return (full if full.tzinfo else full.replace(tzinfo=zone)).astimezone(UTC)
        except (OverflowError, ValueError):
            return full.replace(tzinfo=UTC)

    return moment_of


def _title(found: Sequence[_Item], calendars: Sequence[Component], name: str) -> str:
    """The only event's own, else the calendar's, else the file's."""
    if len({item.uid for item in found}) == 1:
        return found[0].title
    named = (" ".join(_text(calendar, key).split()) for calendar in calendars for key in ("X-WR-CALNAME", "NAME"))
    return next((text for text in named if text), "") or title_from_name(name)


def _facts(events: Sequence[_Item], moment_of: Callable[[date | None], datetime]) -> dict[str, object]:
    """events, first, last, authors. `first` is of the file's first calendar: later ones are often older copies."""
    facts: dict[str, object] = {"events": len({event.uid for event in events})}
    dated = [event for event in events if event.start is not None]
    if dated:
        number = min(event.calendar for event in dated)
        first = next(event for event in dated if event.calendar == number).start
        last = max((event.end or event.start for event in dated), key=moment_of)
        facts |= {"first": _written(first), "last": _written(last)}
    people = dict.fromkeys(name for event in events for name, _ in _people(event.part))
    return facts | ({"authors": list(people)} if people else {})


def _written(moment: date | None) -> str:
    """As a report has it: a date for a whole day, Z for a known zone, the bare digits for none."""
    if not isinstance(moment, datetime):
        return moment.isoformat() if moment else ""
    if moment.tzinfo is None:
        return moment.isoformat()
    try:
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:
        return moment.replace(tzinfo=None).isoformat()


def _people(part: Component) -> Iterator[tuple[str, str]]:
    """(name, what they answered) of the organizer and everybody asked, each once."""
    seen: set[str] = set()
    for key in ("ORGANIZER", "ATTENDEE"):
        value = part.get(key)
        for one in value if isinstance(value, list) else [value]:
            if one is None:
                continue
            address = re.sub(r"^mailto:", "", _words(one).strip(), flags=re.IGNORECASE)
            params = getattr(one, "params", {})
            name = " ".join(str(params.get("CN", "")).split()).strip("'\"") or address
            if not name or name.casefold() in seen:
                continue
            seen.add(name.casefold())
            yield name, _ANSWERS.get(str(params.get("PARTSTAT", "")).upper(), "organizer" if key == "ORGANIZER" else "")


def _body(title: str, found: Iterable[_Item], *, single: bool) -> str:
    """The title, then a section per item; the only one needs no heading of its own."""
    parts = [f"# {as_markdown(title)}"]
    for item in found:
        if not (single and item.title == title):
            parts.append(f"## {as_markdown(item.title)}")
        parts += _section(item)
    return "\n\n".join(parts) + "\n"


def _section(item: _Item) -> Iterator[str]:
    """The facts as a list, then the description."""
    facts = "\n".join(f"- {label}: {as_markdown(text)}" for label, text in _lines(item) if text)
    if item.name == "VTODO":
        done = _text(item.part, "STATUS").upper() == "COMPLETED" or item.part.get("COMPLETED") is not None
        facts = f"- [{'x' if done else ' '}] {as_markdown(item.title)}" + (f"\n{facts}" if facts else "")
    if facts:
        yield facts
    text = _text(item.part, "DESCRIPTION")
    if text and text != item.title:
        yield as_markdown(re.sub(r"\n{3,}", "\n\n", text))


def _lines(item: _Item) -> Iterator[tuple[str, str]]:
    part = item.part
    if item.start is not None:
        yield ("Due" if item.name == "VTODO" else "When"), when_in_words(item.start, item.end)
    replaced = _time(part, "RECURRENCE-ID")
    if replaced is not None:
        yield "Instead of", when_in_words(replaced, replaced)
    yield "Repeats", repeats_in_words(_raw(part, "RRULE"), tuple(_dates(part, "EXDATE")), tuple(_dates(part, "RDATE")))
    status = _text(part, "STATUS").upper()
    yield "Status", _STATUS.get(status, status.lower())
    yield "Where", " ".join(_text(part, "LOCATION").split())
    yield "Who", "; ".join(f"{name} ({answer})" if answer else name for name, answer in _people(part))
    yield "Categories", ", ".join(_categories(part))
    yield "Link", " ".join(_text(part, "URL").split())
    yield "Comment", " ".join(_text(part, "COMMENT").split())


def _raw(part: Component, name: str) -> str:
    """The property as the file writes it: `FREQ=WEEKLY;COUNT=4`."""
    value = part.get(name)
    value = value[0] if isinstance(value, list) and value else value
    if value is None:
        return ""
    try:
        written = value.to_ical()
    except Exception:  # noqa: BLE001 - a broken property says so in many ways
        return _words(value)
    text = written.decode("utf-8", "replace") if isinstance(written, bytes) else str(written)
    return text.replace("\\;", ";").replace("\\,", ",")


def _dates(part: Component, name: str) -> Iterator[date]:
    value = part.get(name)
    for group in value if isinstance(value, list) else [value]:
        for one in getattr(group, "dts", None) or ():
            if isinstance(getattr(one, "dt", None), date):
                yield one.dt


def _categories(part: Component) -> Iterator[str]:
    value = part.get("CATEGORIES")
    for group in value if isinstance(value, list) else [value]:
        yield from (str(one) for one in getattr(group, "cats", None) or ())
