"""Properties in front of a note that are not YAML: TOML between `+++` (Hugo), a JSON object (Hugo, other programs)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from datetime import date, datetime, time

_TOML = re.compile(r"\ufeff?\+\+\+[ \t]*\n((?:(?!\+\+\+[ \t]*$).*\n)*?)\+\+\+[ \t]*(?:\n|\Z)", re.MULTILINE)
#: Characters in which such a head must end.
_MAX = 100_000


def foreign_head(text: str) -> tuple[Mapping[str, object], str] | None:
    """(properties, body) of a note that begins so; None for any other, and for a head that is broken."""
    start = text[:_MAX]
    toml = _TOML.match(start)
    if toml:
        try:
            found: object = tomllib.loads(toml[1])
        except (tomllib.TOMLDecodeError, RecursionError):
            return None
        end = toml.end()
    elif start.lstrip("\ufeff").startswith("{\n"):
        try:
            lead = len(start) - len(start.lstrip("\ufeff"))
            found, end = json.JSONDecoder().raw_decode(start, lead)
        except (ValueError, RecursionError):
            return None
    else:
        return None
    ends_its_line = bool(toml) or (text[end : end + 1] or "\n") == "\n"
    if not isinstance(found, dict) or not found or not ends_its_line:
        return None
    shown = _plain(found)
    assert isinstance(shown, dict)
    # Hugo keeps tags of its sites one level deeper.
    deeper = shown.get("taxonomies")
    return ({**deeper, **shown} if isinstance(deeper, dict) else shown), text[end:].lstrip("\n")


def _plain(value: object) -> object:
    """Dates as text, as YAML's are read."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
