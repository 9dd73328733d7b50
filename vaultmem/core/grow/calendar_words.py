"""Date expressions, numbers and number words in the languages whose cues are known. Data and the patterns over it."""

from __future__ import annotations

import re
from collections.abc import Iterator

_MONTHS = """january february march april june july august september october november december
jan feb apr jun jul aug sept sep oct nov dec januar jänner februar märz mai juni juli oktober dezember
janvier février mars avril juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
januari februari maart mei augustus"""
_DAYS = """monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri
montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
lunedì martedì mercoledì giovedì venerdì sabato domenica segunda-feira terça-feira quarta-feira quinta-feira sexta-feira
maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"""
_NEAR = """today tonight yesterday tomorrow heute gestern morgen übermorgen vorgestern hier aujourd'hui demain
ayer hoy mañana ieri oggi domani ontem hoje amanhã gisteren vandaag"""
#: Words one of which stands in every phrase below.
_UNITS = """may minute minutes hour hours day days week weeks weekend weekends month months year years decade decades
night summer winter spring fall autumn morning evening afternoon woche monat jahr wochenende tagen wochen monaten jahren
semaine année mois jour jours semaines an ans semana mes año día días semanas meses años settimana mese anno giorni
settimane mesi anni mês ano dia dias anos maand jaar"""
_PHRASES = (
    r"(?:last|next|this|past|coming|previous|every|each)[ ](?:\w+[ ])?(?:week(?:end)?s?|month|year|night|{days})",
    r"(?:last|next|this|past|coming|every)[ ](?:summer|winter|spring|fall|autumn|morning|evening|afternoon)",
    r"(?:{count})[ ](?:minute|hour|day|week(?:end)?|month|year|decade)s?(?:[ ](?:ago|later|earlier|from now|before))?",
    r"(?:letzte|nächste|diese|vorige|kommende)[rsnm]?[ ](?:woche|monat|jahr|wochenende|sommer|winter|{days})",
    r"vor[ ]\w+[ ](?:tagen|wochen|monaten|jahren)",
    r"(?:semaine|année)[ ](?:dernière|prochaine|passée)",
    r"mois[ ](?:dernier|prochain|passé)",
    r"il y a[ ]\w+[ ](?:jours?|semaines?|mois|ans?)",
    r"semana[ ](?:pasada|próxima|que viene|passada|que vem)",
    r"(?:mes|año|mês|ano)[ ](?:pasado|próximo|que viene|passado|que vem)",
    r"(?:hace|há)[ ]\w+[ ](?:días?|dias?|semanas?|meses|años?|anos?)",
    r"(?:settimana|mese|anno)[ ](?:scors[ao]|prossim[ao])",
    r"\w+[ ](?:giorni|settimane|mesi|anni)[ ]fa",
    r"(?:vorige|volgende|afgelopen|komende)[ ](?:week|maand|jaar|{days})",
    r"\d{4}-\d\d-\d\d",
    r"\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    r"\d{1,2}:\d\d(?:[ ]?[ap]\.?m\.?)?",
    r"\d{1,2}[ ]?[ap]m|\d{1,2}[ ]uhr|\d{1,2}h\d\d",
    r"\d{1,2}(?:st|nd|rd|th)|(?:19|20)\d\d",
)
_COUNT = "\\d+|an?|a few|few|couple of|two|three|four|five|six|seven|eight|nine|ten|several"


def _alternatives(words: str) -> str:
    return "|".join(sorted(set(words.split()), key=lambda word: (-len(word), word)))


_MONTH = _alternatives(_MONTHS)
_DAY = _alternatives(_DAYS)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_DATED_MONTH = rf"(?:{_ORDINAL}[ ](?:of[ ]|de[ ])?)?(?:{_MONTH})\.?(?:[ ]{_ORDINAL})?(?:,?[ ]\d{{4}})?"
#: "may" alone is a verb more often than a month.
_MAY = rf"(?:in|{_ORDINAL})[ ]may(?:,?[ ]\d{{4}})?|may[ ]\d{{1,4}}"
_LATIN = "|".join([*_PHRASES, _DATED_MONTH, _MAY, f"(?:{_DAY})s?", _alternatives(_NEAR)])
_CJK = r"\d+年|\d+月(?:\d+日)?|今天|明天|昨天|下周|上周|今日|明日|昨日|来週|先週"
_DATE = re.compile(
    rf"(?<!\w)(?:{_LATIN.replace('{days}', _DAY).replace('{count}', _COUNT)})(?!\w)|{_CJK}", re.IGNORECASE
)
#: Every date holds a digit or one of these: looking for them first is ten times faster than looking for dates.
_CALENDAR = frozenset(f"{word}{end}" for word in " ".join([_MONTHS, _DAYS, _NEAR, _UNITS]).split() for end in ("", "s"))
_SURE = re.compile(r"\d|[今明昨下上来先][天日周週]")

NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

_NUMBER_WORDS = """two three four five six seven eight nine ten eleven twelv thirteen fourteen fifteen twenti thirti
forti fifti hundr thousand million billion dozen half twice doubl zwei drei vier fünf sechs sieben acht neun zehn elf
zwölf zwanzig hundert tausend deux trois quatr cinq sept huit neuf dix vingt cent mill dos tres cuatro cinco seis siet
ocho nuev diez veint cien mil due tre quattro cinqu sei sett otto nove dieci venti cento dois três quatro sete oito
vint twee drie vijf zes zeven acht negen tien twintig honderd duizend"""
#: As `index_words` gives them.
NUMBER_WORDS = frozenset(_NUMBER_WORDS.split())


def is_calendar_word(word: str) -> bool:
    """True for a day's or month's name and the like: written with a capital, it names nobody."""
    return word.casefold() in _CALENDAR


def dates(text: str, words: list[str]) -> Iterator[str]:
    """The date expressions of a text; `words` are the words that stand in it."""
    if _SURE.search(text) or not _CALENDAR.isdisjoint(map(str.casefold, words)):
        yield from (match[0] for match in _DATE.finditer(text))
