"""How well the gate tells what to keep: precision and recall on the labelled turns and mails of tests/cases/gate.

    python -m tests.bench.gate            the set the gate was mended on, and the fifth that was held out
    python -m tests.bench.gate wrong      besides, what it gets wrong in the first of the two

Beside it the plain weighted rule of OpenHuman: drop under 10 tokens (of four characters) without an entity, or under a
total of 0.3. It sees a turn by itself; its entities are those that vaultmem's own extractors find.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.labelled import CASES, HELD_OUT, UNGUARDED, judged, mails, mentions_in, said, stopped, turns
from vaultmem.core.ingest.signals import is_content, length, measure, weighted_mean
from vaultmem.model import SourceKind, SourceMessage

#: (should be kept, is kept)
Verdict = tuple[bool, bool]
_CUES = {"sent": 0.6, "reply": 0.5, "dm": 0.3, "mention": 0.2}
_ROW = "{:14}{:>7}{:>11}{:>9}{:>11}{:>9}   {:>11}{:>9}{:>11}{:>9}"


def plain_rule_keeps(kind: SourceKind, item: SourceMessage) -> bool:
    """The baseline on one message."""
    text = item.message.text
    tokens = (len(text) + 3) // 4
    mentions = [m for m in mentions_in(kind, (item,)) if is_content(m)]
    signals = measure(
        kind=kind, provider=item.provider, texts=[text], token_count=tokens, mentions=mentions, cues=item.cues
    )
    said_so = [_CUES[cue] for cue in item.cues if cue in _CUES]
    signals |= {"token_count": length(tokens), "interaction": min(1.0, sum(said_so)) if said_so else 0.5}
    names = len({(m.kind, m.surface) for m in mentions})
    signals["entity_density"] = min(1.0, names * 100 / tokens) if tokens else 0.0
    total = weighted_mean(signals) + (0.25 if "priority_high" in item.cues else 0.0)
    tiny = tokens < 10 and not mentions and "priority_high" not in item.cues
    return not tiny and total >= 0.3


def figures(verdicts: Sequence[Verdict]) -> tuple[str, str, str, str]:
    """Precision and recall of keep, then of drop; "-" where nothing is to be divided."""
    found: list[str] = []
    for wanted in (True, False):
        right = sum(1 for should, does in verdicts if should == does == wanted)
        for at in (1, 0):
            total = sum(1 for verdict in verdicts if verdict[at] == wanted)
            found.append(f"{right / total:.3f}" if total else "-")
    return found[0], found[1], found[2], found[3]


def chats(folder: Path) -> dict[str, tuple[list[Verdict], list[Verdict]]]:
    """By language: the gate's verdicts, and the baseline's."""
    found: dict[str, tuple[list[Verdict], list[Verdict]]] = {}
    for turn in turns(folder):
        gate, plain = found.setdefault(turn.language, ([], []))
        gate.append((turn.label == "keep", not stopped(turn)))
        plain.append((turn.label == "keep", plain_rule_keeps("chat", said(turn.text))))
    return found


def letters(folder: Path) -> tuple[list[Verdict], list[Verdict]]:
    gate = [(not mail.reason, not judged("email", mail.item).reason) for mail in mails(folder)]
    return gate, [(not mail.reason, plain_rule_keeps("email", mail.item)) for mail in mails(folder)]


def table(title: str, folder: Path, say: Callable[[str], None]) -> None:
    say(f"\n{title}\n")
    say(_ROW.format("", "", "gate keep", "", "drop", "", "plain keep", "", "drop", ""))
    say(_ROW.format("", "items", *("precision", "recall") * 4))
    by_language = chats(folder)
    every = [[verdict for pair in by_language.values() for verdict in pair[side]] for side in (0, 1)]
    for name, (gate, plain) in [*sorted(by_language.items()), ("all turns", every), ("mails", letters(folder))]:
        say(_ROW.format(name, len(gate), *figures(gate), *figures(plain)))


def wrong(folder: Path) -> Iterable[str]:
    for turn in turns(folder):
        if (turn.label == "keep") == bool(stopped(turn)):
            yield f"{turn.language} {turn.label:5} {turn.before + ' > ' if turn.before else ''}{turn.text}"
    for mail in mails(folder):
        reason = judged("email", mail.item).reason
        if reason != mail.reason and not (reason and mail.reason == UNGUARDED):
            yield f"mail {mail.title}: {reason or 'kept'}"


def main(arguments: Sequence[str]) -> None:
    table("the set", CASES, print)
    table("held out", HELD_OUT, print)
    if "wrong" in arguments:
        print("\nwrong in the set\n", *wrong(CASES), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
