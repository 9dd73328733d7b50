"""A reranker the user named: what it changes, what it is sent, and that everything is answered without it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fake_reranker import MODEL, Serving
from tests.surfaces.test_mcp import environment
from tests.surfaces.test_mcp import server as agent
from tests.vaults import Box, bytes_below
from vaultmem.answers import QueryResponse, RetrievalHit
from vaultmem.memory import Memory
from vaultmem.surfaces.cli import cli

KEY = "sk-" + "rerank-" + "key"
SECRET = "gh" + "p_" + "a1B2" * 9
PEOPLE = ("Alice Smith", "Bob Jones", "Cleo Petrov")
CHAT = "".join(
    f"{n // 3 + 1:02}/05/2026, {9 + n % 3}:00 - {PEOPLE[n % 3]}: The boiler of house {n} was repaired for {n}00 euros\n"
    f"{n // 3 + 1:02}/05/2026, {9 + n % 3}:05 - {PEOPLE[(n + 1) % 3]}: I paid invoice INV-{n:03} for boiler {n}\n"
    for n in range(1, 29)
)
LENS = f"# Lens\n\nThe boiler of the lighthouse warms the lens. The token is {SECRET}.\n\n" + "\n\n".join(
    f"## Part {n}\n\nThe boiler has a valve number {n}, made by Sautter." for n in range(12)
)
ASKED = "who repaired the boiler?"


@pytest.fixture(scope="module")
def running() -> Iterator[Serving]:
    with Serving() as made:
        yield made


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Box:
    made = Box(tmp_path_factory.mktemp("judged"))
    made.write("WhatsApp Chat with House.txt", CHAT)
    made.write("Lens.md", LENS)
    made.sync()
    return made


@pytest.fixture
def server(running: Serving) -> Serving:
    running.behave(likes="", delay=0, status=0, gives="", raw=False, level=False, bodies=[])
    return running


@pytest.fixture(params=["cohere", "tei"])
def box(request: pytest.FixtureRequest, filled: Box, server: Serving) -> Iterator[Box]:
    plain = dict(filled.environ)
    filled.environ = {**plain, **server.environ(request.param, key=KEY, timeout="3")}
    for state in filled.data.rglob("reranker.state"):
        state.unlink()
    yield filled
    filled.environ = plain


def plain(box: Box, asked: str = ASKED, k: int = 10) -> QueryResponse:
    """The same without a reranker."""
    environ = {name: value for name, value in box.environ.items() if "RERANK" not in name}
    kept, box.environ = box.environ, environ
    try:
        with box.open() as memory:
            return memory.recall(asked, k=k)
    finally:
        box.environ = kept


def check(hits: tuple[RetrievalHit, ...]) -> None:
    """Scores fall, and are what their parts sum up to."""
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert hit.score == pytest.approx(sum(hit.score_parts.values()), abs=1e-5)


def run(box: Box, *arguments: str) -> str:
    result = CliRunner().invoke(cli, ["--vault", str(box.root), *arguments], env=dict(box.environ))
    assert result.exit_code in (0, 1), result.output
    return result.stdout


@pytest.mark.parametrize("raw", [False, True])
def test_the_first_thirty_are_in_its_order_and_the_rest_as_ranked(box: Box, server: Serving, raw: bool) -> None:
    server.behave(likes="INV-007", raw=raw)
    before = plain(box, "boiler INV-007 paid", 50)
    with box.open() as memory:
        found = memory.recall("boiler INV-007 paid", k=50)
    [body] = server.bodies
    sent = body.get("documents") or body["texts"]
    assert sent == [hit.content for hit in before.hits[:30]]
    assert body["query"] == "boiler INV-007 paid"
    assert body["key"] == f"Bearer {KEY}"
    judged, rest = found.hits[:30], found.hits[30:]
    expected = sorted(range(30), key=lambda at: (("INV-007" not in sent[at]), len(sent[at]), at))
    assert [hit.content for hit in judged] == [sent[at] for at in expected]
    assert rest == before.hits[30:]
    assert all("rerank" in hit.score_parts for hit in judged)
    assert not any("rerank" in hit.score_parts for hit in (*rest, *before.hits))
    lifts = [hit.score_parts["rerank"] for hit in judged]
    assert lifts == sorted(lifts, reverse=True)
    assert min(lifts) >= 0
    check(found.hits)
    assert (found.total, found.truncated, found.degraded) == (before.total, before.truncated, before.degraded)
    assert found.no_good_answer == before.no_good_answer


def test_what_it_calls_alike_stays_as_it_was(box: Box, server: Serving) -> None:
    server.behave(level=True)
    with box.open() as memory:
        found, again = memory.recall(ASKED), memory.recall(ASKED)
    assert [hit.content for hit in found.hits] == [hit.content for hit in plain(box).hits]
    assert {hit.score_parts["rerank"] for hit in found.hits} == {0.0}
    assert found == again


def test_no_secret_leaves(box: Box, server: Serving) -> None:
    with box.open() as memory:
        assert memory.recall(f"the boiler with the token {SECRET}").hits
    sent = json.dumps(server.bodies)
    assert SECRET not in sent
    assert "[redacted:" in sent
    assert KEY.encode() not in bytes_below(box.root) + bytes_below(box.data)


@pytest.mark.parametrize(
    ("behaves", "said"),
    [
        ({"status": 500}, "the endpoint answered 500: not now"),
        ({"status": 429}, "the endpoint answered 429: not now"),
        ({"gives": "few"}, "the endpoint gave 29 scores for 30 texts"),
        ({"gives": "nan"}, "the endpoint gave a score that is no number"),
        ({"delay": 2}, "the endpoint did not answer within 0.7 s"),
    ],
)
def test_without_its_answer_the_ranking_stands_and_says_so(
    box: Box, server: Serving, behaves: dict[str, object], said: str
) -> None:
    server.behave(**behaves)
    box.environ = {**box.environ, "VAULTMEM_RERANK_TIMEOUT": "0.7" if "delay" in behaves else "5"}
    api = box.environ["VAULTMEM_RERANK_API"]
    told = f"reranker: {api}/{MODEL}: {said}; ranked without it"
    before = plain(box)
    with box.open() as memory:
        found = memory.recall(ASKED)
        assert (found.hits, found.degraded) == (before.hits, f"{before.degraded}; {told}")
        asked = len(server.bodies)
    server.behave(delay=0)
    with box.open() as memory:  # another command knows it without asking
        assert memory.recall(ASKED).degraded == found.degraded
        assert memory.status().degraded[-1:] == (told,)
        (finding,) = [f for f in memory.doctor().findings if f.area == "reranker"]
        assert (finding.level, said in finding.text) == ("problem", True)
    assert len(server.bodies) == asked


def test_one_that_is_gone(box: Box) -> None:
    box.environ = {**box.environ, "VAULTMEM_RERANK_URL": "http://127.0.0.1:1"}
    with box.open() as memory:
        found = memory.recall(ASKED)
    assert found.hits == plain(box).hits
    assert "the endpoint refused the connection; ranked without it" in found.degraded


def test_status_and_doctor_name_it(box: Box, server: Serving) -> None:
    api = box.environ["VAULTMEM_RERANK_API"]
    shown = f"{MODEL} at {server.url} ({api})"
    found = json.loads(run(box, "status", "--json"))["reranker"]
    assert found == {"state": "ready", "model": f"{api}/{MODEL}", "endpoint": shown, "cause": ""}
    assert f"rerank   {shown}, ready" in run(box, "status")
    assert f"{shown}, asked with every question" in run(box, "doctor")
    assert server.bodies == [], "nobody is asked to tell it"


def test_every_way_of_asking_goes_by_it(box: Box, server: Serving, tmp_path: Path) -> None:
    server.behave(likes="INV-013")
    with box.open() as memory:
        leaf = memory.recall("I paid INV-013").hits[0]
        summary = memory.explain(leaf.node_id).parent
        assert "INV-013" in first(memory, "walk", query="the boiler that was paid: INV-013")
        assert "INV-013" in first(memory, "walk", query="what did Cleo Petrov pay for the boiler INV-013?")
        assert "INV-013" in first(memory, "drill_down", node_id=leaf.node_id, query="boiler INV-013")
        below = memory.tree("drill_down", node_id=summary, query="boiler INV-013")
        assert below.hits[0].node_id == leaf.node_id
        assert "rerank" in below.hits[0].score_parts
        ranked = memory.tree("query_source", query="boiler INV-013")
        assert "rerank" in ranked.hits[0].score_parts
        [line, *_] = memory.context("boiler INV-013", budget=1000).sections[0].lines
        assert "INV-013" in line.text
        assert "INV-013" in memory.ask("boiler INV-013?").hits[0].content
        explained = memory.explain(leaf.node_id, query="boiler INV-013")
        assert "rerank" in explained.answers[0]["score_parts"]  # type: ignore[operator]
    assert "INV-013" in json.loads(run(box, "recall", "boiler INV-013", "--json"))["hits"][0]["content"]
    with agent(box.root, environment(box, tmp_path)) as client:
        told = client.call("memory_search", query="boiler INV-013")["structuredContent"]["hits"][0]
    assert "INV-013" in told["content"]
    assert told["score_parts"]["rerank"] > 0


def first(memory: Memory, mode: str, **arguments: object) -> str:
    found = memory.tree(mode, **arguments)
    assert isinstance(found, QueryResponse)
    check(found.hits) if "global" in found.route else None
    return found.hits[0].content


def test_none_by_default(filled: Box, server: Serving) -> None:
    with filled.open() as memory:
        assert memory._reranker is None
        assert memory.recall(ASKED).degraded.count("reranker") == 0
        assert memory.status().to_dict()["reranker"] == {"state": "off", "model": "", "endpoint": "", "cause": ""}
        assert not [finding for finding in memory.doctor().findings if finding.area == "reranker"]
    assert "rerank" not in run(filled, "status")
    assert server.bodies == []


def test_little_to_order_asks_nobody(tmp_path: Path, server: Serving) -> None:
    box = Box(tmp_path, environ=server.environ("cohere"))
    box.write("a.md", "# A\n\nThe gate code is 4471.\n")
    box.sync()
    with box.open() as memory:
        assert memory.recall("gate code").hits
        assert memory.recall("zebra").hits == ()
    assert server.bodies == []
