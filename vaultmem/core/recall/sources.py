"""Which sources a filter names: whatever asks goes by this one rule. Pure."""

from __future__ import annotations

from collections.abc import Iterable


def is_within(source_id: str, sources: Iterable[str]) -> bool:
    """Whether one of these names the source: exactly, or as a prefix that ends in ":" or "*"."""
    return any(
        source_id.startswith(each.removesuffix("*")) if each.endswith((":", "*")) else source_id == each
        for each in sources
    )
