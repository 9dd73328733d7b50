"""Which job grows what: one set of handlers for the three kinds of trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from vaultmem.app.grow import Grower
from vaultmem.app.grow_digests import ABOVE, Digests
from vaultmem.app.grow_topics import ALL, Topics
from vaultmem.jobs import Done, Job, JobKind, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class _Growing:
    grower: Grower
    digests: Digests
    topics: Topics

    def extract_chunk(self, job: Job) -> Outcome:
        """A chunk was written: its source tree, its days and its topics have a new leaf."""
        outcome = self.grower.extract_chunk(job)
        found = self.grower.engine.index.chunk(job.subject)
        if not isinstance(outcome, Done):
            return outcome
        more = [Job(kind="digest_daily", subject=ABOVE)]
        if found is not None and (found[1].status == "admitted" or found[1].edited):
            more += [Job(kind="topic_route", subject=ALL), *self.digests.of_chunk(found[1])]
        return replace(outcome, follow_ups=(*outcome.follow_ups, *more))

    def flush_stale(self, job: Job) -> Outcome:
        """A day has passed: buffers may have gone quiet, topics cold."""
        outcome = self.grower.flush_stale(job)
        assert isinstance(outcome, Done)
        return replace(outcome, follow_ups=(*outcome.follow_ups, Job(kind="topic_route", subject=ALL)))


def growing(grower: Grower) -> dict[JobKind, Callable[[Job], Outcome]]:
    """The handlers of all that grows; what was taken away meanwhile is enqueued."""
    digests, topics = Digests(grower=grower), Topics(grower=grower)
    digests.enqueue_touched()
    both = _Growing(grower=grower, digests=digests, topics=topics)
    return {
        "extract_chunk": both.extract_chunk,
        "append_buffer": grower.append_buffer,
        "seal": grower.seal,
        "flush_stale": both.flush_stale,
        "topic_route": topics.topic_route,
        "digest_daily": digests.digest_daily,
    }
