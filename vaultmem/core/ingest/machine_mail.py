"""Mail that no person wrote, and mail with nothing in it but its footer."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from vaultmem.core.ingest.headers import parse_parties
from vaultmem.core.ingest.salience import Turn, is_hard, salient_turns
from vaultmem.model import SourceMessage

_DAEMON = re.compile(r"(?:mailer-daemon|postmaster|mail-daemon|maildelivery)$")
_DELIVERY = re.compile(
    r"undeliver|delivery (?:status|has failed|failure|incomplete|delayed)|mail delivery|returned (?:to sender"
    r"|mail)|failure notice"
    r"|unzustellbar|nicht zugestellt|zustellung|non remis|echec de la remise|échec de la remise|non distribu"
    r"|no se puede entregar"
    r"|não entregue|mancata consegna|onbestelbaar|niedostarczon|не доставлен|недоставлен|退信|配信不能|배달 실패"
)
_CALENDAR = re.compile(
    r"(?:accepted|declined|tentative|tentatively accepted|canceled event|zugesagt|abgesagt|angenommen|abgelehnt"
    r"|vorläufig zugesagt"
    r"|mit vorbehalt|accepté|refusé|provisoire|aceptado|aceptada|rechazado|rechazada|provisional|aceito|aceite"
    r"|recusado"
    r"|accettato|rifiutato|provvisorio|geaccepteerd|geweigerd|zaakceptowano|odrzucono|принято|отклонено|kabul edildi"
    r"|reddedildi|accepterat|accepterad|tackat ja|tackat nej|avböjt|preliminärt|accepteret|afvist|foreløbig"
    r"|akseptert|avslått"
    r"|hyväksytty|hylätty|přijato|odmítnuto|předběžně|elfogadva|elutasítva|αποδοχή|прийнято|відхилено|acceptat|refuzat"
    r"|convite aceito|convite recusado|invitación aceptada|invitation acceptée|invitation refusée"
    r"|terminzusage|terminabsage"
    r"|под вопросом|предварительно|wstępnie|voorlopig|belirsiz|kesin değil|تم القبول|مقبول|مرفوض|تم الرفض|स्वीकृत|अस्वीकृत"
    r"|đã chấp nhận|đã từ chối|diterima|ditolak|已接受|已拒绝|已拒絕"
    r"|暂定|暫定|仮承諾|承諾済み|承諾|辞退|수락됨|거절됨)\s?[::]"
)
_CALENDAR_TEXT = re.compile(
    r"has (?:accepted|declined|tentatively accepted) (?:this|your|the) invitation|hat (?:diese|die|ihre) einladung"
    r"|a (?:accepté|refusé) (?:cette|votre) invitation|ha (?:aceptado|rechazado) (?:esta|tu|la) invitación"
    r"|invitation from google"
    r"|google calendar|join with google meet|microsoft teams meeting"
)
_AUTOMATIC = re.compile(
    r"(?:automatic reply|auto(?:matic)?[- ]?reply|autoreply|out of office|automatische antwort|abwesenheitsnotiz"
    r"|réponse automatique"
    r"|respuesta automática|resposta automática|risposta automatica|automatisch antwoord|automatyczna odpowiedź"
    r"|автоматический ответ|автоответ|otomatik yanıt|自动答复|自动回复|自動回覆|自動応答|자동 회신|자동 응답|부재중"
    r"|autosvar|automatiskt svar|automatisk svar|frånvaro|fravær|ikke til stede|automaattinen vastaus|poissaolo"
    r"|automatická odpověď|automatická odpoveď|automatikus válasz|αυτόματη απάντηση|автоматична відповідь"
    r"|răspuns automat|automatski odgovor|samodejni odgovor|رد تلقائي|הודעה אוטומטית|מענה אוטומטי|स्वचालित उत्तर"
    r"|balasan otomatis|trả lời tự động|ตอบกลับอัตโนมัติ|nieobecność|absence du bureau|absent du bureau"
    r"|fuera de la oficina|fuori sede|fuori ufficio|fora do escritório"
    r"|ausência temporária|afwezig|abwesend|不在)\s?[::]"
)
_REPLIED = re.compile(
    r"^(?:(?:re|aw|fw|fwd|wg|sv|vs|antw|antwort|rv|tr|res|enc|odp|ref|rif|ynt|vb|doorst|pd"
    r"|回复|回覆|答复|答覆|返信|회신|转发|轉寄|転送|전달)\s?(?:\[\d+\])?\s?[::]\s*)+",
    re.IGNORECASE,
)
_DELIMITER = re.compile(r"--|—|–")
_RULE = re.compile(r"[-_=*#~\s]+")
_GOODBYE = re.compile(
    r"(?:(?:best|kind|warm|many|with kind|with best) (?:regards|wishes)|regards|sincerely|yours (?:truly"
    r"|sincerely|faithfully)"
    r"|(?:mit )?(?:freundlichen|besten|lieben|herzlichen) grüßen|(?:viele|beste|liebe|freundliche|schöne) grüße"
    r"|mfg|lg|vg"
    r"|cordialement|bien à vous|saludos(?: cordiales)?|atentamente|cordiali saluti|met vriendelijke groet(?:en)?|mvg"
    r"|pozdrawiam|с уважением|atenciosamente|med vänlig hälsning|よろしくお願いいたします)[,.!。]?",
    re.IGNORECASE,
)
#: Goodbyes of every day. They prove no signature below them: only the line itself says nothing.
_PARTING = re.compile(
    r"best|all the best|(?:best|kind|warm) (?:regards|wishes)|cheers|br|rgds|take care|warmly|talk soon"
    r"|(?:ganz )?(?:viele|beste|liebe|freundliche|schöne|herzliche|sonnige)?n? ?(?:grüße|grüsse|gruß|gruss)"
    r"|hg|bg|bis (?:dann|bald)"
    r"|(?:bien )?(?:cordialement|amicalement)|bien à (?:vous|toi)|cdlt|cdt|bises|à bientôt|bonne journée"
    r"|salutations(?: distinguées)?"
    r"|(?:un |cordiales )?(?:cordial )?(?:saludos?|abrazos?)(?: cordiales)?|besos|atte|atentamente"
    r"|(?:cordiali |distinti |cari )?saluti|un (?:caro )?saluto|cordialmente|a presto|un abbraccio|buona giornata"
    r"|(?:um |grande )?abraços?|abs|cumprimentos|att|beijos|atenciosamente"
    r"|(?:met )?(?:vriendelijke|hartelijke)? ?groet(?:en|jes)?|mvg|gr"
    r"|(?:med )?(?:vänliga?|bästa)? ?hälsning(?:ar)?|mvh|vh|(?:med )?(?:venlig|vennlig|kærlig)? ?hilsen"
    r"|(?:ystävällisin )?terveisin"
    r"|(?:serdecznie )?pozdrawiam(?: serdecznie)?|pozdrowienia|z poważaniem|s pozdravem|zdravím"
    r"|с уважением|с наилучшими пожеланиями|всего доброго|з повагою"
    r"|(?:saygı|sevgi|selam)(?:lar|ler)(?:ımla|ımızla|imle)?|iyi (?:çalışmalar|günler)"
    r"|(?:どうぞ)?(?:よろしく|宜しく)お願い(?:いた|致)?します|以上|敬具|此致|敬礼|敬禮|祝好|顺祝商祺|順頌商祺"
    r"|\S{1,10} ?(?:드림|올림|배상)|(?:مع )?(?:خالص )?(?:ال)?تحيات?(?:ي|ة)?|सादर",
    re.IGNORECASE,
)
_SHORTENED = re.compile(
    r"tel|fax|mob|mobil|dr|prof|mrs?|ms|sr|sra|jr|st|\w*str|inc|co|corp|ltd|llc|ing|dipl|\w*-ing|ph\.d|m\.?a|b\.?a|m\.?sc|no|nr"
    r"|ул|тел|ext|dept|av|avda|mme|mlle|e\.v|s\.a|s\.p\.a|s\.r\.l|b\.v|i\.a|i\.v|i\.d\.r"
)
_MAX_SIGNATURE_LINES = 10
_MAX_SIGNATURE_WIDTH = 80
#: Only what a footer says and a person does not: "is confidential" about a report is a person's word.
_FOOTER = re.compile(
    r"^(?:sent from (?:my|mail for|outlook|yahoo|proton)|sent via |get outlook for|von meinem .{1,20} gesendet"
    r"|gesendet (?:von|mit) "
    r"|envoyé de(?:puis)? |enviado (?:desde|do meu)|inviato da|verzonden vanaf|wysłane z|отправлено с"
    r"|iphoneから送信|发自我的)"
    r"|^(?:click (?:here )?to |to )?unsubscribe\b(?! (?!from|here|send|at|visit|click|link|or|use)\w)"
    r"|unsubscribe (?:here|link|from this)"
    r"|[|·•] ?(?:unsubscribe|abmelden|privacy)|^(?:newsletter )?(?:abmelden|abbestellen)|se désabonner|désinscri"
    r"|darse de baja"
    r"|cancelar (?:la )?suscripción|disiscriver|uitschrijven|отписаться|退订|配信停止|(?:manage"
    r"|update) (?:your )?(?:email )?preferences"
    r"|view (?:this|it) (?:e-?mail )?in (?:your |a )?(?:web )?browser|im browser (?:ansehen|anzeigen|öffnen)"
    r"|you (?:are|'re|’re) receiving this|you received this (?:e-?mail|message)|sie erhalten diese|vous recevez ce"
    r"|^(?:this|the information (?:contained )?in this) (?:e-?mail|message"
    r"|communication)\b.{0,200}\b(?:confidential|privileged|intended)"
    r"|(?:named|intended) (?:recipient|addressee)|if you (?:have received|received|are not) (?:this|the) .{0,60}"
    r"|confidentiality notice"
    r"|notify the sender|diese e-?mail .{0,60}vertraulich|^ce (?:message|courriel).{0,80}confidentiel"
    r"|^este (?:mensaje|correo).{0,80}confidencial|before (?:you print|printing)|consider the environment"
    r"|^(?:©|\(c\) ?\d{4}|copyright\b)|all rights reserved|alle rechte vorbehalten|^(?:privacy policy|impressum"
    r"|terms of (?:service|use))"
    r"|\bmailing list\b.{0,80}$|^to post to this|^list-\w+:|virus[- ]free|scanned for viruses"
    r"|^(?:registered office|handelsregister|amtsgericht|geschäftsführer|ust-?id)",
    re.IGNORECASE,
)
#: A link of Markdown: HTML footers are made of them.
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_BARE_ADDRESS = re.compile(r"(?:https?://\S+|www\.\S+|\S+@\S+|[+\d][\d ()/.\-]{6,})")


def is_auto_notification(messages: Sequence[SourceMessage], cues: Collection[str]) -> bool:
    """True when a machine sent every mail of the chunk: marked so, delivery reports, calendar and absence replies."""
    if not messages:
        return "auto" in cues
    return all("auto" in item.cues or _is_automatic(item) for item in messages)


def is_boilerplate(messages: Sequence[SourceMessage]) -> bool:
    """True when no mail of the chunk has more than a signature or a footer, and no subject of its own to stand in."""
    return bool(messages) and not any(_says_something(item) for item in messages)


def is_courtesy(messages: Sequence[SourceMessage]) -> bool:
    """True when every mail answers one with thanks alone. A yes or no is an answer, a new subject says something."""
    return bool(messages) and all(map(_is_thanks, messages))


def _is_thanks(item: SourceMessage) -> bool:
    # By its subject, not by its headers: a subject of the mail's own stays what it says when it answers another mail.
    if not _REPLIED.match(item.message.subject.strip()) or item.attachments:
        return False
    # The thanks may call and be signed with the names of the mail's people.
    people = " ".join((item.message.author, *(name for name, _, _ in item.parties)))
    turn = Turn(author=people, text=_unsigned(own_text(item.message.text)), reply_to=item.reply_to or "unseen")
    return not any(salient_turns([turn]))


def _unsigned(text: str) -> str:
    """The text above a formal goodbye and what follows it, without the line of any other goodbye."""
    lines = [line.strip() for line in text.split("\n")]
    end = next((at for at in range(len(lines)) if _is_signature(lines[at:])), len(lines))
    return "\n".join(line for line in lines[:end] if not _PARTING.fullmatch(line.rstrip(",.!。！ ")))


def own_text(text: str) -> str:
    """A mail's text without its signature and without the lines of footers and disclaimers."""
    lines = [line.strip() for line in text.replace("\u00a0", " ").split("\n")]
    own: list[str] = []
    footers = 0
    for at, line in enumerate(lines):
        if _DELIMITER.fullmatch(line) or (not own and _is_signature(lines[at:])):
            break
        if _FOOTER.search(_LINK.sub(r"\1", line[:500]).strip("*_ ")):
            footers += 1
        elif line and not _RULE.fullmatch(line):
            own.append(line)
    # A footer's own links and numbers stand on lines of their own; without a footer such a line is what was sent.
    return "" if footers and all(map(_BARE_ADDRESS.fullmatch, own)) else "\n".join(own)


def _is_signature(lines: Sequence[str]) -> bool:
    """True when a formal goodbye opens the rest and only short lines without a sentence follow."""
    rest = [line for line in lines[1:] if line]
    short = len(rest) <= _MAX_SIGNATURE_LINES and all(len(line) <= _MAX_SIGNATURE_WIDTH for line in rest)
    return bool(_GOODBYE.fullmatch(lines[0])) and short and not any(map(_has_sentence, rest))


def _has_sentence(line: str) -> bool:
    """True when a word ends a sentence, wherever it stands in the line; titles and shortened words end none."""
    ends = [word[:-1].casefold().lstrip("(") for word in line.split() if word[-1] in ".!?。！？"]
    return any(len(word) > 1 and not _SHORTENED.fullmatch(word) for word in ends)


def _is_automatic(item: SourceMessage) -> bool:
    subject = item.message.subject.casefold().strip()
    senders = [party.address.casefold() for party in parse_parties(item.message.author)]
    if any(_DAEMON.match(address.partition("@")[0]) for address in senders):
        return True
    if _AUTOMATIC.match(subject):
        return True
    if _DELIVERY.search(subject) and "auto" in item.cues:
        return True
    return _CALENDAR.match(subject) is not None and _only_invitation(item.message.text)


def _only_invitation(text: str) -> bool:
    """A calendar reply without a word of its own: empty, or the calendar's template. A comment makes it a message."""
    return not own_text(text) or _CALENDAR_TEXT.search(text.casefold()) is not None


def _says_something(item: SourceMessage) -> bool:
    """A mail speaks by its text, its attachments, or a new subject: by any when there is no text at all."""
    if own_text(item.message.text) or item.attachments:
        return True
    subject = item.message.subject.strip()
    if not subject or _REPLIED.match(subject):
        return False
    return not item.message.text.strip() or is_hard(subject)
