"""Whether what recall finds is still in the context pack after trimming, over public questions and real notes.

    python -m tests.bench.context              LoCoMo and the Obsidian help vault, 200 questions of each
    python -m tests.bench.context locomo all   all questions of one

Conversations are dropped as chat exports, the help vault as its files; words alone, so that nothing but trimming is
measured. A hit is kept when the pack names its lines, with words of it; the text must not be over its budget.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from tests.bench.datasets import BENCH, SETS, load
from tests.vaults import Box
from vaultmem.answers import RetrievalHit
from vaultmem.memory import Memory
from vaultmem.providers.tokens import count_tokens
from vaultmem.told import ContextPack

BUDGETS = (500, 1000, 4000)
QUESTIONS = 200
HITS = 10


def drop_locomo(box: Box) -> None:
    """Each conversation as the export of a chat."""
    for number, item in enumerate(json.loads((BENCH / "locomo/locomo_dev.json").read_text(encoding="utf-8"))):
        talk, rows = item["conversation"], []
        for session in sorted(int(key.split("_")[1]) for key in talk if re.fullmatch(r"session_\d+", key)):
            when = datetime.strptime(talk[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y")
            for turn in talk[f"session_{session}"]:
                rows.append(f"{when:%d/%m/%Y, %H:%M} - {turn['speaker']}: {' '.join(turn['text'].split())}")
                when += timedelta(minutes=1)
        box.write(f"WhatsApp Chat with Conversation {number}.txt", "\n".join(rows) + "\n")


def drop_help(box: Box) -> None:
    """The help vault as a folder of notes."""
    root = BENCH / "obsidian_help/vault"
    for path in sorted(root.rglob("*.md")):
        box.write(f"help/{path.relative_to(root).as_posix()}", path.read_bytes())


DROPS = {"locomo": drop_locomo, "help": drop_help}


def is_kept(hit: RetrievalHit, found: ContextPack) -> bool:
    """Whether the first section names the hit's lines with words of it, and the text shows them below its note."""
    whole = " ".join(hit.content.split())
    lines = [line for line in found.sections[0].lines if (line.note_path, line.lines) == (hit.note_path, hit.lines)]
    return any(
        (core := line.text.strip("… ")) and core in whole and line.text in found.text and is_named(hit, found)
        for line in lines
    )


def is_named(hit: RetrievalHit, found: ContextPack) -> bool:
    return hit.note_path in found.text or f"\nnote {hit.node_id[:8]}\n" in found.text


def measure(memory: Memory, questions: Sequence[str], budget: int) -> str:
    """One row: hits reported and kept, and the tokens of the packs."""
    hits = kept = over = whole = told = 0
    tokens: list[int] = []
    lost: list[str] = []
    for question in questions:
        wanted = memory.recall(question, k=HITS).hits
        found = memory.context(question, budget=budget)
        here = sum(is_kept(hit, found) for hit in wanted)
        hits, kept = hits + len(wanted), kept + here
        lost += [question] if here < len(wanted) else []
        told += found.left_out.get("memory_context", 0)
        whole += sum(line.is_whole for line in found.sections[0].lines)
        used = count_tokens(found.text)
        tokens.append(used)
        over += used > budget or used != found.tokens
    used = sorted(tokens)
    row = (
        f"  {budget:>6} tokens: {kept:,} of {hits:,} hits kept ({whole:,} whole), {told} told as left out, "
        f"{over} packs over; tokens used: median {used[len(used) // 2]:,}, most {used[-1]:,}"
    )
    return "\n".join([row, *(f"      lost: {question}" for question in lost[:5])])


def ask(name: str, most: int) -> None:
    dataset = load(name)
    if dataset is None:
        print(f"{name}: not measured, there is no {SETS[name][0]} in shared/bench")
        return
    questions = list(dict.fromkeys(asked.text for asked in dataset.asks))
    questions = questions[:: max(1, len(questions) // most)][:most]
    with tempfile.TemporaryDirectory() as folder:
        box = Box(Path(folder))
        DROPS[name](box)
        box.sync()
        with box.open() as memory:
            memory._answer = cache(memory._answer)  # type: ignore[method-assign] # three budgets, one ranking
            print(f"{dataset.name}: {len(questions)} questions, {memory.status().counts['passages']:,} passages")
            for budget in BUDGETS:
                print(measure(memory, questions, budget), flush=True)


def main() -> None:
    most = sys.maxsize if "all" in sys.argv[1:] else QUESTIONS
    for name in [word for word in sys.argv[1:] if word in DROPS] or list(DROPS):
        ask(name, most)


if __name__ == "__main__":
    main()
