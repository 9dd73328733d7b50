"""Names of things that are one or another and never nearly so: tickets, error codes, parts, versions, paths, addresses.

identifiers("is ERR_CONN_42 fixed in v2.3.1?")  -> finds "ERR_CONN_42" and "v2.3.1", not "ERR_CONN_421" or "v2.3.10"
Dates, times, prices, counts with a unit and ordinals are no such names: many passages may answer for them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

#: Longer questions are pasted pages.
_MOST = 8
_MAX_CHARS = 2000
_SHORTEST = 3
_EDGES = "\"'`´“”„‘’«»‹›()[]{}<>,;:!?¿¡…。、「」（）"
#: Blanks, and scripts that have none.
_BORDER = re.compile(r"[\s\u3000-\u9fff\uac00-\ud7af]+")
_LETTER = "0-9a-z\u00df-\u052f"
#: Dates, numbers with or without a unit, ordinals, decades, quarters, "20-year-old".
_NO_NAME = re.compile(
    r"\d{1,2}[./-]\d{1,2}[./-](?:\d\d|\d{4})\.?|(?:19|20)\d\d[-/]\d{1,2}[-/]\d{1,2}"
    r"|(?:19|20)\d\d[-/](?:\d\d|(?:19|20)\d\d)|\d{1,3}(?:[.,']\d{3})+|(?:mid|early|late|pre|post)-.+"
    r"|[€$£¥+-]?\d+(?:[.,:]\d+)?(?:[kmb%°]|-?[a-z€$£¥°%]{1,3})?|'?\d\d(?:\d\d)?'?s|q[1-4]|\d+(?:-[^\W\d_]+)+"
)
#: Three digits beside letters, two where a hyphen stands too: terms of a trade ("p53", "IL-6", "MP3") have fewer. Or
#: long rows of digits with signs between them, versions, words that signs tie together, addresses, paths, file names.
_NAME = re.compile(
    r"#\d{2,}|(?=(?:\D*\d){3})(?=.*[^\W\d_]).+|(?=(?:\D*\d){2})(?=.*[^\W\d_])[^\W_]+(?:-[^\W_]+)+"
    r"|v?\d+(?:\.\d+){2,}|v\d+\.\d+"
    r"|\d[\d./-]{6,}|[^\W_]+(?:_[^\W_]+)+|[^\s@]+@[^\s@]+\.\w+"
    r"|(?:[a-z]:|~|\.{1,2})?[/\\][^/\\]+(?:[/\\][^/\\]*)+|[\w-]{2,}\.(?:[a-z][a-z0-9]{1,4})"
)


def identifiers(text: str) -> tuple[re.Pattern[str], ...]:
    """What finds each such name of a question in `plain` text, where nothing else goes on from it."""
    found: dict[str, None] = {}
    for word in _BORDER.split(plain(text[:_MAX_CHARS])):
        name = word.strip(_EDGES).rstrip(".")
        if len(name) >= _SHORTEST and not _NO_NAME.fullmatch(name) and _NAME.fullmatch(name):
            found[name] = None
    return tuple(_pattern(name) for name in list(found)[:_MOST])


def exact_shares(question: str, texts: Iterable[str], few: int) -> list[float]:
    """Of each text, the share of the question's identifiers that stand in it; nothing for a question without any.

    One that stands in more than a `few` of the texts counts for less: it is a word of their trade, and no name.
    """
    names = identifiers(question)
    if not names:
        return []
    read = [plain(text) for text in texts]
    held = [[name.search(text) is not None for text in read] for name in names]
    worth = [min(1.0, few / max(sum(row), 1)) for row in held]
    return [sum(w for w, row in zip(worth, held, strict=True) if row[at]) / len(names) for at in range(len(read))]


def plain(text: str) -> str:
    """The form in which names are compared."""
    return unicodedata.normalize("NFKC", text).casefold()


def _pattern(name: str) -> re.Pattern[str]:
    before = f"(?<![{_LETTER}])" if name[0].isalnum() else ""
    # "v2.3.1" goes on in "v2.3.1.4" and "ORCH-11" in "ORCH-11-b", but not at the end of a sentence
    return re.compile(rf"{before}{re.escape(name)}(?![{_LETTER}]|[._-][{_LETTER}])")
