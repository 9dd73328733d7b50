"""What every reranker must do: one in this process, and a served one by either protocol."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from tests.fake_reranker import MODEL, Serving
from vaultmem.app.rerank import rerank_state
from vaultmem.errors import NoReranker
from vaultmem.ports import Reranker
from vaultmem.providers.endpoint_reranker import EndpointReranker
from vaultmem.providers.endpoint_state import EndpointState
from vaultmem.providers.rerank_wire import url_of
from vaultmem.userconfig import Endpoint

KEY = "sk-" + "secret-" + "key"
TEXTS = ("soup for all", "the garage is full", "a boiler", "garage B")


class WordReranker:
    """One in this process: a text that holds the question's last word is better, of equals the shorter one."""

    name = "words"
    shown = "words of this process"
    trouble = ""

    def rerank(self, question: str, texts: Sequence[str]) -> list[float]:
        if self.trouble:
            raise NoReranker(f"{self.name}: {self.trouble}")
        word = question.split()[-1]
        return [(0.9 if word in text else 0.1) - len(text) / 1e6 for text in texts]


def served(url: str, api: str, *, timeout: float = 3.0, wall: Callable[[], float] = time.time) -> EndpointReranker:
    kept = [""]

    def write(text: str) -> None:
        kept[0] = text

    state = EndpointState(read=lambda: kept[0], write=write, wall=wall)
    return EndpointReranker(Endpoint(api=api, url=url, model=MODEL, key=KEY, timeout=timeout), state)


@pytest.fixture(scope="module")
def running() -> Iterator[Serving]:
    with Serving() as made:
        yield made


@pytest.fixture
def server(running: Serving) -> Serving:
    running.behave(
        likes="garage", delay=0, status=0, gives="", results="results", raw=False, unknown="", longest=0, bodies=[]
    )
    return running


@pytest.fixture(params=["here", "cohere", "tei"])
def reranker(request: pytest.FixtureRequest, server: Serving) -> Reranker:
    return WordReranker() if request.param == "here" else served(server.url, request.param)


def test_a_score_for_each_text_in_the_order_of_the_texts(reranker: Reranker) -> None:
    scores = reranker.rerank("where is the garage", TEXTS)
    assert len(scores) == len(TEXTS)
    assert all(math.isfinite(score) for score in scores)
    assert sorted(range(4), key=lambda place: -scores[place]) == [3, 1, 2, 0]
    assert reranker.rerank("where is the garage", TEXTS) == scores
    assert reranker.rerank("where is the garage", TEXTS[:1]) == scores[:1]


@pytest.mark.parametrize("text", ["", "\ud800", "東京 🐘 \u2028 \x00", "x" * 50_000, "line\nline\r\n\tline"])
def test_any_text_is_judged(reranker: Reranker, text: str) -> None:
    assert len(reranker.rerank(f"{text} garage", [text, "garage"])) == 2


def test_it_says_who_it_is_and_no_key(reranker: Reranker) -> None:
    assert reranker.name
    assert KEY not in reranker.name + reranker.shown
    state = rerank_state(reranker)
    assert (state.state, state.model, state.endpoint, state.lacking) == ("ready", reranker.name, reranker.shown, "")


def test_what_is_in_trouble_says_so_and_is_well_again(server: Serving) -> None:
    now = [1000.0]
    found = served(server.url, "cohere", wall=lambda: now[0])
    server.behave(status=503)
    with pytest.raises(NoReranker, match=rf"^no reranker: cohere/{MODEL}: the endpoint answered 503: not now$"):
        found.rerank("garage", TEXTS)
    assert found.trouble == "the endpoint answered 503: not now"
    asked = len(server.bodies)
    server.behave(status=0)
    with pytest.raises(NoReranker, match="503"):
        found.rerank("garage", TEXTS)
    assert len(server.bodies) == asked, "it is left alone for a while"
    now[0] += 31
    assert len(found.rerank("garage", TEXTS)) == 4
    assert found.trouble == ""


# --- served ----------------------------------------


@pytest.mark.parametrize(
    ("api", "base", "asked"),
    [
        ("cohere", "http://a:1", "http://a:1/v1/rerank"),
        ("cohere", "https://a/v2", "https://a/v2/rerank"),
        ("cohere", "https://a/v1/rerank", "https://a/v1/rerank"),
        ("tei", "http://a:1", "http://a:1/rerank"),
        ("tei", "http://a/models/x", "http://a/models/x/rerank"),
        ("tei", "http://a/rerank", "http://a/rerank"),
    ],
)
def test_an_address_is_understood_whichever_part_of_it_was_written(api: str, base: str, asked: str) -> None:
    assert url_of(Endpoint(api=api, url=base, model="")) == asked


def test_what_is_sent(server: Serving) -> None:
    served(server.url, "cohere").rerank("garage", TEXTS)
    served(server.url, "tei").rerank("garage", TEXTS)
    alone = served(server.url, "tei")
    alone._endpoint = replace(alone._endpoint, model="", key="")
    alone.rerank("garage", TEXTS)
    key, texts = f"Bearer {KEY}", list(TEXTS)
    assert server.bodies == [
        {"path": "/v1/rerank", "key": key, "model": MODEL, "query": "garage", "documents": texts, "top_n": 4},
        {"path": "/rerank", "key": key, "model": MODEL, "query": "garage", "texts": texts, "truncate": True},
        {"path": "/rerank", "key": "", "query": "garage", "texts": texts, "truncate": True},
    ]


def test_a_part_that_a_server_does_not_take_is_left_out_from_then_on(server: Serving) -> None:
    server.behave(unknown="top_n", results="data")
    found = served(server.url, "cohere")
    for _ in range(2):
        assert len(found.rerank("garage", TEXTS)) == 4
    assert ["top_n" in body for body in server.bodies] == [True, False, False]


def test_texts_too_long_for_the_model_are_judged_by_their_beginning(server: Serving) -> None:
    server.behave(longest=500)
    scores = served(server.url, "cohere").rerank("garage", ["x " * 800, "garage " * 200])
    assert scores[1] > scores[0]
    assert [max(map(len, body["documents"])) for body in server.bodies] == [1600, 400]


@pytest.mark.parametrize("api", ["cohere", "tei"])
@pytest.mark.parametrize("gives", ["nan", "few", "twice", "far", "words", "true", "none", "text", "list"])
def test_an_answer_that_is_none_is_not_believed(server: Serving, gives: str, api: str) -> None:
    server.behave(gives=gives)
    with pytest.raises(NoReranker, match=r"the endpoint('s answer)? (gave|holds|names)"):
        served(server.url, api).rerank("garage", TEXTS)


def test_one_that_is_slow_or_gone(server: Serving) -> None:
    server.behave(delay=5)
    started = time.monotonic()
    with pytest.raises(NoReranker, match=r"did not answer within 0\.4 s"):
        served(server.url, "tei", timeout=0.4).rerank("garage", TEXTS)
    assert time.monotonic() - started < 2
    with pytest.raises(NoReranker, match="refused the connection"):
        served("http://127.0.0.1:1", "tei").rerank("garage", TEXTS)


def test_a_key_that_a_server_repeats_is_not_told(server: Serving) -> None:
    server.behave(unknown="query")
    found = served(server.url, "cohere")
    found._endpoint = replace(found._endpoint, key="query")
    with pytest.raises(NoReranker, match=r"Argument '\[key\]' is not supported"):
        found.rerank("garage", TEXTS)
