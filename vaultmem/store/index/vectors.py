"""Vectors in the index: keyed by the hash of the text they were made of, never by where that text stands.

A moved or renamed note finds its vectors again, an edited paragraph lacks one. A vector whose text stands nowhere any
more goes with the last passage that held it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from struct import pack

import apsw

from vaultmem.core.notes.paths import is_in_place
from vaultmem.core.recall.meaning import embedded_text, text_hash
from vaultmem.errors import BadVector
from vaultmem.model import Chunk, Passage
from vaultmem.store.index.changes import prune_changes
from vaultmem.store.index.rows import from_us
from vaultmem.store.index.tallies import total


def passage_hash(chunk: Chunk, passage: Passage) -> bytes | None:
    """The key of the passage's vector; None for one that gets none: without a word, of a dropped chunk, or above the
    body, where properties stand.
    """
    if chunk.status == "dropped" or passage.first_line < 0:
        return None
    text = _embedded(
        _titled(chunk.source_kind, chunk.source_id, chunk.title),
        passage.text,
        passage.author,
        passage.heading,
        passage.sent_at,
    )
    return text_hash(text) if text else None


def _titled(kind: str, source_id: str, title: str) -> str:
    """The title a vector says: a chat's is its room's name, a mail's its subject, which is the heading already; that of
    a note in place is its file's name, and renaming a note embeds nothing again.
    """
    return title if kind == "document" and not is_in_place(source_id) else ""


def _embedded(title: str, text: str, author: str, heading: str, sent_at: datetime | None) -> str:
    return embedded_text(
        text,
        author=author.partition("<")[0].strip() or author,
        heading=heading,
        title=title,
        day=sent_at.astimezone(UTC).date() if sent_at else None,
    )


#: A text that a model makes nothing of has an empty vector under the model's signature with this at its end.
_REFUSED = " refused"


def _refused(signature: str) -> str:
    return f"{signature}{_REFUSED}"


_PENDING = """
SELECT p.text_hash, c.source_kind, c.source_id, c.title, p.text, p.author, p.heading, p.sent_us
FROM passages p JOIN chunks c ON c.id = p.id >> 22
WHERE p.text_hash IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.signature IN (?1, ?3) AND v.text_hash = p.text_hash)
ORDER BY p.id DESC LIMIT ?2
"""


def pending(db: apsw.Connection, signature: str, limit: int) -> tuple[tuple[bytes, str], ...]:
    """(hash, text) of passages that have no vector yet, the newest notes first; a text that stands twice is given
    once."""
    found: dict[bytes, str] = {}
    have, want = vector_counts(db, signature)
    # the look goes back in time, and ends with the last one that lacks its vector
    values = (signature, min(limit, want - have), _refused(signature))
    for key, kind, source_id, title, text, author, heading, sent_us in db.execute(_PENDING, values):
        sent_at = None if sent_us is None else from_us(sent_us)
        found[bytes(key)] = _embedded(_titled(kind, source_id, title), text, author, heading, sent_at)
    return tuple(found.items())


# What is there stays: of one model and one text it is the same vector, and an id must not go without being noted.
_PUT = """
INSERT OR IGNORE INTO vectors (signature, text_hash, vector)
SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM passages WHERE text_hash = ?2)
"""


def put(db: apsw.Connection, signature: str, vectors: Mapping[bytes, Sequence[float]]) -> None:
    """Store vectors, scaled to length 1; those whose text went away meanwhile are left out. Raises BadVector."""
    size = db.execute("SELECT length(vector) / 4 FROM vectors WHERE signature = ? LIMIT 1", (signature,)).fetchone()
    expected = int(size[0]) if size else 0
    for key, vector in vectors.items():
        blob = _unit(vector, signature)
        expected = expected or len(vector)
        if len(vector) != expected:
            raise BadVector(signature, f"has {len(vector)} numbers where others have {expected}")
        _store(db, signature, key, blob)


def _store(db: apsw.Connection, signature: str, key: bytes, blob: bytes) -> None:
    """Put a vector, and count it and its passages when it is new."""
    db.execute(_PUT, (signature, key, blob))
    if db.changes():
        db.execute(_COUNT_IN, (signature, key))


_COUNT_IN = """
INSERT INTO embedded SELECT ?1, 1, count(*) FROM passages WHERE text_hash = ?2
ON CONFLICT DO UPDATE SET texts = texts + 1, passages = passages + excluded.passages
"""


def _unit(vector: Sequence[float], signature: str) -> bytes:
    """The vector scaled to length 1, little-endian float32. Raises BadVector for what has no direction."""
    numbers = [float(x) for x in vector]
    length = math.sqrt(math.fsum(x * x for x in numbers)) if numbers else 0.0
    if not math.isfinite(length) or length == 0.0:
        raise BadVector(signature, "has no direction (not a number, infinite or zero)")
    return pack(f"<{len(numbers)}f", *(x / length for x in numbers))


def put_refused(db: apsw.Connection, signature: str, hashes: Collection[bytes]) -> None:
    """Note the texts that this model makes nothing of."""
    for key in hashes:
        _store(db, _refused(signature), key, b"")


def vector_counts(db: apsw.Connection, signature: str) -> tuple[int, int]:
    """How many passages have a vector of this signature, and how many should; refused ones are neither."""
    want = total(db, "with vectors")
    return _counted(db, signature)[1], want - _counted(db, _refused(signature))[1]


def _counted(db: apsw.Connection, signature: str) -> tuple[int, int]:
    """Vectors of this signature, and the passages whose texts they are of."""
    row = db.execute("SELECT texts, passages FROM embedded WHERE signature = ?", (signature,)).fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


def signatures(db: apsw.Connection) -> dict[str, int]:
    """Vectors kept of each signature."""
    rows = db.execute("SELECT signature, texts FROM embedded WHERE texts > 0 ORDER BY signature")
    return {str(name): int(count) for name, count in rows if not str(name).endswith(_REFUSED)}


def refused_texts(db: apsw.Connection, signature: str) -> int:
    """How many texts this signature's model makes nothing of."""
    return _counted(db, _refused(signature))[0]


def retry_refused(db: apsw.Connection) -> int:
    """Forget which texts were refused; how many."""
    db.execute("DELETE FROM vectors WHERE substr(signature, -length(?1)) = ?1", (_REFUSED,))
    gone = db.changes()
    db.execute("DELETE FROM embedded WHERE substr(signature, -length(?1)) = ?1", (_REFUSED,))
    return gone


def drop_orphans(db: apsw.Connection, hashes: Collection[bytes]) -> None:
    """Vectors of these texts, where no passage holds the text any more."""
    for key in sorted(hashes):
        rows = list(db.execute(_ORPHAN, (key,)))
        db.executemany("UPDATE embedded SET texts = texts - 1 WHERE signature = ?", rows)


_ORPHAN = (
    "DELETE FROM vectors WHERE text_hash = ?1 AND NOT EXISTS (SELECT 1 FROM passages WHERE text_hash = ?1)"
    " RETURNING signature"
)


def drop_stale(db: apsw.Connection, keep: str) -> int:
    """Vectors of other models, and of texts that stand nowhere; how many went."""
    kept = (keep, _refused(keep))
    db.execute(
        "DELETE FROM vectors WHERE signature NOT IN (?, ?)"
        " OR NOT EXISTS (SELECT 1 FROM passages p WHERE p.text_hash = vectors.text_hash)",
        kept,
    )
    gone = db.changes()
    db.execute("DELETE FROM embedded WHERE signature NOT IN (?, ?)", kept)
    if gone:
        db.execute(_RECOUNT)
        prune_changes(db)
    return gone


_RECOUNT = "UPDATE embedded SET texts = (SELECT count(*) FROM vectors v WHERE v.signature = embedded.signature)"
