"""Hands on a vault: a person, an editor, a sync program, a power cut and a wrong clock, all from one seed."""

from __future__ import annotations

import os
import random
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from tests.vaults import Box

FOLDERS = ("", "Journal", "Work/deep", "Ünï")
NAMES = (
    "Plan", "plan", "Heron", "Bo Stone", "Jürgen", unicodedata.normalize("NFD", "Jürgen"), "🐘", "°", "a b", "a-b",
    "a_b", "2026-04-21", "x" * 150, "con", "No 1", "Zoë",
)  # fmt: skip
THINGS = ("boat", "ferry", "lease", "anchor", "sail", "budget", "harbour", "mast", "lamp", "permit")
HEADS = (
    "", "", "", "---\ntags: [sea/boat, plan]\naliases: [Grey Bird, GB]\n---\n", "---\ncreated: 2026-03-0{digit}\n---\n",
    "---\na: [broken\n---\n", "---\na: 1\na: 2\n---\n", "---\nrelated: \"[[Heron]]\"\n---\n",
)  # fmt: skip
#: Ours, or hidden: what a person's own notes stand outside of.
OURS = ("wiki/", "entities/", "inbox/", ".")


class Hands:
    """What they did stands in `log`, newest last."""

    def __init__(self, box: Box, seed: int) -> None:
        self.box = box
        self.chance = random.Random(seed)
        self.log: list[str] = []
        self.words = 0
        self.said = 0
        self._stamp = 1_600_000_000
        #: path -> bytes, of what was deleted
        self._trash: dict[str, bytes] = {}
        self.now = datetime(2026, 6, 1, 12, 0)

    # --- what they see ---------------------------------------------------------------------------------------------

    def own(self) -> list[str]:
        """The notes of the person's own, by their names on disk."""
        tops = [path for path in self.box.root.iterdir() if not f"{path.name}/".startswith((*OURS, "Shelf/"))]
        found = [each for top in tops for each in (top.rglob("*.md") if top.is_dir() else [top])]
        paths = [path.relative_to(self.box.root).as_posix() for path in found if path.is_file()]
        return sorted(path for path in paths if path.endswith(".md") and not path.startswith("."))

    def made(self, *folders: str) -> list[str]:
        """Notes that vaultmem made, below these folders."""
        found = [path for folder in folders for path in (self.box.root / folder).rglob("*.md")]
        return sorted(path.relative_to(self.box.root).as_posix() for path in found)

    def one_of(self, paths: list[str]) -> str:
        return self.chance.choice(paths) if paths else ""

    # --- one move ---------------------------------------------------------------------------------------------------

    def move(self) -> None:
        """Something happens."""
        kinds = list(MOVES)
        kind = self.chance.choices(kinds, weights=[MOVES[each] for each in kinds])[0]
        what = getattr(self, kind)()
        self.log.append(f"{len(self.log)} {kind}: {what}")

    def _word(self) -> str:
        self.words += 1
        return f"w{self.words}q"

    def text(self) -> str:
        """A note with a word that no other has."""
        chance = self.chance
        parts = [chance.choice(HEADS).replace("{digit}", str(chance.randint(1, 9)))]
        for _ in range(chance.randint(1, 4)):
            thing, other = chance.choice(THINGS), chance.choice(NAMES[:6])
            parts.append(
                f"The {thing} {self._word()} of [[{other}]] costs {chance.randint(2, 90)} euros. #sea/{thing}\n"
            )
        return chance.choice(("\n", "\r\n")).join("\n".join(parts).split("\n"))

    def _put(self, path: str, data: bytes, *, at_once: bool = False) -> None:
        """Save, as an editor does: in place, or by a rename, with the time of the save on it from the first."""
        target = self.box.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        self._stamp += 1
        fresh = target if at_once else target.with_name(".saving~")
        fresh.write_bytes(data)
        os.utime(fresh, (self._stamp, self._stamp))
        if fresh != target:
            fresh.replace(target)

    def _free(self) -> str:
        folder, name = self.chance.choice(FOLDERS), self.chance.choice(NAMES)
        number = self.chance.choice(("", "", f" v{self.chance.randint(1, 60)}"))
        return f"{folder}/{name}{number}.md".lstrip("/")

    # --- the person's own notes ------------------------------------------------------------------------------------

    def write_in_place(self) -> str:
        path = self.one_of(self.own()) if self.chance.random() < 0.5 else self._free()
        self._put(path or "Plan.md", self.text().encode(), at_once=True)
        return path

    def save_by_rename(self) -> str:
        path = self.one_of(self.own()) or self._free()
        self._put(path, self.text().encode())
        return path

    def save_as_vim(self) -> str:
        path = self.one_of(self.own())
        if path:
            backup = self.box.root / f"{path}~"
            (self.box.root / path).rename(backup)
            self._put(path, self.text().encode(), at_once=True)
            backup.unlink()
        return path

    def save_something_odd(self) -> str:
        path, text = self.one_of(self.own()) or self._free(), self.text()
        odd = (b"", b"\0\0\0", text.encode("utf-16"), b"\xef\xbb\xbf" + text.encode(), text.encode()[: len(text) // 2])
        self._put(path, self.chance.choice(odd), at_once=self.chance.random() < 0.5)
        return path

    def edit_one_line(self) -> str:
        path = self.one_of(self.own())
        if path:
            data = (self.box.root / path).read_bytes()
            # no editor writes UTF-8 into a file of UTF-16
            spelling = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "latin-1"
            lines = data.decode(spelling, "replace").split("\n")
            lines.insert(self.chance.randrange(len(lines) + 1), f"Also {self._word()}.")
            self._put(path, "\n".join(lines).encode(spelling), at_once=self.chance.random() < 0.5)
        return path

    def touch(self) -> str:
        path = self.one_of(self.own())
        if path:
            self._stamp += 1
            os.utime(self.box.root / path, (self._stamp, self._stamp))
        return path

    def rename(self) -> str:
        return self._renamed(self.one_of(self.own()), self._free())

    def _renamed(self, old: str, new: str) -> str:
        if not old or (self.box.root / new).exists():
            return ""
        (self.box.root / new).parent.mkdir(parents=True, exist_ok=True)
        (self.box.root / old).rename(self.box.root / new)
        return f"{old} -> {new}"

    def swap(self) -> str:
        one, other = self.one_of(self.own()), self.one_of(self.own())
        if one and one != other:
            here, there, aside = self.box.root / one, self.box.root / other, self.box.root / "aside"
            here.rename(aside)
            there.rename(here)
            aside.rename(there)
        return f"{one} <-> {other}"

    def change_case(self) -> str:
        old = self.one_of(self.own())
        folder, slash, name = old.rpartition("/")
        return self._renamed(old, f"{folder}{slash}{name.removesuffix('.md').swapcase()}.md")

    def change_spelling(self) -> str:
        old = self.one_of([path for path in self.own() if not path.isascii()])
        form = "NFD" if unicodedata.is_normalized("NFC", old) else "NFC"
        return self._renamed(old, unicodedata.normalize(form, old))  # type: ignore[arg-type]

    def rename_folder(self) -> str:
        folder = self.chance.choice(FOLDERS[1:])
        new = f"{folder}{self.chance.randint(1, 3)}"
        if (self.box.root / folder).is_dir() and not (self.box.root / new).exists():
            (self.box.root / folder).rename(self.box.root / new)
        return f"{folder} -> {new}"

    def copy(self) -> str:
        path, new = self.one_of(self.own()), self._free()
        if path and not (self.box.root / new).exists():
            self._put(new, (self.box.root / path).read_bytes())
        return f"{path} -> {new}"

    def delete(self) -> str:
        return self._delete(self.one_of(self.own()))

    def _delete(self, path: str) -> str:
        if path:
            self._trash[path] = (self.box.root / path).read_bytes()
            (self.box.root / path).unlink()
        return path

    def restore(self) -> str:
        path = self.one_of(sorted(self._trash))
        if path and not (self.box.root / path).exists():
            self._put(path, self._trash.pop(path))
        return path

    # --- what vaultmem made ----------------------------------------------------------------------------------------

    def _edit(self, path: str, change: Callable[[str], str]) -> str:
        if path:
            text = (self.box.root / path).read_bytes().decode()
            if (after := change(text)) != text:
                self._put(path, after.encode())
        return path

    def edit_a_chunk(self) -> str:
        word = self._word()
        return self._edit(
            self.one_of(self.made("wiki/raw", "Shelf")),
            lambda text: re.sub(r"\bThe (\w+)", rf"The {word} \1", text, count=1),
        )

    def judge_a_chunk(self) -> str:
        status = self.chance.choice(("admitted", "dropped"))
        return self._edit(
            self.one_of(self.made("wiki/raw", "Shelf")),
            lambda text: re.sub(r"^memory_status: \w+$", f"memory_status: {status}", text, flags=re.MULTILINE),
        )

    def delete_a_chunk(self) -> str:
        return self._delete(self.one_of(self.made("wiki/raw", "Shelf")))

    def shelve_a_chunk(self) -> str:
        old = self.one_of(self.made("wiki/raw"))
        return self._renamed(old, f"Shelf/{old.rpartition('/')[2]}") if old else ""

    def edit_a_summary(self) -> str:
        word = self._word()
        return self._edit(
            self.one_of(self.made("wiki/summaries")),
            lambda text: re.sub(r"^(# .*)$", rf"\1\n\nMy own {word}.", text, count=1, flags=re.MULTILINE),
        )

    def delete_a_summary(self) -> str:
        return self._delete(self.one_of(self.made("wiki/summaries")))

    def edit_an_entity(self) -> str:
        name = f"Nick {self.chance.choice(THINGS)} {self.chance.randint(1, 3)}"
        return self._edit(
            self.one_of(self.made("entities")),
            lambda text: re.sub(r"^aliases:(?: \[\])?$", f"aliases:\n  - {name}", text, count=1, flags=re.MULTILINE),
        )

    def delete_an_entity(self) -> str:
        return self._delete(self.one_of([path for path in self.made("entities") if "Review" not in path]))

    def write_on_a_page(self) -> str:
        return self._edit(self.one_of(self.made("wiki/sources", "wiki/topics")), lambda text: f"{text}\nMine.\n")

    # --- from outside ----------------------------------------------------------------------------------------------

    def drop(self) -> str:
        """A chat that has grown, or a document that is another now."""
        self.said += self.chance.randint(1, 4)
        if self.chance.random() < 0.6:
            name = f"WhatsApp Chat with {self.chance.choice(('Yard', 'Crew'))}.txt"
            text = "\n".join(
                f"{1 + n % 28:02d}/0{1 + n // 28 % 5}/2026, 09:{n % 60:02d} - {('Ann', 'Bo Stone')[n % 2]}: The"
                f" {THINGS[n % 10]} d{n}q of [[Heron]] was paid with {n + 20} euros on pier {n % 7}."
                for n in range(self.said)
            )
        else:
            name = f"Lease {self.chance.randint(1, 3)}.md"
            text = "# Lease\n\n" + "\n\n".join(
                f"The {self.chance.choice(THINGS)} in part {n} costs {self.chance.randint(100, 120)} euros."
                for n in range(6)
            )
        self._put(f"inbox/{name}", text.encode())
        return name

    def jump_in_time(self) -> str:
        self.now += timedelta(days=self.chance.choice((-40, -1, 0, 1, 8, 40)), hours=self.chance.randint(-12, 12))
        self.box.environ = {**self.box.environ, "VAULTMEM_NOW": self.now.isoformat()}
        return self.now.isoformat()

    # --- what must be found ----------------------------------------------------------------------------------------

    def expected(self) -> Mapping[str, list[str]]:
        """Every word that stands in a note of the person's own -> the notes in which it is found, composed."""
        found: dict[str, list[str]] = {}
        for path in self.own():
            for word in self._words_of(self.box.root / path):
                found.setdefault(word, []).append(unicodedata.normalize("NFC", path))
        return {word: sorted(paths) for word, paths in found.items()}

    def _words_of(self, path: Path) -> set[str]:
        data = path.read_bytes()
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = data.decode("utf-16", "replace")
        else:
            text = data.decode("utf-8", "replace")
        return set(re.findall(r"\bw\d+q\b", text))


MOVES: Mapping[str, int] = {
    "write_in_place": 10, "save_by_rename": 8, "save_as_vim": 5, "save_something_odd": 3, "edit_one_line": 10,
    "touch": 3, "rename": 8, "swap": 5, "change_case": 4, "change_spelling": 4, "rename_folder": 1, "copy": 3,
    "delete": 6, "restore": 6, "edit_a_chunk": 4, "judge_a_chunk": 3, "delete_a_chunk": 3, "shelve_a_chunk": 2,
    "edit_a_summary": 3, "delete_a_summary": 2, "edit_an_entity": 3, "delete_an_entity": 1, "write_on_a_page": 1,
    "drop": 5, "jump_in_time": 2,
}  # fmt: skip
