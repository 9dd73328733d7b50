"""The words that announce a secret, in many languages, and the parts of a name that take the announcement back."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

#: password: the value may be any word. credential: a name only programs use. word: also a word of prose
#: ("secret", "token"). weak: mostly means something else; its value must look like a password
Strength = Literal["password", "credential", "word", "weak"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stem:
    """The fixed part of an announcing word, in lower case."""

    text: str
    strength: Strength
    #: what may follow in the same word
    suffix: re.Pattern[str]
    #: no letter or digit may stand before it
    alone: bool


_ENGLISH = re.compile(r"[0-9a-z_-]{0,32}")
_INFLECTED = re.compile(r"(?:[^\W_]|[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff'’]){0,7}[0-9_-]{0,3}")
_PARTICLE = re.compile(r"[은는이가를을의]?[0-9]{0,3}")
_COUNTER = re.compile(r"[0-9]{0,3}")
#: scripts that put no blank between words
_UNSPACED = "\u3000"

_PASSWORDS_ENGLISH = "password passwd passphrase passcode passwrd pwd"
_PASSWORDS = (
    "pass phrase|pass word|passwort|passwörter|kennwort|kennwörter|geheimwort|zugangscode|mot de passe|"
    "mots de passe|mdp|"
    "phrase secrète|contraseña|contrasena|clave de acceso|senha|palavra-passe|palavra passe|parola d'ordine|"
    "parola d’ordine|parolă|wachtwoord|hasło|hasła|haslo|hasła|heslo|jelszó|jelszo|jelszav|lösenord|losenord|"
    "adgangskode|"
    "kodeord|passord|salasana|salasõna|slaptažod|slaptazod|şifre|sifre|парол|лозинка|лозинк|lozink|zaporka|συνθηματικ|"
    "κωδικός πρόσβασης|κωδικο προσβασης|סיסמה|סיסמא|סיסמת|ססמה|كلمة المرور|كلمة السر|كلمه السر|كلمة مرور|"
    "رمز عبور|گذرواژه|"
    "کلمه عبور|پاس ورڈ|पासवर्ड|পাসওয়ার্ড|கடவுச்சொல்|పాస్వర్డ్|ಪಾಸ್ವರ್ಡ್|പാസ്‌വേഡ്|પાસવર્ડ|ਪਾਸਵਰਡ|รหัสผ่าน|mật khẩu|"
    "mat khau|kata sandi|katalaluan|kata laluan|密码|密碼|口令|パスワード|パスフレーズ|비밀번호|비번|패스워드|"
    "암호|contrasenya|"
    "contrasinal|pasahitza|lykilorð|pasfhocal|cyfrinair|fjalëkalim|nenosiri|wagwoord|პაროლი|գաղտնաբառ|құпиясөз|"
    "құпия сөз|"
    "нууц үг|pasvorto|ពាក្យសម្ងាត់|စကားဝှက်|රහස් පදය|ລະຫັດຜ່ານ|የይለፍ ቃል"
)
_CREDENTIALS = (
    "clé api|clé d'api|clé d’api|clé secrète|clave api|clave secreta|clave de api|chave api|chave de api|"
    "chave secreta|"
    "chiave api|chiave segreta|klucz api|api-schlüssel|api schlüssel|geheimer schlüssel|api-sleutel|geheime sleutel|"
    "api-nyckel|секретный ключ|ключ api|api ключ|api-ключ|密钥|密鑰|金鑰|令牌|アクセストークン|apiキー|"
    "シークレットキー|api 키|api키|"
    "비밀 키|토큰|access token|refresh token|auth token|bearer token|client secret|bot token"
)
_WORDS_ENGLISH = "secret token credential"
_WORDS = "geheimnis|jeton|トークン|シークレット|токен|секрет"
_WEAK = "pw|pass|clave|parola|parole|geslo|κωδικός|κωδικοσ|losung|code secret|passe|kode|pin code|access code|psk"
_KEY_OWNERS = (
    "api", "access", "private", "auth", "signing", "encryption", "account", "master", "shared", "secret", "session",
    "subscription", "storage", "deploy", "license", "service", "security", "ssh", "aes", "hmac", "jwt", "app",
    "client", "consumer", "wpa", "wifi", "network", "mailchimp", "openai", "anthropic", "stripe", "webhook",
    "admin", "root", "crypto", "recovery",
)  # fmt: skip
#: what may stand directly before "key" to make it a secret's name
KEY_OWNER = re.compile(rf"(?:{'|'.join(_KEY_OWNERS)})[ _.-]?$")
KEY_OWNER_REACH = max(map(len, _KEY_OWNERS)) + 1


def _stems() -> tuple[Stem, ...]:
    found: dict[str, Stem] = {}

    def add(words: list[str], strength: Strength, suffix: re.Pattern[str], *, alone: bool = False) -> None:
        for word in words:
            for form in {unicodedata.normalize("NFC", word), unicodedata.normalize("NFD", word)}:
                bare = re.sub("[\u200b-\u200f]", "", form)
                own = _PARTICLE if suffix is _INFLECTED and bare[-1] >= _UNSPACED else suffix
                short = suffix is _INFLECTED and bare.isascii() and len(bare) <= 6
                found.setdefault(bare, Stem(text=bare, strength=strength, suffix=own, alone=alone or short))

    add(_PASSWORDS_ENGLISH.split(), "password", _ENGLISH)
    add(_PASSWORDS.split("|"), "password", _INFLECTED)
    add(_CREDENTIALS.split("|"), "credential", _INFLECTED)
    add(_WORDS_ENGLISH.split(), "word", _ENGLISH)
    add(["key"], "credential", _ENGLISH)
    add(_WORDS.split("|"), "word", _INFLECTED)
    add(_WEAK.split("|"), "weak", _COUNTER, alone=True)
    return tuple(found.values())


STEMS: tuple[Stem, ...] = _stems()

#: suffixes that leave the name a secret's: `password_2`, `TOKEN_PROD`, `secretKey`, `passwords`
_KEEPS = re.compile(
    r"(?:s|es|[_-]?(?:[0-9]{1,4}|key|value|val|string|str|text|plain|base64|b64|id_rsa|prod|production|dev|"
    r"development|test|testing|"
    r"stage|staging|live|sandbox|old|new|current|main|primary|secondary|backup|admin|root|user|default|env|raw|"
    r"access[_-]?key|"
    r"key[_-]?base|token|secret|auth|web|api|app|db|server|client|master|hash|confirm|confirmation|again|repeat))*"
)
#: suffixes that make it a number, a rule or a place
_UNDOES = re.compile(
    r"[_-]?(?:count|budget|limit|polic|length|len|size|type|name|url|uri|path|file|field|expir|ttl|reset|hint|"
    r"manager|rotat|usage|"
    r"per|less|iz|ary|ar|arial|ly|ed|ing|age|ion|max|min|id\b|ids\b|ring|board|note|word|stone|pair|frame|bind|"
    r"map|code|press|"
    r"generat|protect|strength|requir|label|placeholder|format|regex|pattern|prefix|suffix|index|position|kind|"
    r"status|date|time|"
    r"created|updated|changed|owner|scope|version|algorithm|endpoint|issuer|audience|provider|store|vault|ref\b|"
    r"reference|link|page|"
    r"form|input|visib|show|hide|toggle|valid|error|email|mail|cost|price|embed|dim|stream|sequence)"
)


def verdict_of_suffix(suffix: str) -> Literal["keeps", "undoes", "unknown"]:
    """What the rest of an English key word does to its meaning."""
    if _KEEPS.fullmatch(suffix):
        return "keeps"
    return "undoes" if _UNDOES.match(suffix) else "unknown"
