"""Mail headers -> interaction facts: sent, reply, dm, mention, priority_high, auto, list; and the parties."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from vaultmem.core.notes.ids import fold
from vaultmem.sources.mail.headers import Address, Headers, has_word

ROLES = ("from", "to", "cc")

#: Gmail's labels follow the account's language.
_SENT_LABELS = {
    "sent", "sent mail", "gesendet", "envoyés", "messages envoyés", "enviados", "inviati", "posta inviata", "verzonden",
    "wysłane", "skickat", "sendt", "sendte", "lähetetyt", "odeslané", "отправленные", "надіслані",
    "gönderilmiş postalar", "送信済み", "送信済みメール", "已发送", "已发邮件", "寄件備份", "보낸편지함",
}  # fmt: skip
_STAR_LABELS = {
    "starred", "markiert", "suivis", "destacados", "com estrela", "speciali", "met ster", "oznaczone gwiazdką",
    "stjärnmärkt", "stjernemerket", "med stjerne",
    "s hvězdičkou", "помеченные", "yıldızlı", "スター付き", "已加星标", "已加星號", "별표편지함",
}  # fmt: skip
_ROBOTS = re.compile(r"^(?:postmaster|mailer-?daemon)@?", re.IGNORECASE)
_PREFIX = re.compile(
    r"^\s*(?:\[[^\[\]]{1,40}\]\s*)?(?P<word>re|aw|sv|vs|antw|antwort|odp|rv|ref|rif|r|res|ynt|回复|回覆|答复|答覆|返信|회신|"
    r"fwd?|wg|tr|rv|enc|i|doorst|vb|vl|pd|ilt|转发|轉寄|転送|전달)(?:\s?\[\d{1,4}\]|\s?\(\d{1,4}\)|\^\d{1,3})?\s?[:：]\s*",
    re.IGNORECASE,
)
_FORWARD_WORDS = {
    "fw",
    "fwd",
    "wg",
    "tr",
    "rv",
    "enc",
    "i",
    "doorst",
    "vb",
    "vl",
    "pd",
    "ilt",
    "转发",
    "轉寄",
    "転送",
    "전달",
}


def bare_subject(subject: str) -> str:
    """The subject without Re:, Fwd:, AW: …; the subject itself when nothing else is in it."""
    rest = subject
    for _ in range(20):
        match = _PREFIX.match(rest)
        if not match:
            break
        rest = rest[match.end() :]
    return rest.strip() or subject.strip()


def is_forward(subject: str) -> bool:
    """True when the outermost prefix says that a mail is passed on."""
    match = _PREFIX.match(subject)
    return bool(match) and match.group("word").casefold() in _FORWARD_WORDS  # type: ignore[union-attr]


def is_reply(headers: Headers, subject: str) -> bool:
    """True when headers or subject say that the mail answers one."""
    prefixed = bool(_PREFIX.match(subject)) and not is_forward(subject)
    return prefixed or bool(headers.ids("in-reply-to") or headers.ids("references"))


def parties(headers: Headers) -> tuple[tuple[str, str, str], ...]:
    """(display name, address, role) of everyone on the From, To and Cc lines."""
    return tuple((a.name, a.address, role) for role in ROLES for a in headers.addresses(role))


class Owner:
    """The vault's owner as the settings name them."""

    def __init__(self, me: Sequence[str]) -> None:
        self._addresses = {_plain_address(m) for m in me if "@" in m.lstrip("@")}
        self._names = {fold(m.lstrip("@")) for m in me if "@" not in m.lstrip("@")} - {""}
        words = [re.escape(n) for n in self._names if len(n) >= 3 or (len(n) == 2 and not n.isascii())]
        # CJK writes without blanks, so a word border can be asked for only between letters of one script.
        self._named = re.compile("|".join(rf"(?<![a-z0-9]){w}(?![a-z0-9])" for w in words)) if words else None

    def is_address(self, address: Address) -> bool:
        """True for one of the owner's addresses, or the owner's name on an address of unknown ownership."""
        if address.address and self._addresses:
            return _plain_address(address.address) in self._addresses
        return fold(address.name) in self._names

    def is_sender(self, address: Address) -> bool:
        """True when the owner wrote it: by address, or by display name."""
        return self.is_address(address) or fold(address.name) in self._names

    def is_named_in(self, text: str) -> bool:
        """True when a text names the owner."""
        if not self._named and not self._addresses:
            return False
        # `fold` looks at every character; for a whole text the fast part of it is enough.
        folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
        return bool(self._named and self._named.search(folded)) or any(a in folded for a in self._addresses)


def _plain_address(address: str) -> str:
    local, at, domain = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{domain}"


def find_cues(headers: Headers, *, owner: Owner, subject: str, text: str, machine: bool) -> frozenset[str]:
    """The interaction facts of one mail; `machine`: its MIME structure is that of a report or a calendar reply."""
    senders = headers.addresses("from") or headers.addresses("sender")
    labels = _labels(headers)
    sent = any(map(owner.is_sender, senders)) or bool(labels & _SENT_LABELS)
    mailing = _is_list(headers)
    facts = {
        "sent": sent,
        "reply": is_reply(headers, subject),
        "dm": not sent and not mailing and _is_only_recipient(headers, owner),
        "mention": not sent and owner.is_named_in(text),
        "priority_high": _is_urgent(headers) or bool(labels & _STAR_LABELS),
        "auto": machine or _is_auto(headers, senders),
        "list": mailing,
    }
    return frozenset(name for name, holds in facts.items() if holds)


def _labels(headers: Headers) -> set[str]:
    return {label.strip(' "').casefold() for label in headers.text("x-gmail-labels").split(",")}


def _is_only_recipient(headers: Headers, owner: Owner) -> bool:
    everyone = [*headers.addresses("to"), *headers.addresses("cc")]
    return bool(everyone) and all(map(owner.is_address, everyone))


def _is_list(headers: Headers) -> bool:
    if headers.names() & {"list-id", "list-unsubscribe", "list-post", "mailing-list"}:
        return True
    return has_word(headers.raw("precedence"), ("bulk", "list"))


def _is_auto(headers: Headers, senders: Sequence[Address]) -> bool:
    submitted = headers.raw("auto-submitted").partition(";")[0].strip().lower()
    return (
        submitted not in ("", "no")
        or bool(headers.names() & {"x-autoreply", "x-autorespond", "x-autoresponse", "x-failed-recipients"})
        or has_word(headers.raw("precedence"), ("auto_reply", "auto-reply"))
        or ("return-path" in headers and headers.raw("return-path").replace(" ", "") == "<>")
        or any(_ROBOTS.match(a.address) for a in senders)
    )


def _is_urgent(headers: Headers) -> bool:
    return (
        headers.raw("x-priority")[:1] in ("1", "2")
        or headers.raw("importance").lower() == "high"
        or headers.raw("x-msmail-priority").lower() == "high"
        or headers.raw("priority").lower() == "urgent"
        or "F" in headers.raw("x-status")
        or "flagged" in headers.raw("x-keywords").lower()
        or _mozilla_flag(headers.raw("x-mozilla-status"))
    )


def _mozilla_flag(value: str) -> bool:
    """Thunderbird's hexadecimal status: bit 4 is the star."""
    try:
        return bool(int(value, 16) & 4)
    except ValueError:
        return False
