"""Which day a note is named after: `2026-04-21`, `21.04.2026`, `Tue, April 21st 2026`, `2026/04/2026-04-21`.

The format is written as Obsidian's daily notes have it (moment.js): YYYY YY MMMM MMM MM M DD D Do dddd ddd, and
[literal text] in brackets. A format with slashes names folders too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache

_TOKENS = re.compile(r"\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|Do|DD|D|dddd|ddd|dd|.", re.DOTALL)
_WORD = r"[^\W\d_]+\.?"
_PATTERNS = {
    "YYYY": r"(?P<year>\d{4})",
    "YY": r"(?P<short>\d{2})",
    "MM": r"(?P<month>\d{2})",
    "M": r"(?P<month>\d{1,2})",
    "MMMM": rf"(?P<named>{_WORD})",
    "MMM": rf"(?P<named>{_WORD})",
    "DD": r"(?P<day>\d{2})",
    "D": r"(?P<day>\d{1,2})",
    "Do": r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?",
    "dddd": _WORD,
    "ddd": _WORD,
    "dd": _WORD,
}


def day_in_name(path: str, form: str, month_of: Callable[[str], int]) -> date | None:
    """The day this note (vault path with `.md`) is named after; None for any other name.

    `month_of`: a month's name in any language -> 1 to 12, 0 for a word that names none.
    """
    parts = path.rpartition(".")[0].split("/")
    name = "/".join(parts[-(form.count("/") + 1) :])
    found = _compiled(form).fullmatch(name)
    if found is None:
        return None
    said = found.groupdict()
    year = said.get("year") or (f"20{said['short']}" if said.get("short") else "")
    month = said.get("month") or (str(month_of(said["named"].rstrip("."))) if said.get("named") else "")
    try:
        return date(int(year), int(month), int(said.get("day") or ""))
    except ValueError:
        return None


@lru_cache(maxsize=8)
def _compiled(form: str) -> re.Pattern[str]:
    """The format as a pattern; what stands twice in it need only be right once."""
    parts: list[str] = []
    seen: set[str] = set()
    for token in _TOKENS.finditer(form):
        if token[1] is not None:
            parts.append(re.escape(token[1]))
            continue
        pattern = _PATTERNS.get(token.group(), re.escape(token.group()))
        group = re.search(r"\?P<(\w+)>", pattern)
        if group and group[1] in seen:
            pattern = pattern.replace(f"(?P<{group[1]}>", "(?:")
        seen |= {group[1]} if group else set()
        parts.append(pattern)
    return re.compile("".join(parts), re.IGNORECASE)
