"""Words that hint at no rule spare a text the rules. Whatever the rules find, some word of the text hints at it."""

from __future__ import annotations

import random

import pytest

from tests.core.secret_tokens import ALNUM, TOKENS, take
from tests.core.test_redact import CONTEXTS
from vaultmem.core.ingest import redact as module
from vaultmem.core.ingest.redact import secrets_in
from vaultmem.core.ingest.redact_keywords import STEMS
from vaultmem.core.ingest.redact_tokens import RULES

_GAPS = (
    "",
    "",
    " ",
    "\n",
    "\n> ",
    "\r\n",
    "\\\n",
    "=\n",
    "\x0b",
    "\u2028",
    "\u200b",
    "**",
    "%41",
    "\t",
    "|",
    ": ",
    "=",
)
_STARTS = (
    "https://user:", "://", "@host.org/x", "curl -u ann:", "-U ", "--proxy-user=", "Authorization: Basic ", "bearer ",
    "Cookie: sid=", "otpauth://totp/x?secret=", "WIFI:S:x;P:", "Recovery codes:\n", "códigos de recuperación: ",
    "ab12-cd34 ef56-ab78", "seed words: ", "seedphrase: ", "mnemonic: ", "apple banana cherry grape melon",
    "-----BEGIN RSA PRIVATE KEY-----\n", "-----BEGIN PRıVATE KEY-----\n", "Private-Lines: 3\n", "eyJ", "ey", ".",
    "| name | password |\n|---|---|\n| ann | ", "111111-" * 7 + "222222", "aws ", "discord ", "[redacted:jwt]", "s.",
)  # fmt: skip


def _text(rnd: random.Random) -> str:
    def piece() -> str:
        kind = rnd.randrange(7)
        if kind == 0:
            return rnd.choice(RULES).hint
        if kind == 1:
            return rnd.choice(STEMS).text
        if kind == 2:
            return take(rnd, ALNUM + "_-", 1, 45)
        token = rnd.choice(list(TOKENS.values()))(rnd)
        if kind == 3:
            return rnd.choice(list(CONTEXTS.values()))(token)
        if kind == 4:
            at = rnd.randrange(len(token))
            return token[:at] + rnd.choice(_GAPS) + token[at:]
        return rnd.choice(_STARTS)

    return "".join(piece() + rnd.choice(_GAPS) for _ in range(rnd.randint(1, 6)))


def test_no_hint_hides_what_the_rules_find(monkeypatch: pytest.MonkeyPatch) -> None:
    rnd = random.Random(20261130)
    texts = [_text(rnd) for _ in range(2500)]
    found = [secrets_in(text) for text in texts]
    monkeypatch.setattr(module, "_hints_in", lambda words: (1 << 6) - 1)
    assert [secrets_in(text) for text in texts] == found
    assert sum(map(bool, found)) > 800


def test_prose_meets_no_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(module, "bare_view", never)
    monkeypatch.setattr(module, "view_of", never)
    text = "On 2026-05-01 [[Note 12]] says: the river, 3,000 m long (by #area/4), froze — „schön“!\n- [ ] see it\n"
    assert secrets_in(text) == ()
