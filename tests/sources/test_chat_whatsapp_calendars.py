"""Dates as phones of other calendars, figures and day halves write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from vaultmem.config import Settings
from vaultmem.model import RawFile, SourceMessage
from vaultmem.sources import read
from vaultmem.sources.identify import identify


def taken(text: str) -> list[SourceMessage]:
    raw = RawFile(name="chat", data=text.encode(), modified_at=datetime(2025, 1, 1, tzinfo=UTC))
    assert identify(raw) == "whatsapp"
    return [item for item in read(raw, Settings()).items if isinstance(item, SourceMessage)]


@pytest.mark.parametrize(
    ("header", "at"),
    [
        ("[۱۴۰۲/۱۲/۱۵،\u200f ۱۰:۱۲:۳۳] ", "2024-03-05T10:12:33"),
        ("۱۴۰۲/۱۲/۱۵, ۹:۰۲ ب.ظ. - ", "2024-03-05T21:02:00"),
        ("[1402/12/15, 9:02:00 ق.ظ.] ", "2024-03-05T09:02:00"),
        ("[٢٤/٨/١٤٤٥ هـ، ٩:٠٢:٠٠ م] ", "2024-03-05T21:02:00"),
        ("[24/8/1445, 9:02:00 AM] ", "2024-03-05T09:02:00"),
        ("٥/٣/٢٠٢٤، ٩:٠٢ م - ", "2024-03-05T21:02:00"),
        ("5/3/2567 21:02 - ", "2024-03-05T21:02:00"),
        ("15/3/67 21:02 - ", "2024-03-15T21:02:00"),
        ("113/3/15 下午9:02 - ", "2024-03-15T21:02:00"),
        ("R6/03/05 21:02 - ", "2024-03-05T21:02:00"),
        ("令和6年3月5日 21:02 - ", "2024-03-05T21:02:00"),
        ("5/3/24, रात 9:02 - ", "2024-03-05T21:02:00"),
        ("5/3/24, रात 1:02 - ", "2024-03-05T01:02:00"),
        ("५/३/२४, ९:०२ म.उ. - ", "2024-03-05T21:02:00"),
        ("5/3/24, பிற்பகல் 9:02 - ", "2024-03-05T21:02:00"),
        ("৫/৩/২৪, ৯:০২ অপরাহ্ণ - ", "2024-03-05T21:02:00"),
        ("5.3.24, 9:02 e pasdites - ", "2024-03-05T21:02:00"),
        ("5/3/24, 9:02 شام - ", "2024-03-05T21:02:00"),
        ("[5/3/24, 9:02:10 a.\u00a0m.] ", "2024-03-05T09:02:10"),
        ("[2024. 3. 5. 오후 9:02:11] ", "2024-03-05T21:02:11"),
    ],
)
def test_a_date_of_any_calendar(header: str, at: str) -> None:
    (found,) = taken(f"{header}علی: سلام\nدوم\n")
    assert found.message.sent_at == datetime.fromisoformat(f"{at}+00:00")
    assert (found.message.author, found.message.text) == ("علی", "سلام\nدوم")


def test_a_chat_over_new_year_in_iran_runs_forward() -> None:
    found = taken("۱۴۰۳/۱۲/۳۰, ۲۳:۵۹ - Ali: salam\n۱۴۰۴/۱/۱, ۰:۰۱ - Ali: eyd mobarak\n")
    assert [item.message.sent_at for item in found] == [
        datetime(2025, 3, 20, 23, 59, tzinfo=UTC),
        datetime(2025, 3, 21, 0, 1, tzinfo=UTC),
    ]


def test_american_phones_still_put_the_month_first() -> None:
    (found,) = taken("3/5/24, 9:02\u202fPM - Ann: hi\n")
    assert found.message.sent_at == datetime(2024, 3, 5, 21, 2, tzinfo=UTC)


def test_a_chat_without_a_name_is_the_same_whoever_speaks_first() -> None:
    lines = ["[05.03.24, 09:02:10] Bo: is the boat free?\n", "[05.03.24, 09:03:10] Ann: yes, until six\n"]
    names = set()
    for text in (lines[0] + lines[1], lines[1] + lines[0].replace("09:02", "09:04")):
        raw = RawFile(name="_chat.txt", data=text.encode(), modified_at=datetime(2025, 1, 1, tzinfo=UTC))
        found = [item for item in read(raw, Settings()).items if isinstance(item, SourceMessage)]
        names |= {item.source_id for item in found}
        assert all("dm" in item.cues for item in found)
    assert names == {"whatsapp:Ann, Bo"}
