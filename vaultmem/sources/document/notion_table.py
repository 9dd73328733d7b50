"""A Notion database (CSV) -> a table whose rows link to their pages."""

from __future__ import annotations

import csv
from collections.abc import Callable

from vaultmem.sources.document.notion_page import Page, Target, without_ids
from vaultmem.sources.document.plain import as_markdown

#: Characters one field may hold; the csv module raises beyond its own, smaller limit.
_MAX_FIELD = 10_000_000


def table_text(text: str, name: str, target: Callable[[str], Target | None]) -> Page:  # noqa: ARG001 (as all forms)
    """The database as a table. Text that is no CSV stands as it is."""
    csv.field_size_limit(_MAX_FIELD)
    try:
        rows = [row for row in csv.reader(text.lstrip("\ufeff").splitlines(keepends=True)) if any(row)]
    except csv.Error as problem:
        return Page(title=name, body=as_markdown(text), warnings=(f"no table: {problem}",))
    width = max(map(len, rows), default=0)
    lines = [f"| {' | '.join(map(_cell, [*row, *[''] * (width - len(row))]))} |" for row in rows]
    rule = f"|{' --- |' * width}"
    return Page(title=name, body="\n".join([*lines[:1], rule, *lines[1:]]))


def _cell(value: str) -> str:
    return value and " ".join(as_markdown(without_ids(value)).replace("|", "\\|").split())
