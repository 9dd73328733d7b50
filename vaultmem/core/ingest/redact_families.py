"""The table of token families: what a vendor's secret looks like, and the literal that betrays it.

A rule is tried only where its literal stands, so a text without secrets costs one fast search per literal. Shapes end
in a fixed count and swallow the rest of the run: a longer token of a new format goes whole, a closing `_` stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

#: families that are no single token; the finders of redact_places and redact_assignments name them
PRIVATE_KEY = "private-key-pem"
URL_PASSWORD = "url-basic-auth"  # noqa: S105
HEADER = "authorization-header"
ASSIGNMENT = "keyword-assignment"
PERSONAL = "otpauth/wifi/recovery"
AWS_SECRET = "aws-secret-key"  # noqa: S105
DISCORD = "discord-bot"
JWT = "jwt"

_ALNUM = "[0-9A-Za-z]"
_URL64 = "[0-9A-Za-z_-]"
_HEX = "[0-9a-f]"
_WORD = "[0-9A-Za-z_]"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRule:
    """One shape of a family."""

    family: str
    #: the literal that must stand in the text
    hint: str
    #: matched where the hint starts, less `lead`
    pattern: str
    #: characters of the shape before the hint
    lead: int = 0
    #: no ASCII letter or digit may stand before it
    alone: bool = False
    #: besides letters of one case, the shape needs digits and both cases
    mixed: bool = False
    #: of no fixed length: a line of the same below may belong to it
    open: bool = False

    @property
    def shape(self) -> re.Pattern[str]:
        """`pattern`, made when the literal is met for the first time: most texts have none of a hundred."""
        return _compiled(self.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _tail_rule(family: str, lead: str, width: int, hint: str, body: str, *, alone: bool = False) -> TokenRule:
    """A shape whose literal stands `width` characters after its start."""
    return TokenRule(family=family, hint=hint, pattern=f"{lead}{re.escape(hint)}{body}", lead=width, alone=alone)


def _exactly(letters: str, count: int) -> str:
    """`count` letters, and what else of the run ends in a letter or digit."""
    return f"{letters}{{{count}}}(?:{letters}*{_ALNUM})?"


def _family(
    name: str, hints: str, body: str, *, alone: bool = False, mixed: bool = False, endless: bool = False
) -> tuple[TokenRule, ...]:
    return tuple(
        TokenRule(family=name, hint=hint, pattern=re.escape(hint) + body, alone=alone, mixed=mixed, open=endless)
        for hint in hints.split()
    )


_AFTER = "(?![0-9A-Za-z])"
_AWS_BODY = f"[0-9A-Z]{{16}}{_AFTER}"
_SLACK_BODY = f"(?=[0-9A-Za-z%+/=._-]{{0,40}}[0-9]{{4}}){_exactly('[0-9A-Za-z%+/=._-]', 20)}"
_HOOK_PATH = f"(?:services|workflows|triggers)/{_exactly('[0-9A-Za-z+/_-]', 30)}"
_DOPPLER_BODY = f"(?:[a-z0-9_-]{{2,35}}\\.)?{_exactly(_ALNUM, 40)}"
_TAILSCALE_BODY = f"(?:auth|api|client|scim|webhook)-[0-9A-Za-z]{{6,}}-{_exactly(_ALNUM, 16)}"
_CLOUDS = "supabase/planetscale/pulumi/doppler"
_TOOLS = "posthog/tailscale/figma/postman"

RULES: tuple[TokenRule, ...] = (
    *_family("aws-access-key-id", "AKIA ASIA ABIA ACCA", _AWS_BODY, alone=True),
    *_family("aws-access-key-id", "A3T", f"[0-9A-Z]{_AWS_BODY}", alone=True),
    *_family("github-pat-classic", "ghp_", _exactly(_ALNUM, 36)),
    *_family("github-oauth/app/refresh", "gho_ ghu_ ghs_ ghr_", _exactly(_ALNUM, 36)),
    *_family("github-fine-grained", "github_pat_", _exactly(_WORD, 60), endless=True),
    *_family(
        "gitlab-pat",
        "glpat- gldt- glrt- glft- glsoat- glptt- glcbt- glimt- glagent- gloas- glffct-",
        f"{_exactly(_URL64, 20)}(?:\\.[0-9a-z]{{2}}\\.?[0-9a-z]{{7,9}})?",
        endless=True,
    ),
    *_family("slack-bot", "xoxb-", _SLACK_BODY, endless=True),
    *_family("slack-user", "xoxp- xoxe- xoxe. xoxa- xoxr- xoxs- xoxo- xoxc- xoxd-", _SLACK_BODY, endless=True),
    *_family("slack-app", "xapp-", f"[0-9]-A{_ALNUM}{{6,}}-[0-9]{{6,}}-{_exactly(_HEX, 64)}"),
    *_family("slack-webhook", "https://hooks.slack.com/ hooks.slack.com/", _HOOK_PATH, endless=True),
    *_family("openai", "sk-proj- sk-svcacct- sk-admin- sk-None-", _exactly(_URL64, 40), endless=True),
    *_family("openai", "sk-or-v1-", _exactly(_HEX, 64), endless=True),
    *_family("openai", "sk-", f"{_exactly(_ALNUM, 32)}", alone=True, endless=True),
    *_family("anthropic", "sk-ant-", f"[0-9a-z]{{3,12}}-{_exactly(_URL64, 40)}", endless=True),
    *_family("google-api-key", "AIza", _exactly(_URL64, 35), alone=True),
    *_family("google-oauth-secret", "GOCSPX-", _exactly(_URL64, 28)),
    *_family("huggingface", "hf_", _exactly(_ALNUM, 34), alone=True),
    *_family("huggingface", "api_org_", _exactly(_ALNUM, 34)),
    *_family("stripe", "sk_live_ sk_test_ sk_prod_", _exactly(_ALNUM, 10), alone=True, endless=True),
    *_family("stripe", "rk_live_ rk_test_ rk_prod_", _exactly(_ALNUM, 10), alone=True, endless=True),
    *_family("stripe", "whsec_", _exactly("[0-9A-Za-z+/]", 32), endless=True),
    *_family("twilio", "SK AC", f"(?:{_HEX}{{32}}|[0-9A-F]{{32}}){_AFTER}", alone=True),
    *_family("sendgrid", "SG.", f"{_URL64}{{16,24}}\\.{_exactly(_URL64, 43)}", alone=True),
    *_family("mailgun", "key-", f"{_HEX}{{32}}{_AFTER}", alone=True),
    _tail_rule("mailchimp", f"{_HEX}{{32}}", 32, "-us", f"[0-9]{{1,2}}{_AFTER}(?!-)", alone=True),
    *_family("npm", "npm_", _exactly(_ALNUM, 36), alone=True),
    *_family("pypi", "pypi-AgE", _exactly(_URL64, 50), endless=True),
    *_family("rubygems", "rubygems_", _exactly(_HEX, 48)),
    *(
        _tail_rule("telegram-bot", f"(?<![0-9])[0-9]{{{n}}}", n, ":A", _exactly(_URL64, 34))
        for n in (10, 9, 8)
    ),
    *_family("notion", "ntn_", f"[0-9]{{11}}{_exactly(_ALNUM, 35)}", alone=True),
    *_family("notion", "secret_", f"{_ALNUM}{{43}}{_AFTER}", alone=True, mixed=True),
    *_family("linear", "lin_api_ lin_oauth_", _exactly(_ALNUM, 40)),
    *_family("airtable-pat", "pat", f"{_ALNUM}{{14}}\\.{_exactly(_HEX, 64)}", alone=True),
    *_family("groq/replicate/perplexity/xai", "gsk_", _exactly(_ALNUM, 52), alone=True),
    *_family("groq/replicate/perplexity/xai", "r8_", _exactly(_ALNUM, 37), alone=True),
    *_family("groq/replicate/perplexity/xai", "pplx-", _exactly(_ALNUM, 48), alone=True),
    *_family("groq/replicate/perplexity/xai", "xai-", _exactly(_WORD, 80), alone=True),
    *_family("digitalocean", "dop_v1_ doo_v1_ dor_v1_", _exactly(_HEX, 64)),
    *_family("databricks", "dapi", f"{_HEX}{{32}}(?:-[0-9]{{1,2}})?{_AFTER}", alone=True),
    *_family("shopify", "shpat_ shpca_ shppa_ shpss_", _exactly("[0-9A-Fa-f]", 32)),
    *_family("square", "sq0atp-", _exactly(_URL64, 22)),
    *_family("square", "sq0csp-", _exactly(_URL64, 43)),
    *_family("square", "EAAA", _exactly(_URL64, 60), alone=True),
    *_family("azure-storage", "AccountKey=", "[0-9A-Za-z+/]{86}={0,2}"),
    _tail_rule(
        "azure-ad-client-secret", "[0-9A-Za-z_~.]{3}[0-9]", 4, "Q~", "[0-9A-Za-z_~.-]{30,33}[0-9A-Za-z~-]", alone=True
    ),
    *_family("vault", "hvs. hvb. hvr.", _exactly(_URL64, 80), endless=True),
    *_family("vault", "s.", f"{_ALNUM}{{24}}{_AFTER}(?![._-]?{_ALNUM})", alone=True, mixed=True),
    *_family("grafana", "glsa_", f"{_ALNUM}{{32}}_{_exactly('[0-9A-Fa-f]', 8)}"),
    *_family("grafana", "glc_", f"{_exactly('[0-9A-Za-z+/]', 32)}={{0,3}}", endless=True),
    *_family("sentry-user", "sntryu_", _exactly(_HEX, 64)),
    *_family("sentry-user", "sntrys_eyJ", f"{_exactly('[0-9A-Za-z+/=_]', 80)}", endless=True),
    *_family(_CLOUDS, "sbp_", _exactly(_HEX, 40), alone=True),
    *_family(_CLOUDS, "pscale_tkn_ pscale_pw_ pscale_oauth_", _exactly("[0-9A-Za-z_=.-]", 32), endless=True),
    *_family(_CLOUDS, "pul-", _exactly(_HEX, 40), alone=True),
    *_family(_CLOUDS, "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", _DOPPLER_BODY, alone=True),
    *_family(_TOOLS, "phx_", _exactly(_ALNUM, 43), alone=True),
    *_family(_TOOLS, "tskey-", _TAILSCALE_BODY, endless=True),
    *_family(_TOOLS, "figd_", _exactly(_URL64, 40)),
    *_family(_TOOLS, "PMAK-", f"[0-9A-Fa-f]{{24}}-{_exactly('[0-9A-Fa-f]', 34)}"),
    *_family("age-secret", "AGE-SECRET-KEY-1", _exactly("[0-9A-Z]", 58)),
    *_family("age-secret", "age-secret-key-1", _exactly("[0-9a-z]", 58)),
    *_family("1password", "A3-", f"[0-9A-Z]{{6}}(?:-[0-9A-Z]{{5,11}}){{4,6}}{_AFTER}", alone=True, endless=True),
    *_family("1password", "ops_eyJ", f"{_exactly(_URL64, 200)}={{0,2}}", endless=True),
)  # fmt: skip

#: every family, in the order of the table: of two that claim the same text, the earlier one names it
FAMILIES: tuple[str, ...] = tuple(
    dict.fromkeys(
        [
            PRIVATE_KEY,
            *(rule.family for rule in RULES),
            JWT,
            DISCORD,
            AWS_SECRET,
            PERSONAL,
            URL_PASSWORD,
            HEADER,
            ASSIGNMENT,
        ]
    )
)
