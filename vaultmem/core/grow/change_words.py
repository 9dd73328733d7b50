"""What a language says when something is no longer as it was. Data, and the pattern over it."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Up to four words between "moved" and "to".
_GAP = r"(?:[ ][^\W_][\w'’:.-]*){0,4}?[ ]"

_CHANGES = {
    "en": (
        r"no longer|not (?:\w+ )?any ?more|\w+n['’]t (?:\w+ ){0,3}any ?more|instead of|from now on"
        r"|as of (?:now|today|tomorrow)|used to be"
        rf"|(?:moved|changed|switched|postponed|pushed|shifted|rescheduled|renamed|delayed|updated|bumped){_GAP}(?:to|from)"
        r"|(?:moved|brought|pushed) (?:back|forward|up)|replac(?:es|ed)|supersed(?:es|ed)|correction"
        r"|(?:was|were) supposed to"
    ),
    "de": (
        r"nicht (?:\w+ )?mehr|kein(?:e[mnrs]?)? (?:\w+ )?mehr|statt(?:dessen)?|anstelle|doch nicht"
        r"|ab (?:jetzt|sofort|heute|morgen)"
        rf"|(?:verschoben|verlegt|umgestellt|geändert|verschieben|verlegen){_GAP}(?:auf|nach|von)"
        r"|auf (?:den )?[\w.]+(?: [\w.]+)? (?:verschoben|verlegt|geändert)|umbenannt|ersetzt|geändert|korrektur"
    ),
    "fr": (
        r"ne \w+ plus|n['’]\w+ plus|plus maintenant|au lieu d[eu']|désormais|dorénavant|à partir de maintenant"
        r"|(?:reporté|déplacé|décalé|avancé|changé|renommé|repoussé)e?s? (?:à|au|aux|en|de|du|pour)"
        r"|remplac\w+|correction"
    ),
    "es": (
        r"ya no|en (?:lugar|vez) de|a partir de (?:ahora|hoy|mañana)|de ahora en adelante"
        r"|(?:movi(?:do|mos)|cambi(?:ado|amos|ó)|aplaz(?:ado|amos|ó)|pospuest[oa]|traslad(?:ado|amos|ó)|pas(?:ado|amos|ó))"
        r" (?:a|al|para|de)|reemplaz\w+|sustitu\w+|corrección"
    ),
    "it": (
        r"non \w+ più|non più|invece d(?:i|el|ella|ei)|al posto d(?:i|el|ella)|d['’]ora in poi"
        r"|da (?:oggi|domani) in poi"
        r"|(?:spostat|cambiat|rinviat|anticipat|rinominat)[oaie] (?:a|al|alle|all['’]|da|dal|in)|sostitu\w+|correzione"
    ),
    "pt": (
        r"não \w+ mais|já não|em vez d[eo]|ao invés d[eo]|a partir de (?:agora|hoje|amanhã)|de agora em diante"
        r"|(?:mud(?:ou|amos|ado|ada)|movid[oa]|adiad[oa]|passou|transferid[oa]) (?:para|de|do|da)|substitu\w+|correção"
    ),
    "nl": (
        r"niet (?:langer|meer)|geen \w+ meer|in plaats van|voortaan|vanaf (?:nu|vandaag|morgen)"
        r"|(?:verplaatst|verzet|verschoven|gewijzigd|veranderd|hernoemd) (?:naar|van|in)|vervang(?:en|t)|correctie"
    ),
}  # fmt: skip
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    language: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for language, words in _CHANGES.items()
}

#: A decision that was not taken: to be decided, not agreed, whether to approve.
_OPEN = re.compile(
    r"(?<!\w)(?:\w+n['’]t|not|never|to|should|could|might|can|cannot|whether|if|until|before|will|must)"
    r"(?: (?:be|have|yet|all|we|you|they|i|ever|still|just|really|also|make|a|the))*"
    r" (?:decid|decision|agree|choos|chose|approv|confirm|cancel|pick|accept|resolv|reject|reschedul|postpon)"
    r"|un(?:decided|confirmed|approved|resolved)|\bpending\b"
    r"|(?<!\w)(?:nicht|ob|muss\w*|soll\w*|kann|können) (?:\w+ ){0,3}"
    r"(?:entsch|beschl|genehm|bestät|vereinb|geeinigt)",
    re.IGNORECASE,
)


#: "I totally agree", "you picked up a lot", "for your approval": an opinion, no choice at all, or one to come.
_OPINION = re.compile(
    r"(?<!\w)(?:(?:totally|completely|fully|absolutely|definitely|i|you)[ ]agree(?![ ](?:to|on)(?!\w))"
    r"|agree[ds]?[ ]with[ ](?:you|that|this|him|her|them|me|what)|pick(?:ed)?[ ]up|deciding|choosing|once[ ]\w+ed"
    r"|(?:for|require[sd]?|need[s]?|pending)[ ](?:\w+[ ])?approval|approval[ ](?:from|of|stage|process))(?!\w)",
    re.IGNORECASE,
)
#: A date that is over: what it goes with is no longer to be done.
_PAST = re.compile(
    r"(?<!\w)(?:last|past|previous|ago|yesterday|earlier|gestern|vorgestern|letzte[rsnm]?|vorige[rsnm]?|vor|hier"
    r"|derni[eè]re?|passée?|il y a|ayer|pasad[oa]|hace|ieri|scors[oa]|fa|ontem|passad[oa]|há|gisteren|afgelopen)(?!\w)"
    r"|昨|上周|先週",
    re.IGNORECASE,
)


def says_change(text: str, language: str) -> bool:
    """Whether it says that something is no longer as it was; never where the language is not known."""
    pattern = _PATTERNS.get(language)
    return pattern is not None and pattern.search(text) is not None


def without_change(text: str, language: str) -> str:
    """The text without the words that say so: "postponed to" tells of a change, and is no decision beside it."""
    pattern = _PATTERNS.get(language)
    return text if pattern is None else pattern.sub(" ", text)


def is_open(text: str) -> bool:
    """Whether the deciding it speaks of is still to come, did not happen, or is none."""
    return _OPEN.search(text) is not None or _OPINION.search(text) is not None


def is_past(date: str) -> bool:
    """Whether a date expression looks back: `last week`, `two days ago`."""
    return _PAST.search(date) is not None
