"""Our notes as python-frontmatter sees them: its handler with YAML 1.2 values, our dumper, and bodies kept to the byte.

    render_note({"id": "person:ann"}, "# Ann\\n")     -> the text of a note
    frontmatter.loads(text, handler=note_handler())  -> for scripts of people who use that library

The library's own YAML handler reads 12:30 as 750, and its `dumps` strips the body (packages are judged in
ARCHITECTURE.md); notes that a person may edit are never written through it, only by the line (core.notes.edit).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, cast

from vaultmem.core.notes.properties import Property, dump_properties, load_properties, split_note

if TYPE_CHECKING:
    from frontmatter.default_handlers import BaseHandler


def render_note(properties: Mapping[str, Property], body: str) -> str:
    """A note vaultmem owns: its properties in their order, then the body, byte for byte."""
    import frontmatter  # only writers need it, and a question must be answered at once

    post = frontmatter.Post(body)
    post.metadata = dict(properties)
    return str(note_handler().format(post))


@cache
def note_handler() -> BaseHandler:
    """The handler; made on first use, like the library's import."""
    import frontmatter
    from frontmatter.default_handlers import BaseHandler

    class NoteHandler(BaseHandler):
        """Frontmatter by Obsidian's rule, values by YAML 1.2."""

        FM_BOUNDARY = re.compile(r"^---[ \t]*$", re.MULTILINE)
        START_DELIMITER = END_DELIMITER = "---"

        def split(self, text: str) -> tuple[str, str]:
            """The block and the body, neither of them stripped."""
            parts = split_note(text)
            return parts.frontmatter or "", parts.body

        def load(self, fm: str) -> dict[str, object]:
            """Raises BadProperties."""
            return load_properties(fm)

        def export(self, metadata: dict[str, object], **_: object) -> str:
            """The block's lines."""
            return dump_properties(cast("dict[str, Property]", metadata))

        def format(self, post: frontmatter.Post, **_: object) -> str:
            """The whole note."""
            return f"---\n{self.export(post.metadata)}---\n{post.content}"

    return NoteHandler()
