"""What one message of a Claude export says, as Markdown: its words, what was attached, the pages it wrote.

Thoughts, calls of tools and their results are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.sources.chat.conversation_tree import Record, sub, text

_RUNS = re.compile(r"`{3,}")
#: What the export puts where the web page shows something else.
_UNSUPPORTED = re.compile(r"(?:```\n)?This block is not supported on your current device yet\.\n?(?:```)?\n?")
_ATTRIBUTE = re.compile(r'(\w{1,20})="([^"<>]{0,300})"')
_WORD = re.compile(r"[\w+#.-]{1,20}")
_ARTIFACT_TOOLS = ("artifacts", "create_artifact")


def markdown(message: Record) -> str:
    """The message's text; "" when it says nothing."""
    blocks = list(_blocks(message))
    said = [block for kind, block in blocks if block.strip()]
    if not any(kind == "said" and block.strip() for kind, block in blocks):
        plain = _UNSUPPORTED.sub("", _tags(text(message, "text")))
        said = [plain, *said] if plain.strip() else said
    named = [_attached(*item) for item in _files(message)]
    return "\n\n".join(part.strip("\n") for part in [*said, *named] if part.strip())


def attachments(message: Record) -> tuple[str, ...]:
    """Names of the files that came with the message."""
    return tuple(dict.fromkeys(name for name, _ in _files(message) if name))


def _blocks(message: Record) -> Iterator[tuple[str, str]]:
    """("said" | "page", Markdown) of the parts a person sees."""
    content = message.get("content")
    if isinstance(content, str):
        yield "said", _tags(content)
    for block in content if isinstance(content, list) else ():
        if isinstance(block, str):
            yield "said", _tags(block)
        elif isinstance(block, dict):
            kind = text(block, "type")
            if kind in ("text", "voice_note", ""):
                yield "said", _UNSUPPORTED.sub("", _tags(text(block, "text")))
            elif kind == "tool_use" and text(block, "name") in _ARTIFACT_TOOLS:
                yield "page", _page(sub(block, "input"))


def _page(call: Record) -> str:
    """A page or program written beside the talk: named, and whole where the call holds it whole."""
    title = " ".join(text(call, "title").split()) or text(call, "id")[:100]
    if text(call, "command") == "update" or not text(call, "content").strip():
        return f"(artifact changed: {title})" if title else ""
    return _artifact(title, text(call, "type"), text(call, "content"), text(call, "language"))


def _artifact(title: str, kind: str, content: str, language: str = "") -> str:
    head = f"(artifact: {title or 'untitled'})"
    if kind == "text/markdown":
        return f"{head}\n\n{content.strip(chr(10))}"
    named = language or {"text/html": "html", "image/svg+xml": "svg"}.get(kind, "")
    return f"{head}\n\n{_fenced(content, named if _WORD.fullmatch(named) else '')}"


def _fenced(content: str, language: str = "") -> str:
    ticks = max((len(run) for run in _RUNS.findall(content)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}{language}\n{content.strip(chr(10))}\n{fence}"


def _files(message: Record) -> Iterator[tuple[str, str]]:
    """(name, extracted text or "") of everything attached, each name once; a paste has a text and no name."""
    seen: set[tuple[str, str]] = set()
    for key in ("attachments", "files", "files_v2"):
        listed = message.get(key)
        for item in listed if isinstance(listed, list) else ():
            if isinstance(item, dict):
                name = " ".join((text(item, "file_name") or text(item, "name")).split())
                found = text(item, "extracted_content")
                if (
                    (name or found.strip())
                    and (name, found) not in seen
                    and (found or name not in {n for n, _ in seen})
                ):
                    seen.add((name, found))
                    yield name, found


def _attached(name: str, found: str) -> str:
    head = f"(attached: {name or 'pasted text'})"
    return f"{head}\n\n{_fenced(found)}" if found.strip() else head


def _tags(said: str) -> str:
    """Without the thoughts older models wrote into their text; pages written there are fenced and named."""
    if "<ant" not in said:
        return said
    said = "".join(_without(said, "antThinking"))
    return "".join(_with_pages(said))


def _without(said: str, tag: str) -> Iterator[str]:
    at = 0
    while (start := said.find(f"<{tag}>", at)) >= 0 and (end := said.find(f"</{tag}>", start)) >= 0:
        yield said[at:start]
        at = end + len(tag) + 3
    yield said[at:]


def _with_pages(said: str) -> Iterator[str]:
    at = 0
    while (start := said.find("<antArtifact", at)) >= 0:
        head = said.find(">", start)
        end = said.find("</antArtifact>", head)
        if head < 0 or end < 0:
            break
        facts = dict(_ATTRIBUTE.findall(said[start:head][:2000]))
        yield said[at:start]
        yield _artifact(facts.get("title", ""), facts.get("type", ""), said[head + 1 : end], facts.get("language", ""))
        at = end + len("</antArtifact>")
    yield said[at:]
