"""Plain text -> Markdown that shows the same text: nothing in it becomes a heading, link, tag, math or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.config import Settings
from vaultmem.core.ingest.redact import redact
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.chat.whatsapp import is_named_chat
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.text import decode

#: What may stand before a block's own mark: quotes, bullets, numbers.
_CONTAINER = r"(?:[ \t]|>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*+"
_HEADING = re.compile(rf"^({_CONTAINER})(?=#{{1,6}}(?:[ \t]|$))", re.MULTILINE)
_RULE = re.compile(r"^([ \t>]*)(?=(?:=+|(?:-[ \t]*)+|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$)", re.MULTILINE)
_TILDES = re.compile(rf"^({_CONTAINER})(?=~~~)", re.MULTILINE)
_DEFINITION = re.compile(rf"^({_CONTAINER})(?=\[[^\]\n]+\]:)", re.MULTILINE)
_BLOCK_ID = re.compile(r"(?:(?<=\s)|^)(?=\^[A-Za-z0-9-]+[ \t]*$)", re.MULTILINE)
#: A mark that would act, each answered with a backslash in front (`](` and `<%`: between the two).
_BETWEEN = re.compile(r"(?<=\])(?=\()|(?<=<)(?=%)")
_ACTING = re.compile(
    r"\[(?=\[)|(?<=\[)\[|%(?=%)|(?<=%)%|`"
    r"|<(?=[A-Za-z/!?])|&(?=#?\w{1,31};)"
    r"|(?:(?<!\S)|(?<=^>))#(?=[^\s#])",
    re.MULTILINE,
)
_MATH = re.compile(r"\$\$|\$(?=[^\s$])(?:[^$\n]|\n(?!\s*\n))*?(?<=[^\s\\$])\$(?!\d)")
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_DEEP = re.compile(r"^(?=[ \t]*(?:\t| {4}))[ \t]+", re.MULTILINE)


def read_text(raw: RawFile, settings: Settings) -> Reading:
    """A text file as one document. Raises UnreadableSource when it is no text.

    Its secrets go before anything is escaped: indentation and marks are part of what tells them.
    """
    text = redact(decode(raw.data[:]), settings.redact_pii).text
    title = title_from_name(raw.name)
    moment = own_time({}, raw, settings.zone)
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=f"# {as_markdown(title)}\n\n{as_markdown(text.strip(chr(10)))}\n",
        provider="document",
        created_at=moment.at,
        time_from=moment.source,
    )
    return Reading(
        format="txt", kind="document", tz=moment.tz, zone_known=moment.zone_known, items=_items(raw, document)
    )


def _items(raw: RawFile, document: Document) -> Iterator[SourceItem]:
    if is_named_chat(raw.name):
        yield Warn(text="named like a WhatsApp chat, but its lines are not understood as messages: read as plain text")
    yield document


def as_markdown(text: str) -> str:
    r"""The text with a backslash before each mark that would act. Words, lines and bare URLs stay as they are.

    Deep indentation, which Markdown shows as code, becomes blanks that do not break: the shape stays.
    """
    text = _BACKSLASH.sub(r"\\\\", text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd"))
    text = _DEEP.sub(lambda match: "\u00a0" * len(match.group().expandtabs(4)), text)
    text = _escape_math(text)
    text = _ACTING.sub(lambda match: "\\" + match.group(), text)
    for pattern in (_HEADING, _RULE, _TILDES, _DEFINITION):
        text = pattern.sub(r"\1\\", text)
    text = _BLOCK_ID.sub(r"\\", text)
    return _BETWEEN.sub(r"\\", text)


def _escape_math(text: str) -> str:
    """Dollar signs only where a pair would read as a formula: a price stays as it is written."""
    if text.count("$") < 2:
        return text
    return _MATH.sub(lambda match: match.group().replace("$", "\\$"), text)
