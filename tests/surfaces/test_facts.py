"""Facts through the doors: the commands, Python and the user's config."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests import fake_agentmemory
from tests.program import run
from tests.vaults import Box
from vaultmem.errors import BadConfig, FactsTrouble


def asked(box: Box, *words: str, **extra: str) -> Any:
    done = run(box, *words, "--json", **extra)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_facts_are_set_got_listed_and_searched(tmp_path: Path) -> None:
    box = Box(tmp_path)
    assert asked(box, "facts", "set", "user", "city", "Berlin")["changes"][0]["done"] == "added"
    assert asked(box, "facts", "set", "user", "city", "Hamburg")["changes"][0]["before"] == "Berlin"
    note = (box.root / "wiki/facts/user.md").read_text()
    assert "\n- city: Hamburg\n" in note
    [fact] = asked(box, "facts", "get", "user", "city")["facts"]
    assert (fact["value"], fact["earlier"][0]["value"], fact["note_path"]) == (
        "Hamburg",
        "Berlin",
        "wiki/facts/user.md",
    )
    assert asked(box, "facts", "list", "user")["facts"] == [{**fact, "score": 0.0}]
    assert asked(box, "facts", "search", "user", "which city")["total"] == 1
    assert run(box, "facts", "get", "user", "city").stdout.startswith(
        "city: Hamburg  [wiki/facts/user.md:5]\n  since 2026-06-01"
    )
    gone = run(box, "facts", "get", "user", "town")
    assert (gone.returncode, "town: not found" in gone.stderr) == (1, True)
    assert box.sync() == []
    assert "- city: Hamburg" in (box.root / "wiki/facts/user.md").read_text()
    box.digest()


def test_the_users_config_names_another_home_and_its_trouble_is_named(tmp_path: Path) -> None:
    with fake_agentmemory.serving() as server:
        box = Box(tmp_path, environ=server.environ())
        assert asked(box, "facts", "set", "user", "city", "Berlin")["home"] == f"agentmemory at {server.url}"
        assert server.memories()[0]["content"] == "city: Berlin"
        assert not (box.root / "wiki/facts").exists()
        with box.open() as memory:
            assert memory.facts("user").hits[0].fact.value == "Berlin"
    down = run(box, "facts", "get", "user", "city")
    assert down.returncode == 1
    assert "facts (agentmemory at " in down.stderr
    assert "refused the connection" in down.stderr
    with box.open() as memory, pytest.raises(FactsTrouble):
        memory.set_fact("user", "city", "Rome")


def test_a_vault_cannot_name_a_home_of_facts(tmp_path: Path) -> None:
    box = Box(tmp_path, config="facts: {url: 'http://127.0.0.1:1'}\n")
    with pytest.raises(BadConfig, match="'facts' is unknown"):
        box.open()
