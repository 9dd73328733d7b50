"""What a note says when messages of it are forgotten, and what of other notes goes with them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from vaultmem.core.ingest.compose import Composer
from vaultmem.core.ingest.rescore import is_decided_by_hand, rescored
from vaultmem.core.ingest.scrub import redaction_marks
from vaultmem.core.notes.codec import message_passages, parse_body, render_body
from vaultmem.core.notes.ids import body_sha256, fold, sha256_hex
from vaultmem.core.notes.markdown import document_passages
from vaultmem.model import Chunk, Passage

#: Shorter ones stand anywhere.
_LEAST_TEXT = 12
_HEADING = re.compile(r"^#{1,6} .*$", re.MULTILINE)
_FACT = re.compile(r"[-*+][ \t]+\S")


def without_messages(chunk: Chunk, keys: Collection[str], by: Composer) -> Chunk | None:
    """The chunk without these messages, judged as it is now; None when nothing is left. Its id stays.

    What a person wrote around the others stays as they wrote it.
    """
    kind = chunk.source_kind
    kept = [message for message in parse_body(kind, chunk.body) if not (message.key and message.key in keys)]
    if not any(message.key or message.text.strip() for message in kept):
        return None
    body = _without_lines(chunk, keys) if chunk.edited else render_body(kind, kept)
    times = [message.sent_at for message in kept if message.sent_at] or [chunk.time_start]
    there = {message.key for message in kept}
    after = replace(
        chunk,
        body=body,
        body_sha256=chunk.body_sha256 if chunk.edited else body_sha256(body),
        time_start=min(times),
        time_end=max(times),
        redacted=redaction_marks(body),
        revised={key: at for key, at in chunk.revised.items() if key in there},
        token_count=by.count(body),
    )
    judged = rescored(after, by)
    return replace(judged, status=chunk.status, drop_reason=chunk.drop_reason) if is_decided_by_hand(chunk) else judged


def _without_lines(chunk: Chunk, keys: Collection[str]) -> str:
    gone: set[int] = set()
    for passage in message_passages(chunk.source_kind, chunk.body):
        if passage.block.removeprefix("m-") in keys:
            gone.update(range(passage.first_line, passage.last_line + 2))
    return "\n".join(line for number, line in enumerate(chunk.body.split("\n")) if number not in gone)


def paragraph_key(text: str) -> str:
    """Key of a forgotten paragraph of a document, however it is cut later."""
    return sha256_hex(f"paragraph\0{fold(text)}".encode("utf-8", "surrogatepass"))[:12]


def paragraph_keys(body: str, passages: Iterable[Passage]) -> tuple[str, ...]:
    """Keys of a piece's paragraphs and headings."""
    return tuple(paragraph_key(text) for text in (*(p.text for p in passages), *_HEADING.findall(body)))


def without_paragraphs(body: str, is_buried: Collection[str]) -> str:
    """The document without paragraphs that were forgotten."""
    if not is_buried:
        return body
    passages = document_passages(body)
    forgotten = [passage for passage in passages if paragraph_key(passage.text) in is_buried]
    if not forgotten:
        return body
    if len(forgotten) == len(passages):
        return ""
    gone = {line for passage in forgotten for line in range(passage.first_line, passage.last_line + 1)}
    lines = enumerate(body.split("\n"))
    return "\n".join(line for number, line in lines if number not in gone and not _is_buried_heading(line, is_buried))


def _is_buried_heading(line: str, is_buried: Collection[str]) -> bool:
    return _HEADING.fullmatch(line) is not None and paragraph_key(line) in is_buried


def worth_finding(texts: Iterable[str]) -> tuple[str, ...]:
    """Those of the forgotten words that are long enough to be nobody else's, each once."""
    return tuple(dict.fromkeys(text for text in texts if len(text) >= _LEAST_TEXT))


def source_marks(keys: Collection[str], paths: Collection[str]) -> list[str]:
    """What the source of a fact holds that was said in one of these messages or notes."""
    return [f"#^m-{key}" for key in keys] + [f"[[{path.removesuffix('.md')}{end}" for path in paths for end in "#|]"]


def without_facts(note: str, keys: Collection[str], paths: Collection[str]) -> str:
    """A note of facts without those that were said in a forgotten message, and their earlier values."""
    marks = source_marks(keys, paths)
    kept: list[str] = []
    block: list[str] = []
    for line in [*note.split("\n"), "- end"]:
        if _FACT.match(line) or (block and not line.startswith((" ", "\t"))):
            kept += _kept_lines(block, marks)
            block = []
        if _FACT.match(line):
            block = [line]
        elif block:
            block.append(line)
        else:
            kept.append(line)
    return "\n".join(kept)


def _kept_lines(block: list[str], marks: Collection[str]) -> list[str]:
    told = [line for line in block if any(mark in line for mark in marks)]
    if any("- since " in line for line in told):
        return []
    return [line for line in block if line not in told]
