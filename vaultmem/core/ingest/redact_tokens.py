"""Finds tokens by their shape: one literal search per rule, and a look at the few places where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.core.ingest.redact_families import AWS_SECRET, DISCORD, JWT, RULES, TokenRule
from vaultmem.core.ingest.redact_strength import entropy, has_mixed_case_and_digit, is_filler
from vaultmem.core.ingest.redact_view import Prose, View

Span = tuple[int, int, str]

#: what a token of any family is made of
_RUN = re.compile(r"[0-9A-Za-z_.~+/=:%-]{1,300}")
#: without a run of so many characters there is no token, wrapped or whole
_LEAST_RUN = 10
#: a line break inside a token: the quoting or indentation of the next line belongs to it
_WRAP = re.compile(r"=?[ \t]*(?:\n|\x0b)[ \t]*(?:[>|][ \t]*){0,4}")
_WRAP_INSIDE = re.compile(r"[-._]{0,2}" + _WRAP.pattern)
_LONG_RUN = re.compile(r"[0-9A-Za-z_-]+={0,2}")
_JWT = re.compile(r"ey[0-9A-Za-z_-]{6,}={0,2}\.(?:ey[0-9A-Za-z_-]{5,}={0,2}(?:\.[0-9A-Za-z_-]*[0-9A-Za-z-]={0,2})?"
                  r"|[0-9A-Za-z_-]*(?:\.[0-9A-Za-z_-]{10,}){3})")  # fmt: skip
_DISCORD = re.compile(
    r"(?:[0-9A-Za-z](?<![0-9A-Za-z-].)|(?<=-)[MNO])[0-9A-Za-z_-]{22,25}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{26,37}[0-9A-Za-z-](?![0-9A-Za-z-])"
)
#: what every such token holds: cheap to look for
_DISCORD_MIDDLE = re.compile(r"\.[0-9A-Za-z_-]{6}\.")
_FORTY = re.compile(r"[0-9A-Za-z/+](?<![0-9A-Za-z/+_.-].)[0-9A-Za-z/+]{39}(?![0-9A-Za-z/+=_-])")
_AWS_LENGTH = 40
_AWS_CONTEXT = re.compile(r"aws|amazon|secret|key|akia|asia|minio|s3")
#: how far before a bare AWS secret its key word may stand
_AWS_REACH = 160
_WRAP_LINES = 6
#: what must stand of a token before a line end cuts it
_WRAP_HEAD = 4
#: a piece of a token, without the signs that join a name and a value
_PIECE = re.compile(r"[0-9A-Za-z_.-]{6,300}")
#: the end of a line and the beginning of the next, where both may be halves of one token
_JOINT = re.compile(rf"(?<![0-9A-Za-z_.~-])([0-9A-Za-z_.~-]{{4,120}}){_WRAP.pattern}(?=([0-9A-Za-z_.~-]{{4,120}}))")
#: two runs of fewer characters together are no token; one of them has half of it
_LEAST_JOINED = 35
#: shapes that do not begin with a word of their own
_UNMARKED = tuple(rule for rule in RULES if rule.lead)
_HINTS = tuple({rule.hint for rule in RULES})
_HINT = re.compile("|".join(map(re.escape, sorted(_HINTS))))
#: a run in which a rule's hint can stand: no shorter one begins a token, whole or cut by a line end
_LEAST_HEAD = 6
_HINT_RUN = re.compile(rf"[0-9A-Za-z_.~+/=:%-]{{{_LEAST_HEAD},}}")
#: a hint where its rule lets a token begin
_HINT_IN_PLACE = re.compile(
    f"(?<![0-9A-Za-z])(?:{'|'.join(sorted({re.escape(rule.hint) for rule in RULES if rule.alone and not rule.lead}))})"
    f"|{'|'.join(sorted({re.escape(rule.hint) for rule in RULES if rule.lead or not rule.alone}))}"
)
#: a JWT's first part, or what stands of one before a line end
_JWT_HEAD = re.compile(r"(?<![0-9A-Za-z])ey(?:J[0-9A-Za-z_.~+/=:%-]{4}|[0-9A-Za-z_-]{6,}={0,2}\.)")
#: the longer half of a token that a line end cuts; an AWS secret is longer
_HALF = re.compile(rf"[0-9A-Za-z_.~/+-]{{{(_LEAST_JOINED + 1) // 2},}}")
_WORD_OF_PROSE = r"[A-Za-z]?[a-z]+[.:]*"
#: a word of prose with no hint in it, which is what most runs are
_NO_HINT = re.compile(
    rf"(?!.*(?:{'|'.join(re.escape(h) for h in sorted(_HINTS) if re.fullmatch(_WORD_OF_PROSE, h))})){_WORD_OF_PROSE}"
)


def hints_at_tokens(word: str) -> bool:
    """Whether a text with this word can hold a token, whole or cut by line ends."""
    if len(word) < _LEAST_HEAD:
        return False
    if _HALF.search(word) or _DISCORD_MIDDLE.search(word) or _JWT_HEAD.search(word):
        return True
    return any(_HINT_IN_PLACE.search(run) for run in _HINT_RUN.findall(word) if not _NO_HINT.fullmatch(run))


def find_tokens(view: View) -> Iterator[Span]:
    """Every span of `view.text` that has the shape of a vendor's token."""
    seen = _PROSE.odd(view.words)
    longest = max((run for run, _ in seen), default=0)
    if longest < _LEAST_RUN:
        return
    for number in sorted({number for _, hints in seen for number in hints}):
        yield from _by_rule(view.text, RULES[number])
    yield from _jwts(view.text)
    yield from _discord(view)
    if longest >= _AWS_LENGTH:
        yield from _aws_secrets(view)
    if 2 * longest > _LEAST_JOINED:
        yield from _cut_in_two(view.text)


def _look_at(word: str) -> tuple[int, tuple[int, ...]]:
    """Length of the longest run in a word, and numbers of the rules whose hint is in one."""
    runs = _HINT_RUN.findall(word)
    if not runs:
        return 0, ()
    odd = "\n".join(run for run in runs if not _NO_HINT.fullmatch(run))
    hints = tuple(number for number, rule in enumerate(RULES) if rule.hint in odd) if _HINT.search(odd) else ()
    return max(map(len, runs)), hints


_PROSE = Prose(_look_at, lambda seen: seen[0] < _LEAST_RUN and not seen[1])


def _cut_in_two(text: str) -> Iterator[Span]:
    """Tokens without a beginning of their own that one line end cuts: the runs on both sides of it are tried as one."""
    shapes = ((_DISCORD, DISCORD), *((rule.shape, rule.family) for rule in _UNMARKED))
    for found in _JOINT.finditer(text):
        joined = found[1] + found[2]
        for shape, family in shapes:
            token = shape.search(joined) if len(joined) > _LEAST_JOINED else None
            if token and token.start() < len(found[1]) < token.end() and len(set(token.group())) > 10:
                yield found.start() + token.start(), found.start(2) + token.end() - len(found[1]), family


def _by_rule(text: str, rule: TokenRule) -> Iterator[Span]:
    at = text.find(rule.hint)
    while at >= 0:
        start = at - rule.lead
        end = _end_of_token(text, rule, start) if start >= 0 else 0
        if end:
            yield start, end, rule.family
        at = text.find(rule.hint, max(end, at + 1))


def _end_of_token(text: str, rule: TokenRule, start: int) -> int:
    """Where the token that starts here ends, 0 when none does."""
    if rule.alone and start and text[start - 1].isascii() and text[start - 1].isalnum():
        return 0
    found = rule.shape.match(text, start)
    if found is None:
        return _end_of_wrapped(text, rule, start)
    token = found.group()
    if not _is_real(rule, token):
        return 0
    return _end_with_next_lines(text, found.end(), whole_lines=True) if rule.open else found.end()


def _end_of_wrapped(text: str, rule: TokenRule, start: int) -> int:
    """A token cut by line ends: the joined run must have the shape, and must need its last line for it."""
    run = _RUN.match(text, start)
    if run is None or len(run.group()) < len(rule.hint) + _WRAP_HEAD:
        return 0
    before = text[max(0, start - 1) : start]
    joined, at = before + run.group(), run.end()
    for _ in range(_WRAP_LINES):
        wrap = _WRAP.match(text, at)
        piece = wrap and _RUN.match(text, wrap.end())
        if not piece:
            return 0
        # The mark of a soft break in quoted-printable text is none of the token's.
        joined = joined[:-1] if joined.endswith("=") and not joined.endswith("==") else joined
        head, at = len(joined), piece.end()
        joined += piece.group()
        found = rule.shape.match(joined, len(before))
        if found and found.end() > head:
            return piece.start() + found.end() - head if _is_real(rule, found.group()) else 0
    return 0


def _is_real(rule: TokenRule, token: str) -> bool:
    """No dummy of a documentation, and as mixed as the rule wants it."""
    return not is_filler(token.replace(rule.hint, "", 1)) and (not rule.mixed or has_mixed_case_and_digit(token))


def _end_with_next_lines(text: str, end: int, *, whole_lines: bool) -> int:
    """Lines below that start with (or are nothing but) more of the same random run belong to a token of open length."""
    for _ in range(64):
        wrap = _WRAP_INSIDE.match(text, end)
        piece = wrap and _PIECE.match(text, wrap.end())
        if not piece or piece.group().startswith(_HINTS) or not _is_odd(piece.group()):
            break
        rest = text[piece.end() : piece.end() + 3].partition("\n")[0].strip("\"'`,;.)\\ \x0b\r")
        if rest and (whole_lines or entropy(piece.group()) < 3):
            break
        end = piece.end()
    return end


def _is_odd(piece: str) -> bool:
    """No word: letters with digits, or capitals inside."""
    letters = any(c.isalpha() for c in piece)
    return letters and (any(c.isdigit() for c in piece) or re.search("[a-z][A-Z]|[A-Z]{2}[a-z]", piece) is not None)


def _jwts(text: str) -> Iterator[Span]:
    at = text.find("ey")
    while at >= 0:
        if at and text[at - 1].isascii() and text[at - 1].isalnum():
            at = text.find("ey", at + 1)
            continue
        end = _end_of_jwt(text, at)
        if end:
            yield at, end, JWT
            at = text.find("ey", end)
            continue
        # no other start inside this run can succeed: what follows the run is the same
        run = _LONG_RUN.match(text, at)
        at = text.find("ey", run.end() if run else at + 2)


def _end_of_jwt(text: str, start: int) -> int:
    found = _JWT.match(text, start)
    if found:
        return _end_with_next_lines(text, found.end(), whole_lines=False)
    if not text.startswith("eyJ", start):
        return 0
    rule = TokenRule(family=JWT, hint="eyJ", pattern=_JWT.pattern)
    end = _end_of_wrapped(text, rule, start)
    return end and _end_with_next_lines(text, end, whole_lines=False)


def _discord(view: View) -> Iterator[Span]:
    """With the word near it, any three such parts; without it only a first part that is a number in base64."""
    if not _DISCORD_MIDDLE.search(view.text):
        return
    named = "discord" in view.lower or "bot" in view.lower
    for found in _DISCORD.finditer(view.text):
        near = named and re.search("discord|bot|token", view.lower[max(0, found.start() - _AWS_REACH) : found.start()])
        if (near or found.group()[0] in "MNO") and has_mixed_case_and_digit(found.group()):
            yield found.start(), found.end(), DISCORD


def _aws_secrets(view: View) -> Iterator[Span]:
    if not _AWS_CONTEXT.search(view.lower):
        return
    for found in _FORTY.finditer(view.text):
        start = found.start()
        if _is_random_forty(found.group()) and _AWS_CONTEXT.search(view.lower, max(0, start - _AWS_REACH), start):
            yield start, found.end(), AWS_SECRET


def _is_random_forty(run: str) -> bool:
    return has_mixed_case_and_digit(run) and entropy(run) >= 4.2
