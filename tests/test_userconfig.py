"""Endpoints of the user: read from a file and the environment, never from a vault, and no message shows a key."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.vaults import Box
from vaultmem.errors import BadConfig
from vaultmem.providers.userfile import read_user_config
from vaultmem.userconfig import Endpoint, FactsHome, UserConfig, parse_user_config

KEY = "very" + "-secret-" + "word"
FILE = f"""
llm: {{api: ollama, url: "http://127.0.0.1:11434/", model: small, key: {KEY}, timeout: 5}}
embedder:
  url: https://models.example/v1
  model: wide
  dimensions: 1024
""".encode()


def test_a_file_says_both() -> None:
    assert parse_user_config(FILE, {}, "config.yaml") == UserConfig(
        llm=Endpoint(api="ollama", url="http://127.0.0.1:11434", model="small", key=KEY, timeout=5),
        embedder=Endpoint(api="openai", url="https://models.example/v1", model="wide", dimensions=1024),
    )


def test_the_environment_overrides_value_by_value() -> None:
    environ = {"VAULTMEM_LLM_MODEL": "large", "VAULTMEM_EMBED_URL": "none", "VAULTMEM_LLM_KEY": " "}
    found = parse_user_config(FILE, environ, "config.yaml")
    assert found.embedder is None
    assert found.llm == Endpoint(api="ollama", url="http://127.0.0.1:11434", model="large", key=KEY, timeout=5)
    alone = {"VAULTMEM_EMBED_URL": "http://[::1]:8080", "VAULTMEM_EMBED_MODEL": "m", "VAULTMEM_EMBED_DIMENSIONS": "64"}
    assert parse_user_config(b"", alone, "x").embedder == Endpoint(
        api="openai", url="http://[::1]:8080", model="m", dimensions=64
    )


@pytest.mark.parametrize("nothing", [b"", b"llm:", b"llm: {}", b"# only words\n", b"\xef\xbb\xbfembedder: {url: none}"])
def test_no_url_no_network(nothing: bytes) -> None:
    assert parse_user_config(nothing, {}, "config.yaml") == UserConfig()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (f"llm: {{url: {KEY}, model: m}}", "llm.url"),
        (f"llm: {{url: 'https://{KEY}@models.example', model: m}}", "llm.url"),
        (f"llm: {{url: 'https://models.example?key={KEY}', model: m}}", "llm.url"),
        (f"llm: {{url: 'ftp://{KEY}', model: m}}", "llm.url"),
        (f"llm: {{url: 'http://models.example:{KEY}', model: m}}", "llm.url"),
        (f"llm: {{url: 'http://[{KEY}', model: m}}", "llm.url"),
        (f"llm: {{key: {KEY}}}", "llm.key"),
        (f"llm: {{url: 'http://a', model: m, api: {KEY}}}", "llm.api"),
        (f"llm: {{url: 'http://a', model: m, key: [{KEY}]}}", "llm.key"),
        (f"llm: {{url: 'http://a', model: m, key: {KEY} {KEY}}}", "llm.key"),
        (f"llm: {{url: 'http://a', model: m, key: '{KEY}ü'}}", "llm.key"),
        (f'llm: {{url: "http://a", model: m, key: "{KEY}\\r\\nX: 1"}}', "llm.key"),
        (f"llm: {{url: 'http://a', model: m, timeout: {KEY}}}", "llm.timeout"),
        ("llm: {url: 'http://a', model: m, timeout: .inf}", "llm.timeout"),
        ("llm: {url: 'http://a', model: m, timeout: true}", "llm.timeout"),
        ("llm: {url: 'http://a', model: m, dimensions: 3}", "llm.dimensions"),
        (f"llm: {{url: 'http://a', model: m, {KEY}: x}}", "llm.(unreadable name)"),
        ("llm: {url: 'http://a', model: 7}", "llm.model"),
        (f"llm: {KEY}", "llm"),
        ("embedder: [a]", "embedder"),
        ("embeder: {}", "embeder"),
        (f"{KEY}: x", "(unreadable name)"),
        (f"{KEY}", "(file)"),
        (f"llm: {{key: *{KEY}}}", "(file)"),
        (f"llm: {{key: !{KEY} x}}", "(file)"),
        (f"llm: {{key: '{KEY}", "(file)"),
        (f"llm:\n\t{KEY}", "(file)"),
    ],
)
def test_what_is_wrong_is_one_line_without_the_key(text: str, named: str) -> None:
    with pytest.raises(BadConfig) as caught:
        parse_user_config(text.encode(), {}, "config.yaml")
    said = str(caught.value)
    assert said.startswith(f"config.yaml: setting '{named}' ")
    assert KEY not in said
    assert "\n" not in said


def test_the_environment_is_named_when_it_is_wrong() -> None:
    with pytest.raises(BadConfig, match="environment: setting 'VAULTMEM_LLM_URL' must begin with"):
        parse_user_config(b"", {"VAULTMEM_LLM_URL": "localhost:11434", "VAULTMEM_LLM_MODEL": "m"}, "config.yaml")


def test_no_way_of_showing_it_shows_the_key() -> None:
    found = parse_user_config(FILE, {}, "config.yaml")
    assert found.llm is not None
    assert KEY not in repr(found) + str(found.llm) + found.llm.shown
    assert found.llm.shown == "small at http://127.0.0.1:11434 (ollama)"


def test_the_file_is_where_the_environment_says_but_never_in_the_vault(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_bytes(FILE)
    vault = tmp_path / "vault"
    vault.mkdir()
    assert read_user_config({"VAULTMEM_CONFIG": str(file)}, vault).llm is not None
    with pytest.raises(BadConfig, match="names no file"):
        read_user_config({"VAULTMEM_CONFIG": str(tmp_path / "none.yaml")}, vault)
    with pytest.raises(BadConfig, match="cannot be read"):
        read_user_config({"VAULTMEM_CONFIG": str(tmp_path)}, vault)
    (vault / "sly.yaml").write_bytes(FILE)
    (tmp_path / "link.yaml").symlink_to(vault / "sly.yaml")
    for name in ("vault/sly.yaml", "link.yaml"):
        with pytest.raises(BadConfig, match="must lie outside the vault"):
            read_user_config({"VAULTMEM_CONFIG": str(tmp_path / name)}, vault)


@pytest.mark.skipif(sys.platform != "linux", reason="the folder follows from XDG_CONFIG_HOME there")
def test_a_vault_around_the_usual_place_is_fine_while_nothing_stands_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    assert read_user_config({}, tmp_path) == UserConfig()
    (tmp_path / ".config/vaultmem").mkdir(parents=True)
    (tmp_path / ".config/vaultmem/config.yaml").write_bytes(FILE)
    with pytest.raises(BadConfig, match=r"config\.yaml.* must lie outside the vault"):
        read_user_config({}, tmp_path)
    assert read_user_config({}, tmp_path / "Notes").llm is not None


def test_a_vault_cannot_name_a_model(tmp_path: Path) -> None:
    box = Box(tmp_path, config="llm: {url: 'http://127.0.0.1:1', model: m}\n")
    with pytest.raises(BadConfig, match="'llm' is unknown"):
        box.open()


def test_a_wrong_file_of_the_user_is_told_at_opening(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("llm: {colour: red}")
    with pytest.raises(BadConfig, match=r"mine\.yaml: setting 'llm.colour' is unknown"):
        Box(tmp_path, environ={"VAULTMEM_CONFIG": str(file)}).open()


def test_a_reranker() -> None:
    file = f'reranker: {{api: tei, url: "http://127.0.0.1:8080/", key: {KEY}}}'.encode()
    found = parse_user_config(file, {}, "x").reranker
    assert found == Endpoint(api="tei", url="http://127.0.0.1:8080", model="", key=KEY, timeout=5)
    assert found.shown == "http://127.0.0.1:8080 (tei)"
    environ = {"VAULTMEM_RERANK_URL": "https://api.example/v1", "VAULTMEM_RERANK_MODEL": "m"}
    assert parse_user_config(b"", environ, "x").reranker == Endpoint(
        api="cohere", url="https://api.example/v1", model="m", timeout=5
    )
    changed = parse_user_config(file, {"VAULTMEM_RERANK_API": "cohere", "VAULTMEM_RERANK_TIMEOUT": "9"}, "x").reranker
    assert changed == Endpoint(api="cohere", url="http://127.0.0.1:8080", model="", key=KEY, timeout=9)
    assert parse_user_config(file, {"VAULTMEM_RERANK_URL": "none"}, "x").reranker is None
    for wrong, named in [
        ("{model: m}", "reranker.model"),
        ("{api: openai, url: 'http://a'}", "reranker.api"),
        (f"{{url: 'http://a?{KEY}'}}", "reranker.url"),
        ("{url: 'http://a', dimensions: 3}", "reranker.dimensions"),
    ]:
        with pytest.raises(BadConfig, match=named) as caught:
            parse_user_config(f"reranker: {wrong}".encode(), {}, "x")
        assert KEY not in str(caught.value)


def test_a_home_of_facts() -> None:
    file = f'facts: {{backend: agentmemory, url: "http://127.0.0.1:3111/", key: {KEY}}}'.encode()
    home = parse_user_config(file, {}, "x").facts
    assert home == FactsHome(backend="agentmemory", url="http://127.0.0.1:3111", key=KEY)
    assert KEY not in repr(home) + home.shown
    assert parse_user_config(file, {"VAULTMEM_FACTS_BACKEND": "notes"}, "x").facts is None
    assert parse_user_config(b"facts: {backend: notes}", {}, "x").facts is None
    for wrong, named in [
        ("{backend: agentmemory}", "facts.backend"),
        ("{backend: redis, url: 'http://a'}", "facts.backend"),
        (f"{{url: 'http://a?{KEY}'}}", "facts.url"),
        ("{url: 'http://a', model: m}", "facts.model"),
    ]:
        with pytest.raises(BadConfig, match=named) as caught:
            parse_user_config(f"facts: {wrong}".encode(), {}, "x")
        assert KEY not in str(caught.value)
