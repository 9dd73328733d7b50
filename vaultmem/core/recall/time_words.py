"""The words for times in the languages that questions come in: tables alone; `times.py` says what they mean.

Names stand in NFKC and case-folded, as questions are read. Scripts without blanks have tables of their own, for their
words have no borders that could be looked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_MONTHS = """january jan januar jänner janvier enero ene gennaio janeiro januari января январе январь
february feb februar février fevrier febrero febbraio fevereiro februari февраля феврале февраль
march mar märz maerz mars marzo março maart марта марте март|april apr avril abril abr aprile апреля апреле апрель
may mai mayo maggio maio mei мая мае май|june jun juni juin junio giugno junho июня июне июнь
july jul juli juillet julio luglio julho июля июле июль|august aug août aout agosto augustus августа августе август
september sep sept septembre septiembre settembre setembro сентября сентябре сентябрь
october oct oktober okt octobre octubre ottobre outubro октября октябре октябрь
november nov novembre noviembre novembro ноября ноябре ноябрь
december dec dezember dez décembre decembre diciembre dic dicembre dezembro декабря декабре декабрь"""
MONTHS: Mapping[str, int] = {
    name: number for number, names in enumerate(re.split(r"[|\n]", _MONTHS), start=1) for name in names.split()
}
#: Also a verb, a name or a word of another sense: a month only beside a number or after a word of time.
DOUBTFUL_MONTHS = frozenset(
    {"may", "mai", "march", "mar", "mars", "april", "june", "august", "jan", "avril", "dec", "ene", "mei", "марта"}
)
BEFORE_MONTH = (
    r"(?:in|of|since|during|by|until|till|before|after|from|early|mid|late|last|this|im|seit|ab|bis|en|de|depuis|desde"
    r"|em|nel|dal|sinds|в|с|со|до|после)"
)
SINCE = "(?:since|seit|depuis|desde|sinds|dal|со?)"

_DAYS = """monday montag lundi lunes lunedì segunda-feira maandag понедельник
tuesday dienstag mardi martes martedì terça-feira dinsdag вторник
wednesday mittwoch mercredi miércoles mercoledì quarta-feira woensdag среду среда
thursday donnerstag jeudi jueves giovedì quinta-feira donderdag четверг
friday freitag vendredi viernes venerdì sexta-feira vrijdag пятницу пятница
saturday samstag samedi sábado sabato zaterdag субботу суббота
sunday sonntag dimanche domingo domenica zondag воскресенье"""
WEEKDAYS: Mapping[str, int] = {
    name: day for day, names in enumerate(re.split(r"[|\n]", _DAYS)) for name in names.split()
}
#: What may stand before a weekday.
WHICH_DAY = "last|next|this|on|letzten|am|el|le|в|во"
DENSE_WEEKDAY = r"(?:[月火水木金土日]曜日?|(?:星期|周|週)[一二三四五六日天]|[월화수목금토일]요일)"
#: The one sign of it that tells the day.
DENSE_DAYS: Mapping[str, int] = {
    sign: day for signs in ("月火水木金土日", "一二三四五六天", "월화수목금토일") for day, sign in enumerate(signs)
}

NAMED_DAYS: Mapping[str, int] = {
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tomorrow": 1,
    "vorgestern": -2, "gestern": -1, "heute": 0, "morgen": 1, "avant-hier": -2, "hier soir": -1, "aujourd'hui": 0,
    "demain": 1, "anteayer": -2, "ayer": -1, "hoy": 0, "ieri": -1, "oggi": 0, "domani": 1, "ontem": -1, "hoje": 0,
    "eergisteren": -2, "gisteren": -1, "vandaag": 0, "позавчера": -2, "вчера": -1, "сегодня": 0, "завтра": 1,
    "أمس": -1, "اليوم": 0,
}  # fmt: skip
DENSE_NAMED_DAYS: Mapping[str, int] = {
    "一昨日": -2, "おととい": -2, "昨日": -1, "きのう": -1, "今日": 0, "明日": 1, "前天": -2, "昨天": -1, "今天": 0,
    "明天": 1, "그저께": -2, "어제": -1, "오늘": 0, "내일": 1,
}  # fmt: skip

#: (words before or after the noun by step, nouns by unit), a language each.
_PERIODS: tuple[tuple[Mapping[int, str], Mapping[int, str], Mapping[str, str]], ...] = (
    (
        {
            -1: "letzte[nrsm]? vorige[nrsm]? vergangene[nrsm]?",
            0: "diese[nrsm]?",
            1: "nächste[nrsm]? kommende[nrsm]?",
        },
        {},
        {"week": "woche", "month": "monats?", "year": "jahre?s?", "weekend": "wochenende"},
    ),
    (
        {-1: "vorige afgelopen", 0: "deze dit", 1: "volgende"},
        {},
        {"month": "maand", "year": "jaar", "week": "week", "weekend": "weekend"},
    ),
    (
        {0: "est[ea]", -1: "pasad[ao]"},
        {-1: "pasad[ao] passad[ao]", 1: r"que\s+viene próxim[ao] que\s+vem"},
        {"week": "semana", "month": "mes mês", "year": "año ano", "weekend": r"fin\s+de\s+semana fim\s+de\s+semana"},
    ),
    (
        {0: "cette cet ce"},
        {-1: "derni[eè]re? passée?", 1: "prochaine?"},
        {"week": "semaine", "month": "mois", "year": "année an", "weekend": "week-?end"},
    ),
    (
        {-1: "scors[ao] passat[ao]", 0: "quest[ao]", 1: "prossim[ao]"},
        {-1: "scors[ao] passat[ao]", 1: "prossim[ao]"},
        {"week": "settimana", "month": "mese", "year": "anno", "weekend": r"fine\s+settimana"},
    ),
    (
        {-1: "прошл(?:ой|ую|ая|ом|ый|ого|ые|ых)", 0: "эт(?:ой|у|а|ом|от|ого)", 1: "следующ(?:ей|ую|ем|ий|его)"},
        {},
        {"week": "недел[еюяи]", "month": "месяца?е?", "year": "год[уа]?", "weekend": "выходны[ех]"},
    ),
    ({}, {-1: "الماضي الماضية"}, {"week": "الأسبوع", "month": "الشهر", "year": "السنة العام"}),
)
DENSE_PERIODS: Mapping[str, tuple[int, str]] = {
    phrase: (step, unit)
    for step, unit, phrases in (
        (-1, "week", "先週 上周 上週 上星期 上个星期 上個星期 上礼拜 지난주 지난\u0020주"),
        (0, "week", "今週 这周 這週 本周 本週 这个星期 這個星期 이번주 이번\u0020주"),
        (1, "week", "来週 下周 下週 下星期 下个星期 다음주 다음\u0020주"),
        (-1, "month", "先月 上个月 上個月 上月 지난달 지난\u0020달"),
        (0, "month", "今月 这个月 這個月 本月 이번달 이번\u0020달"),
        (1, "month", "来月 下个月 下個月 다음달"),
        (-1, "year", "去年 昨年 작년"),
        (0, "year", "今年 올해"),
        (1, "year", "来年 明年 내년"),
    )
    for phrase in re.findall(r"[^ ]+(?: [주달](?= |$))?", phrases)
}

_WORDS = """one un una une ein eine einem einer um uma een|two zwei dos deux due dois duas twee два две
three drei tres trois tre três drie три|four vier cuatro quatre quattro quatro четыре
five fünf cinco cinq cinque vijf пять
six sechs seis sei zes шесть|seven sieben siete sept sette sete zeven семь|eight acht ocho huit otto oito восемь
nine neun nueve neuf nove negen девять|ten zehn diez dix dieci dez tien десять"""
NUMBERS: Mapping[str, int] = {
    name: number for number, names in enumerate(re.split(r"[|\n]", _WORDS), start=1) for name in names.split()
}
DENSE_NUMBERS: Mapping[str, int] = {sign: n for n, sign in enumerate("一二三四五六七八九十", start=1)} | {
    "两": 2,
    "兩": 2,
}

NUMBER = r"(?:\d{1,3}|" + "|".join(sorted(NUMBERS, key=len, reverse=True)) + ")"
_AGO: tuple[tuple[str, Mapping[str, str]], ...] = (
    (rf"vor\s+{NUMBER}\s+%", {"day": "tag(?:en)?", "week": "wochen?", "month": "monat(?:en)?", "year": "jahr(?:en)?"}),
    (rf"hace\s+{NUMBER}\s+%", {"day": "días?", "week": "semanas?", "month": "mes(?:es)?", "year": "años?"}),
    (rf"il\s+y\s+a\s+{NUMBER}\s+%", {"day": "jours?", "week": "semaines?", "month": "mois", "year": "ans?|années?"}),
    (rf"{NUMBER}\s+%\s+fa", {"day": "giorn[oi]", "week": "settiman[ae]", "month": "mes[ei]", "year": "ann[oi]"}),
    (rf"há\s+{NUMBER}\s+%", {"day": "dias?", "week": "semanas?", "month": "mês|meses", "year": "anos?"}),
    (
        rf"{NUMBER}\s+%\s+geleden",
        {"day": "dag(?:en)?", "week": "week|weken", "month": "maand(?:en)?", "year": "jaar"},
    ),
    (
        rf"{NUMBER}\s+%\s+назад",
        {"day": "день|дня|дней", "week": "недел[июь]", "month": "месяц(?:а|ев)?", "year": "года?|лет"},
    ),
)
DENSE_UNITS: Mapping[str, str] = {
    "週間": "week", "日": "day", "天": "day", "周": "week", "週": "week", "星期": "week", "か月": "month",
    "ヶ月": "month", "カ月": "month", "月": "month", "年": "year", "일": "day", "주": "week", "개월": "month",
    "년": "year",
}  # fmt: skip

ORDINALS: Mapping[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "first 1st erste ersten erstes premier 1er primer primo первом первый",
            "second 2nd zweite zweiten zweites deuxième 2e segundo secondo втором второй",
            "third 3rd dritte dritten drittes troisième 3e tercer terzo третьем третий",
            "fourth 4th vierte vierten viertes quatrième 4e cuarto quarto четвертом четвёртом четвертый",
        ),
        start=1,
    )
    for name in names.split()
}
QUARTER_WORD = "(?:quarter|quartal|trimestre|квартале?)"

RECENT = (
    r"\b(latest|newest|currently|nowadays|right now|as of now|now|most recent(ly)?|recently|last time|these days|lately"
    r"|up to date|aktuell\w{0,2}|zuletzt|neueste[nrsm]?|jüngste[nrsm]?|derzeit|momentan|actuellement|dernièrement"
    r"|actualmente|últimamente|más reciente|actual|ahora|attual\w{2,6}|adesso|atualmente|agora|momenteel|nieuwste"
    r"|последн\w{2,3}|сейчас|текущ\w{2,3}|новейш\w{2,3})\b|最新|最近|目前|现在|現在|当前|今の|최신|최근|현재"
)


#: One of these stands in whatever a phrase of another language than English says.
SIGNS = (
    "vor ", "hace ", "il y a ", "giorni fa", "giorno fa", "mesi fa", "mese fa", "anni fa", "anno fa", "há ",
    "geleden", "назад", "woche", "monat", "jahr", "vorige ", "afgelopen", "deze ", "dit ", "volgende", "semana",
    "este m", "este a", "pasad", "passad", "próxim", "que vi", "que ve", "semaine", "mois ", " mois", "année",
    "an derni", "an pass", "cet an", "settiman", "scors", "passato", "passata", "questo ", "questa ", "prossim",
    "недел", "месяц", "год", "выходны", "الماضي",
)  # fmt: skip


def period_phrases() -> Mapping[tuple[int, str], str]:
    """(step, unit) -> pattern of "letzte Woche", "la semana pasada" and their like."""
    found: dict[tuple[int, str], list[str]] = {}
    for before, after, nouns in _PERIODS:
        for unit, names in nouns.items():
            noun = _either(names)
            for step, words in before.items():
                found.setdefault((step, unit), []).append(rf"{_either(words)}\s+{noun}")
            for step, words in after.items():
                found.setdefault((step, unit), []).append(rf"{noun}\s+{_either(words)}")
    return {meant: f"(?:{'|'.join(phrases)})" for meant, phrases in found.items()}


def ago_phrases() -> Mapping[str, str]:
    """Unit -> pattern of "vor zwei Tagen", "два дня назад" and their like."""
    found: dict[str, list[str]] = {}
    for phrase, units in _AGO:
        for unit, names in units.items():
            found.setdefault(unit, []).append(phrase.replace("%", f"(?:{names})"))
    return {unit: f"(?:{'|'.join(phrases)})" for unit, phrases in found.items()}


def _either(words: str) -> str:
    return "(?:" + "|".join(words.split()) + ")"
