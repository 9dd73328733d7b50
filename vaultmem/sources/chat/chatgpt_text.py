"""What one ChatGPT message says, as Markdown: its parts, its code, the names of what was uploaded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from vaultmem.sources.chat.conversation_tree import Record, sub, text

#: ChatGPT's own marks stand between private-use letters: begin, end, and a divider of their fields.
_MARK = re.compile(r"[ \t]*\ue200([^\ue200\ue201]{0,4000}?)\ue201")
_DIVIDER = "\ue202"
_STRAY = re.compile(r"[\ue200-\ue20f]")
#: `【12†source】`, `【4:0†notes.pdf】`: the older citations.
_OLD_CITATION = re.compile(r"[ \t]*【\d+(?::\d+)?†[^】\n]{0,300}】")
_RUNS = re.compile(r"`+")
_PLACEHOLDERS = {
    "image_asset_pointer": "(image)",
    "audio_asset_pointer": "(audio)",
    "video_container_asset_pointer": "(video)",
    "real_time_user_audio_video_asset_pointer": "(audio)",
}
_WORD = re.compile(r"[\w+#.-]{1,20}")


def markdown(message: Record, *, assistant: bool) -> str:
    """The message's text; "" when it says nothing. Code is fenced, pictures and sounds are named."""
    content = sub(message, "content")
    kind = text(content, "content_type")
    if kind == "code":
        said = _code(message, text(content, "text"), text(content, "language"))
    else:
        said = "\n\n".join(part for part in _parts(content) if part.strip())
    if assistant and text(message, "recipient").startswith("canmore."):
        said = _canvas(said)
    said = _without_marks(said) if assistant else said
    named = [f"(attached: {name})" for name in attachments(message)]
    return "\n\n".join([*([said.strip("\n")] if said.strip() else []), *named])


def attachments(message: Record) -> tuple[str, ...]:
    """Names of the files that were uploaded with the message."""
    listed = sub(message, "metadata").get("attachments")
    names = (
        [text(item, "name") or text(item, "id") for item in listed if isinstance(item, dict)]
        if isinstance(listed, list)
        else []
    )
    return tuple(dict.fromkeys(" ".join(name.split()) for name in names if name.strip()))


def _parts(content: Record) -> Iterator[str]:
    parts = content.get("parts")
    if not isinstance(parts, list):
        yield text(content, "text") or text(content, "result")
        return
    heard = any(isinstance(part, dict) and text(part, "content_type") == "audio_transcription" for part in parts)
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            kind = text(part, "content_type")
            shown = _PLACEHOLDERS.get(kind, text(part, "text"))
            # What was said stands beside its sound.
            yield "" if shown == "(audio)" and heard else shown


def _code(message: Record, code: str, language: str) -> str:
    """Code as a fence; a call of a tool that comes as JSON without a language is none a person reads."""
    if not code.strip():
        return ""
    if text(message, "recipient").startswith("canmore."):
        return code
    named = language if _WORD.fullmatch(language) and language != "unknown" else ""
    return _fenced(code, named)


def _fenced(code: str, language: str) -> str:
    ticks = max((len(run) for run in _RUNS.findall(code)), default=0)
    fence = "`" * max(3, ticks + 1)
    return f"{fence}{language}\n{code.strip(chr(10))}\n{fence}"


def _canvas(call: str) -> str:
    """The page or program the assistant wrote beside the conversation."""
    try:
        page = json.loads(call)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(page, dict):
        return ""
    written, kind = text(page, "content"), text(page, "type")
    return _fenced(written, kind.partition("/")[2]) if kind.startswith("code/") and written.strip() else written


def _without_marks(said: str) -> str:
    """Citations go, names and links that stand in such marks stay."""
    said = _OLD_CITATION.sub("", _MARK.sub(_meant, said))
    return _STRAY.sub("", said)


def _meant(match: re.Match[str]) -> str:
    blanks = match[0][: len(match[0]) - len(match[0].lstrip(" \t"))]
    kind, *fields = match[1].split(_DIVIDER)
    if kind == "entity" and fields:
        name = _entity_name(fields[0])
        return f"{blanks}{name}" if name else ""
    if kind in ("url", "link_title") and len(fields) >= 2:
        return f"{blanks}[{fields[0]}]({fields[1]})" if fields[1].startswith("http") else f"{blanks}{fields[0]}"
    return ""


def _entity_name(field: str) -> str:
    """`["city","Paris","…"]` -> Paris."""
    try:
        found = json.loads(field)
    except (ValueError, RecursionError):
        return ""
    return found[1] if isinstance(found, list) and len(found) > 1 and isinstance(found[1], str) else ""
