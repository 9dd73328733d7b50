"""What of the evidence a summary keeps: FACET beside lead, random and LexRank, 50,000 tokens -> 5,000.

    python -m tests.bench.summaries

All chats of the LoCoMo half as one stream in time order, cut into windows of 50,000 tokens. EvR is the mean share of
a question's evidence turns of which at least one sentence was kept.
"""

from __future__ import annotations

import json
import math
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from vaultmem.core.grow.concepts import concepts_of, stems_of
from vaultmem.core.grow.facet import Budget, frequencies, select
from vaultmem.core.grow.units import Unit, units_of
from vaultmem.core.notes.codec import message_passages, render_body
from vaultmem.core.notes.ids import sha256_hex
from vaultmem.model import Chunk, Message
from vaultmem.providers.tokens import count_tokens

DATA = Path(__file__).parents[2] / "../shared/bench/locomo/locomo_dev.json"
WINDOW, BUDGET = 50_000, 5_000
Keeper = Callable[[Sequence[Unit]], Sequence[Unit]]


@dataclass(frozen=True)
class Session:
    name: str
    at: datetime
    turns: list[dict[str, Any]]


def sessions(conversation: dict[str, Any], name: str) -> Iterator[Session]:
    for key, turns in conversation.items():
        if re.fullmatch(r"session_\d+", key) and turns:
            at = datetime.strptime(conversation[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            yield Session(name, at, turns)


def chunk_of(session: Session, number: int) -> tuple[Chunk, list[str]]:
    """A session as the chunk its note would hold, and the question-side ids of its turns."""
    messages = [
        Message(
            key=sha256_hex(f"{session.name} {turn['dia_id']}".encode())[:12],
            sent_at=session.at + timedelta(seconds=20 * n),
            author=turn["speaker"],
            text=turn["text"],
        )
        for n, turn in enumerate(session.turns)
    ]
    body = render_body("chat", messages)
    chunk = Chunk(
        chunk_id=f"{number:032x}",
        source_kind="chat",
        source_id=f"slack:{session.name}",
        tree_scope=session.name,
        owner="",
        time_start=session.at,
        time_end=messages[-1].sent_at or session.at,
        seq=number,
        position=f"{number:06d}",
        token_count=count_tokens(body),
        body=body,
        source_ref="",
        original="",
        title=session.name,
    )
    return chunk, [f"{session.name} {turn['dia_id']}" for turn in session.turns]


def windows(chunked: Sequence[tuple[Unit, ...]]) -> list[list[Unit]]:
    found: list[list[Unit]] = [[]]
    size = 0
    for units in chunked:
        for unit in units:
            if size >= WINDOW:
                found.append([])
                size = 0
            found[-1].append(unit)
            size += unit.tokens
    return found


def budget(units: Sequence[Unit]) -> int:
    """5,000 for a full window; the last one, which is shorter, is cut by the same ratio."""
    return min(BUDGET, sum(unit.tokens for unit in units) * BUDGET // WINDOW)


def fill(order: Sequence[Unit]) -> list[Unit]:
    """Units in the given order of preference until the budget is spent, ."""
    limit = budget(order)
    kept, spent = [], 0
    for unit in order:
        if spent + unit.tokens <= limit:
            kept.append(unit)
            spent += unit.tokens
    return kept


def lead(units: Sequence[Unit]) -> list[Unit]:
    spent = 0
    kept = []
    for unit in units:
        spent += unit.tokens
        if spent > budget(units):
            break
        kept.append(unit)
    return kept


def shuffled(seed: int) -> Keeper:
    return lambda units: fill(random.Random(seed).sample(list(units), len(units)))


def lexrank(units: Sequence[Unit]) -> list[Unit]:
    """Degree of similarity by tf-idf cosine (threshold 0.1), power iteration with damping 0.85."""
    bags = [Counter(stems_of(unit.text)) for unit in units]
    holders = Counter(stem for bag in bags for stem in bag)
    vectors = [{s: n * math.log(len(bags) / holders[s]) for s, n in bag.items()} for bag in bags]
    norms = [math.sqrt(sum(w * w for w in vector.values())) or 1.0 for vector in vectors]
    by_stem: dict[str, list[tuple[int, float]]] = defaultdict(list)
    edges: list[list[int]] = [[] for _ in bags]
    for index, vector in enumerate(vectors):
        dots: dict[int, float] = defaultdict(float)
        for stem, weight in vector.items():
            for other, own in by_stem[stem]:
                dots[other] += own * weight
            by_stem[stem].append((index, weight))
        for other, dot in dots.items():
            if dot / (norms[index] * norms[other]) > 0.1:
                edges[index].append(other)
                edges[other].append(index)
    rank = [1.0] * len(bags)
    for _ in range(30):
        rank = [0.15 + 0.85 * sum(rank[j] / len(edges[j]) for j in near) for near in edges]
    return fill([units[i] for i in sorted(range(len(units)), key=lambda i: (-rank[i], i))])


def load() -> tuple[list[list[Unit]], dict[tuple[str, int], str], list[tuple[int, list[str]]]]:
    """Windows of units, the turn of each (chunk, passage), and (category, evidence turns) of each question."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    stream = sorted(
        (s for sample in data for s in sessions(sample["conversation"], sample["sample_id"])),
        key=lambda s: (s.at, s.name),
    )
    turn_of: dict[tuple[str, int], str] = {}
    chunked = []
    for number, session in enumerate(stream):
        chunk, turns = chunk_of(session, number)
        turn_of |= {(chunk.chunk_id, n): turn for n, turn in enumerate(turns)}
        chunked.append(units_of(chunk, message_passages("chat", chunk.body), count_tokens))
    known = set(turn_of.values())
    questions = []
    for sample in data:
        for qa in sample["qa"]:
            named = [f"{sample['sample_id']} {e}" for text in qa["evidence"] for e in re.findall(r"D\d+:\d+", text)]
            if evidence := [turn for turn in named if turn in known]:
                questions.append((qa["category"], evidence))
    return windows(chunked), turn_of, questions


def evidence_kept(kept: set[str], questions: Sequence[tuple[int, list[str]]], categories: set[int]) -> float:
    shares = [sum(t in kept for t in turns) / len(turns) for category, turns in questions if category in categories]
    return 100 * sum(shares) / len(shares)


def facet(units: Sequence[Unit]) -> Sequence[Unit]:
    return select(units, budget=Budget(prose=budget(units), body=10 * WINDOW), frequencies=frequencies(units))


def measure() -> list[tuple[str, float, float, float, float]]:
    """(method, EvR of categories 1-4, EvR of all, sentences kept, ms CPU for a window)."""
    parts, turn_of, questions = load()
    methods: list[tuple[str, list[Keeper]]] = [
        ("lead", [lead]),
        ("random (mean of 5)", [shuffled(seed) for seed in range(5)]),
        ("LexRank", [lexrank]),
        ("FACET", [facet]),
    ]
    rows = []
    for name, keepers in methods:
        results = []
        for keep in keepers:
            concepts_of.cache_clear()
            started = time.process_time()
            chosen = [unit for units in parts for unit in keep(units)]
            spent = 1000 * (time.process_time() - started) / len(parts)
            kept = {turn_of[unit.chunk_id, unit.passage] for unit in chosen}
            four = evidence_kept(kept, questions, {1, 2, 3, 4})
            results.append((four, evidence_kept(kept, questions, {1, 2, 3, 4, 5}), len(chosen), spent))
        rows.append((name, *(sum(values) / len(results) for values in zip(*results, strict=True))))
    return rows


def main() -> None:
    if not DATA.exists():
        print(f"skipped: {DATA.name} is not there")
        return
    parts, _, questions = load()
    print(f"LoCoMo dev half: {len(questions)} questions with evidence, {sum(map(len, parts))} sentences in")
    print(
        "windows of "
        + ", ".join(str(sum(u.tokens for u in units)) for units in parts)
        + " tokens -> "
        + ", ".join(str(budget(units)) for units in parts)
        + "\n"
    )
    print(f"{'method':<20}{'EvR cat 1-4':>12}{'EvR all':>9}{'sentences':>11}{'CPU ms/window':>15}")
    for name, four, everything, kept, spent in measure():
        print(f"{name:<20}{four:>12.1f}{everything:>9.1f}{kept:>11.0f}{spent:>15.0f}")


if __name__ == "__main__":
    sys.exit(main())
