"""A language model in the pipeline: good, bad, dead or gone. Driven through the doors, against a real server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.fake_llm import LIE, FakeLlm, serving
from tests.program import run
from tests.vaults import REPO, Box
from vaultmem.core.notes.chunknote import parse_chunk_note
from vaultmem.core.notes.summarynote import parse_summary_note
from vaultmem.model import Chunk

KEY = "very" + "-secret-" + "word"
CHAT = """12/03/2026, 10:00 - Alice Smith: The vehicle of bob stands in garage B under the theatre since Monday
12/03/2026, 10:01 - Carol: I will cook lentil soup for everybody who comes to the rehearsal tomorrow evening
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeLlm]:
    with serving(tmp_path) as found:
        yield found


def chunks(box: Box) -> list[Chunk]:
    return [parse_chunk_note(data.decode()) for path, data in box.notes().items() if path.startswith("wiki/raw/")]


def status(box: Box) -> Mapping[str, object]:
    with box.open() as memory:
        found = memory.status().to_dict()["llm"]
    assert isinstance(found, dict)
    return found


WHO = ("Alice Smith", "Bob", "Carol")
WHAT = """We agreed that the %s goes to the %s before winter comes and nobody has to carry it
Please ask the %s for a new %s since the old one broke in two on the way home yesterday
Nobody has seen the %s since it was lent to the %s for the summer feast at the lake
The %s was repaired for %d euros and now smells of paint like the whole %s""".splitlines()
THINGS = [
    "boat",
    "trailer",
    "kitchen",
    "piano",
    "harbour",
    "keeper",
    "engine",
    "ladder",
    "carpet",
    "oven",
    "bicycle",
    "choir",
    "bakery",
    "tent",
    "library",
]


def chat(days: int, messages: int = 4) -> str:
    """A chunk a day, of some messages each."""
    lines = []
    for day in range(days):
        for hour, what in enumerate(WHAT[:messages]):
            words = [THINGS[(day * 7 + hour * 3) % 15], THINGS[(day * 4 + hour * 5 + 1) % 15]]
            text = what % ((words[0], 40 + day, words[1]) if "%d" in what else tuple(words))
            date = f"{1 + day % 28:02}/0{1 + day // 28}/2026, {10 + hour}:00"
            lines.append(f"{date} - {WHO[(day + hour) % 3]}: {text}\n")
    return "".join(lines)


@pytest.mark.parametrize("api", ["openai", "ollama"])
def test_what_the_signals_leave_open_is_asked_once(tmp_path: Path, server: FakeLlm, api: str) -> None:
    box = Box(tmp_path, environ=server.environ("ok", api=api, key=KEY))
    box.write("WhatsApp Chat with House.txt", CHAT)
    box.write("WhatsApp Chat with Noise.txt", "12/03/2026, 10:00 - Alice: ok\n12/03/2026, 10:01 - Bob: thanks!\n")
    box.sync()
    kept = {chunk.source_id: chunk for chunk in chunks(box)}
    house, noise = kept["whatsapp:House"], kept["whatsapp:Noise"]
    assert (house.status, house.llm_importance) == ("admitted", 0.9)
    assert house.signals["llm_importance"] == 0.9
    assert house.llm_entities == ("person:Alice", "person:bob")
    assert noise.status == "dropped"
    assert noise.llm_importance is None
    assert len(server.requests()) == 1
    assert status(box) == {
        "endpoint": f"ok at {server.url} ({api})", "state": "ok", "cause": "",
        "calls": 1, "tokens_in": 100, "tokens_out": 20, "rejected": 0, "unanswered": 0, "unasked": 0, "invented": 0,
    }  # fmt: skip
    with box.open() as memory:
        assert memory.recall("garage", entity="bob").hits
        assert memory.explain(house.chunk_id).band.startswith("admitted with a model's word of 0.90: ")
    before = box.notes()
    box.sync()
    with box.open() as memory:
        memory.rebuild()
    box.sync()
    assert box.notes() == before
    box.digest()
    assert len(server.requests()) == 1
    assert status(box)["calls"] == 1


def test_a_low_word_drops_and_a_high_one_saves(tmp_path: Path, server: FakeLlm) -> None:
    for mode, expected in (("low", "dropped"), ("ok", "admitted")):
        folder = tmp_path / mode
        folder.mkdir()
        box = Box(folder, config="me: [Dora]\n", environ=server.environ(mode))
        box.write("WhatsApp Chat with X.txt", "12/03/2026, 10:00 - Al: We meet in Rome at noon on the stairs\n")
        box.sync()
        (chunk,) = chunks(box)
        cheap = sum(chunk.signals.values())
        assert chunk.status in ("admitted", "dropped")
        if cheap:
            assert chunk.llm_importance == (0.0 if mode == "low" else 0.9)
        assert (chunk.drop_reason == "below_threshold") == (chunk.status == "dropped")
        if mode == "ok":
            assert chunk.status == expected


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Box:
    """The same chat where no model is named."""
    box = Box(tmp_path_factory.mktemp("without"))
    box.write("WhatsApp Chat with House.txt", CHAT)
    box.sync()
    return box


@pytest.mark.parametrize(
    ("mode", "calls", "cause"),
    [
        ("prose", 1, ""),
        ("truncated", 1, ""),
        ("huge", 1, "larger than 1 MB"),
        ("401", 1, "answered 401"),
        ("429-long", 1, "answered 429"),
        ("nonsense", 1, "no chat completion"),
        ("stall", 1, "did not answer"),
        ("drip", 1, "did not answer"),
    ],
)
def test_no_answer_is_no_answer(
    tmp_path: Path, server: FakeLlm, without: Box, mode: str, calls: int, cause: str
) -> None:
    box = Box(tmp_path, environ=server.environ(mode, key=KEY, timeout=1 if cause == "did not answer" else 5))
    box.write("WhatsApp Chat with House.txt", CHAT)
    box.sync()
    assert chunks(box) == chunks(without)
    found = status(box)
    assert (found["calls"], found["unanswered"]) == (calls, 1)
    assert found["state"] == ("down" if cause else "ok")
    assert cause in str(found["cause"])
    assert KEY not in str(found)
    asked = len(server.requests())
    box.sync()
    assert len(server.requests()) == asked


def test_invented_names_are_left_out_and_counted(tmp_path: Path, server: FakeLlm) -> None:
    box = Box(tmp_path, environ=server.environ("lies"))
    box.write("WhatsApp Chat with House.txt", CHAT)
    box.sync()
    assert LIE not in str(box.notes())
    assert chunks(box)[0].llm_importance == 0.9
    assert status(box)["invented"] == 1


def test_a_dead_endpoint_stalls_nothing_and_loses_nothing(tmp_path: Path) -> None:
    environ = {"VAULTMEM_LLM_URL": "http://127.0.0.1:1", "VAULTMEM_LLM_MODEL": "m", "VAULTMEM_LLM_KEY": KEY}
    box = Box(tmp_path, environ=environ)
    box.write("WhatsApp Chat with Boats.txt", chat(12))
    box.sync()
    assert len(chunks(box)) == 12
    assert {chunk.status for chunk in chunks(box)} == {"admitted"}
    found = status(box)
    assert found["state"] == "down"
    assert isinstance(found["calls"], int)
    assert isinstance(found["unanswered"], int)
    assert 3 <= found["calls"] <= 6 < 12 <= found["unanswered"]
    with box.open() as memory:
        assert memory.status().jobs == {"ready": 0, "running": 0, "dead": 0}


def test_a_persons_word_comes_before_the_models(tmp_path: Path, server: FakeLlm) -> None:
    box = Box(tmp_path, environ=server.environ("low"))
    box.write("WhatsApp Chat with House.txt", CHAT)
    box.sync()
    (path,) = [path for path in box.notes() if path.startswith("wiki/raw/")]
    note = box.root / path
    for status_now in ("dropped", "admitted"):
        note.write_text(
            note.read_text().replace(f"memory_status: {chunks(box)[0].status}", f"memory_status: {status_now}")
        )
        box.sync()
        assert chunks(box)[0].status == status_now
    assert len(server.requests()) == 1
    note.write_text(note.read_text().replace("memory_status: admitted", "memory_status: pending # ask again"))
    os.utime(note, (1_700_000_000, 1_700_000_000))
    box.sync()
    assert len(server.requests()) == 2
    assert chunks(box)[0].status != "pending"
    assert "# ask again" in note.read_text()


def test_the_limit_of_a_run_holds(tmp_path: Path, server: FakeLlm) -> None:
    box = Box(tmp_path, config="llm_max_calls_per_run: 3\n", environ=server.environ("ok"))
    box.write("WhatsApp Chat with Boats.txt", chat(12))
    box.sync()
    assert len(server.requests()) == 3
    assert sum(chunk.llm_importance is not None for chunk in chunks(box)) == 3
    assert {chunk.status for chunk in chunks(box)} == {"admitted"}
    found = status(box)
    assert found["calls"] == 3
    assert isinstance(found["unasked"], int)
    assert found["unasked"] >= 9


@pytest.mark.parametrize("mode", ["ok", "lies"])
def test_summaries(tmp_path: Path, server: FakeLlm, mode: str) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    without = Box(alone)
    box = Box(tmp_path, environ=server.environ(mode))
    for each in (without, box):
        each.write("WhatsApp Chat with Boats.txt", chat(12))
        each.sync()
    (path,) = [path for path in box.notes() if path.startswith("wiki/summaries/source/") and "/L1/" in path][:1]
    node, extract = (parse_summary_note(each.notes()[path].decode()) for each in (box, without))
    if mode == "ok":
        assert node.summariser == "llm:ok"
        assert 0 < len(node.sentences) < len(extract.sentences)
        links = {sentence.link for sentence in extract.sentences}
        assert {sentence.link for sentence in node.sentences} <= links
        assert status(box)["rejected"] == 0
    else:
        assert node.sentences == extract.sentences
        assert node.summariser == "facet-2"
        assert status(box)["rejected"] != 0
        assert LIE not in str(box.notes())
    before, asked = box.notes(), len(server.requests())
    with box.open() as memory:
        memory.rebuild()
    box.sync()
    assert box.notes() == before
    assert len(server.requests()) == asked
    box.digest()


def test_a_model_can_be_taken_away_in_the_middle(tmp_path: Path, server: FakeLlm) -> None:
    box = Box(tmp_path, environ=server.environ("ok"))
    box.write("WhatsApp Chat with House.txt", CHAT)
    box.sync()
    (path,) = [path for path in box.notes() if path.startswith("wiki/raw/")]
    note = box.root / path
    note.write_text(note.read_text().replace("memory_status: admitted", "memory_status: pending"))
    os.utime(note, (1_700_000_000, 1_700_000_000))
    box.environ = {**box.environ, "VAULTMEM_LLM_URL": "none"}
    box.sync()
    assert chunks(box)[0].status == "admitted"
    assert status(box)["state"] == "off"
    assert len(server.requests()) == 1


def test_the_command_line_shows_it_and_never_the_key(tmp_path: Path, server: FakeLlm) -> None:
    box = Box(tmp_path, environ=server.environ("500", key=KEY, timeout=1))
    box.write("WhatsApp Chat with House.txt", CHAT)
    said = ""
    for command in (["sync"], ["status"], ["status", "--json"]):
        done = run(box, *command)
        assert done.returncode == 0, done.stderr
        said += done.stdout + done.stderr
    assert "llm: 1 calls, 0 tokens in, 0 out, 0 rejected, 1 unanswered" in said
    assert "state down: the endpoint answered 500" in said
    assert KEY not in said
    assert json.loads(done.stdout)["llm"]["state"] == "down"
    kept = [path.read_bytes() for path in [*box.root.rglob("*"), *box.data.rglob("*")] if path.is_file()]
    assert KEY.encode() not in b"".join(kept)


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_a_terminal_is_told_before_much_is_asked(tmp_path: Path, server: FakeLlm) -> None:
    box = Box(tmp_path, environ=server.environ("ok", key=KEY))
    box.write("WhatsApp Chat with Boats.txt", chat(52, 1))
    ours, theirs = os.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "vaultmem", "--vault", str(box.root), "sync", "--json"],
        stdout=subprocess.PIPE, stderr=theirs, check=True, cwd=REPO, env={"PATH": "", "TERM": "xterm", **box.environ},
    )  # fmt: skip
    os.close(theirs)
    said = os.read(ours, 1 << 20).decode()
    os.close(ours)
    assert f"vaultmem: about to ask ok at {server.url} (openai) up to 52 times" in " ".join(said.split())
    estimate = json.loads(done.stdout)["llm_estimate"]
    assert estimate["calls"] == 52
    assert 52 * 250 < estimate["tokens_in"] < 52 * 400
    assert KEY not in said
    with box.open() as memory:
        assert "llm_estimate" not in memory.sync().to_dict()


def test_digests_are_rewritten_and_what_stands_above_them_goes_on(tmp_path: Path, server: FakeLlm) -> None:
    box = Box(tmp_path, environ=server.environ("ok"))
    lines = [line.replace("WHO", WHO[n % 3]) for n, line in enumerate(chat(15).splitlines())]
    for name in ("A", "B", "C"):
        moved = [line.replace(" - ", f" - {name}").replace("boat", f"boat{name}") for line in lines]
        box.write(f"WhatsApp Chat with {name}.txt", "\n".join(moved))
    box.sync()
    nodes = {
        p: parse_summary_note(d.decode()) for p, d in box.notes().items() if p.startswith("wiki/summaries/global/")
    }
    written = [node for node in nodes.values() if node.summariser == "llm:ok"]
    assert {node.tree_level for node in written} >= {1, 2}
    for node in written:
        assert node.sentences
        assert all((box.root / sentence.link.path).exists() for sentence in node.sentences)
    asked, before = len(server.requests()), box.notes()
    box.sync()
    assert (len(server.requests()), box.notes()) == (asked, before)
