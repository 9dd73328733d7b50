"""A Notion export (ZIP, or ZIPs in a ZIP; Markdown & CSV or HTML): a document per page, a table per database.

Notion puts a page's id behind every name. The ids are taken out of names, links and text and kept as the pages' own
ids, so that the next export, whose file has another name, brings only what changed.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from vaultmem.config import Settings
from vaultmem.core.notes.markdown import unique_tags
from vaultmem.errors import SkippedSource, UnreadableSource
from vaultmem.model import Document, RawFile, Reading, SourceItem, Warn
from vaultmem.sources.archive import Archive
from vaultmem.sources.document.dates import own_time
from vaultmem.sources.document.note_html import distinct, document_body, label_tags
from vaultmem.sources.document.notion_html import page_from_html
from vaultmem.sources.document.notion_markdown import page_from_markdown
from vaultmem.sources.document.notion_page import Page, Target
from vaultmem.sources.document.notion_table import table_text
from vaultmem.sources.document.place import document_id
from vaultmem.sources.document.plain import as_markdown
from vaultmem.sources.document.recognise import NOTION_PART
from vaultmem.sources.text import decode

_ID = re.compile(r"(?:^|\s|%20|-)([0-9a-f]{32})(?=$|[./]|_all\b)")
_TAGS = frozenset(("tags", "tag", "labels", "label", "schlagwörter", "étiquettes", "etiquetas", "タグ", "标签"))
_AUTHORS = frozenset(("author", "authors", "autor", "auteur"))
#: An address of the web; one in Notion ends with the id of its page.
_WEB = re.compile(
    r"(?:https?://(?:www\.)?notion\.(?:so|site)/(?:[^?#\s]*[-/])?([0-9a-f]{32})\b|[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE
)
#: Parts of one export that are opened.
_MAX_PARTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    """A file of the export."""

    archive: Archive
    #: as the archive has it
    name: str
    #: below the export's own folder
    path: str


def read_notion(raw: RawFile, settings: Settings) -> Reading:
    """All pages and databases. Raises SkippedSource without any, UnreadableSource for a broken archive."""
    members = {member.path: member for member in _members(Archive(raw.data))}
    if not any(_kind(path) for path in members):
        raise SkippedSource("a Notion export without a page: nothing to import")
    return Reading(
        format="notion", kind="document", tz="UTC", zone_known=True, items=distinct(_items(raw, members, settings))
    )


def _members(archive: Archive) -> Iterator[_Member]:
    """The files of the archive and of the parts in it."""
    parts = [name for name in archive.names if name.lower().endswith(".zip") and NOTION_PART.search(name)]
    if len(parts) > _MAX_PARTS:
        raise UnreadableSource(f"a Notion export in {len(parts)} parts: more than {_MAX_PARTS} are not read")
    for name in archive.names:
        if name not in parts:
            yield _Member(archive=archive, name=name, path=_below(name))
    for part in parts:
        inner = Archive(archive.read(part))
        yield from (_Member(archive=inner, name=name, path=_below(name)) for name in inner.names)


def _below(name: str) -> str:
    """The path without the folder that is named like the export."""
    return re.sub(r"^Export(?:Block)?-[0-9a-f-]{36}[^/]*/", "", name, flags=re.IGNORECASE)


def _kind(path: str) -> str:
    """md | html | csv for what becomes a document, "" for attachments and the list of contents."""
    if path == "index.html":
        return ""
    suffix = path.rpartition(".")[2].lower()
    return suffix if suffix in ("md", "html", "csv") else ""


def _items(raw: RawFile, members: Mapping[str, _Member], settings: Settings) -> Iterator[SourceItem]:
    titles = {path: clean_name(path) for path in members if _kind(path)}
    ids = {found[-1]: path for path in titles if (found := _ID.findall(posixpath.basename(path)))}
    for path, member in members.items():
        if not _kind(path) or (path.endswith(".csv") and path.replace(".csv", "_all.csv") in members):
            continue
        target = _target(path, members, titles, ids)
        try:
            text = decode(member.archive.read(member.name))
        except UnreadableSource as problem:
            yield Warn(text=f"{path}: {problem}")
            continue
        if not text.strip():
            continue
        page = _READERS[_kind(path)](text, titles[path], target)
        yield _document(raw, path, page, settings)
        yield from (Warn(text=f"{page.title}: {warning}") for warning in page.warnings)


_READERS: Mapping[str, Callable[[str, str, Callable[[str], Target | None]], Page]] = {
    "md": page_from_markdown,
    "html": page_from_html,
    "csv": table_text,
}


def clean_name(path: str) -> str:
    """A file's name without folder, ending and id."""
    stem = posixpath.basename(path).rpartition(".")[0].removesuffix("_all")
    return " ".join(re.sub(r"\s*\b[0-9a-f]{32}$", "", stem).split()) or "Untitled"


def _target(
    path: str, members: Mapping[str, _Member], titles: Mapping[str, str], ids: Mapping[str, str]
) -> Callable[[str], Target | None]:
    """What a link in this file leads to, if it is in the export. Notion encodes some names twice."""
    folder = posixpath.dirname(path)

    def find(href: str) -> Target | None:
        plain = href.partition("#")[0]
        if web := _WEB.match(plain):
            known = ids.get(web[1]) if web[1] else None
            return Target(title=titles[known], name="") if known else None
        for address in dict.fromkeys((unquote(plain), unquote(unquote(plain)), plain)):
            for place in (posixpath.normpath(posixpath.join(folder, address)), posixpath.normpath(address)):
                found = place if place in members else f"{place}_all.csv"
                if found in members:
                    name = posixpath.basename(unquote(found))
                    return Target(title=titles.get(found, ""), name=name)
        return None

    return find


def _document(raw: RawFile, path: str, page: Page, settings: Settings) -> Document:
    moment = own_time(page.properties, raw, settings.zone)
    ids = _ID.findall(posixpath.basename(path))
    folders = [clean_name(f"{part}.x") for part in posixpath.dirname(path).split("/") if part]
    lines = "\n".join(f"- {as_markdown(key)}: {value}" for key, value in page.shown.items() if value)
    is_table = path.endswith(".csv")
    tagged = [tag for key, value in page.properties.items() if key.casefold() in _TAGS for tag in value.split(",")]
    return Document(
        source_id=document_id(f"{raw.name}/{path}"),
        tree_scope=document_id("/".join(["Notion", *folders])),
        title=page.title,
        body=document_body(page.title, lines, page.body),
        provider="notion",
        created_at=moment.at,
        time_from="metadata" if moment.source.startswith("frontmatter:") else "file",
        own_id=f"notion:{page.id or ids[-1]}" if page.id or ids else "",
        properties=dict(page.properties),
        tags=unique_tags(label_tags(tagged)),
        links=page.links,
        author=next((v for key, v in page.properties.items() if key.casefold() in _AUTHORS), ""),
        attachments=page.attachments,
        facts={"databases": 1, "notes_count": 0} if is_table else {},
    )
