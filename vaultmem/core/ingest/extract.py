"""Mentions: who and what a chunk's passages name. A pure function of the passages and the registry.

Each extractor works alone: one that fails is reported as a warning (an error under test) and loses no other's results.
Code, links and addresses are blanked before looser patterns look, so that a handle is never found inside an address.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from vaultmem.core.ingest.entities import Registry
from vaultmem.core.ingest.headers import ADDRESS, normal_email, parse_parties
from vaultmem.core.ingest.names import find_names
from vaultmem.core.notes.ids import fold
from vaultmem.core.notes.markdown import tags, wikilinks
from vaultmem.core.notes.paths import OWN_FOLDERS
from vaultmem.model import EntityKind, Mention, Passage, SourceKind


class ExtractorFailed(RuntimeWarning):
    """An extractor raised: its mentions of this chunk are missing, all others are there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """A passage and its text with code, links and addresses blanked (same length)."""

    passage: Passage
    kind: SourceKind
    registry: Registry
    #: without code
    prose: str
    #: without code, URLs and addresses
    words: str


#: Better evidence first: of two origins for one name in one passage the first stays.
_ORIGINS = ("author", "header", "link", "alias", "address", "url", "handle", "tag", "name")
_MAX_URL = 2000
_MAX_SURFACE = 200

_FENCE = re.compile(r"(?ms)^[ \t]{0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)")
_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)[^`\n]{1,2000}\1(?!`)")
_URL = re.compile(
    r"(?<![A-Za-z0-9_@])(?:https?://|ftp://|www\.(?=\w))[^\s<>\"`\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]+",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?'\"*_~|…“”„’»›"
_HANDLE = re.compile(r"(?<![\w@/.+\-])@([^\W\d](?:[\w.\-]{0,62}\w)?(?:@[\w\-]+(?:\.[\w\-]+)+)?|\d{7,15})(?![\w/@])")
_NUMBERED = re.compile(r"(?<![\w.#/&@])([^\W\d][\w.]{1,31}#\d{4})(?![\w#])")
#: WhatsApp writes a mention's display name between isolates.
_ISOLATED = re.compile("@\u2068~?([^\u2068\u2069\n]{1,80})\u2069")
_NO_HANDLE_TEXT = "all channel everyone here room team media import property override param return returns see"
_NO_HANDLE = frozenset(_NO_HANDLE_TEXT.split())
_NO_NUMBERED_TEXT = "issue issues pr bug ticket order room nr no number case page step task item line chapter invoice"
_NO_NUMBERED = frozenset(_NO_NUMBERED_TEXT.split())
_MARK = re.compile(r"redacted:[a-z0-9/_-]")
_STEPS = re.compile(r"^(?:\.{0,2}/)+")
_OURS = re.compile(rf"(?i)(?:{'|'.join(map(re.escape, OWN_FOLDERS))})/")
_FILE_ENDING = re.compile(r"\.(?!md$)[a-z0-9]{1,5}$", re.IGNORECASE)


def find_mentions(passages: Sequence[Passage], *, kind: SourceKind, registry: Registry) -> tuple[Mention, ...]:
    """Every name in the passages, once per passage, sorted by passage, surface and kind."""
    texts = [_prepared(passage, kind, registry) for passage in passages]
    found: list[Mention] = []
    for extract in EXTRACTORS:
        found += _isolated(extract, texts)
    return tuple(_distinct(found))


def _prepared(passage: Passage, kind: SourceKind, registry: Registry) -> _Text:
    prose = passage.text
    if "`" in prose or "~~~" in prose:
        prose = _CODE.sub(_blank, _FENCE.sub(_blank, prose))
    words = ADDRESS.sub(_blank, _URL.sub(_blank, prose)) if "@" in prose or "/" in prose or "www" in prose else prose
    return _Text(passage=passage, kind=kind, registry=registry, prose=prose, words=words)


def _blank(match: re.Match[str]) -> str:
    """A gap no pattern crosses, of the same length, line ends kept."""
    return "".join("\n" if char == "\n" else "\0" for char in match.group())


def _isolated(extract: Callable[[Sequence[_Text]], Iterable[Mention]], texts: Sequence[_Text]) -> list[Mention]:
    found: list[Mention] = []
    try:
        found.extend(extract(texts))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one extractor, the others' results stand
        warnings.warn(f"{extract.__name__}: {type(error).__name__}: {error}", ExtractorFailed, stacklevel=2)
    return found


def _distinct(found: Iterable[Mention]) -> list[Mention]:
    """One mention per passage, surface and kind; a guess by capitals yields to any better evidence for the name."""
    best: dict[tuple[int, str, str], Mention] = {}
    for mention in sorted(found, key=lambda m: (_ORIGINS.index(m.origin), m.text)):
        if (
            mention.surface
            and len(mention.surface) <= _MAX_URL
            and (mention.kind == "url" or not _hidden(mention.text))
        ):
            best.setdefault((mention.passage, mention.surface, mention.kind), mention)
    sure = {(m.passage, m.surface) for m in best.values() if m.origin != "name"}
    kept = (m for m in best.values() if m.origin != "name" or (m.passage, m.surface) not in sure)
    return sorted(kept, key=lambda m: (m.passage, m.surface, m.kind))


def _hidden(name: str) -> bool:
    """True for a name in which a redaction mark stands, with its brackets or, inside a link, without them."""
    return _MARK.search(name.casefold()) is not None


def _mention(text: _Text, written: str, kind: EntityKind, origin: str, surface: str = "") -> Mention:
    name = surface or fold(written.lstrip("@#"))
    return Mention(surface=name, text=written, kind=kind, passage=text.passage.ordinal, origin=origin)


def authors(texts: Sequence[_Text]) -> Iterator[Mention]:
    """Who wrote a message; for mails the name and the address of the From line."""
    for text in texts:
        if text.kind == "email":
            yield from _parties(text, text.passage.author, "author")
        elif text.passage.author.strip():
            yield _mention(text, text.passage.author, "person", "author")


def receivers(texts: Sequence[_Text]) -> Iterator[Mention]:
    """Names and addresses of a mail's To and Cc lines."""
    for text in texts:
        yield from _parties(text, text.passage.addressed, "header")


def _parties(text: _Text, line: str, origin: str) -> Iterator[Mention]:
    for party in parse_parties(line):
        if party.name:
            yield _mention(text, party.name, "person", origin)
        if party.address:
            yield _mention(text, party.address, "email", origin, normal_email(party.address))


def addresses(texts: Sequence[_Text]) -> Iterator[Mention]:
    """E-mail addresses in running text, not inside links."""
    for text in texts:
        if "@" in text.passage.text:
            for match in ADDRESS.finditer(_URL.sub(_blank, text.passage.text)):
                yield _mention(text, match.group(), "email", "address", normal_email(match.group()))


def urls(texts: Sequence[_Text]) -> Iterator[Mention]:
    """Web addresses, with balanced brackets and without the sentence's punctuation."""
    for text in texts:
        for match in _URL.finditer(text.passage.text):
            url = _trimmed(match.group())
            if len(url) <= _MAX_URL and not url.endswith(("//", "www")):
                yield _mention(text, url, "url", "url", fold(url))


def _trimmed(url: str) -> str:
    """Cut what belongs to the sentence: punctuation, and closing brackets that were opened outside."""
    open_brackets = {")": url.count("(") - url.count(")"), "]": url.count("[") - url.count("]"), "}": 0}
    end = len(url)
    while end:
        last = url[end - 1]
        if last in open_brackets and open_brackets[last] < 0:
            open_brackets[last] += 1
        elif last not in _TRAILING:
            break
        end -= 1
    return url[:end]


def handles(texts: Sequence[_Text]) -> Iterator[Mention]:
    """@alice, @alice@example.social, alice#1234, and names that a messenger marks as mentioned."""
    for text in texts:
        if "@" in text.words:
            for match in _ISOLATED.finditer(text.words):
                yield _mention(text, match.group(1), "person", "handle")
            for match in _HANDLE.finditer(text.prose):
                inside = text.words[match.start()] == "\0"
                if match.group(1).casefold() not in _NO_HANDLE and (not inside or "@" in match.group(1)):
                    yield _mention(text, match.group(), "handle", "handle")
        if "#" in text.words:
            for match in _NUMBERED.finditer(text.words):
                if match.group(1).partition("#")[0].casefold() not in _NO_NUMBERED:
                    yield _mention(text, match.group(1), "handle", "handle")


def hashtags(texts: Sequence[_Text]) -> Iterator[Mention]:
    """#tags by Obsidian's rules: any script, nested by slashes, not numbers alone."""
    for text in texts:
        if "#" in text.words:
            for tag in tags(text.passage.text):
                yield _mention(text, f"#{tag}", "hashtag", "tag")


def links(texts: Sequence[_Text]) -> Iterator[Mention]:
    """[[Wikilinks]] of documents: a hand-made mention. Files that are no notes and links within the note are none."""
    for text in texts:
        if text.kind == "document" and "[[" in text.prose:
            for link in wikilinks(text.passage.text):
                name = _linked_name(link.target, text.registry)
                if name and not _FILE_ENDING.search(name):
                    known = text.registry.kind_of(text.registry.resolve(name))
                    yield _mention(text, name, known or "topic", "link", fold(name))


def _linked_name(target: str, registry: Registry) -> str:
    """The name a link speaks of: of our own notes only those of entities stand for anybody."""
    path = _STEPS.sub("", target)
    if _OURS.match(path):
        return registry.name_at(path)
    return target.rpartition("/")[2].removesuffix(".md").strip()


def aliases(texts: Sequence[_Text]) -> Iterator[Mention]:
    """Names the registry knows, in the text and in a mail's subject."""
    for text in texts:
        subject = f"{text.passage.heading}\n\n" if text.kind == "email" else ""
        for match in text.registry.find(subject + text.passage.text):
            kind = text.registry.kind_of(match.ids) or "topic"
            yield _mention(text, match.text, kind, "alias", match.surface)


def names(texts: Sequence[_Text]) -> Iterator[Mention]:
    """Capitalised names."""
    for text, found in zip(texts, find_names([text.words for text in texts]), strict=True):
        for name in found:
            yield _mention(text, name.text, name.kind, "name")


EXTRACTORS: tuple[Callable[[Sequence[_Text]], Iterable[Mention]], ...] = (
    authors,
    receivers,
    addresses,
    urls,
    handles,
    hashtags,
    links,
    aliases,
    names,
)
