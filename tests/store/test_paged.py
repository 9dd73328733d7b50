"""A file read page by page answers as its bytes would."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from vaultmem.store import paged
from vaultmem.store.paged import PagedFile

CONTENT = random.Random(4).randbytes(3000).replace(b"\n", b"") + b"\nFrom x" + bytes(500) + b"\nFrom y"


@pytest.mark.parametrize(("page", "small"), [(64, 16), (512, 512), (1 << 20, 1 << 16)])
def test_slices_and_finds_as_bytes_do(tmp_path: Path, page: int, small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paged, "_PAGE", page)
    monkeypatch.setattr(paged, "_SMALL", small)
    (tmp_path / "f").write_bytes(CONTENT)
    chance = random.Random(5)
    with (tmp_path / "f").open("rb") as file:
        data = PagedFile(file, len(CONTENT))
        assert len(data) == len(CONTENT)
        for _ in range(2000):
            a, b = chance.randrange(-4000, 4000), chance.randrange(-4000, 4000)
            assert data[a:b] == CONTENT[a:b]
            at = chance.randrange(len(CONTENT))
            sub = CONTENT[at : at + chance.randrange(0, 100)] or b"\nFrom "
            assert data.find(sub) == CONTENT.find(sub)
            assert data.find(sub, a, b) == CONTENT.find(sub, a, b), (sub, a, b)
            assert data.find(b"no such bytes", a) == -1
        assert data[:] == CONTENT
        assert data[::-1] == CONTENT[::-1]


def test_a_file_that_is_cut_short_ends_earlier(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(CONTENT)
    with path.open("rb") as file:
        data = PagedFile(file, len(CONTENT))
        with path.open("r+b") as other:
            other.truncate(100)
        assert data[50:200] == CONTENT[50:100]
        assert data.find(b"\nFrom ") == -1
