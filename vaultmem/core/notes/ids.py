"""Canonical ids and safe names: the only hashing of the project.

chunk_id("chat", "slack:eng", 3, body)  -> 32 hex digits, the chunk's name for good
slug("Hütte 2024")                      -> "hütte-2024"
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from datetime import datetime
from functools import lru_cache

from vaultmem.model import SourceKind

#: Bytes of UTF-8 a path part may have: 255 is the file system's limit, 143 that of encrypted Android.
MAX_PART_BYTES = 100

_UNSAFE = re.compile(
    r"[*\"\\/<>:|?#^\[\]\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ud800-\udfff]+|%%"
)
_PLAIN_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.IGNORECASE)


def sha256_hex(data: bytes) -> str:
    """SHA-256 as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def chunk_id(kind: SourceKind, source_id: str, seq: int, content: str) -> str:
    """First 32 hex of SHA-256 over `kind 0 source_id 0 seq (4 bytes, big-endian) 0 content` (FORMAT.md)."""
    data = b"\0".join([kind.encode(), source_id.encode(), seq.to_bytes(4, "big"), content.encode()])
    return sha256_hex(data)[:32]


def note_hash(data: bytes, read_as: str = "") -> str:
    """Hash of a file and of the settings it was read under: while both are the same, so is what was read of it."""
    return sha256_hex(data + b"\0" + read_as.encode())[:32]


def body_sha256(body: str) -> str:
    """Hash of a note's body alone: frontmatter edits do not change it."""
    return sha256_hex(body.encode())


def message_key(source_id: str, native_id: str) -> str:
    """Key of a message that its platform names: 12 hex digits."""
    return _key("id", source_id, native_id)


def anonymous_key(source_id: str, sent_at: datetime | None, author: str, text: str, occurrence: int) -> str:
    """Key of a message without an id: its time, author and text; `occurrence` tells equal twins apart, from 0."""
    stamp = sent_at.isoformat() if sent_at else ""
    return _key("text", source_id, stamp, author, text, str(occurrence))


def part_key(key: str, part: int) -> str:
    """Key of part `part` (from 1) of a message too long for one chunk; "" while the message itself has none."""
    return _key("part", key, str(part)) if key else ""


def _key(*parts: str) -> str:
    # Surrogates cannot occur in decoded input, but a hostile export may hold them as JSON escapes.
    return sha256_hex("\0".join(parts).encode("utf-8", "surrogatepass"))[:12]


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """The form in which names are compared: NFKC, case-folded, single blanks, no zero-width marks."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return " ".join(text.casefold().split())


def safe_part(text: str, max_bytes: int = MAX_PART_BYTES) -> str:
    """A path part every file system and every wikilink accepts; case and script are kept. Never empty."""
    clean = _UNSAFE.sub(" ", unicodedata.normalize("NFC", text))
    clean = " ".join(clean.split()).strip(" .")
    clean = _shorten(clean, max_bytes) or "untitled"
    return f"{clean}_" if _RESERVED.match(clean) else clean


@lru_cache(maxsize=20_000)
def slug(text: str, max_bytes: int = 60) -> str:
    """A lower-case name with hyphens; every script keeps its letters. Lossy spellings get four hex digits."""
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    joined = re.sub(r"[\s_/:.,;@+&'’()!–—-]+", "-", folded)
    if len(joined) <= max_bytes and _PLAIN_SLUG.fullmatch(joined) and not _RESERVED.match(joined):
        return joined
    clean = re.sub(r"-{2,}", "-", safe_part(joined, max_bytes)).strip("-. ")
    kept = "".join(c for c in clean if c in "-_" or unicodedata.category(c)[0] in "LMN").strip("-_")
    if kept == joined.strip("-"):
        return safe_part(kept, max_bytes)
    return f"{kept or 'x'}-{sha256_hex(text.encode('utf-8', 'surrogatepass'))[:4]}"


def entity_id(kind: str, name: str) -> str:
    """`person:alice-smith`: minted once, fixed, whatever the note is called later."""
    return f"{kind}:{slug(fold(name))}"


def _shorten(text: str, max_bytes: int) -> str:
    """Cut to a byte length without splitting a character or a combining sequence."""
    if len(text.encode("utf-8")) <= max_bytes:
        return text
    cut = text.encode("utf-8")[:max_bytes].decode("utf-8", "ignore")
    while cut and len(cut) < len(text) and _joins(text[len(cut)]):
        cut = cut[:-1]
    return cut.rstrip(" .")


def _joins(char: str) -> bool:
    """True for a character that belongs to the one before it."""
    return unicodedata.combining(char) != 0 or char in "\u200d\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff"
