"""The words that mail programs put around a quoted or forwarded mail, in the languages people write.

Tables only: attributions.py says what they mean. Words stand as written, parted by ` | `.
"""

from __future__ import annotations


def _table(text: str) -> tuple[str, ...]:
    """The words of a table, each once."""
    return tuple(dict.fromkeys(" ".join(word.split()) for word in text.split("|")))


#: What follows the sender (or stands before it): "wrote".
VERBS = _table("""
    wrote | writes | schrieb | schreibt | a écrit | a ecrit | écrivait | escribió | escribio | escribía |
    ha scritto | scrisse | schreef | heeft geschreven | het volgende geschreven | escreveu | skrev | skreiv |
    kirjoitti | napsal | napsala | napsal(a) | napísal | napísal(a) | napísala | napisał | napisała | napisał(a) |
    pisze | napisana przez | nadesłał | napisao | napisala | je napisao | je napisao/la | je napisal | je napisal/a |
    написал | написала | написал(а) | пишет | писал | писал(а) | написав | написала(в) | пише | написа | 写道 | 寫道 |
    写入 | 書きました | のメール | 님이 작성 | 님이 작성한 글 | 님이 작성했습니다 | 님이 작성하였습니다 |
    님이 쓴 글 | yazdı | şunu yazdı | şunları yazdı | írta | ezt írta | έγραψε | a scris | rakstīja |
    parašė | rašė | kirjutas | viết | đã viết | menulis | เขียนว่า | เขียน | כתב | כתבה | כתב/ה | كتب | نوشت |
    ने लिखा | va escriure | skrifaði | escribiu | idatzi du
    """)
#: What such a line begins with, where it does not begin with a date: "On".
OPENERS = _table("""
    On | Am | Le | El | Il | Op | Em | No dia | A | Den | Dne | Dňa | Dnia | W dniu | Dana | På | Kl | Il giorno |
    El día | El dia | Στις | На | В | У | Vào | Pada | Ngày | Pe | La | Data | Die | À | ב | בתאריך | في | در |
    เมื่อ | 在 | 於 | 于 | Þann | Dn | Gửi
    """)
#: Between the rules of "-----Original Message-----".
ORIGINAL = _table("""
    original message | original appointment | ursprüngliche nachricht | originalnachricht |
    ursprünglicher termin | message d'origine | message d’origine | message original | message initial |
    mensaje original | messaggio originale | messaggio originario | oorspronkelijk bericht | originele bericht |
    wiadomość oryginalna | oryginalna wiadomość | mensagem original | ursprungligt meddelande |
    originalmeddelande | original meddelelse | oprindelig meddelelse | opprinnelig melding | alkuperäinen viesti |
    původní zpráva | originální zpráva | pôvodná správa | исходное сообщение | оригинальное сообщение |
    пересылаемое сообщение ответ | вихідне повідомлення | 元のメッセージ | オリジナルメッセージ |
    original message 元のメッセージ | 原始邮件 | 原始郵件 | 原邮件 | 원본 메시지 | 원본 메일 | original e-mail |
    original email | özgün ileti | orijinal mesaj | eredeti üzenet | αρχικό μήνυμα | mesaj original |
    izvorna poruka | izvirno sporočilo | reply message | reply separator | הודעה מקורית | الرسالة الأصلية |
    pesan asli | thư gốc | missatge original
    """)
#: Between the rules of "---------- Forwarded message ----------", or before a colon.
FORWARDED = _table("""
    forwarded message | forwarded mail | begin forwarded message | start of forwarded message |
    weitergeleitete nachricht | anfang der weitergeleiteten nachricht | weitergeleitete e-mail |
    message transféré | message transmis | début du message transféré | début du message réexpédié |
    mensaje reenviado | inicio del mensaje reenviado | messaggio inoltrato | inizio messaggio inoltrato |
    doorgestuurd bericht | begin doorgestuurd bericht | wiadomość przekazana | przekazana wiadomość |
    treść przekazanej wiadomości | mensagem encaminhada | mensagem reencaminhada |
    início da mensagem reencaminhada | início da mensagem encaminhada | vidarebefordrat meddelande |
    vidarebefordrat brev | vidarebefordrat mail | videresendt meddelelse | videresendt besked |
    videresendt melding | begynnelse på videresendt melding | start på videresendt besked | välitetty viesti |
    přeposlaná zpráva | přeposlaná zpráva od | preposlaná správa | пересылаемое сообщение |
    пересланное сообщение | начало переадресованного сообщения | переслане повідомлення | 転送メッセージ |
    転送されたメッセージ | 转发的邮件 | 转发邮件 | 轉寄郵件 | 轉寄的郵件 | 已转发邮件 | 전달된 메시지 |
    전달된 메일 | iletilen ileti | yönlendirilmiş ileti | továbbított üzenet | προωθημένο μήνυμα |
    mesaj redirecționat | proslijeđena poruka | posredovano sporočilo | הודעה שהועברה | رسالة معاد توجيهها |
    pesan yang diteruskan | missatge reenviat | thư được chuyển tiếp
    """)
#: Labels of the header lines inside a mail's text, by what they name.
LABELS = {
    "from": _table("""
    From | Von | De | Da | Van | Od | Från | Fra | Lähettäjä | От | Від | 差出人 | 送信者 | 发件人 | 寄件者 |
    寄件人 | 發件人 | 보낸 사람 | 보낸사람 | Gönderen | Kimden | Feladó | Από | De la | Expéditeur | Remitente |
    Mittente | Afzender | Absender | Saatja | No | מאת | من | Dari | Từ | จาก
    """),
    "sent": _table("""
    Sent | Date | Gesendet | Datum | Envoyé | Envoyé le | Enviado | Enviado el | Enviada em | Enviado em |
    Enviada | Fecha | Inviato | Data | Verzonden | Wysłano | Wysłane | Skickat | Sendt | Dato | Lähetetty |
    Päivämäärä | Päiväys | Odesláno | Odoslané | Отправлено | Дата | Надіслано | 送信日時 | 日時 | 日付 |
    发送时间 | 發送時間 | 日期 | 寄件日期 | 傳送時間 | 보낸 날짜 | 날짜 | Gönderildi | Tarih | Elküldve | Dátum |
    Στάλθηκε | Ημερομηνία | Trimis | Poslano | Saadetud | נשלח | תאריך | تاريخ الإرسال | التاريخ | Sendt dato |
    Dikirim | Ngày gửi | วันที่ | 送信 | 时间 | 時間
    """),
    "to": _table("""
    To | An | À | A | Para | Aan | Do | Till | Til | Vastaanottaja | Komu | Кому | 宛先 | 收件人 | 收件者 |
    받는 사람 | 받는사람 | Alıcı | Kime | Címzett | Προς | Către | Destinataire | Prima | Saaja | אל | إلى |
    Kepada | Đến | ถึง
    """),
    "cc": _table("""
    Cc | CC | Kopie | Kopia | Kopi | DW | Kopio | Копия | Копія | 抄送 | 副本 | 참조 | Bilgi | Másolatot kap |
    Κοιν | Copie à | Copia | עותק | نسخة | Cc/Cci | Bcc
    """),
    "subject": _table("""
    Subject | Betreff | Objet | Asunto | Oggetto | Onderwerp | Temat | Assunto | Ämne | Emne | Aihe | Předmět |
    Predmet | Тема | 件名 | 主题 | 主題 | 主旨 | 제목 | Konu | Tárgy | Θέμα | Subiect | Zadeva | Teema | נושא |
    الموضوع | Perihal | Chủ đề | เรื่อง
    """),
    "other": _table("""
    Organization | Organisation | Importance | Wichtigkeit | Priorité | Reply-To | Antwort an | Attachments |
    Anlagen | Pièces jointes | 添付ファイル | 附件 | Sensitivity | Message-ID
    """),
}
