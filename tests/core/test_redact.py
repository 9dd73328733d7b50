"""Secrets go, whatever surrounds them; what only looks like one stays; doing it twice changes nothing."""

from __future__ import annotations

import base64
import json
import random
import re
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.core.secret_tokens import ALNUM, BASE64, TOKENS, URL64, jwt, pem, take
from vaultmem.core.ingest.redact import families, redact
from vaultmem.core.ingest.scrub import scrub_value

SAMPLES = Path(__file__).parents[2] / "../shared/samples"
CASES = Path(__file__).parents[1] / "cases/redact"
MARK = re.compile(r"\[redacted:([a-z0-9/-]+)\]")
SEEDS = range(20)

CONTEXTS: dict[str, Callable[[str], str]] = {
    "bare": lambda t: t,
    "backticks": lambda t: f"use `{t}` now",
    "fence": lambda t: f"```\n{t}\n```\n",
    "json": lambda t: json.dumps({"k": t, "n": 1}),
    "json in json": lambda t: json.dumps({"body": json.dumps({"k": t})}),
    "env": lambda t: f'export KEY="{t}"\nOTHER=1\n',
    "table": lambda t: f"| prod | {t} |\n|---|---|\n",
    "tight table": lambda t: f"|prod|{t}|",
    "link target": lambda t: f"[docs]({t})",
    "angle": lambda t: f"<{t}>",
    "cjk": lambda t: f"密钥是{t}请保密",
    "thai": lambda t: f"รหัส{t}ครับ",
    "kana": lambda t: f"キーは{t}です。",
    "sentence": lambda t: f"I gave you {t}. Keep it!",
    "comma": lambda t: f"first {t}, then more",
    "quoted mail": lambda t: "\n".join(f"> {line}" for line in t.split("\n")) + "\nOh no.",
    "indented": lambda t: "\n".join(f"    {line}" for line in t.split("\n")) + "\n",
    "url query": lambda t: f"https://example.org/x?k={t}&y=2",
    "percent": lambda t: f"https://example.org/x?k%3D{urllib.parse.quote(t, safe='')}%26y%3D2",
    "bold": lambda t: f"**{t}**",
    "underscores": lambda t: f"_{t}_",
    "colon": lambda t: f"key:{t};",
    "chat": lambda t: f"Bo: here you go {t}, delete later",
    "zero width": lambda t: f"\u200b{t[:7]}\u200b{t[7:]}\ufeff x",
    "markdown escapes": lambda t: re.sub(r"([_~*])", r"\\\1", f"see {t} ok"),
    "html": lambda t: f"<td>{t.replace('=', '&#61;').replace('/', '&#x2F;')}</td>",
    "crlf": lambda t: f"a\r\n{t}\r\nb".replace("\r\n", "\n").replace("\n", "\r\n"),
}
EXACT_ONLY = {
    "zero width",
    "markdown escapes",
    "html",
    "percent",
    "json",
    "json in json",
    "quoted mail",
    "indented",
    "crlf",
}


def leaks(text: str, secret: str) -> bool:
    """Some 12 letters in a row of the secret are still there."""
    bare = re.sub(r"[\u200b\ufeff\\]", "", MARK.sub("\x00", text))
    lines = [line for line in secret.split("\n") if not line.startswith("-----")]
    return any(line[i : i + 12] in bare for line in lines for i in range(max(1, len(line) - 12)))


@pytest.mark.parametrize("seeds", [8, pytest.param(100, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("family", TOKENS)
def test_a_token_goes_in_every_context(family: str, seeds: int) -> None:
    for context in CONTEXTS:
        for seed in range(seeds):
            check(family, context, seed)


def check(family: str, context: str, seed: int) -> None:
    token = TOKENS[family](random.Random(f"{family}{seed}"))
    text = CONTEXTS[context](token)
    result = redact(text)
    assert not leaks(result.text, token), (context, seed, result.text)
    assert token not in result.text, context
    if seed < 4:
        assert redact(result.text).text == result.text, context
    if context not in EXACT_ONLY and context != "cjk":
        before, after = text.split(token)
        assert result.text.startswith(before), result.text
        assert result.text.endswith(after), result.text
        assert set(result.removed) == {family}, context


@pytest.mark.parametrize("family", ["github-pat-classic", "npm", "stripe", "jwt"])
def test_a_token_that_is_half_bold_goes(family: str) -> None:
    token = TOKENS[family](random.Random(family))
    for cut in (9, 15, 20):
        text = f"x {token[:cut]}**{token[cut:]}** y"
        assert redact(text).text == f"x [redacted:{family}]** y"
        assert redact(f"x **{token[:cut]}****{token[cut:]}** y").text == f"x **[redacted:{family}]** y"


@pytest.mark.parametrize(
    "family", sorted(set(TOKENS) - {"private-key-pem", "mailchimp", "telegram-bot", "twilio", "discord-bot"})
)
def test_a_token_cut_by_a_line_end_goes(family: str) -> None:
    for seed in SEEDS:
        rnd = random.Random(f"{family}{seed}")
        token = TOKENS[family](rnd)
        at = rnd.randint(len(token) // 2, len(token) - 8) if len(token) > 30 else len(token) // 2
        for joint in ("\n", "\n> ", "\n    ", "\\\n", "\\\r\n"):
            result = redact(f"here: {token[:at]}{joint}{token[at:]}\nbye")
            assert token[at:] not in result.text or not result.removed, result.text
            assert result.removed, (token, result.text)
            assert "bye" in result.text


def test_every_family_of_the_table_is_known() -> None:
    named = {"url-basic-auth", "authorization-header", "keyword-assignment", "otpauth/wifi/recovery", "aws-secret-key"}
    assert set(families()) == set(TOKENS) | named


def test_the_samples() -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the shared samples are not here")
    text = base64.b64decode((SAMPLES / "secrets.txt.b64").read_bytes()).decode()
    rows = yaml.safe_load(base64.b64decode((SAMPLES / "secrets.expected.yaml.b64").read_bytes()))
    lines = text.split("\n")
    result = redact(text)
    for row in rows:
        if row["must"] == "redact":
            assert row["text"] not in result.text, row["id"]
        if row["must"] == "keep":
            assert row["text"] in result.text, row["id"]
            assert lines[row["line"] - 1] in result.text.split("\n")
    expected = {row["family"] for row in rows if row["must"] == "redact"}
    assert set(result.removed) == expected


def cases() -> list[Path]:
    return sorted(CASES.glob("*.txt"))


@pytest.mark.parametrize("path", cases(), ids=lambda p: p.stem)
def test_case(path: Path, update: bool) -> None:
    given_text, _, expected = path.read_text(encoding="utf-8").partition("\n=====\n")
    actual = redact(given_text.replace("~~~", "")).text
    if update:
        path.write_text(f"{given_text}\n=====\n{actual}\n", encoding="utf-8")
    else:
        assert actual == expected.rstrip("\n")
    assert redact(actual).text == actual


def kept() -> list[str]:
    return [line for line in (CASES / "keep.list").read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize("line", kept())
def test_a_look_alike_stays(line: str) -> None:
    assert redact(line).text == line
    assert redact(f"before\n{line}\nafter").text == f"before\n{line}\nafter"


def gone() -> list[str]:
    return [line for line in (CASES / "gone.list").read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize("line", gone())
def test_a_value_goes_and_its_line_stays(line: str) -> None:
    """In the list ⟦…⟧ stands around the secret part."""
    secrets = re.findall("⟦(.*?)⟧", line)
    text = line.replace("⟦", "").replace("⟧", "").replace("⏎", "\n")
    expected = MARK.sub("#", re.sub("⟦.*?⟧", "#", line)).replace("⏎", "\n")
    result = redact(text)
    assert MARK.sub("#", result.text) == expected, result.text
    assert sum(result.removed.values()) == len(secrets)
    assert redact(result.text).text == result.text


def test_a_key_block_goes_whole_in_any_coat() -> None:
    block = pem(random.Random(7))
    key_lines = block.split("\n")[1:-1]
    coats = {
        "json": json.dumps({"key": block, "after": "kept"}),
        "one line": block.replace("\n", " ") + " kept",
        "yaml": "key: |\n" + "\n".join(f"  {line}" for line in block.split("\n")) + "\nnext: kept",
        "twice quoted": "\n".join(f"> > {line}" for line in block.split("\n")) + "\nkept",
        "cut off": block.rpartition("\n-----END")[0] + "\n\nSo that was the key, kept",
        "string list": "\n".join(f'  "{line}\\n"' for line in block.split("\n")) + "\nkept",
        "pgp": f"-----BEGIN PGP PRIVATE KEY {'BLOCK'}-----\nVersion: GnuPG v2\n\n" + "\n".join(key_lines)
        + "\n=aB3d\n-----END PGP PRIVATE KEY BLOCK-----\nkept",
        "encrypted": block.replace("-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n", 1)
        + "\nkept",
    }  # fmt: skip
    for name, text in coats.items():
        result = redact(text)
        assert not any(line[:30] in result.text for line in key_lines), (name, result.text)
        assert "kept" in result.text, name
        assert result.removed == {"private-key-pem": 1}, name
        assert redact(result.text).text == result.text


def test_public_blocks_stay() -> None:
    rnd = random.Random(3)
    body = "\n".join(take(rnd, BASE64, 64) for _ in range(9)) + "\n" + take(rnd, BASE64, 40)
    for kind in ("PUBLIC KEY", "RSA PUBLIC KEY", "CERTIFICATE", "PGP PUBLIC KEY BLOCK"):
        text = f"secret stuff\n-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n"
        assert redact(text).text == text
    image = f"![x](data:image/png;base64,{take(rnd, BASE64, 300_000)}=)"
    assert redact(f"the secret key image {image}").text == f"the secret key image {image}"


def test_aws_secrets_go_only_near_their_word() -> None:
    rnd = random.Random(5)
    for _ in SEEDS:
        value = "aB3/" + take(rnd, BASE64, 36)
        for text in (
            f"aws_secret_access_key = {value}",
            f"AWS secret: `{value}`",
            f"Access key ID,Secret access key\nx,{value}",
        ):
            assert value not in redact(text).text, text
        assert value in redact(f"the run {value} alone").text


@given(st.text())
def test_any_text_survives_unharmed_and_twice_is_once(text: str) -> None:
    result = redact(text)
    assert redact(result.text).text == result.text
    assert len(MARK.findall(result.text)) - len(MARK.findall(text)) == sum(result.removed.values())


PIECES = st.sampled_from([
    "password", ": ", "=", "token", "secret", "\n", "> ", " ", '"', "'", "`", "[redacted:npm]", "[redacted:",
    "]", "://", "@", ":", "a:b@c.de", "api_key", "Authorization: ", "Bearer ", "curl -u ", "-----BEGIN ",
    "PRIVATE KEY-----", "-----END ", "Tr0ub4dor&3", "\\", "\\n", "%3D", "\u200b", "是", "密码", "**", "| ", ";",
    "&", "?", "--", "WIFI:P:", "otpauth://x?secret=", "is ", "for x", "Cookie: session=", "x",
    *(make(random.Random(family)) for family, make in TOKENS.items()),
])  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_mixture_of_hints_is_stable(text: str) -> None:
    result = redact(text)
    again = redact(result.text)
    assert again.text == result.text
    assert not again.removed
    assert len(MARK.findall(result.text)) - len(MARK.findall(text)) == sum(result.removed.values())


HOSTILE = (
    "a", "-----BEGIN", "-----BEGIN RSA PRIVATE KEY-----\n", "://", "eyJ", "eyJaaaaaaaaaa.", "_eyJ", "ghp_",
    "password", "password:", "password: ", 'password="', "key-", "%2", "\\", "&a", "\u200b", "[redacted:",
    "a:b@", "://a:b@c", "token \n", "authorization: ", "curl -u ", "cookie: a=", "wifi:P:a;",
    "otpauth://?secret=", "password for ", "0123456789abcdef", "ghp_abcd\n", "password: (", "密码", ";base64,",
    "> ", "SG.", "s.", "recovery codes: abc1abc1", "| password |\n|---|\n| a |\n", "-", "password\n---|---\n",
)  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_time_is_linear_on_hostile_text(part: str) -> None:
    def cost(size: int) -> float:
        text = part * (size // len(part))
        began = time.process_time()
        redact(text)
        return time.process_time() - began

    cost(1000)
    small, large = cost(6_000), cost(30_000)
    assert large < max(30 * small, 0.25)


def test_a_dummy_stays() -> None:
    for dummy in ("gh" + "p_" + "x" * 36, "AK" + "IA" + "X" * 16, "sk_" + "live_" + "0" * 24):
        assert redact(f"use {dummy} here").text == f"use {dummy} here"


def test_long_random_runs_without_a_word_stay() -> None:
    rnd = random.Random(11)
    for letters in (ALNUM, URL64, "0123456789abcdef"):
        run = f"x{take(rnd, letters, 100)}"
        assert redact(f"see {run} there").text == f"see {run} there"
    assert jwt(rnd) not in redact(jwt(rnd)).text


def test_a_large_text_is_looked_at_again_only_around_its_marks() -> None:
    prose = "Nothing to see in this line, which is as plain as lines are.\n" * 2000
    token = TOKENS["npm"](random.Random(1))
    text = f"{prose}a {token} b\n{prose}password: {token}x\n{prose}"
    result = redact(text)
    assert result.removed == {"npm": 2}
    assert redact(result.text).text == result.text


FIELDS = ("api_key", "apiKey", "token", "password", "secret", "client_secret", "accessToken")
SECRETS = ("abc", "blue", "please ask Bob about it", "I love you.", "expired", "12345", 12345, 87, "userPassword",
           "https://example.com/a", 'a"b\\c', "今日は", "aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Qgb2Yga2V5")  # fmt: skip
OTHER_FIELDS = (
    "token_budget",
    "password_policy",
    "max_tokens",
    "token_count",
    "secretary",
    "tokenizer",
    "password_hint",
)


@pytest.mark.parametrize("key", FIELDS)
@pytest.mark.parametrize("nested", [0, 1, 2])
def test_the_value_of_a_field_goes_whatever_it_looks_like(key: str, nested: int) -> None:
    for value in SECRETS if not nested else [value for value in SECRETS if value != 'a"b\\c']:
        text = json.dumps({"user": "kim", key: value, "n": 5}, ensure_ascii=False)
        for _ in range(nested):
            text = json.dumps({"body": text, "m": [1]}, ensure_ascii=False)
        result = redact(text)
        assert result.removed == {"keyword-assignment": 1}, result.text
        assert "kim" in result.text
        assert redact(result.text).text == result.text
        if isinstance(value, str) and value.isalnum():
            assert value not in result.text
        assert scrub_value({"a": {key: value}, "n": 5}) == {"a": {key: "[redacted:keyword-assignment]"}, "n": 5}
        assert scrub_value({key: [value, value]}) == {key: ["[redacted:keyword-assignment]"] * 2}


@pytest.mark.parametrize("value", ["x", "none", "password", "string", ["one", "two words"], ["hunter2"]])
def test_in_a_field_of_that_name_the_value_goes_whatever_it_looks_like(value: object) -> None:
    for key in FIELDS:
        text = json.dumps({"outer": [{key: value, "n": 5}]})
        found = redact(text).text
        went = json.loads(found)["outer"][0][key]
        assert went in ("[redacted:keyword-assignment]", ["[redacted:keyword-assignment]"])
        assert json.loads(found)["outer"][0]["n"] == 5
        assert redact(found).text == found


@pytest.mark.parametrize("value", [None, True, "", "${TOKEN}", "<token>", "***", "changeme"])
def test_what_stands_for_a_value_stays(value: object) -> None:
    for key in FIELDS:
        text = json.dumps({key: value, "n": 5})
        assert redact(text).text == text
        assert scrub_value({key: value}) == {key: value}


def test_other_fields_and_prose_about_secrets_stay() -> None:
    random_text = take(random.Random(2), BASE64, 44)
    for key in OTHER_FIELDS:
        for value in ("at least twelve", 4096, None):
            text = json.dumps({key: value})
            assert redact(text).text == text
            assert scrub_value({key: value}) == {key: value}
    for text in ("the token budget is 4096", "Our password policy: none", json.dumps({"data": random_text})):
        assert redact(text).text == text
    assert random_text not in redact(json.dumps({"data": 1, "secret": random_text})).text


def test_nesting_has_an_end() -> None:
    deep: object = "blue"
    for _ in range(5000):
        deep = {"password": [deep]}
    assert "blue" not in json.dumps(scrub_value(deep))
    text = "blue"
    for _ in range(3):
        text = json.dumps({"password": text})
    assert "blue" not in redact(text).text
    redact("[" * 20_000 + '"password": "blue"' + "]" * 20_000)
