"""Files that are in their folder and not on this disk: a cloud took them away. Opening one would fetch it, or hang."""

from __future__ import annotations

import os
from pathlib import Path

#: Windows: offline, recall on open, recall on data access. macOS: dataless.
_WINDOWS_AWAY = 0x1000 | 0x40000 | 0x400000
_MACOS_DATALESS = 0x40000000
#: Some disks keep files up to this size beside their names and count no blocks for them.
_INLINE = 1024


def blocks_of(found: os.stat_result) -> int | None:
    """Blocks of 512 bytes on this disk; 0 when the content is elsewhere, None when nobody says."""
    return 0 if _is_marked(found) else getattr(found, "st_blocks", None)


def is_away(found: os.stat_result, *, counts_blocks: bool = True) -> bool:
    """Whether a file has a size and nothing of it is here. `counts_blocks`: what the disk says of blocks is true."""
    if found.st_size <= _INLINE:
        return False
    return _is_marked(found) or (counts_blocks and blocks_of(found) == 0)


def counts_blocks(known: Path) -> bool:
    """Whether a disk counts blocks at all, told by a file whose content is here: some say 0 of every file."""
    try:
        found = known.lstat()
    except OSError:
        return True
    return not found.st_size or blocks_of(found) != 0


def _is_marked(found: os.stat_result) -> bool:
    marks = getattr(found, "st_file_attributes", 0) & _WINDOWS_AWAY
    return bool(marks or getattr(found, "st_flags", 0) & _MACOS_DATALESS)
