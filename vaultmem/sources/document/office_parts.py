"""What office files share: a ZIP of XML parts, with properties of the document in one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree as ET

from vaultmem.errors import UnreadableSource
from vaultmem.model import Bytes
from vaultmem.sources.archive import Archive

#: Bytes of one XML part; a novel of 1,000 pages has 20 MB.
MAX_PART = 64 * 1024 * 1024
_TAGS = re.compile(r"<[^<>]*>")
#: What programs write where nobody wrote a title or a name.
_NOBODY = frozenset(
    (
        "",
        "python-docx",
        "unknown",
        "user",
        "word document",
        "untitled",
        "unbenannt",
        "author",
        "apache poi",
        "openpyxl",
        "powerpoint presentation",
        "powerpoint-präsentation",
        "présentation powerpoint",
        "xlsxwriter",
    )
)


def xml_part(archive: Archive, name: str) -> ET.Element:
    """A part's root. Raises UnreadableSource when it is broken, too large, or brings definitions of its own."""
    data = part_bytes(archive, name)
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data or b"\0" in data[:200]:
        raise UnreadableSource(f"{name} in the file is no XML as office programs write it")
    try:
        return ET.fromstring(data)  # noqa: S314 - see above
    except (ET.ParseError, ValueError, LookupError, RecursionError) as error:
        raise UnreadableSource(f"{name} in the file is broken: {str(error)[:120]}; open it and save a copy") from None


def part_bytes(archive: Archive, name: str) -> bytes:
    """A part's bytes. Raises UnreadableSource when it is not there, broken or too large."""
    if name not in archive.names:
        raise UnreadableSource(f"{name} is not in the file: open it and save a copy")
    data = archive.read(name)
    if len(data) > MAX_PART:
        raise UnreadableSource(f"{name} in the file unfolds to more than {MAX_PART // 1024**2} MB")
    return data


def local(element: ET.Element) -> str:
    """An element's name without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: ET.Element, name: str) -> str:
    """An attribute's value whatever its namespace; "" where it is absent."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return value
    return ""


def properties(archive: Archive) -> Mapping[str, str]:
    """title, author, created, modified, subject, keywords, as far as a person gave them."""
    try:
        root = xml_part(archive, "docProps/core.xml")
    except UnreadableSource:
        return {}
    found: dict[str, str] = {}
    for element in root.iter():
        text = " ".join((element.text or "").split())
        key = _KEYS.get(local(element))
        if key and text.casefold() not in _NOBODY:
            found.setdefault(key, text)
    return found


_KEYS = {
    "title": "title", "creator": "author", "created": "created", "modified": "modified", "subject": "subject",
    "keywords": "keywords",
}  # fmt: skip
#: What OpenDocument and e-books call the same.
_OTHER_KEYS = {
    **_KEYS, "initial-creator": "author", "creation-date": "created", "date": "modified", "keyword": "keywords",
    "language": "language", "publisher": "publisher",
}  # fmt: skip
_RTF_INFO = re.compile(rb"\\(title|author|subject|keywords) ?([^{}]{1,500})}")
_RTF_TIME = re.compile(rb"\\creatim\\yr(\d{4})\\mo(\d{1,2})\\dy(\d{1,2})(?:\\hr(\d{1,2}))?(?:\\min(\d{1,2}))?")
#: Runs of printable text in a file that is no text.
_RUNS = re.compile(rb"[\x20-\x7e]{8,}")
_WIDE_RUNS = re.compile(rb"(?:[\x20-\x7e]\0){8,}")


def said_of_itself(data: Bytes, format_: str) -> Mapping[str, str]:
    """title, author, created, … of an office file of any format, as far as a person gave them."""
    if format_ == "rtf":
        return _said_in_rtf(data[:100_000])
    if data[:2] != b"PK":
        return {}
    archive = Archive(data)
    if format_ in ("pptx", "xlsx"):
        return properties(archive)
    part = next((name for name in archive.names if name == "meta.xml" or name.endswith(".opf")), "")
    try:
        root = xml_part(archive, part)
    except UnreadableSource:
        return {}
    meta = root if format_ != "epub" else next((e for e in root if local(e) == "metadata"), root)
    found: dict[str, str] = {}
    for element in meta.iter():
        text = " ".join((element.text or "").split())
        key = _OTHER_KEYS.get(local(element))
        if key and text.casefold() not in _NOBODY:
            found.setdefault("published" if format_ == "epub" and local(element) == "date" else key, text)
    return found


def _said_in_rtf(head: bytes) -> Mapping[str, str]:
    said = {m[1].decode(): _rtf_text(m[2]) for m in _RTF_INFO.finditer(head)}
    made = _RTF_TIME.search(head)
    if made:
        year, month, day, hour, minute = (int(part or 0) for part in made.groups())
        said["created"] = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00"
    return {key: text for key, text in said.items() if text.casefold() not in _NOBODY}


def _rtf_text(raw: bytes) -> str:
    text = re.sub(r"\\u(-?\d{1,5}) ?\??", lambda m: chr(int(m[1]) % 65536), raw.decode("latin-1"))
    text = re.sub(r"\\'([0-9a-fA-F]{2})", lambda m: bytes([int(m[1], 16)]).decode("cp1252", "replace"), text)
    return " ".join(re.sub(r"\\[a-z]+-?\d* ?", "", text).split())


def printable_runs(data: bytes) -> str:
    """What text a binary file holds anywhere, in one byte a letter or two."""
    wide = (run.group()[::2] for run in _WIDE_RUNS.finditer(data))
    return b"\n".join([*(run.group() for run in _RUNS.finditer(data)), *wide]).decode("ascii")


def all_text(archive: Archive) -> Iterator[str]:
    """Every text in the file, shown or not: deleted and hidden words, headers, notes of the speaker."""
    for name in archive.names:
        if name.endswith((".xml", ".rels", ".txt", ".vml")):
            data = archive.read(name)[:MAX_PART].decode("utf-8", "replace")
            # Without a blank between: a secret may be spread over several runs of text.
            yield _TAGS.sub("", re.sub(r"</(?:\w+:)?(?:p|row|tr|si)>", "\n", data))
            yield "\n".join(re.findall(r"\s(?:\w+:)?(?:Target|descr|title|href)=\"([^\"]+)\"", data))
