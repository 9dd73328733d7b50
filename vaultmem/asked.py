"""The nouns of asking a language model: what it said, what that has cost, how it is."""

from __future__ import annotations

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """An answer, as far as it came."""

    text: str
    #: as the endpoint counts them; 0 where it does not say
    tokens_in: int = 0
    tokens_out: int = 0
    #: it ended at its limit and not by itself
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmUse:
    """What was asked of language models since the index was made, rebuilds included."""

    #: questions that were sent
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    #: summaries that said what their sources do not
    rejected: int = 0
    #: questions without a usable answer: what was decided without the model stands
    unanswered: int = 0
    #: questions not sent, because a run's limit was reached
    unasked: int = 0
    #: names in an answer that stand nowhere in the text
    invented: int = 0

    def plus(self, other: LlmUse) -> LlmUse:
        """Both together."""
        return LlmUse(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})

    def to_dict(self) -> dict[str, int]:
        """By name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmState:
    """The model as `status` shows it."""

    #: what was named, without the key; "" when none is
    endpoint: str
    use: LlmUse
    #: off | unasked | ok | down: as the last question found it
    state: str
    #: why it is down
    cause: str = ""

    def to_dict(self) -> dict[str, object]:
        """The JSON of `status`."""
        return {"endpoint": self.endpoint, "state": self.state, "cause": self.cause, **self.use.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmEstimate:
    """What is about to be asked."""

    calls: int
    #: of the texts alone and what is said around them
    tokens_in: int
    #: as many as the answers may have
    tokens_out: int
    #: the model, without the key
    endpoint: str

    @property
    def told(self) -> str:
        """For a person who may want to stop it."""
        return (
            f"about to ask {self.endpoint} up to {self.calls:,} times: some {self.tokens_in:,} tokens of text, at most "
            f"{self.tokens_out:,} of answers (limit: llm_max_calls_per_run)"
        )

    def to_dict(self) -> dict[str, object]:
        """The JSON of `sync`."""
        return {"calls": self.calls, "tokens_in": self.tokens_in, "tokens_out": self.tokens_out}
