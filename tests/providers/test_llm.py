"""The client against a real server that answers well, badly, late or not at all."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.fake_llm import FakeLlm, serving
from vaultmem.errors import NoAnswer
from vaultmem.providers.http_route import route_to
from vaultmem.providers.llm import LlmClient
from vaultmem.userconfig import Endpoint

KEY = "very" + "-secret-" + "word"
QUESTION = ("You judge importance.", "Alice said: the boat leaves at 9.")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FakeLlm]:
    with serving(tmp_path_factory.mktemp("llm")) as found:
        yield found


def client(server: FakeLlm, mode: str, *, api: str = "openai", url: str = "", timeout: float = 5.0) -> LlmClient:
    endpoint = Endpoint(api=api, url=url or server.url, model=mode, key=KEY, timeout=timeout)
    return LlmClient(endpoint, sleep=lambda seconds: time.sleep(min(seconds, 0.01)))


def asked(server: FakeLlm, model: str) -> list[dict[str, object]]:
    return [request["body"] for request in server.requests() if request["model"] == model]


@pytest.mark.parametrize("api", ["openai", "ollama"])
@pytest.mark.parametrize("mode", ["ok", "slow"])
def test_an_answer(server: FakeLlm, api: str, mode: str) -> None:
    found = client(server, mode, api=api).complete(*QUESTION, max_tokens=50, json=True)
    assert found.text.startswith('{"importance": 0.9')
    assert (found.tokens_in, found.tokens_out, found.truncated) == (100, 20, False)
    last = server.requests()[-1]
    assert last["authorization"] == f"Bearer {KEY}"
    assert last["path"] == ("/api/chat" if api == "ollama" else "/v1/chat/completions")


@pytest.mark.parametrize(
    ("api", "end"),
    [("openai", end) for end in ("", "/", "/v1", "/v1/", "/v1/chat/completions")]
    + [("ollama", end) for end in ("", "/", "/api", "/api/chat", "/v1")],
)
def test_whichever_part_of_the_address_was_named(server: FakeLlm, api: str, end: str) -> None:
    url = f"{server.url}{end}".rstrip("/")
    assert client(server, "ok", api=api, url=url).complete(*QUESTION, max_tokens=9, json=False).text


@pytest.mark.parametrize("api", ["openai", "ollama"])
def test_a_cut_answer_says_so(server: FakeLlm, api: str) -> None:
    assert client(server, "truncated", api=api).complete(*QUESTION, max_tokens=9, json=True).truncated


@pytest.mark.parametrize(
    ("mode", "cause", "requests"),
    [
        ("500", "the endpoint answered 500", 4),
        ("429", "the endpoint answered 429: busy", 4),
        ("429-long", "the endpoint answered 429: busy", 1),
        ("401", "the endpoint answered 401", 1),
        ("redirect", "the endpoint answered 302", 1),
        ("closes", "the endpoint's answer broke off", 4),
        ("garbage", "the endpoint's answer cannot be read", 4),
        ("half", "the endpoint's answer broke off", 4),
        ("huge", "the endpoint's answer is larger than 1 MB", 4),
        ("nonsense", "the endpoint's answer is no chat completion", 1),
    ],
)
def test_trouble_has_a_cause_and_never_the_key(server: FakeLlm, mode: str, cause: str, requests: int) -> None:
    before = len(asked(server, mode))
    with pytest.raises(NoAnswer) as caught:
        client(server, mode).complete(*QUESTION, max_tokens=9, json=True)
    assert caught.value.cause.startswith(cause)
    assert KEY not in repr(caught.value) + str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(asked(server, mode)) - before == requests


def test_a_hiccup_is_got_over(server: FakeLlm) -> None:
    assert client(server, "500+429+closes+ok").complete(*QUESTION, max_tokens=9, json=True).text
    assert len(asked(server, "500+429+closes+ok")) == 4


@pytest.mark.parametrize("mode", ["stall", "drip"])
def test_the_timeout_holds_whatever_the_server_does(server: FakeLlm, mode: str) -> None:
    before = time.monotonic()
    with pytest.raises(NoAnswer, match="did not answer"):
        client(server, mode, timeout=0.5).complete(*QUESTION, max_tokens=9, json=True)
    assert time.monotonic() - before < 1.5


@pytest.mark.parametrize(("mode", "first"), [("no-json-mode", 3), ("new-limit", 2)])
def test_what_a_server_does_not_take_is_left_out_from_then_on(server: FakeLlm, mode: str, first: int) -> None:
    one = client(server, mode)
    for expected in (first, first + 1):
        assert one.complete(*QUESTION, max_tokens=9, json=True).text
        assert len(asked(server, mode)) == expected
    assert ("max_completion_tokens" in asked(server, mode)[-1]) == (mode == "new-limit")


def test_a_dead_endpoint_is_left_alone(server: FakeLlm) -> None:
    now = [0.0]
    endpoint = Endpoint(api="openai", url="http://127.0.0.1:1", model="m", key=KEY)
    dead = LlmClient(endpoint, sleep=lambda seconds: None, clock=lambda: now[0])
    said = []
    for _ in range(5):
        with pytest.raises(NoAnswer) as caught:
            dead.complete(*QUESTION, max_tokens=9, json=False)
        said.append(caught.value)
    assert [none.was_sent for none in said] == [True, True, True, False, False]
    assert said[-1].cause == "left alone for a while: the endpoint refused the connection"
    now[0] = 31.0
    for sent in (True, False):  # one trial, and a longer pause when it fails
        with pytest.raises(NoAnswer) as caught:
            dead.complete(*QUESTION, max_tokens=9, json=False)
        assert caught.value.was_sent is sent
    now[0] = 62.0
    with pytest.raises(NoAnswer, match="left alone"):
        dead.complete(*QUESTION, max_tokens=9, json=False)


def test_a_wrong_key_is_not_tried_again(server: FakeLlm) -> None:
    wrong = client(server, "401")
    for sent in (True, False):
        with pytest.raises(NoAnswer) as caught:
            wrong.complete(*QUESTION, max_tokens=9, json=False)
        assert caught.value.was_sent is sent


def test_a_proxy_of_the_environment_is_asked_and_no_other(server: FakeLlm, monkeypatch: pytest.MonkeyPatch) -> None:
    away = client(server, "ok", url="http://llm.invalid")
    monkeypatch.setenv("http_proxy", server.url.replace("http://", "http://me:word@"))
    assert away.complete(*QUESTION, max_tokens=9, json=False).text
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert client(server, "ok").complete(*QUESTION, max_tokens=9, json=False).text, "this machine needs no proxy"
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("no_proxy", "llm.invalid")
    with pytest.raises(NoAnswer, match="host is not known"):
        away.complete(*QUESTION, max_tokens=9, json=False)
    monkeypatch.delenv("no_proxy")
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    with pytest.raises(NoAnswer, match=r"no http://host:port"):
        away.complete(*QUESTION, max_tokens=9, json=False)


def test_what_is_encrypted_goes_through_a_tunnel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "proxy.example:3128")
    route = route_to("https://llm.example/v1/chat/completions", 5)
    assert (route.connection.host, route.connection.port, route.target) == (
        "proxy.example", 3128, "/v1/chat/completions",
    )  # fmt: skip
    assert (route.connection._tunnel_host, route.connection._tunnel_port) == ("llm.example", 443)  # type: ignore[attr-defined]
