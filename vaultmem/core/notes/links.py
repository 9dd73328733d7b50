"""Wikilinks and tags of a note, by Obsidian's rules."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from vaultmem.core.notes.opaque import FILLER, mask

_WIKILINK = re.compile(r"(!?)\[\[([^\[\]\n]+)\]\]")
_DESTINATION = re.compile(r"\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*+\)")
#: What Obsidian's own scanner takes for a tag: everything but blanks, ASCII and general punctuation.
_TAG = re.compile(
    r"(?:(?<!\S)|(?<=^>))#([^\u2000-\u200c\u200e-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\\s]+)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wikilink:
    """`[[target#heading|alias]]`; an embed has a `!` in front."""

    #: "" for a link inside its own note (`[[#Heading]]`)
    target: str
    #: heading path or `^block`, without the first #
    heading: str
    alias: str
    embed: bool


def wikilinks(body: str) -> tuple[Wikilink, ...]:
    """All wikilinks in order; none from code, math or comments."""
    return tuple(
        parse_wikilink(body[match.start(2) : match.end(2)], embed=bool(match.group(1)))
        for match in _WIKILINK.finditer(mask(body))
    )


def property_links(text: str) -> tuple[Wikilink, ...]:
    """Wikilinks in a property's text, where no Markdown applies."""
    return tuple(parse_wikilink(m.group(2), embed=bool(m.group(1))) for m in _WIKILINK.finditer(text))


def parse_wikilink(inside: str, *, embed: bool = False) -> Wikilink:
    """Read what stands between the brackets. In tables the bar before the alias is escaped."""
    address, _, alias = inside.replace("\\|", "|").partition("|")
    target, _, heading = address.partition("#")
    return Wikilink(target=target.strip(), heading=heading.strip(), alias=alias.strip(), embed=embed)


def tags(body: str) -> tuple[str, ...]:
    """Tags without # in order of appearance, each once (case does not count). `#123` is none."""
    text = _filled(_DESTINATION, _filled(_WIKILINK, mask(body)))
    return unique_tags(match.group(1) for match in _TAG.finditer(text))


def unique_tags(written: object) -> tuple[str, ...]:
    """Valid tags among texts with or without #, each once, in order."""
    found: dict[str, str] = {}
    for text in written if not isinstance(written, str) else (written,):  # type: ignore[attr-defined]
        tag = clean_tag(str(text).strip().removeprefix("#"))
        if tag:
            found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def clean_tag(text: str) -> str:
    """The longest valid tag at the start of `text`, or ""."""
    end = next((i for i, char in enumerate(text) if not _may_stand_in_tag(char)), len(text))
    tag = unicodedata.normalize("NFC", text[:end]).strip("/")
    return tag if not tag.isdigit() and any(c not in "_-/\u200d\ufe0f" for c in tag) else ""


def _may_stand_in_tag(char: str) -> bool:
    return char in "_-/\u200d\ufe0f" or unicodedata.category(char)[0] in "LMN" or unicodedata.category(char) in _EMOJI


_EMOJI = {"So", "Sk"}


def _filled(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: FILLER * len(match.group()), text)
