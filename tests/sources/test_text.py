"""Bytes -> text: marks, labels that lie, charsets of many languages, and what is no text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.errors import UnreadableSource
from vaultmem.sources.text import decode, looks_binary

SENTENCES = [
    ("cp1252", "Résumé – „zitat“\n"),
    ("cp1252", "Präsentation: 5 €, “ok”"),
    ("cp1252", "naïve café"),
    ("cp1252", "Größe: 5 m²"),
    ("cp1252", "Die Besprechung über das Straßenfest ist am Donnerstag um 18 Uhr im Café Müller."),
    ("cp1252", "El niño comió piñas en el jardín. ¿Qué pasó? ¡Nada!"),
    ("cp1252", "À bientôt, l’été sera très chaud — n’oublie pas d’apporter l’œuvre."),
    ("cp1252", "Pris: 5 € – 10 €; København, Malmö, Ærø"),
    ("cp1252", "O João não está à mesa; coração, ações."),
    ("cp1250", "Zażółć gęślą jaźń. Wczoraj byłem w sklepie."),
    ("cp1250", "Tłumaczenie książki jest już gotowe."),
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy."),
    ("cp1251", "Привет, как дела?"),
    ("cp1251", "Встреча"),
    ("koi8-r", "Привет, как дела? Завтра встречаемся в офисе."),
    ("cp1253", "Καλημέρα, τι κάνεις; Αύριο θα συναντηθούμε στο γραφείο."),
    ("cp1254", "Bugün hava çok güzel, dışarı çıkıp yürüyüş yapmak istiyorum."),
    ("cp1255", "שלום, מה שלומך? מחר ניפגש במשרד בשעה עשר בבוקר."),
    ("cp1256", "مرحبا، كيف حالك؟ غدا سنلتقي في المكتب."),
    ("shift_jis", "了解しました"),
    ("euc_jp", "会議は明日の午後三時からです。"),
    ("iso2022_jp", "会議は明日の午後三時からです。"),
    ("gb2312", "明天下午三点开会，请准时参加。谢谢大家的配合。"),
    ("big5", "明天下午三點開會，請準時參加。謝謝大家的配合。"),
    ("euc_kr", "내일 오후 세 시에 회의가 있습니다. 늦지 마세요. 감사합니다."),
    ("utf-16-le", "Hello wörld\n"),
    ("utf-16-be", "Hello wörld\n"),
    ("utf-16-le", "会議は\n明日の午後 三時からです。"),
    ("utf-16", "mark"),
    ("utf-8-sig", "mark é"),
    ("utf-32", "mark é"),
]


@pytest.mark.parametrize(("charset", "text"), SENTENCES)
def test_charsets_without_a_label(charset: str, text: str) -> None:
    assert decode(text.encode(charset)) == text


@pytest.mark.parametrize(("charset", "text"), SENTENCES)
def test_charsets_with_their_label(charset: str, text: str) -> None:
    assert decode(text.encode(charset), label=charset) == text


def test_labels() -> None:
    assert decode("é".encode(), label="iso-8859-1") == "é", "valid UTF-8 is believed before the label"
    assert decode("„€“".encode("cp1252"), label="ISO-8859-1") == "„€“"
    assert decode("會".encode("gb18030"), label="gb2312") == "會"
    assert decode(b"a~{<:Ky2;~}", label="hz-gb-2312") == "a己所不"
    assert decode(b"caf\xe9", label="no-such-charset") == "café"
    assert decode(b"caf\xe9", label="utf-8") == "café"
    for label in ("base64", "zlib", "rot13", "unicode_escape", "idna", "undefined", "\0", "x" * 500):
        assert decode(b"a\\u0041", label=label) == "a\\u0041"


def test_line_ends_become_one() -> None:
    assert decode(b"a\r\nb\rc\n\n") == "a\nb\nc\n\n"
    assert decode("a\r\nb".encode("utf-16")) == "a\nb"
    assert decode(b"") == ""


def test_one_bad_byte_does_not_spoil_a_file() -> None:
    good = "schöne Grüße 会議 " * 20
    assert decode(good.encode() + b"\xff\xe9") == good + "ÿé"


def test_what_is_no_text() -> None:
    for data in (
        b"\x89PNG\r\n\x1a\n\0\0",
        b"a\0b\0\0\0c",
        bytes(range(32)) * 50,
        b"text" * 300 + b"\0" * 5 + b"text" * 300,
        b"text" * 300 + b"\0\1" + b"text" * 300,
    ):
        assert looks_binary(data)
        with pytest.raises(UnreadableSource, match="not text"):
            decode(data)
    assert not looks_binary(b"tab\there\r\n\x1b[0m")


def test_a_stray_nul_is_dropped() -> None:
    for text in ("text " * 300, "текст и ещё текст, " * 40, "会議は十時から。" * 40):
        for at in (0, 40, len(text)):
            data = text[:at].encode() + b"\0" + text[at:].encode()
            assert not looks_binary(data)
            assert decode(data) == text
    assert decode("会議は十時 から。\n".encode("utf-16-le") * 40) == "会議は十時 から。\n" * 40


@given(st.binary(), st.sampled_from(["", "utf-8", "utf-7", "utf-16", "shift_jis", "iso-2022-jp", "big5", "hz", "x"]))
def test_any_bytes_are_text_or_refused(data: bytes, label: str) -> None:
    try:
        text = decode(data, label=label)
    except UnreadableSource:
        return
    assert "\r" not in text
    text.encode()


@given(st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"])))
def test_utf8_is_read_back(text: str) -> None:
    data = text.encode()
    if not looks_binary(data) and not text.startswith("\ufeff") and "\x1b" not in text:
        assert decode(data) == text
