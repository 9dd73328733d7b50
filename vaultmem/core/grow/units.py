"""The sentences of a chunk as units that a summary may keep: verbatim spans, each with the message it stands in.

units_of(chunk, passages, count)  -> every sentence outside code, quoted mail and signatures
refind(sentences, units)          -> the units that a summary note's sentences are

A summary note holds sentences and links, no offsets. `refind` finds the unit again in its message, so that the next
level selects from the leaves' own sentences and a rebuild sees what the seal saw.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import sentencex

from vaultmem.core.grow.concepts import concept_keys
from vaultmem.core.grow.cues import language_of
from vaultmem.core.notes.blocks import blocks
from vaultmem.core.notes.cut import cut_text
from vaultmem.core.notes.summarynote import one_line
from vaultmem.grown import Sentence, SummaryNode
from vaultmem.model import Chunk, Passage, TokenCounter

#: How the summariser of a text begins that a language model wrote.
BY_MODEL = "llm:"
#: Characters of one unit: a longer "sentence" (a log line, a paste) is cut at its best borders.
MAX_UNIT = 600
#: Characters the sentence splitter is given at once.
_STRETCH = 4000
#: A fragment with fewer words belongs to the sentence in front of it.
_MIN_WORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One sentence of one passage: passage.text[start:end] == text."""

    chunk_id: str
    #: reading order among units of one time: source, place of the chunk in it, chunk
    place: tuple[str, str, str]
    #: ordinal of the passage in its chunk
    passage: int
    #: what a link to it may name behind the note: `^m-<key>`, `^id` or a heading; "" for the note alone
    anchor: str
    author: str
    #: the message's own time; where it has none, that of the message above or of the chunk
    sent_at: datetime
    text: str
    start: int
    end: int
    tokens: int
    #: `en`, `de`, …; "" where the chunk's language is not known
    language: str
    #: a decision, a task with a date, something marked as important: has a reserve of its own
    must: bool = False
    #: documents: the first sentence below a heading
    lead: bool = False
    #: it stands in the line of an open task, `- [ ]`
    task: bool = False
    #: see `concepts`; empty until somebody asks
    _concepts: list[tuple[str, ...]] = field(default_factory=list, init=False, repr=False, compare=False)

    def __hash__(self) -> int:
        # Where it stands is enough: a digest looks each of a day's units up a dozen times.
        return hash((self.chunk_id, self.passage, self.start))

    @property
    def concepts(self) -> tuple[str, ...]:
        """What it speaks of (`concept_keys`), found once however many sentences a day has: kept beside the unit and not
        in a memory of so many texts, which a longer day would run through again and again without one hit.
        """
        if not self._concepts:
            self._concepts.append(concept_keys(self.text))
        return self._concepts[0]

    @property
    def order(self) -> tuple[datetime, tuple[str, str, str], int, int]:
        """Time order; of one time, reading order. No two units of a tree are equal in it."""
        return (self.sent_at, self.place, self.passage, self.start)


_WORD = re.compile(r"\w+")
_LINE = re.compile(r"[^\n]*\n?")
_FENCE = re.compile(r"(?ms)^[ \t]{0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)")
_MARKER = re.compile(r"[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?)*")
_STARTS_BLOCK = re.compile(r"[ \t]*(?:#{1,6}[ \t]|>|(?:[-*+]|\d{1,9}[.)])[ \t]|\||$)")
_EMPTY_LINE = re.compile(r"[\s|:*_=~.#>+-]*")
#: From here on a mail is a signature.
_SIGNATURE = re.compile(r"(?m)^-- ?$")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？:;][\"'”’»)\]*_]*\s*$")
#: A line shorter than this was not broken by a margin: what follows is a new thought.
_MARGIN = 50
_TASK = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[ \]")
_DUE = re.compile(r"📅|⏳|\bdue\b|\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}", re.IGNORECASE)
_MARKED = re.compile(r"(?<![\w#/])#(?:decision|priority|pin(?:ned)?|important)\b", re.IGNORECASE)
#: Characters that a heading link cannot hold, or that Obsidian reads as marks.
_NO_ANCHOR = re.compile(r"[#^|\[\]\\`*_$<>%]")


def units_of(chunk: Chunk, passages: Sequence[Passage], count: TokenCounter) -> tuple[Unit, ...]:
    """All sentences of the chunk, in reading order."""
    language = language_of(" ".join(passage.text for passage in passages))
    anchors = _unique_headings(chunk)
    place = (chunk.source_id, chunk.position, chunk.chunk_id)
    found: list[Unit] = []
    sent_at, section = chunk.time_start, None
    for passage in passages:
        sent_at = passage.sent_at or sent_at
        opens = chunk.source_kind == "document" and passage.heading != section
        section = passage.heading
        for start, end, line in _spans(chunk, passage.text, language):
            text = passage.text[start:end]
            found.append(
                Unit(
                    chunk_id=chunk.chunk_id,
                    place=place,
                    passage=passage.ordinal,
                    anchor=_anchor(passage, anchors),
                    author=passage.author,
                    sent_at=sent_at,
                    text=text,
                    start=start,
                    end=end,
                    tokens=max(count(text), 1),
                    language=language,
                    must=_is_must(line),
                    lead=opens,
                    task=_TASK.match(line) is not None,
                )
            )
            opens = False
    return tuple(found)


def refind(sentences: Sequence[Sentence], units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units that these lines of a summary show, each once; a line that a person changed or wrote is none."""
    wanted = {sentence.text for sentence in sentences}
    by_text: dict[str, dict[Unit, None]] = {}
    by_place: dict[tuple[str, str], dict[Unit, None]] = {}
    for unit in units:
        text = one_line(unit.text)
        if text in wanted:
            by_text.setdefault(text, {})[unit] = None
            by_place.setdefault((text, unit.anchor), {})[unit] = None
    found: dict[Unit, None] = {}
    for sentence in sentences:
        # Documents repeat headings, and a heading may have been renamed: then the first of that text is as good.
        twins = by_place.get((sentence.text, sentence.link.anchor))
        twins = by_text.get(sentence.text, {}) if twins is None else twins
        if twins:
            fresh = next(iter(twins))
            found[fresh] = None
            by_text[sentence.text].pop(fresh, None)
            by_place[sentence.text, fresh.anchor].pop(fresh, None)
    return tuple(found)


def shown_by(nodes: Iterable[SummaryNode], units: Sequence[Unit], paths: Mapping[str, str]) -> tuple[Unit, ...]:
    """The units that these summaries show. What a model wrote is in no message: then all of those it links to.

    `paths`: chunk_id -> vault path of its note.
    """
    nodes = tuple(nodes)
    verbatim = [s for node in nodes if not node.summariser.startswith(BY_MODEL) for s in node.sentences]
    written = [s for node in nodes if node.summariser.startswith(BY_MODEL) for s in node.sentences]
    links = {link for sentence in written for link in (sentence.link, *sentence.also)}
    places = {(link.path, link.anchor) for link in links}
    marks = {link.anchor for link in links if link.anchor.startswith("^m-")}  # found wherever the note stands
    linked = (u for u in units if u.anchor in marks or (paths.get(u.chunk_id, ""), u.anchor) in places)
    return tuple(dict.fromkeys((*refind(verbatim, units), *linked)))


def _unique_headings(chunk: Chunk) -> frozenset[str]:
    """Headings that stand once in a document's own body: a link to any other would lead elsewhere or nowhere."""
    if chunk.source_kind != "document":
        return frozenset()
    titles = [block.title for block in blocks(chunk.body) if block.level]
    return frozenset(title for title in titles if titles.count(title) == 1 and not _NO_ANCHOR.search(title))


def _anchor(passage: Passage, headings: frozenset[str]) -> str:
    if passage.block:
        return f"^{passage.block}"
    last = passage.heading.rpartition(" > ")[2]
    return last if last in headings else ""


def _is_must(line: str) -> bool:
    if "#" in line and _MARKED.search(line):
        return True
    return _TASK.match(line) is not None and _DUE.search(line) is not None


def _spans(chunk: Chunk, text: str, language: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, the line it begins in) of each sentence of a passage."""
    for first, last in _paragraphs(chunk, text):
        begin = first + len((_MARKER.match(text, first, last) or "")[0])
        line = text[first:last]
        for start, end in _merged(text, _sentences(text, begin, last, language)):
            yield start, end, line


def _paragraphs(chunk: Chunk, text: str) -> Iterator[tuple[int, int]]:
    """Stretches that no sentence crosses: lines, joined where a margin broke them. Neither code nor quoted mail."""
    skipped = [match.span() for match in _FENCE.finditer(text)] if "```" in text or "~~~" in text else []
    end = len(text)
    if chunk.source_kind == "email" and (signature := _SIGNATURE.search(text)):
        end = signature.start()
    begin = last = -1
    for match in _LINE.finditer(text, 0, end):
        start, line = match.start(), match[0].rstrip()
        quoted = chunk.source_kind != "document" and line.startswith(">")
        left_out = quoted or any(a <= start < b for a, b in skipped) or _EMPTY_LINE.fullmatch(line) is not None
        joins = chunk.source_kind != "chat" and not left_out and begin >= 0 and _carries_on(text[begin:last], line)
        if begin >= 0 and not joins:
            yield begin, last
            begin = -1
        if not left_out:
            begin = begin if joins else start
            last = start + len(line)
    if begin >= 0:
        yield begin, last


def _carries_on(above: str, line: str) -> bool:
    """True when the line above was broken by a margin and this one goes on with its sentence."""
    top = above[above.rfind("\n") + 1 :]
    if _STARTS_BLOCK.match(line) or top.lstrip().startswith(("#", "|")):
        return False
    return len(top) >= _MARGIN and not _ENDS_SENTENCE.search(top) and len(above) < 4 * MAX_UNIT


def _sentences(text: str, begin: int, end: int, language: str) -> Iterator[tuple[int, int]]:
    at = begin
    for part in _parts(text[begin:end], language):
        start = at + len(part) - len(part.lstrip())
        at += len(part)
        stop = at - (len(part) - len(part.rstrip()))
        if start < stop:
            yield start, stop


def _parts(text: str, language: str) -> Iterator[str]:
    """Sentences that join to the text, none longer than MAX_UNIT."""
    # The splitter takes the square of a run of quotation marks.
    for stretch in cut_text(text, _STRETCH, len) if len(text) > _STRETCH else (text,):
        for sentence in sentencex.segment(language or "en", stretch):
            yield from cut_text(sentence, MAX_UNIT, len) if len(sentence) > MAX_UNIT else (sentence,)


def _merged(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Fragments of one or two words go with the sentence in front of them."""
    held: tuple[int, int] | None = None
    for start, end in spans:
        short = len(_WORD.findall(text, start, end)) < _MIN_WORDS and end - start < 40
        if held and short and end - held[0] <= MAX_UNIT:
            held = (held[0], end)
            continue
        if held:
            yield held
        held = (start, end)
    if held:
        yield held
