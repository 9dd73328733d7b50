"""Pictures: what they say of themselves (when, with what, where, their caption) as a document; the picture is kept.

No text is read off a picture. Its note can be found by name, day, place and caption, and shows the original where the
vault holds it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import BinaryIO, cast

from vaultmem.config import Settings
from vaultmem.model import Bytes, Document, RawFile, Reading
from vaultmem.sources.archive import Window
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.html_tree import parse
from vaultmem.sources.document.place import document_id, scope_of, title_from_name
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.text import decode

#: First bytes -> what a person calls it.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF87a", "GIF"), (b"GIF89a", "GIF"),
    (b"II*\0", "TIFF"), (b"MM\0*", "TIFF"),
)  # fmt: skip
#: The brand in the fifth to eleventh byte of files that may be films too.
_BRANDS: Mapping[bytes, str] = {
    b"heic": "HEIC", b"heix": "HEIC", b"heim": "HEIC", b"heis": "HEIC", b"hevc": "HEIC", b"mif1": "HEIC",
    b"msf1": "HEIC", b"avif": "AVIF", b"avis": "AVIF",
}  # fmt: skip
_SVG = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,500}>\s*)?(?:<!--.{0,2000}?-->\s*)*"
    rb"(?:<!DOCTYPE svg[^>]{0,500}>\s*)?<svg[\s>]",
    re.DOTALL,
)
_EXIF_TIME = re.compile(r"(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}:\d{2}:\d{2})")
_OFFSET = re.compile(r"[+-]\d{2}:\d{2}|Z")
#: What cameras write where nobody wrote a caption.
_EMPTY_CAPTIONS = frozenset((
    "", "olympus digital camera", "sony dsc", "samsung camera pictures", "screenshot", "minolta digital camera",
))  # fmt: skip
#: Characters of captions and of text in a drawing that are kept.
_MAX_TEXT = 20_000


def picture_kind(head: bytes) -> str:
    """PNG, JPEG, … by the first bytes of a file; "" for what is no picture."""
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WebP"
    if head[:2] == b"BM" and head[6:10] == b"\0\0\0\0":
        return "BMP"
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "")
    return "SVG" if _SVG.match(head[:4000]) else ""


def read_picture(raw: RawFile, settings: Settings) -> Reading:
    """The picture's own facts as one document; never fails: a broken one still has a name and a day."""
    kind = picture_kind(raw.data[:4000])
    said = _said(raw.data) if kind != "SVG" else {}
    title = title_from_name(raw.name)
    made = _made(said)
    moment = own_time({"created": made} if made else {}, raw, settings.zone)
    facts = [f"Picture ({kind})", *_where_from(said)]
    if made:
        facts.insert(1, f"taken {made[:16].replace('T', ' ')}")
    captions = [_caption(said), _drawn_text(raw) if kind == "SVG" else ""]
    body = "\n\n".join([f"# {as_markdown(title)}", f"{', '.join(facts)}.", *(as_markdown(c) for c in captions if c)])
    document = Document(
        source_id=document_id(raw.name),
        tree_scope=scope_of(raw.name),
        title=title,
        body=f"{body}\n",
        provider="document",
        created_at=moment.at,
        time_from=moment.as_metadata,
        cues=frozenset(("picture",)),
    )
    return Reading(format="image", kind="document", tz=moment.tz, zone_known=moment.zone_known, items=iter((document,)))


def _said(data: Bytes) -> Mapping[str, object]:
    """The picture's EXIF tags; none where they are absent or broken."""
    import exifread

    try:
        return dict(exifread.process_file(cast(BinaryIO, Window(data)), details=False, extract_thumbnail=False))
    except Exception:  # noqa: BLE001 - the library trusts its bytes and fails in any way
        return {}


def _tag(said: Mapping[str, object], name: str) -> str:
    return " ".join(str(said.get(name, "")).replace("\0", " ").split())


def _made(said: Mapping[str, object]) -> str:
    """When it was taken, as ISO text, with its zone where the camera knew it."""
    for name, zone in (
        ("EXIF DateTimeOriginal", "EXIF OffsetTimeOriginal"),
        ("EXIF DateTimeDigitized", "EXIF OffsetTimeDigitized"),
        ("Image DateTime", "EXIF OffsetTime"),
    ):
        found = _EXIF_TIME.search(_tag(said, name))
        if found and found[1] != "0000":
            offset = _OFFSET.fullmatch(_tag(said, zone))
            return f"{found[1]}-{found[2]}-{found[3]}T{found[4]}{offset[0] if offset else ''}"
    return ""


def _where_from(said: Mapping[str, object]) -> list[str]:
    """The camera, the photographer, the place."""
    maker, model = _tag(said, "Image Make"), _tag(said, "Image Model")
    camera = model if model.casefold().startswith(maker.casefold()) else f"{maker} {model}"
    found = [f"with {as_markdown(camera.strip())}"] if camera.strip() else []
    artist = _tag(said, "Image Artist")
    found += [f"by {as_markdown(artist)}"] if artist else []
    place = _place(said)
    return [*found, f"at {place}"] if place else found


def _place(said: Mapping[str, object]) -> str:
    """`48.20820, 16.37380`, "" where the camera did not know."""
    degrees: list[str] = []
    for name, negative in (("GPS GPSLatitude", "S"), ("GPS GPSLongitude", "W")):
        values = getattr(said.get(name), "values", None)
        try:
            hours, minutes, seconds = (float(part) for part in values or ())
        except (TypeError, ValueError, ZeroDivisionError):
            return ""
        sign = -1 if _tag(said, f"{name}Ref").upper() == negative else 1
        degrees.append(f"{sign * (hours + minutes / 60 + seconds / 3600):.5f}")
    return ", ".join(degrees)


def _caption(said: Mapping[str, object]) -> str:
    found: dict[str, None] = {}
    for name in ("Image ImageDescription", "EXIF UserComment", "Image XPTitle", "Image XPComment"):
        text = _tag(said, name).removeprefix("ASCII").strip()
        if text.casefold() not in _EMPTY_CAPTIONS and text.isprintable() and not text.startswith("["):
            found[text[:_MAX_TEXT]] = None
    return "\n\n".join(found)


def _drawn_text(raw: RawFile) -> str:
    """The words of a drawing: its title, its description, what is written in it."""
    root = parse(decode(raw.data[:4_000_000])).root
    texts = (element.words() for element in root.elements() if element.name in ("title", "desc", "text"))
    return "\n\n".join(dict.fromkeys(text for text in texts if text))[:_MAX_TEXT]
