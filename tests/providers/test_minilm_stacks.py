"""Texts in stacks: each has the very bits that it has alone; where that cannot be promised, nothing is stacked."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from vaultmem.providers import minilm, minilm_layers
from vaultmem.providers.minilm import MiniLm
from vaultmem.providers.minilm_layers import Dense, Floats, Room, dense, keeps_bits, rows_for, runs_of

WORDS = "the ferry leaves at noon, Zoë's café; 漢字 👍 https://example.org/a?b=1 reimbursement x"


@pytest.fixture(scope="module")
def floats() -> MiniLm:
    return MiniLm(tiles=False)


@pytest.fixture(scope="module", params=["float32", "tiles"])
def model(request: pytest.FixtureRequest, floats: MiniLm) -> MiniLm:
    """Both kinds of products: on a processor without tiles package numkong makes the same ones, only slower."""
    if request.param == "float32":
        return floats
    pytest.importorskip("numkong", reason="package numkong is only wanted on Linux, x86-64")
    return MiniLm(tiles=True)


def texts_of(seed: int, count: int) -> list[str]:
    chance = random.Random(seed)
    lengths = [0, 1, 1, 2, 3, 3, 4, 5, 7, 9, 12, 17, 30, 90, 250]
    return [" ".join(chance.choices(WORDS.split(), k=chance.choice(lengths))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(3))
def test_a_text_has_the_same_bits_in_every_company_as_alone(model: MiniLm, seed: int) -> None:
    texts = texts_of(seed, 18)
    alone = np.concatenate([model.embed([text]) for text in texts])
    order = random.Random(seed).sample(range(len(texts)), len(texts))
    assert np.array_equal(model.embed(texts), alone)
    assert np.array_equal(model.embed([texts[place] for place in order]), alone[order])
    assert np.array_equal(model.embed(texts[5:11]), alone[5:11])


def test_rows_of_a_product_do_not_depend_on_their_place(floats: MiniLm) -> None:
    assert floats.embed(["loaded"] * 4).any()
    loaded = floats._model
    assert loaded is not None
    if not loaded.may_stack:
        pytest.skip("the products of this machine do depend on it: nothing is stacked")
    chance = np.random.default_rng(5)
    for product in (loaded.layers[0].out, loaded.layers[5].narrow):
        many = rows_of(chance.normal(size=(336, product.blocks.shape[1] - 1)))
        found = product.of(many, Room()).copy()
        for count in (*range(2, 40), 63, 130, 250):
            first = int(chance.integers(0, 336 - count))
            few = rows_of(np.zeros((rows_for(count), many.shape[1] - 1)))
            few[:count] = many[first : first + count]
            assert np.array_equal(product.of(few, Room())[:, :count], found[:, first : first + count]), count


def rows_of(values: np.ndarray) -> Floats:
    rows = Room().rows("x", *values.shape)
    rows[:, :-1] = values
    return rows


def test_where_rows_depend_on_each_other_nothing_is_stacked(floats: MiniLm, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = texts_of(7, 9)
    together = floats.embed(texts)
    loaded = floats._model
    assert loaded is not None
    plain = Dense.of

    def other(product: Dense, x: Floats, room: Room) -> Floats:
        made = plain(product, x, room)
        made[:, 0] *= np.float32(1 + len(x) * 1e-6)
        return made

    monkeypatch.setattr(Dense, "of", other)
    assert not keeps_bits(loaded.layers[0])
    monkeypatch.undo()
    monkeypatch.setattr(minilm, "keeps_bits", lambda layer: False)
    seen: list[int] = []
    embed = minilm._Model.embed

    def told(model: minilm._Model, stack: list[list[int]]) -> Floats:
        seen.append(len(stack))
        return embed(model, stack)

    monkeypatch.setattr(minilm._Model, "embed", told)
    assert np.array_equal(MiniLm(tiles=False).embed(texts), together)
    assert seen == [1] * len(texts)


def test_a_product_is_that_of_its_whole_numbers() -> None:
    chance = np.random.default_rng(2)
    weights = chance.integers(-127, 128, size=(384, 1536)).astype(np.int8)
    scales, bias = chance.random(1536).astype(np.float32), chance.random(1536).astype(np.float32)
    x = chance.normal(size=(5, 384))
    made = dense(weights, scales, bias).of(rows_of(x), Room())
    assert made.shape == (6, 5, 256)
    assert np.allclose(made.transpose(1, 0, 2).reshape(5, -1), x @ (weights * scales) + bias, rtol=1e-4, atol=1e-3)


def test_gelu_is_that_of_the_normal_distribution() -> None:
    x = np.concatenate([np.linspace(-12, 12, 9_000), [-3e38, -1e9, 0, 1e9, 3e38]]).astype(np.float32)
    exact = [value * math.erfc(-value / math.sqrt(2)) / 2 for value in map(float, x)]
    found = np.empty((1, len(x)), dtype=np.float32)
    with np.errstate(over="ignore"):
        minilm_layers._gelu(x.reshape(1, 1, -1), found, Room())
    assert np.allclose(found[0], exact, rtol=1e-6, atol=7e-7)


def test_rows_are_twelve_at_least_and_leave_three_at_most_and_texts_keep_their_order() -> None:
    assert [rows_for(count) for count in (1, 3, 4, 11, 12, 15, 16, 256)] == [12, 12, 12, 12, 12, 15, 24, 264]
    runs = list(runs_of([2, 5, 5, 5, 3]))
    assert [(run.first, run.texts, run.pieces) for run in runs] == [(0, 1, 2), (2, 3, 5), (17, 1, 3)]
    assert [(run.first, run.texts) for run in runs[1].parts(2)] == [(2, 2), (12, 1)]
    assert len(list(runs[1].parts(0))) == 3


@pytest.mark.parametrize("lengths", [[2] * 4, [256] * 7, [12, 256, 3, 40, 12, 12], list(range(2, 100)), [50] * 600])
def test_every_text_is_in_one_stack(lengths: list[int]) -> None:
    stacks = minilm._shared(lengths)
    assert sorted(place for stack in stacks for place in stack) == list(range(len(lengths)))
    assert max(sum(lengths[place] for place in stack) for stack in stacks) <= minilm._MOST_ROWS + max(lengths)
    assert len(stacks) == 1 or sum(lengths) / len(stacks) >= minilm._LEAST_ROWS


def test_a_question_beside_a_batch_changes_no_bit(model: MiniLm) -> None:
    texts = texts_of(11, 24)
    alone = model.embed(texts)
    with ThreadPoolExecutor(3) as threads:
        found = [threads.submit(model.embed, part) for part in (texts, texts[:1], texts[3:9], texts[:1], texts)]
    for part, place in zip(found, (slice(None), slice(1), slice(3, 9), slice(1), slice(None)), strict=True):
        assert np.array_equal(part.result(), alone[place])
