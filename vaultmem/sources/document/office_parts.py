"""What office files share: a ZIP of XML parts, with properties of the document in one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree as ET

from vaultmem.errors import UnreadableSource
from vaultmem.sources.archive import Archive

#: Bytes of one XML part; a novel of 1,000 pages has 20 MB.
MAX_PART = 64 * 1024 * 1024
_TAGS = re.compile(r"<[^<>]*>")
#: What programs write where nobody wrote a title or a name.
_NOBODY = frozenset(
    ("", "python-docx", "unknown", "user", "word document", "untitled", "unbenannt", "author", "apache poi")
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


def all_text(archive: Archive) -> Iterator[str]:
    """Every text in the file, shown or not: deleted and hidden words, headers, notes of the speaker."""
    for name in archive.names:
        if name.endswith((".xml", ".rels", ".txt", ".vml")):
            data = archive.read(name)[:MAX_PART].decode("utf-8", "replace")
            # Without a blank between: a secret may be spread over several runs of text.
            yield _TAGS.sub("", re.sub(r"</(?:\w+:)?(?:p|row|tr|si)>", "\n", data))
            yield "\n".join(re.findall(r"\s(?:\w+:)?(?:Target|descr|title|href)=\"([^\"]+)\"", data))
