"""Living pages: a page per source tree and Home. Written when what they show has changed, and not otherwise."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from vaultmem.app.engine import Engine
from vaultmem.app.grow import Grower
from vaultmem.app.grow_digests import newest_digest
from vaultmem.app.living import edit_living, forget_shown, make_living
from vaultmem.app.sentences import WINDOW
from vaultmem.app.topic_pages import refresh_topics
from vaultmem.app.views import make_views, view_links
from vaultmem.core.grow.compose import choose
from vaultmem.core.notes.edit import edit_properties
from vaultmem.core.notes.handler import render_note
from vaultmem.core.notes.ids import sha256_hex, slug
from vaultmem.core.notes.pages import LISTED, HomePage, HomeSource, SourcePage, render_home, render_source_page
from vaultmem.core.notes.paths import HOME
from vaultmem.core.notes.properties import Property, load_properties, split_note
from vaultmem.core.notes.region import region_of, replace_region
from vaultmem.errors import BadNote, BadProperties
from vaultmem.grown import Link, NodeLine, SourceStand
from vaultmem.model import NoteFile

_SOURCES = "wiki/sources"
#: Raised when the pages' own text changes, so that existing ones are rendered again.
_LAYOUT = "1"


def source_pages(scopes: Collection[tuple[str, str]]) -> dict[str, str]:
    """`wiki/sources/<kind>/<scope>.md` of each (scope, kind); of those that are spelled alike, the others say which."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for scope, kind in sorted(scopes):
        name = f"{_SOURCES}/{kind}/{slug(scope)}"
        mark = sha256_hex(scope.encode("utf-8", "surrogatepass"))[:6]
        found[scope] = f"{name}-{mark}.md" if name in taken else f"{name}.md"
        taken.add(name)
    return found


def refresh_pages(grower: Grower, problems: Sequence[str]) -> dict[str, str]:
    """Bring every page that is out of date up to date; path -> problem of pages that may not be written."""
    engine = grower.engine
    refused: dict[str, str] = {}
    lines: list[HomeSource] = []
    scopes = engine.index.scopes()
    pages = source_pages(scopes)
    for scope, kind in scopes:
        stand = engine.index.source_stand(scope)
        if stand is None:
            continue
        path = pages[scope]
        title = grower.title_of(scope)
        nodes = engine.index.node_lines("source", scope)
        state = _state(stand, nodes)
        if engine.vault.stat(path) is None or engine.index.get_meta(f"page:{path}") != state:
            page = _source_page(grower, scope, stand, nodes)
            forget_shown(engine, f"page:{path}")
            properties = {"tree_scope": scope, "source_kind": kind, "aliases": [title]}
            if _put(engine, path, title, properties, render_source_page(page), refused):
                engine.index.set_meta(f"page:{path}", state)
        if engine.vault.stat(path):
            lines.append(HomeSource(page=Link(path=path, alias=title), last=stand.last))
    lines.sort(key=lambda line: (line.last, line.page.path), reverse=True)
    _clear_pages(engine, pages, refused)
    refused |= make_views(engine)
    views = view_links(engine)
    topics = refresh_topics(grower, refused)
    home = render_home(
        HomePage(
            sources=lines[:LISTED],
            digest=newest_digest(grower),
            topics=topics[:LISTED],
            views=views,
            problems=[*problems, *refused.values()],
        )
    )
    _put(engine, HOME, "Home", {"aliases": ["Memory"]}, home, refused)
    return refused


def _clear_pages(engine: Engine, pages: Mapping[str, str], refused: dict[str, str]) -> None:
    """Pages of sources of which memory holds nothing any more: gone, or empty where a person wrote on them."""
    for path in engine.vault.scan(_SOURCES).files:
        try:
            parts = split_note(engine.vault.read(path).decode())
            found = load_properties(parts.frontmatter or "")
            region = region_of(parts.body)
            if region is None or pages.get(str(found.get("tree_scope", ""))) == path or "tree_scope" not in found:
                continue
            own = [
                line for line in region[1].split("\n") if line.strip() and not line.startswith(("# ", "%% vaultmem:"))
            ]
            if not own and found.keys() <= {"tree_scope", "source_kind", "aliases"}:
                engine.vault.remove(path)
            elif region[0].strip():
                edit_living(engine, path, lambda note: replace_region(note, ""))
        except FileNotFoundError:
            continue
        except (BadNote, BadProperties, UnicodeDecodeError) as problem:
            refused[path] = f"{path}: {problem}"


def _source_page(grower: Grower, scope: str, stand: SourceStand, nodes: Sequence[NodeLine]) -> SourcePage:
    index = grower.engine.index
    below = index.waiting_leaves(scope, WINDOW)
    children = [child for chunk_id in below if (child := grower.child(chunk_id))]
    recent = choose(
        grower.sentences.all_of(below),
        children,
        frequencies=grower.prefix(scope, below),
        paths=index.leaf_paths(below),
        count=grower.engine.count,
    )
    newest = index.newest_leaves(scope, LISTED)
    return SourcePage(
        first=stand.first,
        last=stand.last,
        summaries=[(node.level, Link(path=node.path, alias=node.title)) for node in nodes],
        recent=recent,
        chunks=[child.link for chunk_id in newest if (child := grower.child(chunk_id))],
    )


def _put(
    engine: Engine, path: str, title: str, properties: Mapping[str, Property], text: str, refused: dict[str, str]
) -> bool:
    """The page with this generated text; True when it stands there now. A person's own lines are never touched."""
    if engine.vault.stat(path) is None:
        page = replace_region(render_note(properties, f"# {title}\n\n").encode(), text)
        make_living(engine, [NoteFile(path=path, content=page)])
        return True
    try:
        return edit_living(engine, path, lambda note: replace_region(_passed_on(note, properties), text))
    except FileNotFoundError:
        return False
    except (BadNote, BadProperties) as problem:
        refused[path] = f"{path}: {problem}"
        return False


def _passed_on(note: bytes, properties: Mapping[str, Property]) -> bytes:
    """A page of a source that is gone, and is spelled like this one, is this one's now."""
    wanted = properties.get("tree_scope")
    said = load_properties(split_note(note.decode("utf-8", "replace")).frontmatter or "").get("tree_scope")
    return note if wanted is None or said in (None, wanted) else edit_properties(note, {"tree_scope": wanted})


def _state(stand: SourceStand, nodes: Sequence[NodeLine]) -> str:
    """A hash of all that a source's page is made of."""
    parts = [_LAYOUT, stand.fingerprint, *(f"{node.path} {node.node_id} {node.body_sha256}" for node in nodes)]
    return sha256_hex("\n".join(parts).encode("utf-8", "surrogatepass"))
