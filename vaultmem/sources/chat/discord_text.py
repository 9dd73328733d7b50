"""Discord's text -> Markdown: references resolved to names, fences on lines of their own, embeds, stickers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from vaultmem.sources.chat.conversation_tree import Record, sub, text
from vaultmem.sources.chat.json_parts import joined, of_epoch, one_line, quoted, records, split_code
from vaultmem.sources.chat.slack_text import link

#: <@1> <@!1> user, <@&1> role, <#1> channel, <:name:1> emoji, <t:1:R> time, </name:1> command
_REFERENCE = re.compile(
    r"<(?:@!?(?P<user>\d+)|@&(?P<role>\d+)|#(?P<channel>\d+)|a?:(?P<emoji>\w+):\d+|t:(?P<time>-?\d{1,15})(?::\w)?"
    r"|/(?P<command>[^<>\n:]{1,100}):\d+)>"
)
_LANGUAGE = re.compile(r"([\w+#.-]{1,30})\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Ids met so far -> names; grows while an export is read."""

    users: dict[str, str] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    channels: dict[str, str] = field(default_factory=dict)


def markdown(said: str, names: Names) -> str:
    """Canonical Markdown of a message's text; code keeps its characters."""
    parts: list[str] = []
    fenced = False
    for code, piece in split_code(said):
        fence = code and piece.startswith("```")
        shown = _fence(piece) if fence else piece if code else _resolved(piece, names)
        if (fence and parts and not parts[-1].endswith("\n")) or (fenced and not shown.startswith("\n")):
            parts.append("\n")
        parts.append(shown.lstrip(" ") if fenced else shown)
        fenced = fence
    return "".join(parts).strip("\n")


def _fence(piece: str) -> str:
    """A code block whose marks stand on lines of their own."""
    inner = piece[3:-3]
    language = _LANGUAGE.match(inner)
    body = inner[language.end() :] if language else inner
    return f"```{language[1] if language else ''}\n{body.strip(chr(10))}\n```"


def _resolved(piece: str, names: Names) -> str:
    def named(match: re.Match[str]) -> str:
        if match["user"]:
            return f"@{names.users.get(match['user'], match['user'])}"
        if match["role"]:
            return f"@{names.roles.get(match['role'], match['role'])}"
        if match["channel"]:
            return f"#{names.channels.get(match['channel'], match['channel'])}"
        if match["time"]:
            at = of_epoch(float(match["time"]))
            return f"{at:%Y-%m-%d %H:%M} UTC" if at else match.group()
        return f":{match['emoji']}:" if match["emoji"] else f"/{match['command']}"

    return _REFERENCE.sub(named, piece) if "<" in piece else piece


def extras(message: Record, names: Names) -> Iterator[str]:
    """What a message carries beside its text and files: embeds, stickers, buttons."""
    said = text(message, "content")
    for embed in records(message.get("embeds")):
        yield _embed(embed, said, names)
    for sticker in records(message.get("stickers")):
        name = one_line(text(sticker, "name"))
        yield f"(sticker: {name})" if name else ""
    yield _buttons(message.get("components"))


def _embed(embed: Record, said: str, names: Names) -> str:
    """A card as a quotation: who, title, text, fields, footer."""
    title, url = one_line(text(embed, "title")), one_line(text(embed, "url"))
    pictures = [sub(embed, key) for key in ("image", "thumbnail", "video")] + records(embed.get("images"))
    address = url or next((u for p in pictures if (u := text(p, "canonicalUrl") or text(p, "url"))), "")
    parts = [one_line(text(sub(embed, "author"), "name"))]
    if title:
        parts.append(link(title, url) if url else f"**{title}**")
    parts.append(markdown(text(embed, "description"), names))
    parts += [_field(item, names) for item in records(embed.get("fields"))]
    parts.append(one_line(text(sub(embed, "footer"), "text")))
    shown = "\n".join(part for part in parts if part.strip())
    if not shown and address and address not in said:
        shown = address
    return quoted(shown) if shown else ""


def _field(item: Record, names: Names) -> str:
    name, value = markdown(text(item, "name"), names), markdown(text(item, "value"), names)
    if "\n" in value:
        return f"{name}:\n{value}"
    return f"{name}: {value}" if name.strip() and value.strip() else name or value


def _buttons(components: object, depth: int = 0) -> str:
    """Labels of the buttons under a bot's message, with the addresses they lead to; texts of newer layouts."""
    found: list[str] = []
    for item in records(components):
        label, url = one_line(text(item, "label")), one_line(text(item, "url"))
        if label and url:
            found.append(link(label, url))
        content = text(item, "content")
        if content.strip():
            found.append(content)
        if depth < 5:
            found.append(_buttons(item.get("components"), depth + 1))
    return joined(found)


def poll(message: Record) -> str:
    """A poll's question and answers."""
    found = sub(message, "poll")
    question = one_line(text(sub(found, "question"), "text") or text(found, "question"))
    answers = [
        one_line(text(sub(a, "poll_media"), "text") or text(sub(a, "pollMedia"), "text") or text(a, "text"))
        for a in records(found.get("answers"))
    ]
    return "\n".join([f"Poll: {question}", *(f"- {a}" for a in answers if a)]) if question else ""


def learn(names: Names, people: Mapping[str, str], roles: Mapping[str, str]) -> None:
    """Add names met in a message; those known stay."""
    for known, new in ((names.users, people), (names.roles, roles)):
        for key, name in new.items():
            if key and name:
                known.setdefault(key, name)
