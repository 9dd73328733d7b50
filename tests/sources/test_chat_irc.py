"""IRC logs: what is one, whose it is, which day it is; exports that overlap; hostile lines."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, date, datetime
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
from vaultmem.sources.chat.irc import is_irc, read_irc
from vaultmem.sources.chat.irc_lines import read_line, written_date

MODIFIED = datetime(2025, 1, 2, 12, tzinfo=UTC)


def raw(text: str | bytes, name: str = "x.log", modified: datetime = MODIFIED) -> RawFile:
    return RawFile(name=name, data=text.encode() if isinstance(text, str) else text, modified_at=modified)


def messages(text: str, name: str = "x.log", **settings: str | tuple[str, ...]) -> list[SourceMessage]:
    items = read_irc(raw(text, name), Settings(**settings)).items  # type: ignore[arg-type]
    return [item for item in items if isinstance(item, SourceMessage)]


def times(text: str, **settings: str) -> list[str]:
    return [f"{m.message.sent_at:%m-%d %H:%M}" for m in messages(text, **settings)]


def test_samples() -> None:
    for entry in expected.entries("chat/irc"):
        reading = read(raw((expected.SAMPLES / "chat/irc" / entry["file"]).read_bytes(), entry["file"]), Settings())
        assert reading.format == "irc"
        assert expected.problems(reading.items, entry) == [], entry["file"]


@pytest.mark.parametrize(
    ("line", "kind", "nick", "text"),
    [
        ("23:58 <@bishop> e4?", "said", "bishop", "e4?"),
        ("23:58:01 <+rook> <b> x", "said", "rook", "<b> x"),
        ("[23:58] <rook>", "said", "rook", ""),
        ("[11:58 PM] <rook> late", "said", "rook", "late"),
        ("12:34  * rook thinks", "action", "rook", "rook thinks"),
        ("[09:00] Action: rook thinks", "action", "rook", "rook thinks"),
        ("12:34 -!- rook [r@h] has joined #chess", "system", "", "rook [r@h] has joined #chess"),
        ("[12:34] * rook has joined #chess", "system", "", "rook has joined #chess"),
        ("[12:34] * rook leftover", "action", "rook", "rook leftover"),
        ("[12:34] *** Parts: rook (r@h)", "system", "", "Parts: rook (r@h)"),
        ("12:34 -NickServ- identify", "said", "NickServ", "identify"),
        ("2024-03-05 12:34:56\t@rook\thi\tthere", "said", "rook", "hi\tthere"),
        ("2024-03-05 12:34:56\t *\trook thinks", "action", "rook", "rook thinks"),
        ("2024-03-05 12:34:56\t--\tMode #chess", "system", "", "Mode #chess"),
        ("\x0312 not a line", "more", "", " not a line"),
        ("25:00 <rook> no clock", "more", "", "25:00 <rook> no clock"),
        ("[12:34 <rook> unclosed", "more", "", "[12:34 <rook> unclosed"),
        ("12:3 <rook> no", "more", "", "12:3 <rook> no"),
    ],
)
def test_lines(line: str, kind: str, nick: str, text: str) -> None:
    found = read_line(line)
    assert (found.kind, found.nick, found.text) == (kind, nick, text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Sat Mar 30 23:58:00 2024", date(2024, 3, 30)),
        ("Sa 30. Mär 2024", date(2024, 3, 30)),
        ("mar. 5 mars 2024", date(2024, 3, 5)),
        ("mar mar 05 2024", date(2024, 3, 5)),
        ("сб мар 30 2024", date(2024, 3, 30)),
        ("2024-03-30", date(2024, 3, 30)),
        ("Fri Feb 30 2024", None),
        ("soon", None),
    ],
)
def test_days_in_words(text: str, day: date | None) -> None:
    assert written_date(text) == day


def test_the_day_turns_at_midnight_and_not_for_a_clock_put_right() -> None:
    log = "--- Log opened Sat Mar 30 12:00:00 2024\n12:00 <a> x\n11:58 <a> x\n23:59 <a> x\n00:01 <a> x\n"
    assert times(log) == ["03-30 12:00", "03-30 11:58", "03-30 23:59", "03-31 00:01"]
    # A day line without a date one can read: the next day.
    assert times("--- Log opened 2024-03-30\n12:00 <a> x\n--- Day changed ???\n12:00 <a> x\n")[1] == "03-31 12:00"


def test_the_day_before_the_first_that_is_named() -> None:
    log = "[22:00] <a> x\n[23:00] <a> x\n[00:00] --- Tue Mar  5 2024\n[00:01] <a> x\n"
    assert times(log) == ["03-04 22:00", "03-04 23:00", "03-05 00:01"]


def test_a_session_in_which_nothing_is_said() -> None:
    with pytest.raises(SkippedSource):
        read(raw("--- Log opened Tue Mar 05 09:00:00 2024\n"), Settings())


def test_the_hour_that_comes_twice() -> None:
    log = "--- Log opened 2024-10-27\n02:30 <a> x\n02:59 <a> x\n02:10 <a> x\n03:00 <a> x\n"
    assert times(log, timezone="Europe/Berlin") == ["10-27 00:30", "10-27 00:59", "10-27 01:10", "10-27 02:00"]


def test_a_log_without_a_day_ends_on_the_files_own() -> None:
    assert times("[11:00] <a> x\n[08:00] <b> y\n") == ["01-01 11:00", "01-02 08:00"]
    assert times("[11:00] <a> x\n[13:00] <b> y\n") == ["01-01 11:00", "01-01 13:00"]


@pytest.mark.parametrize(
    ("name", "source", "direct"),
    [
        ("irc.libera.#chess.weechatlog", "irc:libera/#chess", False),
        ("irc.libera.rook.weechatlog", "irc:libera/rook", True),
        ("libera/#chess.log", "irc:libera/#chess", False),
        ("libera/#chess/2024-03-05.log", "irc:libera/#chess", False),
        ("libera/rook/2024-03-05.log", "irc:libera/rook", True),
        ("me_libera_#chess_20240305.log", "irc:me_libera/#chess", False),
        ("#node.js (1).log", "irc:#node.js", False),
        ("libera/#chess-2024-03.log", "irc:libera/#chess", False),
        ("irssi.log", "irc:#go", False),
        ("chess.txt", "irc:chess", False),
    ],
)
def test_network_and_channel(name: str, source: str, direct: bool) -> None:
    found = messages("[09:00] <a> hello you\n[09:01] * a has joined #go\n", name)
    assert {m.source_id for m in found} == {source}
    assert ("dm" in found[0].cues) == direct


def test_the_owner() -> None:
    found = messages("[09:00] <mia> hello\n[09:01] <tom> thanks, Mia!\n[09:02] <tom> miami\n", me=("Mia",))
    assert [m.cues for m in found] == [{"sent"}, {"mention"}, frozenset()]


@pytest.mark.parametrize(
    "text",
    [
        "Notes of today\n[09:00] <mia> hello\n[09:01] <tom> hi\n",
        "12:00:01 INFO started\n12:00:02 WARN slow\n",
        "2024-03-05 12:00:01 <main> started\n at Foo.bar\n at Foo.baz\n at Foo.baz\n",
        "2024-03-05 12:34:56\tsensor1\t23.4\n2024-03-05 12:35:56\tsensor1\t23.9\n",
        "2024-03-05 12:34:56\tINFO\tall is well\n2024-03-05 12:35:56\tWARN\tall is not\n",
        "- 09:00 wake up\n- 10:00 work\n",
        "09:00 wake up\n10:00 work\n",
        "[3/5/24, 9:01:10 AM] Mia: hi\n",
        "**** not a log\n",
        "",
    ],
)
def test_what_is_no_log(text: str) -> None:
    assert not is_irc("x.txt", text)


def test_encodings_and_line_ends() -> None:
    text = "--- Log opened Sat Mar 30 23:58:00 2024\r\n23:58 <@jürgen> größer\r\n23:59 <@jürgen> schön\r\n"
    for data in (text.encode("cp1252"), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16")):
        assert detect(raw(data), Settings()) == "irc"
        found = [i for i in read(raw(data), Settings()).items if isinstance(i, SourceMessage)]
        assert [(m.message.author, m.message.text) for m in found] == [("jürgen", "größer"), ("jürgen", "schön")]


def lines(first: int, last: int) -> str:
    return "".join(f"{8 + n // 60:02}:{n % 60:02} <tom> plank {n} is {n * 7} cm long\n" for n in range(first, last))


def test_a_log_that_grows_brings_only_what_is_new(tmp_path: Path) -> None:
    box = Box(tmp_path)
    opened = "--- Log opened Sat Mar 30 08:00:00 2024\n"
    box.write("libera/#wood.log", opened + lines(0, 30))
    assert [r["chunks"] for r in box.sync()] == [1]
    box.write("libera/#wood (1).log", opened + lines(20, 40), at=1_700_009_999)
    (row,) = box.sync()
    assert (row["outcome"], row["messages"], row["source_ids"]) == ("imported", 20, ["irc:libera/#wood"])
    box.write("libera/#wood.log", opened + lines(10, 40))
    assert [r["outcome"] for r in box.sync()] == ["duplicate"]
    body = raw_notes(box)
    assert [body.count(f"plank {n} is") for n in (0, 25, 39)] == [1, 1, 1]
    assert box.digest()


def test_an_undated_log_is_known_again_whatever_the_files_time(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.write("wood.log", lines(0, 30))
    box.sync()
    box.write("wood.log", lines(0, 31), at=1_700_900_000)
    (row,) = box.sync()
    assert row["messages"] == 31
    body = raw_notes(box)
    assert [body.count(f"plank {n} is") for n in (0, 29, 30)] == [1, 1, 1]


PIECES = st.sampled_from(
    ["12:34", "[12:34:56]", "2024-03-05 12:34:56", "Mar 05 12:34:56", "<a>", "<@b>", "*", "-!-", "***", "\t", " ", "\n",
     "--- Log opened ", "--- Day changed ", "Sat Mar 30 2024", "Session Start: ", "has joined #x", "(a@b)", "\x03",
     "\0", "9999-12-31 23:59:59", "0001-01-01 00:00", "+2359", "\ud800", "12:00 <a> x\n", "-a-", "\u200f", "[[", "%%"]
)  # fmt: skip


@given(st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=40), st.sampled_from(["UTC", "Pacific/Kiritimati"]))
def test_any_text_is_read_or_refused(pieces: list[str], zone: str) -> None:
    data = "".join(pieces).encode("utf-8", "surrogatepass")
    try:
        found = list(read_irc(raw(data), Settings(timezone=zone)).items)
    except VaultmemError:
        return
    assert all(item.message.sent_at for item in found if isinstance(item, SourceMessage))


@pytest.mark.parametrize(
    "text",
    [
        "12:00 <a> " + "x" * 400_000,
        "12:00 <" + "<" * 200_000,
        "12:00 " + "-" * 200_000 + "\n12:00 <a> x",
        "12:00 * " + "[" * 200_000,
        "12:00 <a> x\n" + "\n" * 100_000,
        "12:00 <a> x\n" * 10_000,
        "12:00 -!- a (" + "@" * 200_000,
        "x" * 400_000,
    ],
)
def test_time_is_linear(text: str) -> None:
    start = time.process_time()
    is_irc("x.txt", text)
    with suppress(VaultmemError):
        list(read_irc(raw(text), Settings(me=("mia",))).items)
    assert time.process_time() - start < 4
