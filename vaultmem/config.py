"""The settings: `.vaultmem/config.yaml` -> a frozen value. Every default stands here with its reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import cast
from zoneinfo import ZoneInfo

import yaml

from vaultmem.core.recall.weights import WEIGHTS, Weights, problem_of, weights_of
from vaultmem.errors import BadConfig

CONFIG_PATH = ".vaultmem/config.yaml"
#: what `redact_pii` may name
PII_FAMILIES = ("card", "iban", "national-id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person may set. Unknown keys are refused, so that a typing error is seen and not ignored."""

    #: IANA name; the zone of times that carry none, and of "today"
    timezone: str = "UTC"
    #: the drop zone, below the vault's root
    inbox: str = "inbox"
    #: the owner's own names, addresses and handles: what they wrote counts as sent, what names them as mention
    me: tuple[str, ...] = ()
    #: auto | vault | private: where originals are kept
    archive: str = "auto"
    #: seconds without change before a dropped file is read (Obsidian and sync tools write in place)
    settle_seconds: float = 2.5
    #: tokens in a chunk note at most (cl100k)
    chunk_tokens: int = 3000
    #: hours of silence after which a chat chunk is closed
    chat_gap_hours: float = 12.0
    #: MB a dropped file may have; larger ones are set aside with this setting named
    max_file_mb: int = 4096
    #: seconds between two looks at the disk in `watch`, whatever the events said
    reconcile_seconds: float = 300.0
    #: events | poll: how `watch` learns of changes
    watcher: str = "events"
    #: auto | builtin | multilingual | ollama | none: what finds text by meaning. auto: the endpoint of the user's own
    #: config, else the model that comes along; builtin: that one whatever the user's config says; multilingual: that
    #: extra; ollama: the one on this machine; none: spares the processor and leaves words alone. Never an address: a
    #: vault sends no text to other machines
    embedder: str = "auto"
    #: questions one run may put to a language model (where the user named one); 0: none. A bulk import costs no more
    llm_max_calls_per_run: int = 500
    #: numbers of cards, accounts and people that are taken out as secrets are: names of PII_FAMILIES. Off, because a
    #: memory without one's own account number is of less use, and the vault is its owner's
    redact_pii: tuple[str, ...] = ()
    #: globs of the owner's own notes that are memory too, read where they stand: never copied, never written. None by
    #: default: whose notes these are, and what in them is private, only their owner knows
    notes: tuple[str, ...] = ()
    #: globs of notes that are not, whatever `notes` says; taken out of memory by the next pass, hidden at once
    notes_exclude: tuple[str, ...] = ()
    #: how daily notes are named, as Obsidian writes it: such a note's time is that day
    daily_notes: str = "YYYY-MM-DD"
    #: jobs that may ask a language model at the same time: a model on one's own machine serves one at a time
    llm_permits: int = 1
    #: constants of ranking and of silence by name, each with its default and reason in core/recall/weights.py
    ranking: Weights = WEIGHTS

    @property
    def zone(self) -> ZoneInfo:
        """The zone of `timezone`."""
        return ZoneInfo(self.timezone)


#: How a conflict that git left begins.
_MARKER = re.compile(rb"^<{7}(?: |\r?$)", re.MULTILINE)
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "archive": ("auto", "vault", "private"),
    "watcher": ("events", "poll"),
    "embedder": ("auto", "builtin", "multilingual", "ollama", "none"),
}


def parse_settings(data: bytes, where: str = CONFIG_PATH) -> Settings:
    """Read a config file. Raises BadConfig naming the key."""
    try:
        raw = yaml.safe_load(data.decode("utf-8-sig")) or {}
    except UnicodeDecodeError:
        raise BadConfig(where, "(file)", "is no UTF-8 text") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadConfig(where, "(file)", _no_yaml(data, error)) from None
    if not isinstance(raw, dict):
        raise BadConfig(where, "(file)", "must be a list of 'key: value' lines")
    known = {f.name: f.type for f in fields(Settings)}
    values: dict[str, object] = {}
    for key, value in raw.items():
        if key not in known:
            raise BadConfig(where, str(key), f"is unknown; known: {', '.join(sorted(known))}")
        if value is not None:
            values[key] = _checked(where, key, known[key], value)
    return Settings(**values)  # type: ignore[arg-type]


def _no_yaml(data: bytes, error: Exception) -> str:
    """What is wrong with a file that cannot be read, and in which line."""
    if marker := _MARKER.search(data):
        line = data.count(b"\n", 0, marker.start()) + 1
        return f"holds a conflict of git that begins in line {line}: choose, and take the marker lines out"
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    if mark is None:
        return f"is no YAML: {str(error).splitlines()[0]}"
    assert isinstance(error, yaml.MarkedYAMLError)
    return f"is no YAML: {error.problem or error.context} (line {mark.line + 1})"


def _checked(where: str, key: str, kind: object, value: object) -> object:
    """The value in the field's type, or BadConfig."""
    if key in _LISTS:
        return _LISTS[key](where, key, value)
    if key == "ranking":
        return _ranking(where, value)
    if kind in ("int", "float"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadConfig(where, key, "must be a number")
        return _number(where, key, kind, value)
    if not isinstance(value, str):
        raise BadConfig(where, key, "must be text")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise BadConfig(where, key, f"must be one of {', '.join(_CHOICES[key])}")
    if key in _TEXTS:
        return _TEXTS[key](where, value)
    return value


#: Least value of numbers below which the program would spin or cut between every word.
_LEAST: Mapping[str, float] = {"chunk_tokens": 50, "reconcile_seconds": 1, "llm_permits": 1, "max_file_mb": 1}

#: …and the most of any: a longer whole number is no float.
_MOST = 1e300


def _number(where: str, key: str, kind: object, value: float) -> float:
    if not _LEAST.get(key, 0) <= value <= _MOST:
        raise BadConfig(where, key, f"must be a number, {_LEAST.get(key, 0):g} or more")
    return int(value) if kind == "int" else float(value)


def _ranking(where: str, value: object) -> Weights:
    """The constants of ranking, those that are named instead of their defaults."""
    if not isinstance(value, dict):
        raise BadConfig(
            where, "ranking", "must be 'name: number' lines (example: {vector: 0.4, recency_half_life: 60})"
        )
    given = {name: number for name, number in value.items() if number is not None}
    for name, number in given.items():
        if problem := problem_of(str(name), number):
            raise BadConfig(where, f"ranking.{name}", problem)
    return weights_of(cast("dict[str, float]", given))


def _folder(where: str, value: str) -> str:
    """A folder below the vault's root, without slashes at its ends."""
    parts = value.strip("/").split("/")
    if value.startswith("/") or "\\" in value or any(part.startswith(".") or not part.strip() for part in parts):
        raise BadConfig(where, "inbox", f"must be a folder inside the vault, not {value!r}")
    if parts[0].casefold() in ("wiki", "entities"):
        raise BadConfig(where, "inbox", "may not lie where vaultmem keeps its own notes")
    return "/".join(parts)


def _daily(where: str, value: str) -> str:
    if "Y" not in value or "D" not in value or "M" not in value:
        raise BadConfig(where, "daily_notes", f"names no year, month and day: {value!r} (example: YYYY-MM-DD)")
    return value


def _names(where: str, key: str, value: object) -> tuple[str, ...]:
    """One name or a list of names."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(v, str) for v in value):
        return tuple(value)
    raise BadConfig(where, key, "must be a list of text")


def _globs(where: str, key: str, value: object) -> tuple[str, ...]:
    """Patterns of vault paths; one that leads out of the vault, or means nothing, is a typing error."""
    globs = _names(where, key, value)
    for glob in globs:
        if not glob.strip("/. ") or glob.startswith("/") or "\\" in glob or ".." in glob.split("/"):
            raise BadConfig(where, key, f'names no notes of the vault: {glob!r} (example: "Journal/**")')
    return globs


def _pii_families(where: str, key: str, value: object) -> tuple[str, ...]:
    """Families that exist, each once, in their own order: the same choice gives the same notes."""
    named = _names(where, key, value)
    unknown = [name for name in named if name not in PII_FAMILIES]
    if unknown:
        raise BadConfig(where, key, f"names no family: {unknown[0]!r} (there are {', '.join(PII_FAMILIES)})")
    return tuple(family for family in PII_FAMILIES if family in named)


def _zone(where: str, name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        raise BadConfig(where, "timezone", f"names no time zone: {name!r} (example: Europe/Berlin)") from None
    return name


_LISTS: Mapping[str, Callable[[str, str, object], tuple[str, ...]]] = {
    "me": _names,
    "notes": _globs,
    "notes_exclude": _globs,
    "redact_pii": _pii_families,
}
_TEXTS: Mapping[str, Callable[[str, str], str]] = {"timezone": _zone, "inbox": _folder, "daily_notes": _daily}


_HEAD = "# Settings of this vault's memory. Every key may be left out; 'vaultmem status' names what is in force.\n"


def render_settings(settings: Settings) -> str:
    """The config file `init` writes: the choices that differ per vault, the rest by default."""
    return (
        f"{_HEAD}timezone: {settings.timezone}\n"
        f"inbox: {_quoted(settings.inbox)}\n"
        "# your own names, mail addresses and handles, so that what you wrote and what names you is known\n"
        "me: []\n"
        "# your own notes become memory where they stand (never copied, never changed) once you name them here:\n"
        '# notes: ["**/*.md"]\n'
        '# notes_exclude: ["Private/**"]\n'
    )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


#: Kept for callers that build Settings in tests and the app.
DEFAULTS = Settings()

__all__ = ["CONFIG_PATH", "DEFAULTS", "PII_FAMILIES", "Settings", "parse_settings", "render_settings"]
