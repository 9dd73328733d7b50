"""Key blocks: whole private keys out, and the long public runs no rule may look into."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vaultmem.core.ingest.redact_families import PRIVATE_KEY
from vaultmem.core.ingest.redact_view import View

Span = tuple[int, int, str]

_BEGIN = re.compile(r"-{2,8}[ ]?BEGIN[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?[ ]?-{2,8}", re.IGNORECASE)
_END = re.compile(r"-{2,8}[ ]?END[A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?[ ]?)?-{2,8}", re.IGNORECASE)
#: no private key is longer; past it an END belongs to something else
_KEY_LIMIT = 65_536
#: one line of a block: quoting, list marks or indentation, then base64 or an armor header, then string clutter
_BODY_LINE = re.compile(
    r"[ \t>|#*/+\"'\ue0f0,]*(?:[A-Za-z-]{3,20}: ?[^\n\x0b]{0,120}|(?P<data>[0-9A-Za-z+/=]+)|"
    r")[ \t\"'\ue0f0,+;\\|]*(?:[\n\x0b]|\Z)"
)
_BODY_WORDS = re.compile(r"[ \t]*(?P<data>[0-9A-Za-z+/]{16,}={0,2})")
_DATA = re.compile(r"[0-9A-Za-z+/=]{16}")
_PUTTY = re.compile(r"Private-Lines: *[0-9]{1,4}[\n\x0b]")

_PUBLIC_BEGIN = re.compile(
    r"-{2,8} ?BEGIN (?:[A-Z0-9 ]{0,40}PUBLIC KEY(?: BLOCK)?|(?:TRUSTED |NEW )?CERTIFICATE(?: REQUEST)?|PGP SIGNATURE|"
    r"PGP MESSAGE|X509 CRL|DH PARAMETERS) ?-{2,8}"
)
_PUBLIC_RUNS = (
    (";base64,", re.compile(r";base64,[0-9A-Za-z+/=_\s-]{0,2}[0-9A-Za-z+/=_-]*")),
    ("sha512-", re.compile(r"sha512-[0-9A-Za-z+/]{86}={0,2}")),
    ("sha384-", re.compile(r"sha384-[0-9A-Za-z+/]{64}")),
    ("sha256-", re.compile(r"sha256-[0-9A-Za-z+/]{43}=?")),
    ("sha1-", re.compile(r"sha1-[0-9A-Za-z+/]{27}=?")),
    ("sha256:", re.compile(r"sha256:[0-9A-Za-z+/]{43,64}=?")),
    ("SHA256:", re.compile(r"SHA256:[0-9A-Za-z+/]{43}=?")),
    # the key of a message, which is known by it: nothing that a message ends in announces it
    ("\n^m-", re.compile(r"\n\^m-[0-9a-f]{12}(?=\n|\Z)")),
    (" AAAA", re.compile(r" AAAA[0-9A-Za-z+/]{16,}={0,3}")),
)


def hints_at_keys(word: str, lower: str) -> bool:
    """Whether a text with this word can hold a private key: its BEGIN line says PRIVATE, in any letters that fold to it
    (ı is one of them), PuTTY's has a name of its own.
    """
    return "vate" in lower or "Private-Lines:" in word


def find_private_keys(view: View) -> Iterator[Span]:
    """Every private key block, to its END line, or cut off: to the end of its base64."""
    text = view.text
    if "BEGIN" in text or "begin" in text:
        begins = list(_BEGIN.finditer(text))
        for found, limit in zip(begins, [*(b.start() for b in begins[1:]), len(text)], strict=False):
            end = _end_of_key(text, found.end(), min(limit, found.end() + _KEY_LIMIT))
            if end:
                yield found.start(), end, PRIVATE_KEY
    for found in _PUTTY.finditer(text) if "Private-Lines:" in text else ():
        end = _end_of_lines(text, found.end(), found.end() + _KEY_LIMIT)
        if end > found.end():
            yield found.end(), end, PRIVATE_KEY


def _end_of_key(text: str, start: int, limit: int) -> int:
    """Where the block ends, 0 when there is no key below the BEGIN line (a text about keys)."""
    end = _END.search(text, start, limit)
    if end and _DATA.search(text, start, end.start()):
        return end.end()
    return 0 if end else _end_of_lines(text, start, limit)


def _end_of_lines(text: str, start: int, limit: int) -> int:
    """The end of the last base64 run of the lines that look like a key's."""
    last, at = 0, start
    same = _BODY_WORDS.match(text, at, limit)
    while same:
        last = at = same.end()
        same = _BODY_WORDS.match(text, at, limit)
    while at < limit:
        line = _BODY_LINE.match(text, at, limit)
        if not line or line.end() == at:
            break
        at = line.end()
        if line.group("data") and (last or len(line.group("data")) >= 16):
            last = line.end("data")
    return last


def find_public_runs(view: View) -> Iterator[tuple[int, int]]:
    """Spans that hold long random text which is public: embedded images, digests, public keys, certificates."""
    text = view.text
    for hint, shape in _PUBLIC_RUNS:
        at = text.find(hint)
        while at >= 0:
            found = shape.match(text, at)
            if found:
                yield at, found.end()
            at = text.find(hint, found.end() if found else at + 1)
    for begin in _PUBLIC_BEGIN.finditer(text) if "BEGIN" in text else ():
        end = _end_of_lines(text, begin.end(), begin.end() + _KEY_LIMIT)
        if end:
            yield begin.start(), end
