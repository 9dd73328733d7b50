"""The labelled turns and mails of tests/cases/gate, and what the gate says of each, as the pipeline would ask it.

Turns (`<language>.txt`), one a line: `keep`, `ack` (an acknowledgement, a greeting, laughter: drop) or `drop` (filler);
`ask` is what somebody else said just before. Mails: `mails.txt` as readers hand them over, `mails_raw.txt` as they
come; a block's title is `keep <name>` or `drop <reason> <name>`, with `unguarded` where no guard's name is meant.
Labels say what a person would want to find again. `held_out/` was set aside while the gate was mended.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from vaultmem.config import Settings
from vaultmem.core.ingest.entities import build_registry
from vaultmem.core.ingest.extract import find_mentions
from vaultmem.core.ingest.gate import judge
from vaultmem.core.ingest.headers import parse_parties
from vaultmem.core.ingest.salience import Turn, salient_turns
from vaultmem.core.notes.codec import message_passages, render_body
from vaultmem.model import Admission, Mention, Message, RawFile, SourceKind, SourceMessage
from vaultmem.providers.tokens import count_tokens
from vaultmem.sources.mail.message import read_eml

CASES = Path(__file__).parent / "cases" / "gate"
HELD_OUT = CASES / "held_out"
AT = datetime(2026, 5, 4, 10, tzinfo=UTC)
UNGUARDED = "unguarded"
_NOBODY = build_registry(())


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledTurn:
    """One line of a language's file."""

    language: str
    #: keep | ack | drop
    label: str
    #: what somebody else said just before; "" for nothing
    before: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledMail:
    """One block of a mail file."""

    title: str
    #: "" for a mail to keep; else the guard that has to stop it, or `unguarded`
    reason: str
    item: SourceMessage


@cache
def turns(folder: Path = CASES) -> tuple[LabelledTurn, ...]:
    found: list[LabelledTurn] = []
    for path in sorted(folder.glob("*.txt")):
        before = ""
        for line in path.read_text(encoding="utf-8").splitlines() if not path.stem.startswith("mails") else ():
            label, bar, text = (part.strip() for part in line.partition("|"))
            if not bar:
                continue
            if label != "ask":
                found.append(LabelledTurn(language=path.stem, label=label, before=before, text=text))
            before = text if label == "ask" else ""
    return tuple(found)


@cache
def mails(folder: Path = CASES) -> tuple[LabelledMail, ...]:
    found = []
    for path in sorted(folder.glob("mails*.txt")):
        for block in path.read_text(encoding="utf-8").split("=== ")[1:]:
            title, _, text = block.removesuffix("\n").partition("\n")
            verdict, _, rest = title.partition(" ")
            item = _raw_mail(text) if path.stem == "mails_raw" else _read_mail(text)
            found.append(LabelledMail(title=title, reason=rest.split()[0] if verdict == "drop" else "", item=item))
    return tuple(found)


def _raw_mail(text: str) -> SourceMessage:
    head = "Date: Mon, 04 May 2026 10:00:00 +0000\n"
    head += "" if "\nContent-Type:" in text.partition("\n\n")[0] else "Content-Type: text/plain; charset=utf-8\n"
    raw = RawFile(name="mail.eml", data=(head + text).encode(), modified_at=AT)
    return next(item for item in read_eml(raw, Settings()).items if isinstance(item, SourceMessage))


def _read_mail(text: str) -> SourceMessage:
    lines, heads = text.split("\n"), {}
    while lines and lines[0].split(":")[0] in ("From", "Subject", "Cues", "Attachment"):
        name, _, value = lines.pop(0).partition(": ")
        heads[name] = value
    return SourceMessage(
        message=Message(
            sent_at=AT, author=heads["From"], text="\n".join(lines), subject=heads.get("Subject", "")
        ),
        source_id="mail:x", tree_scope="box", title="box", provider="other_email",
        cues=frozenset(heads.get("Cues", "").split()),
        attachments=tuple(heads.get("Attachment", "").split()),
        parties=tuple((p.name, p.address, "from") for p in parse_parties(heads["From"])),
    )  # fmt: skip


def said(text: str, author: str = "Ann", **more: object) -> SourceMessage:
    """A chat message as a reader hands it over."""
    fields = {"source_id": "c", "tree_scope": "c", "title": "c", "provider": "whatsapp", **more}
    return SourceMessage(message=Message(sent_at=AT, author=author, text=text), **fields)  # type: ignore[arg-type]


def mentions_in(kind: SourceKind, items: tuple[SourceMessage, ...]) -> tuple[Mention, ...]:
    body = render_body(kind, [item.message for item in items])
    return find_mentions(message_passages(kind, body), kind=kind, registry=_NOBODY)


def judged(kind: SourceKind, *items: SourceMessage, me: tuple[str, ...] = ()) -> Admission:
    """The gate's word on a chunk of these messages: its note's body is rendered, counted and searched for names."""
    body = render_body(kind, [item.message for item in items])
    return judge(
        kind=kind, provider=items[0].provider, messages=items, body=body, token_count=count_tokens(body),
        mentions=mentions_in(kind, items), cues=frozenset().union(*(item.cues for item in items)), me=me,
    )  # fmt: skip


def stopped(turn: LabelledTurn) -> str:
    """Why a turn would not be kept, "" when it is: of a turn after another one, whether it asserts something."""
    if not turn.before:
        return judged("chat", said(turn.text)).reason
    pair = [Turn(author="Bob", text=turn.before), Turn(author="Ann", text=turn.text)]
    return "" if salient_turns(pair)[1] else "not_salient"
