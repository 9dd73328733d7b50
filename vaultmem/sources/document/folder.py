"""ZIP archives of people's own files and Google Takeouts: each file becomes what its own reader makes of it."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from vaultmem.config import Settings
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources import READERS, detect, read
from vaultmem.sources.archive import Archive
from vaultmem.sources.document.note_html import distinct

#: Files of one archive that are read; a dropped folder has no such limit.
MAX_FILES = 20_000
#: Warnings that name a file; the rest is counted.
_MAX_NAMED = 20
_MEDIA = re.compile(
    r"\.(?:png|jpe?g|gif|webp|svg|heic|heif|bmp|tiff?|avif|ico|mp3|m4a|wav|ogg|opus|aac|flac|mp4|mov|avi|mkv|webm|3gp)$",
    re.IGNORECASE,
)
#: Archives in an archive that are opened: one level of them.
_LEVELS = 1
_NESTED = frozenset(("zip", "takeout"))
#: What of a Takeout is someone's memory; the rest is what Google noted.
_TAKEN = frozenset(("keep", "mbox", "eml", "ics"))
_DRIVE = re.compile(r"Takeout/(?:Google )?Drive/|Takeout/(?:Meine Ablage|Mon Drive|Mi unidad|Mijn Drive)/")


def read_zip(raw: RawFile, settings: Settings) -> Reading:
    """The files of an archive. Raises UnreadableSource when none of them can be read."""
    archive = Archive(raw.data)
    return _reading("zip", _zip_items(raw, archive, _names(archive), settings, level=0))


def _names(archive: Archive) -> list[str]:
    names = [name for name in archive.names if not _is_hidden(name)]
    if len(names) > MAX_FILES:
        raise UnreadableSource(
            f"a ZIP archive of {len(names)} files, more than {MAX_FILES}: unpack it and drop its folder"
        )
    return names


def read_takeout(raw: RawFile, settings: Settings) -> Reading:
    """Notes, mail, calendars and chats of a Google Takeout; the names of the rest as warnings."""
    return _reading("takeout", _takeout_items(raw, Archive(raw.data), settings))


def _reading(format_: str, items: Iterator[SourceItem]) -> Reading:
    return Reading(format=format_, kind="document", tz="UTC", zone_known=True, items=distinct(items))


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in _inside_path(name).split("/"))


def _inside_path(name: str) -> str:
    """The path without what would lead out of the archive: nothing is unpacked, but names and scopes are made of it."""
    return "/".join(part for part in name.split("/") if part not in ("", ".", ".."))


def _zip_items(
    raw: RawFile, archive: Archive, names: list[str], settings: Settings, *, level: int
) -> Iterator[SourceItem]:
    left: list[str] = []
    read_any = False
    media = [name for name in names if _MEDIA.search(name)]
    for name in names:
        if name in media:
            continue
        if archive.is_link(name):
            left.append(f"{name}: symbolic link: links are not followed")
            continue
        try:
            member = _member(raw, archive, name, f"{raw.name}/{_inside_path(name)}")
            nested = detect(member, settings) in _NESTED
            if nested and level == _LEVELS:
                left.append(f"{name}: an archive in an archive in an archive: unpack it and drop it by itself")
                continue
            for item in _inside(member, settings, level) if nested else read(member, settings).items:
                read_any = read_any or not isinstance(item, Warn)
                yield _named(item, name)
        except (UnreadableSource, SkippedSource) as problem:
            left.append(f"{name}: {problem}")
    if not read_any:
        why = left[0] if left else "only pictures, sounds or films are in it" if media else "it is empty"
        raise UnreadableSource(f"a ZIP archive in which nothing can be read: {why}")
    left += [f"{name}: kept in the original only" for name in media]
    yield from _left_out(left)
    hidden = len(archive.names) - len(names)
    if hidden:
        yield Warn(text=f"{hidden} hidden file{'s' if hidden > 1 else ''} of the archive left out")


def _inside(member: RawFile, settings: Settings, level: int) -> Iterator[SourceItem]:
    archive = Archive(member.data)
    return _zip_items(member, archive, _names(archive), settings, level=level + 1)


def _named(item: SourceItem, name: str) -> SourceItem:
    return Warn(text=f"{name}: {item.text}") if isinstance(item, Warn) else item


def _left_out(left: list[str]) -> Iterator[Warn]:
    yield from (Warn(text=text) for text in left[:_MAX_NAMED])
    if len(left) > _MAX_NAMED:
        yield Warn(text=f"{len(left) - _MAX_NAMED} more files of the archive were not read")


def _member(raw: RawFile, archive: Archive, name: str, shown: str) -> RawFile:
    return replace(raw, name=shown, data=archive.read(name), siblings={})


def _takeout_items(raw: RawFile, archive: Archive, settings: Settings) -> Iterator[SourceItem]:
    left: Counter[str] = Counter()
    reasons: list[SkippedSource | UnreadableSource] = []
    read_any = False
    beside = _beside_notes(archive.names)
    for name in archive.names:
        if name in beside or name.count("/") < 2:
            continue
        try:
            # Without the archive's name: the next export has another one, and its notes are the same.
            found = None if _MEDIA.search(name) else _taken(_member(raw, archive, name, name), settings)
            if found is None:
                left["/".join(name.split("/")[:2])] += 1
                continue
            for item in found.items:
                read_any = True
                yield _counted(_named(item, name), found.format)
        except (UnreadableSource, SkippedSource) as problem:
            reasons.append(problem)
            yield Warn(text=f"{name}: {problem}")
    if not read_any:
        raise (
            reasons[0]
            if reasons
            else UnreadableSource(
                f"a Google Takeout without notes, mail, calendars or chats; it holds {', '.join(left) or 'nothing'}"
            )
        )
    yield from (
        Warn(text=f"{product} not read: {count} file{'s' if count > 1 else ''}") for product, count in left.items()
    )


def _taken(member: RawFile, settings: Settings) -> Reading | None:
    """What a Takeout's file holds, where that is someone's memory and not what Google noted."""
    format_ = detect(member, settings)
    if format_ is None or format_ in _NESTED:
        return None
    is_taken = format_ in _TAKEN or ".chat." in READERS[format_] or _DRIVE.match(member.name)
    return read(member, settings) if is_taken else None


def _counted(item: SourceItem, format_: str) -> SourceItem:
    """A calendar is no note: its events are counted."""
    if format_ != "ics" or not isinstance(item, Document):
        return item
    return replace(item, facts={**item.facts, "notes_count": 0})


def _beside_notes(names: tuple[str, ...]) -> frozenset[str]:
    """What lies beside Keep's notes and says the same: their HTML, their labels, the pictures they name."""
    known = frozenset(names)
    twins = [name for name in names if name.endswith(".html") and f"{name[:-5]}.json" in known]
    folders = {posixpath.dirname(name) for name in twins}
    beside = [n for n in names if posixpath.dirname(n) in folders and (n.endswith("/Labels.txt") or _MEDIA.search(n))]
    return frozenset([*twins, *beside])
