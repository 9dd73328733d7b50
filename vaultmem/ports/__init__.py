"""What the app asks of the world. A port exists where there are two real implementations or a fault to inject."""

from __future__ import annotations

from vaultmem.ports.facts import Facts
from vaultmem.ports.files import Intake, Scan, Vault
from vaultmem.ports.history import History
from vaultmem.ports.index import Index
from vaultmem.ports.llm import Llm
from vaultmem.ports.models import Embedder, Embedders, Reranker
from vaultmem.ports.work import Queue

__all__ = ["Embedder", "Embedders", "Facts", "History", "Index", "Intake", "Llm", "Queue", "Reranker", "Scan", "Vault"]
