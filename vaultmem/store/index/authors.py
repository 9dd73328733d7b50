"""Who speaks, is written to or linked to, and how often: counted from mentions."""

from __future__ import annotations

from collections.abc import Collection

import apsw

from vaultmem.core.ingest.headers import normal_email, parse_parties
from vaultmem.core.notes.ids import fold
from vaultmem.model import AuthorFact
from vaultmem.store.index.rows import as_json

# A link in a note of the user's own asks for no note: where they want one, they click it.
_FACTS = """
SELECT m.surface, min(m.text), m.kind,
       count(DISTINCT iif(m.origin = 'author', m.passage, NULL)),
       count(DISTINCT iif(m.origin = 'author', coalesce(p.sent_us, c.start_us) / 86400000000, NULL)),
       max(m.origin = 'link' AND NOT (c.source_id >= 'note:' AND c.source_id < 'note;'))
FROM mentions m JOIN passages p ON p.id = m.passage JOIN chunks c ON c.id = m.passage >> 22
WHERE m.origin IN ('author', 'header', 'link')
GROUP BY m.surface, m.kind ORDER BY m.surface, m.kind
"""
# A mail by the owner to them, and a mail by them to the owner.
_MAIL = """
WITH own AS (SELECT value AS surface FROM json_each(?1)),
     mine AS (SELECT DISTINCT passage FROM mentions WHERE origin = 'author' AND surface IN own),
     to_me AS (SELECT DISTINCT passage FROM mentions WHERE origin = 'header' AND surface IN own)
SELECT DISTINCT surface FROM mentions WHERE origin = 'header' AND passage IN mine
INTERSECT
SELECT DISTINCT surface FROM mentions WHERE origin = 'author' AND passage IN to_me
"""
# A chat of two people, one of them the owner: in a larger one, speaking in the same room is no contact.
_CHAT = """
WITH own AS (SELECT value AS surface FROM json_each(?1)),
     speakers AS (
         SELECT DISTINCT c.source_id, p.author, m.surface, m.surface IN own AS mine
         FROM mentions m JOIN passages p ON p.id = m.passage JOIN chunks c ON c.id = m.passage >> 22
         WHERE m.origin = 'author' AND c.source_kind = 'chat'
     ),
     pairs AS (
         SELECT source_id FROM speakers GROUP BY source_id HAVING count(DISTINCT author) = 2 AND max(mine)
     )
SELECT DISTINCT surface FROM speakers WHERE source_id IN pairs AND NOT mine
"""


def author_facts(db: apsw.Connection, own: Collection[str]) -> tuple[AuthorFact, ...]:
    """One fact per surface and kind; `own` are the owner's names, addresses and handles."""
    mine = (as_json(sorted({*(fold(name.lstrip("@")) for name in own), *(normal_email(n) for n in own if "@" in n)})),)
    both = {row[0] for row in db.execute(_MAIL, mine)} | {row[0] for row in db.execute(_CHAT, mine)}
    emails = _addresses_by_name(db)
    return tuple(
        AuthorFact(
            surface=surface, text=text, kind=kind, messages=messages, days=days,
            two_way=surface in both, linked=bool(linked), emails=emails.get(surface, ()),
        )
        for surface, text, kind, messages, days, linked in db.execute(_FACTS)
    )  # fmt: skip


def _addresses_by_name(db: apsw.Connection) -> dict[str, tuple[str, ...]]:
    """Folded display name -> the addresses it stands beside in mail headers."""
    found: dict[str, set[str]] = {}
    for (line,) in db.execute(_HEADER_LINES):
        for party in parse_parties(line):
            if party.name and party.address:
                found.setdefault(fold(party.name), set()).add(normal_email(party.address))
    return {name: tuple(sorted(addresses)) for name, addresses in found.items()}


_HEADER_LINES = """
SELECT p.author FROM passages p JOIN chunks c ON c.id = p.id >> 22 WHERE c.source_kind = 'email'
UNION SELECT addressed FROM passages WHERE addressed <> ''
"""
