"""Documents for tests, made byte by byte: a PDF of text at given places, an office file of given parts."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

#: (text, x, y, size): points from the page's lower left
Placed = tuple[str, float, float, float]

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Target="word/document.xml" Type="'
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>'
)


def pdf(pages: Sequence[Sequence[Placed]], *, info: Mapping[str, str] | None = None, width: int = 400) -> bytes:
    """A PDF, 500 points high; a page without text is a page without a text layer."""
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"", b""]
    kids = []
    for page in pages:
        drawn = "".join(f"BT /F1 {size} Tf {x} {y} Td ({_escaped(text)}) Tj ET\n" for text, x, y, size in page)
        stream = drawn.encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d 500] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (width, len(objects))
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), b" ".join(kids))
    objects[2] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    said = "".join(f"/{key} ({_escaped(value)}) " for key, value in (info or {}).items())
    objects[3] = f"<< {said}>>".encode("cp1252")
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def docx(body: str, parts: Mapping[str, str] | None = None) -> bytes:
    """A Word document: the XML of its body, and other parts by name."""
    found = {
        "_rels/.rels": _RELS,
        "word/document.xml": f'<?xml version="1.0"?><w:document {_W}><w:body>{body}</w:body></w:document>',
        **{name: text.replace("NS", _W) for name, text in (parts or {}).items()},
    }
    return packed(found)


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """A ZIP, the same bytes at any time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), content)
    return out.getvalue()
