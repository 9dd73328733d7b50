"""What a Teams message says -> Markdown: HTML with Teams' own elements, quoted messages, cards, events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from vaultmem.errors import UnreadableSource
from vaultmem.sources.chat.conversation_tree import Record
from vaultmem.sources.chat.json_parts import attached, joined, one_line, quoted, records
from vaultmem.sources.document.html_code import gather_code
from vaultmem.sources.document.html_render import ESCAPE, to_markdown
from vaultmem.sources.document.html_tree import Element, parse
from vaultmem.sources.document.plain import as_markdown

_QUOTED = "messageReference"
#: Keys of a card whose text is shown, and the most values that are looked at.
_SHOWN = ("title", "subtitle", "text", "summary", "value")
_MAX_PARTS = 2000
#: What most messages are: paragraphs of words in which nothing acts. The converter costs each of them a millisecond.
_WORDS = r"<p>([^\W\d_](?:[^\W_]|&nbsp;|[ ,.?!'\"/:;()-])*)</p>"
_PARAGRAPH = re.compile(_WORDS)
_PARAGRAPHS = re.compile(rf"\s*(?:{_WORDS}\s*)+")
_EVENT = re.compile(r"(?:#?microsoft\.graph\.)?(?P<name>\w+?)(?:EventMessageDetail)?")


def field(record: Record, key: str) -> object:
    """The value under a key, in the API's spelling or in PowerShell's, which writes it with a capital."""
    return record.get(key, record.get(key[:1].upper() + key[1:]))


def part(record: Record, key: str) -> Record:
    """The object under a key, or an empty one."""
    value = field(record, key)
    return value if isinstance(value, dict) else {}


def string(record: Record, key: str) -> str:
    """The text under a key, or ""."""
    value = field(record, key)
    return value if isinstance(value, str) else ""


def file_names(message: Record) -> Iterator[str]:
    """Names of attached files: neither quoted messages nor cards are any."""
    for item in records(field(message, "attachments")):
        kind, name = string(item, "contentType"), one_line(string(item, "name"))
        if name and kind != _QUOTED and ".card" not in kind:
            yield name


def quoted_ids(message: Record) -> Iterator[str]:
    """Ids of the messages this one quotes."""
    for item in records(field(message, "attachments")):
        if string(item, "contentType") == _QUOTED and string(item, "id"):
            yield one_line(string(item, "id"))


def body(message: Record, files: tuple[str, ...]) -> str:
    """Subject, quotations, words, cards, files."""
    found = part(message, "body")
    content = string(found, "content")
    plain = string(found, "contentType").lower() == "text"
    subject = one_line(string(message, "subject"))
    attachments = records(field(message, "attachments"))
    return joined([
        f"**{subject}**" if subject else "",
        *(_quotation(item) for item in attachments if string(item, "contentType") == _QUOTED),
        content if plain else html_markdown(content),
        *(_card(item) for item in attachments if ".card" in string(item, "contentType")),
        attached(files),
    ])  # fmt: skip


def html_markdown(source: str) -> str:
    """Canonical Markdown of a message's HTML, its mentions, emoji and code as people see them."""
    if "<" not in source and "&" not in source:
        return source
    source = source.replace(ESCAPE, "")
    if _PARAGRAPHS.fullmatch(source):
        return "\n\n".join(" ".join(words.replace("&nbsp;", " ").split()) for words in _PARAGRAPH.findall(source))
    return converted(source)


def converted(source: str) -> str:
    """The Markdown of any HTML, by the converter; the bare words of what it refuses."""
    root = parse(source).root
    _translate(root)
    gather_code(root)
    try:
        return to_markdown(root, "")
    except UnreadableSource:
        return as_markdown(root.words())


def _translate(root: Element) -> None:
    """Teams' own elements become text or what HTML knows, in place."""
    stack = [root]
    while stack:
        parent = stack.pop()
        parent.children = [_known(child) if isinstance(child, Element) else child for child in parent.children]
        stack += [child for child in parent.children if isinstance(child, Element)]


def _known(element: Element) -> Element | str:
    if element.name == "at":
        return f"@{element.words().lstrip('@')}"
    if element.name == "emoji":
        return element.get("alt") or element.get("title") or element.words()
    if element.name in ("attachment", "systemeventmessage"):
        return ""
    if element.name == "img" and ("/hostedContents/" in element.get("src") or "Emoji" in element.get("itemtype")):
        emoji = "Emoji" in element.get("itemtype") or element.get("itemid").lower() == "emoji"
        return element.get("alt") if emoji else f" (image: {one_line(element.get('alt')) or 'pasted'}) "
    if element.name == "codeblock":
        return _listing(element)
    return element


def _listing(element: Element) -> Element:
    for inner in [element, *element.elements()]:
        inner.children = ["\n" if isinstance(c, Element) and c.name == "br" else c for c in inner.children]
    language = re.sub(r"[^\w+#-]", "", element.get("class").lower())
    code = Element(name="code", attributes={"class": f"language-{language}"} if language else {})
    code.children = [element.text().strip("\n")]
    return Element(name="pre", children=[code])


def _content(item: Record) -> object:
    """The content of an attachment, which is JSON in a string."""
    value = field(item, "content")
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _quotation(item: Record) -> str:
    """The quoted message as far as Teams repeats it."""
    content = _content(item)
    if not isinstance(content, dict):
        return ""
    preview = html_markdown(string(content, "messagePreview")).strip()
    sender = part(content, "messageSender")
    name = one_line(string(part(sender, "user"), "displayName"))
    return quoted(f"{name}: {preview}" if name else preview) if preview else ""


def _card(item: Record) -> str:
    """The words of a card in their order; one above another as the card has them."""
    found: list[str] = []
    stack: list[object] = [_content(item)]
    for _ in range(_MAX_PARTS):
        if not stack:
            break
        value = stack.pop()
        if isinstance(value, list):
            stack += reversed(value)
        elif isinstance(value, Mapping):
            found += [text for key in _SHOWN if (text := html_markdown(string(value, key)).strip())]
            stack += [inner for inner in reversed(list(value.values())) if isinstance(inner, list | dict)]
    return quoted("\n".join(dict.fromkeys(found))) if found else ""


def event(message: Record) -> str:
    """What the platform says: `Ann: members added (Bo, Cleo)`."""
    detail = part(message, "eventDetail")
    kind = detail.get("@odata.type") or detail.get("odataType") or detail.get("OdataType")
    match = _EVENT.fullmatch(kind) if isinstance(kind, str) else None
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", match["name"]).lower() if match else ""
    if not name and not detail:
        content = string(part(message, "body"), "content")
        return html_markdown(content).strip() or "system event"
    who = one_line(string(part(part(detail, "initiator"), "user"), "displayName"))
    people = [one_line(string(person, "displayName")) for person in records(field(detail, "members"))]
    named = [one_line(string(detail, key)) for key in ("chatDisplayName", "channelDisplayName", "teamDisplayName")]
    about = ", ".join(text for text in [*people, *named, one_line(string(detail, "callDuration"))] if text)
    said = f"{name or 'system event'} ({about})" if about else name or "system event"
    return f"{who}: {said}" if who else said
