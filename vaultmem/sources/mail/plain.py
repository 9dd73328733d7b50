"""Plain-text forms of mail: format=flowed, text/enriched, PGP armour."""

from __future__ import annotations

import re

_ENRICHED_PARAMETER = re.compile(r"<param>[^<]*</param>", re.IGNORECASE)
_ENRICHED_TAG = re.compile(r"<(/?[a-zA-Z0-9-]{1,60})>")


def unflow(text: str, *, join: bool) -> str:
    """Undo format=flowed (RFC 3676): lines that end in a blank go on in the next of the same quote depth.

    `join`: DelSp=yes, the blank itself is no text.
    """
    out: list[str] = []
    held: list[str] = []
    held_depth = 0
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        signature = content == "-- "
        if held and (depth != held_depth or signature):
            out.append(_quoted(held_depth, "".join(held).rstrip(" ")))
            held = []
        soft = content.endswith(" ") and not signature
        held.append(content[:-1] if soft and join else content)
        held_depth = depth
        if not soft:
            out.append(_quoted(depth, "".join(held)))
            held = []
    if held:
        out.append(_quoted(held_depth, "".join(held).rstrip(" ")))
    return "\n".join(out)


def _quoted(depth: int, content: str) -> str:
    return f"{'>' * depth} {content}".rstrip(" ") if depth else content


def enriched_to_text(text: str) -> str:
    """text/enriched (RFC 1896) without its commands: `<<` is a `<`, one line end is a blank, n are n-1."""
    text = _ENRICHED_PARAMETER.sub("", text)
    text = _ENRICHED_TAG.sub("", text.replace("<<", "\0")).replace("\0", "<")
    return re.sub(r"\n+", lambda m: "\n" * (len(m.group()) - 1) or " ", text)


def unarmour(text: str) -> str:
    """The text of an inline PGP-signed mail, without armour and signature; any other text as it is."""
    start = text.find("-----BEGIN PGP SIGNED MESSAGE-----")
    if start < 0 or (start and text[start - 1] != "\n"):
        return text
    head, _, rest = text[start:].partition("\n\n")
    if len(head) > 500 or not rest:
        return text
    signed, mark, after = rest.partition("\n-----BEGIN PGP SIGNATURE-----")
    tail = after.partition("-----END PGP SIGNATURE-----")[2] if mark else ""
    undashed = re.sub(r"^- ", "", signed, flags=re.MULTILINE)
    return text[:start] + undashed + tail
