"""A composed summary, rewritten by the language model where there is one and what it writes can be believed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from vaultmem.app.asking import Asker
from vaultmem.asked import LlmUse
from vaultmem.core.grow.grounded import Rejected, check
from vaultmem.core.grow.rewrite import rewrite_question
from vaultmem.core.grow.units import BY_MODEL
from vaultmem.core.ingest.redact import redact
from vaultmem.core.notes.summarynote import sentence_line
from vaultmem.grown import SummaryNode

#: Fewer sentences are as short as they get.
_LEAST_SENTENCES = 4
#: Tokens a summary may have, whatever it sums up.
_MOST_TOKENS = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Summariser:
    """Rewrites; what it does not rewrite stays as it was composed."""

    asker: Asker

    def rewritten(self, node: SummaryNode, child_tokens: Iterable[int]) -> SummaryNode:
        """The node with the model's text, or as it is: without a model, without a whole and founded answer.

        `child_tokens`: of the bodies it sums up.
        """
        engine = self.asker.engine
        if engine.llm() is None or len(node.sentences) < _LEAST_SENTENCES:
            return node
        pii = engine.settings.redact_pii
        extract = sum(engine.count(sentence.text) for sentence in node.sentences)
        most = min(sum(child_tokens) // 2, extract, _MOST_TOKENS)
        system, prompt = rewrite_question(node.sentences, most)
        prompt = redact(prompt, pii).text
        answer = self.asker.ask(system, prompt, max_tokens=most * 3 // 2 + len(node.sentences) * 8, json=False)
        if answer is None:
            return node
        found = check(redact(answer.text, pii).text, node.sentences, most_tokens=most, count=engine.count)
        if isinstance(found, Rejected):
            self.asker.count(LlmUse(rejected=1))
            return node
        tokens = engine.count("\n".join(sentence_line(sentence) for sentence in found))
        return replace(node, sentences=found, summariser=f"{BY_MODEL}{self.asker.model}", token_count=tokens)
