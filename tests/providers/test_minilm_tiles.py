"""Products in tiles: the vectors of float32 as far as a ranking can tell, and only where a processor has tiles."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from tests.providers.test_minilm_stacks import rows_of, texts_of
from vaultmem.providers import minilm_tiles
from vaultmem.providers.minilm import MiniLm
from vaultmem.providers.minilm_layers import Room
from vaultmem.providers.minilm_tiles import are_there, tiled

numkong = pytest.importorskip("numkong", reason="package numkong is only wanted on Linux, x86-64")


def test_vectors_are_those_of_float32() -> None:
    texts = [*texts_of(3, 40), "word " * 300, "", "\u0000", "🙂" * 50]
    tiles, floats = MiniLm(tiles=True).embed(texts), MiniLm(tiles=False).embed(texts)
    assert np.abs(tiles - floats).max() < 2e-3
    assert np.einsum("ij,ij->i", tiles, floats).min() > 0.9999
    assert np.allclose(np.linalg.norm(tiles, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("rows", [1, 2, 15, 16, 17, 127, 128, 129, 300])
def test_a_product_is_that_of_its_whole_numbers(rows: int) -> None:
    chance = np.random.default_rng(rows)
    weights = chance.integers(-128, 128, size=(384, 1152)).astype(np.int8)
    scales, bias = chance.random(1152).astype(np.float32), chance.random(1152).astype(np.float32)
    x = chance.normal(size=(rows, 384)) * 10.0 ** chance.integers(-3, 4, size=(rows, 1))
    made = tiled(weights, scales, bias).of(rows_of(x), Room())
    exact = x @ (weights * scales.astype(float)) + bias
    assert made.shape == (1, rows, 1152)
    # eight bits of each of 384 numbers: 1/256 of them at most, and seldom all to one side
    most = np.abs(x) @ (np.abs(weights) * scales.astype(float)) / 256
    assert (np.abs(made[0] - exact) <= most + 1e-3).all()
    assert np.abs(made[0] - exact).mean() < most.mean() / 8


def test_a_row_has_the_same_bits_wherever_it_stands() -> None:
    chance = np.random.default_rng(5)
    product = tiled(chance.integers(-127, 128, size=(1536, 384)).astype(np.int8), np.ones(384, "f"), np.ones(384, "f"))
    many = rows_of(chance.normal(size=(336, 1536)))
    found = product.of(many, Room())[0].copy()
    for count in (*range(1, 40), 63, 130, 250):
        first = int(chance.integers(0, 336 - count))
        assert np.array_equal(product.of(many[first : first + count], Room())[0], found[first : first + count]), count


@pytest.mark.parametrize(
    ("processor", "expected"),
    [({"sapphireamx": True}, True), ({"graniteamx": True}, True), ({"sapphireamx": False, "haswell": True}, False)],
)
def test_tiles_are_taken_where_the_processor_has_them(
    processor: dict[str, bool], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numkong, "get_capabilities", lambda: processor)
    are_there.cache_clear()
    try:
        assert are_there() is expected
        assert MiniLm()._tiles is expected
    finally:
        are_there.cache_clear()


def test_without_the_package_products_are_of_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm_tiles, "find_spec", lambda name: None if name == "numkong" else find_spec(name))
    are_there.cache_clear()
    try:
        assert np.array_equal(MiniLm().embed(["a boat"]), MiniLm(tiles=False).embed(["a boat"]))
    finally:
        are_there.cache_clear()
