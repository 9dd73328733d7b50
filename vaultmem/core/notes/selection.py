"""Which of the user's own notes are read where they stand: globs, and what is never one.

**/*.md      every note          Journal/**   all below a folder (so does `Journal` or `Journal/`)
*.md         those at the top    **/Draft*    that name in any folder
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from vaultmem.core.ingest.inbox import conflict_original
from vaultmem.core.notes.paths import OWN_FOLDERS

#: What Obsidian shows as a text that has links of its own.
ENDINGS = (".md", ".canvas")
_PARTS = re.compile(r"\*\*/|/\*\*$|\*\*|\*|\?|\[!?[^\]/]+\]|.", re.DOTALL)
#: What git lays beside a note while a merge is settled by hand.
_MERGING = re.compile(r"_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+(?=\.[^.]+$)")
#: ` 2` is iCloud's, ` (1)` Drive's: copies only where the first is there and says the same.
_NUMBERED = re.compile(r"(?: \d| \(\d\))$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The globs in force."""

    notes: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    #: the drop zone: what lies there is on its way, never a note in place
    inbox: str = "inbox"
    _wanted: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)
    _unwanted: tuple[re.Pattern[str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_wanted", tuple(map(compile_glob, self.notes)))
        object.__setattr__(self, "_unwanted", tuple(map(compile_glob, self.excluded)))

    def takes(self, path: str) -> bool:
        """Whether the note at this vault path is read in place."""
        if not path.lower().endswith(ENDINGS) or self._is_ours(path):
            return False
        stem, dot, ending = path.rpartition(".")
        name = f"{stem}{dot}{ending.lower()}"  # `*.md` means README.MD too
        return _any(self._wanted, name) and not _any(self._unwanted, name)

    def _is_ours(self, path: str) -> bool:
        """Inbox, wiki, entities and dot-folders; a disk may spell them in any case."""
        folded = path.casefold()
        if "/." in folded or folded.startswith("."):
            return True
        return folded.startswith((*(f"{name}/" for name in OWN_FOLDERS), f"{self.inbox.casefold()}/"))


def _any(patterns: Sequence[re.Pattern[str]], path: str) -> bool:
    return any(pattern.fullmatch(path) for pattern in patterns)


def compile_glob(glob: str) -> re.Pattern[str]:
    """A glob on vault paths."""
    text = unicodedata.normalize("NFC", glob).strip().removeprefix("./").strip("/")
    parts: list[str] = []
    for found in _PARTS.finditer(text):
        part = found.group()
        if part in _MEANING:
            parts.append(_MEANING[part])
        elif part.startswith("[") and len(part) > 1:
            parts.append(_one_of(part))
        else:
            parts.append(re.escape(part))
    # A folder's name means all that is below it.
    return re.compile(rf"{''.join(parts)}(?:/.*)?", re.DOTALL)


def _one_of(part: str) -> str:
    """`[a-c]` or `[!a-c]`; a range that is none stands for itself."""
    inside = part[1:-1].replace("\\", "\\\\").replace("^", "\\^")
    pattern = f"[^{inside[1:]}/]" if inside.startswith("!") else f"[{inside}]"
    try:
        re.compile(pattern)
    except re.error:
        return re.escape(part)
    return pattern


_MEANING = {"**/": "(?:.*/)?", "/**": "/.*", "**": ".*", "*": "[^/]*", "?": "[^/]"}


def original_of(path: str) -> str:
    """The note of which a sync program says this one is the conflicting copy; "" for any other name."""
    folder, slash, name = path.rpartition("/")
    first = conflict_original(name)
    if not first and _MERGING.search(name):
        first = _MERGING.sub("", name)
    return f"{folder}{slash}{first}" if first else ""


def by_right(path: str, home: str) -> tuple[bool, bool, str]:
    """Sorts notes that say they are one and the same: the first of them counts.

    That is none that a sync program calls a copy, rather one where vaultmem made it (`home`) than a backup elsewhere,
    and `ann` before `ann (2)`.
    """
    return bool(original_of(path)), not path.startswith(f"{home}/"), path.removesuffix(".md")


def likely_original(path: str, there: Collection[str]) -> str:
    """The note beside it that a numbered name may be a copy of (` 2`, ` (1)`); "" when there is none."""
    stem, dot, ending = path.rpartition(".")
    bare = _NUMBERED.sub("", stem)
    return f"{bare}{dot}{ending}" if bare != stem and f"{bare}{dot}{ending}" in there else ""
