"""What a question asks for and what a passage tells, by their wording: cues in the languages people write most.

A language that is not listed gets no cue, and so no part of the score.
"""

from __future__ import annotations

import re

from vaultmem.core.recall.words import query_words

#: Words that ask for a time, at the question's beginning (German and Spanish ask with a preposition too).
_WHEN = re.compile(
    r"^\W*(?:(?:since|until|by|from|seit|bis|ab|depuis|desde|até|hasta|da|fino a|с|до|по)\s+)?"
    r"(?:when|how long|how many (?:days|weeks|months|years)|what (?:date|day|month|year|time)|which (?:day|month|year)"
    r"|in (?:what|which) (?:month|year)|wann|wie lange|welche[nrms]? (?:tag|monat|jahr|datum)"
    r"|quand|combien de temps|quel(?:le)? (?:jour|date|mois|année|heure)"
    r"|cu[aá]ndo|cu[aá]nto tiempo|qu[eé] (?:d[ií]a|fecha|mes|año)"
    r"|quando|quanto tempo|que (?:dia|data|mês|ano)|in che (?:giorno|mese|anno)"
    r"|wanneer|hoe ?lang|när|hur länge|hvornår|når|kiedy|kdy|когда|як довго|коли|как долго)\b"
    r"|いつ|何時|何日|何月|何年|什么时候|甚麼時候|何时|哪天|哪年|언제|며칠",
    re.IGNORECASE,
)
#: Words that place something in time. Names of months that are words of their own ("may", "march") are left out.
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|recently|just|week(?:end)?s?|months?|years?|morning"
    r"|afternoon|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|september"
    r"|october|november|december|(?:19|20)\d\d"
    r"|gestern|heute|morgen|letzten?|letztes|nächsten?|nächste[srm]|vor|seit|woche|monat|jahr"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|januar|februar|märz|mai|juni|juli|oktober|dezember"
    r"|hier|aujourd'hui|demain|dernière?|prochaine?|semaine|mois|année|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|ayer|hoy|mañana|semana|mes|año|pasad[oa]|pr[oó]xim[oa]|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|ontem|hoje|amanhã|passad[oa]|ano|ieri|oggi|domani|settimana|mese|anno|scors[oa]|gisteren|vandaag|morgen|jaar|maand"
    r"|вчера|сегодня|завтра|недел\w*|месяц\w*|год\w*|лет|понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау])\b"
    r"|昨日|今日|明日|先週|来週|先月|来月|去年|今年|昨天|今天|明天|上周|下周|上个月|月\d|\d月|어제|오늘|내일|지난|다음",
    re.IGNORECASE,
)
_ASK = re.compile(
    r"\b(?:ask(?:s|ed|ing)?|questions?|wonder(?:s|ed|ing)?|frag\w*|gefragt|demand\w*|question|pregunt\w*|pergunt\w*"
    r"|chied\w*|chiest\w*|vraag\w*|спрос\w*|спраш\w*|вопрос\w*)\b|質問|聞いた|问|問|질문",
    re.IGNORECASE,
)
_ASKING = ("?", "？", "؟")
#: The Greek mark: composed text writes it as a semicolon, which counts behind Greek alone.
_GREEK_MARKS = (";", "\u037e")
#: What may follow the mark of a last sentence: quotes, brackets, emphasis and blanks.
_CLOSING = "\"'”’»)]*_~" + "".join(filter(str.isspace, map(chr, range(0x3001))))


#: Words that frame a question about somebody and say nothing of them, in the languages above.
_FRAME = frozenset(
    query_words(
        "know known remember hear heard learn learned learnt said say says anything something everything information"
        " info news wissen weiß weißt bekannt gesagt sagt sagte saber sabe sabemos sabes dijo dice savons sais sait dit"
        " sappiamo detto sabemos disse знаем известно сказал сказала"
    )
)


_IS_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
#: What frames a question in scripts without blanks: particles, endings, words that ask, "happen", "do", "say".
_DENSE_FRAME = re.compile(
    "出来事|ありました|していた|いました|ました|ましょう|ません|ます|でした|です|だった|あった|ある|する|なに|なん|どんな|どう|どこ|だれ"
    "|こと|から|まで|より|話し|言っ|言い|起き|起こ|[何誰事話言のにはがをでともへやかねよたてっいうりし]"
    "|发生|發生|什么|什麼|甚麼|怎么|怎麼|哪些|哪里|哪裡|事情|我们|我們|你们|你們|他们|他們|[谁做说說聊我你他了过過的吗嗎呢有是在都]"
    "|무엇|무슨|있었|습니까|습니다|나요|[뭐뭘일했어니요까에의은는이가을를다지]"
)
_DENSE_WORD = re.compile("[^\\W\u3040-\u309f]|[\u3041-\u309f]{2}")


def is_frame(rest: str) -> bool | None:
    """Whether what a question says beside its times frames it and nothing else; None where words have blanks between.

    There words can be counted. Here they are pairs of signs, of which those over a border belong to neither side.
    """
    if not _IS_DENSE.search(rest):
        return None
    return _DENSE_WORD.search(_DENSE_FRAME.sub(" ", rest)) is None


def subject_words(question: str) -> tuple[str, ...]:
    """The words to look for without those that only frame a question: what it is about."""
    words = query_words(question)
    return tuple(word for word in words if word not in _FRAME) or words


def asks_when(question: str) -> bool:
    """Whether the question asks for a time."""
    return bool(_WHEN.search(question.strip()))


def asks_back(question: str) -> bool:
    """Whether the question is about what somebody asked: then questions are its answers."""
    return bool(_ASK.search(question))


def is_question(text: str) -> bool:
    """Whether the passage ends in a question."""
    asked = text.rstrip(_CLOSING)
    if not asked.endswith(_GREEK_MARKS):
        return asked.endswith(_ASKING)
    before = asked[:-1].rstrip()
    return bool(before) and "\u0370" <= before[-1] <= "\u03ff"


def tells_when(text: str) -> bool:
    """Whether the passage places something in time."""
    return bool(_TIME.search(text))
