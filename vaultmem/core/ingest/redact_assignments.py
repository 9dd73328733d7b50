"""Finds secrets that a word announces: `password = …`, `"apiKey": "…"`, `Passwort: …`, "my password is …"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vaultmem.core.ingest.redact_families import ASSIGNMENT
from vaultmem.core.ingest.redact_keywords import (
    KEY_OWNER,
    KEY_OWNER_REACH,
    STEMS,
    Stem,
    verdict_of_suffix,
)
from vaultmem.core.ingest.redact_strength import has_mixed_case_and_digit
from vaultmem.core.ingest.redact_values import (
    has_function_word,
    is_code,
    is_number,
    is_ordinary,
    is_own_name,
    is_placeholder,
    is_sentence,
    is_state,
    looks_like_password,
)
from vaultmem.core.ingest.redact_view import Prose, View, lowered

Span = tuple[int, int, str]

_QUOTES = {
    '"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "‘": "’", "‚": "‘", "「": "」", "『": "』",
    "\ue0f0": "\ue0f0", "\ue0f1": "\ue0f1", "**": "**", "__": "__", "==": "==", "~~": "~~", "||": "||", "``": "``",
    "*": "*", "_": "_", "***": "***", '"""': '"""', "'''": "'''",
}  # fmt: skip
_CLOSE = r"[\"'`*_\])\ue0f0\ue0f1”»」』]{0,4}"
_PAREN = r"(?:[ \t]{0,3}(?!\[redacted:)[(（\[][^()\[\]（）\n]{0,60}[)）\]])?"
_VERBS = (
    "is now|is still|is|was|will be|are|equals|ist jetzt|ist|lautet|war|est|était|es|era|è|é|är|er|jest|to|"
    "jest to|on|este|"
    "является|теперь|новый|olarak|adalah|là|হল|है|היא|הוא|هي|هو|είναι"
)
_FOR = (
    r"(?P<purpose>[ \t]+(?:for|to|of|on|from|at|für|fuer|zum|zur|von|vom|im|in|pour|de|du|des|del|para|do|da|"
    r"per|voor|van|för|"
    r"till|til|для|от|к|на|do|dla|u|ke)[ \t][^:=：\n\"'|]{0,60}?)?"
)
_TAIL = re.compile(
    rf"(?P<close>{_CLOSE}){_PAREN}{_FOR}"
    rf"(?:(?P<assign>[ \t]{{0,8}}(?:=>|:=|={{1,3}}|：|＝|:|→|->|⇒)[*_]{{0,3}}[ \t\x0b]{{0,8}})"
    rf"|(?P<verb>[ \t]+(?:{_VERBS})[ \t]*:?[ \t]+|[ \t]*(?:是|为|為|は|叫)[ \t:：]*)"
    rf"|(?P<cell>[ \t]*\|[ \t]*)|(?P<dash>[ \t]+[-–—][ \t]+)|(?P<xml>>)|"
    rf"(?P<pair>[,;]?[ \t\n]{{1,40}}[\"']?value[\"']?[ \t]*[:=][ \t]*)"
    rf"|(?P<space>(?(purpose)(?!)|[ \t]+)))",
    re.IGNORECASE,
)
_IDENTIFIER_BEFORE = re.compile(r"[\w.$-]{0,48}\Z")
_LINE_LEAD = re.compile(
    r"[\s>*_#+`•|-]*(?:\d{1,3}[.)][ \t]+)?(?:\[[ xX]\][ \t]+)?(?:(?:export|set|const|let|var|final|static|ENV|"
    r"ARG|\$env:)[ \t]*)?[\"'*_`\ue0f0]*"
)
_COUNTED = re.compile(
    r"(?:max|min|num|n|total|input|output|prompt|completion|used|usage)(?:[_-]|(?=[A-Z]))", re.IGNORECASE
)
_FIELDS = frozenset((
    "apikey", "token", "password", "passwd", "passphrase", "secret", "accesstoken", "refreshtoken", "authtoken",
    "bearertoken", "clientsecret", "secretkey", "privatekey", "apisecret", "apitoken",
))  # fmt: skip
#: what even in a field of that name is no value: a variable, a blank to fill in, a mask
_FILLED_IN_LATER = re.compile(
    r"\$\{.*|\$\(.*|\$[A-Z_][A-Z0-9_]*|%\w+%|\{\{.*|#\{.*|<[^>]*>|[*•●·.…]+|"
    r"(?:change|replace)[_-]?(?:me|this)|your[_-][\w-]*",
    re.DOTALL | re.IGNORECASE,
)
#: strings in a list, of JSON or of JSON in a string
_LIST = re.compile(r"\[\s{0,200}([\"'\ue0f0\ue0f1])([^\[\]]*)\1\s{0,200}\]")
#: an address, or the link that a summary has behind its sentence, is no value
_URL = re.compile(r"(?:https?|ftp|file|obsidian)://|\[\[wiki/", re.IGNORECASE)
_STRING_PREFIX = re.compile(r"[bfruBFRU]{1,2}(?=[\"'])")
_OPENER = re.compile(r"\"\"\"|'''|\*{1,3}|_{1,2}|~~|==|\|\||``|[\"'`“„«‘‚「『\ue0f0\ue0f1]")
_UNQUOTED = re.compile(
    r"[^\s\"`<\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uff60\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ue0f0\ue0f1]+(?:<(?![a-zA-Z/!])[^\s\"`<\u3000-\u9fff]*)*"
)
_NEXT_PAIR = re.compile(r"[;,&](?=[\w .-]{1,30}=)|\)?\]\(")
_NEXT_LINE = re.compile(r"(?:[|>][+-]?[0-9]?)?[ \t]*\n(?:[ \t>]*\n)?[ \t>*+|-]*")
_VALUE_LIMIT = 4096
#: an unquoted value is taken up to here and judged by its head: long runs must not cost their length twice
_RUN_LIMIT = 1024
_JUDGED = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    """An announcing word in its place."""

    stem: Stem
    #: where the whole name starts
    start: int
    #: inside quotes, as JSON has it
    quoted: bool
    #: the name is a program's: `DB_PASSWORD`, `apiKey`, `--token`, `?token=`
    technical: bool
    #: it names a number of them: `max_tokens`
    counted: bool
    #: nothing but marks, or a short label, stands before it on its line
    leads: bool
    #: a suffix nobody knows, or a purpose ("for the router") stands between it and the separator
    loose: bool


_LETTER = re.compile(r"[^\W\d_]")
#: Each stem's longest word.
_PARTS = tuple((number, max(stem.text.split(), key=len)) for number, stem in enumerate(STEMS))
_ASCII_PARTS = tuple((number, part) for number, part in _PARTS if part.isascii())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Value:
    """What stands after the separator."""

    start: int
    end: int
    text: str
    quoted: bool
    #: more words follow on the line
    goes_on: bool
    #: the strings of a list, from the first to the last
    listed: bool = False


def find_assignments(view: View) -> Iterator[Span]:
    """Every value that a word for "password", "token", "secret", … announces."""
    for stem in [STEMS[number] for number in sorted({number for found in _PROSE.odd(view.words) for number in found})]:
        at = view.lower.find(stem.text)
        while at >= 0:
            span = _assigned(view, stem, at)
            if span:
                yield *span, ASSIGNMENT
            at = view.lower.find(stem.text, max(at + len(stem.text), span[1] if span else 0))


def hints_at_assignment(word: str) -> bool:
    """Whether a text with this word can announce a secret."""
    return bool(_stems_of(word))


def _stems_of(word: str) -> tuple[int, ...]:
    """Numbers of the stems in a word; of a stem of several words, its longest tells."""
    if not _LETTER.search(word):
        return ()
    lower = lowered(word)
    parts = _ASCII_PARTS if lower.isascii() else _PARTS
    return tuple([number for number, part in parts if part in lower])


_PROSE = Prose(_stems_of, lambda found: not found)


def _assigned(view: View, stem: Stem, at: int) -> tuple[int, int] | None:
    text = view.text
    if stem.text == "key" and not KEY_OWNER.search(view.lower, max(0, at - KEY_OWNER_REACH), at):
        return None
    if stem.alone and at and (text[at - 1].isalnum()):
        return None
    suffix = stem.suffix.match(view.lower, at + len(stem.text))
    end = suffix.end() if suffix else at + len(stem.text)
    english = suffix is not None and suffix.re.pattern.startswith("[0-9a-z_-]")
    verdict = verdict_of_suffix(suffix.group()) if suffix and english else "keeps"
    tail = _TAIL.match(text, end)
    if verdict == "undoes" or not tail or (english and tail["verb"] and tail["verb"].strip() in {"on", "to"}):
        return None
    counted = english and suffix is not None and suffix.group().startswith("s")
    key = _key_at(text, stem, at, loose=verdict == "unknown" or bool(tail["purpose"]), counted=counted)
    value = _value_at(text, tail)
    if not value or not value.text.strip() or value.text.startswith("[redacted"):
        return None
    field = _is_field(text, key, value, tail) and not _FILLED_IN_LATER.fullmatch(value.text)
    goes = field or (not (value.listed or is_placeholder(value.text)) and _is_secret(text, key, value, tail))
    return (value.start, value.end) if goes else None


def _key_at(text: str, stem: Stem, at: int, *, loose: bool, counted: bool) -> _Key:
    before = _IDENTIFIER_BEFORE.search(text, max(0, at - 48), at)
    start = before.start() if before else at
    line = text.rfind("\n", max(0, start - 200), start) + 1 or max(0, start - 200)
    mark = text[start - 1] if start else ""
    name = text[start : at + len(stem.text)]
    return _Key(
        stem=stem,
        start=start,
        quoted=mark != "" and mark in "\"'\ue0f0\ue0f1",
        counted=counted or _COUNTED.match(name) is not None,
        technical="_" in name[1:-1]
        or name.startswith("-")
        or mark in {"?", "&", ";", "<"}
        or (name.isupper() and name.isascii())
        or re.search("[a-z][A-Z]", name) is not None,
        leads=_leads(text[line:start]),
        loose=loose,
    )


def _leads(before: str) -> bool:
    """Marks only, or up to four words of a label ("WLAN", "Netflix kids")."""
    if _LINE_LEAD.fullmatch(before):
        return True
    label = re.split(r"[.!?:;,|>()]\s", before)[-1]
    return len(label.split()) <= 4 and not has_function_word(label)


def _value_at(text: str, tail: re.Match[str]) -> _Value | None:
    at = tail.end()
    if tail["assign"] and (below := _NEXT_LINE.match(text, at)):
        at = below.end()
    if prefix := _STRING_PREFIX.match(text, at):
        at = prefix.end()
    listed = _LIST.match(text, at, at + _VALUE_LIMIT) if tail["assign"] and text.startswith("[", at) else None
    if listed:
        return _Value(start=listed.start(2), end=listed.end(2), text=listed[2], quoted=True, goes_on=False, listed=True)
    opener = _OPENER.match(text, at)
    if opener:
        quoted = _quoted(text, opener)
        if quoted:
            return quoted
        if opener.group() in "\"'`":
            at = opener.end()
    return _xml_value(text, at) if tail["xml"] else _unquoted(text, at)


def _xml_value(text: str, at: int) -> _Value | None:
    end = text.find("</", at, at + _VALUE_LIMIT)
    content = text[at:end] if end > at else ""
    if not content.strip() or "\n" in content:
        return None
    return _Value(start=at, end=end, text=content, quoted=True, goes_on=False)


def _quoted(text: str, opener: re.Match[str]) -> _Value | None:
    closer = _QUOTES[opener.group()]
    start = opener.end()
    line = text.find("\n", start, start + _VALUE_LIMIT)
    limit = line if line >= 0 else start + _VALUE_LIMIT
    end = text.find(closer, start, limit)
    while closer in "\"'" and end > start and text[end - 1] == "\\":
        end = text.find(closer, end + 1, limit)
    if end <= start:
        return None
    return _Value(
        start=start, end=end, text=text[start:end], quoted=closer not in {"*", "_", "**", "__"}, goes_on=False
    )


def _unquoted(text: str, at: int) -> _Value | None:
    found = _UNQUOTED.match(text, at, at + _RUN_LIMIT)
    if not found:
        return None
    run = found.group()
    if cut := _NEXT_PAIR.search(run):
        run = run[: cut.start()]
    line_start = text.rfind("\n", max(0, at - 400), at) + 1
    if "|" in run and text.startswith("|", line_start):
        run = run.partition("|")[0]
    run = _without_closers(run)
    if run and run[-1] in "_*" and re.search(rf"(?<!\w){re.escape(run[-1])}(?=\w)", text[line_start:at]):
        run = run[:-1]
    if not run:
        return None
    rest = text[at + len(run) : at + len(run) + 40].partition("\n")[0]
    goes_on = re.match(r"[.,;:]?[ \t]+\w", rest) is not None
    return _Value(start=at, end=at + len(run), text=run[:_JUDGED], quoted=False, goes_on=goes_on)


def _without_closers(run: str) -> str:
    """Without the punctuation and brackets that belong to the sentence around it."""
    while run:
        last = run[-1]
        opens = {")": "(", "]": "[", "}": "{", ">": "<"}.get(last)
        if last in ".,;:'’”»" or (opens and opens not in run[:-1]):
            run = run[:-1]
        elif run.endswith(("**", "__", "~~", "||")):
            run = run[:-2]
        else:
            break
    return run


def _is_secret(text: str, key: _Key, value: _Value, tail: re.Match[str]) -> bool:
    if is_state(value.text) or _URL.match(value.text):
        return False
    flag = tail["space"] is not None and text.startswith("--", key.start)
    if tail["verb"] and value.quoted and key.stem.strength == "password":
        return not is_sentence(value.text)
    if tail["space"] and not flag:
        return _is_named_in_passing(key, value)
    if tail["pair"] or tail["xml"]:
        return not is_sentence(value.text) and (key.technical or key.stem.strength != "word")
    if tail["assign"] and not _is_distant(text, key, value, tail):
        return _is_assigned_secret(key, value, equals="=" in tail["assign"])
    return _is_assigned_secret(key, value, equals=True) if flag else _is_plain_password(value)


def _is_field(text: str, key: _Key, value: _Value, tail: re.Match[str]) -> bool:
    """A field of a JSON object that is called so: its value goes, whatever it looks like."""
    if not key.quoted or tail["assign"] is None or ":" not in tail["assign"]:
        return False
    name = re.sub("[_ -]", "", text[key.start : tail.start()]).lower()
    whole = text[key.start - 1] == tail["close"][:1]
    return whole and name in _FIELDS and (value.quoted or re.fullmatch(r"-?[0-9.]{2,}", value.text) is not None)


def _is_distant(text: str, key: _Key, value: _Value, tail: re.Match[str]) -> bool:
    """The word alone proves little: a purpose, an unknown suffix or a line end stands between it and the value."""
    return key.loose or key.stem.strength == "weak" or "\n" in text[tail.end() : value.start]


def _is_plain_password(value: _Value) -> bool:
    return " " not in value.text and looks_like_password(value.text) and (value.quoted or not is_code(value.text))


def _is_named_in_passing(key: _Key, value: _Value) -> bool:
    """Nothing but a blank between word and value: `Passwort TSbmzKRi`."""
    if value.quoted or len(value.text) < 7 or not _is_plain_password(value):
        return False
    ends = key.stem.strength == "password" and not value.goes_on and any(map(str.isdigit, value.text))
    return ends or (len(value.text) >= 8 and has_mixed_case_and_digit(value.text))


def _is_assigned_secret(key: _Key, value: _Value, *, equals: bool) -> bool:
    strength, text = key.stem.strength, value.text
    if value.quoted:
        return not is_sentence(text) and not is_own_name(text)
    if key.counted and strength == "word":
        return len(text) >= 12 and has_mixed_case_and_digit(text)
    if (value.goes_on and is_ordinary(text)) or (is_code(text) and not looks_like_password(text)):
        return False
    if is_number(text):
        return len(text) >= (4 if strength == "password" else 6) and not value.goes_on
    config = key.quoted or key.technical or equals
    if strength == "word" and not config:
        return looks_like_password(text) or (len(text) >= 8 and not is_ordinary(text))
    return config or key.leads or len(text) >= 8 or looks_like_password(text)
