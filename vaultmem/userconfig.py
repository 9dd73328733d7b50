"""What belongs to the user and never to a vault: model endpoints and their keys. YAML text and environment -> a value.

    llm: {api: openai, url: "https://llm.example/v1", model: small, key: ...}
    embedder: {api: ollama, url: "http://127.0.0.1:11434", model: embed, dimensions: 768}
    reranker: {api: tei, url: "http://127.0.0.1:8080"}
    facts: {backend: agentmemory, url: "http://127.0.0.1:3111", key: ...}

Nothing is asked over a network unless its `url` is named here. VAULTMEM_LLM_URL and its like override the file, value
by value; a `url` of `none` switches an endpoint off. No message shows a value: any may be a key in the wrong place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import yaml

from vaultmem.errors import BadConfig

APIS = ("openai", "ollama")
#: how rerankers are served: `/v1/rerank` as Cohere has it, or text-embeddings-inference
RERANK_APIS = ("cohere", "tei")
OFF = "none"
_ENVIRONMENT = "environment"
#: section of the file -> how its variables begin
_SECTIONS: Mapping[str, str] = {
    "llm": "VAULTMEM_LLM_",
    "embedder": "VAULTMEM_EMBED_",
    "reranker": "VAULTMEM_RERANK_",
    "facts": "VAULTMEM_FACTS_",
}
_KEYS: Mapping[str, tuple[str, ...]] = {
    "llm": ("api", "url", "model", "key", "timeout"),
    "embedder": ("api", "url", "model", "key", "timeout", "dimensions"),
    "reranker": ("api", "url", "model", "key", "timeout"),
    "facts": ("backend", "url", "key", "timeout"),
}
#: what is of no use without which
_NEEDED: Mapping[str, tuple[str, ...]] = {
    "llm": ("url", "model"),
    "embedder": ("url", "model"),
    "reranker": ("url",),
    "facts": ("url",),
}
NOTES = "notes"
BACKENDS = (NOTES, "agentmemory")
#: seconds
_PATIENCE = 60.0
_FACTS_PATIENCE = 10.0
#: a person waits for it with every question
_RERANK_PATIENCE = 5.0
_LONGEST_WAIT = 3600.0
_MOST_DIMENSIONS = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A model that somebody serves."""

    #: the protocol: one of APIS, of a reranker one of RERANK_APIS
    api: str
    #: as the user wrote it, without slashes at its end
    url: str
    #: "" for a reranker that serves one model alone
    model: str
    #: sent as a bearer token; never shown, logged or written
    key: str = field(default="", repr=False)
    #: seconds one answer may take in all
    timeout: float = _PATIENCE
    #: embedder: length of a vector to ask for; 0: the model's own
    dimensions: int = 0

    @property
    def shown(self) -> str:
        """What a person is told of it: nothing secret."""
        return f"{self.model} at {self.url} ({self.api})".removeprefix(" at ")


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsHome:
    """A service that keeps facts for several agents."""

    #: one of BACKENDS, and not the notes of the vault
    backend: str
    #: as the user wrote it, without slashes at its end
    url: str
    #: sent as a bearer token; never shown, logged or written
    key: str = field(default="", repr=False)
    #: seconds one answer may take in all
    timeout: float = _FACTS_PATIENCE

    @property
    def shown(self) -> str:
        """What a person is told of it: nothing secret."""
        return f"{self.backend} at {self.url}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UserConfig:
    """The models and services a user named; None: there is none."""

    llm: Endpoint | None = None
    embedder: Endpoint | None = None
    reranker: Endpoint | None = None
    #: None: facts are kept in notes of the vault
    facts: FactsHome | None = None


def parse_user_config(data: bytes, environ: Mapping[str, str], where: str) -> UserConfig:
    """Read the user's file and what the environment overrides. Raises BadConfig naming the setting, never its value."""
    raw = _mapping(data, where)
    for key in raw:
        if key not in _SECTIONS:
            raise BadConfig(where, _name(key), f"is unknown; known: {', '.join(_SECTIONS)}")
    values = {section: _values(section, raw.get(section), environ, where) for section in _SECTIONS}
    return UserConfig(
        llm=_endpoint(values["llm"]),
        embedder=_endpoint(values["embedder"]),
        reranker=_endpoint(values["reranker"], RERANK_APIS, _RERANK_PATIENCE),
        facts=_facts_home(values["facts"]),
    )


def _mapping(data: bytes, where: str) -> Mapping[object, object]:
    try:
        raw = yaml.safe_load(data.decode("utf-8-sig")) or {}
    except UnicodeDecodeError:
        raise BadConfig(where, "(file)", "is no UTF-8 text") from None
    except yaml.MarkedYAMLError as error:  # its text may quote the line it stopped at, and with it a key
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadConfig(where, "(file)", f"is no YAML: see line {line}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise BadConfig(where, "(file)", "is no YAML") from None
    if not isinstance(raw, dict):
        raise BadConfig(where, "(file)", "must be a list of 'key: value' lines")
    return raw


def _values(
    section: str, given: object, environ: Mapping[str, str], where: str
) -> dict[str, tuple[object, tuple[str, str]]]:
    """key -> (value, where it stands as file and setting): the file's, then the environment's in its place."""
    if not isinstance(given, dict | None):
        raise BadConfig(where, section, f"must hold {', '.join(_KEYS[section])}")
    found: dict[str, tuple[object, tuple[str, str]]] = {}
    for key, value in (given or {}).items():
        if key not in _KEYS[section]:
            raise BadConfig(where, f"{section}.{_name(key)}", f"is unknown; known: {', '.join(_KEYS[section])}")
        if value is not None:
            found[key] = (value, (where, f"{section}.{key}"))
    for key in _KEYS[section]:
        variable = _SECTIONS[section] + key.upper()
        if environ.get(variable, "").strip():
            found[key] = (environ[variable].strip(), (_ENVIRONMENT, variable))
    if ("url" in found and found["url"][0] == OFF) or ("backend" in found and found["backend"][0] == NOTES):
        return {}
    for key in _NEEDED[section] if found else ():
        if key not in found:
            raise BadConfig(*next(iter(found.values()))[1], f"is of no use without {section}.{key}")
    return found


def _endpoint(
    found: Mapping[str, tuple[object, tuple[str, str]]], apis: tuple[str, ...] = APIS, patience: float = _PATIENCE
) -> Endpoint | None:
    if not found:
        return None
    texts = {key: _text(*found[key]) for key in ("api", "url", "model", "key") if key in found}
    if texts.setdefault("api", apis[0]) not in apis:
        raise BadConfig(*found["api"][1], f"must be one of {', '.join(apis)}")
    texts.setdefault("model", "")
    _check_address(texts, found)
    timeout = _number(*found["timeout"], most=_LONGEST_WAIT) if "timeout" in found else patience
    dimensions = int(_number(*found["dimensions"], most=_MOST_DIMENSIONS)) if "dimensions" in found else 0
    return Endpoint(**texts, timeout=timeout, dimensions=dimensions)


def _facts_home(found: Mapping[str, tuple[object, tuple[str, str]]]) -> FactsHome | None:
    if not found:
        return None
    texts = {key: _text(*found[key]) for key in ("backend", "url", "key") if key in found}
    if texts.setdefault("backend", BACKENDS[1]) not in BACKENDS:
        raise BadConfig(*found["backend"][1], f"must be one of {', '.join(BACKENDS)}")
    _check_address(texts, found)
    timeout = _number(*found["timeout"], most=_LONGEST_WAIT) if "timeout" in found else _FACTS_PATIENCE
    return FactsHome(**texts, timeout=timeout)


def _check_address(texts: dict[str, str], found: Mapping[str, tuple[object, tuple[str, str]]]) -> None:
    """Raises BadConfig for a URL or key that cannot be used; the URL is left without slashes at its end."""
    _check_url(texts["url"], found["url"][1])
    if not texts.get("key", "").isascii() or " " in texts.get("key", ""):
        raise BadConfig(*found["key"][1], "must be one word of plain letters, digits and signs")
    texts["url"] = texts["url"].rstrip("/")


def _text(value: object, place: tuple[str, str]) -> str:
    if not isinstance(value, str) or not value.strip() or not value.strip().isprintable():
        raise BadConfig(*place, "must be one line of text, in quotes when it looks like a number")
    return value.strip()


def _number(value: object, place: tuple[str, str], *, most: float) -> float:
    """A number above 0; the environment has it as text."""
    try:
        number = math.nan if isinstance(value, bool) else float(str(value))
    except ValueError:
        number = math.nan
    if not 0 < number <= most:
        raise BadConfig(*place, f"must be a number above 0, {most:,.0f} at most")
    return number


def _check_url(url: str, place: tuple[str, str]) -> None:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise BadConfig(*place, "is no URL") from None
    if parts.scheme not in ("http", "https") or not host or any(char.isspace() for char in url):
        raise BadConfig(*place, "must begin with http:// or https:// and name a host")
    if parts.username is not None or parts.query or parts.fragment:
        raise BadConfig(*place, "must be an address alone: a key stands under 'key'")


def _name(key: object) -> str:
    """A setting's name as shown: short, and only when it looks like one."""
    text = str(key)
    return text if text.isidentifier() and len(text) <= 24 else "(unreadable name)"
