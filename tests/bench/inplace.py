"""What notes in place cost: `python -m tests.bench.inplace [notes]` prints seconds, wall and processor.

Words: until every note's words are in the index, where other readers find them. Vectors: until every passage has its
own. Rescan: a pass over a vault in which nothing changed. Idle: what the files of vault and data folder say before and
after a minute of `watch` (`--idle`). `--words 150`: notes of one paragraph of so many words, not as people keep them.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from tests.vaults import Box
from vaultmem.memory import open_vault
from vaultmem.providers.tokens import count_tokens

WORDS = (  # noqa: SIM905 - words, not data
    "boat river meeting plan budget review kitchen garden invoice contract project release deploy server database "
    "paper reading idea question answer decision Monday Tuesday travel Lisbon Berlin Anna Inês Carvalho Thomas Weber "
    "the and of with for about because nobody würde könnte über Straße schön café señor"
).split()

#: How a pass begins to tell of its stages.
_WORDS, _VECTORS = "words of your notes:", "vectors:"


def notes(count: int, *, seed: int = 1) -> Iterator[tuple[str, str]]:
    """(path, text) of notes as people keep them: a tenth daily ones, most with properties, links, tags and tasks."""
    chance = random.Random(seed)
    for number in range(count):
        if number % 10 == 0:
            day = number // 10
            path = f"Journal/{2020 + day // 336}-{1 + day // 28 % 12:02}-{1 + day % 28:02}.md"
        else:
            path = f"{chance.choice(['Work', 'Home', 'Reading'])}/{chance.choice('abcdef')}/Note {number}.md"
        yield path, _note(chance, number, count)


def _note(chance: random.Random, number: int, count: int) -> str:
    head = f"---\ntags: [area/{number % 9}, note]\naliases: [N{number}]\ncreated: 2025-{1 + number % 12:02}-11\n---\n"
    parts = [head if number % 3 else "", f"# Title {number}\n"]
    for section in range(chance.randint(1, 4)):
        link = f"See [[Note {chance.randrange(count)}]] and #tag{chance.randrange(50)}."
        parts += [f"## Section {section}\n", f"{_sentence(chance, 40)} {link}\n", f"{_sentence(chance, 30)}\n"]
    parts.append(f"- [ ] {_sentence(chance, 6)}\n- [x] {_sentence(chance, 5)} 2026-05-01\n")
    return "\n".join(parts)


def paragraphs(count: int, words: int, *, seed: int = 1) -> Iterator[tuple[str, str]]:
    """(path, text) of notes of one paragraph, no two alike."""
    chance = random.Random(seed)
    for number in range(count):
        yield f"Notes/Note {number}.md", f"{_sentence(chance, words)} This is number {number}.\n"


def _sentence(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words)).capitalize() + "."


class _Heard:
    """Hears from a pass what it is at, and knows when it last came to the end of something."""

    def __init__(self, *openings: str) -> None:
        self._began, self._spent = time.perf_counter(), time.process_time()
        self._at = ""
        self.told = dict.fromkeys(openings, "not seen")

    def hear(self, text: str) -> None:
        """The pass says where it is."""
        if self._at and not text.startswith(self._at):
            self.told[self._at] = _told(time.perf_counter() - self._began, time.process_time() - self._spent)
        self._at = next((opening for opening in self.told if text.startswith(opening)), "")


def _told(wall: float, spent: float) -> str:
    return f"{wall:7.2f} s wall {spent:7.2f} s processor"


def _timed(do: Callable[[], object]) -> str:
    began, spent = time.perf_counter(), time.process_time()
    do()
    return _told(time.perf_counter() - began, time.process_time() - spent)


def _stamps(box: Box) -> dict[str, tuple[int, int]]:
    files = [path for folder in (box.root, box.data) for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def _idle(box: Box, seconds: float) -> str:
    """What a minute of `watch` over a quiet vault writes."""
    seen: list[dict[str, tuple[int, int]]] = []
    due = time.monotonic() + 15

    def over() -> bool:
        nonlocal due
        if time.monotonic() > due:
            seen.append(_stamps(box))
            due += seconds
        return len(seen) == 2

    with box.open() as memory:
        memory.watch(lambda _: None, until=over)
    before, after = seen
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    return f"{len(changed)} files written {changed[:3]}"


@click.command()
@click.argument("count", default=5000)
@click.option("--words", type=int)
@click.option("--idle", is_flag=True)
def main(count: int, words: int | None, idle: bool) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        box = Box(Path(folder), embedder="builtin", config='notes: ["**/*.md"]\n')
        size = [0, 0]
        for path, text in notes(count) if words is None else paragraphs(count, words):
            target = box.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            size = [size[0] + len(text), size[1] + count_tokens(text)]
        print(f"{count:,} notes, {size[0] / count:,.0f} characters, {size[1] / count:,.0f} tokens each", flush=True)
        heard = _Heard(_WORDS, _VECTORS)
        with open_vault(box.root, environ=box.environ, progress=heard.hear) as memory:
            whole = _timed(memory.sync)
        print(f"words searchable  {heard.told[_WORDS]}\nall vectors       {heard.told[_VECTORS]}")
        print(f"whole pass        {whole}", flush=True)
        print(f"unchanged rescan  {_timed(box.sync)}\nonce more         {_timed(box.sync)}", flush=True)
        if idle:
            print(f"60 idle seconds   {_idle(box, 60)}")


if __name__ == "__main__":
    main()
