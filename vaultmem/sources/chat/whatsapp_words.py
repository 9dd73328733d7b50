"""What WhatsApp's exports say in the languages of their phones. Data only; the grammar is in whatsapp.py.

Each table is a list of alternatives of a regular expression, broken into lines for reading.
"""

from __future__ import annotations

import re


def _any(table: str) -> str:
    """The alternatives of a table as one group."""
    return f"(?:{'|'.join(table.strip().splitlines())})"


def _words(text: str) -> list[str]:
    return text.split()


_LR = "[\u200e\u200f\u202a-\u202c\u2068\u2069]*"

#: Day halves as they stand before or after the clock time; dots and blanks are removed, lower case.
AM_WORDS = frozenset(
    _words("""
am ay öö óó de ص صباحا صبح قظ غم पूर्वाह्न सुबह मपू सकाळी 오전 새벽 아침 上午 凌晨 早上 早晨 清晨 午前 πμ sa pg පෙව ඒඅ pd dop
fm jo eparadites epd முற்பகல் காலை পূর্বাহ্ণ পূর্বাহ্ন সকাল ভোর ಪೂರ್ವಾಹ್ನ ఉదయం ਪੂਦੁ સવારે ก่อนเที่ยง ກ່ອນທ່ຽງ ព្រឹក နံနက် үө to gh
ጥዋት проб дп rano
""")
)
PM_WORDS = frozenset(
    _words("""
pm ös du م مساء شام بظ غو अपराह्न शाम दोपहर मउ दुपारी संध्याकाळी 오후 下午 晚上 傍晚 中午 正午 午後 저녁 μμ ch ptg md odp
em ii epasdites emd பிற்பகல் மாலை অপরাহ্ণ অপরাহ্ন দুপুর বিকাল সন্ধ্যা ಅಪರಾಹ್ನ సాయంత్రం ਬਾਦੁ બપોરે સાંજે หลังเที่ยง ຫຼັງທ່ຽງ ល្ងាច ညနေ үх
tk gd ከሰዓት පව слоб пп
""")
)
#: Night lies on both sides of midnight.
NIGHT_WORDS = frozenset(_words("रात रात्री رات রাত இரவு 深夜 半夜"))
#: What some languages write behind a date: which calendar it is of.
ERAS = r"هـ|هجري|ه\.ش\.|م(?=[,،])|AH|AP|BE"

#: Words for the hours around noon: eleven of them is still before it.
NOON_WORDS = frozenset(_words("中午 正午 दोपहर"))

#: What some languages put behind a time.
CLOCK_WORDS = r"(?:uhr|Uhr|ч\.|год\.|น\.|óra|uur|h)"

#: Words some languages put between date and time.
BETWEEN = r"(?:г\.|klo|kl\.|plkst\.|at|às|à|um|u|в|kell?o|a\s+las|alle|o)"

#: The notice that opens every chat. Searched only in lines that are no person's words.
ENCRYPTED = re.compile(
    _any(r"""
end-to-end[ -]?(?:encr|versl|krypt|crypt|crit|cifr|ver)
(?:crittograf|szyfrowan|terenkripsi|versleuteld)\w*\W.{0,20}end-to-end|ende-zu-ende|ende-til-ende
de bout en bout|de extremo a extremo|(?:de )?pont[ao][ -]a[ -]pont[ao]|uçtan uca şifre
end-to-end szyfr|pełn\w+ szyfrow|w pełni szyfrow|сквозн\w+ шифр|защищены сквозн|наскрізн\w+ шифр
بين الطرفين|מקצה לקצה|एंड-टू-एंड|एन्क्रिप्ट|एन्क्रिप्श|エンドツーエンド|端到端|端對端|端对端|종단\s?간 암호|totalsträcks
täysin sala|päästä päähän|koncov\w+ šifr|criptat\w* integral|végpontok közötti|διατερματικ
mã hóa đầu cuối|เข้ารหัสจากต้นทาง
"""),
    re.IGNORECASE,
)
#: The same notice under a chat's name as author, where an editor removed its left-to-right mark.
NOTICE_START = re.compile(
    _any(r"""
messages (?:and calls|to this|you send)|nachrichten (?:und anrufe|in diesem|an dies)
les messages (?:et les|envoyés)|los mensajes (?:y las|a este)
as mensagens (?:e |e as|desta|enviadas)|i messaggi e le|(?:de )?berichten (?:en gesprekken|in)
wiadomości i połączenia|mesajlar ve aramalar|сообщения и звонки|الرسائل والمكالمات|ההודעות והשיחות
संदेश|メッセージと通話|消息和通话|訊息和通話|메시지와 통화
"""),
    re.IGNORECASE,
)

#: At the end of a text that its author changed later.
EDITED = re.compile(
    rf"\s*{_LR}<{_LR}"
    + _any(r"""
this message was edited|diese nachricht wurde bearbeitet|ce message a été modifié
se editó este mensaje|este mensaje fue editado|(?:essa |esta )?mensagem (?:foi )?editada|editado
questo messaggio è stato modificato|dit bericht is bewerkt|(?:ta )?wiadomość została (?:z)?edytowana
bu mesaj düzenlendi|(?:это )?сообщение изменено|данное сообщение изменено|تم تعديل هذه الرسالة
הודעה זו נערכה|ההודעה נערכה|इस मैसेज को एडिट किया गया|यह मैसेज एडिट किया गया(?: है)?|このメッセージは編集されました
此消息已编辑|已编辑|此訊息已編輯|已編輯|이 메시지는 수정되었습니다|수정된 메시지입니다
""")
    + rf"[.।。]?{_LR}>{_LR}\s*$",
    re.IGNORECASE,
)

#: `<attached: name>` of iPhones.
ATTACHED_TAG = re.compile(
    rf"{_LR}<{_LR}"
    + _any(r"""
attached|anhang|angehängt|pièce jointe|fichier joint|adjunto|archivo adjunto|anexad[oa]|anexo
allegato|bijgevoegd|bijlage|załącz\w+|ekli|eklendi|ek|прикрепл\w+|вложение|файл|مرفق|المرفق|تم إرفاق
מצורף|צורף|संलग्न|अटैच\w*|添付(?:ファイル)?|附件|已附加|첨부(?: ?파일| ?됨)?|bifogad|vedhæftet|vedlagt|liitetty
terlampir|přiloženo
""")
    + rf"[ \u00a0\u202f]*{_LR}[:：][ \u00a0\u202f]*{_LR}([^<>\n]{{1,255}}?){_LR}>",
    re.IGNORECASE,
)
#: `name (file attached)` of Android, the whole line.
ATTACHED_NOTE = re.compile(
    rf"^{_LR}([^\n]{{1,255}}?\.\w{{1,8}}){_LR} \("
    + _any(r"""
file attached|datei angehängt|fichier joint|archivo adjunto
(?:arquivo|ficheiro) (?:anexado|em anexo)|file allegato|bestand bijgevoegd
plik (?:dołączony|załączony)|załączono plik|dosya (?:ekli|eklendi|ekte)
файл (?:добавлен|прикреплен|прикреплён)|прикрепл[её]нный файл|(?:ال)?ملف (?:ال)?مرفق
ה?קובץ (?:ה)?מצורף|फ.{0,2}इल [^()\n]{1,24}|添付ファイル|ファイル(?:が)?添付(?:されました|済み)?|文件(?:已)?附(?:件|加)
檔案(?:已)?附(?:件|加)|附件|附加文件|파일 ?첨부(?:됨|되었습니다)?|첨부 ?파일|첨부됨
""")
    + rf"\){_LR}$",
    re.IGNORECASE | re.MULTILINE,
)
#: Android's own file names prove an attachment in a language that is not listed.
ATTACHED_NAME = re.compile(
    rf"^{_LR}((?:IMG|VID|AUD|PTT|STK|DOC)-\d{{8}}-WA\d{{4,}}\.\w{{1,8}}){_LR} \([^()\n]{{2,40}}\){_LR}$",
    re.MULTILINE,
)

_OMITTED = _any(r"""
omitted|weggelassen|ausgeschlossen|omis(?:e|es)?|omitid[oa]s?|ocult[oa]s?|omess[oia]|weggelaten
pominięt\w+|dahil edilmedi|опущен\w*|пропущен\w*|не включен\w*|استبعاد\w*|הושמט\w*|छोड़\w*
शामिल नहीं|省略|已忽略|已略過|略過|忽略|생략\w*|utelämn\w+|udelad\w*|utelatt|poistettu|dihilangkan|vynechán\w*
kihagyva|omis[ăe]?
""")
#: `<Media omitted>`: a reader of Markdown would take it for an HTML tag and show nothing.
OMITTED_TAG = re.compile(rf"^{_LR}<([^<>\n/=]{{0,60}}{_OMITTED}[^<>\n/=]{{0,20}})>{_LR}$", re.IGNORECASE | re.MULTILINE)

_DELETED = _any(r"""
you deleted|this message was|diese nachricht wurde|du hast diese|ce message a été|vous avez supprimé
se eliminó este|eliminaste|(?:essa |esta )?mensagem (?:foi )?apagada|você apagou|apagou esta
questo messaggio è stato|hai eliminato|dit bericht is|je hebt dit|ta wiadomość|usunięto tę|usunąłeś
bu mesaj|вы удалили|(?:данное |это )?сообщение (?:было )?удалено|تم حذف هذه|حذفت|הודעה זו נמחקה
ההודעה נמחקה|מחקת|यह मैसेज|आपने यह
このメッセージは|メッセージを削除|此消息已|此訊息已|你删除了|您已刪除|你已刪除|이 메시지|삭제된 메시지
waiting for this message
""")
#: What stands in the place of a post: media left out, deleted posts, polls, places, contacts. They stay messages.
POSTED = re.compile(
    rf"^(?:[^\n]{{0,60}}{_OMITTED}[^\n]{{0,20}}$|{_DELETED}|\w{{3,12}}: ?(?:$|\n|https?:)|view once|null$)",
    re.IGNORECASE | re.MULTILINE,
)

#: What the platform says in a person's or a group's name. Searched in lines with a left-to-right mark, and in what
#: stands before a colon (`Ann changed the subject from "A: B"`).
SYSTEM = re.compile(
    _any(r"""
\bcreated (?:this |the )?(?:group|community|channel)|\b(?:you|was|were) added\b
\badded (?:you|\+?\w)|\bremoved\b|\bleft$|\bjoined (?:using|from|the group|via)
\bchanged (?:the|this|their|to|your|group)|\bsecurity code|\bpinned a|\bdisappearing messages
\bmissed (?:voice|video|group|call)|^(?:voice|video|group) call\b|\bis a contact\b|\bblocked this
\bnow an admin|\bdeleted this group
hat (?:die gruppe|den gruppen|das gruppen|die gruppen|den betreff|dich|diese|die nachricht)
\bhinzugefügt\b|\bentfernt\b|hat die gruppe verlassen|\bwurde(?:st)? (?:hinzugefügt|entfernt)
sicherheitsnummer|verpasster (?:sprach|video|gruppen)|angeheftet
a (?:créé|ajouté|supprimé|retiré|changé|modifié|quitté|rejoint|épinglé)\b
avez (?:été ajouté|créé|ajouté|changé)|appel (?:vocal|vidéo)
\b(?:creó|añadió|agregó|eliminó|cambió|salió|se unió|fijó)\b|\b(?:creaste|añadiste|cambiaste)\b
llamada perdida|videollamada|\b(?:criou|adicionou|removeu|mudou|alterou|saiu|entrou|fixou)\b
chamada (?:de voz|de vídeo|perdida)|ligação (?:de voz|perdida)
ha (?:creato|aggiunto|rimosso|cambiato|modificato|abbandonato|fissato)|è (?:uscit|entrat)[oa]
chiamata (?:persa|vocale|video)|heeft (?:de|deze|het|je|jou|u|\S+ (?:toegevoegd|verwijderd))
heeft .{1,60} (?:toegevoegd|verwijderd|gewijzigd|verlaten|gemaakt)|gemiste (?:spraak|video|groeps)
\b(?:utworzył|dodał|usunął|zmienił|opuścił|dołączył|przypiął)[ao]?\b|nieodebrane
\b(?:oluşturdu|ekledi|çıkardı|değiştirdi|ayrıldı|katıldı|sabitledi)\b|cevapsız
\b(?:создал|добавил|удалил|изменил|покинул|вышел|вышла|присоединил|закрепил)(?:а|и|ся|ась)?\b
пропущенный|(?:أنشأ|أضاف|أزال|غيّر|غير|غادر|انضم|ثبّت)(?:ت)?\s|مكالمة
(?:יצר|הוסיף|הסיר|שינה|עזב|הצטרף|הצמיד)(?:ה)?\b|(?:יצרה|הוסיפה|הסירה|שינתה|עזבה)|שיחה (?:קולית|שלא)
ने (?:ग्रुप|समूह|.{1,40} (?:जोड़ा|हटाया|बदल|छोड़))|मिस्ड
(?:作成しました|追加しました|削除しました|変更しました|退出しました|参加しました|不在着信)
(?:创建了|添加了|移除了|更改了|修改了|退出了|离开了|加入了|置顶了|未接|建立了|新增了|已移除|已加入|已離開|變更了|更改|已新增)
님이 .{0,60}(?:만들었|추가했|내보냈|변경했|나갔|참여했|삭제했)|부재중
"""),
    re.IGNORECASE,
)

#: File and folder names of exports; `name` is the chat.
CHAT_NAMES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^whats\s?app[\s-]?chat(?:\s+(?:with|mit|met|med|con|dengan|cu|z|s))\s+(?P<name>.+)$",
        r"^whats\s?app\W*(?:chat|聊天|对话|對話|チャット|トーク|대화|채팅|चैट|sohbeti?)\W*[-–—_ ]\s*(?P<name>.+)$",
        (
            r"^(?:chat|conversa(?:ción|zione)?|discussions?|czat|rozmowa|чат|переписка|беседа|gespräch|chatt)"
            r"\W+(?:(?:de|do|no|di|sur|na|в|w|en)\s+)?whats\s?app\w*(?:\s+(?:con|com|avec|z|с|со|mit|with|en))?"
            r"\s+(?P<name>.+)$"
        ),
        r"^(?:محادثة|دردشة|الدردشة)\s+(?:واتساب|whatsapp)\s+مع\s+(?P<name>.+)$",
        r"^(?:צ['׳]?אט|צ׳אט|שיחת|שיחה ב)\W*(?:whatsapp|וואטסאפ)\s+עם\s+(?P<name>.+)$",
        r"^(?P<name>.+?)\s+(?:ile|ile olan)\s+whatsapp\s+(?:sohbeti|görüşmesi)$",
        r"^(?P<name>.+?)\s+के साथ\s+whatsapp\s+चैट$",
        r"^[与與和跟](?P<name>.+?)的\s*whatsapp\s*(?:聊天|对话|對話).*$",
        r"^(?P<name>.+?)\s*とのwhatsapp(?:チャット|トーク)$",
        r"^(?P<name>.+?)\s*님과의\s*whatsapp\s*(?:대화|채팅)$",
    )
)
