"""How much memory a large mailbox takes, and how fast it comes in, beside Python's own `mailbox` on the same file.

    python -m tests.bench.mailbox               200 MB
    python -m tests.bench.mailbox --mb 2048     2 GB

The mailbox is made up, as people's are: letters in threads with the history quoted below, pages of shops, and files
that are sent along. It stands in a temporary folder (three times its size must be free) and is removed afterwards.
Ends 1 when the product takes 400 MB or more.
"""

from __future__ import annotations

import argparse
import base64
import json
import mailbox
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

from tests.bench.chatter import PEOPLE, sentence
from tests.vaults import REPO, Box

LIMIT_MB = 400
_MB = 1 << 20
#: of a hundred mails: letters, then pages; the rest carry a file
_LETTERS, _PAGES = 70, 90
_REPLIES = 4


def mails(chance: random.Random) -> Iterator[bytes]:
    """Mails without end, each with its border line."""
    at = datetime(2019, 1, 7, 8, tzinfo=UTC)
    number = 0
    while True:
        thread, history = number, ""
        for reply in range(chance.randrange(1, _REPLIES + 1)):
            at += timedelta(minutes=chance.randrange(1, 90))
            text = "\n\n".join(" ".join(sentence(chance) for _ in range(4)) for _ in range(chance.randrange(1, 6)))
            who = chance.choice(PEOPLE)
            yield _mail(chance, number, thread, reply, who, at, text, history)
            quoted = "\n".join(f"> {line}" for line in f"{text}\n\n{history}".splitlines()[:60])
            history = f"On {at:%a, %d %b %Y at %H:%M}, {who} <{_address(who)}> wrote:\n{quoted}\n"
            number += 1


def _address(name: str) -> str:
    return f"{name.split()[0].lower()}@example.com"


def _mail(
    chance: random.Random, number: int, thread: int, reply: int, who: str, at: datetime, text: str, history: str
) -> bytes:
    other = PEOPLE[(PEOPLE.index(who) + 1 + number) % len(PEOPLE)]
    subject = f"{'Re: ' if reply else ''}{chance.choice(('Offer', 'Dates', 'Lens', 'Minutes'))} {thread}"
    head = [
        f"From {_address(who)} {at:%a %b %d %H:%M:%S %Y}",
        f"From: {who.encode('ascii', 'ignore').decode()} <{_address(who)}>",
        f"To: {_address(other)}",
        f"Subject: {subject}",
        f"Date: {format_datetime(at)}",
        f"Message-ID: <{number}@mail.example.com>",
        "MIME-Version: 1.0",
    ]
    if reply:
        head += [f"In-Reply-To: <{number - 1}@mail.example.com>", f"References: <{thread}@mail.example.com>"]
    kind = chance.randrange(100)
    plain = f"{text}\n\n{history}".replace("\nFrom ", "\n>From ")
    if kind < _LETTERS:
        head += ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit"]
        return "\n".join([*head, "", plain, "", ""]).encode()
    border = f"=_{number:032x}"
    head.append(f'Content-Type: multipart/{"alternative" if kind < _PAGES else "mixed"}; boundary="{border}"')
    parts = ["", f"--{border}", "Content-Type: text/plain; charset=utf-8", "", plain, f"--{border}"]
    if kind < _PAGES:
        cells = "".join(f'<tr><td style="padding:0 4px;color:#333">{sentence(chance)}</td></tr>\n' for _ in range(80))
        parts += [
            "Content-Type: text/html; charset=utf-8",
            "",
            f"<html><body><p>{text}</p><table>{cells}</table></html>",
        ]
    else:
        data = base64.encodebytes(chance.randbytes(chance.randrange(20_000, 300_000))).decode()
        parts += [
            f'Content-Type: application/octet-stream; name="plan {number}.dwg"',
            "Content-Transfer-Encoding: base64",
            f'Content-Disposition: attachment; filename="plan {number}.dwg"',
            "",
            data,
        ]
    return "\n".join([*head, *parts, f"--{border}--", "", ""]).encode()


def write_mailbox(path: Path, size: int) -> int:
    """A mailbox of that many bytes; how many mails it holds."""
    written = count = 0
    with path.open("wb") as file:
        for mail in mails(random.Random(19)):
            written += file.write(mail)
            count += 1
            if written >= size:
                break
    return count


def run(arguments: list[str], environ: dict[str, str], output: Path) -> tuple[float, float, float]:
    """Wall seconds, CPU seconds and peak memory in MB of a child process, pages of mapped files included."""
    started = time.perf_counter()
    with output.open("wb") as out:
        child = subprocess.Popen([sys.executable, *arguments], stdout=out, cwd=REPO, env={**os.environ, **environ})
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, f"{arguments} ended {child.returncode}"
    unit = 1 if sys.platform == "darwin" else 1024
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / _MB


def iterate(path: str) -> None:
    """What Python's own module does: parse every mail, read who wrote it and what."""
    count = 0
    for message in mailbox.mbox(path, create=False):
        count += bool(message["From"])
        for part in message.walk():
            if part.get_content_maintype() == "text":
                part.get_payload(decode=True)
    print(json.dumps({"messages": count}))


def main() -> None:
    """Make the mailbox, read it both ways, print a table."""
    parser = argparse.ArgumentParser(description="A large mailbox: memory and messages a second.")
    parser.add_argument("--mb", type=int, default=200, help="size of the mailbox (default 200; 2048 for 2 GB)")
    parser.add_argument("--iterate", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.iterate:
        iterate(asked.iterate)
        return
    with tempfile.TemporaryDirectory(prefix="vaultmem-mailbox-") as folder:
        sys.exit(measure(Path(folder), asked.mb))


def measure(folder: Path, size_mb: int) -> int:
    """The table; 1 when the limit is passed."""
    path, output = folder / "Everything.mbox", folder / "output.json"
    count = write_mailbox(path, size_mb * _MB)
    print(f"a mailbox of {path.stat().st_size / _MB:.0f} MB, {count} mails", flush=True)
    plain = run(["-m", "tests.bench.mailbox", "--iterate", str(path)], {}, output)
    assert json.loads(output.read_bytes())["messages"] == count
    _show("Python's mailbox, parsed and decoded", count, plain)
    box = Box(folder)
    arguments = ["-m", "vaultmem", "--vault", str(box.root), "ingest", str(path), "--json"]
    ours = run(arguments, dict(box.environ), output)
    report = json.loads(output.read_bytes())["files"][0]
    assert report["outcome"] == "imported", report["outcome"]
    assert report["messages"] == count, report["messages"]
    _show("vaultmem ingest, to the last job", count, ours)
    print(f"  {report['chunks']} notes; {ours[1] / plain[1]:.1f} x the CPU of Python's mailbox")
    print(f"  peak memory {ours[2]:.0f} MB, limit {LIMIT_MB} MB: {'ok' if ours[2] < LIMIT_MB else 'TOO MUCH'}")
    return int(ours[2] >= LIMIT_MB)


def _show(name: str, count: int, spent: tuple[float, float, float]) -> None:
    wall, cpu, peak = spent
    print(f"  {name:<40}{count / wall:8.0f} messages/s{wall:9.1f} s{cpu:9.1f} s CPU{peak:8.0f} MB", flush=True)


if __name__ == "__main__":
    main()
