"""The clock and the zone of this machine, read once at the edge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from vaultmem.errors import BadConfig

_LOCALTIME = Path("/etc/localtime")


def clock(environ: Mapping[str, str]) -> Callable[[], datetime]:
    """The clock of one opening: VAULTMEM_NOW (ISO, UTC) fixes it, else the system's. Raises BadConfig."""
    fixed = environ.get("VAULTMEM_NOW", "")
    if not fixed:
        return lambda: datetime.now(UTC)
    try:
        at = datetime.fromisoformat(fixed)
    except ValueError:
        raise BadConfig("environment", "VAULTMEM_NOW", f"is no ISO time: {fixed!r}") from None
    at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return lambda: at


def system_zone(environ: Mapping[str, str]) -> str:
    """IANA name of this machine's zone; "UTC" where the system does not name one."""
    for name in (environ.get("TZ", "").removeprefix(":"), _linked_zone()):
        if name and _exists(name):
            return name
    return "UTC"


def _linked_zone() -> str:
    try:
        target = _LOCALTIME.resolve(strict=True).as_posix()
    except OSError:
        return ""
    return target.partition("zoneinfo/")[2]


def _exists(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return False
    return True
