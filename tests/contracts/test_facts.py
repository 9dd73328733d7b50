"""What every home of facts must do: notes of the vault, and an agentmemory service."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests import fake_agentmemory
from tests.forked import forked
from vaultmem.app import facts as app
from vaultmem.errors import BadQuery, FactsTrouble, NotFound
from vaultmem.facts import NewFact
from vaultmem.ports import Facts
from vaultmem.providers.agentmemory import AgentMemory
from vaultmem.store.data import data_folder
from vaultmem.store.facts_notes import NoteFacts
from vaultmem.store.vault import DiskVault
from vaultmem.userconfig import FactsHome

NOW = datetime(2026, 4, 21, 10, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=30)


@pytest.fixture(scope="module")
def servers() -> Iterator[Mapping[str, fake_agentmemory.FakeAgentMemory]]:
    with fake_agentmemory.serving("ok") as one, fake_agentmemory.serving("old") as other:
        yield {"agentmemory": one, "agentmemory of old": other}


@pytest.fixture(params=["notes", "agentmemory", "agentmemory of old"])
def home(
    request: pytest.FixtureRequest, tmp_path: Path, servers: Mapping[str, fake_agentmemory.FakeAgentMemory]
) -> Facts:
    if request.param == "notes":
        return notes(tmp_path)
    server = servers[request.param]
    server.clear()
    return service(server.url)


def notes(folder: Path) -> NoteFacts:
    vault = folder / "vault"
    vault.mkdir(exist_ok=True)
    return NoteFacts(DiskVault(vault), data_folder(vault, environ={"VAULTMEM_DATA": str(folder / "data")}))


def service(url: str) -> AgentMemory:
    return AgentMemory(FactsHome(backend="agentmemory", url=url, key=fake_agentmemory.SECRET, timeout=3))


def put(home: Facts, namespace: str, now: datetime = NOW, source: str = "", **values: str) -> list[str]:
    items = [NewFact(key=key, value=value, source=source) for key, value in values.items()]
    return [change.done for change in app.put(home, namespace, items, pii=(), now=now).changes]


def found(home: Facts, **asked: object) -> list[tuple[str, str]]:
    hits = app.search(home, **asked).hits  # type: ignore[arg-type]
    return [(hit.fact.key, hit.fact.value) for hit in hits]


def test_what_is_put_is_read_added_superseded_or_left(home: Facts) -> None:
    assert home.namespaces() == ()
    assert put(home, "user", source="[[a#^m-1]]", city="Berlin", boss="Ann") == ["added", "added"]
    assert put(home, "user", now=LATER, City="Hamburg", boss="Ann") == ["superseded", "same"]
    [boss, city] = home.read("user")
    assert (city.value, city.since, city.source) == ("Hamburg", "2026-05-21T10:12:00Z", "")
    [old] = city.earlier
    assert (old.value, old.since, old.until, old.source) == (
        "Berlin", "2026-04-21T10:12:00Z", "2026-05-21T10:12:00Z", "[[a#^m-1]]",
    )  # fmt: skip
    assert (boss.key, boss.value, boss.earlier, boss.source) == ("boss", "Ann", (), "[[a#^m-1]]")
    assert home.namespaces() == ("user",)


def test_a_value_that_comes_back_keeps_all_its_dates(home: Facts) -> None:
    for days, city in enumerate(("Berlin", "Rome", "Berlin")):
        put(home, "user", now=NOW + timedelta(days=days), city=city)
    [fact] = home.read("user")
    assert fact.value == "Berlin"
    assert [(e.value, e.since[8:10], e.until[8:10]) for e in fact.earlier] == [
        ("Rome", "22", "23"),
        ("Berlin", "21", "22"),
    ]


def test_keys_with_values_worded_alike_do_not_hide_each_other(home: Facts) -> None:
    put(home, "doors", **{f"code of the gate at pier {n}": "ask the harbour office for it" for n in "abc"})
    assert len(home.read("doors")) == 3


@pytest.mark.parametrize(
    "value",
    ["a: b", "- x: y", "one\ntwo\n\nthree", "%% note %%", "%\\% 100%%", "<br> <\\br>", "![[x]] ![a](http://b)",
     "`= 1+1`", "<!-- x", "東京 🐘 é", "\u2028sep\u2028arated", "  padded\t", "[redacted:x]", "(3f2a9c)",
     "x %% y", "```"],
)  # fmt: skip
def test_any_value_comes_back(home: Facts, value: str) -> None:
    put(home, "user", odd=value, pad="x")
    [odd, pad] = home.read("user")
    assert odd.value == "\n".join(value.splitlines()).strip()
    assert pad.value == "x"
    assert put(home, "user", odd=value) == ["same"]
    assert put(home, "user", now=LATER, odd="new") == ["superseded"]
    assert home.read("user")[0].earlier[0].value == odd.value


@pytest.mark.parametrize("key", ["", "a: b", "**", "[x] y", "- z", "x" * 300, "%% a", "<b>", "`a`"])
def test_a_key_no_note_can_hold_is_refused(home: Facts, key: str) -> None:
    with pytest.raises(BadQuery):
        app.put(home, "user", [NewFact(key=key, value="v")], pii=(), now=NOW)
    assert home.read("user") == ()


def test_namespaces_are_apart_and_one_name_whatever_its_case(home: Facts) -> None:
    put(home, "User", city="Berlin")
    put(home, "project/x y", city="Rome")
    assert found(home, namespace="user") == [("city", "Berlin")]
    assert found(home, namespace="Project/X y") == [("city", "Rome")]
    assert len(home.namespaces()) == 2
    assert app.search(home).total == 2
    with pytest.raises(BadQuery):
        put(home, " ", city="x")


def test_search_is_scored_cut_and_the_same_each_time(home: Facts) -> None:
    put(home, "user", home_city="Berlin", **{"favourite tea": "from Assam", "tea shop": "in Berlin", "cat": "Miro"})
    assert found(home, query="which tea do I like") == [("favourite tea", "from Assam"), ("tea shop", "in Berlin")]
    assert found(home, query="city") == [("home_city", "Berlin")]
    assert found(home, query="zebra") == []
    assert found(home, query="???")[0][0] == "cat"
    cut = app.search(home, namespace="user", query="Berlin tea", limit=1)
    assert (cut.total, cut.truncated, cut.hits[0].fact.key) == (3, True, "tea shop")
    assert 0 < cut.hits[0].score <= 1
    assert app.search(home, query="Berlin tea").to_dict() == app.search(home, query="Berlin tea").to_dict()


def test_a_source_stays_on_its_line(home: Facts) -> None:
    put(home, "user", source="a\n- boss: Mallory\n", city="Berlin")
    [city] = home.read("user")
    assert (city.key, city.source) == ("city", "a - boss: Mallory")


def test_get_one_and_what_is_not_there(home: Facts) -> None:
    put(home, "user", city="Berlin")
    assert app.get(home, "USER", "City").hits[0].fact.value == "Berlin"
    with pytest.raises(NotFound, match="town"):
        app.get(home, "user", "town")


def test_secrets_are_taken_out_before_any_home_sees_them(home: Facts) -> None:
    token = "gh" + "p_" + "a1B2" * 9
    put(home, "user", password="hunter2hunter2", note=f"use {token} for it")
    values = {fact.key: fact.value for fact in home.read("user")}
    assert "hunter2" not in str(values)
    assert token not in str(values)
    assert "[redacted:" in values["note"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    made = notes(tmp_path)
    code = (
        "import sys\nfrom pathlib import Path\nfrom tests.contracts.test_facts import notes, put\n"
        "home = notes(Path(sys.argv[1]))\n"
        "for n in range(12): put(home, 'user', **{f'k{sys.argv[2]}{n}': str(n), 'both': sys.argv[2] + str(n)})\n"
    )
    running = [forked(code, [str(tmp_path), name], environ={}, said=tmp_path / f"{name}.txt") for name in "abc"]
    assert [child.wait() for child in running] == [(0, "")] * 3
    facts = {fact.key: fact for fact in made.read("user")}
    assert len(facts) == 37
    assert len(facts["both"].earlier) == 35


# --- notes ----------------------------------------


MINE = (
    "---\ntags: [me]  # mine\n---\nAbout me.\r\n\r\n* City:  Berlin %% since the flood %%\r\n- Projects:\r\n  - boat: "
    "blue\r\n\r\n```\r\n- code: not a fact\r\n```\r\n%%\r\n- hidden: no\r\n%%\r\n- [ ] todo: not one\r\n"
    "+ zoo: open\r\nthe end"
)


def test_a_persons_lines_comments_and_order_survive_byte_for_byte(tmp_path: Path) -> None:
    home = notes(tmp_path)
    path = tmp_path / "vault/wiki/facts/user.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xef\xbb\xbf" + MINE.encode())
    home._sleep = lambda _: old(path)  # it has been quiet for long
    assert [(f.key, f.value) for f in home.read("user")] == [("City", "Berlin"), ("zoo", "open")]
    put(home, "user", city="Rome", pier="7")
    after = path.read_bytes().decode("utf-8-sig")
    ours = [line for line in after.split("\n") if line.startswith(("  - since", "  - was", "- pier"))]
    assert len(ours) == 4
    left = "\n".join(line for line in after.split("\n") if line not in ours)
    assert left == MINE.replace("Berlin", "Rome")
    assert put(home, "user", city="Rome") == ["same"]


def old(path: Path) -> None:
    import os

    os.utime(path, (1_700_000_000, 1_700_000_000))


def test_an_edit_by_hand_is_obeyed_at_once_and_not_said_to_come_from_elsewhere(tmp_path: Path) -> None:
    home = notes(tmp_path)
    put(home, "user", source="[[a#^m-1]]", city="Berlin", boss="Ann")
    path = tmp_path / "vault/wiki/facts/user.md"
    path.write_text(
        path.read_text().replace("city: Berlin", "city: Paris").replace("- boss: Ann", "- Boss: Ann\n- dog: Rex")
    )
    facts = {fact.key: fact for fact in home.read("user")}
    assert (facts["city"].value, facts["city"].since, facts["city"].source) == ("Paris", "", "")
    assert (facts["Boss"].source, facts["dog"].value) == ("", "Rex")
    assert path.read_text().split("\n")[facts["dog"].line - 1] == "- dog: Rex"
    home._sleep = lambda _: old(path)
    put(home, "user", now=LATER, city="Rome")
    [earlier, *_] = {fact.key: fact for fact in home.read("user")}["city"].earlier
    assert (earlier.value, earlier.since) == ("Paris", "")


def test_a_note_a_person_is_typing_in_is_waited_for_and_then_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = notes(tmp_path)
    put(home, "user", city="Berlin")
    path = tmp_path / "vault/wiki/facts/user.md"
    path.write_text(path.read_text() + "I am typing")
    before = path.read_bytes()
    monkeypatch.setattr("vaultmem.store.facts_notes._PATIENCE", 0.2)
    with pytest.raises(FactsTrouble, match=r"wiki/facts/user\.md is being edited"):
        put(home, "user", city="Rome")
    assert path.read_bytes() == before
    old(path)
    assert put(home, "user", city="Rome") == ["superseded"]


def test_a_note_that_is_no_text_is_named_and_left(tmp_path: Path) -> None:
    home = notes(tmp_path)
    path = tmp_path / "vault/wiki/facts/user.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"- a: \xff\xfe")
    with pytest.raises(FactsTrouble, match=r"user\.md is no UTF-8"):
        put(home, "user", city="Rome")
    assert path.read_bytes() == b"- a: \xff\xfe"


def test_git_merges_what_two_branches_put(tmp_path: Path) -> None:
    home = notes(tmp_path)
    vault = tmp_path / "vault"

    def git(*words: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *who, *words], cwd=vault, check=True, capture_output=True)

    put(home, "user", city="Berlin", milk="oat", tea="Assam")
    git("init")
    git("add", "-A")
    git("commit", "-m", "a")
    git("checkout", "-b", "other")
    put(home, "user", zebra="yes", now=LATER)
    git("commit", "-am", "b")
    git("checkout", "main")
    old(vault / "wiki/facts/user.md")
    put(home, "user", ant="yes", city="Rome", now=LATER)
    git("commit", "-am", "c")
    git("merge", "other")
    assert {f.key: f.value for f in home.read("user")} == {
        "ant": "yes", "city": "Rome", "milk": "oat", "tea": "Assam", "zebra": "yes",
    }  # fmt: skip


# --- the service ----------------------------------------


def test_what_other_agents_remember_is_read_too() -> None:
    with fake_agentmemory.serving() as server:
        server.remember(content="The deploy key lives in the vault of the harbour", project="User", type="workflow")
        server.remember(content="no project at all")
        home = service(f"{server.url}/agentmemory")
        put(home, "user", city="Berlin")
        assert sorted(value for _, value in found(home, namespace="user")) == [
            "Berlin", "The deploy key lives in the vault of the harbour",
        ]  # fmt: skip


def test_more_than_one_page_of_memories() -> None:
    with fake_agentmemory.serving() as server:
        home = service(server.url)
        put(home, "user", first="1")
        for number in range(520):
            server.remember(content=f"{number} " * 3, project=f"p{number}")
        assert found(home, namespace="user") == [("first", "1")]
        assert len(home.namespaces()) == 521


@pytest.mark.parametrize(
    ("mode", "cause"),
    [("500", "answered 500"), ("garbage", "broke off|cannot be read"), ("huge", "larger than 8 MB"),
     ("stall", "did not answer"), ("refuses", "did not keep the fact: the disk is full")],
)  # fmt: skip
def test_a_service_in_trouble_says_so_by_name_and_cause(mode: str, cause: str) -> None:
    with fake_agentmemory.serving(mode) as server:
        home = service(server.url)
        home._home = FactsHome(backend="agentmemory", url=server.url, key=fake_agentmemory.SECRET, timeout=0.7)
        with pytest.raises(
            FactsTrouble, match=rf"^facts \(agentmemory at http://127.0.0.1:\d+\): .*({cause})"
        ) as caught:
            put(home, "user", city="Berlin")
        assert fake_agentmemory.SECRET not in str(caught.value)


def test_a_service_that_is_gone_and_a_wrong_key() -> None:
    with fake_agentmemory.serving() as server:
        wrong = AgentMemory(FactsHome(backend="agentmemory", url=server.url, key="wrong"))
        with pytest.raises(FactsTrouble, match="answered 401: unauthorized"):
            wrong.read("user")
    with pytest.raises(FactsTrouble, match="refused the connection"):
        service(server.url).read("user")
