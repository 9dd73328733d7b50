"""WhatsApp exports: the samples, readable cases, odd headers, and nothing lost."""

from __future__ import annotations

import io
import re
import time
import zipfile
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources import expected
from vaultmem.config import Settings
from vaultmem.errors import VaultmemError
from vaultmem.model import Message, RawFile, SourceMessage, Warn
from vaultmem.sources.chat.whatsapp import is_chat, read_whatsapp


def raw(data: bytes | str, name: str = "WhatsApp Chat with X.txt") -> RawFile:
    content = data.encode() if isinstance(data, str) else data
    return RawFile(name=name, data=content, modified_at=datetime(2025, 1, 1, tzinfo=UTC))


SAMPLES = ["chat/whatsapp", "bugs/13-dmy-after-new-year"]


@pytest.mark.parametrize("folder", SAMPLES)
def test_samples(folder: str) -> None:
    for entry in expected.entries(folder):
        name = entry.get("file", "chat.txt")
        path = expected.SAMPLES / folder / name
        reading = read_whatsapp(raw(path.read_bytes(), name), Settings())
        assert expected.problems(list(reading.items), entry) == [], name


def messages(
    text: str, name: str = "WhatsApp Chat with X.txt", settings: Settings | None = None
) -> list[SourceMessage]:
    items = read_whatsapp(raw(text, name), settings or Settings()).items
    return [item for item in items if isinstance(item, SourceMessage)]


def warnings(text: str) -> list[str]:
    return [item.text for item in read_whatsapp(raw(text), Settings()).items if isinstance(item, Warn)]


#: One message of 13 March 2024, 21:02 as phones of many places write it.
HEADERS = [
    "[13/03/2024, 21:02:00] Ann: hi",
    "[13.03.24, 21:02:00] Ann: hi",
    "[13.03.2024, 21:02:00] Ann: hi",
    "[3/13/24, 9:02:00 PM] Ann: hi",
    "[3/13/24, 9:02:00\u202fPM] ~\u202fAnn: hi",
    "\u200e[13/03/2024, 9:02:00 p. m.] \u202aAnn\u202c: hi",
    "[13/3/24, 9:02:00 p.\u00a0m.] Ann: hi",
    "[2024-03-13, 21:02:00] Ann: hi",
    "[2024/03/13 21:02:00] Ann: hi",
    "[2024. 3. 13. 오후 9:02:00] Ann: hi",
    "[2024/3/13 下午9:02:00] Ann: hi",
    "[2024/3/13 下午 9:02:00] Ann: hi",
    "[13.3.2024 klo 21.02.00] Ann: hi",
    "[13.03.2024 21:02:00] Ann: hi",
    "[13-03-2024 21:02:00] Ann: hi",
    "3/13/24, 9:02 PM - Ann: hi",
    "3/13/24, 9:02\u202fPM - Ann: hi",
    "13/03/2024, 9:02 pm - Ann: hi",
    "13/03/2024, 21:02 - Ann: hi",
    "13/03/2024 21:02 - Ann: hi",
    "13/03/2024 à 21:02 - Ann: hi",
    "13/03/2024 às 21:02 - Ann: hi",
    "13/3/24 21:02 - Ann: hi",
    "13/3/2024, 9:02 p. m. - Ann: hi",
    "13/3/2024, 9:02 p.m. - Ann: hi",
    "13-03-2024 21:02 - Ann: hi",
    "13.3.2024 klo 21.02 - Ann: hi",
    "13.03.2024, 21:02 - Ann: hi",
    "13.03.24, 21:02 – Ann: hi",
    "13.03.2024 21:02 - Ann: hi",
    "2024-03-13 21:02 - Ann: hi",
    "2024/03/13 21:02 - Ann: hi",
    "2024/03/13, 21:02 - Ann: hi",
    "24. 3. 13. 오후 9:02 - Ann: hi",
    "2024. 3. 13. 오후 9:02 - Ann: hi",
    "2024. 03. 13. 21:02 - Ann: hi",
    "2024/3/13 下午9:02 - Ann: hi",
    "2024/3/13, 下午9:02 - Ann: hi",
    "2024/3/13 晚上9:02 - Ann: hi",
    "13.03.2024 ÖS 9:02 - Ann: hi",
    "13\u200f/3\u200f/2024، 9:02 م - Ann: hi",
    "١٣\u200f/٣\u200f/٢٠٢٤، ٩:٠٢ م - Ann: hi",
    "13/3/2567 21:02 - Ann: hi",
    "13/03/2024, 9:02 अपराह्न - Ann: hi",
    "13.03.24 г., 21:02 - Ann: hi",
    "13/3/2024 9:02 μ.μ. - Ann: hi",
    "13/03/2024, 21.02 - Ann: hi",
    "13/03/2024, 09:02:00 PM: Ann: hi",
    "13/03/2024 21:02:00: Ann: hi",
    "2024年3月13日 下午9:02 - Ann: hi",
    "[2024年3月13日 下午 9:02:00] Ann: hi",
    "2024년 3월 13일 오후 9:02, Ann : hi",
    "2024년 3월 13일 오후 9:02 - Ann: hi",
    "2024/3/13 午後9:02 - Ann: hi",
    "2024/3/13 9:02 下午 - Ann: hi",
    "13.03.24 г., 21:02 ч. - Ann: hi",
    "21:02, 13/03/2024 - Ann: hi",
    "[21:02:00, 13/03/2024] Ann: hi",
    "9:02 CH, 13/03/2024 - Ann: hi",
    "13.03.24 um 21:02 Uhr - Ann: hi",
    "13.03.24, 21:02 Uhr - Ann: hi",
    "[13.03.24, 21:02:00 Uhr] Ann: hi",
    "Mar 13, 2024, 9:02 PM - Ann: hi",
    "[Mar 13, 2024 at 9:02:00\u202fPM] Ann: hi",
    "13 Mar 2024, 21:02 - Ann: hi",
    "13. März 2024, 21:02 - Ann: hi",
    "13 de marzo de 2024, 21:02 - Ann: hi",
    "๑๓/๓/๒๕๖๗ ๒๑:๐๒ - Ann: hi",
    "१३/०३/२०२४, ९:०२ अपराह्न - Ann: hi",
    "13/03/2024, अपराह्न९:०२ - Ann: hi",
]


@pytest.mark.parametrize("line", HEADERS)
def test_headers_of_many_phones(line: str) -> None:
    for end in ("\n", "\r\n"):
        [found] = messages(line + end)
        assert found.message == Message(sent_at=datetime(2024, 3, 13, 21, 2, tzinfo=UTC), author="Ann", text="hi")
        assert is_chat(line + end)


@pytest.mark.parametrize(
    ("clock", "hour"),
    [("12:30 AM", 0), ("12:30 PM", 12), ("1:30 AM", 1), ("11:30 PM", 23), ("00:30 AM", 0), ("13:30 PM", 13)],
)
def test_noon_and_midnight(clock: str, hour: int) -> None:
    [found] = messages(f"13/03/2024, {clock} - Ann: hi")
    assert found.message.sent_at == datetime(2024, 3, 13, hour, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("clock", "hour"),
    [
        *(("上午10:05", 10), ("下午10:05", 22), ("晚上11:05", 23), ("中午12:05", 12), ("中午11:05", 11)),
        *(("早上 7:05", 7), ("午前10:05", 10), ("午後12:05", 12), ("오전10:05", 10), ("오후 12:05", 12)),
        *(("凌晨12:05", 0), ("10:05 下午", 22), ("11:05下午", 23), ("오전 12:05", 0), ("清晨05:05", 5)),
    ],
)  # fmt: skip
def test_words_for_the_part_of_the_day_stand_close_to_the_hour(clock: str, hour: int) -> None:
    for line in (f"2024/3/25 {clock} - 小红: c", f"2024/3/25, {clock} - 小红: c", f"[2024/3/25 {clock}] 小红: c"):
        [first, found] = messages(f"2024/3/24 上午9:05 - 小明: b\n{line}\n")
        assert first.message.text == "b"
        assert found.message == Message(sent_at=datetime(2024, 3, 25, hour, 5, tzinfo=UTC), author="小红", text="c")


def test_one_order_for_the_file_and_never_a_mix() -> None:
    text = "1/2/2024, 10:00 - Ann: a\n3/2/2024, 10:00 - Bo: b\n13/2/2024, 10:00 - Ann: c\n1/3/2024, 10:00 - Bo: d\n"
    days = [m.message.sent_at.date().isoformat() for m in messages(text) if m.message.sent_at]
    assert days == ["2024-02-01", "2024-02-03", "2024-02-13", "2024-03-01"]
    assert warnings(text) == []


def test_time_running_forward_decides() -> None:
    text = "1/12/2023, 10:00 - Ann: a\n2/1/2024, 10:00 - Bo: b\n1/2/2024, 10:00 - Bo: c\n"
    assert [m.message.sent_at.month for m in messages(text) if m.message.sent_at] == [12, 1, 2]
    assert warnings(text) == []


def test_undecidable_order_is_said() -> None:
    assert warnings("1/2/2024, 10:00 - Ann: a\n3/4/2024, 10:00 - Bo: b\n") == [
        "date order assumed: day/month/year (every date of the file fits month/day/year too)"
    ]
    assert messages("1/2/24, 9:00 AM - Ann: a")[0].message.sent_at == datetime(2024, 1, 2, 9, tzinfo=UTC)
    assert warnings("5/5/2024, 10:00 - Ann: both orders are one day\n") == []


def test_a_date_that_fits_no_order_continues_the_message() -> None:
    [found] = messages("13/02/2024, 10:00 - Ann: a\n45/45/2024, 10:00 - Bo: b\n02/14/2024, 11:00 - Bo: c")
    assert found.message.text == "a\n45/45/2024, 10:00 - Bo: b\n02/14/2024, 11:00 - Bo: c"


def test_times_are_read_in_the_vaults_zone() -> None:
    berlin = Settings(timezone="Europe/Berlin")
    text = "27/10/2024, 02:30 - Ann: summer\n27/10/2024, 02:10 - Ann: winter\n31/03/2024, 02:30 - Bo: no such hour\n"
    reading = read_whatsapp(raw(text), berlin)
    assert (reading.tz, reading.zone_known) == ("none in file, assumed Europe/Berlin", False)
    times = [item.message.sent_at for item in reading.items if isinstance(item, SourceMessage)]
    assert times == [
        datetime(2024, 10, 27, 0, 30, tzinfo=UTC),
        datetime(2024, 10, 27, 1, 10, tzinfo=UTC),
        datetime(2024, 3, 31, 1, 30, tzinfo=UTC),
    ]


NOTICES = [
    "Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read them.",
    "Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt. Niemand außerhalb dieses Chats kann sie lesen.",
    "Les messages et les appels sont chiffrés de bout en bout. Aucun tiers ne peut les lire.",
    "Los mensajes y las llamadas están cifrados de extremo a extremo.",
    "As mensagens e as chamadas são protegidas com a criptografia de ponta a ponta.",
    "I messaggi e le chiamate sono crittografati end-to-end.",
    "Berichten en gesprekken worden end-to-end versleuteld.",
    "Wiadomości i połączenia są szyfrowane metodą end-to-end.",
    "Mesajlar ve aramalar uçtan uca şifrelidir.",
    "Сообщения и звонки защищены сквозным шифрованием.",
    "الرسائل والمكالمات مشفرة تمامًا بين الطرفين.",
    "ההודעות והשיחות מוצפנות מקצה לקצה.",
    "मैसेज और कॉल एंड-टू-एंड एन्क्रिप्टेड हैं।",
    "メッセージと通話はエンドツーエンドで暗号化されています。",
    "消息和通话都进行端到端加密。",
    "訊息和通話均受端對端加密保護。",
    "메시지와 통화는 종단간 암호화됩니다.",
]


@pytest.mark.parametrize("notice", NOTICES)
def test_encryption_notices_are_counted_and_not_kept(notice: str) -> None:
    for line in (f"13.03.24, 21:02 - {notice}", f"[13.03.24, 21:02:00] Trip: \u200e{notice}"):
        found = messages(f"{line}\n")
        assert [(m.system, m.message.author, m.message.text) for m in found] == [(True, "", "")]
        assert is_chat(line)


def test_talk_about_encryption_is_kept() -> None:
    text = "13.03.24, 21:02 - Ann: Signal is end-to-end encrypted too\n"
    assert messages(text)[0].message.text == "Signal is end-to-end encrypted too"


ATTACHED = [
    "\u200e<attached: a b.pdf>",
    "<Anhang: a b.pdf>",
    "\u200e<pièce jointe\u00a0: a b.pdf>",
    "\u200e<adjunto: a b.pdf>",
    "\u200e<anexado: a b.pdf>",
    "\u200e<allegato: a b.pdf>",
    "\u200e<bijgevoegd: a b.pdf>",
    "\u200e<załączono: a b.pdf>",
    "\u200e<ekli: a b.pdf>",
    "\u200e<прикреплено: a b.pdf>",
    "\u200e<مرفق: a b.pdf>",
    "\u200e<מצורף: a b.pdf>",
    "\u200e<संलग्न: a b.pdf>",
    "\u200e<添付ファイル: a b.pdf>",
    "\u200e<附件：a b.pdf>",
    "\u200e<첨부: a b.pdf>",
    "\u200ea b.pdf (file attached)",
    "a b.pdf (Datei angehängt)",
    "a b.pdf (fichier joint)",
    "a b.pdf (archivo adjunto)",
    "a b.pdf (arquivo anexado)",
    "a b.pdf (ficheiro anexado)",
    "a b.pdf (file allegato)",
    "a b.pdf (bestand bijgevoegd)",
    "a b.pdf (plik dołączony)",
    "a b.pdf (dosya ekli)",
    "a b.pdf (файл добавлен)",
    "a b.pdf (ملف مرفق)",
    "a b.pdf (קובץ מצורף)",
    "a b.pdf (फ़ाइल संलग्न)",
    "a b.pdf (添付ファイル)",
    "a b.pdf (文件附件)",
    "a b.pdf (檔案附件)",
    "a b.pdf (파일 첨부)",
]


@pytest.mark.parametrize("text", ATTACHED)
def test_attachments(text: str) -> None:
    found = messages(f"13.03.24, 21:02 - Ann: {text}\ncaption\n13.03.24, 21:03 - Ann: typed")[0]
    assert (found.attachments, found.message.text) == (("a b.pdf",), "(attached: a b.pdf)\ncaption")
    assert not found.system


def test_attachment_names_of_android_need_no_language() -> None:
    assert messages("13.03.24, 21:02 - Ann: IMG-20240313-WA0001.jpg (skrá fylgir)")[0].attachments == (
        "IMG-20240313-WA0001.jpg",
    )


@pytest.mark.parametrize(
    "mark",
    [
        "<This message was edited>", "<Diese Nachricht wurde bearbeitet.>", "<Ce message a été modifié>",
        "<Se editó este mensaje.>",
        "<Mensagem editada>", "<Questo messaggio è stato modificato>", "<Dit bericht is bewerkt>",
        "<Bu mesaj düzenlendi>",
        "<Сообщение изменено>", "<תم תعديل>",
    ],
)  # fmt: skip
def test_edit_marks(mark: str) -> None:
    found = messages(f"13.03.24, 21:02 - Ann: ok \u200e{mark}\n")[0]
    known = mark != "<תم תعديل>"
    assert (found.message.text == "ok", "edited" in found.cues) == (known, known)


def test_system_lines() -> None:
    text = (
        "[13/03/24, 21:00:00] Trip: \u200eMessages and calls are end-to-end encrypted.\n"
        "[13/03/24, 21:00:01] Trip: \u200eAnn created this group\n"
        "[13/03/24, 21:00:02] Ann: \u200eAnn added Bo\n"
        "[13/03/24, 21:00:03] Ann: hello\n"
        "[13/03/24, 21:00:04] Ann: \u200eMissed voice call\n"
        "[13/03/24, 21:00:05] Bo: \u200eThis message was deleted.\n"
        "[13/03/24, 21:00:06] Bo: \u200eimage omitted\n"
        "[13/03/24, 21:00:07] Bo: \u200ePOLL:\nLunch?\n\u200eOPTION: yes (1 vote)\n"
        "[13/03/24, 21:00:08] Bo: \u200eLocation: https://maps.example.org/?q=1\n"
        "[13/03/24, 21:00:09] Ann: \u200eAnn changed the group name to “Trip: north”\n"
    )
    found = messages(text, "_chat.txt")
    assert [m.system for m in found] == [True, True, True, False, True, False, False, False, False, True]
    assert [m.message.text for m in found if m.system] == [
        "", "Ann created this group", "Ann added Bo", "Ann: Missed voice call",
        "Ann changed the group name to “Trip: north”",
    ]  # fmt: skip
    assert {m.title for m in found} == {"Trip"}


def test_a_colon_in_a_system_line_makes_no_author() -> None:
    found = messages(
        '13/03/24, 21:00 - Ann: hi\n13/03/24, 21:01 - Ann changed the subject from "Trip: old" to "Trip: new"\n'
        "13/03/24, 21:02 - Ann hat den Betreff von „A: b“ zu „C: d“ geändert.\n"
    )
    assert [m.message.author for m in found] == ["Ann", "", ""]


def test_cues() -> None:
    mine = Settings(me=("Ann Lee", "+49 151 000"))
    text = (
        "13.03.24, 21:02 - Ann Lee: x\n13.03.24, 21:03 - Bo: @Ann Lee see\n13.03.24, 21:04 - Bo: @49151000 see\n"
        "13.03.24, 21:05 - Bo: @\u2068Ann Lee\u2069 see\n13.03.24, 21:06 - Bo: @Ann Leeson\n"
    )
    found = messages(text, settings=mine)
    assert [sorted(m.cues) for m in found] == [["sent"], ["mention"], ["mention"], ["mention"], []]
    assert found[3].message.text == "@Ann Lee see"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("WhatsApp Chat with Hütte 2024.txt", "Hütte 2024"),
        ("WhatsApp Chat mit Jana.txt", "Jana"),
        ("WhatsApp Chat mit Jana (2).txt", "Jana"),
        ("WhatsApp Chat - Trip/_chat.txt", "Trip"),
        ("WhatsApp Chat - Trip.zip", "Trip"),
        ("_chat.txt", "Ann"),
        ("_chat (3).txt", "Ann"),
        ("_chat 3.txt", "Ann"),
        ("holiday/_chat.txt", "holiday"),
        ("Chat de WhatsApp con Ana.txt", "Ana"),
        ("Discussion WhatsApp avec Léa.txt", "Léa"),
        ("Conversa do WhatsApp com João.txt", "João"),
        ("Chat WhatsApp con Gino.txt", "Gino"),
        ("WhatsApp-chat met Piet.txt", "Piet"),
        ("Czat WhatsApp z Ola.txt", "Ola"),
        ("Ayşe ile WhatsApp Sohbeti.txt", "Ayşe"),
        ("Чат WhatsApp с Иван.txt", "Иван"),
        ("محادثة واتساب مع سارة.txt", "سارة"),
        ("צ'אט WhatsApp עם דנה.txt", "דנה"),
        ("राम के साथ WhatsApp चैट.txt", "राम"),
        ("与小明的WhatsApp聊天.txt", "小明"),
        ("WhatsApp 대화 - 지민.txt", "지민"),
        ("family.md", "family"),
        ("deep/er/foo.dat", "foo"),
    ],
)
def test_conversation_names(name: str, title: str) -> None:
    found = messages("13.03.24, 21:02 - Ann: hi", name)[0]
    assert (found.title, found.source_id, found.tree_scope) == (title, f"whatsapp:{title}", f"whatsapp:{title}")


def zipped(files: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def test_the_zip_of_an_iphone() -> None:
    data = zipped({"00000001-PHOTO.jpg": "x", "_chat.txt": "[13/03/24, 21:02:00] Ann: hi\r\n"})
    items = list(read_whatsapp(raw(data, "WhatsApp Chat - Trip.zip"), Settings()).items)
    assert [i.message.text for i in items if isinstance(i, SourceMessage)] == ["hi"]
    assert isinstance(items[-1], SourceMessage)
    assert items[-1].source_id == "whatsapp:Trip"


NOT_CHATS = [
    "",
    "Minutes\n\n13.03.24, 21:02 - Ann: quoted line\n\nand more prose\n",
    "# Note\n13.03.24, 21:02 - Ann: hi\n13.03.24, 21:03 - Bo: ho\n",
    "[2024-03-13 21:02:00] local.ERROR: boom\n[2024-03-13 21:02:01] local.INFO: ok\n",
    "2024-03-13 21:02 - woke up\n2024-03-13 22:02 - slept\n",
    "13.03.24 - Ann: no time\n",
    "13.03.24, 21:02 - Ann: one line, then a long text\n" + "prose\n" * 60,
]


@pytest.mark.parametrize("text", NOT_CHATS)
def test_what_is_no_chat(text: str) -> None:
    assert not is_chat(text)


def test_multi_line_messages_keep_every_line() -> None:
    text = "13.03.24, 21:02 - Ann:\n\n  first\n\nsecond\n- 14.03.24, 10:00 - not a header\n\n13.03.24, 21:03 - Bo:."
    found = messages(text + "\n13.03.24, 21:04 - Bo: x")
    assert found[0].message.text == "  first\n\nsecond\n- 14.03.24, 10:00 - not a header"
    assert (found[1].message.author, found[1].message.text) == ("Bo", ".")


WORDS = st.lists(
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zs", "Zl", "Zp"]), min_size=1), max_size=6
)


@given(st.lists(st.tuples(st.sampled_from(["Ann", "+49 151", "Tom 🏔️", "李"]), st.lists(WORDS, max_size=3)), min_size=1))
def test_no_word_is_lost(posts: list[tuple[str, list[list[str]]]]) -> None:
    lines = []
    for minute, (author, paragraphs) in enumerate(posts):
        lines.append(f"13.03.24, 21:{minute % 60:02} - {author}: " + "\n".join(" ".join(p) for p in paragraphs))
    found = messages("\n".join(lines))
    kept = re.sub(r"\s", "", "".join(m.message.text for m in found))
    typed = re.sub(r"\s", "", "".join(w for _, paragraphs in posts for p in paragraphs for w in p))
    assert kept == typed or len(found) != len(posts) or "<" in typed or "(" in typed


@given(st.text(), st.sampled_from(["", "13.03.24, 21:02 - ", "[1/2/24, 9:02:00 PM] A: ", "2024. 3. 1. 오후 9:02 - "]))
def test_any_text_is_read_or_refused_by_name(text: str, head: str) -> None:
    try:
        items = list(read_whatsapp(raw(f"{head}{text}\n{head}{text}"), Settings()).items)
    except VaultmemError:
        return
    assert all(isinstance(item, SourceMessage | Warn) for item in items)


def test_a_long_chat_is_read_in_linear_time() -> None:
    line = "13.03.24, 21:02 - Ann: " + "x" * 50 + "\n"
    huge = line * 5_000 + "13.03.24, 21:03 - Bo: " + "[" * 120_000 + "\n" + "1" * 120_000 + "\n"
    started = time.process_time()
    assert len(messages(huge)) == 5_001
    assert time.process_time() - started < 3
