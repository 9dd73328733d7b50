"""Times in questions: a table of phrases and the days they mean on Wednesday 22 April 2026."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from vaultmem.core.recall.rank import read_question
from vaultmem.core.recall.times import recency_asked, time_spans

NOW = datetime(2026, 4, 22, 9, 30, tzinfo=UTC)


def days(text: str, zone: str = "UTC") -> list[str]:
    """The first and last day of the surest spans, as "start..end"."""
    tz = ZoneInfo(zone)
    found = []
    for span in time_spans(text, NOW, tz):
        if span.weight == 1.0:
            start = datetime.fromtimestamp(span.start_ms / 1000, tz).date()
            end = (datetime.fromtimestamp(span.end_ms / 1000, tz) - timedelta(seconds=1)).date()
            found.append(str(start) if start == end else f"{start}..{end}")
    return found


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("what happened on 2025-03-04?", ["2025-03-04"]),
        ("notes of 2025-03", ["2025-03-01..2025-03-31"]),
        ("on 5 May 2023", ["2023-05-05"]),
        ("on May 5th, 2023", ["2023-05-05"]),
        ("the 5th of May", ["2025-05-05"]),
        ("am 5. März 2024", ["2024-03-05"]),
        ("am 05.03.2024", ["2024-03-05"]),
        ("le 14 juillet 2024", ["2024-07-14"]),
        ("el 3 de enero de 2025", ["2025-01-03"]),
        ("2025年3月4日", ["2025-03-04"]),
        ("in May 2023", ["2023-05-01..2023-05-31"]),
        ("What did Ann say in May?", ["2025-05-01..2025-05-31"]),
        ("in march", ["2026-03-01..2026-03-31"]),
        ("since March", ["2026-03-01..2026-04-22"]),
        ("seit Februar", ["2026-02-01..2026-04-22"]),
        ("in 2023", ["2023-01-01..2023-12-31"]),
        ("yesterday", ["2026-04-21"]),
        ("the day before yesterday", ["2026-04-20"]),
        ("heute", ["2026-04-22"]),
        ("last Friday", ["2026-04-17"]),
        ("on Wednesday", ["2026-04-15"]),
        ("next Wednesday", ["2026-04-29"]),
        ("last week", ["2026-04-13..2026-04-19"]),
        ("last month", ["2026-03-01..2026-03-31"]),
        ("last year", ["2025-01-01..2025-12-31"]),
        ("two weeks ago", ["2026-04-05..2026-04-11"]),
        ("3 days ago", ["2026-04-19"]),
        ("a couple of days ago", ["2026-04-20"]),
        ("in the last three days", ["2026-04-19..2026-04-22"]),
        ("between 3 May 2023 and 7 June 2023", ["2023-05-03", "2023-06-07"]),
        ("in Q2", ["2026-04-01..2026-06-30"]),
        ("Q4 2025 and 2024-Q3", ["2024-07-01..2024-09-30", "2025-10-01..2025-12-31"]),
        ("the second quarter of 2025", ["2025-04-01..2025-06-30"]),
        ("im 3. Quartal", ["2025-07-01..2025-09-30"]),
        ("last quarter", ["2026-01-01..2026-03-31"]),
        ("on 25/03/2026", ["2026-03-25"]),
        ("on 5/3/2026", ["2026-03-05", "2026-05-03"]),
        ("5月3日に何を", ["2025-05-03"]),
        ("五月二十三日", ["2025-05-23"]),
        ("２０２６年４月３日", ["2026-04-03"]),
        ("2026年3月", ["2026-03-01..2026-03-31"]),
        ("3月から", ["2026-03-01..2026-04-22"]),
        ("2025年の計画", ["2025-01-01..2025-12-31"]),
        ("3월 5일", ["2026-03-05"]),
        ("14 марта", ["2026-03-14"]),
        ("в марте", ["2026-03-01..2026-03-31"]),
        ("с февраля", ["2026-02-01..2026-04-22"]),
        ("il 3 aprile", ["2026-04-03"]),
        ("letzte Woche", ["2026-04-13..2026-04-19"]),
        ("im vorigen Monat", ["2026-03-01..2026-03-31"]),
        ("la semana pasada", ["2026-04-13..2026-04-19"]),
        ("el mes pasado", ["2026-03-01..2026-03-31"]),
        ("la semaine dernière", ["2026-04-13..2026-04-19"]),
        ("la settimana scorsa", ["2026-04-13..2026-04-19"]),
        ("na semana passada", ["2026-04-13..2026-04-19"]),
        ("afgelopen maand", ["2026-03-01..2026-03-31"]),
        ("на прошлой неделе", ["2026-04-13..2026-04-19"]),
        ("الأسبوع الماضي", ["2026-04-13..2026-04-19"]),
        ("先週の会議", ["2026-04-13..2026-04-19"]),
        ("上个月", ["2026-03-01..2026-03-31"]),
        ("지난주", ["2026-04-13..2026-04-19"]),
        ("去年", ["2025-01-01..2025-12-31"]),
        ("vor zwei Tagen", ["2026-04-20"]),
        ("hace 2 días", ["2026-04-20"]),
        ("il y a trois semaines", ["2026-03-29..2026-04-04"]),
        ("due giorni fa", ["2026-04-20"]),
        ("два дня назад", ["2026-04-20"]),
        ("3日前", ["2026-04-19"]),
        ("两天前", ["2026-04-20"]),
        ("вчера, ieri, ontem, 昨天", ["2026-04-21"] * 4),
        ("el lunes", ["2026-04-20"]),
        ("в пятницу", ["2026-04-17"]),
        ("что за среда, суббота", ["2026-04-15", "2026-04-18"]),
        ("el domingo", ["2026-04-19"]),
        ("na sexta-feira", ["2026-04-17"]),
        ("月曜日に, 星期三", ["2026-04-20", "2026-04-15"]),
        ("before Easter", []),
        ("the question of the best moisture, planning and 12 messages", []),
        ("日本の月と火, 前の人, 5/300", []),
        ("Marta and Mei, sette mesi", []),
        ("十三月四十日, Q5, q2x, 13/13/2026", []),
        ("I may march on", []),
        ("may I ask April about August?", []),
        ("the sun sat on version 1.2.2023.4 of 20235 files", []),
        ("order 2023-99 or 31 February 2024", []),
        ("page-2024 v2024/x", []),
        ("second thoughts, a decent mark", []),
    ],
)
def test_phrases(text: str, meant: list[str]) -> None:
    assert days(text) == meant


def test_a_month_without_a_year_may_be_an_older_one() -> None:
    spans = time_spans("in May", NOW, UTC)
    assert len(spans) == 10
    assert all(s.weight < spans[0].weight for s in spans[1:])


def test_days_are_of_the_zone() -> None:
    span = time_spans("yesterday", datetime(2026, 4, 22, 23, tzinfo=UTC), ZoneInfo("Europe/Berlin"))[0]
    assert datetime.fromtimestamp(span.start_ms / 1000, UTC) == datetime(2026, 4, 21, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "recent"),
    [
        ("the latest plan", True),
        ("do you know it", False),
        ("now", True),
        ("der aktuelle Stand", True),
        ("das Neueste vom Dach", True),
        ("каков последний код", True),
        ("estado actual", True),
        ("最新の営業時間は", True),
        ("the last word on actuality", False),
    ],
)
def test_recency(text: str, recent: bool) -> None:
    assert recency_asked(text) is recent


WORDS = [
    "may",
    "march",
    "5",
    "2023",
    "since",
    "last",
    "week",
    "ago",
    "31",
    "feb",
    "-",
    ".",
    "next",
    "friday",
    "0",
    "三",
    "月",
    "日前",
    "q2",
    "quarter",
    "vor",
    "zwei",
    "tagen",
    "letzte",
    "woche",
    "5/3/2026",
    "назад",
    "дня",
]


@example("since next week")
@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text())
def test_never_fails_and_spans_are_not_empty(text: str) -> None:
    for span in time_spans(text, NOW, UTC):
        assert span.start_ms < span.end_ms
        assert 0 < span.weight <= 1


@pytest.mark.parametrize(
    ("text", "by_time", "looked_for"),
    [
        ("金曜日の会議", False, "会議"),
        ("先週の会議は何を決めた", False, "会議"),
        ("星期五的会议", False, "会议"),
        ("上周在东京的展览", False, "展览"),
        ("금요일 회의", False, "회의"),
        ("2025年の計画", False, "計画"),
        ("昨日のさくら", False, "さく"),
        ("先週の電話", False, "電話"),
        ("金曜日", True, ""),
        ("金曜日は何がありましたか", True, ""),
        ("5月3日に何をしましたか", True, ""),
        ("昨日の出来事", True, ""),
        ("昨天发生了什么", True, ""),
        ("上周我们做了什么？", True, ""),
        ("지난주에 무슨 일이 있었나요", True, ""),
        ("what happened on 14 February", True, ""),
        ("what did Ann say about the roof of the boat house in May", False, "roof"),
    ],
)
def test_a_question_that_is_a_time_and_one_that_holds_a_time(text: str, by_time: bool, looked_for: str) -> None:
    question, words = read_question(text, NOW, UTC)
    assert question.spans
    assert question.by_time is by_time
    assert not looked_for or looked_for in words


def test_a_huge_text_is_no_question() -> None:
    assert time_spans("x" * 100_000 + " yesterday", NOW, UTC) == ()
