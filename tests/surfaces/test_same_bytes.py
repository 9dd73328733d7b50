"""One question, one answer, byte for byte: again in the same process, in others under other hash seeds, after a rebuild
and from an index made anew elsewhere; for every way of asking, with words alone and with vectors."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.program import run
from tests.vaults import REPO, Box
from vaultmem.queries import TREE_MODES
from vaultmem.surfaces.cli import cli

PEOPLE = ("Alice Moreau", "Bob Tanaka", "Cleo Petrov", "Dan Okafor")
THINGS = ("boiler", "tide table", "lens", "ferry permit")
#: What is said in two rooms in the same minute, by the same person, and again: order must come from somewhere.
TIES = "".join(
    f"{day:02}/05/2026, 10:0{n} - {PEOPLE[(day + n) % 4]}: The {THINGS[n]} is checked, as {PEOPLE[n]} wrote\n"
    for day in range(1, 8)
    for n in range(4)
)
ROOMS = {
    "WhatsApp Chat with House.txt": TIES + "07/05/2026, 12:00 - Bob Tanaka: 東京駅で会いましょう、チケットは二枚\n",
    "WhatsApp Chat with Harbour.txt": TIES + "07/05/2026, 12:00 - Cleo Petrov: Паром отходит в девять утра\n",
}
MAIL = "".join(
    f"From a@example.com Mon May  {n % 7 + 4} 08:00:00 2026\nFrom: Alice Moreau <alice@example.com>\n"
    f"To: bob@example.com\nSubject: Invoice {n % 3}\nDate: Mon, {n % 7 + 4:02} May 2026 08:00:00 +0000\n"
    f"Message-ID: <{n}@example.com>\n\nBob, invoice INV-{n:03} for the boiler is 4,200 euros. Pay it by Friday.\n\n"
    for n in range(9)
)
REPORT = "# Report of the boiler\n\n" + "\n\n".join(
    f"## Part {n}\n\nThe boiler of pier {n} was made by Sautter. Dan Okafor checked it on 3 May 2026." for n in range(9)
)
OWN = "---\naliases: [the old lamp]\ntags: [boiler]\n---\n# Lamp\n\nThe lamp stands beside the boiler, see [[Lens]].\n"


#: Of the questions that is the share asked twice in one process; nightly all are.
_EVERY = 3


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A vault and every question put to it, as words of the command line."""

    box: Box
    questions: tuple[tuple[str, ...], ...]


def filled(folder: Path, embedder: str) -> Box:
    box = Box(folder, embedder=embedder, config='notes: ["Own/**"]\n')
    for name, text in {**ROOMS, "letters.mbox": MAIL, "Report.md": REPORT}.items():
        box.write(name, text)
    (box.root / "Own").mkdir()
    for name, text in (("Lamp.md", OWN), ("Lens.md", "# Lens\n\nThe lens of the boiler weighs 380 kg.\n")):
        (box.root / "Own" / name).write_text(text)
        os.utime(box.root / "Own" / name, (1_700_000_000, 1_700_000_000))
    box.sync()
    with box.open() as memory:
        for session in ("one", "two"):
            turns = [{"role": "user", "text": "Call me Captain. The boiler was sold, that is decided."}]
            memory.take([memory.drop_session(session, turns).name])
        for key in ("boiler", "tea", "lens"):
            memory.set_fact("user", key, "is looked after by Dan Okafor")
            memory.set_fact("harbour", key, "is looked after by Dan Okafor")
        memory.sync()
    return box


@pytest.fixture(scope="module", params=["none", "builtin"])
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    box = filled(tmp_path_factory.mktemp("bytes"), request.param)
    with box.open() as memory:
        found = memory.recall("boiler", k=30)
        assert ("vector" in found.hits[0].score_parts) == (request.param == "builtin")
        leaves = list(dict.fromkeys(hit.node_id for hit in found.hits))
        nodes = [hit.node_id for hit in memory.tree("query_global", window="90d").hits if hit.node_kind == "summary"]
    question = "what did Alice Moreau tell Bob Tanaka about the boiler?"
    return Asked(
        box=box,
        questions=(
            ("recall", question), ("recall", "boiler", "-k", "50"), ("recall", "the latest of the lens"),
            ("recall", "what was checked on 3 May"), ("recall", "東京駅"), ("recall", "zebra crossing of Ursula"),
            ("recall", "boiler", "--kind", "chat", "--since", "2026-05-03", "--entity", "bob tanaka"),
            ("context", question), ("context", "boiler", "--budget", "500", "--session", "two"), ("ask", question),
            ("tree", "walk", f"query={question}"), ("tree", "walk", "query=who checked the lens?", "window=90d"),
            ("tree", "smart_walk", "query=Dan Okafor", "limit=30"),
            ("tree", "smart_walk", "query=Cleo Petrov and Sautter", "max_hops=4"),
            ("tree", "search_entities", "query="), ("tree", "search_entities", "query=alise"),
            ("tree", "query_source"), ("tree", "query_source", "query=boiler", "source=whatsapp:"),
            ("tree", "query_topic", "entity=bob tanaka"), ("tree", "query_topic", "entity=dan okafor", "query=boiler"),
            ("tree", "query_global", "window=90d"), ("tree", "query_global", "window=90d", "query=boiler"),
            ("tree", "cover_window", "since=2026-05-02", "limit=3"), ("tree", "cover_window", "window=90d"),
            ("tree", "drill_down", f"node_id={leaves[0]}", "query=boiler"),
            ("tree", "drill_down", f"node_id={nodes[-1]}", "max_depth=4"),
            ("tree", "drill_down", f"node_id={nodes[-1]}", "query=boiler"),
            ("tree", "fetch_leaves", f"chunk_ids={','.join(leaves)}"), ("tree", "sync_status_list"),
            ("graph", "bob tanaka", "--hops", "2"), ("facts", "list"), ("facts", "list", "user"),
            ("facts", "search", "user", "who looks after the boiler"), ("facts", "get", "user", "boiler"),
            ("explain", leaves[0], "--query", question), ("explain", nodes[0]), ("dropped",), ("entities",),
            ("digest",), ("digest", "2026-05"),
        ),
    )  # fmt: skip


CODE = (
    "import json, sys, click.testing as t\nfrom vaultmem.surfaces.cli import cli\n"
    "vault, *questions = json.loads(sys.stdin.read())\n"
    "for q in questions:\n"
    "    found = t.CliRunner().invoke(cli, ['--vault', vault, *q, '--json'])\n"
    "    print(json.dumps([found.exit_code, found.stdout]))\n"
)


def told(asked: Asked, seed: str, **environ: str) -> list[str]:
    """What a new process answers, question by question."""
    done = subprocess.run(
        [sys.executable, "-c", CODE], check=True, capture_output=True, cwd=REPO, text=True,
        input=json.dumps([str(asked.box.root), *asked.questions]),
        env={**os.environ, **asked.box.environ, **environ, "PYTHONHASHSEED": seed},
    ).stdout.splitlines()  # fmt: skip
    answers = [json.loads(line) for line in done]
    assert [code for code, _ in answers] == [0] * len(asked.questions)
    return [text for _, text in answers]


def differing(asked: Asked, one: list[str], other: list[str]) -> list[tuple[str, ...]]:
    return [question for question, a, b in zip(asked.questions, one, other, strict=True) if a != b]


def test_every_mode_is_asked(asked: Asked) -> None:
    modes = {question[1] for question in asked.questions if question[0] == "tree"}
    assert modes == set(TREE_MODES) - {"ingest_document"}
    answers = {question[0] for question in asked.questions}
    writes = {"init", "ingest", "sync", "watch", "rebuild", "forget", "commit", "mcp", "serve", "hook", "obsidian"}
    # what tells of this moment's disk, of what changed, or of how often it was asked
    moments = {"status", "verify", "doctor", "diff", "completion", "topics"}
    assert answers == set(cli.commands) - writes - moments


def test_the_answer_is_the_same_bytes_always(asked: Asked) -> None:
    first = told(asked, "1")
    for question, answer in zip(asked.questions, first, strict=True):
        assert '"version"' in answer, question
        if "zebra" not in question[-1] and question != ("dropped",):
            assert any(value for value in json.loads(answer).values() if isinstance(value, list | dict)), question
    with asked.box.open() as memory:
        memory.rebuild()
    again = told(asked, "77")
    assert differing(asked, first, again) == [], "another process, another hash seed, a rebuilt index"
    once_more = [run(asked.box, *question, "--json").stdout for question in asked.questions[::_EVERY] * 2]
    assert once_more == first[::_EVERY] * 2, "asked twice in one process"


@pytest.mark.nightly
def test_an_index_made_of_the_notes_alone_says_the_same(asked: Asked) -> None:
    first = told(asked, "1")
    twice = told(Asked(box=asked.box, questions=asked.questions * 2), "3")
    assert differing(asked, first, twice[: len(first)]) == [], "another hash seed"
    assert differing(asked, first, twice[len(first) :]) == [], "asked again in that process"
    shutil.rmtree(asked.box.data)
    asked.box.sync()
    assert differing(asked, first, told(asked, "4")) == []
