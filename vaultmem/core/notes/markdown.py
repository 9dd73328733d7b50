"""The door to what a Markdown body holds. Each question has its own file; callers import from here.

blocks("# A\\n\\ntext")        -> heading, paragraph (path ("A",))
wikilinks("see [[B#x|c]]")     -> Wikilink(target="B", heading="x", alias="c")
tags("done #work/now")         -> ("work/now",)
inert("![x](http://a/b.png)")  -> "[x](http://a/b.png)"
"""

from __future__ import annotations

from vaultmem.core.notes.blocks import Block, blocks
from vaultmem.core.notes.inert import inert
from vaultmem.core.notes.links import Wikilink, property_links, tags, unique_tags, wikilinks
from vaultmem.core.notes.passages import document_passages

__all__ = [
    "Block",
    "Wikilink",
    "blocks",
    "document_passages",
    "inert",
    "property_links",
    "tags",
    "unique_tags",
    "wikilinks",
]
