"""`ranking:` in the settings: every constant is obeyed at every door, and a wrong one is a clear line."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.surfaces.test_mcp import environment, server
from tests.vaults import Box
from vaultmem.core.recall.weights import NAMES, PARTS, WEIGHTS, Weights, problem_of, shown
from vaultmem.errors import BadConfig
from vaultmem.surfaces.cli import cli

CASES = Path(__file__).parents[1] / "cases/question_kinds"
_CONFIG = ".vaultmem/config.yaml"
#: Two ways lead from Ann to Cyd, and Ann is nearer to Eve than to anybody on them.
_MET = [("Ann Vale", "Eve Wood")] * 3 + [
    ("Ann Vale", "Bea Moor"), ("Bea Moor", "Cyd Hale"), ("Ann Vale", "Dee Loft"), ("Dee Loft", "Cyd Hale"),
]  # fmt: skip
_BOILERS = "".join(
    f"{day:02}/05/2026, 10:00 - Alice Smith: The boiler of house {day} was repaired for {day}00 euros\n"
    f"{day:02}/05/2026, 10:05 - Bob Jones: Did you pay invoice INV-{day:03} for the boiler?\n"
    for day in range(1, 29)
)
_QUINCES = "".join(f"01/04/2026, 10:{minute} - Bob Jones: quince!\n" for minute in range(10, 50)) + (
    "01/04/2026, 10:55 - Bob Jones: the quince tree by the wall wants water before noon\n"
)

#: constant -> a value, and a question whose answer is another one then: (mode, text)
MOVED: dict[str, tuple[float, str, str]] = {
    "k1": (5, "recall", "belt Kvarn"),
    "b": (1, "recall", "belt Kvarn"),
    "near": (0, "recall", "belt Kvarn"),
    "parent": (0, "recall", "belt Kvarn"),
    "vector": (0.1, "recall", "belt Kvarn"),
    "unrelated": (-1, "recall", "belt Kvarn"),
    "floored": (0, "recall", "belt Kvarn"),
    "least_cosine": (0.9, "recall", "a motor that makes fruit into drinks"),
    "title": (2, "recall", "deploy notes"),
    "asks": (-3, "recall", "boiler invoice INV-012"),
    "when": (2, "recall", "when is the bottling"),
    "time": (3, "recall", "what did Yusuf lose in March"),
    "time_alone": (0.1, "recall", "what happened on 14 February 2026"),
    "time_before": (0, "recall", "what did Yusuf lose on 4 March"),
    "time_after": (0, "recall", "what did Yusuf lose on 1 March"),
    "time_around": (0.1, "recall", "what did Yusuf lose on 4 March"),
    "time_fade": (2, "recall", "what did Yusuf lose on 4 March"),
    "speaker": (4, "recall", "what did Greta Holm say about the tank"),
    "least_name": (6, "recall", "what did Greta say about the tank"),
    "about": (3, "recall", "Greta Holm"),
    "exact": (3, "recall", "error E4102"),
    "exact_few": (1, "recall", "error E4102"),
    "entities": (3, "recall", "Greta Holm and the tank"),
    "ppr": (2, "recall", "Ann Vale and Cyd Hale"),
    "ppr_damping": (0.9, "recall", "Ann Vale and Cyd Hale"),
    "ppr_steps": (3, "recall", "Ann Vale and Cyd Hale"),
    "ppr_next": (80, "recall", "Ann Vale and Cyd Hale"),
    "ppr_hub": (1, "recall", "Ann Vale and Cyd Hale"),
    "ppr_bridges": (0, "words", "Ann Vale and Cyd Hale"),
    "recency": (3, "recall", "what is the latest price of a crate"),
    "recency_half_life": (3000, "recall", "what is the latest price of a crate"),
    "candidates": (10, "words", "quince"),
    "candidates_each": (10, "recall", "quince"),
    "copies": (1, "recall", "the same newsletter"),
    "silent_looked_at": (1, "words", "boiler invoice INV-012"),
    "silent_held": (1, "words", "belt Kvarn oven"),
    "silent_cosine": (0, "recall", "belt Kvarn oven"),
    "silent_together": (11, "recall", "belt Kvarn"),
    "silent_timed": (10, "recall", "what did Yusuf bake in March"),
    "walk_entities": (1, "walk", "what links Ines Duarte and Dachwerk Sorensen"),
    "walk_breadth": (1, "walk", "Ann Vale and Cyd Hale"),
    "walk_ways": (1, "walk", "Ann Vale and Cyd Hale"),
    "walk_step": (1, "walk", "Alice Smith and Bob Jones"),
    "walk_above": (1000, "walk", "boiler repaired"),
    "walk_summaries": (1000, "walk", "boiler repaired"),
}
#: …and constants that stand otherwise meanwhile, before and after: the passage that fits best is put below others.
BESIDE: dict[str, dict[str, float]] = {
    "silent_looked_at": {"asks": -0.6, "exact": 0},
    "ppr_bridges": {"ppr": 5, "candidates": 10},
}


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("ranking"), embedder="builtin")
    dropped = re.split(r"^=== (.+)\n", (CASES / "vault.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    for name, text in zip(dropped[::2], dropped[1::2], strict=True):
        made.write(name, text)
    for number in range(4):
        made.write(f"Sheet {number}.md", f"# Sheet {number}\n\nThe same newsletter goes to all of us.\n")
    for number, (one, other) in enumerate(_MET):
        made.write(f"Met {number}.md", f"# Met {number}\n\nOn day {number} [[{one}]] met [[{other}]].\n")
    for name in ("Ann Vale", "Cyd Hale"):
        lines = "\n\n".join(f"[[{name}]] {number}." for number in range(12))
        made.write(f"{name}'s list.md", f"# List\n\n{lines}\n")
    made.write("WhatsApp Chat with House.txt", _BOILERS)
    made.write("WhatsApp Chat with Garden.txt", _QUINCES)
    made.sync()
    return made


def setting(box: Box, **ranking: float) -> str:
    """Write a config file with these constants and give back what stood there."""
    path = box.root / _CONFIG
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}ranking: {json.dumps(ranking)}\n", encoding="utf-8")
    return before


def answer(box: Box, mode: str, text: str, **ranking: float) -> str:
    before = setting(box, **ranking)
    if mode == "words":
        (box.root / _CONFIG).write_text((box.root / _CONFIG).read_text().replace("embedder: builtin", "embedder: none"))
    try:
        with box.open() as memory:
            found = memory.tree("walk", query=text, limit=20) if mode == "walk" else memory.recall(text, k=5)
            return json.dumps(found.to_dict())
    finally:
        (box.root / _CONFIG).write_text(before, encoding="utf-8")


def test_every_constant_has_a_case() -> None:
    assert set(MOVED) == set(NAMES)


@pytest.fixture(scope="module")
def asked() -> dict[str, str]:
    """What was answered under the constants as they are: many of them are tried on one question."""
    return {}


@pytest.mark.parametrize("name", NAMES)
def test_every_constant_is_obeyed(box: Box, asked: dict[str, str], name: str) -> None:
    value, mode, text = MOVED[name]
    beside = BESIDE.get(name, {})
    question = json.dumps([mode, text, beside])
    plain = asked[question] = asked.get(question) or answer(box, mode, text, **beside)

    assert answer(box, mode, text, **beside, **{name: value}) != plain
    assert answer(box, mode, text, **beside, **{name: float(shown(name))}) == plain


def run(box: Box, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["--vault", str(box.root), *arguments], env=dict(box.environ))


def hits(told: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(told)["hits"]
    return found


def test_the_command_line_and_agents_rank_by_the_settings(box: Box, tmp_path: Path) -> None:
    before = setting(box, title=4, near=0)
    try:
        found = hits(run(box, "recall", "deploy notes", "--json").stdout)
        explained = run(box, "explain", found[0]["node_id"], "--query", "deploy notes")
        with server(box.root, environment(box, tmp_path)) as client:
            served = client.call("memory_search", query="deploy notes")
            asked = client.call("memory_explain", id=found[0]["node_id"], query="deploy notes")
    finally:
        (box.root / _CONFIG).write_text(before, encoding="utf-8")
    plain = hits(run(box, "recall", "deploy notes", "--json").stdout)

    assert plain[0]["score_parts"]["title"] == WEIGHTS.title
    assert any(hit["score_parts"]["near"] for hit in plain)
    assert found[0]["score_parts"]["title"] == 4
    assert not any(hit["score_parts"]["near"] for hit in found)
    assert set(found[0]["score_parts"]) <= set(PARTS)
    assert "title 4.00" in explained.output
    assert served["structuredContent"]["hits"][0]["score"] == found[0]["score"]
    assert asked["structuredContent"]["answers"][0]["score_parts"]["title"] == 4


def test_a_wrong_constant_stops_every_command_with_one_line(box: Box) -> None:
    before = setting(box, vector=3)
    try:
        with pytest.raises(BadConfig, match=r"'ranking\.vector' must be a number from 0 to 1$"), box.open():
            pass
        for command in (("recall", "belt"), ("status",), ("sync",)):
            stopped = run(box, *command)
            assert isinstance(stopped.exception, BadConfig), stopped.output
    finally:
        (box.root / _CONFIG).write_text(before, encoding="utf-8")


def test_doctor_names_the_constants_that_were_set(tmp_path: Path) -> None:
    assert "ranking by default" in run(Box(tmp_path / "plain"), "doctor").stdout
    box = Box(tmp_path / "set", config="ranking:\n  vector: 0.3\n  recency_half_life: 60\n")
    assert "ranking vector 0.3, recency_half_life 60" in run(box, "doctor").stdout
    told = json.loads(run(box, "doctor", "--json").stdout)["settings"]["ranking"]
    assert told == {"vector": 0.3, "recency_half_life": 60}


def test_two_vaults_of_one_process_rank_by_their_own(box: Box) -> None:
    with box.open() as plain:
        before = setting(box, near=0, k1=5)
        (first,) = plain.recall("belt Kvarn", k=1).hits
        with box.open() as other:
            (second,) = other.recall("belt Kvarn", k=1).hits
        (again,) = plain.recall("belt Kvarn", k=1).hits
    (box.root / _CONFIG).write_text(before, encoding="utf-8")

    assert first == again
    assert first.score_parts != second.score_parts


def test_the_ends_of_every_range_may_be_set_and_nothing_beyond() -> None:
    for each in fields(Weights):
        least, most = each.metadata["least"], each.metadata["most"]
        assert not problem_of(each.name, least)
        assert not problem_of(each.name, most)
        assert problem_of(each.name, least - 1)
        assert problem_of(each.name, most + 1)


@pytest.mark.parametrize("end", ["least", "most"])
def test_constants_at_the_ends_of_their_ranges_are_answered_with(box: Box, end: str) -> None:
    extreme = {each.name: each.metadata[end] for each in fields(Weights)}
    for mode, text in (("recall", "what did Yusuf lose in March"), ("walk", "Ann Vale and Cyd Hale")):
        assert json.loads(answer(box, mode, text, **extreme))["hits"]
