"""Vectors of an endpoint, good and bad, through a real server in a process of its own: what it gives is checked, what
it lacks is said, and words answer meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fake_embedder import MODEL, Serving
from tests.program import run
from tests.vaults import REPO, Box
from vaultmem.memory import Memory

CHAT = """12/03/2026, 10:00 - Alice Smith: The vehicle stands in garage B
12/03/2026, 10:01 - Bob: I cooked lentil soup for everybody yesterday
12/03/2026, 10:02 - Alice Smith: 👍
12/03/2026, 10:03 - Bob: The boiler was repaired for 120 euros by the plumber
"""
ASKED = "car parked"
BUILTIN = "all-MiniLM-L6-v2-int8/384/mean-l2/8199be6f"


@pytest.fixture
def server() -> Iterator[Serving]:
    with Serving() as made:
        yield made


def filled(folder: Path, environ: dict[str, str], *, embedder: str = "auto", chat: str = CHAT) -> Box:
    box = Box(folder, embedder=embedder, environ=environ)
    box.write("WhatsApp Chat with House.txt", chat)
    box.sync()
    return box


def long_chat(count: int) -> str:
    return "".join(
        f"12/03/2026, {10 + n // 60:02}:{n % 60:02} - Bob: note number {n} about the boiler and the plumber\n"
        for n in range(count)
    )


def config(box: Box, setting: str) -> None:
    path = box.root / ".vaultmem/config.yaml"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("embedder:")]
    path.write_text("\n".join([*lines, f"embedder: {setting}", ""]))


def vectors(memory: Memory) -> dict[str, object]:
    found = memory.status().to_dict()["vectors"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("api", ["ollama", "openai"])
def test_meaning_is_found_through_either_protocol(tmp_path: Path, server: Serving, api: str) -> None:
    server.behave(shuffled=True, base64=True)
    box = filled(tmp_path, server.environ(api, key="sk-secret-key"))
    with box.open() as memory:
        found = memory.recall(ASKED)
        assert found.degraded == ""
        assert found.hits[0].content.startswith("The vehicle stands")
        assert found.hits[0].score_parts["vector"] > 0
        state = vectors(memory)
        assert (state["state"], state["embedded"], state["passages"], state["backend"]) == ("ready", 3, 3, "numpy")
        expected = f"{api}/{MODEL}/384" + ("/abababababab" if api == "ollama" else "")
        assert state["signature"] == expected
        assert state["stored"] == {expected: 3}
        assert memory.status().to_dict()["vector_backend"] == "numpy"
        (finding,) = [f for f in memory.doctor().findings if f.area == "vectors"]
        assert finding.level == "ok"
        assert expected in finding.text
        assert "compared by numpy" in finding.text
    assert {body["key"] for body in server.bodies} == {"Bearer sk-secret-key"}
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"sk-secret-key" not in kept
    assert len(server.texts) == 4, "three passages once, and the question"


def test_ollama_before_its_batches(tmp_path: Path, server: Serving) -> None:
    server.behave(old=True, tags=False)
    box = filled(tmp_path, server.environ("ollama"))
    with box.open() as memory:
        assert memory.recall(ASKED).hits[0].content.startswith("The vehicle stands")
        assert vectors(memory)["signature"] == f"ollama/{MODEL}/384"


def test_dimensions_are_asked_for_and_insisted_on(tmp_path: Path, server: Serving) -> None:
    box = filled(tmp_path, server.environ("openai", dimensions="64"))
    with box.open() as memory:
        assert vectors(memory)["signature"] == f"openai/{MODEL}@64/64"
        assert {body["dimensions"] for body in server.bodies} == {64}
        server.behave(dims=32)
        assert "32 numbers where 64 are asked for" in memory.recall(ASKED).degraded


def test_a_model_that_is_missing_is_named_and_not_pulled(tmp_path: Path, server: Serving) -> None:
    environ = server.environ("ollama") | {"VAULTMEM_EMBED_MODEL": "other"}
    with filled(tmp_path, environ).open() as memory:
        found = memory.recall("boiler")
        assert found.hits
        assert 'ollama/other: the endpoint answered 404: model "other" not found' in found.degraded
        assert {body["path"] for body in server.bodies} == {"/api/embed"}


def test_a_server_that_is_gone_costs_words_nothing(tmp_path: Path, server: Serving) -> None:
    box = filled(tmp_path, server.environ("ollama"))
    server.stop()
    with box.open() as memory:
        started = time.monotonic()
        found = memory.recall("boiler")
        assert time.monotonic() - started < 1.5
    said = f"vectors: no embedder (ollama/{MODEL}: the endpoint refused the connection), words only"
    assert found.hits[0].content.startswith("The boiler")
    assert found.degraded == said
    with box.open() as memory:  # another command knows it without asking
        assert memory.status().degraded == (said,)
        state = vectors(memory)
        assert (state["state"], state["cause"]) == ("down", "the endpoint refused the connection")
        (finding,) = [f for f in memory.doctor().findings if f.area == "vectors"]
        assert (finding.level, "refused the connection" in finding.text) == ("problem", True)
        assert memory.recall("boiler").degraded == said
    server.start()
    box.sync()
    with box.open() as memory:
        assert memory.status().degraded == (said,), "nobody asks again at once"
        Path(memory._data.path / "embedder.state").write_text(f'{{"cause": "was gone", "until": {time.time() - 1}}}')
    box.sync()
    with box.open() as memory:
        assert memory.status().degraded == ()


def test_a_server_that_stalls_is_waited_for_once(tmp_path: Path, server: Serving) -> None:
    box = filled(tmp_path, server.environ("openai"))
    server.behave(delay=30)
    with box.open() as memory:
        memory.recall("warm")  # imports are not the server's fault
    with box.open() as memory:
        (memory._data.path / "embedder.state").unlink()
        started = time.monotonic()
        found = memory.recall("boiler")
        waited = time.monotonic() - started
        assert found.hits
        assert "did not answer within" in found.degraded
        assert 1.5 < waited < 2.8
    with box.open() as memory:
        started = time.monotonic()
        assert "did not answer within" in memory.recall("boiler").degraded
        assert time.monotonic() - started < 1


@pytest.mark.parametrize("gives", ["nan", "zero", "short", "status", "none"])
def test_one_bad_text_holds_back_no_other(tmp_path: Path, server: Serving, gives: str) -> None:
    server.behave(poison="lentil", poison_gives=gives)
    box = filled(tmp_path, server.environ("ollama"))
    with box.open() as memory:
        state = vectors(memory)
        assert (state["state"], state["embedded"], state["passages"], state["refused"]) == ("ready", 2, 2, 1)
        found = memory.recall(ASKED)
        assert (found.degraded, found.hits[0].content[:11]) == ("", "The vehicle")
        assert memory.recall("lentil soup").hits[0].content.startswith("I cooked")
    before = len(server.texts)
    box.sync()
    assert len(server.texts) == before, "a refused text is not tried at every pass"
    server.behave(poison="")
    with box.open() as memory:
        assert memory.retry_jobs() == 1
        memory.sync()
        assert vectors(memory)["embedded"] == 3


def test_a_server_that_is_all_wrong_refuses_no_text(tmp_path: Path, server: Serving) -> None:
    server.behave(status=500)
    box = filled(tmp_path, server.environ("ollama"))
    with box.open() as memory:
        state = vectors(memory)
        assert (state["state"], state["refused"]) == ("down", 0)
        assert "500" in memory.recall("boiler").degraded
    server.behave(status=0)
    box.sync()
    with box.open() as memory:
        assert vectors(memory)["state"] == "ready"


def test_a_vault_never_names_another_machine(tmp_path: Path, server: Serving) -> None:
    box = filled(tmp_path, {}, embedder="none")
    config(box, "http://example.com")
    with pytest.raises(Exception, match="embedder"):
        box.open()
    config(box, "ollama")
    with box.open() as memory:
        assert memory._embedders.current is not None
        assert memory._embedders.current._endpoint.url == "http://127.0.0.1:11434"  # type: ignore[attr-defined]
    box.environ = {**box.environ, **server.environ("openai")}
    for less in ("builtin", "none"):
        config(box, less)
        box.sync()
    assert server.texts == []


def test_the_old_model_answers_until_the_new_one_is_whole(tmp_path: Path, server: Serving) -> None:
    box = filled(tmp_path, {}, embedder="auto")
    with box.open() as memory:
        assert vectors(memory)["signature"] == BUILTIN
    box.environ = {**box.environ, **server.environ("ollama")}
    with box.open() as memory:
        found = memory.recall(ASKED)
        assert found.hits[0].score_parts["vector"] > 0
        assert (
            found.degraded
            == f"vectors: 0 of 3 passages have vectors of ollama/{MODEL}; answering with {BUILTIN} meanwhile"
        )
        assert memory.status().degraded == (found.degraded,)
        assert server.texts == []
        assert memory.embed_pending(60) == 3
        found = memory.recall(ASKED)
        assert found.degraded == ""
        assert len(server.texts) == 4
        assert set(vectors(memory)["stored"]) == {BUILTIN, f"ollama/{MODEL}/384/abababababab"}  # type: ignore[call-overload]
    server.stop()
    with box.open() as memory:
        found = memory.recall(ASKED)
        assert found.hits[0].score_parts["vector"] > 0
        assert found.degraded == (
            f"vectors: ollama/{MODEL}: the endpoint refused the connection; answering with {BUILTIN} meanwhile"
        )
    server.start()
    box.sync()
    with box.open() as memory:
        assert set(vectors(memory)["stored"]) == {f"ollama/{MODEL}/384/abababababab"}  # type: ignore[call-overload]


def test_a_model_pulled_anew_is_another_model(tmp_path: Path, server: Serving) -> None:
    box = filled(tmp_path, server.environ("ollama"))
    server.behave(digest="sha256:" + "cd" * 32)
    with box.open() as memory:
        found = memory.recall(ASKED)
        assert "vectors are those of" in found.degraded
        assert "vector" not in found.hits[0].score_parts if found.hits else True
        memory.sync()
        assert memory.recall(ASKED).degraded == ""
        assert set(vectors(memory)["stored"]) == {f"ollama/{MODEL}/384/cdcdcdcdcdcd"}  # type: ignore[call-overload]


def test_another_model_in_mid_run_and_a_kill(tmp_path: Path, server: Serving) -> None:
    """384 -> 1024 while the vault is being embedded, SIGKILL in the middle of that, another run."""
    box = Box(tmp_path, embedder="auto", environ=server.environ("openai"))
    box.write("WhatsApp Chat with House.txt", long_chat(160))
    server.behave(switch=[40, 1024], hangs_after=130)
    command = [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "sync"]
    run = subprocess.Popen(command, cwd=REPO, env={**os.environ, **box.environ}, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(server.texts) <= 130 and time.monotonic() < deadline:
        time.sleep(0.05)
    run.send_signal(signal.SIGKILL)
    run.wait()
    server.behave(switch=None, dims=1024, hangs_after=-1)
    notes = box.notes()
    asked_before = {path: (box.root / path).stat().st_mtime_ns for path in notes}
    with box.open() as memory:
        state = vectors(memory)
        assert state["signature"] == f"openai/{MODEL}/1024"
        assert 0 < int(str(state["embedded"])) < 160
        found = memory.recall("plumber note number 7")
        assert found.hits
        assert "still to come" in found.degraded
        sizes = memory._index._db.execute("SELECT signature, length(vector) / 4, count(*) FROM vectors GROUP BY 1, 2")
        assert {(name, size) for name, size, _ in sizes} == {
            (f"openai/{MODEL}/384", 384),
            (f"openai/{MODEL}/1024", 1024),
        }
    subprocess.run(command, cwd=REPO, env={**os.environ, **box.environ}, check=True, stdout=subprocess.DEVNULL)
    with box.open() as memory:
        state = vectors(memory)
        assert (state["state"], state["embedded"], state["stored"]) == ("ready", 160, {f"openai/{MODEL}/1024": 160})
        assert memory.recall("plumber note number 7").degraded == ""
        assert memory.verify().drift == ()
    after = {path: (box.root / path).stat().st_mtime_ns for path in notes if "/raw/" in path}
    assert after == {path: asked_before[path] for path in after}, "no chunk note was written again"
    assert {p for p in box.notes() if "/raw/" in p} == set(after)


def test_the_command_line_tells(tmp_path: Path, server: Serving) -> None:
    box = filled(tmp_path, server.environ("ollama"))

    told = "vectors  3 of 3 passages, ollama/fake-embed/384/abababababab, compared by numpy, ready"
    assert told in run(box, "status").stdout
    server.stop()
    assert "refused the connection" in json.loads(run(box, "--json", "recall", "boiler").stdout)["degraded"]
    assert "down: the endpoint refused the connection" in run(box, "status").stdout
