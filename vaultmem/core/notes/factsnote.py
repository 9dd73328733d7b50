"""A note of facts: `- key: value` lines that vaultmem and a person write side by side.

    - city: Berlin
      - since 2026-04-21T10:12:00Z, from [[wiki/raw/chat/…#^m-…]] (3f2a9c)
      - was, 2025-01-02T09:00:00Z to 2026-04-21T10:12:00Z: Hamburg

The digits at the end of `since` are of the value: when a person changed that by hand, date and source are not said of
the new one. Of two lines with one key the lower counts. Nothing but the line of a key that is put, and vaultmem's own
lines below it, ever changes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from vaultmem.core.notes.ids import fold, sha256_hex
from vaultmem.facts import Change, Earlier, Fact, NewFact

FACTS = "wiki/facts"
#: Longer ones are text and no key.
MAX_KEY = 200

_LEAD = re.compile(r"[-*+][ \t]+(?=[^\s\[\]:`%<>#+-])")
_COLON = re.compile(r":(?:[ \t]+|$)")
#: A comment of the person's own behind a value; bounded, so that no line takes long.
_REMARK = re.compile(r"(?<=\S)\s+(?:%%(?:(?!%%).){0,200}%%|<!--(?:(?!-->).){0,200}-->)\s*$")
_SINCE = re.compile(r"[ \t]+- since (?P<since>\S+?)(?:, from (?P<source>.+))? \((?P<mark>[0-9a-f]{6})\)")
_WAS = re.compile(
    r"[ \t]+- was(?:, (?P<since>\S+))? to (?P<until>[^\s,:]\S*?)(?:, from (?P<source>.+?))?: (?P<value>.*)"
)
_FENCE = re.compile(r"[ \t]{0,3}(?P<fence>`{3,}|~{3,})")
#: What Obsidian would carry out, or what would hide the lines below; a backslash between makes it text.
_DANGER = (r"%", r"(?=%)"), (r"!", r"(?=\[)"), (r"`", r"(?=\$?=)"), (r"<", r"(?=!--|br>)")
_ALIVE = re.compile("|".join(rf"{first}\\*{then}" for first, then in _DANGER))
_HELD = re.compile("|".join(rf"{first}\\+{then}" for first, then in _DANGER))
_BREAK = "<br>"


@dataclass(slots=True, kw_only=True)
class _Held:
    """One fact line and vaultmem's own lines below it, as places in the list of lines."""

    at: int
    key: str
    value: str
    since: str = ""
    source: str = ""
    #: the place of the `since` line; -1 where there is none
    since_at: int = -1
    was: list[Earlier] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    """A fact line, cut where it may be put together again."""

    #: all that stands before the value
    above: str
    key: str
    #: the value as it stands there; never empty
    shown: str
    #: a comment behind it, with the blanks before it
    remark: str


def _parts(line: str) -> _Parts | None:
    """None for a line that is no fact: `- Projects:` heads a list of a person's own."""
    start = 1 if line.startswith("\ufeff") else 0
    lead = _LEAD.match(line, start)
    colon = _COLON.search(line, lead.end()) if lead else None
    if lead is None or colon is None:
        return None
    # `- **City**: Berlin` is how a person may write it
    key, rest = line[lead.end() : colon.start()].rstrip().strip("*_"), line[colon.end() :]
    found = _REMARK.search(rest)
    remark = found.group() if found else rest[len(rest.rstrip()) :]
    shown = rest.removesuffix(remark)
    if not shown or not key or len(key) > MAX_KEY:
        return None
    return _Parts(above=line[: colon.end()], key=key, shown=shown, remark=remark)


def read_facts(namespace: str, path: str, text: str) -> tuple[Fact, ...]:
    """What a note says, sorted by folded key."""
    found = {fold(held.key): held for held in _held(_lines(text))}
    return tuple(
        Fact(
            namespace=namespace, key=held.key, value=held.value, since=held.since, source=held.source,
            earlier=tuple(held.was), note_path=path, line=held.at + 1,
        )
        for _, held in sorted(found.items())
    )  # fmt: skip


def put_facts(text: str, items: Sequence[NewFact], *, now: str) -> tuple[str, tuple[Change, ...]]:
    """The note with these facts in it, and what each changed. `now`: ISO, UTC. Not a byte of other lines changes."""
    lines = text.split("\n")
    newline = "\r" if any(line.endswith("\r") for line in lines) else ""
    changes = []
    for item in items:
        held = {fold(held.key): held for held in _held([line.removesuffix("\r") for line in lines])}
        before, at = held.get(fold(item.key)), item.at or now
        if before is None:
            _insert(lines, list(held.values()), item, at, newline)
            changes.append(Change(key=item.key, value=item.value, done="added"))
        elif before.value == item.value:
            changes.append(Change(key=before.key, value=item.value, done="same", before=before.value))
        else:
            _supersede(lines, before, item, at, newline)
            changes.append(Change(key=before.key, value=item.value, done="superseded", before=before.value))
    return "\n".join(lines), tuple(changes)


def new_note(namespace: str) -> str:
    """What stands above the facts of a note that vaultmem makes."""
    return (
        f"# Facts: {namespace}\n\n"
        "%% One fact a line: `- key: value`. Your changes count at once; your own lines stay as they are. %%\n"
    )


def is_key(text: str) -> bool:
    """Whether a line `- <text>: value` is read back as that key."""
    parts = _parts(f"- {text}: x")
    return parts is not None and parts.key == text


def united_lines(one: Sequence[str], other: Sequence[str]) -> list[str] | None:
    """The facts of two versions of the same lines; None where something else stands among them.

    Of two values of one key the later one counts (of two without dates the greater); the other is kept below it.
    """
    groups = [_groups(sorted_side) for sorted_side in sorted([tuple(map(_ended, one)), tuple(map(_ended, other))])]
    if groups[0] is None or groups[1] is None:
        return None
    found = dict(groups[0])
    for key, lines in groups[1].items():
        found[key] = _one_fact(found[key], lines) if key in found else lines
    return [line for key in sorted(found) for line in found[key]]


def facts_end(lines: Sequence[str]) -> int:
    """How many lines there are before the first that is no fact and belongs to none."""
    for at, line in enumerate(lines):
        bare = line.rstrip("\r\n")
        if bare.strip() and bare[:1] not in (" ", "\t") and _parts(bare) is None:
            return _end_of_text([above.rstrip("\r\n") for above in lines[:at]])
    return len(lines)


def _groups(lines: Sequence[str]) -> dict[str, list[str]] | None:
    """Folded key -> its line and those below it; the key of lines that begin below a common one is ""."""
    found: dict[str, list[str]] = {}
    key = ""
    for line in lines:
        parts = _parts(line.rstrip("\r\n"))
        if parts:
            key = fold(parts.key)
        elif line.strip() and line[:1] not in (" ", "\t"):
            return None
        if line.strip():
            found.setdefault(key, []).append(line)
    return found


def _one_fact(one: list[str], other: list[str]) -> list[str]:
    """Of one key: the later value with its date, then every line that stands below either."""
    if one == other:
        return one
    first, second = (_held([line.rstrip("\r\n") for line in lines]) for lines in (one, other))
    if not first or not second:  # below a line that both have
        return list(dict.fromkeys((*one, *other)))
    (one, a), (other, b) = sorted(
        [(one, first[-1]), (other, second[-1])], key=lambda each: (each[1].since, each[1].value)
    )
    below = [line for line in (*other[1:], *one[1:]) if _WAS.fullmatch(line.rstrip("\r\n"))]
    rest = [line for line in other[1:] if line not in below]
    newline = "\r\n" if other[0].endswith("\r\n") else "\n"
    if a.value != b.value:
        since = f", {a.since}" if a.since else ""
        until = b.since or a.since or "unknown"
        below.insert(0, f"  - was{since} to {until}{_from(a.source)}: {_shown(a.value)}{newline}")
    return [other[0], *rest, *dict.fromkeys(below)]


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n"


def _supersede(lines: list[str], held: _Held, item: NewFact, now: str, newline: str) -> None:
    """The line with its new value; the old one below, with its dates."""
    parts = _parts(lines[held.at].removesuffix("\r"))
    assert parts is not None
    lines[held.at] = f"{parts.above}{_shown(item.value)}{parts.remark}{newline}"
    old = f"  - was{f', {held.since}' if held.since else ''} to {now}{_from(held.source)}: {_shown(held.value)}"
    if held.since_at >= 0:
        del lines[held.since_at]
    lines[held.at + 1 : held.at + 1] = [f"{_since(item, now)}{newline}", f"{old}{newline}"]


def _insert(lines: list[str], held: Sequence[_Held], item: NewFact, now: str, newline: str) -> None:
    """A new key among the others where the alphabet has it, so that two branches seldom write in one place."""
    made = [f"- {item.key}: {_shown(item.value)}{newline}", f"{_since(item, now)}{newline}"]
    smaller = [one for one in held if fold(one.key) < fold(item.key)]
    if smaller:
        at = _end_of(lines, max(smaller, key=lambda one: fold(one.key)).at)
    elif held:
        at = min(one.at for one in held)
    else:
        at = _end_of_text(lines)
        made = [newline, *made] if at else made
    if at == len(lines):
        if at:  # the last line has no end of its own yet
            lines[at - 1] = f"{lines[at - 1].removesuffix(newline)}{newline}"
        made.append("")
    lines[at:at] = made


def _end_of_text(lines: Sequence[str]) -> int:
    """The place behind the last line that is not blank."""
    return next((at for at in range(len(lines), 0, -1) if lines[at - 1].strip()), 0)


def _end_of(lines: Sequence[str], at: int) -> int:
    """The place behind a fact's line and all that is indented below it."""
    at += 1
    while at < len(lines) and lines[at][:1] in (" ", "\t") and lines[at].strip():
        at += 1
    return at


def _since(item: NewFact, now: str) -> str:
    return f"  - since {now}{_from(item.source)} ({_mark(item.value)})"


def _from(source: str) -> str:
    return f", from {source}" if source else ""


def _mark(value: str) -> str:
    return sha256_hex(value.encode("utf-8", "surrogatepass"))[:6]


def _lines(text: str) -> list[str]:
    return [line.removesuffix("\r") for line in text.split("\n")]


def _held(lines: Sequence[str]) -> list[_Held]:
    """Every fact line in order, with what vaultmem wrote below it. Code and comments hold none."""
    found: list[_Held] = []
    current: _Held | None = None
    hidden = _Hidden()
    for at, line in enumerate(lines):
        if hidden.hides(line):
            continue
        parts = _parts(line)
        if parts:
            current = _Held(at=at, key=parts.key, value=_meant(parts.shown))
            found.append(current)
        elif line[:1] not in (" ", "\t"):
            current = current if not line.strip() else None
        elif current:
            _take(current, at, line)
    return found


def _take(held: _Held, at: int, line: str) -> None:
    """A line below a fact, when it is one of vaultmem's."""
    since = _SINCE.fullmatch(line)
    if since and held.since_at < 0:
        held.since_at = at
        if since["mark"] == _mark(held.value):
            held.since, held.source = since["since"], since["source"] or ""
        return
    was = _WAS.fullmatch(line)
    if was:
        held.was.append(
            Earlier(
                value=_meant(was["value"].strip()), since=was["since"] or "", until=was["until"],
                source=was["source"] or "",
            )
        )  # fmt: skip


@dataclass(slots=True)
class _Hidden:
    """Follows fenced code and comments from line to line."""

    fence: str = ""
    end: str = ""

    def hides(self, line: str) -> bool:
        """Whether this line is code or comment."""
        if self.fence:
            close = line.strip()
            self.fence = "" if close and set(close) == {self.fence[0]} and len(close) >= len(self.fence) else self.fence
            return True
        if self.end:
            self.end = "" if self.end in line else self.end
            return True
        start = _FENCE.match(line)
        if start:
            self.fence = start["fence"]
            return True
        bare = line.strip()
        for begin, end in (("%%", "%%"), ("<!--", "-->")):
            if bare.startswith(begin):
                self.end = "" if end in bare[len(begin) :] else end
                return True
        return False


def _shown(value: str) -> str:
    """A value on one line, with nothing in it that Obsidian carries out; `_meant` gives it back."""
    return _ALIVE.sub(lambda m: f"{m.group()}\\", value).replace("\n", _BREAK)


def _meant(shown: str) -> str:
    return _HELD.sub(lambda m: m.group()[0] + m.group()[2:], shown.replace(_BREAK, "\n"))


__all__ = ["FACTS", "MAX_KEY", "facts_end", "is_key", "new_note", "put_facts", "read_facts", "united_lines"]
