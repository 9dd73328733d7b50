"""What stands after an announcing word: a secret, a stand-in for one, or just prose."""

from __future__ import annotations

import re

from vaultmem.core.ingest.redact_strength import entropy

#: says nothing: variables, masks, blanks to fill in, and the words people put there. "changeme" is one of them: it is
#: published as a default everywhere, and a note that says so loses its point without it
_STANDIN = re.compile(
    r"\$\{.*|!(?:vault|secret|env|ref|sub|getatt|include)\b.*|"
    r"\$\(.*|\$[A-Z_][A-Z0-9_]*(?:[/:].*)?|\$[a-z_]+(?:->\w+|\[.*)?|%\w+%|%[({].*|\{\{.*|\{[\w .$:-]*\}|"
    r"<[^>]*>|\[[\w .,:/-]*\]|"
    r"@\w+@|#\{.*|"
    r"(.)\1*|[*•●·.…xX#_?-]+|"
    r"(?:null|none|nil|undefined|true|false|yes|no|on|off|empty|n/a|na|tbd|todo|fixme|change[_-]?(?:me|this)|"
    r"replace[_-]?(?:me|this)|"
    r"insert.*here|placeholder|redacted|hidden|masked|removed|omitted|secret|password|passwort|passwd|pass|pwd|"
    r"token|dummy|"
    r"your[\w ./-]*|my[_-](?:secret|password|token|api|key)[\w-]*|enter[_ -].*|here|same|unset|not[_ -].*|"
    r"string|str|text|number|int|"
    r"integer|bool|boolean|object|bytes|optional|required|any|void|varchar.*|secretstr|file|env|prompt|ask|auto|"
    r"default|keychain|vault|"
    r"bitwarden|1password|keepass|lastpass)",
    re.IGNORECASE | re.DOTALL,
)
#: single words of state that answer "how is the password?", not "what is it?"
_STATES = frozenset(
    """
    accepted again available bad blank broken case-sensitive changed compromised correct default deleted different
    disabled empty enabled encrypted expired expires forgot forgotten gone hashed here hidden incorrect invalid
    known leaked locked lost mandatory missing needed needs never new now ok okay old optional protected rejected
    removed required reset resets rotated safe saved secure sent set shared strong stolen stored unavailable
    unchanged unknown unset updated useless valid weak wrong falsch vergessen geändert ungültig abgelaufen
    erforderlich unbekannt incorrecta olvidada requerida inválida errada esquecida obrigatória oublié incorrect
    invalide requis inconnu perdue neznámé nieznane vergeten onjuist verplicht неверный неправильный забыл
    обязательно изменён
    """.split()  # noqa: SIM905
)
_FUNCTION_WORDS = frozenset(
    """
    a an and are as ask at be been but by can for from get had has have he her his how i if in is it its me must my
    not of on one or our please see she should so still that the their them then there they this to us use was we
    were what when where which who will with would you your der die das und ist nicht ein eine im in den dem für mit
    von zu auf siehe le la les un une est et de du des pour pas el los y es en por para no se o os e um uma que não
    il è di per non het een en van niet
    """.split()  # noqa: SIM905
)
_NOT_A_SECRET = re.compile(
    r"(?:https?|ftp|file|obsidian)://\S*|/[\w./-]*|\.{1,2}/\S*|[A-Za-z]:\\\S*|[\w.+-]+@[\w-]+\.[\w.]+|"
    r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\S*|\d{1,2}:\d{2}\S*|v?\d+(?:\.\d+)+\S*|\d+(?:st|nd|rd|th|k|m|b|x|gb|mb|kb|"
    r"ms|s|h|d|%|€|\$)?|"
    r"[€$£]\d.*|(?:sha|md|rs|hs|es|ps|base|utf|aes|rsa|ed|oauth|2fa|mfa|pbkdf|bcrypt|argon|scrypt|http|ipv|win|"
    r"mp|h|gpt|web|id)-?\d\S*|"
    r"\d+[_-]?(?:character|char|digit|word|bit|byte|factor|step|day|hour|minute|letter|symbol|zeichen|stellig)\S*|"
    r"[\w.-]+\.(?:md|txt|pdf|docx?|xlsx?|png|jpe?g|json|ya?ml|py|js|ts|html?|csv|kdbx|pem|env)",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)*[(\[{]|[A-Za-z_$][\w$]*(?:(?:\.|->|"
    r"::)[A-Za-z_$][\w$]+)+$|[(\[{|>&]"
)
_OWN_NAME = re.compile(
    r"[A-Za-z]*[_.-]?(?:pass(?:word|wd|phrase|wort)?|secret|token|api_?key|credential|kennwort|"
    r"pwd)s?(?:[_.-]?[A-Za-z]+)?",
    re.IGNORECASE,
)
_ORDINARY = re.compile(r"[^\W\d_]+(?:[-'’/][^\W\d_]+)*")


def is_placeholder(value: str) -> bool:
    """A stand-in: a variable, a mask, a blank to fill in, an earlier mark, or nothing."""
    return not value or value.startswith("[redacted") or _STANDIN.fullmatch(value) is not None


def is_state(value: str) -> bool:
    """A word that says how the secret is ("expired"), not what it is."""
    return value.lower().strip(".!?") in _STATES


def is_code(value: str) -> bool:
    """An expression that fetches the secret elsewhere: `getenv(…)`, `args.password`, `user_password`."""
    return _CODE.match(value) is not None or is_own_name(value)


def is_own_name(value: str) -> bool:
    """A name made of the announcing word itself: `userPassword`, `API_TOKEN`."""
    return _OWN_NAME.fullmatch(value) is not None


def is_number(value: str) -> bool:
    """Digits, with separators at most."""
    return re.fullmatch(r"[\d.,_ ]+", value) is not None


def is_sentence(value: str) -> bool:
    """Several words that a person says, not a pass phrase."""
    words = value.split()
    if len(words) < 2:
        return False
    plain = {w.lower().strip(".,;:!?") for w in words}
    return bool(plain & _FUNCTION_WORDS) or value[-1] in ".?!…" or any(map(is_own_name, plain))


def has_function_word(text: str) -> bool:
    """Some word that only a sentence needs."""
    return any(word in _FUNCTION_WORDS for word in text.lower().split())


def is_ordinary(value: str) -> bool:
    """A word (or hyphenated words) of letters in ordinary case."""
    if not _ORDINARY.fullmatch(value):
        return False
    return all(
        part.islower() or part.isupper() or part.istitle() or not part.isascii() for part in re.split(r"[-'’/]", value)
    )


def looks_like_password(value: str) -> bool:
    """Mixed like a password: letters with digits or symbols inside, or capitals at odd places."""
    if len(value) < 6 or _NOT_A_SECRET.fullmatch(value) or is_placeholder(value):
        return False
    letters = any(c.isalpha() for c in value)
    if letters and any(c.isdigit() for c in value):
        return len(set(value)) >= 4
    if letters and re.search(r"[^\w\s.,;:'’/()\[\]\"-]\w", value):
        return True
    odd_capitals = len(re.findall(r"[a-z][A-Z]|[A-Z]{2}[a-z]", value))
    return odd_capitals >= 2 and len(value) >= 8 and entropy(value) >= 3
