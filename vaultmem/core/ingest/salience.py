"""Which turns of a chat assert something. Errs towards keeping: what is not understood asserts.

A turn is empty only when the WHOLE of it is made of acknowledgements, greetings, bare commands, laughter, emoji or a
placeholder for left-out media (`salience_words`, `courtesy_words`). An accept or reject answers: after a question or a
proposal by somebody else, or as a reply to a message that is not at hand, it is a decision and asserts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from vaultmem.core.ingest import courtesy_words
from vaultmem.core.ingest import salience_words as words

#: A turn longer than this says something, whatever it is made of.
_MAX_EMPTY_CHARS = 160
#: What a stretch of phrases amounts to (bits): something of the lists that is no filler; an answer.
_SAID = 1
_ANSWER = 2

_MARK = re.compile("[\u0300-\u036f\u064b-\u065f\u0670\u0640]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
_SIGNS = "\u0591-\u05c7\u0610-\u061a\u0900-\u0963\u0966-\u0dff"
_UNSPACED = "\u0e00-\u0eff\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[+-]1(?!\w)|[{_UNSPACED}]|(?:(?![{_UNSPACED}])[\w{_SIGNS}])+")
_STRETCHED = re.compile(r"(\w)\1{2,}")
_DOUBLED_END = re.compile(r"(?<=\w)(\w)\1$")
#: Korean syllables that say a plain ending in a cute way.
_CUTE = {"당": "다", "닷": "다", "용": "요", "욤": "요", "염": "요", "여": "요", "웡": "워", "옹": "오"}
_LONG_VOWEL = re.compile("[ー〜~～]+")
#: Shorter words are one letter away from too many others.
_MIN_SWAPPED = 5
_MIN_SHORTENED = 6
_HANDLE = re.compile(r"(?<!\w)@[\w.\-]+")
_SMILEY = re.compile(r"(?<!\w)(?:[:;=8x]['’]?-?[)(\]\[dpo3*/|\\]+|<3+|</3|\^_*\^|-_+-|t_t|:'?\()(?!\w)", re.IGNORECASE)
_SHORTCODE = re.compile(r":[a-z0-9_+\-]+:")
_ACCEPT_CODE = re.compile(r":(?:\+1|thumbsup|white_check_mark|heavy_check_mark|ok_hand|ok)(?:\w*):")
_REJECT_CODE = re.compile(r":(?:-1|thumbsdown|x|no_entry\w*|no_good):")
_ANSWER_EMOJI = frozenset("👍👌✅✔☑🙆🆗👎❌🙅🚫🫡")

_MEDIA_FILE = re.compile(
    r"<?(?:attached: ?)?[\w .()+\-]{1,120}\.(?:jpe?g|png|webp|gif|heic|mp4|mov|3gp|opus|ogg|m4a|mp3|aac|amr|was)"
    r"(?: ?\([^()\d]{3,40}\))?>?",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"<[^<>\d@/:]{3,80}>")
_TAPBACK = re.compile(
    r"(?:liked|loved|laughed at|emphasi[sz]ed|disliked|questioned|reacted .{1,12} to|removed an? \w+ from)"
    r" [“\"‘'].{1,2000}[”\"’']",
    re.IGNORECASE | re.DOTALL,
)

_HARD = re.compile(
    r"\d|[$€£¥₹₽₩₿]|https?://|www\.|\w@\w|(?<!\w)@\w|(?<!\w)#\w|`"
    r"|[一二三四五六七八九十百千万两零][点點月日号號块塊元岁歲个個年楼樓室分米]"
)
_DECISION = re.compile(
    r"(?<!\w)(?:approved?|agreed|accepted|rejected|declined|denied|confirmed?|cancel(?:led|ed)?|decided?|decision|ship(?:ped)?"
    r"|use|quit|resign(?:ed)?|said|says|moved?|postponed?|delayed|deadline|due|must|never|always|yes|buy|sold|sell|paid|pay"
    r"|call|send|sent|sign(?:ed)?|fix(?:ed)?|deploy(?:ed)?|merged?|rollback|revert(?:ed)?|hired?|fired|works|failed|broken|launch(?:ed)?"
    r"|genehmigt|abgelehnt|bestatigt|abgesagt|storniert|verschoben|entschieden|beschlossen|gekundigt|zugesagt|approuve|accepte"
    r"|refuse|annule|confirme|decide|reporte|aprobado|rechazado|confirmado|cancelado|decidido|aprovado|recusado|adiado|approvato"
    r"|rifiutato|confermato|annullato|deciso|rinviato|goedgekeurd|afgewezen|bevestigd|geannuleerd|besloten|verzet|zatwierdzone"
    r"|odrzucone|potwierdzone|anulowane|przelozone|onaylandi|reddedildi|iptal|ertelendi|karar)(?!\w)"
)
_LETTER_BEYOND_LATIN = re.compile(r"(?![\u00aa-\u024f\u1e00-\u1eff])[^\W\d_a-z]")
_CAPITAL_INSIDE = re.compile(r"(?<=\w )[^\W\d_a-z](?<=[A-ZÀ-ÞĀ-Ž])\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message of a chat, as far as salience looks at it."""

    author: str
    text: str
    #: the platform's own id; "" where there is none
    native_id: str = ""
    #: id of the turn this one answers; "" for none
    reply_to: str = ""
    #: joins, calls, pins: never an assertion
    system: bool = False


def salient_turns(turns: Sequence[Turn]) -> tuple[bool, ...]:
    """For each turn, whether it asserts something."""
    names = frozenset(token for turn in turns for token in _TOKEN.findall(_plain(turn.author)) if len(token) > 1)
    by_id = {turn.native_id: turn for turn in turns if turn.native_id}
    result: list[bool] = []
    before: Turn | None = None
    other: Turn | None = None
    for turn in turns:
        if before is not None and before.author != turn.author:
            other = before
        said = None if turn.system else _meaning(turn.text, names)
        result.append(not turn.system and (said is None or (said & _ANSWER > 0 and _asked(turn, other, by_id))))
        before = before if turn.system else turn
    return tuple(result)


def is_hard(text: str) -> bool:
    """True when the text holds a number, an amount, a date, an address, a link, a handle or code."""
    return _HARD.search(unicodedata.normalize("NFKC", text)) is not None


#: From so many words on, a text that is no acknowledgement says something.
_SENTENCE_WORDS = 4


def says_little(text: str) -> bool:
    """True for a few words with nothing to hold on to: no number, date, address, decision, name, unknown script."""
    if _meaning(text, frozenset()) is not None:
        return True
    if is_hard(text):
        return False
    plain = _plain("\n".join(line for line in text.splitlines() if not line.startswith("#")))
    if len(_TOKEN.findall(plain)) >= _SENTENCE_WORDS:
        return False
    plain = _plain(text)
    return not (_DECISION.search(plain) or _LETTER_BEYOND_LATIN.search(plain) or _CAPITAL_INSIDE.search(text))


def _asked(turn: Turn, other: Turn | None, by_id: dict[str, Turn]) -> bool:
    """True when what this turn answers is a question or a proposal of somebody else, or cannot be seen."""
    if turn.reply_to:
        target = by_id.get(turn.reply_to)
        if target is None or (target.author != turn.author and _asks(target.text)):
            return True
    return other is not None and _asks(other.text)


def _asks(text: str) -> bool:
    """A question mark anywhere, or the words of a question or a proposal."""
    if re.search("[?？؟;]\\s*$|[?？؟]", text):
        return True
    plain = _plain(text).strip(" .!…。！")
    return any(_asking().search(sentence.strip()) for sentence in re.split(r"[.!\n。！,，]", plain))


def _meaning(text: str, names: Collection[str]) -> int | None:
    """None when the turn asserts; else the bits of what its empty phrases amount to."""
    left = _without_placeholders(text)
    if len(left) > _MAX_EMPTY_CHARS:
        return None
    plain, answer = _without_signs(_plain(left))
    spellings = {" ".join(_TOKEN.findall(spelling)): None for spelling in _spellings(plain)}
    if "" in spellings:
        return _SAID | answer
    # Filler alone is no acknowledgement: "that one" answers, "it is for you" asserts.
    good = [mask for spelling in spellings for mask in _decompose(spelling.split(), names) if mask & _SAID]
    return max(good) | answer if good else None


def _spellings(plain: str) -> tuple[str, ...]:
    """The text, and with drawn out vowels of Japanese let go (すごーい is すごい) or written out (ありがとー)."""
    if not _LONG_VOWEL.search(plain):
        return (plain,)
    return plain, _LONG_VOWEL.sub("", plain), _LONG_VOWEL.sub("う", plain)


def _without_placeholders(text: str) -> str:
    """The lines that are no stand-in for media, deleted text or a reaction."""
    whole = _INVISIBLE.sub("", text).strip()
    if _TAPBACK.fullmatch(whole):
        return ""
    return "\n".join(line for line in whole.split("\n") if not _is_placeholder(line.strip()))


def _is_placeholder(line: str) -> bool:
    if len(line) > _MAX_EMPTY_CHARS:
        return False
    bare = _plain(line).strip("<>()[]{}.。! *_")
    return bare in _placeholders() or bool(_BRACKETED.fullmatch(line) or _MEDIA_FILE.fullmatch(line))


def _without_signs(plain: str) -> tuple[str, int]:
    """The text without emoji, smileys, shortcodes and handles; and _ANSWER if one of them says yes or no."""
    answer = bool(_ACCEPT_CODE.search(plain) or _REJECT_CODE.search(plain) or _ANSWER_EMOJI & set(plain))
    for pattern in (_SHORTCODE, _SMILEY, _HANDLE):
        plain = pattern.sub(" ", plain)
    return plain, _ANSWER if answer else 0


def _decompose(tokens: Sequence[str], names: Collection[str]) -> set[int]:
    """What the turn can amount to if it is made of listed phrases from end to end; empty if it is not."""
    reached: list[set[int]] = [set() for _ in range(len(tokens) + 1)]
    reached[0].add(0)
    for at, masks in enumerate(reached[:-1]):
        if masks:
            for end, mask in _phrases_from(tokens, at, names):
                reached[end] |= {mask | earlier for earlier in masks}
    return reached[-1]


def _phrases_from(tokens: Sequence[str], at: int, names: Collection[str]) -> Iterator[tuple[int, int]]:
    """(end, bits) of every listed phrase that starts at this token."""
    if tokens[at] in names:
        yield at + 1, 0
    if _laughs().fullmatch(tokens[at]):
        yield at + 1, _SAID
    nodes = [_phrases()]
    for end in range(at, len(tokens)):
        nodes = [node[form] for node in nodes for form in _forms(tokens[end]) if form in node]
        if not nodes:
            return
        yield from ((end + 1, node[""]) for node in nodes if "" in node)


@lru_cache(maxsize=4096)
def _forms(token: str) -> tuple[str, ...]:
    """The token as it may be meant: "yesss" is yes, "coool" cool, "okk" ok, "thnaks" and "thnks" thanks, 당 다."""
    found = [token]
    if _STRETCHED.search(token):
        found += [_STRETCHED.sub(r"\1", token), _STRETCHED.sub(r"\1\1", token)]
    found += [_DOUBLED_END.sub(r"\1", token), _CUTE.get(token, token), *_misspelt().get(token, ())]
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1)
def _misspelt() -> dict[str, tuple[str, ...]]:
    """Typing errors of single-word courtesies: two neighbours swapped, or one letter inside left out."""
    single = {p.strip() for block in (courtesy_words.ACK, courtesy_words.GREET) for p in _plain(block).split(";")}
    found: dict[str, tuple[str, ...]] = {}
    for word in sorted(word for word in single if len(word) >= _MIN_SWAPPED and word.isalpha()):
        wrong = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
        if len(word) >= _MIN_SHORTENED:
            wrong |= {word[:at] + word[at + 1 :] for at in range(1, len(word))}
        for spelling in wrong - {word}:
            found[spelling] = (*found.get(spelling, ()), word)
    return found


def _plain(text: str) -> str:
    """The spelling in which turns and lists are compared."""
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold().replace("’", "'")
    bare = _MARK.sub("", unicodedata.normalize("NFD", folded))
    return unicodedata.normalize("NFC", bare)


@lru_cache(maxsize=1)
def _phrases() -> dict[str, Any]:
    """All lists as one trie over tokens; the entry "" of a node holds the bits of the phrase that ends there."""
    root: dict[str, Any] = {}
    for block, bits in (
        (words.FILLER, 0),
        (courtesy_words.ACK, _SAID),
        (courtesy_words.GREET, _SAID),
        (words.COMMAND, _SAID),
        (words.ACCEPT, _SAID | _ANSWER),
        (words.REJECT, _SAID | _ANSWER),
    ):
        for phrase in _plain(block).split(";"):
            node = root
            for token in _TOKEN.findall(phrase):
                node = node.setdefault(token, {})
            if node is not root:
                node[""] = node.get("", 0) | bits
    return root


@lru_cache(maxsize=1)
def _placeholders() -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in _plain(words.PLACEHOLDERS).split(";")) | {""}


@lru_cache(maxsize=1)
def _laughs() -> re.Pattern[str]:
    return re.compile(_plain(words.LAUGHS))


@lru_cache(maxsize=1)
def _asking() -> re.Pattern[str]:
    return re.compile(_plain(words.ASKS))
