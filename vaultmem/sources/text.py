"""Bytes -> text, whatever wrote them. Every reader of text goes through `decode`.

The order of belief: byte-order mark, valid UTF-8, UTF-16 without a mark, the label (a mail's charset), a guess.
Labels lie more often than valid UTF-8 happens by chance, so UTF-8 is believed before the label.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

from vaultmem.errors import UnreadableSource
from vaultmem.sources.charset import guess

#: Longest first: the mark of UTF-32 (little end) begins with that of UTF-16.
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ANY_MARK = tuple(mark for mark, _ in _MARKS)
#: What a label says -> what writers of that label really wrote: the superset that real files need.
_MEANT = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874", "tis-620": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
}  # fmt: skip
#: Codecs whose text is all ASCII bytes, so that "valid UTF-8" proves nothing against their label.
_SEVEN_BIT = ("iso2022", "hz", "utf-7")
_NOT_CHARSETS = ("unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined", "mbcs", "oem")
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]|\x1b\([BJ]")
_CONTROLS = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1b") + b"\x7f"
_TYPED = bytes(range(32, 127)) + b"\t\n\r"
#: Bytes from which the binary test judges: it is about the kind, not about each byte.
_SAMPLE = 65_536
#: Bytes below which a NUL is too much of a file to be an accident.
_LEAST = 16


def decode(data: bytes, *, label: str = "") -> str:
    """The text of `data`, line ends as `\\n`, without byte-order mark.

    `label` is the charset a header names ("" = none). Raises UnreadableSource when the bytes are no text.
    """
    if data.startswith(_ANY_MARK):
        mark, codec = next(each for each in _MARKS if data.startswith(each[0]))
        return _newlines(data[len(mark) :].decode(codec, "replace"))
    if has_stray_nuls(data):
        data = data.replace(b"\0", b"")
    if looks_binary(data):
        raise UnreadableSource(f"not text: {_binary_reason(data)}")
    return _newlines(_decoded(data, _codec(label)))


def looks_binary(data: bytes) -> bool:
    """True when the bytes are no text in any charset: NUL bytes that are not UTF-16, or full of control bytes."""
    if data.startswith(_ANY_MARK):
        return False
    if b"\0" in data:
        return not has_stray_nuls(data) and _bare_utf16(data) is None
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    return controls * 20 > len(sample)


def has_stray_nuls(data: bytes) -> bool:
    """True for plain text with a few NUL bytes, a damaged disk's or a crashed program's: `decode` drops them."""
    nuls = data.count(0)
    if not nuls or nuls > 1 + len(data) // 1000 or len(data) < _LEAST or data.startswith(_ANY_MARK):
        return False
    text = data.replace(b"\0", b"")
    if len(text) != len(text.translate(None, _CONTROLS)):
        return False
    return _strictly(text, "utf-8") is not None or _bare_utf16(data) is None


def _binary_reason(data: bytes) -> str:
    return "it holds NUL bytes" if b"\0" in data else "it is full of control characters"


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes, label: str) -> str:
    if label.startswith(_SEVEN_BIT):
        return _without_surrogates(data.decode(label, "replace"))
    wide = _bare_utf16(data) if b"\0" in data else None
    if wide:
        return data.decode(wide, "replace")
    if b"\x1b" in data and not label and _ISO_2022_JP.search(data):
        text = _strictly(data, "iso2022_jp_ext")
        if text is not None:
            return text
    text = _strictly(data, "utf-8")
    if text is None and label:
        text = _strictly(data, label)
    if text is None:
        text = _damaged_utf8(data)
    return _guessed(data) if text is None else text


def _codec(label: str) -> str:
    """Python's name of the charset meant by a label; "" for one that names no charset."""
    try:
        name = codecs.lookup(label.strip().strip("\"'")).name if label else ""
    except (LookupError, ValueError, UnicodeError):
        return ""
    if name.replace("-", "_") in _NOT_CHARSETS:
        return ""
    return _MEANT.get(name, name)


def _strictly(data: bytes, codec: str) -> str | None:
    """The text, or None where the bytes do not fit the codec. C1 controls count as misfit: nobody types them."""
    try:
        text = data.decode(codec)
    except (UnicodeError, LookupError):
        return None
    if codec != "utf-8" and any("\x80" <= c <= "\x9f" for c in text):
        return None
    return text


def _without_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _bare_utf16(data: bytes) -> str | None:
    """The UTF-16 codec of bytes without a mark that hold NULs, or None: blanks and line ends tell the byte order."""
    sample = data[: _SAMPLE - _SAMPLE % 2]
    if len(data) % 2 or len(sample) < 2:
        return None
    nul_even, nul_odd = sample[0::2].count(0), sample[1::2].count(0)
    # Plain bytes with a few NULs decode as Chinese; UTF-16 of any script has few bytes that are ASCII letters.
    if len(sample) - len(sample.translate(None, _TYPED)) > 0.85 * len(sample):
        return None
    codec = "utf-16-le" if nul_odd > nul_even else "utf-16-be"
    try:
        text = sample.decode(codec)
    except UnicodeDecodeError as error:
        # A sample may end in the middle of a surrogate pair; anything earlier is no UTF-16.
        if error.start < len(sample) - 2:
            return None
        text = sample[: error.start].decode(codec)
    odd = sum(1 for c in text if unicodedata.category(c) in ("Cc", "Cn", "Co") and c not in "\t\n\r\f\v\x1b")
    return codec if text and odd * 50 <= len(text) else None


def _as_cp1252(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: the bytes that are no UTF-8 are read as what old Windows programs wrote."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("vaultmem.cp1252", _as_cp1252)


def _damaged_utf8(data: bytes) -> str | None:
    """UTF-8 with a few bad bytes (cut in the middle, two files joined): the good part is not made mojibake for them."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = sum(1 for c in text if c > "\x7f") - bad
    return data.decode("utf-8", "vaultmem.cp1252") if good >= 4 * bad else None


def _guessed(data: bytes) -> str:
    return data.decode(guess(data), "replace")
