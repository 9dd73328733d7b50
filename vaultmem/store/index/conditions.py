"""`vaultmem.forest.Asked` in SQL: which rows of spans and of chunks a question of time is about."""

from __future__ import annotations

from collections.abc import Mapping

from vaultmem.forest import Asked

#: Of each a span that is held, one that may stand above what is asked for, and a leaf asked for.
_WINDOW = (
    "first_us >= :since AND last_us <= :until AND sound AND leaves > 0",
    "first_us <= :until AND last_us >= :since AND leaves > 0",
    "start_us BETWEEN :since AND :until AND status <> 'dropped'",
)
_SCOPE = ("tree_scope = :scope", "tree_scope = :scope", "tree_scope = :scope")
_KIND = (
    "least_kind = :kind AND most_kind = :kind",
    "least_kind <= :kind AND most_kind >= :kind",
    "source_kind = :kind",
)
_SOURCE = (
    "least_source = :source AND most_source = :source",
    "least_source <= :source AND most_source >= :source",
    "source_id = :source",
)
# instr and not LIKE or substr: it takes every character as it is
_PREFIX = (
    "instr(least_source, :source) = 1 AND instr(most_source, :source) = 1",
    "most_source >= :source AND (least_source <= :source OR instr(least_source, :source) = 1)",
    "instr(source_id, :source) = 1",
)


def conditions(asked: Asked) -> Mapping[str, str]:
    """`held` (`Asked.holds`) and `touched` (`Asked.touches`) of a span, `leaf` of a chunk; to be bound: `values`."""
    parts = [_WINDOW]
    if asked.scope:
        parts.append(_SCOPE)
    if asked.kind:
        parts.append(_KIND)
    if asked.source:
        parts.append(_PREFIX if asked.is_prefix else _SOURCE)
    held, touched, leaf = (" AND ".join(words) for words in zip(*parts, strict=True))
    return {"held": held, "touched": touched, "leaf": leaf}


def values(asked: Asked) -> dict[str, str | int]:
    """What is bound in `conditions`."""
    return {
        "since": asked.since_us, "until": asked.until_us, "source": asked.source, "scope": asked.scope,
        "kind": asked.kind,
    }  # fmt: skip
