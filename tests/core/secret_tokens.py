"""Makes one token per family from parts, so that no token of a real shape stands in the repository."""

from __future__ import annotations

import base64
import random
import string
from collections.abc import Callable

Maker = Callable[[random.Random], str]

ALNUM = string.ascii_letters + string.digits
URL64 = ALNUM + "_-"
BASE64 = ALNUM + "+/"
HEX = "0123456789abcdef"
DIGITS = string.digits
UPPER = string.ascii_uppercase + string.digits
BECH = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"


def take(rnd: random.Random, letters: str, low: int, high: int = 0) -> str:
    return "".join(rnd.choice(letters) for _ in range(rnd.randint(low, high or low)))


def fixed(prefixes: str, letters: str, low: int, high: int = 0, end: str = "") -> Maker:
    return lambda rnd: rnd.choice(prefixes.split()).replace("~", "") + take(rnd, letters, low, high) + end


def b64(data: str) -> str:
    return base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")


def jwt(rnd: random.Random) -> str:
    head = b64('{"alg":"HS256","typ":"JWT"}')
    body = b64('{"sub":' + take(rnd, DIGITS, 9) + "}")
    return f"{head}.{body}.{take(rnd, URL64, 43)}"


def slack_user(rnd: random.Random) -> str:
    parts = [take(rnd, DIGITS, 10, 13) for _ in range(3)]
    return "-".join(["xo" + rnd.choice(["xp", "xe"]), *parts, take(rnd, ALNUM, 28, 34)])


def openai(rnd: random.Random) -> str:
    size = rnd.choice([58, 74])
    new = f"{take(rnd, URL64, size)}T3Blbk" + f"FJ{take(rnd, URL64, size)}"
    old = f"{take(rnd, ALNUM, 20)}T3Blbk" + f"FJ{take(rnd, ALNUM, 20)}"
    return "s" + rnd.choice(["k-proj-" + new, "k-svcacct-" + new, "k-admin-" + new, "k-" + old])


def discord(rnd: random.Random) -> str:
    return f"{b64(rnd.choice('3456789') + take(rnd, DIGITS, 17))}.{take(rnd, ALNUM, 6)}.{take(rnd, URL64, 27, 37)}x"


def one_password(rnd: random.Random) -> str:
    middle = rnd.choice(["6 5", "11"])
    parts = [take(rnd, UPPER, int(n)) for n in ["6", *middle.split(), "5", "5", "5"]]
    return "-".join(["A" + "3", *parts]) if rnd.random() < 0.7 else "ops" + "_eyJ" + take(rnd, URL64, 250, 400)


def notion(rnd: random.Random) -> str:
    new = "nt" + f"n_{take(rnd, DIGITS, 11)}{take(rnd, ALNUM, 35)}"
    return rnd.choice([new, "sec" + f"ret_aB3{take(rnd, ALNUM, 40)}"])


def vault(rnd: random.Random) -> str:
    mixed = "aB3" + take(rnd, ALNUM, 21)
    return rnd.choice(
        ["hv" + "s." + take(rnd, URL64, 90, 120), "hv" + "b." + take(rnd, URL64, 138, 200), "s" + "." + mixed]
    )


def grouped(rnd: random.Random) -> str:
    makers = [
        fixed("gs~k_", ALNUM, 52),
        fixed("r~8_", ALNUM, 37),
        fixed("pp~lx-", ALNUM, 48),
        fixed("xa~i-", ALNUM, 80),
    ]
    return rnd.choice(makers)(rnd)


def clouds(rnd: random.Random) -> str:
    makers = [
        fixed("sb~p_", HEX, 40),
        fixed("psca~le_tkn_", URL64, 32, 64),
        fixed("pu~l-", HEX, 40),
        fixed("dp.~pt.", ALNUM, 43),
    ]
    return rnd.choice(makers)(rnd)


def tools(rnd: random.Random) -> str:
    makers = [
        fixed("ph~x_", ALNUM, 43),
        lambda r: f"tsk{''}ey-auth-{take(r, ALNUM, 17)}-{take(r, ALNUM, 32)}",
        fixed("fig~d_", URL64, 40),
        lambda r: f"PM{''}AK-{take(r, HEX, 24)}-{take(r, HEX, 34)}",
    ]
    return rnd.choice(makers)(rnd)


def square(rnd: random.Random) -> str:
    makers = [fixed("sq0~atp-", URL64, 22), fixed("sq0~csp-", URL64, 43), fixed("EA~AA", URL64, 60)]
    return rnd.choice(makers)(rnd)


def pem(rnd: random.Random) -> str:
    kind = rnd.choice(["RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", ""])
    lines = "\n".join(take(rnd, BASE64, 64) for _ in range(rnd.randint(2, 25)))
    return (
        f"-----BEGIN {kind}PRIVATE" + f" KEY-----\n{lines}\n{take(rnd, BASE64, 20)}==\n-----END {kind}PRIVATE KEY-----"
    )


#: families whose token stands for itself
TOKENS: dict[str, Maker] = {
    "aws-access-key-id": fixed("AK~IA AS~IA AB~IA AC~CA A3~TX", string.ascii_uppercase + "234567", 16),
    "github-pat-classic": fixed("gh~p_", ALNUM, 36),
    "github-oauth/app/refresh": fixed("gh~o_ gh~u_ gh~s_ gh~r_", ALNUM, 36),
    "github-fine-grained": lambda r: f"github{''}_pat_{take(r, ALNUM, 22)}_{take(r, ALNUM, 59)}",
    "gitlab-pat": fixed("glp~at- gld~t- glr~t- glf~t- glso~at-", URL64, 20, 50),
    "slack-bot": lambda r: f"xo{''}xb-{take(r, DIGITS, 10, 13)}-{take(r, DIGITS, 10, 13)}-{take(r, ALNUM, 24)}",
    "slack-user": slack_user,
    "slack-app": lambda r: f"xa{''}pp-1-A{take(r, UPPER, 10)}-{take(r, DIGITS, 13)}-{take(r, HEX, 64)}",
    "slack-webhook": lambda r: (
        f"https://hooks.sl{''}ack.com/services/T{take(r, UPPER, 10)}/B{take(r, UPPER, 10)}/{take(r, ALNUM, 24)}"
    ),
    "openai": openai,
    "anthropic": fixed("sk-~ant-api03- sk-~ant-admin01-", URL64, 93, end="AA"),
    "google-api-key": fixed("AI~za", URL64, 35),
    "google-oauth-secret": fixed("GOC~SPX-", URL64, 28),
    "huggingface": fixed("h~f_ api~_org_", ALNUM, 34),
    "stripe": fixed("sk~_live_ rk~_live_ sk~_test_ rk~_prod_", ALNUM, 10, 99),
    "twilio": fixed("S~K A~C", HEX, 32),
    "sendgrid": lambda r: f"S{''}G.{take(r, URL64, 22)}.{take(r, URL64, 43)}",
    "mailgun": fixed("ke~y-", HEX, 32),
    "mailchimp": lambda r: f"{take(r, HEX, 32)}-{'us'}{take(r, '123456789', 1, 2)}",
    "npm": fixed("np~m_", ALNUM, 36),
    "pypi": fixed("pyp~i-AgEIcHlwaS5vcmc pyp~i-AgENdGVzdC5weXBpLm9yZw", URL64, 50, 300),
    "rubygems": fixed("ruby~gems_", HEX, 48),
    "jwt": jwt,
    "discord-bot": discord,
    "telegram-bot": lambda r: f"{take(r, '123456789', 8, 10)}{':A'}{take(r, URL64, 34)}",
    "notion": notion,
    "linear": fixed("lin~_api_", ALNUM, 40),
    "airtable-pat": lambda r: f"p{''}at{take(r, ALNUM, 14)}.{take(r, HEX, 64)}",
    "groq/replicate/perplexity/xai": grouped,
    "digitalocean": fixed("do~p_v1_ do~o_v1_ do~r_v1_", HEX, 64),
    "databricks": fixed("da~pi", HEX, 32),
    "shopify": fixed("shp~at_ shp~ca_ shp~pa_ shp~ss_", HEX, 32),
    "square": square,
    "azure-storage": lambda r: f"Account{''}Key={take(r, BASE64, 86)}==",
    "azure-ad-client-secret": lambda r: f"{take(r, ALNUM, 3)}{take(r, DIGITS, 1)}Q~{take(r, ALNUM + '_~.-', 30, 33)}x",
    "vault": vault,
    "grafana": lambda r: f"gl{''}sa_{take(r, ALNUM, 32)}_{take(r, HEX, 8)}",
    "sentry-user": fixed("sntr~yu_", HEX, 64),
    "supabase/planetscale/pulumi/doppler": clouds,
    "posthog/tailscale/figma/postman": tools,
    "age-secret": fixed("AGE-SECRET~-KEY-1", BECH, 58),
    "1password": one_password,
    "private-key-pem": pem,
}
