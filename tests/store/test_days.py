"""Digests by the names of their files: those of a time, wherever they were moved to."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from vaultmem.core.grow.calendar import DAY, MONTH, WEEK, YEAR, global_path, period_of
from vaultmem.core.notes.summarynote import render_summary_note
from vaultmem.grown import NodeEntry, SummaryNode
from vaultmem.store.index import open_index

AT = datetime(2026, 1, 1, tzinfo=UTC)


def digest(level: int, path: str) -> NodeEntry:
    node = SummaryNode(
        node_id=hashlib.md5(path.encode(), usedforsecurity=False).hexdigest(), tree_kind="global", tree_scope="global",
        tree_level=level, children=(), child_ids=(), time_start=AT, time_end=AT, token_count=1, sealed_at=AT, rev=1,
        summariser="test", title="T", sentences=(),
    )  # fmt: skip
    return NodeEntry(path=path, node=node, text=render_summary_note(node), body_sha256="")


def test_digests_are_found_by_name_wherever_they_stand(tmp_path: Path) -> None:
    index = open_index(tmp_path / "x.db")
    days = [date(2025, 12, 20) + timedelta(days=n) for n in range(40)]
    paths = {(level, global_path(period_of(level, day))) for level in (DAY, WEEK, MONTH, YEAR) for day in days}
    paths |= {(DAY, "elsewhere/2026-01-09.md"), (DAY, "renamed.md"), (DAY, "2026.md"), (YEAR, "9.md")}
    index.commit_nodes([digest(level, path) for level, path in sorted(paths)])
    first, last = date(2026, 1, 2), date(2026, 1, 12)
    names = {level: (period_of(level, first).name, period_of(level, last).name) for level in (MONTH, DAY)}
    found = index.digests_named(names)
    assert found == tuple(
        row
        for level, (least, most) in names.items()
        for row in index.digests()
        if row.level == level and least <= Path(row.path).stem <= most
    )
    assert [row.path for row in found if row.level == MONTH] == [global_path(period_of(MONTH, last))]
    assert "elsewhere/2026-01-09.md" in {row.path for row in found}
