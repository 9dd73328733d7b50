"""Which charset bytes without label or mark were written in, from the letters that a language needs.

A detector by statistics alone needs a page; notes are often one line. So the alphabets are asked first: a reading in
which every accented letter belongs to one language is right far more often than the likeliest of ninety charsets.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

#: Charset -> the letters beyond ASCII of each language that was written in it, lower case. First match wins a tie.
_LATIN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("cp1252", ("äöüßéà", "àâæçéèêëîïôœùûüÿ", "áéíóúñü", "áâãàçéêíóôõúü", "àèéìíîòóùú", "éëïóöüèá", "æøåéèóò", "åäöéü",
                "áðéíóúýþæö")),
    ("cp1250", ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíľĺňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ")),
    ("cp1254", ("çğıöşüâîû",)),
    ("cp1257", ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž")),
)  # fmt: skip
#: A text in several western languages at once; believed a little less than any single alphabet.
_WESTERN = "äöüßàâæçéèêëîïôœùûÿáíóúñåøãõìò"
#: Charset -> the ten commonest letters of its language: two thirds of any text, a third of a wrong reading.
_OTHER: tuple[tuple[str, str], ...] = (
    ("cp1251", "оеаинтсрвл"),
    ("koi8_r", "оеаинтсрвл"),
    ("cp1253", "αοιετνσηρπάίό"),
    ("cp1255", "יוהלארמתבש"),
    ("cp1256", "اليمنوترهب"),
)
_SAMPLE = 4096
_KANA = re.compile("[\u3041-\u30ff]")
#: For texts in none of these alphabets: what the statistics may choose from. A wider list invents rarities.
_STATISTICAL = ("gb18030", "big5", "cp949", "cp932", "euc_jp", "cp874", "cp1252", "cp1250", "cp1251")


def guess(data: bytes) -> str:
    """Python's name of the likeliest charset of bytes that are no UTF-8; cp1252 when nothing speaks for another."""
    sample = _lines_that_tell(data)
    readings = {codec: sample.decode(codec, "ignore") for codec, _ in (*_LATIN, *_OTHER)}
    return _latin(readings) or _japanese(sample) or _other(readings) or _statistical(sample)


def _lines_that_tell(data: bytes) -> bytes:
    """The first lines that are not plain ASCII."""
    lines: list[bytes] = []
    size = 0
    for line in re.split(rb"[\r\n]+", data[: 16 * _SAMPLE]):
        if not line.isascii():
            lines.append(line)
            size += len(line)
        if size > _SAMPLE:
            break
    return b"\n".join(lines)


def _latin(readings: Mapping[str, str]) -> str:
    """The charset in which (nearly) all accented letters are those of one language; "" for none."""
    best, best_share = "", 0.9
    for codec, languages in _LATIN:
        if not _reads_as_words(readings[codec]):
            continue
        letters = [c for c in readings[codec].lower() if c > "\x7f" and c.isalpha()]
        share = max(_share(letters, own) for own in languages)
        if codec == "cp1252":
            share = max(share, 0.97 * _share(letters, _WESTERN))
        if share > best_share:
            best, best_share = codec, share
    return best


def _share(letters: Sequence[str], alphabet: str) -> float:
    return sum(c in alphabet for c in letters) / len(letters) if letters else 1.0


def _reads_as_words(text: str) -> bool:
    """False when signs stand inside words, or words are made of accented letters alone: another script misread."""
    if re.search(r"[^\W\d_][¡-¶¸-¿×÷†‡‰‹›„‚ˆ]+[^\W\d_]|[^\W\d_]{2}[³¹¿¼¾£¥±¶ˇ¤]", text):
        return False
    words = re.findall(r"[^\W\d_]+", text)
    strange = sum(1 for w in words if len(w) > 2 and sum(c > "\x7f" for c in w) * 3 > len(w) * 2)
    return strange * 5 <= len(words)


def _japanese(sample: bytes) -> str:
    """Japanese is known by its kana, which no other charset puts at these bytes by chance."""
    for codec in ("cp932", "euc_jp"):
        try:
            text = sample.decode(codec)
        except UnicodeDecodeError:
            continue
        letters = [c for c in text if c > "\x7f"]
        if len(_KANA.findall(text)) * 5 >= len(letters) > 0:
            return codec
    return ""


def _other(readings: Mapping[str, str]) -> str:
    best, best_share = "", 0.45
    for codec, common in _OTHER:
        text = readings[codec]
        letters = [c for c in text if c > "\x7f" and not c.isspace()]
        if not letters:
            continue
        swapped = len(re.findall(r"[a-zа-яα-ω][A-ZА-ЯΑ-Ω]", text))
        share = (sum(c in common for c in text.lower()) - 2 * swapped) / len(letters)
        if share > best_share:
            best, best_share = codec, share
    return best


def _statistical(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    found: Sequence[str] = [match.encoding for match in from_bytes(sample, cp_isolation=list(_STATISTICAL))]
    return found[0] if found else "cp1252"
