"""Telegram's entities, media and events -> Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.sources.chat.conversation_tree import Record, number, sub, text
from vaultmem.sources.chat.json_parts import attached, joined, one_line, quoted, records
from vaultmem.sources.chat.slack_text import link

_EMPHASIS = {"bold": "**", "italic": "*", "strikethrough": "~~"}
#: What stands in the place of a file that was not exported: a whole sentence in parentheses.
_MISSING = re.compile(r"\([A-Z][^()\n]{5,}\)")
_MEDIA = {
    "voice_message": "voice message",
    "video_message": "video message",
    "video_file": "video",
    "audio_file": "audio",
    "animation": "animation",
    "sticker": "sticker",
}
#: Fields of an event that say more than its name, in the order in which they are told.
_DETAILS = (
    "title", "new_title", "members", "inviter", "duration_seconds", "discard_reason", "emoticon", "period",
    "amount", "currency", "game_message_id", "score", "text",
)  # fmt: skip


def markdown(said: object) -> str:
    """Canonical Markdown of a text: one string, or a list of strings and entities."""
    if isinstance(said, str):
        return said.strip("\n")
    if not isinstance(said, list):
        return ""
    out: list[str] = []
    for part in said:
        shown, block = _entity(part) if isinstance(part, dict) else (part if isinstance(part, str) else "", "")
        if block and out and not out[-1].endswith("\n"):
            out.append("\n")
        after_block = bool(out) and out[-1].endswith("\n\n")
        out += [(shown.lstrip("\n") if after_block else shown) + block] if shown else []
    return "".join(out).strip("\n")


def _entity(part: Record) -> tuple[str, str]:
    """The Markdown of one entity, and the line ends below one that stands on lines of its own.

    Without a blank line below it, a quotation would take what follows in.
    """
    kind, said = text(part, "type"), text(part, "text")
    if kind == "pre" or (kind == "code" and "\n" in said):
        fence = "`" * (3 if "```" not in said else 8)
        language = re.sub(r"[^\w+#.-]", "", text(part, "language"))[:30]
        return f"{fence}{language}\n{said.strip(chr(10))}\n{fence}", "\n"
    if kind == "code":
        return (f"`{said}`" if said.strip() and "`" not in said else said), ""
    if kind == "blockquote":
        return quoted(said.strip("\n")), "\n\n"
    if kind == "text_link" and text(part, "href") and said.strip():
        return link(said, text(part, "href")), ""
    if kind in _EMPHASIS:
        return "\n".join(_emphasised(line, _EMPHASIS[kind]) for line in said.split("\n")), ""
    return said, ""


def _emphasised(line: str, mark: str) -> str:
    """Marks must touch a letter: blanks at the ends stay outside."""
    core = line.strip()
    if not core:
        return line
    start = line.index(core)
    return f"{line[:start]}{mark}{core}{mark}{line[start + len(core) :]}"


def file_names(message: Record) -> Iterator[str]:
    """Names of the files a message carries; one that was not exported counts where its name is known."""
    if text(message, "media_type") == "sticker":
        return
    place = text(message, "photo")
    if place and not _MISSING.fullmatch(place.strip()):
        yield one_line(place)
    place = text(message, "file")
    name = one_line(text(message, "file_name")) or ("" if _MISSING.fullmatch(place.strip()) else one_line(place))
    if name:
        yield name


def body(message: Record, files: tuple[str, ...]) -> str:
    """The words, then what is carried: files, places, contacts, polls; forwarded words as a quotation."""
    said = markdown(message.get("text")) or markdown(message.get("text_entities"))
    found = joined([said, *_carried(message), attached(files)])
    if "forwarded_from" not in message:
        return found
    source = one_line(text(message, "forwarded_from")) or "Deleted Account"
    return f"(forwarded from {source})\n" + quoted(found)


def _carried(message: Record) -> Iterator[str]:
    kind = text(message, "media_type")
    if kind or "photo" in message:
        yield _medium(message, kind)
    poll = sub(message, "poll")
    if poll:
        answers = [one_line(_words(answer.get("text"))) for answer in records(poll.get("answers"))]
        yield "\n".join([f"Poll: {_words(poll.get('question'))}", *(f"- {a}" for a in answers if a)])
    tasks = sub(message, "todo_list")
    if tasks:
        items = [one_line(_words(item.get("text"))) for item in records(tasks.get("answers") or tasks.get("items"))]
        yield "\n".join([_words(tasks.get("title")), *(f"- {item}" for item in items if item)])
    place = sub(message, "location_information")
    if place:
        named = ", ".join(filter(None, (text(message, "place_name"), text(message, "address"))))
        yield f"(location: {one_line(named)} {number(place, 'latitude')}, {number(place, 'longitude')})".replace(
            ":  ", ": "
        )
    contact = sub(message, "contact_information")
    if contact:
        names = (text(contact, key) for key in ("first_name", "last_name", "phone_number"))
        yield f"(contact: {one_line(' '.join(names))})"
    invoice = sub(message, "invoice_information")
    if invoice:
        sold = (one_line(text(invoice, key)) for key in ("title", "description"))
        yield f"(invoice: {' – '.join(filter(None, sold))})"
    game = text(message, "game_title")
    yield f"(game: {one_line(game)})" if game else ""


def _medium(message: Record, kind: str) -> str:
    """What a medium without a file of its own name is: `(voice message, 12 s)`; "" where the file says it."""
    if kind == "sticker":
        emoji = one_line(text(message, "sticker_emoji"))
        return f"(sticker: {emoji})" if emoji else "(sticker)"
    if any(True for _ in file_names(message)) and kind != "audio_file":
        return ""
    seconds = number(message, "duration_seconds")
    song = " – ".join(filter(None, (one_line(text(message, key)) for key in ("performer", "title"))))
    parts = [_MEDIA.get(kind, kind.replace("_", " ") or "photo"), song, f"{seconds:g} s" if seconds else ""]
    return f"({', '.join(filter(None, parts))})"


def _words(value: object) -> str:
    return one_line(markdown(value))


def event(message: Record) -> str:
    """What the platform says: who did what, with what it was about."""
    actor = one_line(text(message, "actor") or text(message, "from"))
    action = text(message, "action").replace("_", " ") or text(message, "type") or "event"
    details = [detail for key in _DETAILS if (detail := _detail(key, message.get(key)))]
    said = f"{action} ({', '.join(details)})" if details else action
    return f"{actor}: {said}" if actor else said


def _detail(key: str, value: object) -> str:
    if key == "duration_seconds" and isinstance(value, int) and not isinstance(value, bool):
        return f"{value} s"
    if key == "members" and isinstance(value, list):
        return ", ".join(one_line(name) if isinstance(name, str) else "Deleted Account" for name in value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1e15:
        return str(value)
    return _words(value)
