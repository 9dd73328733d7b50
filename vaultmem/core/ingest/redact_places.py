"""Secrets that are known by the place they stand in: URLs, headers, command lines, otpauth and WIFI codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.core.ingest.redact_families import HEADER, PERSONAL, URL_PASSWORD
from vaultmem.core.ingest.redact_strength import entropy
from vaultmem.core.ingest.redact_values import is_placeholder
from vaultmem.core.ingest.redact_view import View

Span = tuple[int, int, str]

_AUTHORITY = 512
#: user : password @ host, the password without what ends an authority …
_USERINFO = re.compile(
    r"(?P<user>[^\s:/?#@\"'<>`(){}|\\^]{0,128}):(?P<password>[^\s/?#\"<>`\ue0f0\ue0f1]{1,256})@(?=[\w\[.$-])"
)
#: … and with it, when no port number can stand there
_ODD_USERINFO = re.compile(
    r"(?P<user>[^\s:/?#@\"'<>`(){}|\\^]{0,128}):(?![0-9]{1,5}[/?#])(?P<password>[^\s\"<>`\ue0f0\ue0f1]{1,256}?)"
    r"@(?=[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?:[:/?#\s)\]\"']|\Z)|localhost\b|\[)"
)
_CREDENTIAL = r"(?P<value>[^\s\"'`,;<>\ue0f0\ue0f1\\]{1,4096})"
_QUOTES = "[\"'`\ue0f0\ue0f1*_]{0,3}"
_AUTHORIZATION = re.compile(
    rf"authorization{_QUOTES}[ \t]{{0,4}}(?:[:=]|=>|,|：)[ \t]{{0,4}}{_QUOTES}[ \t]?(?:[fb](?=[\"']))?[\"']?"
    rf"(?:(?P<scheme>[A-Za-z][\w-]{{2,30}})(?:[ \t]+|[ \t]*\n[ \t>]+))?{_CREDENTIAL}",
    re.IGNORECASE,
)
_BEARER = re.compile(rf"bearer[ \t]+{_QUOTES}{_CREDENTIAL}", re.IGNORECASE)
_SCHEMES = {"bearer", "basic", "token", "apikey", "key", "digest", "negotiate", "ntlm", "oauth", "bot", "jwt", "hoba"}
_USER_FLAG = re.compile(
    r"(?<![\w-])(?:-u|--user|--proxy-user|-U)(?:[ \t]{1,4}|=|(?=[\"'\w]))"
    r"(?:(?P<quote>[\"'\ue0f0\ue0f1])(?P<quser>[^:\n\"'\ue0f0\ue0f1]{0,128}):(?P<qpass>[^\n]{1,256}?)(?P=quote)"
    r"|(?P<user>[^\s:\"']{0,128}):(?P<pass>[^\s\"'`<>|\ue0f0\ue0f1]{1,256}))"
)
_CLIENTS = re.compile(r"(?<![\w-])(?:curl|wget|http|https|xh|curlie|aria2c)(?:\.exe)?[ \t]")
_COOKIE = re.compile(
    r"(?:set-)?cookie[\"'\ue0f0]?[ \t]{0,4}[:=][ \t]{0,4}[\"'\ue0f0]?(?P<pairs>[^\n\"\ue0f0]{1,4096})", re.IGNORECASE
)
_PAIR = re.compile(r"(?P<name>[\w.-]{1,64})=(?P<value>[^;\s\"']{1,2048})")
_COOKIE_NAMES = re.compile(r"sess|sid|auth|token|jwt|csrf|xsrf|remember|login|secret|credential", re.IGNORECASE)

_OTP = re.compile(r"otpauth(?:-migration)?://[^\s\"'<>`\ue0f0]{1,2048}", re.IGNORECASE)
_OTP_SECRET = re.compile(r"[?&](?:secret|data)=(?P<value>[^&#\s)\]]+)", re.IGNORECASE)
_WIFI = re.compile(r"wifi:(?:[A-Z]{1,3}:(?:\\.|[^;\\\n]){0,256};){0,6}", re.IGNORECASE)
_WIFI_PASSWORD = re.compile(r"(?<=[:;])P:(?P<value>(?:\\.|[^;\\\n]){1,256})(?=;|$)", re.IGNORECASE | re.MULTILINE)
_BITLOCKER = re.compile(r"[0-9](?<![0-9-].)[0-9]{5}(?:-[0-9]{6}){7}(?![0-9-])")
_BITLOCKER_LENGTH = 55
#: what a header or a code begins with, in lower case
_HINTS = ("authorization", "bearer", "cookie", "otpauth", "wifi:")
#: the flag of a command line before a user
_FLAG = re.compile(r"(?<![\w-])-(?:[uU]|-user|-proxy-user)")


def hints_at_places(word: str, lower: str) -> bool:
    """Whether a text with this word, or one so long, can hold a secret that its place gives away."""
    return (
        len(word) >= _BITLOCKER_LENGTH
        or "@" in word.partition("://")[2]
        or any(hint in lower for hint in _HINTS)
        or _FLAG.search(word) is not None
    )


def find_places(view: View) -> Iterator[Span]:
    """Every secret that its surroundings give away; only the secret part is spanned."""
    yield from _url_passwords(view.text)
    yield from _headers(view)
    yield from _command_lines(view)
    yield from _personal(view)


def _hits(text: str, hint: str) -> Iterator[int]:
    at = text.find(hint)
    while at >= 0:
        yield at
        at = text.find(hint, at + 1)


def _url_passwords(text: str) -> Iterator[Span]:
    at = text.find("://")
    while at >= 0:
        following = text.find("://", at + 3)
        start = at + 3
        limit = min(start + _AUTHORITY, len(text) if following < 0 else following)
        found = _USERINFO.match(text, start, limit) or _ODD_USERINFO.match(text, start, limit)
        if found and text[max(0, at - 7) : at].lower() != "otpauth" and not is_placeholder(found["password"]):
            yield *found.span("password"), URL_PASSWORD
        at = following


def _headers(view: View) -> Iterator[Span]:
    text, lower = view.text, view.lower
    for at in _hits(lower, "authorization"):
        found = _AUTHORIZATION.match(text, at)
        if found and _is_credential(found["value"], (found["scheme"] or "").lower()):
            yield *_trimmed(text, *found.span("value")), HEADER
    for at in _hits(lower, "bearer"):
        found = _BEARER.match(text, at)
        if found and len(found["value"]) >= 12 and _is_credential(found["value"], ""):
            yield *_trimmed(text, *found.span("value")), HEADER
    yield from _cookies(view)


def _cookies(view: View) -> Iterator[Span]:
    done = 0
    for at in _hits(view.lower, "cookie"):
        found = _COOKIE.match(view.text, at) if at >= done else None
        done = found.end() if found else done
        for pair in _PAIR.finditer(view.text, *found.span("pairs")) if found else ():
            if _COOKIE_NAMES.search(pair["name"]) and len(pair["value"]) >= 16 and entropy(pair["value"]) >= 3:
                yield *pair.span("value"), HEADER


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end - 1 > start and text[end - 1] in ".)]}":
        end -= 1
    return start, end


def _is_credential(value: str, scheme: str) -> bool:
    """After a known scheme anything but a stand-in; else it must not be a word of prose."""
    if is_placeholder(value):
        return False
    if scheme in _SCHEMES:
        return len(value) >= 4
    return len(value) >= 8 and any(c.isdigit() for c in value)


def _command_lines(view: View) -> Iterator[Span]:
    """`curl -u user:password`: the flag, with the name of a client before it on the same (continued) line."""
    text = view.text
    if not ("-u" in text or "-U" in text or "--proxy-user" in text):
        return
    done = 0
    for client in _CLIENTS.finditer(view.text):
        if client.start() < done:
            continue
        done = _end_of_command(view.text, client.end())
        for found in _USER_FLAG.finditer(view.text, client.end(), done):
            group = "qpass" if found["qpass"] else "pass"
            if not is_placeholder(found[group]):
                yield *found.span(group), HEADER


def _end_of_command(text: str, start: int) -> int:
    end = text.find("\n", start)
    while end > 0 and text[end - 1] == "\\":
        end = text.find("\n", end + 1)
    return len(text) if end < 0 else end


def _personal(view: View) -> Iterator[Span]:
    done = 0
    for at in _hits(view.lower, "otpauth"):
        found = _OTP.match(view.text, at) if at >= done else None
        done = found.end() if found else done
        for secret in _OTP_SECRET.finditer(view.text, *found.span()) if found else ():
            if not is_placeholder(secret["value"]):
                yield *secret.span("value"), PERSONAL
    for at in _hits(view.lower, "wifi:"):
        found = _WIFI.match(view.text, at)
        for secret in _WIFI_PASSWORD.finditer(view.text, *found.span()) if found else ():
            if not is_placeholder(secret["value"]):
                yield *secret.span("value"), PERSONAL
    longest = max(map(len, view.words), default=0)
    for found in _BITLOCKER.finditer(view.text) if longest >= _BITLOCKER_LENGTH else ():
        yield *found.span(), PERSONAL
