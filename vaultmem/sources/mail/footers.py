"""Lines that a machine puts under a mail: list footers, unsubscribe links. Whole lines only, near the end only.

A word inside a sentence never makes a footer: "please unsubscribe Bob from the list" is a letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Lines from the end in which a footer may begin.
_REACH = 25
_LINK = r"(?:\s*[(<\[]{0,2}(?:https?://|mailto:)\S+[)>\]]{0,2})?"
_WHOLE = re.compile(
    r"^[\s*_\[|>-]*(?:"
    r"unsubscribe(?: (?:here|from this list|from these emails|instantly))?|"
    r"manage (?:your )?(?:preferences|subscriptions?|notifications)|"
    r"(?:update|email|change) (?:your )?(?:email )?preferences|"
    r"view (?:this email )?in (?:your )?(?:a )?(?:web )?browser|"
    r"view (?:it )?online|privacy policy|terms of (?:use|service)|"
    r"abmelden|newsletter abbestellen|abbestellen|im browser ansehen|impressum|datenschutz(?:erklärung)?|"
    r"se désabonner|se désinscrire|voir dans le navigateur|darse de baja|cancelar (?:la )?suscripción|"
    r"ver en el navegador|"
    r"annulla iscrizione|disiscriviti|afmelden|uitschrijven|cancelar inscrição|avregistrera|avmeld|peruuta tilaus|"
    r"wypisz się|odhlásit|отписаться|配信停止|退订|退訂|구독 취소"
    rf")[\s*_\]|.!]*{_LINK}[\s*_.)]*$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:_{20,}|-{20,})?\s*(?:"
    r"you received this message because you are subscribed to the google groups? .*|"
    r"to unsubscribe from this group and stop receiving emails from it, send an email to .*|"
    r"(?:sent|gesendet|envoyé|enviado|inviato|verzonden|skickat|sendt|lähetetty|odesláno|wysłano|отправлено) "
    r"(?:from|von|depuis|desde|da|vanaf|från|fra|z|с) (?:my|meinem?|mon|mi|mio|mijn|min|mého|moj\w*|мо\w+) .{2,40}|"
    r"get outlook for (?:ios|android).*|iphone(?:から送信|에서 보냄)"
    r")$",
    re.IGNORECASE,
)
_MAILMAN = re.compile(r"^_{30,}$")
_LIST_LINE = re.compile(
    r"^\S.{0,80}(?:mailing list|--? \S+@\S+)|^https?://\S+/(?:listinfo|lists)/\S*$|^\S+@\S+$|^to unsubscribe send .*$",
    re.IGNORECASE,
)


def is_footer_line(line: str) -> bool:
    """True for a line that no person wrote as part of the letter."""
    bare = line.strip()
    return len(bare) < 300 and bool(_WHOLE.match(bare) or _OPENING.match(bare))


def without_footer(text: str) -> str:
    """The text without list footers and bare unsubscribe lines at its end; all of it when nothing would be left."""
    lines = text.split("\n")
    end = _mailman(lines)
    while end and (not lines[end - 1].strip() or (len(lines) - end < _REACH and is_footer_line(lines[end - 1]))):
        end -= 1
    kept = "\n".join(lines[:end]).rstrip()
    return kept if kept.strip() else text


def _mailman(lines: Sequence[str]) -> int:
    """Where a mailing list's own footer begins, or the end: a rule, then only lines about the list."""
    for i in range(max(0, len(lines) - 8), len(lines)):
        if _MAILMAN.match(lines[i]):
            below = [line for line in lines[i + 1 :] if line.strip()]
            if below and all(_LIST_LINE.match(line.strip()) for line in below):
                return i
    return len(lines)
