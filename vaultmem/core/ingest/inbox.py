"""Which files of the inbox are taken. Every file gets a row; a reason says why one is left alone.

skip_reason("note.sync-conflict-20260421-101200-ABCDEFG.md", ...) -> "sync conflict copy of note.md"
"""

from __future__ import annotations

import re
from collections.abc import Collection

#: The folder of the inbox where files that could not be read are set aside.
FAILED_FOLDER = "_failed"
#: Ends the name of the note beside such a file that says why.
REASON = ".reason.md"
#: Lists at the top of an unpacked Slack export: the files in the folders beside them are read with their help.
SLACK_LISTS = frozenset((
    "users.json", "channels.json", "groups.json", "dms.json", "mpims.json", "integration_logs.json", "canvases.json",
    "file_conversations.json", "huddle_transcripts.json", "lists.json",
))  # fmt: skip
#: These, and what names the channels of an unpacked Discord package.
READ_LAST = SLACK_LISTS | {"channel.json", "index.json"}


def reading_order(name: str) -> tuple[bool, str]:
    """Sorts the inbox: by name, and what others need to be read last, for a file that was read goes away."""
    return name.rpartition("/")[2] in READ_LAST, name


_SYSTEM_FILES = {".ds_store", "desktop.ini", "thumbs.db", "icon\r", ".nomedia", ".localized", ".directory"}
_PARTIAL = (".part", ".partial", ".crdownload", ".download", ".opdownload", ".tmp", ".temp", ".filepart", ".!ut")
_EDITOR = re.compile(r"^(~\$|\.~lock\.|#.*#$|\.#)|\.sw[a-p]$|~$", re.IGNORECASE)
_SYNCTHING = re.compile(r"^(\.syncthing\..*\.tmp|~syncthing~.*)$", re.IGNORECASE | re.DOTALL)
_ICLOUD = re.compile(r"^\.?(?P<name>.+)\.icloud$", re.IGNORECASE | re.DOTALL)

_DAY = r"\d{4}-?\d{2}-?\d{2}"
_COPY_WORDS = (
    r"conflicted copy|case conflict|conflict copy|kopie in konflikt|in konflikt stehende kopie|konfliktkopie|"
    r"copie en conflit|copia en conflicto|copia in conflitto|cópia em conflito|conflicterende kopie"
)
#: Names only a sync tool makes. ` 2.md` (iCloud) and ` (1)` (Drive, and every browser) are not among them: a second
#: download of a chat that has grown looks the same, and what it repeats is known by its messages anyway.
_CONFLICTS = (
    re.compile(r"\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]{7})?(?=\.|$)", re.IGNORECASE),  # Syncthing
    re.compile(rf"\s*\((?:[^()]*\s)?(?:{_COPY_WORDS})(?:\s[^()]*{_DAY}[^()]*)?\)(?=\.|$)", re.IGNORECASE),
    re.compile(rf"\s*\((?:[^()]*\s)?(?:{_COPY_WORDS})(?:\s[^()]*{_DAY}[^()]*\(\d+\))\)(?=\.|$)", re.IGNORECASE),
    re.compile(rf"_conflict-{_DAY}-\d{{6}}(?=\.|$)", re.IGNORECASE),  # ownCloud, older Nextcloud
    re.compile(rf"\s*\(SFConflict [^()]*{_DAY}[^()]*\)(?=\.|$)", re.IGNORECASE),  # Seafile
    re.compile(r"\s*\[conflict(?:ed)?(?: \d+)?\](?=\.|$)", re.IGNORECASE),  # Google Drive, pCloud
    re.compile(r"\.conflict(?=\.[^.]+$)", re.IGNORECASE),  # Resilio Sync
    re.compile(r"-(?:DESKTOP-[A-Z0-9]{7}|LAPTOP-[A-Z0-9]{7,8})(?:-\d+)?(?=\.|$)"),  # OneDrive
)


#: Stands in all of them: most names are told apart by this alone.
_DOUBTFUL = re.compile(r"[ck]onfli|desktop-|laptop-", re.IGNORECASE)


def reasons_among(names: Collection[str]) -> frozenset[str]:
    """Names of notes that say why another file was set aside: they are no files that anybody dropped."""
    aside = (name for name in names if name.startswith(f"{FAILED_FOLDER}/") and name.endswith(REASON))
    return frozenset(name for name in aside if f"{name}{REASON}" not in names)


def skip_reason(name: str, *, is_link: bool, size: int, blocks: int | None = None) -> str:
    """Why a file of the inbox is not read; "" = take it.

    `name` is the path below the inbox (POSIX); `blocks` the 512-byte blocks it takes on this disk, None if unknown.
    """
    *folders, last = name.split("/")
    if folders and folders[0] == FAILED_FOLDER:
        return f"set aside earlier: see its .reason.md, then move it back into the inbox or delete it ({FAILED_FOLDER})"
    if is_link:
        return "symbolic link: links are not followed; drop the file itself"
    return _bad_name(last) or _hidden(folders, last) or _no_content(size, blocks)


def _bad_name(last: str) -> str:
    """Names that tell what the file is: the more special first."""
    if last.casefold() in _SYSTEM_FILES:
        return "system file of the file manager, not a document"
    if _SYNCTHING.search(last):
        return "unfinished transfer of Syncthing"
    if found := _ICLOUD.search(last):
        return f"not downloaded: iCloud placeholder of {found['name']}; open it once to download it"
    if original := conflict_original(last):
        return f"sync conflict copy of {original}: merge it there, or rename it to have it read"
    if last.casefold().endswith(_PARTIAL):
        return "unfinished download or temporary file"
    return "lock or backup file of an editor" if _EDITOR.search(last) else ""


def _hidden(folders: list[str], last: str) -> str:
    if last.startswith("."):
        return "hidden file (its name starts with a dot)"
    if any(folder.startswith(".") for folder in folders):
        return "in a hidden folder (its name starts with a dot)"
    return ""


def _no_content(size: int, blocks: int | None) -> str:
    if size == 0:
        return "empty file"
    if blocks == 0:
        return "not downloaded: only a placeholder of a cloud folder is on this disk; make it available offline"
    return ""


def conflict_original(name: str) -> str:
    """The file name a sync tool's conflict copy was made of; "" when the name is no such copy."""
    for family in _CONFLICTS if _DOUBTFUL.search(name) else ():
        original = family.sub("", name, count=1)
        if original != name:
            return original if original.strip(". ") else "a file of no name"
    return ""
