"""The signals `sent`, `reply`, `dm` and `mention` in the notes of chats and mails, from the file to the frontmatter."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import yaml

from tests.vaults import Box

ME = "me: [Cleo Hart, cleo@example.org]\n"
WHATSAPP = """\
[04.05.26, 10:00:00] Bob Ash: The pump is broken again, who has the spare part?
[04.05.26, 10:05:00] Cleo Hart: I have it, it lies in the boat house.
"""
GROUP = """\
04/05/2026, 10:00 - Bob Ash: Who has the spare part for the pump?
04/05/2026, 10:05 - Eve Lund: I think @Cleo Hart took it home last week.
04/05/2026, 10:06 - Max Roe: Then we have to wait until Friday.
"""
USERS = [
    {"id": "U01", "name": "cleo", "real_name": "Cleo Hart", "profile": {"real_name": "Cleo Hart"}},
    {"id": "U02", "name": "bob", "real_name": "Bob Ash", "profile": {"real_name": "Bob Ash"}},
]


def signals(box: Box) -> dict[str, set[str]]:
    """source_id -> the interaction facts among its notes' signals."""
    found: dict[str, set[str]] = {}
    for path, data in box.notes().items():
        if path.startswith("wiki/raw/"):
            head = yaml.safe_load(data.decode().split("---\n")[1])
            names = {line.split()[0] for line in head["signals"]}
            found.setdefault(head["source_id"], set()).update(names & {"sent", "reply", "dm", "mention"})
    return found


def mail(sender: str, to: str, subject: str, text: str, *more: str) -> str:
    date = "Date: Mon, 04 May 2026 10:00:00 +0000"
    return "\n".join([f"From: {sender}", f"To: {to}", f"Subject: {subject}", date, *more, "", text, ""])


def test_whatsapp(tmp_path: Path) -> None:
    box = Box(tmp_path, config=ME)
    box.write("WhatsApp Chat with Bob Ash.txt", WHATSAPP)
    box.write("WhatsApp Chat with Boat club.txt", GROUP)
    box.sync()
    assert signals(box) == {"whatsapp:Bob Ash": {"sent", "dm"}, "whatsapp:Boat club": {"mention"}}


def test_slack(tmp_path: Path) -> None:
    box = Box(tmp_path, config=ME)
    rooms = {
        "boats": [("U02", "1777888800.000100", "", "Ask <@U01> for the key of the shed, please.")],
        "yard": [("U02", "1777888800.000200", "", "Which paint shall we take for the hull?"),
                 ("U02", "1777888900.000300", "1777888800.000200", "The grey one is sold out.")],
        "D0123456789": [("U01", "1777888800.000400", "", "I pay the crane tomorrow.")],
    }  # fmt: skip
    files: dict[str, object] = {
        "users.json": USERS,
        "channels.json": [{"id": "C1", "name": "boats"}, {"id": "C2", "name": "yard"}],
        "dms.json": [{"id": "D0123456789", "members": ["U01", "U02"]}],
    }
    for room, said in rooms.items():
        files[f"{room}/2026-05-04.json"] = [
            {"type": "message", "user": user, "ts": stamp, "text": text} | ({"thread_ts": thread} if thread else {})
            for user, stamp, thread, text in said
        ]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, json.dumps(content))
    box.write("export.zip", packed.getvalue())
    box.sync()
    found = signals(box)
    assert found.pop("slack:boats") == {"mention"}
    assert found.pop("slack:yard") == {"reply"}
    assert list(found.values()) == [{"sent", "dm"}]


def test_mail(tmp_path: Path) -> None:
    box = Box(tmp_path, config=ME)
    cleo, bob, eve = "Cleo Hart <cleo@example.org>", "Bob <bob@example.org>", "Eve <eve@example.org>"
    box.write("a.eml", mail(bob, cleo, "Keys", "The keys are with the harbour master.", "Message-ID: <a@x>"))
    box.write("b.eml", mail(cleo, bob, "Paint", "I have ordered the grey paint for the hull.", "Message-ID: <b@x>"))
    answer = ("Message-ID: <c@x>", "In-Reply-To: <z@x>", "References: <z@x>")
    box.write("c.eml", mail(bob, eve, "Re: Crane", "The crane comes on Friday at nine.", *answer))
    box.write("d.eml", mail(bob, eve, "Shed", "Cleo Hart has the key of the shed.", "Message-ID: <d@x>"))
    box.write("e.eml", mail(bob, eve, "Hull", "The hull has to be painted in May.", "Message-ID: <e@x>"))
    box.sync()
    found = signals(box)
    assert found == {
        "mail:a@x": {"dm", "mention"},
        "mail:b@x": {"sent"},
        "mail:z@x": {"reply"},
        "mail:d@x": {"mention"},
        "mail:e@x": set(),
    }
