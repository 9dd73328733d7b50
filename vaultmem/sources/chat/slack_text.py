"""Slack's text -> Markdown: mrkdwn with its <...> references, blocks of apps and of the rich editor, attachments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.sources.chat.slack_export import People, Record, records, sub, text

_CODE = re.compile(r"(```.+?```|`[^`\n]+`)", re.DOTALL)
#: A reference first, so that a star in a URL is never taken for emphasis.
_INLINE = re.compile(
    r"<(?P<ref>[^<>\n]+)>"
    r"|(?<![\w*\\])\*(?P<bold>(?![\s*])(?:<[^<>\n]*>|[^*\n<])*?(?<![\s*]))\*(?![\w*])"
    r"|(?<![\w~\\])~(?P<strike>(?![\s~])(?:<[^<>\n]*>|[^~\n<])*?(?<![\s~]))~(?![\w~])"
)
#: Blocks in blocks: deeper than any editor goes, shallower than Python's own limit.
_MAX_DEPTH = 20


def markdown(mrkdwn: str, people: People) -> str:
    """Canonical Markdown of a message text; code stays as it is but for Slack's own escapes."""
    parts = _CODE.split(mrkdwn)
    out: list[str] = []
    for i, part in enumerate(parts):
        out.append(_code(part, people) if i % 2 else _inline(part, people))
    return re.sub(r"\n{3,}", "\n\n", "".join(out)).strip() if len(parts) > 1 else "".join(out).strip()


def _code(part: str, people: People) -> str:
    bare = html_unescape(re.sub(r"<([^<>\n]+)>", lambda m: _plain_reference(m[1], people), part))
    if not bare.startswith("```"):
        return bare
    inner = bare[3:-3].strip("\n")
    return f"\n```\n{inner}\n```\n"


def _inline(part: str, people: People) -> str:
    def replaced(match: re.Match[str]) -> str:
        if match["ref"] is not None:
            return _reference(match["ref"], people)
        if match["bold"] is not None:
            return f"**{_inline(match['bold'], people)}**"
        return f"~~{_inline(match['strike'], people)}~~"

    # Escapes are undone between the matches only: a reference's own text was undone with it.
    out, end = [], 0
    for match in _INLINE.finditer(part):
        out += [html_unescape(part[end : match.start()]), replaced(match)]
        end = match.end()
    return "".join([*out, html_unescape(part[end:])])


def html_unescape(value: str) -> str:
    """Slack escapes three characters and no other; `&copy;` is what somebody typed."""
    return value.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _reference(ref: str, people: People) -> str:
    target, _, label = ref.partition("|")
    if target[:1] in "@#!":
        return _mention(target, label, people)
    url, label = html_unescape(target), html_unescape(label)
    bare = re.sub(r"^(?:mailto:|tel:)", "", url)
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", url):
        return f"<{html_unescape(ref)}>"
    if label in ("", url, bare) or url.rstrip("/") in (f"https://{label}", f"http://{label}"):
        return bare
    return link(label, url)


def _plain_reference(ref: str, people: People) -> str:
    target, _, label = ref.partition("|")
    return _mention(target, label, people) if target[:1] in "@#!" else (label or target)


def _mention(target: str, label: str, people: People) -> str:
    """`@U1` -> @Anna, `#C1` -> #general, `!here` -> @here, `!date^…` -> its fallback."""
    kind, name = target[0], target[1:]
    label = html_unescape(label)
    if kind == "@":
        return f"@{people.names.get(name) or label.lstrip('@') or name}"
    if kind == "#":
        return f"#{(label or people.channels.get(name) or name).lstrip('#')}"
    if name.startswith(("subteam^", "date^")):
        return label or f"@{name.split('^', 2)[1]}"
    return f"@{(label or name).lstrip('@')}"


def link(label: str, url: str) -> str:
    """A Markdown link whose label and target cannot break out of it."""
    safe = re.sub(r"([\\\[\]])", r"\\\1", " ".join(label.split()))
    return f"[{safe}](<{url}>)" if re.search(r"[\s()<>]", url) else f"[{safe}]({url})"


def blocks_markdown(blocks: Sequence[Record], people: People) -> str:
    """Blocks of a message, one paragraph each."""
    return "\n\n".join(part for block in blocks if (part := _block(block, people).strip()))


def only_rich_text(blocks: Sequence[Record]) -> bool:
    """True for what the editor writes itself: Slack repeats it in the message's text."""
    return all(text(block, "type") == "rich_text" for block in blocks)


def _block(block: Record, people: People) -> str:
    kind = text(block, "type")
    title = _text_object(sub(block, "text"), people)
    if kind == "rich_text":
        return _rich(records(block.get("elements")), people, 0)
    if kind in ("image", "video"):
        shown = _text_object(sub(block, "title"), people) or text(block, "alt_text")
        url = text(block, "image_url") or text(block, "video_url")
        return link(shown or url, url) if url else shown
    if kind == "header" and title:
        return f"**{title}**"
    parts = [title or text(block, "text")]
    parts += [_text_object(item, people) for item in records(block.get("fields"))]
    if kind == "context":
        parts += [_text_object(item, people) for item in records(block.get("elements"))]
    return "\n".join(part for part in parts if part)


def _text_object(value: Record, people: People) -> str:
    if text(value, "type") == "image":
        return text(value, "alt_text")
    found = text(value, "text")
    return found if text(value, "type") == "plain_text" else markdown(found, people)


def _rich(elements: Sequence[Record], people: People, depth: int) -> str:
    """The parts of a rich text: sections, lists, quotes, code."""
    out: list[str] = []
    for element in elements:
        kind = text(element, "type")
        children = records(element.get("elements"))
        inner = "".join(_rich_part(child, people, depth) for child in children)
        if kind == "rich_text_list":
            out.append("\n".join(_items(element, children, people, depth)))
        elif kind == "rich_text_preformatted":
            out.append(f"```\n{''.join(_rich_plain(child, people) for child in children).strip(chr(10))}\n```")
        elif kind == "rich_text_quote":
            out.append("\n".join(f"> {line}" for line in inner.split("\n")))
        else:
            out.append(inner or _rich_part(element, people, depth))
    return "\n".join(part.strip("\n") for part in out if part.strip())


def _items(element: Record, children: Sequence[Record], people: People, depth: int) -> Iterator[str]:
    indent, offset = element.get("indent"), element.get("offset")
    margin = "    " * (min(indent, 8) if isinstance(indent, int) and indent > 0 else 0)
    first = offset + 1 if isinstance(offset, int) and 0 <= offset < 10**6 else 1
    for number, child in enumerate(children, first):
        mark = f"{number}." if text(element, "style") == "ordered" else "-"
        yield f"{margin}{mark} {_rich([child], people, depth + 1) if depth < _MAX_DEPTH else ''}"


def _rich_part(element: Record, people: People, depth: int) -> str:
    """One run of a section, with its emphasis."""
    if text(element, "type").startswith("rich_text_"):
        return _rich([element], people, depth + 1) if depth < _MAX_DEPTH else ""
    plain = _rich_plain(element, people)
    url = text(element, "url") if text(element, "type") == "link" else ""
    style = sub(element, "style")
    if url and plain != url:
        plain = link(plain, url)
    elif style.get("code") and plain.strip() and "`" not in plain:
        return f"`{plain}`"
    for name, mark in (("bold", "**"), ("italic", "*"), ("strike", "~~")):
        if style.get(name) and plain.strip():
            head, core, tail = _edges(plain)
            plain = f"{head}{mark}{core}{mark}{tail}"
    return plain


def _edges(value: str) -> tuple[str, str, str]:
    """Leading blanks, the rest, trailing blanks: emphasis marks must touch a letter."""
    core = value.strip()
    start = value.index(core)
    return value[:start], core, value[start + len(core) :]


def _rich_plain(element: Record, people: People) -> str:
    """The words of one run, without emphasis."""
    kind = text(element, "type")
    if kind == "user":
        return f"@{people.name(text(element, 'user_id'))}"
    if kind == "channel":
        return f"#{people.channels.get(text(element, 'channel_id')) or text(element, 'channel_id')}"
    named = {"usergroup": ("@", "usergroup_id", ""), "broadcast": ("@", "range", ""), "emoji": (":", "name", ":")}
    if kind in named:
        before, key, after = named[kind]
        return f"{before}{text(element, key)}{after}"
    return text(element, "text") or text(element, "url") or text(element, "fallback") or text(element, "value")


def attachment_markdown(attachment: Record, people: People) -> str:
    """A legacy attachment: what bots post, what a share quotes."""
    title, url = text(attachment, "title"), text(attachment, "title_link")
    heading = link(html_unescape(title), html_unescape(url)) if title and url else html_unescape(title)
    parts = [text(attachment, "pretext"), text(attachment, "author_name"), "", text(attachment, "text")]
    shown = [markdown(part, people) for part in parts]
    shown[2] = heading
    shown += [_field(item, people) for item in records(attachment.get("fields"))]
    shown.append(blocks_markdown(records(attachment.get("blocks")) or _message_blocks(attachment), people))
    found = "\n".join(part for part in shown if part)
    return found or markdown(text(attachment, "fallback"), people)


def _message_blocks(attachment: Record) -> list[Record]:
    """The blocks of a quoted message, which stand one level deeper."""
    return [b for m in records(attachment.get("message_blocks")) for b in records(sub(m, "message").get("blocks"))]


def _field(item: Record, people: People) -> str:
    title, value = markdown(text(item, "title"), people), markdown(text(item, "value"), people)
    return f"{title}: {value}" if title and value else title or value
