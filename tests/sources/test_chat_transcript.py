"""Transcripts and captions: samples, times, voices, paragraphs; exports that overlap; hostile text."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from tests.vaults import Box, raw_notes
from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, VaultmemError
from vaultmem.model import RawFile, SourceMessage
from vaultmem.sources import detect, read
from vaultmem.sources.chat.transcript import is_transcript, read_transcript
from vaultmem.sources.chat.transcript_cues import cues_of, timing
from vaultmem.sources.chat.transcript_talk import is_talk
from vaultmem.sources.chat.zoom_chat import is_zoom_chat, read_zoom_chat

MODIFIED = datetime(2025, 1, 2, 12, tzinfo=UTC)


def raw(text: str | bytes, name: str = "x.vtt", modified: datetime = MODIFIED) -> RawFile:
    return RawFile(name=name, data=text.encode() if isinstance(text, str) else text, modified_at=modified)


def messages(text: str, name: str = "x.vtt", **settings: object) -> list[SourceMessage]:
    items = read(raw(text, name), Settings(**settings)).items  # type: ignore[arg-type]
    return [item for item in items if isinstance(item, SourceMessage)]


def said(text: str, name: str = "x.vtt") -> list[tuple[str, str]]:
    return [(m.message.author, m.message.text) for m in messages(text, name)]


def vtt(*cues: tuple[float, float, str]) -> str:
    def clock(at: float) -> str:
        return f"{int(at) // 3600:02}:{int(at) // 60 % 60:02}:{at % 60:06.3f}"

    return "WEBVTT\n\n" + "\n".join(f"{clock(a)} --> {clock(b)}\n{text}\n" for a, b, text in cues)


def test_samples() -> None:
    for entry in expected.entries("chat/transcript"):
        data = (expected.SAMPLES / "chat/transcript" / entry["file"]).read_bytes()
        reading = read(raw(data, entry["file"]), Settings())
        assert reading.format == entry["format"]
        assert expected.problems(reading.items, entry) == [], entry["file"]


@pytest.mark.parametrize(
    ("line", "start", "end"),
    [
        ("00:00:01.500 --> 00:00:02.000", 1.5, 2),
        ("01:02.5 --> 01:03.25 align:start", 62.5, 63.25),
        ("00:00:01,5 -> 00:00:02", 1.5, 2),
        ("123:00:00.000-->123:00:01.000", 442_800, 442_801),
        ("0:00:00.599,0:00:04.160", 0.599, 4.16),
    ],
)
def test_time_lines(line: str, start: float, end: float) -> None:
    assert timing(line) == (timedelta(seconds=start), timedelta(seconds=end))


@pytest.mark.parametrize(
    "line", ["a --> b", "00:00:01.500", "-->", "00:01 -- 00:02", "1:2:3:4 --> 5", "see 0:01 -> 0:02"]
)
def test_what_is_no_time_line(line: str) -> None:
    assert timing(line) is None


def test_paragraphs_by_voice_pause_and_size() -> None:
    assert said(vtt((0, 1, "<v A>one"), (1, 2, "<v A>two"), (2, 3, "<v B>three"), (20, 21, "<v B>four"))) == [
        ("A", "one two"), ("B", "three"), ("B", "four"),
    ]  # fmt: skip
    long = said(vtt(*((n, n + 1, f"This is sentence {n} of the talk.") for n in range(600))))
    assert len(long) > 10
    assert all(len(text) < 1100 for _, text in long)
    assert " ".join(text for _, text in long).count("sentence") == 600


def test_the_report_counts_cues_and_tells_offsets(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("GMT20240305-090012_Recording.transcript.vtt", vtt((2.5, 3, "Anna: one two"), (3725, 3726, "Bo: four")))
    (row,) = box.sync()
    assert (row["messages"], row["first"], row["last"]) == (2, "00:00:02.500", "01:02:05.000")
    assert (row["tz"], row["authors"]) == ("relative; start 2024-03-05T09:00:12Z in the file name", ["Anna", "Bo"])
    assert b"## 2024-03-05T09:00:14.5" in raw_notes(box).encode()


def test_names_before_colons_only_where_the_file_names_its_speakers() -> None:
    assert said(vtt((0, 1, "Note: the fence"), (9, 10, "it is high"), (19, 20, "and old"), (29, 30, "very"))) == [
        ("", "Note: the fence"), ("", "it is high"), ("", "and old"), ("", "very"),
    ]  # fmt: skip
    talk = vtt(
        (0, 1, "Anna Berg: the fence: oak"), (1, 2, "Bo: yes"), (2, 3, "what he said: no"), (3, 4, "Anna Berg: ok")
    )
    assert said(talk) == [("Anna Berg", "the fence: oak"), ("Bo", "yes"), ("", "what he said: no"), ("Anna Berg", "ok")]


def test_words_said_twice_stay_and_captions_that_roll_do_not() -> None:
    assert said(vtt((0, 1, "No."), (1, 2, "No."))) == [("", "No. No.")]
    rolling = [(n, n + 1, f"line {n}\nline {n + 1}") for n in range(20)]
    text = " ".join(text for _, text in said(vtt(*rolling)))
    assert [text.count(f"line {n}") for n in (5, 19)] == [1, 1]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("GMT20240305-090012_Recording.vtt", "2024-03-05 09:00:12"),
        ("Sync - 2024_03_05 09_00 CET - Transcript.vtt", "2024-03-05 08:00:00"),
        ("Sync (2024-03-05 at 09 00 GMT-5).vtt", "2024-03-05 14:00:00"),
        ("2024-03-05 09.00.12 Board/closed_caption.vtt", "2024-03-05 08:00:12"),
        ("2024-03-05 standup.vtt", "2024-03-04 23:00:00"),
        ("film.2024.vtt", "2025-01-02 12:00:00"),
        ("99999999-999999.vtt", "2025-01-02 12:00:00"),
    ],
)
def test_where_the_start_is_known_from(name: str, start: str) -> None:
    reading = read_transcript(raw(vtt((0, 1, "x")), name), Settings(timezone="Europe/Berlin"))
    assert f"{reading.counts_from:%Y-%m-%d %H:%M:%S}" == start


def test_source_ids() -> None:
    def source(name: str) -> str:
        return messages(vtt((0, 1, "x")), name)[0].source_id

    assert source("a/Sync (1).vtt") == source("Sync.vtt") == "transcript:Sync"
    assert source("2024 Board/transcript.vtt") == "transcript:2024 Board/transcript"


@pytest.mark.parametrize(
    "text",
    [
        "# Minutes\n\nAnna: fence\nBo: gate\n",
        "Team 10:30\nlunch 12:00\n",
        "Attendees\nAnna, Bo\n\nWe talked about the fence.\n",
        "[12:34] Anna: hi\n[12:35] Bo: hello\n",
        "See 00:00:01 --> there",
        "",
    ],
)
def test_what_is_no_transcript(text: str) -> None:
    assert not is_transcript("a.txt", text)
    assert not is_zoom_chat(text)


def test_nothing_said() -> None:
    for text in ("WEBVTT", "WEBVTT\n\nNOTE x\n", "1\n00:00:01,000 --> 00:00:02,000\n\n"):
        with pytest.raises(SkippedSource):
            read_transcript(raw(text), Settings())


def test_zoom_chat() -> None:
    text = (
        "09:01:10 From Mia to Everyone: here: x\n2024-03-06 09:01:30\t From  A to B  to  Mia(Direct Message):\n\tpsst\n"
        "9:05:00 PM From Bo : old form\n"
    )
    found = [
        i for i in read_zoom_chat(raw(text, "chat.txt"), Settings(me=("Mia",))).items if isinstance(i, SourceMessage)
    ]
    assert [(m.message.author, m.message.text, f"{m.message.sent_at:%d %H:%M}", sorted(m.cues)) for m in found] == [
        ("Mia", "here: x", "02 09:01", ["sent"]),
        ("A to B", "(privately to Mia)\n\npsst", "06 09:01", ["dm", "mention"]),
        ("Bo", "old form", "02 21:05", []),
    ]
    assert detect(raw(text, "chat.txt"), Settings()) == "zoom-chat"


def test_a_transcript_that_grew_brings_only_what_is_new(tmp_path: Path) -> None:
    box = Box(tmp_path)
    cues = [(n * 10, n * 10 + 2, f"Anna: plank {n} is {n * 7} cm long") for n in range(30)]
    box.write("Sync.vtt", vtt(*cues[:20]))
    assert [r["chunks"] for r in box.sync()] == [1]
    box.write("Sync (1).vtt", vtt(*cues[10:]), at=1_700_900_000)
    assert [(r["outcome"], r["messages"]) for r in box.sync()] == [("imported", 20)]
    box.write("Sync.vtt", vtt(*cues), at=1_700_800_000)
    assert [r["outcome"] for r in box.sync()] == ["duplicate"]
    body = raw_notes(box)
    assert [body.count(f"plank {n} is") for n in (0, 15, 29)] == [1, 1, 1]


def test_a_zoom_chat_saved_twice_brings_only_what_is_new(tmp_path: Path) -> None:
    box = Box(tmp_path)
    posts = [f"09:{n:02}:00\t From  Bo  to  Everyone:\n\tplank {n} is {n * 7} cm long\n" for n in range(30)]
    box.write("meeting_saved_chat.txt", "".join(posts[:20]))
    (row,) = box.sync()
    assert (row["chunks"], row["first"], row["last"], row["messages"]) == (1, "09:00:00", "09:19:00", 20)
    box.write("meeting_saved_chat.txt", "".join(posts), at=1_700_900_000)
    assert [r["outcome"] for r in box.sync()] == ["imported"]
    body = raw_notes(box)
    assert [body.count(f"plank {n} is") for n in (0, 19, 29)] == [1, 1, 1]


PIECES = st.sampled_from(
    ["WEBVTT", "NOTE", "STYLE", "\n", "\n\n", "1", "00:00:01.000 --> 00:00:02.000", "00:00:09,000 --> 00:00:01,000",
     "9999:59:59.999 --> 9999:59:59.999", "<v Anna>", "</v>", "<c.x>", "<00:00:01.000>", "Anna: ", "- ", "&amp;",
     "&#0;", "09:01:10 From A to B:", "[A] 23:59:59", "Anna  0:03", "00:00:00", "Meeting ended after 1", "\0", "\ud800"]
)  # fmt: skip


@given(
    st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=40),
    st.sampled_from(["x.vtt", "x.srt", "x.txt", "9999-12-31 23.59.59 x/chat.txt", "GMT99991231-235959.vtt"]),
)
def test_any_text_is_read_or_refused(pieces: list[str], name: str) -> None:
    file = raw("".join(pieces).encode("utf-8", "surrogatepass"), name)
    for reader in (read_transcript, read_zoom_chat, read):
        try:
            found = list(reader(file, Settings(timezone="Pacific/Kiritimati")).items)
        except VaultmemError:
            continue
        assert all(item.message.sent_at for item in found if isinstance(item, SourceMessage))


@pytest.mark.parametrize(
    "text",
    [
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<" * 200_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v " * 100_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v a>" * 40_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "x" * 400_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "x\n" * 100_000,
        "WEBVTT\n\n" + "00:01.000 --> 00:02.000\nA: x\n\n" * 20_000,
        "WEBVTT\n\n" + "1\n" * 100_000,
        "09:01:10 From " + "a to " * 50_000 + ":",
        "a" + " " * 200_000 + "\n" + "a " * 100_000,
        "A: " * 100_000,
    ],
)
def test_time_is_linear(text: str) -> None:
    start = time.process_time()
    is_transcript("x.txt", text)
    is_talk(text)
    is_zoom_chat(text)
    cues_of(text)
    for reader in (read_transcript, read_zoom_chat):
        try:
            list(reader(raw(text), Settings()).items)
        except VaultmemError:
            continue
    assert time.process_time() - start < 6


def test_one_sentence_with_a_colon_makes_no_speaker() -> None:
    lines = ["Welcome to the lecture.", "Today: fermentation.", "It takes a week."]
    text = "".join(f"{n}\n00:00:0{n},000 --> 00:00:0{n},900\n{line}\n\n" for n, line in enumerate(lines, 1))
    raw = RawFile(name="lecture.srt", data=text.encode(), modified_at=datetime(2025, 1, 1, tzinfo=UTC))
    messages = [item for item in read(raw, Settings()).items if isinstance(item, SourceMessage)]
    assert [item.message.author for item in messages] == [""]
    assert messages[0].message.text == "Welcome to the lecture. Today: fermentation. It takes a week."
