"""How much a sentence counts before anybody looks at its words: q(u) of FACET, step 4. Lexicons for each language.

A language that is not known changes nothing: every cue is 1 there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import islice

from vaultmem.core.grow.concepts import concept_keys
from vaultmem.core.ingest.salience import Turn, salient_turns

GREETING, FEW_WORDS, QUESTION = 0.15, 0.4, 0.35
DECISION, COMMITMENT, FIRST_PERSON, DATED, COUNTED = 1.3, 1.05, 1.2, 1.6, 1.1
_FEW = 3
#: With more content words than this nobody merely greets or thanks.
_MAX_COURTESY = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lexicon:
    """What a language says when it decides, promises, or speaks of itself; and the words that give it away."""

    words: frozenset[str]
    decision: re.Pattern[str]
    commitment: re.Pattern[str]
    first_person: re.Pattern[str]


def _lexicon(words: str, decision: str, commitment: str, first_person: str) -> _Lexicon:
    patterns = [re.compile(rf"(?<!\w)(?:{text})(?!\w)", re.IGNORECASE) for text in (decision, commitment, first_person)]
    return _Lexicon(
        words=frozenset(words.split()), decision=patterns[0], commitment=patterns[1], first_person=patterns[2]
    )


_LEXICONS: Mapping[str, _Lexicon] = {
    "en": _lexicon(
        "the and is are was were you i to of in it that this for with have my we they not be do what so but just",
        r"decid(?:e|ed|es|ing)|decision|agree[ds]?|cho(?:se|osing|sen|ose)|approv(?:e|ed|al)|confirm(?:ed)?|cancel(?:l?ed)?"
        r"|settled on|go(?:ing)? with|will use|reject(?:ed)?|postponed?|resolved?|picked|accepted|rescheduled",
        r"deadline|due(?! to)|by (?:tomorrow|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next)"
        r"|i'll|we'll|i will|we will|going to|plan(?:ning)? to|promised?|must|need(?:s)? to|have to|remind",
        r"i|i['’](?:m|ve|d|ll)|my|mine|we|we['’](?:re|ve|d|ll)|our|ours",
    ),
    "de": _lexicon(
        "der die das und ist nicht ich du wir sie es ein eine zu mit auf für von den dem auch aber hat habe war wie",
        r"entschieden|beschlossen|entscheidung|beschluss|genehmigt|bestätigt|abgesagt|storniert|vereinbart|einigen|geeinigt"
        r"|abgelehnt|verschoben|nehmen wir|gewählt|zugesagt",
        r"frist|fällig|deadline|bis (?:morgen|heute|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|zum)"
        r"|ich werde|wir werden|muss|müssen|versprochen|soll|sollen",
        r"ich|mein(?:e[mnrs]?)?|wir|unser(?:e[mnrs]?)?",
    ),
    "fr": _lexicon(
        "le la les et est pas je tu nous vous il elle un une des du que qui dans pour avec sur ce ai mais on ne au",
        r"décid\w+|décision|d'accord|choisi\w*|approuv\w+|confirm\w+|annul\w+|refus\w+|report[ée]\w*|retenu\w*|valid[ée]\w*",
        r"échéance|date limite|avant (?:demain|lundi|mardi|mercredi|jeudi|vendredi)|je vais|nous allons|on va|doit|dois"
        r"|devons|promis|il faut",
        r"je|j['’]\w+|mon|ma|mes|nous|notre|nos",
    ),
    "es": _lexicon(
        "el la los las y es no yo tú que de en un una con por para se me mi lo pero muy está como más al del",
        r"decid\w+|decisión|acord\w+|elegi\w+|aprob\w+|confirm\w+|cancel\w+|rechaz\w+|aplaz\w+|quedamos en",
        r"plazo|fecha límite|vence|antes del?|para el (?:lunes|martes|miércoles|jueves|viernes)|voy a|vamos a|debo"
        r"|debemos|hay que|prometí|tengo que|tenemos que",
        r"yo|mi|mis|me|nosotros|nuestr[oa]s?|soy|tengo|fui|he|hemos|tenemos",
    ),
    "it": _lexicon(
        "il lo la gli le e è non io tu che di un una per con sono ho ha mi si ma come anche più nel della del",
        r"decis\w+|decid\w+|d'accordo|scelt\w+|approv\w+|conferm\w+|annull\w+|rifiut\w+|rinviat\w+",
        r"scadenza|entro|devo|dobbiamo|bisogna|promesso|prometto|vado a",
        r"io|mio|mia|miei|mie|noi|nostr[oaie]|sono|ho|abbiamo|siamo",
    ),
    "pt": _lexicon(
        "o a os as e é não eu você que de um uma para com em se do da no na mas como mais está foi por meu",
        r"decid\w+|decisão|concord\w+|escolh\w+|aprov\w+|confirm\w+|cancel\w+|rejeit\w+|adiad\w+",
        r"prazo|até (?:amanhã|segunda|terça|quarta|quinta|sexta)"
        r"|vou|vamos|devo|devemos|prometi|tenho que|temos que|preciso",
        r"eu|meu|minha|meus|minhas|nós|nosso|nossa|nossos|nossas|tenho|fui|sou",
    ),
    "nl": _lexicon(
        "de het een en is niet ik je we wij zij dat van in op te met voor zijn heb heeft maar ook er aan om naar",
        r"besloten|besluit|beslissing|afgesproken|akkoord|gekozen|goedgekeurd|bevestigd|geannuleerd|afgewezen|verzet"
        r"|uitgesteld",
        r"deadline|uiterlijk|voor (?:morgen|maandag|dinsdag|woensdag|donderdag|vrijdag)"
        r"|ik zal|we zullen|moet|moeten|beloofd|ga",
        r"ik|mijn|wij|we|ons|onze",
    ),
}

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: Words that are looked at to tell a language: more do not change the answer.
_SAMPLE = 400
#: Of 100 words of running text, so many are among a language's commonest.
_LEAST_SHARE = 0.12


def language_of(text: str) -> str:
    """The language whose commonest words fill the text; "" when no known one does."""
    words = [match[0] for match in islice(_WORD.finditer(text), _SAMPLE)]
    counts = Counter(" ".join(words).casefold().replace("’", "'").split())
    shares = {name: sum(counts[word] for word in lexicon.words & counts.keys()) for name, lexicon in _LEXICONS.items()}
    best = max(shares, key=lambda name: shares[name])
    return best if words and shares[best] >= max(2, _LEAST_SHARE * len(words)) else ""


def cue_factor(text: str, language: str, concepts: Collection[str]) -> float:
    """q(u): how much a sentence counts. `concepts` are the keys of `concepts_of` the text."""
    kinds = Counter(concept[0] for concept in concepts)
    if kinds["w"] <= _MAX_COURTESY and not kinds["n"] and _is_courtesy(text):
        return GREETING
    lexicon = _LEXICONS.get(language)
    if lexicon is None:
        return 1.0
    asks = is_question(text)
    factor = FEW_WORDS if kinds["w"] < _FEW else 1.0
    factor *= QUESTION if asks else 1.0
    factor *= DECISION if lexicon.decision.search(text) else 1.0
    factor *= COMMITMENT if lexicon.commitment.search(text) else 1.0
    factor *= FIRST_PERSON if not asks and lexicon.first_person.search(text) else 1.0
    return factor * (DATED if kinds["d"] else 1.0) * (COUNTED if kinds["n"] or kinds["o"] else 1.0)


def is_question(text: str) -> bool:
    """True for a sentence that ends by asking."""
    return text.rstrip(" \"'”’)*_").endswith(("?", "？"))


def says_something(text: str, language: str) -> bool:
    """False for mere greetings and thanks, which would fill what is left of a budget."""
    return cue_factor(text, language, concept_keys(text)) != GREETING


def decides(text: str, language: str) -> bool:
    """Whether it holds a word of deciding; never where the language is not known."""
    lexicon = _LEXICONS.get(language)
    return lexicon is not None and lexicon.decision.search(text) is not None


def commits(text: str, language: str) -> bool:
    """Whether it holds a word of promising or owing; never where the language is not known."""
    lexicon = _LEXICONS.get(language)
    return lexicon is not None and lexicon.commitment.search(text) is not None


def _is_courtesy(text: str) -> bool:
    """Greetings, thanks, laughter and nothing else, in any language the gate knows."""
    return not salient_turns((Turn(author="", text=text),))[0]
