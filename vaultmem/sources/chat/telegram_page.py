"""Telegram's export as pages, `messages.html`, `messages2.html`, …: the form its program offers first.

Each message becomes a record like those of `result.json`, so that both are read alike. Only times of messages stand in
the pages: an event has that of the message above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.sources.chat.conversation_tree import Record
from vaultmem.sources.chat.json_parts import joined, one_line
from vaultmem.sources.document.html_render import ESCAPE, to_markdown
from vaultmem.sources.document.html_tree import Element, parse

_MESSAGE = re.compile(r'<div class="message (?:default|service)')
_MOMENT = re.compile(r"(\d\d)\.(\d\d)\.(\d{4}) (\d\d:\d\d:\d\d)(?: UTC([+-]\d\d:\d\d))?")
_ANSWERED = re.compile(r"#go_to_message(\d+)")
_HEAD = 20_000


def is_page(found: str) -> bool:
    """True for text that begins like a page of an exported chat."""
    head = found[:_HEAD]
    return 'class="page_body chat_page"' in head and _MESSAGE.search(head) is not None


def names_zones(found: str) -> bool:
    """True when the page's times say how far from UTC they are, as those of exports since 2022 do."""
    moment = _MOMENT.search(found)
    return bool(moment and moment[5])


def entries_of_page(found: str) -> Iterator[tuple[Record, object]]:
    """What the page says of its chat, with each message and event in it."""
    root = parse(found.replace(ESCAPE, "")).root
    head: Record = {"name": next((e.words() for e in root.elements() if {"text", "bold"} <= e.classes()), "")}
    author = date = ""
    waiting: list[dict[str, object]] = []
    for element in root.elements():
        record = _record(element) if "message" in element.classes() else None
        if record is None:
            continue
        author = str(record.get("from", author))
        date = str(record.get("date", date))
        # What one person writes in a row has the name on top alone; an event names who did it in its words.
        record = {**({} if record["type"] != "message" else {"from": author}), **record, "date": date}
        if not date:
            waiting.append(record)
            continue
        yield from ((head, {**event, "date": date}) for event in waiting)
        waiting.clear()
        yield head, record
    yield from ((head, event) for event in waiting)


def _record(element: Element) -> dict[str, object] | None:
    """A message, or an event; None for the line that names a day."""
    number = element.get("id").removeprefix("message")
    body = _child(element, "body")
    if body is None or number.startswith("-"):
        return None
    if "service" in element.classes():
        return {"type": body.words() or "event", "id": number}
    record: dict[str, object] = {"type": "message", "id": number}
    said: list[str] = []
    for child in _elements(body):
        if {"forwarded", "body"} <= child.classes():
            record["forwarded_from"] = ""
            for inner in _elements(child):
                _take(inner, record, said, named="forwarded_from")
        else:
            _take(child, record, said, named="from")
    return {**record, "text": joined(said)}


def _take(child: Element, record: dict[str, object], said: list[str], *, named: str) -> None:
    """What one part of a message's body adds to it."""
    classes = child.classes()
    if {"date", "details"} <= classes:
        record.setdefault("date", _iso(child.get("title")))
    elif "from_name" in classes:
        record[named] = one_line("".join(part for part in child.children if isinstance(part, str)))
    elif "reply_to" in classes:
        links = (_ANSWERED.search(link.get("href")) for link in child.elements())
        record["reply_to_message_id"] = next((link[1] for link in links if link), "")
    elif "text" in classes:
        said.append(to_markdown(child, "").strip())
    elif "media_wrap" in classes:
        said += [line for part in _elements(child) if (line := _medium(part, record))]


def _medium(part: Element, record: dict[str, object]) -> str:
    """The line that stands for what is carried; "" for a file, which the record names then."""
    classes, href = part.classes(), part.get("href")
    if "media_poll" in classes:
        lines = [(e.words(), e.classes()) for e in part.elements()]
        question = next((words for words, kinds in lines if "question" in kinds), "")
        return "\n".join([f"Poll: {question}", *(words for words, kinds in lines if "answer" in kinds)])
    if "sticker_wrap" in classes:
        return "(sticker)"
    if href and "://" not in href and not href.startswith(("#", "tg:")):
        record["file"] = href
        return ""
    shown = [e.words() for kind in ("title", "description", "status") for e in part.elements() if kind in e.classes()]
    told = ", ".join(words for words in shown if words and not words.startswith("Not included"))
    return f"({told})" if told else ""


def _iso(title: str) -> str:
    """`01.03.2026 10:00:00 UTC+01:00` -> `2026-03-01T10:00:00+01:00`; "" for anything else."""
    found = _MOMENT.fullmatch(title.strip())
    return f"{found[3]}-{found[2]}-{found[1]}T{found[4]}{found[5] or ''}" if found else ""


def _elements(parent: Element) -> Iterator[Element]:
    return (child for child in parent.children if isinstance(child, Element))


def _child(parent: Element, named: str) -> Element | None:
    return next((child for child in _elements(parent) if named in child.classes()), None)
