"""What a page says of itself: title, author, dates, address, keywords."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from vaultmem.sources.document.html_tree import Element, Page

_DATES = (
    "article:published_time", "og:article:published_time", "datepublished", "date", "dc.date", "dcterms.created",
    "dc.date.created", "dcterms.date", "dcterms.issued", "dc.date.issued", "pubdate", "publishdate", "publish_date",
    "publish-date", "parsely-pub-date", "sailthru.date", "citation_publication_date", "citation_date", "created",
    "datecreated", "article:modified_time", "og:updated_time", "last-modified", "datemodified", "dcterms.modified",
)  # fmt: skip
_AUTHORS = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "citation_author", "byl")
_TITLES = ("og:title", "twitter:title", "dc.title")
_SAVED = (
    re.compile(r"saved from url=\(\d+\)(https?://\S+)"),
    re.compile(r"Page saved with SingleFile\s+url:\s*(https?://\S+)"),
)
#: Elements that say something of the page.
_TELLING = frozenset(("meta", "title", "h1", "time", "base", "html", "link", "script"))
_MAX_KEYWORDS = 30
#: Characters of embedded data that are read.
_MAX_DATA = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What was found; "" where the page does not say."""

    title: str = ""
    author: str = ""
    #: dates as written, the surest first
    dates: tuple[str, ...] = ()
    #: its own address, absolute, good for identity
    url: str = ""
    #: what relative links are relative to
    base: str = ""
    description: str = ""
    site: str = ""
    language: str = ""
    keywords: tuple[str, ...] = field(default=())


def read_head(page: Page) -> Head:
    """Everything a page says of itself, before it is cleaned."""
    tags = [
        e for e in page.root.elements() if e.name in _TELLING or "itemprop" in e.attributes or "rel" in e.attributes
    ]
    metas = _metas(tags)
    data = tuple(_embedded(tags))
    url = _address(page, tags, metas)
    written = next((e.get("href") for e in tags if e.name == "base" and e.get("href")), "")
    return Head(
        title=_title(tags, metas),
        author=_author(tags, metas, data),
        dates=tuple(_dates(tags, metas, data)),
        url=url if _is_own(url) else "",
        base=_joined(url, written),
        description=_first(metas, ("description", "og:description", "dc.description")),
        site=_first(metas, ("og:site_name", "application-name")),
        language=next((e.get("lang") for e in tags if e.name == "html"), ""),
        keywords=tuple(_keywords(metas)),
    )


def one_line(text: str) -> str:
    """The text with every run of blanks as one."""
    return " ".join(text.split())


def _metas(tags: list[Element]) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for element in tags:
        if element.name == "meta":
            value = one_line(element.get("content"))
            for key in (element.get("property"), element.get("name"), element.get("itemprop")):
                if key and value:
                    found.setdefault(key.lower(), []).append(value)
    return found


def _first(metas: Mapping[str, list[str]], names: tuple[str, ...]) -> str:
    return next((metas[name][0] for name in names if name in metas), "")


def _title(tags: list[Element], metas: Mapping[str, list[str]]) -> str:
    found = _first(metas, _TITLES[:1])
    titles = (e.words() for e in tags if e.name == "title")
    found = found or next((title for title in titles if title), "") or _first(metas, _TITLES)
    return found or next((e.words() for e in tags if e.name == "h1" and e.words()), "")


def _author(tags: list[Element], metas: Mapping[str, list[str]], data: tuple[Mapping[str, object], ...]) -> str:
    """The names, joined by commas. An address in place of a name is none."""
    for name in _AUTHORS:
        names = [value for value in metas.get(name, ()) if not re.match(r"https?:|/|@", value)]
        if names:
            return ", ".join(dict.fromkeys(names))
    for item in data:
        names = list(dict.fromkeys(_names(item.get("author"))))
        if names:
            return ", ".join(names)
    marked = (e.words() for e in tags if e.get("rel") == "author" or e.get("itemprop") == "author")
    return next((name for name in marked if 0 < len(name) <= 80), "")


def _names(value: object) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        name = item.get("name") if isinstance(item, dict) else item
        if isinstance(name, str) and name.strip() and not name.startswith("http"):
            yield one_line(name)


def _dates(
    tags: list[Element], metas: Mapping[str, list[str]], data: tuple[Mapping[str, object], ...]
) -> Iterator[str]:
    for name in _DATES[:3]:
        yield from metas.get(name, ())
    for item in data:
        for key in ("datePublished", "dateCreated", "uploadDate"):
            value = item.get(key)
            if isinstance(value, str):
                yield value
    for name in _DATES[3:]:
        yield from metas.get(name, ())
    times = [e for e in tags if e.name == "time" and e.get("datetime")]
    times.sort(key=lambda e: "pubdate" not in e.attributes and "publish" not in e.get("itemprop").lower())
    yield from (e.get("datetime") for e in times[:1])


def _embedded(tags: list[Element]) -> Iterator[Mapping[str, object]]:
    """Objects of the page's JSON-LD that are about the page itself."""
    for element in tags:
        if element.name != "script" or element.get("type").lower() != "application/ld+json":
            continue
        text = element.text()
        try:
            found = json.loads(text) if len(text) <= _MAX_DATA else None
        except (ValueError, RecursionError):
            continue
        graph = found.get("@graph", found) if isinstance(found, dict) else found
        for item in graph if isinstance(graph, list) else [graph]:
            if isinstance(item, dict) and ("headline" in item or "datePublished" in item):
                yield item


def _address(page: Page, tags: list[Element], metas: Mapping[str, list[str]]) -> str:
    """The page's own absolute address: what it says, or what the browser noted when it was saved."""
    links = (e.get("href") for e in tags if e.name == "link" and "canonical" in e.get("rel").lower().split())
    noted = (m[1] for comment in page.comments for pattern in _SAVED if (m := pattern.search(comment)))
    for found in (*links, *metas.get("og:url", ()), *noted):
        address = str(found).strip()
        if re.match(r"https?://[^\s/]+", address, re.IGNORECASE):
            return address
    return ""


def _is_own(url: str) -> bool:
    """False for a site's front door: pages drawn by scripts all name it as theirs."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(parts.path.strip("/") or parts.query)


def _joined(url: str, written: str) -> str:
    try:
        found = urljoin(url, written.strip())
    except ValueError:
        return url
    return found if re.match(r"https?://", found, re.IGNORECASE) else ""


def _keywords(metas: Mapping[str, list[str]]) -> Iterator[str]:
    """Keywords as tags: a phrase is joined by hyphens."""
    written = [part for value in metas.get("keywords", ()) for part in re.split(r"[,;،、]", value)]
    written += metas.get("article:tag", ())
    for phrase in written[:_MAX_KEYWORDS]:
        yield re.sub(r"\s+", "-", phrase.strip().lstrip("#"))
